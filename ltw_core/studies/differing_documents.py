"""The test documents of a class that two cells decide differently, and the terms behind that.

Both classifiers are trained once more with the setting that their cells chose. Terms are compared by name, since
protocols select different ones, and in standard deviations of each classifier's scores (``evaluation.disagreement``).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ltw_core.evaluation import Decisions, decide
from ltw_core.studies.compute import task_of, vectors_of
from ltw_core.studies.record import Record

MOST = 60  # documents that are kept with their texts
TERMS = 12
LIMIT = 6_000  # characters of a text


class DifferingDocument(NamedTuple):
    """A test document of which the two decide differently.

    Attributes
    ----------
    number : int
        Of the corpus.
    text : str
    labels : tuple of str
        Titles of its classes.
    truth : bool
        Whether it has the class.
    predicted : (bool, bool)
    scores : (float, float)
        In standard deviations of each classifier's scores.
    terms : tuple of (str, float)
        What adds to the first's score more than to the second's, the largest magnitude first; empty where a score is no
        sum over terms.
    """

    number: int
    text: str
    labels: tuple[str, ...]
    truth: bool
    predicted: tuple[bool, bool]
    scores: tuple[float, float]
    terms: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class DifferingDocuments:
    """What two cells decide differently.

    Attributes
    ----------
    documents : tuple of DifferingDocument
        The largest difference of scores first; of many the first ``MOST``.
    total : int
        Of all test documents, how many.
    right : (int, int)
        How many of these each decides right.
    terms : tuple of (str, float)
        As in a document, the mean over all that differ.
    linear : bool
        Whether both scores are sums over terms.
    """

    documents: tuple[DifferingDocument, ...]
    total: int
    right: tuple[int, int]
    terms: tuple[tuple[str, float], ...]
    linear: bool

    @property
    def bytes(self) -> int:
        """What they take in memory, about."""
        return 2_000 + sum(len(document.text) + 2_000 for document in self.documents)


class _Side(NamedTuple):
    decisions: Decisions
    task: Any
    terms: np.ndarray

    @property
    def scaled(self) -> np.ndarray:
        return self.decisions.scores / (np.std(self.decisions.scores) or 1.0)

    @property
    def numbers(self) -> np.ndarray:
        """Documents of the corpus by test row."""
        return np.asarray(self.task.rows_test)

    def contributions(self, row: int) -> dict[str, float]:
        columns, parts = self.decisions.contributions(row)
        scale = float(np.std(self.decisions.scores)) or 1.0
        return {str(self.terms[column]): part / scale for column, part in zip(columns, parts, strict=True)}


def differing_documents(one: Record, other: Record, on_event: Callable | None = None) -> DifferingDocuments:
    """Decide the test documents again as two cells do, and compare.

    Parameters
    ----------
    one, other : Record
        Finished cells of one class of a corpus.
    on_event : callable, optional
        As in ``evaluation.weigh``.

    Raises
    ------
    ValueError
        They are of different classes or test documents, the corpus is not here, or other versions computed them.
    """
    if (one.cell.corpus, one.cell.class_name) != (other.cell.corpus, other.cell.class_name):
        raise ValueError("the two settings must be of the same class of one corpus")
    first, second = (_side(record, on_event) for record in (one, other))
    shared, rows, other_rows = np.intersect1d(first.numbers, second.numbers, return_indices=True)
    truth = first.decisions.y[rows]
    if len(first.task.vectorized.corpus.documents) != len(second.task.vectorized.corpus.documents) or not (
        np.array_equal(truth, second.decisions.y[other_rows])
    ):
        raise ValueError("the two settings were not tested on the same documents: they split the corpus differently")
    decided = first.decisions.predicted[rows], second.decisions.predicted[other_rows]
    differ = np.flatnonzero(decided[0] != decided[1])
    scores = first.scaled[rows], second.scaled[other_rows]
    gap = np.abs(scores[0] - scores[1])
    differ = differ[np.argsort(-gap[differ], kind="stable")]
    linear = first.decisions.linear and second.decisions.linear
    documents, summed = [], {}
    for place in differ:
        terms = {}
        if linear:
            mine, theirs = first.contributions(rows[place]), second.contributions(other_rows[place])
            terms = {t: mine.get(t, 0.0) - theirs.get(t, 0.0) for t in {**mine, **theirs}}
            for term, value in terms.items():
                summed[term] = summed.get(term, 0.0) + value / differ.size
        if len(documents) < MOST:
            corpus, number = first.task.vectorized.corpus, int(shared[place])
            documents.append(
                DifferingDocument(
                    number,
                    corpus.documents[number][:LIMIT],
                    tuple(corpus.class_titles[j] for j in corpus.labels[[number]].indices),
                    bool(truth[place]),
                    tuple(bool(side[place]) for side in decided),
                    tuple(float(side[place]) for side in scores),
                    _largest(terms),
                )
            )
    right = tuple(int(np.count_nonzero(side[differ] == truth[differ])) for side in decided)
    return DifferingDocuments(tuple(documents), int(differ.size), right, _largest(summed), linear)


def _side(record: Record, on_event: Callable | None) -> _Side:
    cell, task = record.cell, task_of(record.cell)
    vectors = vectors_of(cell, task, on_event)
    decisions = decide(vectors, cell.learner, record.parameters, cell.seed)
    return _Side(decisions, task, task.terms if vectors.terms is None else vectors.terms)


def _largest(terms: dict[str, float]) -> tuple[tuple[str, float], ...]:
    order = sorted(((t, float(v)) for t, v in terms.items() if v), key=lambda item: (-abs(item[1]), item[0]))
    return tuple(order[:TERMS])

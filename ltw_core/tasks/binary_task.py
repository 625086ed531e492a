"""One class as a binary problem: selected terms, their rates, the split, and the documents behind the rows."""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from ltw_core.tasks.contingency import document_frequency
from ltw_core.tasks.split import validation_mask
from ltw_core.tasks.term_statistics import TermStatistics

if TYPE_CHECKING:
    from ltw_core.tasks.vectorized import VectorizedCorpus


@dataclass(frozen=True, eq=False)
class BinaryTask:
    """One class of a vectorised corpus, over its selected terms.

    Attributes
    ----------
    corpus_name, class_name, class_title : str
    statistics : TermStatistics
        Of the selected terms, from all training documents, validation included; its ``terms``, ``tp``, ``fp``, ``fn``,
        ``tn``, ``tpr``, ``fpr``, ``document_frequency``, ``prevalence`` and ``n_documents`` are the task's too.
    selected : ndarray of int, shape (terms,)
        Their columns in the whole vocabulary, ascending.
    counts_train, counts_test : csr_array of int32, shape (documents, terms)
        Cut out of the corpus when they are asked for; it keeps those used last.
    y_train, y_test : ndarray of bool, shape (documents,)
    validation : ndarray of bool, shape (training documents,)
        True where a training document validates.
    ratio : float
        Share of the vocabulary that was selected.
    notes : tuple of str
        What one must know about this class, in sentences; mostly empty.
    fingerprint : str
        Names the content.
    """

    vectorized: "VectorizedCorpus"
    class_name: str
    class_title: str
    statistics: TermStatistics
    selected: np.ndarray
    y_train: np.ndarray
    y_test: np.ndarray
    validation: np.ndarray
    ratio: float
    notes: tuple[str, ...]
    fingerprint: str

    # those of the statistics
    terms = property(attrgetter("statistics.terms"))
    tp = property(attrgetter("statistics.tp"))
    fp = property(attrgetter("statistics.fp"))
    fn = property(attrgetter("statistics.fn"))
    tn = property(attrgetter("statistics.tn"))
    tpr = property(attrgetter("statistics.tpr"))
    fpr = property(attrgetter("statistics.fpr"))
    document_frequency = property(attrgetter("statistics.document_frequency"))
    prevalence = property(attrgetter("statistics.prevalence"))
    n_documents = property(attrgetter("statistics.n_documents"))

    @property
    def corpus_name(self) -> str:
        return self.vectorized.corpus.name

    @property
    def rows_train(self) -> np.ndarray:
        """Index in the corpus of each training row's document."""
        return self.vectorized.rows_train

    @property
    def rows_test(self) -> np.ndarray:
        """Index in the corpus of each test row's document."""
        return self.vectorized.rows_test

    @property
    def counts_train(self) -> sparse.csr_array:
        return self.vectorized.counts_of("train", self.selected, self.fingerprint)

    @property
    def counts_test(self) -> sparse.csr_array:
        return self.vectorized.counts_of("test", self.selected, self.fingerprint)

    @cached_property
    def term_index(self) -> dict[str, int]:
        """Column of each selected term."""
        return {term: i for i, term in enumerate(self.terms)}

    def document(self, row: int, part: str = "train") -> str:
        """The text behind a row of ``counts_train`` or ``counts_test``."""
        rows = {"train": self.rows_train, "test": self.rows_test}.get(part)
        if rows is None:
            raise ValueError(f"part is {part!r}; it must be 'train' or 'test'")
        return self.vectorized.corpus.documents[rows[row]]


def binary_task(vectorized: "VectorizedCorpus", class_name: str, *, ratio: float, validation: float) -> BinaryTask:
    """Make a class's ``BinaryTask``; see ``VectorizedCorpus.task`` for the parameters."""
    y_train, y_test = vectorized.labels_of(class_name)
    selected = vectorized.selection(class_name, ratio)
    tp = document_frequency(vectorized.counts_train[y_train])[selected]
    statistics = TermStatistics(
        terms=vectorized.vocabulary[selected].astype(object),
        tp=tp,
        fp=vectorized.document_frequency[selected] - tp,
        n_positives=int(y_train.sum()),
        n_documents=y_train.size,
    )
    mask = validation_mask(y_train, validation)
    key = f"{vectorized.fingerprint}\0{class_name}\0{ratio!r}\0{validation!r}"
    return BinaryTask(
        vectorized=vectorized,
        class_name=class_name,
        class_title=vectorized.class_titles[vectorized.class_names.index(class_name)],
        statistics=statistics,
        selected=selected,
        y_train=y_train,
        y_test=y_test,
        validation=mask,
        ratio=ratio,
        notes=tuple(_notes(y_train, y_test, mask)),
        fingerprint=hashlib.sha256(key.encode()).hexdigest(),
    )


def select_terms(counts: sparse.csr_array, y: np.ndarray, ratio: float) -> np.ndarray:
    """The ⌊ratio · terms⌋ terms (at least one) with the highest χ² of their counts; ties go to the earlier term.

    χ² is that of counts, as in the paper's protocol: of a term's occurrences in the class and outside it, beside those
    expected from the class's share of the documents. It equals scikit-learn's ``chi2`` to the bit, in a fraction of its
    time, and is not the cd function of that name, which works on presence.

    Returns
    -------
    ndarray of int
        Columns, ascending.
    """
    if not 0 < ratio <= 1:
        raise ValueError(f"ratio is {ratio}; it must lie in (0, 1]")
    n_terms = counts.shape[1]
    keep = max(1, int(ratio * n_terms))
    if keep == n_terms or y.all() or not y.any():
        return np.arange(keep)
    scores = _chi2(counts, y)
    return np.sort(np.argsort(np.negative(scores, out=scores), kind="stable")[:keep])


def _chi2(counts, y):
    """χ² of each term's counts; -1 for a term without any. In place as far as it goes: an upload may have a million."""
    total = np.asarray(counts.sum(axis=0), dtype=float).ravel()
    inside = np.asarray(counts[y].sum(axis=0), dtype=float).ravel()
    scores = _deviation(total - inside, (~y).mean() * total)
    total *= y.mean()
    scores += _deviation(inside, total)
    return np.nan_to_num(scores, copy=False, nan=-1.0)


def _deviation(observed, expected):
    """(observed - expected)² / expected, in the place of what was observed."""
    observed -= expected
    observed *= observed
    with np.errstate(invalid="ignore"):  # 0 / 0 of a term without an occurrence
        observed /= expected
    return observed


def _notes(y_train, y_test, validation):
    positives, validating = int(y_train.sum()), int(y_train[validation].sum())
    if positives == 0:
        yield "This class has no training document: nothing can be learned about it."
    elif validating == 0:
        yield (
            f"With only {positives} training document{'s' * (positives > 1)} none is left for validation: learned "
            "weightings stop at the first check at which they predict no positive, close to random, and parameters are "
            "not really tuned."
        )
    if y_test.size and not y_test.any():
        yield "No test document has this class: F1 is 1 if nothing is predicted, and 0 after a single false positive."

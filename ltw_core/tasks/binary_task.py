"""One class as a binary problem: selected terms, their rates, the split, and the documents behind the rows."""

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
from scipy import sparse

from ltw_core.tasks.term_statistics import TermStatistics


@dataclass(frozen=True, eq=False, repr=False)
class BinaryTask:
    """One class of a vectorised corpus, over its selected terms.

    Attributes
    ----------
    vectorized : VectorizedCorpus
        The corpus that it is a class of.
    corpus_name, class_name, class_title : str
    rows_train, rows_test : ndarray of int, shape (documents,)
        Index in the corpus of each row's document.
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

    vectorized: Any
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

    # those of the corpus
    corpus_name = property(attrgetter("vectorized.corpus.name"))
    rows_train = property(attrgetter("vectorized.rows_train"))
    rows_test = property(attrgetter("vectorized.rows_test"))

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

    def __repr__(self):
        return (
            f"BinaryTask({self.corpus_name!r}, {self.class_name!r}, {self.n_documents:,} training documents (of which "
            f"{self.validation.sum():,} validate), {self.y_test.size:,} test documents,\n"
            f"           {len(self.terms):,} terms, prevalence {self.prevalence:.4f})"
        )

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


def notes(y_train, y_test, validation):
    """Sentences on a class that has too few documents to learn, tune or test well."""
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

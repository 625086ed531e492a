"""What tasks have in common: they are rows of a vectorised corpus over some of its terms."""

from operator import attrgetter
from typing import Any

import numpy as np
from scipy import sparse

from ltw_core.tasks.without_terms import WithoutTerms


class OverSelectedTerms:
    """A problem over selected terms of a vectorised corpus.

    Attributes
    ----------
    vectorized : VectorizedCorpus
        The corpus.
    corpus_name : str
    selected : ndarray of int, shape (terms,)
        Columns of the terms in the whole vocabulary, ascending.
    terms : ndarray of str, shape (terms,)
    counts_train, counts_test : csr_array of int32, shape (documents, terms)
        Cut out of the corpus when they are asked for; it keeps those used last.
    rows_train, rows_test : ndarray of int, shape (documents,)
        Index in the corpus of each row's document.
    empty_test : ndarray of bool, shape (test documents,)
        True for those without a known term.
    validation : ndarray of bool, shape (training documents,)
        True where a training document validates.
    ratio : float
        Share of the vocabulary that was selected.
    without_terms : WithoutTerms
        How many documents hold no known term; training documents among them are no rows of a task.
    fingerprint : str
        Names the content.
    """

    vectorized: Any
    selected: np.ndarray
    validation: np.ndarray
    ratio: float
    without_terms: WithoutTerms
    fingerprint: str

    corpus_name = property(attrgetter("vectorized.corpus.name"))
    rows_train = property(attrgetter("vectorized.rows_train"))
    rows_test = property(attrgetter("vectorized.rows_test"))
    empty_test = property(attrgetter("vectorized.empty_test"))

    @property
    def counts_train(self) -> sparse.csr_array:
        return self.vectorized.counts_of("train", self.selected, self.fingerprint)

    @property
    def counts_test(self) -> sparse.csr_array:
        return self.vectorized.counts_of("test", self.selected, self.fingerprint)

    def document(self, row: int, part: str = "train") -> str:
        """The text behind a row of ``counts_train`` or ``counts_test``."""
        rows = {"train": self.rows_train, "test": self.rows_test}.get(part)
        if rows is None:
            raise ValueError(f"part is {part!r}; it must be 'train' or 'test'")
        return self.vectorized.corpus.documents[rows[row]]

"""All classes of a corpus as one problem: terms selected for all of them, labels as a matrix, one validation part."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from ltw_core.tasks.selected_terms import OverSelectedTerms
from ltw_core.tasks.without_terms import WithoutTerms, undecided


@dataclass(frozen=True, eq=False, repr=False)
class MulticlassTask(OverSelectedTerms):
    """All classes of a vectorised corpus, over terms selected for all of them.

    Attributes
    ----------
    Those of ``OverSelectedTerms``, and:

    class_names, class_titles : tuple of str
    labels_train, labels_test : csr_array of 0/1, shape (documents, classes)
    """

    vectorized: Any
    selected: np.ndarray
    terms: np.ndarray
    validation: np.ndarray
    ratio: float
    without_terms: WithoutTerms
    fingerprint: str

    class_names = property(attrgetter("vectorized.class_names"))
    class_titles = property(attrgetter("vectorized.class_titles"))
    labels_train = property(attrgetter("vectorized.labels_train"))
    labels_test = property(attrgetter("vectorized.labels_test"))

    def __repr__(self):
        kind = "one class a document" if self.single_label else "documents of several classes or none"
        return (
            f"MulticlassTask({self.corpus_name!r}, {len(self.class_names):,} classes, {kind}, "
            f"{self.validation.size:,} training documents (of which {self.validation.sum():,} validate), "
            f"{self.rows_test.size:,} test documents, {len(self.terms):,} terms)"
        )

    @cached_property
    def labels_a_document(self) -> tuple[np.ndarray, np.ndarray]:
        """Classes of each training and each test document: two arrays of int, shape (documents,)."""
        return np.diff(self.labels_train.indptr), np.diff(self.labels_test.indptr)

    @cached_property
    def single_label(self) -> bool:
        """Whether each document, of training and test, has exactly one class."""
        return all(bool((numbers == 1).all()) for numbers in self.labels_a_document)

    @cached_property
    def unvalidated(self) -> int:
        """How many classes have no document in the validation part."""
        return int((self.labels_train[self.validation].sum(axis=0) == 0).sum())

    @property
    def notes(self) -> tuple[str, ...]:
        """What one must know, in sentences: documents of several classes or none, classes that are not tested."""
        return tuple(self._notes())

    def _notes(self) -> Iterator[str]:
        for part, numbers in zip(("training", "test"), self.labels_a_document, strict=True):
            several, none = int((numbers > 1).sum()), int((numbers == 0).sum())
            if several or none:
                yield (
                    f"Of {numbers.size:,} {part} documents {several:,} {'has' if several == 1 else 'have'} several "
                    f"classes and {none:,} {'has' if none == 1 else 'have'} none."
                )
        if not self.single_label:
            yield "So each class is decided for itself: a document may be given several classes, or none."
        untested = int((np.asarray(self.labels_test.sum(axis=0)).ravel() == 0).sum())
        if untested:
            yield (
                f"{untested:,} of the {len(self.class_names):,} classes {'has' if untested == 1 else 'have'} no test "
                "document: F1 is 1 there if nothing is predicted, and 0 after a single false positive."
            )
        corpus = self.vectorized.corpus
        on_nothing = undecided(self.single_label)
        yield from self.without_terms.sentences(corpus.n_train, corpus.n_test, undecided=on_nothing)

    @cached_property
    def term_index(self) -> dict[str, int]:
        """Place of each term."""
        return {str(term): i for i, term in enumerate(self.terms)}

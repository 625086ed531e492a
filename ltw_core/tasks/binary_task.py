"""One class as a binary problem: selected terms, their rates, the split, and the documents behind the rows."""

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np

from ltw_core.tasks.contingency import holds_any
from ltw_core.tasks.selected_terms import OverSelectedTerms
from ltw_core.tasks.term_statistics import TermStatistics
from ltw_core.tasks.without_terms import WithoutTerms

FEW_TERMS = 3


@dataclass(frozen=True, eq=False, repr=False)
class BinaryTask(OverSelectedTerms):
    """One class of a vectorised corpus, over its selected terms.

    Attributes
    ----------
    Those of ``OverSelectedTerms``, and:

    class_name, class_title : str
    statistics : TermStatistics
        Of the selected terms, from all training documents, validation included; its ``terms``, ``tp``, ``fp``, ``fn``,
        ``tn``, ``tpr``, ``fpr``, ``document_frequency``, ``prevalence`` and ``n_documents`` are the task's too.
    y_train, y_test : ndarray of bool, shape (documents,)
    notes : tuple of str
        What one must know about this class, in sentences; mostly empty.
    training_fingerprint : str
        Names what can be learned from.
    validation_share : float
        Share of the training documents that was asked for validation.
    protocol : Protocol
        How it is run, see ``ltw_core.protocol``.
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
    without_terms: WithoutTerms
    notes: tuple[str, ...]
    fingerprint: str
    training_fingerprint: str
    validation_share: float = 0.2

    protocol = property(attrgetter("vectorized.protocol"))

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
    term_index = property(attrgetter("statistics.term_index"))
    n_documents = property(attrgetter("statistics.n_documents"))

    def __repr__(self):
        return (
            f"BinaryTask({self.corpus_name!r}, {self.class_name!r}, {self.n_documents:,} training documents (of which "
            f"{self.validation.sum():,} validate), {self.y_test.size:,} test documents,\n"
            f"           {len(self.terms):,} terms, prevalence {self.prevalence:.4f})"
        )

    def under(self, asked) -> "BinaryTask":
        """The same class under another protocol: a name of ``ltw_core.protocol.PROTOCOLS``, options, or a Protocol.

        Raises
        ------
        ValueError
            There is no such protocol.
        """
        vectorized = self.vectorized.under(asked)
        same = vectorized is self.vectorized
        return self if same else vectorized.task(self.class_name, self.ratio, self.validation_share)

    @cached_property
    def emptied(self) -> tuple[int, int]:
        """Training and test documents that hold known terms, but none of the selected ones."""
        held = [holds_any(self.vectorized.columns_of(part, self.selected)) for part in ("train", "test")]
        return int((~held[0]).sum()), int((~held[1] & ~self.empty_test).sum())


def notes(y_train, y_test, validation):
    """Sentences on a class that has too few documents to learn, tune or test well."""
    positives, validating = int(y_train.sum()), int(y_train[validation].sum())
    if positives == 0:
        yield "This class has no training document: nothing can be learned about it."
    elif validating == 0:
        yield (
            f"With only {positives} training document{'s' * (positives > 1)} none is left for validation: learned "
            "weightings stop at the first validation at which they predict no positive, close to random, and "
            "parameters are not really tuned."
        )
    if y_test.size and not y_test.any():
        yield "No test document has this class: F1 is 1 if nothing is predicted, and 0 after a single false positive."


def notes_on_terms(selected: int, of: int):
    """A sentence where hardly a term is left of a small vocabulary."""
    if selected < FEW_TERMS:
        yield (
            f"Only {selected} of the {of} terms of this corpus {'is' if selected == 1 else 'are'} used: most documents "
            "hold none of them, and nothing is predicted well. Keep a larger share of the terms, or bring longer texts."
        )

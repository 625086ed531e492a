"""What a class's terms are, and how each stands to it: one contingency table a term, and what follows from it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True, eq=False)
class TermStatistics:
    """Contingency of terms with one class, from presence in its training documents; arrays have shape (terms,).

    Attributes
    ----------
    terms : ndarray of str
        The terms; None where columns have no names.
    tp, fp : ndarray of int
        Documents of the class that hold a term (true positives), and other documents that do (false positives).
    n_positives, n_documents : int
        Documents of the class, and all.
    fn, tn : ndarray of int
        Documents of the class without the term (false negatives), and other documents without it (true negatives).
    tpr, fpr : ndarray of float64
        tp / (tp + fn) and fp / (fp + tn); 0 where the class has no document, or all.
    document_frequency : ndarray of int
        Documents that hold the term: tp + fp.
    prevalence : float
        Pr(c), the class's share of the documents.
    """

    terms: np.ndarray | None
    tp: np.ndarray
    fp: np.ndarray
    n_positives: int
    n_documents: int

    @classmethod
    def of_rates(cls, terms, tpr, fpr, prevalence: float, n_documents: int) -> "TermStatistics":
        """The same from rates, as a weighting's file holds them."""
        positives = round(prevalence * n_documents)
        tp = np.rint(np.asarray(tpr) * positives).astype(np.int64)
        fp = np.rint(np.asarray(fpr) * (n_documents - positives)).astype(np.int64)
        return cls(terms, tp, fp, positives, n_documents)

    @classmethod
    def of_tables(cls, terms, tp, fp, fn, tn) -> "TermStatistics":
        """The same from whole tables, all of one class: tp + fn and fp + tn are the same for each term."""
        tp, fp, fn, tn = (np.asarray(count) for count in (tp, fp, fn, tn))
        positives = int((tp + fn).max(initial=0))
        return cls(terms, tp, fp, positives, positives + int((fp + tn).max(initial=0)))

    def __len__(self) -> int:
        return len(self.tp)

    @cached_property
    def fn(self) -> np.ndarray:
        return self.n_positives - self.tp

    @cached_property
    def tn(self) -> np.ndarray:
        return self.n_documents - self.n_positives - self.fp

    @cached_property
    def tpr(self) -> np.ndarray:
        return self.tp / max(self.n_positives, 1)

    @cached_property
    def fpr(self) -> np.ndarray:
        return self.fp / max(self.n_documents - self.n_positives, 1)

    @cached_property
    def document_frequency(self) -> np.ndarray:
        return self.tp + self.fp

    @cached_property
    def term_index(self) -> dict[str, int]:
        """Place of each term."""
        return {str(term): i for i, term in enumerate(self.terms)}

    @property
    def prevalence(self) -> float:
        return self.n_positives / max(self.n_documents, 1)

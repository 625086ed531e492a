"""Term × class contingency counts, from term *presence* in the training documents.

One class (``rates``) or all classes at once as one sparse product (``Contingency``). Every collection-dependent factor
is a function of what comes out here: tpr, fpr, the prevalence and the number of documents.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse

from ltw_core.tasks.term_statistics import TermStatistics


def presence(counts) -> sparse.csr_array:
    """0/1 matrix of which terms a document holds; explicit zeros do not count. Shape as ``counts``."""
    counts = sparse.csr_array(counts, copy=False)
    if counts.nnz and not counts.data.all():
        counts = counts.copy()
        counts.eliminate_zeros()
    return sparse.csr_array((np.ones(counts.nnz, dtype=np.int32), counts.indices, counts.indptr), shape=counts.shape)


def document_frequency(counts) -> np.ndarray:
    """Documents that hold each term, shape (terms,), of counts of shape (documents, terms)."""
    return np.bincount(presence(counts).indices, minlength=counts.shape[1])


def rates(counts, y, terms=None) -> TermStatistics:
    """Contingency of every term with one class.

    Parameters
    ----------
    counts : sparse or dense array, shape (documents, terms)
        Any weights; only whether an entry is zero matters.
    y : array-like of bool, shape (documents,)
    terms : ndarray of str, shape (terms,), optional
        Their names.
    """
    y = np.asarray(y, dtype=bool)
    held = presence(counts)
    if held.shape[0] != y.size:
        raise ValueError(f"counts has {held.shape[0]} rows and y {y.size} labels; they must be equal")
    tp = document_frequency(held[y])
    return TermStatistics(terms, tp, document_frequency(held) - tp, int(y.sum()), y.size)


class Contingency(NamedTuple):
    """Contingency of every term with every class, as far as it does not follow from the rest."""

    tp: sparse.csr_array  # (classes, terms)
    document_frequency: np.ndarray  # (terms,)
    positives: np.ndarray  # (classes,)
    n_documents: int

    @classmethod
    def of(cls, counts, labels) -> "Contingency":
        """One sparse product for all classes.

        Parameters
        ----------
        counts : sparse array, shape (documents, terms)
        labels : sparse array of 0/1, shape (documents, classes)
        """
        held = presence(counts)
        labels = sparse.csr_array(labels).astype(np.int32)
        return cls(
            tp=sparse.csr_array(labels.T @ held),
            document_frequency=document_frequency(held),
            positives=np.asarray(labels.sum(axis=0)).ravel().astype(np.int64),
            n_documents=held.shape[0],
        )

    def rates(self, index: int) -> TermStatistics:
        """Contingency of every term with the class at ``index``."""
        tp = np.zeros(self.document_frequency.size, dtype=np.int64)
        row = slice(self.tp.indptr[index], self.tp.indptr[index + 1])
        tp[self.tp.indices[row]] = self.tp.data[row]
        return TermStatistics(None, tp, self.document_frequency - tp, int(self.positives[index]), self.n_documents)

    def dense_rates(self, dtype=np.float64) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All classes at once, for the vectorised cd functions.

        Returns
        -------
        tpr, fpr : ndarray, shape (classes, terms)
        prevalence : ndarray, shape (classes, 1)
        """
        positives = self.positives[:, None].astype(dtype)
        tp = self.tp.toarray().astype(dtype)
        fp = self.document_frequency.astype(dtype) - tp
        tp /= np.maximum(positives, 1)
        fp /= np.maximum(self.n_documents - positives, 1)
        return tp, fp, positives / max(self.n_documents, 1)

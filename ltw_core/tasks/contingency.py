"""Term × class contingency counts, from term *presence* in the training documents.

Every collection-dependent factor is a function of what comes out here: tpr, fpr, the prevalence and the number of
documents.
"""

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


def holds_any(counts) -> np.ndarray:
    """Whether each document holds any of the terms, shape (documents,), of a csr or csc array (documents, terms)."""
    if counts.format == "csr":
        return np.diff(counts.indptr) > 0
    held = np.zeros(counts.shape[0], dtype=bool)
    held[counts.indices] = True
    return held


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

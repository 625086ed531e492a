"""One binary problem as the arrays that every engine trains on. Leaves out texts, term names and the test set."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from ltw_core.tasks.contingency import rates


@dataclass(frozen=True, eq=False)
class Documents:
    """Rows of counts in compressed form: entry e of row d has term ``terms[e]`` for starts[d] ≤ e < starts[d+1].

    Attributes
    ----------
    starts : ndarray of int64, shape (rows + 1,)
    terms : ndarray of int32, shape (entries,)
    counts : ndarray of float64, shape (entries,), all above 0
    dd : ndarray of float64, shape (entries,)
        log(1 + f/dl) with dl the row's sum of counts (paper, equation of dd).
    y : ndarray of bool, shape (rows,)
    """

    starts: np.ndarray
    terms: np.ndarray
    counts: np.ndarray
    dd: np.ndarray
    y: np.ndarray

    @classmethod
    def of(cls, counts, y):
        counts = csr_array(counts, dtype=np.float64)
        if not counts.has_canonical_format or np.any(counts.data == 0):
            counts = counts.copy()
            counts.sum_duplicates()
            counts.eliminate_zeros()
        return cls(
            counts.indptr.astype(np.int64),
            counts.indices.astype(np.int32),
            counts.data,
            log_frequency(counts),
            np.asarray(y, bool),
        )

    def __len__(self):
        return len(self.y)


def log_frequency(counts) -> np.ndarray:
    """dd = log(1 + f/dl) of every entry of a CSR matrix of counts, in the matrix's order."""
    length = np.asarray(counts.sum(axis=1), dtype=float).ravel()
    return np.log1p(counts.data / np.repeat(length, np.diff(counts.indptr)))


@dataclass(frozen=True, eq=False)
class Problem:
    """Training and validation rows of one class, and the statistics of its terms.

    Attributes
    ----------
    train, validation : Documents
    inputs : ndarray of float64, shape (n_inputs, F)
        What the network is given of each term; mostly tpr and fpr.
    tpr, fpr : ndarray of float64, shape (F,)
        From presence over train and validation together, computed once.
    document_frequency : ndarray of int64, shape (F,)
    prevalence : float
    n_documents : int
    """

    train: Documents
    validation: Documents
    inputs: np.ndarray
    tpr: np.ndarray
    fpr: np.ndarray
    document_frequency: np.ndarray
    prevalence: float
    n_documents: int

    @classmethod
    def of(cls, counts, y, validation, inputs=("tpr", "fpr")):
        """Make a problem of a count matrix.

        Parameters
        ----------
        counts : sparse, shape (documents, F), not negative
        y : array-like of bool, shape (documents,)
        validation : array-like of bool, shape (documents,)
            True for the rows held out for early stopping.
        inputs : names of ``TermStatistics``
            What the network is given of each term.
        """
        y, validation = np.asarray(y, bool), np.asarray(validation, bool)
        counts, found = csr_array(counts), rates(counts, y)
        return cls(
            train=Documents.of(counts[~validation], y[~validation]),
            validation=Documents.of(counts[validation], y[validation]),
            inputs=np.stack([getattr(found, name) for name in inputs]).astype(float),
            tpr=found.tpr,
            fpr=found.fpr,
            document_frequency=found.document_frequency,
            prevalence=found.prevalence,
            n_documents=found.n_documents,
        )

    @property
    def n_terms(self) -> int:
        return len(self.tpr)

    @cached_property
    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Distinct inputs, mostly (tpr, fpr) pairs, shape (P, n_inputs), and the pair of every term, shape (F,)."""
        pairs, pair_of_term = np.unique(np.column_stack(self.inputs), axis=0, return_inverse=True)
        return pairs, pair_of_term.ravel().astype(np.int32)

    @cached_property
    def frequencies(self) -> np.ndarray:
        """Distinct counts in train and validation, increasing: LTW-TF computes dd once for each."""
        return np.unique(np.concatenate([self.train.counts, self.validation.counts]))

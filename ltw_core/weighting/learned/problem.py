"""One binary problem as the arrays that every engine trains on. Leaves out texts, term names and the test set.

With many documents not all that are held out validate: every 100 steps, which see 10,000 documents at most, F1 would be
asked of more than these. From ``SAMPLED_FROM`` documents on a sample of ``VALIDATION_SAMPLE`` of them does, with the
class's share kept and the same for every seed. The rest of those held out is not trained on either: what is learned
differs in when it stops alone. Below, as in the paper, all validate.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from ltw_core.tasks.contingency import rates
from ltw_core.tasks.split import stratified_sample
from ltw_core.weighting.learned.inputs import INPUTS

SAMPLED_FROM = 50_000  # documents, those that validate among them
VALIDATION_SAMPLE = 5_000


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
        Of train and of all that are held out.
    n_held_out : int
        Documents held out for validation; ``validation`` may be a sample of them.
    """

    train: Documents
    validation: Documents
    inputs: np.ndarray
    tpr: np.ndarray
    fpr: np.ndarray
    document_frequency: np.ndarray
    prevalence: float
    n_documents: int
    n_held_out: int

    @classmethod
    def of(cls, counts, y, validation, inputs=("tpr", "fpr"), forward=None):
        """Make a problem of a count matrix.

        Parameters
        ----------
        counts : sparse, shape (documents, F), not negative
        y : array-like of bool, shape (documents,)
        validation : array-like of bool, shape (documents,)
            True for the rows held out for early stopping.
        inputs : names of ``INPUTS``, or else of ``TermStatistics``
            What the network is given of each term.
        forward : callable, optional
            Of ``coordinates``: what becomes of each of them before.
        """
        y, validation = np.asarray(y, bool), np.asarray(validation, bool)
        counts, found = csr_array(counts), rates(counts, y)
        held_out = validating = np.flatnonzero(validation)
        if y.size >= SAMPLED_FROM:
            validating = held_out[stratified_sample(y[held_out], VALIDATION_SAMPLE)]
        seen = np.stack([_told(name, found) for name in inputs]).astype(float)
        return cls(
            train=Documents.of(counts[~validation], y[~validation]),
            validation=Documents.of(counts[validating], y[validating]),
            inputs=seen if forward is None else forward(seen),
            tpr=found.tpr,
            fpr=found.fpr,
            document_frequency=found.document_frequency,
            prevalence=found.prevalence,
            n_documents=found.n_documents,
            n_held_out=held_out.size,
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to know about how it validates, in sentences; mostly empty."""
        if len(self.validation) == self.n_held_out:
            return ()
        return (
            f"Its training stopped by the F1 on {len(self.validation):,} of the {self.n_held_out:,} documents held out "
            "for validation, a sample with the same share of the class.",
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


def _told(name: str, found) -> np.ndarray:
    """An input of every term, shape (F,)."""
    if name not in INPUTS:
        return getattr(found, name)
    value = INPUTS[name].compute(found.tpr, found.fpr, found.prevalence, found.n_documents)
    return np.broadcast_to(value, found.tpr.shape)

"""By what a training run's steps are compared: F1 on validation rows (the paper), cross-entropy there, or alignment.

With few positives among the validation rows F1 knows few values and jumps between them, and with none it is 1 as soon
as nothing is predicted. Cross-entropy moves smoothly, but is that of the classifier on top, which is thrown away.
Alignment with the class needs no classifier: it asks whether documents of the class are alike under the weights. It is
taken on the validation rows where at least ``FEW`` of them are of the class, else on a sample of all training rows.
"""

import numpy as np
from scipy.sparse import csr_array, vstack

from ltw_core.weighting.gram import LEAST, centred_gram, sample_documents
from ltw_core.weighting.learned.network import learned_dd

FEW = 10


def cross_entropy(logits, y) -> float:
    """Mean cross-entropy of logits with labels, in nats."""
    return float(np.logaddexp(0, np.where(y, -1.0, 1.0) * np.asarray(logits, dtype=float)).mean())


class AlignmentWithClass:
    """How well a problem's documents agree with its class under weights of its terms, in [-1, 1].

    Parameters
    ----------
    problem : Problem
    """

    def __init__(self, problem):
        held = problem.validation
        parts = [held] if np.count_nonzero(held.y) >= FEW else [problem.train, held]
        counts, dd = (vstack([_matrix(part, name, problem.n_terms) for part in parts]) for name in ("counts", "dd"))
        y = np.concatenate([part.y for part in parts])
        sample = sample_documents(y) if y.size >= LEAST else None
        rows = np.arange(y.size) if sample is None else sample.rows
        self._counts, self._dd = csr_array(counts)[rows], csr_array(dd)[rows]
        self._row_of = np.repeat(np.arange(rows.size), np.diff(self._dd.indptr))
        self._target = centred_gram(y[rows].astype(np.float32)[:, None]) if sample is not None else None

    def __call__(self, weights, parameters, learns_dd: bool) -> float:
        """Of weights, shape (F,), and of a network that has learned its own dd."""
        if self._target is None:
            return 0.0
        dd = learned_dd(parameters, self._counts.data) if learns_dd else self._dd.data
        values = dd * np.asarray(weights, dtype=float)[self._dd.indices]
        length = np.sqrt(np.bincount(self._row_of, values**2, minlength=self._dd.shape[0]))[self._row_of]
        values = np.divide(values, length, out=np.zeros_like(values), where=length > 0)
        vectors = csr_array((values, self._dd.indices, self._dd.indptr), shape=self._dd.shape)
        return float(centred_gram(vectors) @ self._target)


def _matrix(documents, name: str, n_terms: int) -> csr_array:
    values = getattr(documents, name)
    return csr_array((values, documents.terms, documents.starts), shape=(len(documents), n_terms))

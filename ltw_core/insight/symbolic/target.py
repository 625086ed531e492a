"""What a formula is to resemble: a weighting's values at the places of a class's terms, and its documents.

Two measures. The fit is the squared cosine of the best proportional fit over the terms. The square of a term's weight
counts half by the shares tpr + fpr of documents that hold it, and half by what it contributes to their lengths: Σ
dd²/‖d‖², where d is the document under the weighting, those of the class and the others in equal parts. It is fast, and
drives the search. The likeness is the alignment of what both do to a sample of documents (``insight.alignment``): it is
what the front is drawn in. Both are free of sign and scale, as a weighting before L2 normalisation is.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from ltw_core.tasks import TermStatistics
from ltw_core.weighting.gram import centred_gram, sample_documents
from ltw_core.weighting.learned.problem import log_frequency


@dataclass(frozen=True, eq=False)
class Target:
    """A weighting to be put into a formula.

    Attributes
    ----------
    cd : ndarray, shape (terms,)
        In canonical form.
    statistics : TermStatistics
    documents : sparse, shape (sampled documents, terms), or None
        Counts of a sample of the class's training documents; without them likeness is the root of the fit.
    counted : ndarray, shape (terms,), or None
        Σ dd²/‖d‖² of each term, see above.
    """

    cd: np.ndarray
    statistics: TermStatistics
    documents: sparse.csr_array | None = None
    counted: np.ndarray | None = None

    @classmethod
    def of(cls, cd, task, *, size: int = 500, seed: int = 0) -> "Target":
        """The target of a weighting on a task's terms, with a sample of its training documents."""
        cd, counts = np.asarray(cd, dtype=float), sparse.csr_array(task.counts_train)
        sample = sample_documents(task.y_train, size=size, positives=size // 5, seed=seed)
        return cls(cd, task.statistics, counts[sample.rows], _counted(cd, counts, np.asarray(task.y_train, dtype=bool)))

    @cached_property
    def _places(self) -> tuple[np.ndarray, ...]:
        found = self.statistics
        pairs, place, count = np.unique(
            np.column_stack([found.tp, found.fp]), axis=0, return_inverse=True, return_counts=True
        )
        mean = np.bincount(place.ravel(), self.cd) / count
        parts = [found.tpr + found.fpr, *([] if self.counted is None else [self.counted])]
        parts = [np.bincount(place.ravel(), part) for part in parts]
        weight = sum(part / ((part @ mean**2) or 1.0) for part in parts)
        return pairs[:, 0].astype(float), pairs[:, 1].astype(float), mean, weight

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """The variables of a formula at the distinct places of the terms, each of shape (places,)."""
        tp, fp, *_ = self._places
        found = self.statistics
        n, positives = float(found.n_documents), float(found.n_positives)
        return {
            "tpr": tp / max(positives, 1),
            "fpr": fp / max(n - positives, 1),
            "tp": tp,
            "fp": fp,
            "df": tp + fp,
            "without": n - tp - fp,
            "N": np.full(tp.shape, n),
        }

    def values(self, function) -> np.ndarray:
        """A cd function, ``f(tpr, fpr, p, N)``, at the distinct places."""
        found = self.statistics
        return function(self.columns["tpr"], self.columns["fpr"], found.prevalence, found.n_documents)

    def fit(self, values: np.ndarray) -> float:
        """Squared cosine of values at the distinct places with the weighting, in [0, 1]; 0 for what is not finite."""
        *_, mean, weight = self._places
        weighed = weight * values
        square = weighed @ values
        if not np.isfinite(square) or square <= 0:
            return 0.0
        found = (weighed @ mean) ** 2 / (square * self._length)
        return float(found) if np.isfinite(found) else 0.0

    def residual(self, values: np.ndarray) -> np.ndarray:
        """What the best proportional fit leaves, at unit length of the weighting: its square sums to 1 - fit."""
        *_, mean, weight = self._places
        root = np.sqrt(weight / self._length)
        square = (weight * values) @ values
        if not np.isfinite(square) or square <= 0:
            return root * mean
        return root * (mean - values * ((weight * values) @ mean / square))

    def sign(self, values: np.ndarray) -> float:
        """The sign of the best proportional fit: -1 for what is upside down."""
        *_, mean, weight = self._places
        return -1.0 if (weight * values) @ mean < 0 else 1.0

    @cached_property
    def _length(self) -> float:
        *_, mean, weight = self._places
        return float((weight * mean) @ mean) or 1.0

    @cached_property
    def _dd(self) -> np.ndarray:
        return log_frequency(self.documents)

    @cached_property
    def _gram(self) -> np.ndarray:
        return self._gram_of(self.cd)

    def _gram_of(self, cd: np.ndarray) -> np.ndarray:
        data, _ = _at_unit_length(self._dd * cd[self.documents.indices], self.documents)
        parts = data, self.documents.indices, self.documents.indptr
        return centred_gram(sparse.csr_array(parts, self.documents.shape))

    def likeness(self, function) -> float:
        """Alignment of a cd function with the weighting on the documents; the root of the fit without documents.

        Parameters
        ----------
        function : callable
            ``f(tpr, fpr, p, N)``, as those of ``CD``.
        """
        found = self.statistics
        if self.documents is None:
            return float(np.sqrt(self.fit(np.asarray(self.values(function), dtype=float))))
        values = np.asarray(function(found.tpr, found.fpr, found.prevalence, found.n_documents), dtype=float)
        values = np.broadcast_to(values, found.tpr.shape)
        scale = float(np.abs(values).max()) or 1.0
        return float(self._gram @ self._gram_of(values / scale))


def _at_unit_length(data: np.ndarray, counts: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Entries of documents that are brought to unit length, and what each was multiplied with."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    length = np.sqrt(np.bincount(rows, data**2, minlength=counts.shape[0]))
    factor = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)[rows]
    return data * factor, factor


def _counted(cd: np.ndarray, counts: sparse.csr_array, y: np.ndarray) -> np.ndarray:
    """Σ dd²/‖d‖² of each term over the documents of the class and over the others, each part's mean, shape (terms,)."""
    dd = log_frequency(counts)
    _, factor = _at_unit_length(dd * cd[counts.indices], counts)
    of_class = np.repeat(y, np.diff(counts.indptr))
    entries = (dd * factor) ** 2
    parts = [(of_class, max(1, y.sum())), (~of_class, max(1, (~y).sum()))]
    return sum(np.bincount(counts.indices[m], entries[m], minlength=cd.size) / n for m, n in parts)

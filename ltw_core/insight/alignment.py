"""How alike two weightings are: alignment of what they do to documents, free of sign and scale.

Two weightings are the same to a linear classifier when they give documents the same inner products. So the Gram
matrices of a sample of documents are compared, centred, as vectors: centred kernel alignment (CKA), 1 where they agree
up to a factor. ``centred_gram`` gives the unbiased form, in which unrelated weightings have 0 on average; with it,
alignment is a cosine, so that weightings are points whose distances a map can show. The Gram matrix of the labels
themselves takes part too: alignment with the class says how well a weighting separates it without any classifier.

Leaves out weights and ranks of terms (``similarity``), and which documents a classifier decides alike (``evaluation``).

References
----------
N. Cristianini et al.: On kernel-target alignment. NIPS 2001. C. Cortes, M. Mohri, A. Rostamizadeh: Algorithms for
learning kernels based on centered alignment. JMLR 13, 2012. L. Song et al.: Feature selection via dependence
maximization. JMLR 13, 2012 (the unbiased estimator, its equation 5).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ltw_core.weighting.gram import DocumentSample, centred_gram, target_alignments


def alignment(one, other) -> float:
    """Unbiased centred kernel alignment of two weightings of the same documents.

    Parameters
    ----------
    one, other : sparse or ndarray, shape (documents, …)

    Returns
    -------
    float
        1: the same up to sign and scale. About 0: unrelated; less by chance. 0 where one tells no documents apart.
    """
    if one.shape[0] != other.shape[0]:
        raise ValueError(f"alignment is of the same documents, not of {one.shape[0]:,} and {other.shape[0]:,}")
    return float(centred_gram(one) @ centred_gram(other))


@dataclass(frozen=True, eq=False)
class Alignments:
    """Alignment of several weightings of the same documents.

    Attributes
    ----------
    names : tuple of str
    between : ndarray, shape (weightings, weightings)
        Symmetric, in [-1, 1], with 1 on the diagonal.
    with_class : ndarray, shape (weightings,)
        With the class: alignment with documents that are alike where both are of the class.
    sample : DocumentSample
    """

    names: tuple[str, ...]
    between: np.ndarray
    with_class: np.ndarray
    sample: DocumentSample

    def of(self, one: str, other: str) -> float:
        """Alignment of two of them by name."""
        return float(self.between[self.names.index(one), self.names.index(other)])

    def positions(self) -> np.ndarray:
        """A map: two coordinates a weighting, by classical multidimensional scaling, shape (weightings, 2).

        The distance of two is that of points on a sphere whose cosine their alignment is, √(2 - 2·alignment); what is
        near each other is alike. Two dimensions hold part of it, see ``explained``.
        """
        return self._scaled()[0]

    def explained(self) -> float:
        """Share of the squared distances that the map's two dimensions hold."""
        return self._scaled()[1]

    def _scaled(self) -> tuple[np.ndarray, float]:
        from sklearn.manifold import ClassicalMDS

        n = len(self.names)
        distance = np.sqrt(2 - 2 * self.between)
        if not distance.any():  # of one, or of several that are alike
            return np.zeros((n, 2)), 1.0
        found = ClassicalMDS(2, metric="precomputed").fit(distance)
        total = np.square(distance).sum() / (2 * n)  # the trace of the centred Gram matrix of the points
        return found.embedding_, min(float(found.eigenvalues_.sum() / total), 1.0)


def alignments(weighted: Mapping[str, object], sample: DocumentSample) -> Alignments:
    """Alignment of each weighting with each other one, and with the class.

    Parameters
    ----------
    weighted : mapping of str to sparse or ndarray, shape (sampled documents, …)
        The sample's documents under each weighting.
    sample : DocumentSample
    """
    return aligned_grams({name: _gram_of(name, vectors, sample) for name, vectors in weighted.items()}, sample)


def aligned_grams(by_name: Mapping[str, np.ndarray], sample: DocumentSample) -> Alignments:
    """The same from centred Gram matrices that were kept, of shape (entries,) each."""
    names, grams = tuple(by_name), np.array(list(by_name.values()))
    between = np.clip(grams @ grams.T, -1, 1).astype(float) if names else np.zeros((0, 0))
    np.fill_diagonal(between, 1.0)
    return Alignments(names, between, target_alignments(grams, sample.y), sample)


def _gram_of(name: str, vectors, sample: DocumentSample) -> np.ndarray:
    if vectors.shape[0] != sample.rows.size:
        raise ValueError(
            f"{name} weights {vectors.shape[0]:,} documents, and the sample has {sample.rows.size:,}: give it the "
            "sample's rows"
        )
    return centred_gram(vectors)

"""Documents' inner products under a weighting, centred without bias, and how well they agree with the class.

Two weightings are the same to a linear classifier when they give documents the same inner products; they are compared
so (``insight.alignment``), and a training run may stop by how well its documents agree with the labels.

References
----------
N. Cristianini et al.: On kernel-target alignment. NIPS 2001. L. Song et al.: Feature selection via dependence
maximization. JMLR 13, 2012 (the unbiased estimator, its equation 5).
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import sparse

SIZE = 750  # documents of a sample
POSITIVES = 150  # of them of the class, where it has so many
LEAST = 4  # documents: the unbiased estimator divides by n - 3


@dataclass(frozen=True, eq=False)
class DocumentSample:
    """Documents on which weightings are compared.

    Attributes
    ----------
    rows : ndarray of int, shape (documents,)
        Ascending.
    y : ndarray of bool, shape (documents,)
    of : int
        Documents that it was drawn from.
    seed : int
    """

    rows: np.ndarray
    y: np.ndarray
    of: int
    seed: int

    def __str__(self) -> str:
        """What it is, in words."""
        every = f"all {self.of:,}" if self.rows.size == self.of else f"{self.rows.size:,} of {self.of:,}"
        drawn = "" if self.rows.size == self.of else f", drawn with seed {self.seed}"
        return f"{every} training documents, {int(self.y.sum()):,} of them of the class{drawn}"


def sample_documents(y, *, size: int = SIZE, positives: int = POSITIVES, seed: int = 0) -> DocumentSample:
    """Draw documents to compare weightings on, in fixed shares of the class and of others.

    Of a rare class as many as there are; in their place come others.

    Parameters
    ----------
    y : array_like of bool, shape (documents,)
    size, positives : int
        Most documents, and most of the class among them; of a class of nearly all documents more, to fill the sample.
    seed : int

    Raises
    ------
    ValueError
        There are fewer than 4 documents.
    """
    y = np.asarray(y, dtype=bool)
    if y.size < LEAST or size < LEAST:
        raise ValueError(f"alignment needs at least {LEAST} documents, not {min(y.size, size)}")
    rng, size = np.random.default_rng(seed), min(size, y.size)
    inside, outside = np.flatnonzero(y), np.flatnonzero(~y)
    taken = max(min(positives, inside.size), size - outside.size)
    rows = [rng.choice(inside, taken, replace=False), rng.choice(outside, size - taken, replace=False)]
    rows = np.sort(np.concatenate(rows))
    return DocumentSample(rows, y[rows], y.size, seed)


def centred_gram(vectors) -> np.ndarray:
    """The documents' inner products, centred without bias and brought to unit length.

    Parameters
    ----------
    vectors : sparse or ndarray, shape (documents, dimensions)
        At least 4 documents.

    Returns
    -------
    ndarray of float32, shape (documents · (documents - 1) / 2,)
        The upper triangle; the diagonal takes no part. The dot product of two is their unbiased alignment. All zero
        where all documents are as like each other as any.
    """
    if vectors.shape[0] < LEAST:
        raise ValueError(f"alignment needs at least {LEAST} documents, not {vectors.shape[0]}")
    if sparse.issparse(vectors):
        vectors = sparse.csr_array(vectors, dtype=np.float32)
        gram = (vectors @ vectors.T).toarray()
    else:
        vectors = np.asarray(vectors, dtype=np.float32)
        gram = vectors @ vectors.T
    n = len(gram)
    np.fill_diagonal(gram, 0)
    rows = gram.sum(axis=1, dtype=np.float64)
    each = (rows / (n - 2)).astype(np.float32)
    gram -= each[:, None]
    gram -= each
    gram += np.float32(rows.sum() / ((n - 1) * (n - 2)))
    upper = gram[_upper(n)]
    length = float(np.sqrt(np.square(upper, dtype=np.float64).sum()))
    tiny = 1e-5 * float(np.abs(rows).max(initial=0.0))  # what rounding leaves of nothing
    return upper / np.float32(length) if length > tiny else np.zeros_like(upper)


def target_alignments(grams: np.ndarray, y) -> np.ndarray:
    """Alignment with the class of weightings given by ``centred_gram``, shape (weightings,)."""
    grams = np.asarray(grams, dtype=np.float32)
    if not len(grams):
        return np.zeros(0)
    return (grams @ centred_gram(np.asarray(y, dtype=np.float32)[:, None])).astype(float)


@lru_cache(maxsize=2)
def _upper(n: int) -> np.ndarray:
    """Mask of the entries above the diagonal, shape (n, n)."""
    return np.triu(np.ones((n, n), dtype=bool), 1)

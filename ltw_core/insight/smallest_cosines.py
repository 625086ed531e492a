"""How much weightings agree on each document: where they do least, there is most to see."""

import numpy as np
from scipy import sparse


def smallest_cosines(vectors: list[sparse.csr_array]) -> np.ndarray:
    """How alike several weightings make each document: the smallest cosine of its vectors, shape (documents,).

    Parameters
    ----------
    vectors : list of sparse array, each of shape (documents, terms)
        The documents under each weighting, at any length.

    Returns
    -------
    ndarray
        The smallest cosine between any two of a document's vectors; 1 where one of them is empty, so that nothing
        is compared.
    """
    lengths = [np.sqrt(v.multiply(v).sum(axis=1)) for v in vectors]
    found = np.ones(vectors[0].shape[0])
    for k, one in enumerate(vectors):
        for j in range(k):
            size = lengths[k] * lengths[j]
            dot = np.asarray(one.multiply(vectors[j]).sum(axis=1))
            found = np.minimum(found, np.divide(dot, size, out=np.ones_like(size), where=size > 0))
    return found

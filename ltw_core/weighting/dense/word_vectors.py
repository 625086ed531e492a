"""Plain SGD on fastText's supervised model: one pass over the documents, one document at a time."""

import math
from typing import NamedTuple

import numpy as np

from ltw_core.compilation import compiled


class Documents(NamedTuple):
    """Labelled documents as CSR.

    Attributes
    ----------
    starts, terms : ndarray of int
    counts : ndarray of float32
    share : ndarray of float32, shape (documents,)
        1 / (occurrences in the document + 1); the one more is the end of the document.
    y : ndarray of float32, shape (documents,)
    """

    starts: np.ndarray
    terms: np.ndarray
    counts: np.ndarray
    share: np.ndarray
    y: np.ndarray


class Model(NamedTuple):
    """The vectors that are learned, all of float32.

    Attributes
    ----------
    vectors : ndarray, shape (terms + 1, dimensions)
        The last one ends every document.
    output : ndarray, shape (dimensions,)
    hidden, change : ndarray, shape (dimensions,)
        Room for what is computed in between.
    """

    vectors: np.ndarray
    output: np.ndarray
    hidden: np.ndarray
    change: np.ndarray


@compiled
def pass_over(documents, model, order, rate, decay):
    """One epoch; changes the ``Model`` in place.

    order : rows of the documents, in the order of the pass
    rate, decay : learning rate before the first document, and what each occurrence takes from it
    Returns (learning rate after the pass, sum of the losses).
    """
    starts, terms, counts, share, y = documents
    vectors, output, hidden, change = model
    kind = vectors.dtype.type
    size, end, loss = output.size, vectors.shape[0] - 1, 0.0
    for row in order:
        begin, stop, inverse = starts[row], starts[row + 1], share[row]
        for d in range(size):
            hidden[d] = vectors[end, d]
        for k in range(begin, stop):
            vector, count = vectors[terms[k]], counts[k]
            for d in range(size):
                hidden[d] += count * vector[d]
        z = kind(0)
        for d in range(size):
            hidden[d] *= inverse
            z += hidden[d] * output[d]
        tail = math.exp(-abs(z))
        probability = 1.0 / (1.0 + tail) if z >= 0 else tail / (1.0 + tail)
        loss += max(z, 0.0) - z * y[row] + math.log1p(tail)
        error = kind(rate * (y[row] - probability))
        # softmax over two outputs: the difference of their vectors moves by twice the gradient of each
        for d in range(size):
            change[d] = error * inverse * output[d]
            output[d] += 2 * error * hidden[d]
            vectors[end, d] += change[d]
        for k in range(begin, stop):
            vector, count = vectors[terms[k]], counts[k]
            for d in range(size):
                vector[d] += count * change[d]
        rate = max(rate - decay / inverse, 0.0)
    return rate, loss

"""The paper's demonstration on document length: a document and its doubled copy, weighted and normalised.

Under raw counts the two get one vector. Under 1 + log f they do not, although the copy says nothing new: the smaller
counts gain on the larger ones. Under log(1 + f/dl) they do again, since f/dl is the same in both.
"""

from typing import NamedTuple

import numpy as np

from ltw_core.weighting.formulas.lookup import dd_function


class DoubledDocument(NamedTuple):
    """Both documents under one dd, at unit length."""

    once: np.ndarray
    twice: np.ndarray
    cosine: float
    distance: float  # largest difference of a component, as a share of the largest component


def doubled_document(frequencies, dd: str, *, mean_length=None, **options) -> DoubledDocument:
    """Weight a document, and two copies of it joined.

    Parameters
    ----------
    frequencies : array-like of counts > 0, shape (terms of the document,)
    dd : str
        A key of ``DD``; ``options`` are the parameters of "bm25".
    mean_length : float, optional
        Of the collection, for BM25; the document's own without it.
    """
    frequency = np.asarray(frequencies, dtype=float)
    if frequency.ndim != 1 or not frequency.size or not (frequency > 0).all():
        raise ValueError("frequencies must be one or more counts above 0, one for each term of the document")
    function = dd_function(dd)
    length = frequency.sum()
    mean_length = length if mean_length is None else mean_length
    options = options if dd == "bm25" else {}
    once, twice = (np.asarray(function(k * frequency, k * length, mean_length, **options)) for k in (1, 2))
    lengths = [float(np.linalg.norm(v)) or 1.0 for v in (once, twice)]
    cosine = float(np.clip(once @ twice / (lengths[0] * lengths[1]), -1, 1))
    once, twice = once / lengths[0], twice / lengths[1]
    top = max(np.abs(once).max(), np.abs(twice).max()) or 1.0
    return DoubledDocument(once, twice, cosine, float(np.abs(once - twice).max() / top))

"""The difference of two weightings: what is left of one after the best multiple of the other is taken away.

A factor changes no normalised vector, so only the residual of the best proportional fit says where two functions
disagree. Leaves out an additive constant, which does change the vectors.
"""

from typing import NamedTuple

import numpy as np


class SurfaceDifference(NamedTuple):
    """``first`` minus ``factor`` times ``second``, on the surface and at the terms, in units of the first."""

    surface: np.ndarray
    weights: np.ndarray | None
    factor: float
    share: float  # of the first's square over the terms that the second does not explain: 1 - R²


def difference(first, second, first_weights=None, second_weights=None, document_frequency=None) -> SurfaceDifference:
    """Subtract one function from another.

    Parameters
    ----------
    first, second : array_like of one shape
        Values on a grid.
    first_weights, second_weights : array_like, shape (terms,), optional
        Values at the terms; the factor is fitted there. Without them it is fitted on the grid.
    document_frequency : array_like, shape (terms,), optional
        Weight of a term in the fit.
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if first.shape != second.shape:
        raise ValueError(f"the two functions have shapes {first.shape} and {second.shape}; they must be equal")
    at_terms = first_weights is not None and second_weights is not None and len(first_weights) > 0
    one = np.asarray(first_weights, dtype=float) if at_terms else first.ravel()
    other = np.asarray(second_weights, dtype=float) if at_terms else second.ravel()
    weight = np.ones(one.shape) if document_frequency is None or not at_terms else np.asarray(document_frequency, float)
    square = weight @ other**2
    factor = float(weight @ (one * other) / square) if square > 0 else 0.0
    total = weight @ one**2
    share = float(weight @ (one - factor * other) ** 2 / total) if total > 0 else 0.0
    return SurfaceDifference(first - factor * second, one - factor * other if at_terms else None, factor, share)

"""Constants of a formula, fitted by scipy's least squares."""

from collections.abc import Callable

import numpy as np

EVALUATIONS = 30
"""At most so many steps of Levenberg and Marquardt's kind (``scipy.optimize.least_squares``)."""


def polished(numbers, residual: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Numbers that make a sum of squares smaller; those that were given where none do.

    Parameters
    ----------
    numbers : array_like, shape (n,)
    residual : callable
        Of such numbers, shape (places,).
    """
    from scipy.optimize import least_squares

    start = np.asarray(numbers, dtype=float)
    if not start.size:
        return start
    before = float(np.square(residual(start)).sum())
    try:
        with np.errstate(all="ignore"):
            scale = np.maximum(np.abs(start), 1e-3)
            found = least_squares(residual, start, x_scale=scale, max_nfev=EVALUATIONS)
    except ValueError:  # a residual that is not finite
        return start
    return found.x if np.isfinite(found.x).all() and 2 * found.cost < before else start

"""Where the terms lie in the (fpr, tpr) plane, and how well a point of the plane is supported by them.

Over nine terms in ten sit in one corner of the unit square; elsewhere a learned surface is extrapolation. ``occupied``
gives the interval that holds nearly all terms, ``support`` a mask in [0, 1] on a grid. Both work in whatever coordinate
(linear, log, logit) the caller has put the rates in. Leaves out any statistical meaning: the mask is for the eye.
"""

import numpy as np
from scipy.spatial import cKDTree


def smallest_rate(n: float) -> float:
    """Half a document among ``n``: where a rate of 0 is put on an axis that has no 0."""
    return 0.5 / max(float(n), 1.0)


def occupied(values, quantile: float = 0.99) -> tuple[float, float]:
    """Interval from the least value to the given quantile; (0, 1) without any value."""
    values = np.asarray(values, dtype=float)
    if not 0 < quantile <= 1:
        raise ValueError(f"quantile must lie in (0, 1], got {quantile}")
    if values.size == 0:
        return 0.0, 1.0
    return float(values.min()), float(np.quantile(values, quantile))


def support(x, y, grid_x, grid_y, bandwidth: float = 0.07) -> np.ndarray:
    """How near a grid's points are to terms, from 0 (nothing there) to 1 (on or among terms).

    Parameters
    ----------
    x, y : array_like, shape (F,)
        Coordinates of the terms. Terms outside the grid count where they lie.
    grid_x, grid_y : array_like, shape (columns,), (rows,)
        The grid, increasing.
    bandwidth : float
        Standard deviation of a Gaussian about every term, as a fraction of each axis.

    Returns
    -------
    ndarray, shape (rows, columns)
        ``min(1, sum of the kernels)``; each kernel is 1 at its term.
    """
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    grid_x, grid_y = np.asarray(grid_x, dtype=float), np.asarray(grid_y, dtype=float)
    if bandwidth <= 0:
        raise ValueError(f"bandwidth must be positive, got {bandwidth}")
    across = _kernels(grid_x, x, bandwidth)
    along = _kernels(grid_y, y, bandwidth)
    return np.minimum(1.0, along @ across.T)


def near(x, y, grid_x, grid_y, distance: float = 0.03) -> np.ndarray:
    """Whether a grid's points have a term close by.

    Parameters
    ----------
    x, y, grid_x, grid_y
        As for ``support``.
    distance : float
        As far as the nearest term may be, as a fraction of the axes.

    Returns
    -------
    ndarray of bool, shape (rows, columns)
    """
    grid_x, grid_y = np.asarray(grid_x, dtype=float), np.asarray(grid_y, dtype=float)
    unit = np.array([grid_x[-1] - grid_x[0], grid_y[-1] - grid_y[0]])
    terms = np.stack([np.asarray(x, dtype=float), np.asarray(y, dtype=float)], axis=-1).reshape(-1, 2)
    if not len(terms):
        return np.zeros((grid_y.size, grid_x.size), dtype=bool)
    points = np.stack(np.meshgrid(grid_x, grid_y), axis=-1)
    return cKDTree(terms / unit).query(points / unit)[0] <= distance


def _kernels(grid: np.ndarray, values: np.ndarray, bandwidth: float) -> np.ndarray:
    width = bandwidth * (grid[-1] - grid[0])
    return np.exp(-0.5 * ((grid[:, None] - values[None, :]) / width) ** 2)

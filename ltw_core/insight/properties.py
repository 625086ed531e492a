"""What a weighting function does, checked point by point: what one expects of one, and where it is furthest from it.

Five statements about a surface over the (tpr, fpr) plane, each with the point where it fails most. They are properties
and no merits: χ² gives terms that speak against the class positive weight by design, and a plane is not symmetric.
Leaves out what lies between the points of the grid.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

NAMES = {
    "diagonal": "zero on the diagonal",
    "symmetric": "symmetric under (tpr, fpr) → (1 − tpr, 1 − fpr)",
    "tpr": "never falls as tpr grows",
    "fpr": "never rises as fpr grows",
    "negative": "not positive where tpr < fpr",
}


@dataclass(frozen=True)
class Property:
    """One statement about one surface.

    Attributes
    ----------
    key : str
        A key of ``NAMES``.
    holds : bool or None
        Whether the worst point is within the tolerance; None where no point could be checked.
    violation : float
        By how much the worst point misses, as a weight: 1 is typical of the canonical form.
    at : (tpr, fpr) or None
        The worst point.
    value : float
        The weight there.
    other : (tpr, fpr) or None
        The point it is compared with (the mirror, or the one that it should not be below or above).
    other_value : float
    share : float
        Share of the checked points that miss by more than the tolerance.
    checked : int
        Number of points.
    """

    key: str
    holds: bool | None
    violation: float
    at: tuple[float, float] | None
    value: float
    other: tuple[float, float] | None
    other_value: float
    share: float
    checked: int

    @property
    def name(self) -> str:
        return NAMES[self.key]


def properties(surface: Callable, tpr, fpr, mask=None, *, tolerance: float = 0.05) -> list[Property]:
    """Check a surface on a grid.

    Parameters
    ----------
    surface : callable
        ``f(tpr, fpr)`` → weights, arrays in and out, in canonical form.
    tpr, fpr : array_like, shape (rows,), (columns,)
        Rates of the grid, not falling.
    mask : array_like of bool, shape (rows, columns), optional
        Points that count (those where terms are); all of them without it. A mirror point may lie outside.
    tolerance : float
        What may be missed, in weights: 1 is typical. No share of the largest weight, beside which χ², whose largest
        may be a hundred times a typical one, would seem to have every property.

    Returns
    -------
    list of Property
        In the order of ``NAMES``.
    """
    tpr, fpr = np.asarray(tpr, dtype=float), np.asarray(fpr, dtype=float)
    if tolerance < 0:
        raise ValueError(f"tolerance must not be negative, got {tolerance}")
    if (np.diff(tpr) < 0).any() or (np.diff(fpr) < 0).any():
        raise ValueError("the rates of the grid must not fall")
    shape = (tpr.size, fpr.size)
    mask = np.ones(shape, dtype=bool) if mask is None else np.asarray(mask, dtype=bool)
    if mask.shape != shape:
        raise ValueError(f"mask has shape {mask.shape}, the grid has {shape}")
    rows, columns = np.meshgrid(tpr, fpr, indexing="ij")
    points = np.stack([rows, columns], axis=-1)
    z = _values(surface, points)
    checks = {
        "diagonal": _diagonal(surface, tpr, fpr, mask),
        "symmetric": _symmetric(surface, points[mask], z[mask]),
        "tpr": _never_falls(z, points, mask, axis=0),
        "fpr": _never_falls(-z, points, mask, axis=1).signed(-1),
        "negative": _not_positive(points[mask], z[mask]),
    }
    return [check.verdict(key, tolerance) for key, check in checks.items()]


@dataclass(frozen=True, eq=False)
class _Check:
    """By how much each point misses, where it is, its weight, and those of the point it is compared with."""

    miss: np.ndarray
    at: np.ndarray
    value: np.ndarray
    other: np.ndarray | None = None
    other_value: np.ndarray | None = None

    def signed(self, sign: int) -> "_Check":
        return _Check(self.miss, self.at, sign * self.value, self.other, sign * self.other_value)

    def verdict(self, key: str, tolerance: float) -> Property:
        if not self.miss.size:
            return Property(key, None, 0.0, None, 0.0, None, 0.0, 0.0, 0)
        worst = int(np.argmax(self.miss))
        compared = self.other is not None
        return Property(
            key=key,
            holds=bool(self.miss[worst] <= tolerance),
            violation=float(self.miss[worst]),
            at=_pair(self.at[worst]),
            value=float(self.value[worst]),
            other=_pair(self.other[worst]) if compared else None,
            other_value=float(self.other_value[worst]) if compared else 0.0,
            share=float((self.miss > tolerance).mean()),
            checked=int(self.miss.size),
        )


def _diagonal(surface, tpr, fpr, mask) -> _Check:
    """Both axes' rates, where the nearest point of the grid counts."""
    rate = np.union1d(tpr, fpr)
    rate = rate[(rate >= max(tpr[0], fpr[0])) & (rate <= min(tpr[-1], fpr[-1]))]
    rate = rate[mask[_nearest(tpr, rate), _nearest(fpr, rate)]]
    at = np.stack([rate, rate], axis=-1)
    value = _values(surface, at)
    return _Check(np.abs(value), at, value)


def _symmetric(surface, at, value) -> _Check:
    mirror = 1 - at
    other = _values(surface, mirror)
    return _Check(np.abs(value - other), at, value, mirror, other)


def _never_falls(z, points, mask, axis: int) -> _Check:
    """Every point against the highest one that counts before it along the axis."""
    known = np.where(mask, z, -np.inf)
    highest = np.maximum.accumulate(known, axis=axis)
    position = np.broadcast_to(np.expand_dims(np.arange(z.shape[axis]), 1 - axis), z.shape)
    source = np.maximum.accumulate(np.where(known >= highest, position, 0), axis=axis)
    before = np.take_along_axis(points, source[..., None], axis=axis)
    return _Check((highest - z)[mask], points[mask], z[mask], before[mask], highest[mask])


def _not_positive(at, value) -> _Check:
    against = at[:, 0] < at[:, 1]
    return _Check(np.maximum(value[against], 0.0), at[against], value[against])


def _values(surface, points) -> np.ndarray:
    value = np.asarray(surface(points[..., 0], points[..., 1]), dtype=float)
    return np.nan_to_num(np.broadcast_to(value, points.shape[:-1]), posinf=0, neginf=0)


def _nearest(grid, values) -> np.ndarray:
    return np.abs(grid[:, None] - values[None, :]).argmin(axis=0) if values.size else np.zeros(0, dtype=int)


def _pair(point) -> tuple[float, float]:
    return float(point[0]), float(point[1])

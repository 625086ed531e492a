"""A surface through a grid of heights, as a cd function: heights dragged by hand instead of a formula.

The grid has 5 × 5 knots. On the log scale they stand at rates of 0, .5, 3, 18 and 100 %, because nearly all terms lie
in the corner of rare terms; on the linear one at 0, 25, 50, 75 and 100 %. Between them a bicubic spline runs through
all heights, cut where it swings beyond the lowest and the highest. Leaves out the prevalence and N, which such a
function does not know.
"""

import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy  # its parts are imported when they are used

from ltw_core.weighting.cd import arguments
from ltw_core.weighting.function import Function

SIZE = 5
KNOTS = {"log": (0.0, 0.005, 0.03, 0.18, 1.0), "linear": (0.0, 0.25, 0.5, 0.75, 1.0)}
LIMIT = 1e6
_NAME = "heights("
_BEND = 1e-3  # the rate about which the log scale turns linear, so that it has a place for 0


@dataclass(frozen=True)
class Heights:
    """A surface over (tpr, fpr); call it like a cd function.

    Attributes
    ----------
    rows : tuple of tuple of float
        Heights at the knots; a row for each tpr from low to high, in it one height for each fpr from low to high.
    scale : {"log", "linear"}
    """

    rows: tuple[tuple[float, ...], ...]
    scale: str = "log"

    @cached_property
    def _spline(self) -> "scipy.interpolate.RectBivariateSpline":
        knots = _coordinate(np.array(KNOTS[self.scale]), self.scale)
        return scipy.interpolate.RectBivariateSpline(knots, knots, np.array(self.rows), kx=3, ky=3, s=0)

    def __call__(self, tpr, fpr, p, n):
        """Weights for broadcast arguments as in ``cd``."""
        tpr, fpr, _, _ = arguments(tpr, fpr, p, n)
        values = self._spline.ev(_coordinate(tpr, self.scale), _coordinate(fpr, self.scale))
        return np.clip(values, np.min(self.rows), np.max(self.rows))[()]


def spline(heights, scale: str = "log", symbol: str = "5 × 5") -> Function:
    """A surface through 5 × 5 heights as a cd function.

    Parameters
    ----------
    heights : array-like of float, shape (5, 5)
        Rows by tpr, columns by fpr, both from low to high; at most a million in magnitude.
    scale : {"log", "linear"}
        Where the knots stand, see ``KNOTS``.
    symbol : str
        How it is called in figures.

    Raises
    ------
    ValueError
        For another shape or scale, or a height that is not a finite number.
    """
    if scale not in KNOTS:
        raise ValueError(f"scale is {scale!r}; it must be one of {', '.join(KNOTS)}")
    try:
        grid = np.array(heights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"heights must be {SIZE} rows of {SIZE} numbers ({error})") from error
    if grid.shape != (SIZE, SIZE):
        raise ValueError(f"heights have the shape {grid.shape}; they must be {SIZE} rows of {SIZE} numbers")
    if not (np.abs(grid) <= LIMIT).all():  # written so that NaN fails too
        row, column = np.argwhere(~(np.abs(grid) <= LIMIT))[0]
        raise ValueError(
            f"the height in row {row + 1}, column {column + 1} is {grid[row, column]}; it must be a number of at most "
            f"{LIMIT:,.0f} in magnitude"
        )
    rows = tuple(tuple(float(value) for value in row) for row in grid)
    return Function(
        name=f"{_NAME}{scale}, {json.dumps(rows)})",
        compute=Heights(rows, scale),
        symbol=symbol,
        formula=f"a spline through {SIZE} × {SIZE} heights",
        latex=rf"\text{{spline through }} {SIZE}\times {SIZE} \text{{ heights}}",
        source="Drawn by the reader.",
        note="It knows tpr and fpr alone: it is the same at every prevalence.",
        signed=bool((grid < 0).any()),
        supervised=True,
    )


def heights_of(name: str) -> Function | None:
    """The surface that a ``Function.name`` of ``spline`` stands for; None if it is no such name."""
    if not (name.startswith(_NAME) and name.endswith(")")):
        return None
    scale, _, rows = name[len(_NAME) : -1].partition(", ")
    try:
        heights = json.loads(rows)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the heights in {name[:60]!r} can't be read ({error})") from error
    return spline(heights, scale)


def _coordinate(rate, scale: str) -> np.ndarray:
    """Rates as coordinates in [0, 1] in which the knots are about evenly spaced."""
    rate = np.asarray(rate, dtype=np.float64)
    return rate if scale == "linear" else np.log1p(rate / _BEND) / np.log1p(1 / _BEND)

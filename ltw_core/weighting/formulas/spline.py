"""A surface through a grid of heights, as a cd function: heights drawn by hand instead of a formula.

A grid has ``FINE`` × ``FINE`` knots, evenly spaced over four decades on the log scale, where nearly all terms are rare,
or over plain rates. Between them a bicubic spline runs through all heights, cut where it swings beyond the lowest and
the highest. Heights of the fine grid are whole multiples of 1/2,047 of the largest, so that a name can hold them all.
Grids of 5 × 5 knots, which earlier versions made, stay what they were: on the log scale at rates of 0, .5, 3, 18 and
100%, on the linear one at 0, 25, 50, 75 and 100%. Leaves out the prevalence and N, which such a function does not know.
"""

import base64
import binascii
import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy  # its parts are imported when they are used

from ltw_core.storage.file_schema import FileError, Many, Number, Rule, read_json, shown
from ltw_core.weighting.cd import arguments
from ltw_core.weighting.function import Function

SIZE, FINE = 5, 29  # knots a side: of earlier versions, and of what is sculpted
SCALES = ("log", "linear")
KNOTS = {"log": (0.0, 0.005, 0.03, 0.18, 1.0), "linear": (0.0, 0.25, 0.5, 0.75, 1.0)}  # of 5 × 5
LIMIT = 1e6
LEVELS = 2047  # heights of a fine grid are multiples of the largest over this: twelve bits with the sign
NAME_LIMIT = 2_000  # characters of a name; that of 25 heights of 17 digits has 700, that of a fine grid 1,720
_NAME, _SCULPTED = "heights(", "sculpted("
_BEND = {SIZE: 1e-3, FINE: 1e-4}  # the rate about which the log scale turns linear, so that it has a place for 0


class _Grid(Rule):
    """A list of as many lists of numbers as each of them has."""

    expected = f"a list of {FINE}, or {SIZE}, lists of as many numbers"
    composed = True

    def fits(self, value):
        return isinstance(value, list) and len(value) in (SIZE, FINE)

    def parts(self, value):
        row = Many(Number(-LIMIT, LIMIT), len(value), len(value))
        return ((f"value {place}", row, part) for place, part in enumerate(value, 1))


HEIGHTS = _Grid()


def knots(scale: str, size: int = FINE) -> np.ndarray:
    """Rates at which the heights of a grid stand, from 0 to 1; shape (size,)."""
    if size == SIZE:
        return np.array(KNOTS[scale])
    u = np.linspace(0, 1, size)
    bend = _BEND[size]
    return u if scale == "linear" else np.minimum(bend * np.expm1(u * np.log1p(1 / bend)), 1.0)


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
        size = len(self.rows)
        at = coordinate(knots(self.scale, size), self.scale, size)
        return scipy.interpolate.RectBivariateSpline(at, at, np.array(self.rows), kx=3, ky=3, s=0)

    def __call__(self, tpr, fpr, p, n):
        """Weights for broadcast arguments as in ``cd``."""
        tpr, fpr, _, _ = arguments(tpr, fpr, p, n)
        size = len(self.rows)
        values = self._spline.ev(coordinate(tpr, self.scale, size), coordinate(fpr, self.scale, size))
        return np.clip(values, np.min(self.rows), np.max(self.rows))[()]


def spline(heights, scale: str = "log", symbol: str = "Sculpted") -> Function:
    """A surface through 29 × 29 heights (or 5 × 5, as earlier versions had) as a cd function.

    Parameters
    ----------
    heights : array-like of float, shape (29, 29) or (5, 5)
        Rows by tpr, columns by fpr, both from low to high; at most a million in magnitude. Those of a fine grid are
        rounded to multiples of 1/2,047 of the largest magnitude.
    scale : {"log", "linear"}
        Where the knots stand, see ``knots``.
    symbol : str
        How it is called in figures.

    Raises
    ------
    ValueError
        For another shape or scale, or a height that is not a finite number.
    """
    if scale not in SCALES:
        raise ValueError(f"scale is {scale!r}; it must be one of {', '.join(SCALES)}")
    wanted = f"{FINE} rows of {FINE} numbers, or {SIZE} rows of {SIZE}"
    try:
        grid = np.array(heights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"heights must be {wanted} ({error})") from error
    if grid.shape not in ((SIZE, SIZE), (FINE, FINE)):
        raise ValueError(f"heights have the shape {grid.shape}; they must be {wanted}")
    if not (np.abs(grid) <= LIMIT).all():  # written so that NaN fails too
        row, column = np.argwhere(~(np.abs(grid) <= LIMIT))[0]
        raise ValueError(
            f"the height in row {row + 1}, column {column + 1} is {grid[row, column]}; it must be a number of at most "
            f"{LIMIT:,.0f} in magnitude"
        )
    size, top = len(grid), float(np.abs(grid).max())
    if size == FINE:
        top = float(f"{top:.6g}")  # so that what is read back from its name is the same to the last bit
        levels = np.clip(np.rint(grid / (top or 1.0) * LEVELS), -LEVELS, LEVELS)
        grid = levels * top / LEVELS
    rows = tuple(tuple(float(value) for value in row) for row in grid)
    if size == FINE:
        name = f"{_SCULPTED}{scale}, {top!r}, {_packed(levels)})"
    else:
        name = f"{_NAME}{scale}, {json.dumps(rows)})"
    return Function(
        name=name,
        compute=Heights(rows, scale),
        symbol=symbol,
        formula=f"a spline through {size} × {size} heights",
        latex=rf"\text{{spline through }} {size}\times {size} \text{{ heights}}",
        source="Drawn by the reader.",
        note="It knows tpr and fpr alone: it is the same at every prevalence.",
        signed=bool((grid < 0).any()),
        supervised=True,
    )


def sampled(surface, scale: str = "log", top: float | None = None) -> np.ndarray:
    """Heights of a surface at the knots of the fine grid: what one begins to sculpt with.

    Parameters
    ----------
    surface : callable
        ``surface(tpr, fpr)`` for arrays of shape (29, 29).
    scale : {"log", "linear"}
    top : float > 0, optional
        What becomes a height of 1, for instance the largest weight of a class's term: all beyond 1 is cut. The
        largest magnitude on the grid without it.

    Returns
    -------
    numpy.ndarray of shape (29, 29), in [-1, 1].
    """
    at = knots(scale)
    tpr, fpr = np.meshgrid(at, at, indexing="ij")
    values = np.nan_to_num(np.asarray(surface(tpr, fpr), dtype=float), nan=0.0)
    return np.clip(values / ((np.abs(values).max() if top is None else top) or 1.0), -1, 1)


def heights_of(name: str) -> Function | None:
    """The surface that a ``Function.name`` of ``spline`` stands for; None if it is no such name."""
    if not name.endswith(")"):
        return None
    if name.startswith(_SCULPTED):
        scale, _, rest = name[len(_SCULPTED) : -1].partition(", ")
        top, _, packed = rest.partition(", ")
        return spline(_unpacked(packed, name) * _top(top, name) / LEVELS, scale)
    if not name.startswith(_NAME):
        return None
    scale, _, rows = name[len(_NAME) : -1].partition(", ")
    heights = read_json(rows, f"the list of heights in {shown(name)}", NAME_LIMIT)
    HEIGHTS.check(heights, "the list of heights")
    return spline(heights, scale)


def _packed(levels: np.ndarray) -> str:
    """Heights from -2,047 to 2,047 as text: two of base64's characters each."""
    pairs = (levels.astype(np.int64).ravel() + LEVELS).tolist()
    pairs += [0] * (len(pairs) % 2)
    whole = b"".join((a << 12 | b).to_bytes(3, "big") for a, b in zip(pairs[::2], pairs[1::2], strict=True))
    return base64.b64encode(whole).decode("ascii")


def _unpacked(text: str, name: str) -> np.ndarray:
    try:
        whole = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        whole = b""
    count = FINE * FINE
    if len(whole) != (count + 1) // 2 * 3:
        raise FileError(f"{shown(name)} does not hold {FINE} × {FINE} heights")
    parts = (int.from_bytes(whole[k : k + 3], "big") for k in range(0, len(whole), 3))
    levels = [half - LEVELS for part in parts for half in (part >> 12, part & 0xFFF)]
    return np.array(levels[:count], dtype=float).reshape(FINE, FINE)


def _top(text: str, name: str) -> float:
    try:
        top = float(text)
    except ValueError:
        top = np.nan
    if not 0 <= top <= LIMIT:
        raise FileError(f"{shown(name)} has no number from 0 to {LIMIT:,.0f} where its largest height stands")
    return top


def coordinate(rate, scale: str, size: int = FINE) -> np.ndarray:
    """Rates as coordinates in [0, 1] in which the knots are about evenly spaced."""
    rate, bend = np.asarray(rate, dtype=np.float64), _BEND[size]
    return rate if scale == "linear" else np.log1p(rate / bend) / np.log1p(1 / bend)

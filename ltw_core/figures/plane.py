"""The (fpr, tpr) plane of a figure: its axes (linear, log or logit), its region, and a grid to compute surfaces on.

Axes are transformed here and not by plotly, because 3D scenes know no logit axis and because a rate of 0 needs a place
on a log axis: half a document. Surfaces are computed by the caller at ``grid.tpr`` and ``grid.fpr``.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ltw_core.insight.density import occupied, smallest_rate, support
from ltw_core.tasks import TermStatistics

SCALES = ("linear", "log", "logit")
REGIONS = ("terms", "square")
_LINE_SIZE = 120  # points of a grid for lines along each axis: on a coarser one they have corners
WIRES = 9  # lines of a surface each way
_LOG_TICKS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)
_LOGIT_TICKS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 0.5, 0.9, 0.99, 0.999, 0.9999)
_BETWEEN = (1, 2, 5)  # of each power of ten, where an axis of few terms is too short for powers alone
_FEW_TICKS = 3
_MANY_TERMS = 100
_SHORTEST = 1.0  # decades (of the rate, or of its odds) that a log or logit axis shows at least


def percent(rate: float) -> str:
    """A rate as a short percentage: 0, 0.1%, 12%, 100%."""
    return f"{100 * rate:.4g}%" if rate else "0"


@dataclass(frozen=True)
class Axis:
    """One rate's axis. ``low`` and ``high`` are rates; ``floor`` is where 0 is put on log and logit axes."""

    name: str
    scale: str
    floor: float
    low: float
    high: float

    def forward(self, rate) -> np.ndarray:
        """Coordinate of a rate."""
        rate = np.asarray(rate, dtype=float)
        if self.scale == "linear":
            return rate
        rate = np.clip(rate, self.floor, 1 if self.scale == "log" else 1 - self.floor)
        return np.log10(rate) if self.scale == "log" else np.log10(rate / (1 - rate))

    def inverse(self, coordinate) -> np.ndarray:
        """Rate at a coordinate; the floor stands for 0."""
        u = np.asarray(coordinate, dtype=float)
        if self.scale == "linear":
            return np.clip(u, 0, 1)
        rate = 10.0**u if self.scale == "log" else 1 / (1 + 10.0**-u)
        rate = np.where(rate <= self.floor * (1 + 1e-9), 0.0, rate)
        if self.scale == "logit":
            rate = np.where(rate >= 1 - self.floor * (1 + 1e-9), 1.0, rate)
        return np.clip(rate, 0, 1)

    def share(self, coordinate) -> np.ndarray:
        """How far along the axis a coordinate is, from 0 to 1."""
        low, high = self.limits
        return (coordinate - low) / (high - low)

    def running(self, coordinate, lines: bool = False) -> np.ndarray:
        """Rates that run on to 0 (on logit axes also to 1) where ``inverse`` leaps the last half document: no term
        lies between one document and none, and a surface that is drawn there has no step. ``lines``: at 0 they do not
        come to rest, or a line that ends there would turn twice."""
        rate = self.inverse(coordinate)
        if self.scale == "linear":
            return rate
        rate = np.where(rate < 2 * self.floor, self._to_nothing(rate, lines), rate)
        if self.scale == "logit":
            rate = np.where(1 - rate < 2 * self.floor, 1 - self._to_nothing(1 - rate, lines), rate)
        return rate

    def _to_nothing(self, rate: np.ndarray, lines: bool) -> np.ndarray:
        """From 0 at half a document to one document at one, where it is smooth on a log axis, and without ``lines``
        at 0, too."""
        t, slope = np.log2(np.clip(rate / self.floor, 1, 2)), np.log(2)
        return 2 * self.floor * t * (2 - slope - (1 - slope) * t if lines else t * (3 - slope - (2 - slope) * t))

    @property
    def limits(self) -> tuple[float, float]:
        """Coordinates of both ends. On log and logit axes ends at 0 or 1 get a margin: their strip."""
        low, high = (float(u) for u in self.forward([self.low, self.high]))
        margin = 0.025 * (high - low) * (self.scale != "linear")
        return low - margin * (self.low <= 0), high + margin * (self.high >= 1)

    def range(self) -> list[float]:
        """The limits with a little room on a linear axis; other scales have their margin already."""
        low, high = self.limits
        room = 0.012 * (high - low) if self.scale == "linear" else 0
        return [low - room, high + room]

    def inside(self, rate) -> np.ndarray:
        """Mask of rates that the axis shows."""
        low, high = self.limits
        u, slack = self.forward(rate), 1e-9 + 1e-6 * (high - low)
        return (u >= low - slack) & (u <= high + slack)

    def layout(self, title: str, apart: float = 0.0) -> dict:
        """An axis of a figure, in plotly.js's words; ticks at least such a share of the axis ``apart``."""
        values, texts = self.ticks(apart)
        return {"range": self.range(), "tickvals": values, "ticktext": texts, "title": {"text": title}}

    def ticks(self, apart: float = 0.0) -> tuple[list[float], list[str]]:
        """Coordinates and labels; of those less than a share of the axis ``apart``, powers of ten are kept."""
        if self.scale == "linear":
            step = nice_step((self.high - self.low) / 4)
            rates = np.arange(0, self.high + step * 1e-6, step)
            rates = rates[rates >= self.low - 1e-12]
        else:
            low, high = self.limits
            room = 0.1 * (high - low)
            seen = lambda rates: [r for r in rates if r > self.floor and low - 1e-9 <= self.forward(r) <= high + 1e-9]  # noqa: E731
            rates = seen(_LOG_TICKS if self.scale == "log" else _LOGIT_TICKS)
            if sum(self.low > self.floor or self.forward(r) > low + room for r in rates) < _FEW_TICKS:
                below = [m * power for power in _LOG_TICKS[:-1] for m in _BETWEEN]
                rates = seen([*below, 1.0] if self.scale == "log" else _around_a_half(below))
            if self.low <= self.floor:
                rates = [0.0, *(r for r in rates if self.forward(r) > low + room)]
            if self.scale == "logit" and self.high >= 1 - self.floor:
                rates = [*(r for r in rates if self.forward(r) < high - room), 1.0]
        at = [float(v) for v in self.forward(rates)]
        if apart:
            places = _apart(rates, at, apart * np.ptp(self.limits))
            rates, at = [rates[k] for k in places], [at[k] for k in places]
        return at, [percent(r) for r in rates]


def _apart(rates, at: list[float], least: float) -> list[int]:
    """Which of ascending rates stay so that their coordinates are that far apart: 0 and powers of ten come first."""
    minor = [rate > 0 and not np.isclose(np.log10(rate) % 1, [0, 1]).any() for rate in rates]
    kept: list[int] = []
    for k in sorted(range(len(at)), key=lambda k: (minor[k], k)):
        if all(abs(at[k] - at[other]) >= least for other in kept):
            kept.append(k)
    return sorted(kept)


@dataclass(frozen=True, eq=False)
class Grid:
    """A region of the plane with a grid on it; arrays are rows (tpr) × columns (fpr)."""

    x: Axis
    y: Axis
    grid_x: np.ndarray
    grid_y: np.ndarray
    fpr: np.ndarray
    tpr: np.ndarray
    support: np.ndarray
    region: str
    scale: str

    def inside(self, tpr, fpr) -> np.ndarray:
        """Mask of terms that lie in the region."""
        return self.x.inside(fpr) & self.y.inside(tpr)

    def diagonal(self) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates of the line tpr = fpr, where a term says nothing about the class."""
        rate = self.x.inverse(np.linspace(*self.x.limits, 64))
        positive = (rate > max(self.x.floor, self.y.floor)) | (self.scale == "linear")
        rate = rate[self.y.inside(rate) & positive]
        return self.x.forward(rate), self.y.forward(rate)

    def at(self, surface: np.ndarray, tpr, fpr) -> np.ndarray:
        """Bilinear reading of an array on the grid, at any rates (clipped to the region)."""
        u = np.interp(self.x.forward(fpr), self.grid_x, np.arange(len(self.grid_x)))
        v = np.interp(self.y.forward(tpr), self.grid_y, np.arange(len(self.grid_y)))
        i, j = np.minimum(u.astype(int), len(self.grid_x) - 2), np.minimum(v.astype(int), len(self.grid_y) - 2)
        a, b = u - i, v - j
        below = (1 - a) * surface[j, i] + a * surface[j, i + 1]
        above = (1 - a) * surface[j + 1, i] + a * surface[j + 1, i + 1]
        return (1 - b) * below + b * above


def surface_grid(
    tpr=None,
    fpr=None,
    p: float = 0.1,
    n: float = 10_000,
    *,
    region: str = "terms",
    scale: str = "log",
    size: int = 48,
    lines: bool = False,
) -> Grid:
    """Grid for surfaces over a class's terms, or over the whole square.

    Parameters
    ----------
    tpr, fpr : array_like, shape (F,), optional
        Rates of the class's terms. Without them the region is the square and all of it counts as supported.
    p, n : float
        Prevalence and number of documents: they set where a rate of 0 lies on log and logit axes.
    region : {"terms", "square"}
        Where the terms are, or the whole unit square.
    scale : {"linear", "log", "logit"}
    size : int
        Points along each axis.
    lines : bool
        For lines of equal weight: of ``_LINE_SIZE`` points, from where rates of 0 lie and not from the strip before.

    Returns
    -------
    Grid
        At rates that run on to 0 (``Axis.running``), so that no surface has a step there.
    """
    if scale not in SCALES:
        raise ValueError(f"scale must be one of {', '.join(SCALES)}, got {scale!r}")
    if region not in REGIONS:
        raise ValueError(f"region must be one of {', '.join(REGIONS)}, got {region!r}")
    if size < 2:
        raise ValueError(f"size must be at least 2, got {size}")
    has_terms = tpr is not None and fpr is not None and len(tpr) > 0
    rates = tuple(np.asarray(rate, dtype=float).tobytes() for rate in (tpr, fpr)) if has_terms else None
    return _grid(rates, p, n, region, scale, _LINE_SIZE if lines else size, lines)


def term_grid(terms: TermStatistics, **options) -> Grid:
    """``surface_grid`` of a class's terms."""
    return surface_grid(terms.tpr, terms.fpr, terms.prevalence, terms.n_documents, **options)


@lru_cache(maxsize=32)
def _grid(
    rates: tuple[bytes, bytes] | None, p: float, n: float, region: str, scale: str, size: int, lines: bool
) -> Grid:
    """Kept, as the same terms are drawn again and again, and where they lie takes milliseconds; not writable."""
    has_terms = rates is not None
    tpr, fpr = (np.frombuffer(rate) for rate in rates) if has_terms else (None, None)
    x = _axis("fpr", fpr, smallest_rate(n * (1 - p)), region, scale)
    y = _axis("tpr", tpr, smallest_rate(n * p), region, scale)
    ends = [axis.forward([axis.low, axis.high]) if lines else axis.limits for axis in (x, y)]
    grid_x, grid_y = (np.linspace(*of, size) for of in ends)
    mesh_x, mesh_y = np.meshgrid(grid_x, grid_y)
    mask = support(x.forward(fpr), y.forward(tpr), grid_x, grid_y) if has_terms else np.ones_like(mesh_x)
    arrays = (grid_x, grid_y, x.running(mesh_x, lines), y.running(mesh_y, lines), mask)
    for array in arrays:
        array.flags.writeable = False
    return Grid(x, y, *arrays, region, scale)


def _axis(name: str, rates, floor: float, region: str, scale: str) -> Axis:
    floor = min(floor, 0.02)  # a class of three positives still gets a log axis
    if region == "square" or rates is None:
        return Axis(name, scale, floor, 0.0, 1.0)
    # on a linear axis a handful of many terms, far out, would squeeze all others together again
    low, high = occupied(rates, 0.985 if scale == "linear" and len(rates) >= _MANY_TERMS else 1.0)
    if scale == "linear":
        return Axis(name, scale, floor, 0.0, min(1.0, max(high * 1.04, floor * 8)))
    probe = Axis(name, scale, floor, low, high)
    start, end = probe.limits
    pad = max(0.03 * (end - start), 0.05, (_SHORTEST - (end - start)) / 2)
    low, high = probe.inverse([start - pad, end + pad])  # 0 where no term is so low
    return Axis(name, scale, floor, float(low), float(high))


def _around_a_half(rates: list[float]) -> list[float]:
    """Rates up to a half, and as many on its other side."""
    return sorted({*rates, *(1 - rate for rate in rates)})


def nice_step(step: float) -> float:
    """The nearest of 1, 2, 2.5, 5 × a power of ten, from below or above."""
    power = 10.0 ** np.floor(np.log10(step))
    return float(power * min((1, 2, 2.5, 5, 10), key=lambda m: abs(np.log(m * power / step))))


def evenly(along: np.ndarray) -> dict[str, float]:
    """Where lines cross an axis, the edges of the surface included, in plotly.js's words."""
    low, high = float(along[0]), float(along[-1])
    inset = 1e-3 * (high - low)
    return {"start": low + inset, "end": high, "size": (high - low - 2 * inset) / (WIRES - 1)}

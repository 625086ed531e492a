"""One height and colour scale for all panels of a figure."""

from dataclasses import dataclass

import numpy as np

from ltw_core.figures import palette
from ltw_core.figures.plane import Grid, nice_step
from ltw_core.figures.plane_view import PlaneView, SurfacePanel
from ltw_core.tasks import TermStatistics

HEIGHTS = ("auto", "rms", "peak", "raw")


@dataclass(frozen=True, eq=False)
class Heights:
    """All panels in one unit: surfaces and term weights cut to [low, high], and the colour scale they share.

    ``peaks``: what each panel was divided by.
    """

    z: list[np.ndarray | None]
    weights: list[np.ndarray | None]
    low: float
    high: float
    colours: list[str]
    cmin: float
    cmax: float
    unit: str
    cut: bool
    peaks: list[float]

    @property
    def told(self) -> str:
        """The unit behind a number: " (largest in view = 1)"."""
        return self.unit.removeprefix("weight")

    @property
    def ends(self) -> dict[str, list[float]]:
        """Ticks of the colour bar where each panel's largest weight is 1: round ones may miss where weights end."""
        if set(self.peaks) == {1.0}:
            return {}
        low, high = float(np.ceil(10 * self.low) / 10), float(np.floor(10 * self.high) / 10)
        clear = 0.15 * (high - low)  # apart, or numbers would run into each other
        halves = [v for v in (-0.5, 0.5) if low + clear < v < high - clear]
        return {"tickvals": sorted({0.0, *halves, *(v for v in (low, high) if abs(v) > clear)})}

    @property
    def levels(self) -> dict[str, float]:
        """Heights of the lines of equal weight, in plotly.js's words."""
        step = nice_step((self.high - self.low) / 9)
        return {"start": np.ceil(self.low / step) * step + step, "end": self.high - step / 2, "size": step}


def common_heights(panels: list[SurfacePanel], grid: Grid, terms: TermStatistics | None, view: PlaneView) -> Heights:
    """Bring panels to one height scale, which runs over ``view.limits`` if they are given; by ``view.heights``:

    ``rms``: as given, in canonical form (the mean square over the terms is 1), so that heights compare too;
    ``peak``: every panel by its own largest weight in view, which compares shapes;
    ``raw``: as given, uncut; ``auto``: ``peak`` for several panels, ``rms`` for one.
    Where the region is that of the terms, "in view" means at a term, and surfaces are cut a little above the strongest.
    """
    heights = view.heights
    if heights not in HEIGHTS:
        raise ValueError(f"heights must be one of {', '.join(HEIGHTS)}, got {heights!r}")
    if not panels:
        raise ValueError("there is nothing to draw: give at least one panel")
    has_terms = terms is not None and len(terms) > 0
    if heights == "auto":
        heights = "peak" if len(panels) > 1 else "rms"
    inside = grid.inside(terms.tpr, terms.fpr) if has_terms else None
    surfaces, weights, peaks = [], [], []
    for panel in panels:
        z = None if panel.z is None else np.nan_to_num(np.asarray(panel.z, dtype=float), posinf=0, neginf=0)
        if z is not None and z.shape != grid.tpr.shape:
            raise ValueError(f"panel {panel.name}: z has shape {z.shape}, the grid has {grid.tpr.shape}")
        w = None
        if has_terms:
            w = panel.weights
            w = grid.at(z, terms.tpr, terms.fpr) if w is None and z is not None else w
            w = None if w is None else np.nan_to_num(np.asarray(w, dtype=float))
        peaks.append(_peak(z, w, inside, grid.region == "terms") if heights == "peak" else 1.0)
        z, w = (None if a is None else a / peaks[-1] for a in (z, w))
        surfaces.append(z)
        weights.append(w)
    only_terms = grid.region == "terms" and heights != "raw"
    low, high = view.limits or _limits(surfaces, weights, inside, only_terms=only_terms)
    low, high = min(low, view.at_least[0]), max(high, view.at_least[1])
    cut = any(z is not None and (z.min() < low or z.max() > high) for z in surfaces)
    colours, cmin, cmax = palette.scale_for(low, high, view.base)
    unit = {"rms": "weight (typical = 1)", "peak": "weight (largest in view = 1)", "raw": "weight"}[heights]
    clip = lambda a: None if a is None else np.clip(a, low, high)  # noqa: E731
    heights = [clip(z) for z in surfaces], [clip(w) for w in weights]
    return Heights(*heights, low, high, colours, cmin, cmax, unit, cut, peaks)


def _peak(z, w, inside, only_terms: bool) -> float:
    if w is not None and inside is not None and inside.any() and (only_terms or z is None):
        peak = np.abs(w[inside]).max()
    else:
        peak = np.abs(z).max() if z is not None else 0.0
    return float(peak) if peak > 0 else 1.0


def _limits(surfaces, weights, inside, *, only_terms: bool) -> tuple[float, float]:
    values = [w[inside] for w in weights if w is not None and inside is not None and inside.any()]
    if not only_terms or not values:
        values += [z.ravel() for z in surfaces if z is not None]
    values = np.concatenate(values) if values else np.zeros(1)
    low, high = float(min(0, values.min())), float(max(0, values.max()))
    if high - low == 0:
        return 0.0, 1.0
    return 1.04 * low, 1.04 * high

"""What surfaces and contours have in common: the panels, their common height and colour scale, their captions."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plane import Grid

if TYPE_CHECKING:
    from ltw_core.tasks import TermStatistics

HEIGHTS = ("auto", "rms", "peak", "raw")


@dataclass(frozen=True, eq=False)
class SurfacePanel:
    """One function to draw.

    name : title of the panel ("χ²", "LTW-L-I").
    z : weights on the grid (rows tpr × columns fpr), or None for a weighting that has no surface (LTW-G).
    weights : one weight a term, in the same unit as ``z``, or None to read them off the surface.
    subtitle : a short second line (a formula, a resemblance).
    support : where its own terms lie, as ``Grid.support``; that of the grid without it.
    """

    name: str
    z: np.ndarray | None
    weights: np.ndarray | None = None
    subtitle: str = ""
    support: np.ndarray | None = None

    def grid(self, grid: Grid) -> Grid:
        """The grid with this panel's support."""
        return grid if self.support is None else replace(grid, support=self.support)


@dataclass(frozen=True, eq=False)
class Heights:
    """All panels in one unit: surfaces and term weights cut to [low, high], and the colour scale they share."""

    z: list[np.ndarray | None]
    weights: list[np.ndarray | None]
    low: float
    high: float
    colours: list[str]
    cmin: float
    cmax: float
    unit: str
    cut: bool


def common_heights(
    panels: list[SurfacePanel],
    grid: Grid,
    terms: "TermStatistics | None",
    heights: str,
    base: str,
    limits: tuple[float, float] | None = None,
) -> Heights:
    """Bring panels to one height scale, which runs over ``limits`` if they are given.

    ``rms``: as given, in canonical form (RMS over terms = 1), so that heights compare too;
    ``peak``: every panel by its own largest weight in view, which compares shapes;
    ``raw``: as given, uncut; ``auto``: ``peak`` for several panels, ``rms`` for one.
    Where the region is that of the terms, "in view" means at a term, and surfaces are cut a little above the strongest.
    """
    if heights not in HEIGHTS:
        raise ValueError(f"heights must be one of {', '.join(HEIGHTS)}, got {heights!r}")
    if not panels:
        raise ValueError("there is nothing to draw: give at least one panel")
    has_terms = terms is not None and len(terms) > 0
    if heights == "auto":
        heights = "peak" if len(panels) > 1 else "rms"
    inside = grid.inside(terms.tpr, terms.fpr) if has_terms else None
    surfaces, weights = [], []
    for panel in panels:
        z = None if panel.z is None else np.nan_to_num(np.asarray(panel.z, dtype=float), posinf=0, neginf=0)
        if z is not None and z.shape != grid.tpr.shape:
            raise ValueError(f"panel {panel.name}: z has shape {z.shape}, the grid has {grid.tpr.shape}")
        w = None
        if has_terms:
            w = panel.weights
            w = grid.at(z, terms.tpr, terms.fpr) if w is None and z is not None else w
            w = None if w is None else np.nan_to_num(np.asarray(w, dtype=float))
        if heights == "peak":
            peak = _peak(z, w, inside, grid.region == "terms")
            z, w = (None if a is None else a / peak for a in (z, w))
        surfaces.append(z)
        weights.append(w)
    only_terms = grid.region == "terms" and heights != "raw"
    low, high = limits or _limits(surfaces, weights, inside, only_terms=only_terms)
    cut = any(z is not None and (z.min() < low or z.max() > high) for z in surfaces)
    colours, cmin, cmax = palette.scale_for(low, high, base)
    if colours is palette.VIRIDIS and any(z is None for z in surfaces):
        # points that lie on the page itself must not be as dark or as light as it
        colours = palette.VIRIDIS[3:] if base == "dark" else palette.VIRIDIS[:-2]
    unit = {"rms": "weight (RMS over terms = 1)", "peak": "weight (largest in view = 1)", "raw": "weight"}[heights]
    clip = lambda a: None if a is None else np.clip(a, low, high)  # noqa: E731
    return Heights([clip(z) for z in surfaces], [clip(w) for w in weights], low, high, colours, cmin, cmax, unit, cut)


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


def level_step(low: float, high: float, count: int = 9) -> float:
    """A round distance between contour lines."""
    span = (high - low) / count
    power = 10 ** np.floor(np.log10(span))
    return float(power * min((1, 2, 2.5, 5, 10), key=lambda m: abs(np.log(m * power / span))))


def positions(count: int, columns: int | None, *, top: float, bottom: float, gap_x: float, gap_y: float):
    """Domains of panels in rows, first row at the top: a list of ((x0, x1), (y0, y1))."""
    columns = min(columns or count, count)
    rows = -(-count // columns)
    width = (1 - gap_x * (columns - 1)) / columns
    height = (top - bottom - gap_y * (rows - 1)) / rows
    domains = []
    for index in range(count):
        row, column = divmod(index, columns)
        x0, y1 = column * (width + gap_x), top - row * (height + gap_y)
        domains.append(((x0, min(1, x0 + width)), (max(0, y1 - height), y1)))
    return domains


def on_narrow_page(count: int, columns: int | None) -> bool:
    """Whether so few columns of panels are meant for a page that has no room beside a heading."""
    return columns == 1 or (columns == 2 and count > 2)


def arrange(count: int, columns: int | None, hero: bool, **room):
    """``positions``, or with ``hero`` the first panel large at the left and the others in two columns beside it.

    Returns
    -------
    domains : list of ((x0, x1), (y0, y1))
    rows : int
    outer : list of (bool, bool)
        Whether a panel is the leftmost of its block, and the lowest of its column.
    """
    if not hero or count < 4:
        per_row = min(columns or count, count)
        outer = [(i % per_row == 0, i + per_row >= count) for i in range(count)]
        return positions(count, columns, **room), -(-count // per_row), outer
    others, rows = count - 1, -(-(count - 1) // 2)
    left = 0.49 - room["gap_x"]
    begin = left + 2.4 * room["gap_x"]
    block = positions(others, 2, **{**room, "gap_x": 2 * room["gap_x"]})
    beside = [(tuple(min(1.0, begin + (1 - begin) * x) for x in across), y) for across, y in block]
    outer = [(True, True)] + [(i % 2 == 0, i + 2 >= others) for i in range(others)]
    return [((0.0, left), (room["bottom"], room["top"])), *beside], rows, outer


def caption(panel: SurfacePanel, base: str) -> str:
    """Panel title with its subtitle."""
    i = theme.ink(base)
    text = f'<b style="color:{palette.colour(panel.name, base)}">■</b> <b>{theme.escape(panel.name)}</b>'
    if panel.subtitle:
        text += f'  <span style="color:{i.muted};font-size:{theme.SIZE["note"]}px">{panel.subtitle}</span>'
    return text


LINE = 22  # pixels of a heading's second line
TITLE = 48  # characters that a narrow page has room for


def heading(title: str, grid: Grid, p: float | None, shown: int, total: int, base: str, stacked: bool = False) -> str:
    """Figure title: what it is, and the facts without which it cannot be read; `stacked` puts these below it."""
    facts = []
    if p is not None:
        facts.append(f"Pr(c) = {prevalence(p)}")
    if total:
        every = "1 term" if total == 1 else f"{total:,} terms"
        facts.append(f"{shown:,} of {every} in view" if shown < total else every)
    facts.append({"linear": "linear axes", "log": "log axes", "logit": "logit axes"}[grid.scale])
    line = f'<span style="color:{theme.ink(base).muted};font-size:{theme.SIZE["body"]}px">{" · ".join(facts)}</span>'
    if stacked:
        return f"<b>{theme.shortened(title, TITLE)}</b><br>{line}" if title else line
    return f"<b>{theme.escape(title)}</b>   {line}" if title else line


def prevalence(p: float) -> str:
    """Pr(c) in percent with three figures."""
    return f"{100 * p:.3g} %"


def sentence(kind: str, title: str, panels: list[SurfacePanel], grid: Grid, p: float | None, total: int) -> str:
    """Alternative text."""
    names = [panel.name for panel in panels]
    listed = names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
    where = "where the class's terms lie" if grid.region == "terms" else "over the whole unit square"
    about = f" for {title}" if title else ""
    points = f", with {total:,} terms as points" if total else ""
    at = f", prevalence {prevalence(p)}" if p is not None else ""
    return f"{kind} of {listed}{about} over false-positive and true-positive rate {where}{points}{at}."


def fade(grid: Grid, strength: float) -> np.ndarray:
    """How much of a colour is taken away at each grid point: 0 among terms, ``strength`` where there are none."""
    t = np.clip(grid.support / 0.6, 0, 1)
    return strength * (1 - t * t * (3 - 2 * t))

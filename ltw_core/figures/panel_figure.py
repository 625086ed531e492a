"""Weightings side by side over one plane: what surfaces and contours share, and the loop over panels."""

import textwrap

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.heights import common_heights
from ltw_core.figures.plain_figure import PlainFigure, colour_scale
from ltw_core.figures.plane import Grid, percent
from ltw_core.figures.plane_view import LINE, PlaneView, SurfacePanel, caption, heading, sentence
from ltw_core.figures.points import Places, marked_terms
from ltw_core.figures.sentences import strongest
from ltw_core.tasks import TermStatistics

BAR_HIGH = 59  # pixels of the scale of colours, from its title to its numbers
BAR_LONG, BESIDE = 220, 270  # and how long it is at most, and the room that it and what grey is need in one line
NOTE, LONGER = 181, 225  # of which this is for what grey is, or this where surfaces are cut
IN_BAR, BELOW_BAR = 28, 64  # from its top to its middle, and to what stands below it
SWATCH, APART, EDGE = 11, 14, 2  # of grey, between it and the scale, and from the left of a figure to what stands there
INDENT = 8  # from the left to the scale of colours, whose lowest number is centred below its end
LETTER = 5.8  # a letter of a note is wide
LARGE, LARGE_WIDTH = 1.35, 0.6  # of a large first panel: rows that it is high, its share of the width
SUPPORTED = 0.5  # of a grid's support, which is 1 among the terms: elsewhere a surface is extrapolation


class PanelFigure:
    """A figure of several panels; a subclass says how large they are, what one of them shows, and where its scale is.

    Attributes
    ----------
    panels, grid, terms, view
        What is drawn; ``terms`` is None where there are none.
    common : Heights
    hover, unit
        Those of the view, in the unit of the axes where every weighting that is listed has a panel.
    inside, marked : ndarray of bool and of int
        Which terms are in view, and the selected ones among them.
    x, y : ndarray, shape (terms,)
        Where the terms lie on the axes.
    rows, per_row : int
    plain : PlainFigure
        What is drawn so far.
    """

    kind: str
    labels: int
    cuts = False  # whether what is higher than the strongest term is cut
    margin: dict[str, int]

    def __init__(self, panels: list[SurfacePanel], grid: Grid, terms: TermStatistics | None, view: PlaneView):
        self.panels, self.grid, self.view, self.ink = panels, grid, view, theme.ink(view.base)
        self.common = common_heights(panels, grid, terms, view)
        self.hover, self.unit = self._hover()
        self.terms = terms if terms is not None and len(terms) else None
        self.inside = self.marked = np.zeros(0, dtype=int)
        if self.terms is not None:
            self.inside = grid.inside(terms.tpr, terms.fpr)
            self.marked = marked_terms(terms, self.inside, view.selected)
            self.x, self.y = grid.x.forward(terms.fpr), grid.y.forward(terms.tpr)
        count = len(panels)
        self.hero = view.hero and count > 3
        self.per_row = min(view.columns or count, count)
        self.rows = 1 + -(-(count - 1) // 2) if self.hero else -(-count // self.per_row)
        self.plain = PlainFigure()

    def _hover(self) -> tuple[dict[str, np.ndarray], str]:
        """One scale of a function a figure: where each panel is drawn by its own peak, the numbers are told so too."""
        peaks = dict(zip((panel.name for panel in self.panels), self.common.peaks, strict=True))
        listed = self.view.hover
        if not listed or not listed.keys() <= peaks.keys() or set(peaks.values()) == {1.0}:
            return listed, self.view.unit
        return {name: np.asarray(weights) / peaks[name] for name, weights in listed.items()}, self.common.unit

    def figure(self) -> PlainFigure:
        """The panels, drawn one after the other, and what stands above them all."""
        view, count, common = self.view, len(self.panels), self.common
        stacked = self.stacked
        second = LINE if stacked else 0
        inner, room = self.size()
        domains, outer = arrange(count, view.columns, self.hero, **room)
        for index in range(count):
            self.draw(index, domains[index], outer[index])
        total = 0 if self.terms is None else len(self.terms)
        self.plain.update_layout(
            template=theme.template(view.base),
            title=heading(view, self.grid, int(self.inside.sum()), total, stacked),
            height=(view.height or inner + self.margin["t"] + self.margin["b"]) + second,
            margin={**self.margin, "t": self.margin["t"] + second},
            showlegend=False,
            coloraxis={
                "colorscale": colour_scale(common.colours),
                "cmin": common.cmin,
                "cmax": common.cmax,
                "colorbar": {},
            },
        )
        self._add_key()
        said = [sentence(self.kind, view, self.panels, self.grid, total)]
        for panel, z, weights in zip(self.panels, common.z, common.weights, strict=True):
            said.append(finding(panel, z, weights, self.grid, self.terms))
        return theme.describe(self.plain, " ".join(filter(None, said)))

    @property
    def stacked(self) -> bool:
        """Whether the heading has two lines: no room beside a title or a colour bar on a narrow page."""
        count, columns = len(self.panels), self.view.columns
        return (columns == 1 and count > 1) or (
            bool(self.view.title) and (columns == 1 or (columns == 2 and count > 2))
        )

    def size(self) -> tuple[float, dict[str, float]]:
        """Pixels from the highest panel's top to the lowest one's bottom, and the room of ``arrange``."""
        raise NotImplementedError

    def draw(self, index: int, domain: tuple, outer: tuple[bool, bool]) -> None:
        """Add one panel."""
        raise NotImplementedError

    def key_place(self) -> tuple[float, float, float]:
        """Where the scale of colours begins, as shares of the width and of the panels' height, and the room it has."""
        raise NotImplementedError

    def _add_key(self) -> None:
        """The scale of colours, and right of it what grey is, or below it where there is no room."""
        x, y, room = self.key_place()
        beside, cut = room >= BESIDE, self.cuts and self.common.cut
        long = min(BAR_LONG, room - (LONGER if cut else NOTE) if beside else 0.8 * room)
        place = {"lenmode": "pixels", "len": long, "x": x, "xanchor": "left", "xpad": INDENT}
        title = {"text": self.common.unit, "side": "top"}
        bar = {"orientation": "h", **place, "y": y, "yanchor": "top", "title": title, "nticks": 6, "tickangle": 0}
        self.plain.layout["coloraxis"]["colorbar"] = bar
        if not self.view.faded or self.terms is None or all(z is None for z in self.common.z):
            return  # points extrapolate nothing
        left = INDENT + (long + APART if beside else 0)
        down = IN_BAR if beside else BELOW_BAR
        self.plain.add_shape(
            **{"type": "rect", "xref": "paper", "yref": "paper", "xsizemode": "pixel", "ysizemode": "pixel"},
            **{"xanchor": x, "x0": left, "x1": left + SWATCH},
            **{"yanchor": y, "y0": -down - SWATCH / 2, "y1": -down + SWATCH / 2},
            **{"fillcolor": self.ink.faded, "line": {"color": self.ink.muted, "width": 1}},
        )
        left += SWATCH + 4
        said = self._grey(cut, (room - left) / LETTER)
        self.write(said, x, y, "top", self.ink.muted, theme.SIZE["note"], xshift=left, yshift=10 - down)

    def _grey(self, cut: bool, letters: float) -> str:
        """What grey is and whether surfaces are cut, in lines of so many letters."""
        uncertain = any(panel.uncertain is not None for panel in self.panels)
        parts = ["no terms, or seeds disagree" if uncertain else "no terms: extrapolated"]
        parts += ["cut at the strongest term"] * cut
        if len(one := "; ".join(parts)) <= letters:
            return one
        return "<br>".join(line for part in parts for line in textwrap.wrap(part, max(10, int(letters))))

    def caption(self, panel: SurfacePanel, x: float, y: float, anchor: str = "bottom", **more: float) -> None:
        """A panel's title, whose left end lies above a point, or below it; ``more`` as for ``write``."""
        self.write(caption(panel, self.view.base), x, y, anchor, self.ink.text, theme.SIZE["panel"], **more)

    def write(self, text: str, x: float, y: float, anchor: str, colour: str, size: float, **more: float) -> None:
        """Words on the page, whose left end lies at a point; ``more``: how far from it, in pixels."""
        place = {"on_page": True, "xanchor": "left", "yanchor": anchor, "align": "left", **more}
        self.plain.write(text, x, y, colour, size=size, **place)

    def point_colours(self, group: Places, weights: np.ndarray, z: np.ndarray | None) -> dict:
        """Colours of a marker for the terms: ink on their surface, that of their weight where there is none."""
        at = weights[group.first]
        if z is None:
            edge = {"color": self.ink.muted, "width": 1}  # a weight near 0 has the colour of the page
            return {"color": at.astype(np.float32), "coloraxis": "coloraxis", "line": edge}
        return palette.dots_on(at, self.common.colours, self.common.cmin, self.common.cmax)

    def rates_hover(self, panel: SurfacePanel) -> str:
        """What the pointer is told of a place; ``customdata`` are its rates in percent."""
        rates = "tpr %{customdata[0]:.3~g}% · fpr %{customdata[1]:.3~g}%"
        return f"{panel.name}  %{{z:.3~g}}{self.common.told}<br>{rates}<extra></extra>"

    def n_labels(self, index: int, small: float) -> int:
        """How many terms a panel names: twice as many in a large first one, ``small`` times as many in the others."""
        count = self.labels if self.view.labels is None else self.view.labels
        return int(count * (2 if index == 0 else small)) if self.hero else count


def finding(
    panel: SurfacePanel, z: np.ndarray | None, weights: np.ndarray | None, grid: Grid, terms: TermStatistics | None
) -> str:
    """A panel in words: where its surface is highest and lowest among the terms, and its strongest terms in view.

    Parameters
    ----------
    z, weights : its surface and its terms' weights, as ``common_heights`` has them.
    """
    name, said = panel.name, []
    if z is not None:
        known = panel.grid(grid).support >= SUPPORTED
        seen = np.where(known, z, np.nan) if known.any() else z
        if np.nanmin(seen) == np.nanmax(seen):
            said.append(f"{name} is the same everywhere")
        else:
            places = [np.unravel_index(find(seen), z.shape) for find in (np.nanargmax, np.nanargmin)]
            high, low = (f"tpr {_rate(grid.tpr[at])}, fpr {_rate(grid.fpr[at])}" for at in places)
            said.append(f"{name} is highest at {high} and lowest at {low}")
    if weights is not None and terms is not None:
        inside = np.flatnonzero(grid.inside(terms.tpr, terms.fpr))
        if strong := strongest(np.asarray(terms.terms)[inside], weights[inside]):
            said.append(f"{'it' if said else name} gives {strong} the highest weight")
    return "; ".join(said) + "." if said else ""


def _rate(rate: float) -> str:
    return percent(float(f"{rate:.2g}"))


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


def arrange(count: int, columns: int | None, hero: bool, **room):
    """``positions``, or with ``hero`` the first panel large above the others, which stand in two columns.

    Returns
    -------
    domains : list of ((x0, x1), (y0, y1))
    outer : list of (bool, bool)
        Whether a panel is the leftmost of its block, and the lowest of its column.
    """
    if not hero or count < 4:
        per_row = min(columns or count, count)
        outer = [(i % per_row == 0, i + per_row >= count) for i in range(count)]
        return positions(count, columns, **room), outer
    others = count - 1
    rows = -(-others // 2)
    high = LARGE * (room["top"] - room["bottom"] - rows * room["gap_y"]) / (rows + LARGE)
    block = positions(others, 2, **{**room, "top": room["top"] - high - room["gap_y"]})
    outer = [(True, True)] + [(i % 2 == 0, i + 2 >= others) for i in range(others)]
    return [((0.0, LARGE_WIDTH), (room["top"] - high, room["top"])), *block], outer


def fade(grid: Grid, strength: float) -> np.ndarray:
    """How much of a colour is taken away at each grid point: 0 among terms, ``strength`` where there are none."""
    t = np.clip(grid.support / 0.6, 0, 1)
    return strength * (1 - t * t * (3 - 2 * t))

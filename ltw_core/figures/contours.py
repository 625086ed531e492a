"""The 2D twin of the surfaces: the same panels seen from above, with the terms as points that can be clicked."""

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.label_places import LINE, LabelArea, label_sides
from ltw_core.figures.panel_figure import BAR_HIGH, PanelFigure, fade
from ltw_core.figures.plain_figure import PlainFigure, checked
from ltw_core.figures.plane import Grid
from ltw_core.figures.plane_view import PlaneView, SurfacePanel
from ltw_core.figures.points import (
    COVERS,
    add_diagonal,
    add_rings,
    add_terms,
    flat_kind,
    label_strength,
    marked_labels,
    named_terms,
    names_beside,
    place_labels,
    places,
)
from ltw_core.tasks import TermStatistics

POINT_LIMIT = 3000  # places
NARROW, PLOT, PLOTS = 480, 310, 145  # pixels: of a page that is narrow, of a map on it, of one of several
ROOMY = 400  # pixels of a map whose points stand apart
NARROW_TOP = 56  # pixels above maps on a narrow page: the heading and their names
TICK = 36  # pixels from one number below a map to the next
BAR = 58  # pixels of a scale of colours below a map


@checked
def contours(
    panels: list[SurfacePanel], grid: Grid, terms: TermStatistics | None = None, view: PlaneView | None = None
) -> PlainFigure:
    """Draw weightings from above, side by side; parameters as in ``surfaces``.

    A click gives points whose ``text`` names their terms (``terms_of`` splits it). The dotted line is tpr = fpr, where
    a term says nothing about the class. Panels pan and zoom together. Names of terms that would run into each other at
    the view's width are left out.
    """
    return _Contours(panels, grid, terms, view or PlaneView()).figure()


class _Contours(PanelFigure):
    """Maps of a figure."""

    kind, labels = "Contour map", 7
    margin = {"l": 56, "r": 8, "t": 76, "b": 48}

    def figure(self) -> PlainFigure:
        figure = super().figure()
        if self._in_a_column:  # a title of plotly.js is cut where a figure is so high
            text, place = figure.layout["title"]["text"], {"on_page": True, "xanchor": "left", "align": "left"}
            figure.layout["title"] = {"text": ""}  # given, or that of a wide page would stay
            top = {"yanchor": "top", "yshift": figure.layout["margin"]["t"] - 8, "xshift": 8 - self.margin["l"]}
            figure.write(text, 0, 1, self.ink.text, size=theme.SIZE["title"], **place, **top)
        across = {"across": self.per_row}  # a page has its narrow layout where these would be too narrow
        figure.update_layout(dragmode="pan", uirevision=self.view.uirevision or "contours", meta=across)
        return figure

    def size(self) -> tuple[float, dict[str, float]]:
        if self._in_a_column:  # between them and the heading stands the scale of colours
            self.margin = {**self.margin, "t": 96 if self.view.title else 78}
        else:
            top = NARROW_TOP if self._narrow else self.margin["t"]
            self.margin = {**self.margin, "t": top, "b": self.margin["b"] + BAR}
        around = self.margin["t"] + self.margin["b"]
        self._height = self.view.height or around + (270 if self.hero else 330) * self.rows
        self._inner = self._height - around
        across = 0.07 if self.view.columns == 2 else 0.03
        return self._inner, {"top": 0.985, "bottom": 0.0, "gap_x": across, "gap_y": 72 / self._inner}

    def draw(self, index: int, domain: tuple, outer: tuple[bool, bool]) -> None:
        panel, z, weights = self.panels[index], self.common.z[index], self.common.weights[index]
        (left, right), (bottom, top) = domain
        size = ((right - left) * (self.view.width - 64), (top - bottom) * self._inner)
        number = str(index + 1) if index else ""
        axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
        if z is not None:
            self._map(panel, z, axes)
        line = {"color": palette.translucent(palette.ink_over(self.view.base)[0], 0.55)}
        add_diagonal(self.plain, self.grid, {**line, "width": 1, "dash": "dot"}, **axes)
        if weights is not None and self.terms is not None:
            if self.view.points:
                self._points(z, weights, axes, self.n_labels(index, 1), size)
            self._name_selected(axes)  # in the layout, which is all that is sent of a narrow page's map
        self._axes(number, domain, outer, size)
        begins = {"xshift": 4 - self.margin["l"]} if self._narrow and left == 0 else {}  # where the heading does
        self.caption(panel, left, top + 4 / self._height, **begins)

    @property
    def _narrow(self) -> bool:
        """One map on a narrow page, or two in a row."""
        return (len(self.panels) == 1 or self.view.columns == 2) and self.view.width < NARROW

    @property
    def _in_a_column(self) -> bool:
        """Whether maps stand one below the other: below them the scale of colours is out of sight."""
        return self.view.columns == 1 and self.rows > 1

    def key_place(self) -> tuple[float, float, float]:
        above, below = 16 + BAR_HIGH, BAR - self.margin["b"]
        room = self.view.width - self.margin["l"] - self.margin["r"]
        return 0, 1 + above / self._inner if self._in_a_column else below / self._inner, room

    def _map(self, panel: SurfacePanel, z: np.ndarray, axes: dict) -> None:
        """Colours, what takes them away where no terms lie, and level lines."""
        grid, common, i = panel.grid(self.grid), self.common, self.ink
        dot = palette.ink_over(self.view.base)[0]
        common_part = {"x": grid.grid_x.astype(np.float32), "y": grid.grid_y.astype(np.float32), **axes}
        self.plain.add(
            "heatmap",
            z=z.astype(np.float32),
            coloraxis="coloraxis",
            zsmooth="best",
            customdata=np.stack([100 * grid.tpr, 100 * grid.fpr], axis=-1).astype(np.float32),
            hovertemplate=self.rates_hover(panel),
            name=panel.name,
            **common_part,
        )
        if self.view.faded and (self.terms is not None or panel.support is not None):
            self.plain.add(
                "heatmap",
                z=fade(grid, 0.88).astype(np.float32),
                zmin=0,
                zmax=1,
                zsmooth="best",
                colorscale=[[0, palette.translucent(i.faded, 0)], [1, palette.translucent(i.faded, 1)]],
                showscale=False,
                hoverinfo="skip",
                name="no terms",
                **common_part,
            )
        # what is 0 at its least or at most has no line of that: scraps at points that are 0 but for rounding
        clear = 1e-3 * (common.high - common.low) * ((z.min() >= 0) - float(z.max() <= 0))
        self.plain.add(
            "contour",
            z=(z + clear).astype(np.float32),
            contours={"coloring": "none", **common.levels},  # which the scale of colours tells: numbers lay on names
            line={"color": palette.translucent(dot, 0.4), "width": 0.8, "smoothing": 0.8},
            showscale=False,
            hoverinfo="skip",
            name=f"{panel.name} levels",
            **common_part,
        )

    def _points(self, z: np.ndarray | None, weights: np.ndarray, axes: dict, count: int, size: tuple) -> None:
        """The terms, and the names of selected and of strong ones."""
        i, limits = self.ink, self.grid.x.limits
        group = places(self.terms, self.inside, POINT_LIMIT, weights, self.hover, self.unit)
        marked, names_marked = marked_labels(self.terms, self.marked)
        names = place_labels(self.terms, group)
        names[marked] = names_marked[marked]
        near = min(1.0, max(0.5, min(size) / ROOMY))  # in a small panel points run together: smaller, and fainter
        marker = {
            "size": (near * np.minimum(3.4 + 0.6 * np.sqrt(group.size - 1), 8)).astype(np.float32),
            "line": {"color": palette.translucent(i.muted, 0.6), "width": 0.5 * (near == 1.0)},
            "opacity": round(0.85 * near**0.5, 2),
            **self.point_colours(group, weights, z),
        }
        kind = flat_kind(len(self.panels) * group.first.size)
        add_terms(self.plain, kind, group, self.x, self.y, marker, **axes)
        look = {"size": 6, "cliponaxis": True, **axes}
        place = lambda index: (self.plain, self.x[index], self.y[index])  # noqa: E731
        if marked.size:
            add_rings(*place(marked), i.selected, selected=True, **look)
        if count:
            strength = label_strength(weights, self.terms)
            area = LabelArea(limits, self.grid.y.limits, size, PLOT if len(self.panels) == 1 else PLOTS)
            covers = COVERS if kind == "scatter" else 0  # points of the other kind are drawn over names
            chosen = named_terms(self.x, self.y, names, strength, group.first, marked, area, count, covers)
            rings = i.text
            if z is not None:
                rings, _ = palette.ink_on(weights[chosen], self.common.colours, self.common.cmin, self.common.cmax)
            look |= names_beside(names[chosen], self.x[chosen], i.text, i.paper, limits, selected=False)
            add_rings(*place(chosen), rings, selected=False, **look)

    def _name_selected(self, axes: dict) -> None:
        """Names of selected terms on the colour of the page: no ink of theirs is read on every colour of a map."""
        marked, names = marked_labels(self.terms, self.marked)
        for name, k, side in zip(names[marked], marked, label_sides(self.x[marked], self.grid.x.limits), strict=True):
            right = side == "middle right"
            where = {"xanchor": "left" if right else "right", "xshift": 9 if right else -9, "align": "left"}
            where |= {"xref": axes["xaxis"], "yref": axes["yaxis"], "bgcolor": self.ink.paper, "borderpad": 2}
            at = float(self.x[k]), float(self.y[k])
            text = "<br>".join(map(theme.escape, str(name).split("<br>")))
            self.plain.write(f"<b>{text}</b>", *at, self.ink.selected, **where)

    def _axes(self, number: str, domain: tuple, outer: tuple[bool, bool], size: tuple[float, float]) -> None:
        """Both axes; those of the first panel lead the others. No two numbers run together."""
        alone = len(self.panels) == 1
        words = {
            "x": ("fpr", "fpr  (share of the other documents that contain the term)"),
            "y": ("tpr", "tpr  (share of the class’s documents)"),
        }
        leftmost, lowest = outer
        apart = (TICK / size[0], LINE / size[1])
        for name, other, axis, ends, titled, least in zip(
            "xy", "yx", (self.grid.x, self.grid.y), domain, (lowest, leftmost), apart, strict=True
        ):
            self.plain.layout[f"{name}axis{number}"] = {
                **axis.layout(words[name][alone] if titled else "", min(least, 0.5)),
                "domain": list(ends),
                "anchor": f"{other}{number}",
                "showgrid": False,
                **({"matches": name} if number else {}),
            }
        self.plain.layout[f"xaxis{number}"]["tickangle"] = 0
        self.plain.layout[f"yaxis{number}"]["showticklabels"] = leftmost

"""Weightings as surfaces over the (fpr, tpr) plane: several 3D scenes in one figure, alike in all but their shape.

Scenes share axes, camera, height and colour scale. A class's terms lie on them as points; where no terms lie the
surface is extrapolation and loses its colour. A mesh with a colour a vertex is used since a plotly surface can't fade
smoothly; its contour lines are a second trace without a face. ``SYNC_CAMERAS`` makes the scenes turn together.
"""

import numpy as np

from ltw_core.figures import palette
from ltw_core.figures.label_places import LETTER, LabelArea, spread_labels, stacked
from ltw_core.figures.panel_figure import fade
from ltw_core.figures.plain_figure import PlainFigure, checked
from ltw_core.figures.plane import Grid, evenly
from ltw_core.figures.plane_view import PlaneView, SurfacePanel
from ltw_core.figures.points import (
    LONG_LABEL,
    Places,
    add_terms,
    label_strength,
    marked_labels,
    place_label,
    places,
    thinned,
)
from ltw_core.figures.scene import SMALL, away, on_screen, scene_layout, usual_distance
from ltw_core.figures.scene_figure import EDGE, ROOMY, SceneFigure
from ltw_core.tasks import TermStatistics

LIGHTING = {"ambient": 0.72, "diffuse": 0.62, "specular": 0.12, "roughness": 0.72, "fresnel": 0.08}
LIGHT = {"x": 600, "y": -900, "z": 1800}
VEIL = 0.92  # of its colour a surface loses where it is not known
ABOVE_PEAK = 8  # pixels that a phone's title is higher, where the strongest term's name reaches up to it
CELLS = 40  # each way, of which each has one point where they are sparse
POINT_LIMIT = 2000  # places; the classes of Reuters, 20 Newsgroups and Ohsumed have at most 1,832


@checked
def surfaces(
    panels: list[SurfacePanel], grid: Grid, terms: TermStatistics | None = None, view: PlaneView | None = None
) -> PlainFigure:
    """Draw weightings as surfaces side by side.

    Parameters
    ----------
    panels : list of SurfacePanel
        Weights computed at ``grid.tpr``, ``grid.fpr``, in canonical form.
    grid : Grid
        From ``surface_grid``.
    terms : TermStatistics, optional
        The class's terms.
    view : PlaneView, optional

    Returns
    -------
    PlainFigure
        ``layout.meta`` holds ``alt``, and ``z_range``, ``color_range`` for updates.
    """
    return _Surfaces(panels, grid, terms, view or PlaneView()).figure()


class _Surfaces(SceneFigure):
    """Scenes of a figure."""

    kind, labels = "3D surface", 4

    def figure(self) -> PlainFigure:
        view, common = self.view, self.common
        figure = super().figure()
        figure.layout["coloraxis"]["colorbar"].update(common.ends)
        figure.add(  # without a point: the common colour bar belongs to it
            "scatter3d",
            x=[None],
            y=[None],
            z=[None],
            mode="markers",
            marker={"color": [common.cmin], "coloraxis": "coloraxis", "size": 1},
            hoverinfo="skip",
            showlegend=False,
            name="colour scale",
        )
        figure.update_layout(
            uirevision=view.uirevision or "surfaces",
            meta={"z_range": [common.low, common.high], "color_range": [common.cmin, common.cmax]},
        )
        if not view.camera:  # a page that is narrower than planned may step back
            planned = view.width / self._across / self._high
            framed = {"height": self._high, "across": self._across, "away": away(planned)}
            framed |= {"rows": self.rows, "width": view.width, "usual": usual_distance(view.from_above)}
            framed["grows"] = self.hero
            figure.layout["meta"]["framed"] = framed
        return figure

    def draw(self, index: int, domain: tuple, outer: tuple[bool, bool]) -> None:
        panel, z, weights = self.panels[index], self.common.z[index], self.common.weights[index]
        (left, right), (bottom, top) = domain
        size = (self.view.width * (right - left), (top - bottom) * self._inner)
        scene = "scene" if index == 0 else f"scene{index + 1}"
        across = min(size[0], 1.3 * size[1])  # in a low scene ticks are as near to each other as in a narrow one
        layout = self.plain.layout[scene] = scene_layout(
            self.grid, self.common, *domain, self._camera, across, self._aspect, self.told(*size)
        )
        if z is not None:
            self._surface(panel, z, scene)
            if self.view.diagonal:
                self._diagonal(panel.grid(self.grid), z, scene)
        if weights is not None and self.terms is not None:
            lifted = weights + 0.012 * (self.common.high - self.common.low)  # the mesh half swallows what touches it
            group = places(self.terms, self.inside, POINT_LIMIT, weights, self.hover, self.unit)
            if self.view.points:
                self._points(group, z, weights, lifted, scene, size)
            names = self._names(group, weights, lifted, self.n_labels(index, 0.5), size, layout)
            layout["annotations"] = [*self._dots(lifted), *names]
        clear = ABOVE_PEAK * (self._on_a_phone and index == 0)
        self.caption(panel, left, top, "top" if self._named_inside else "bottom", xshift=EDGE, yshift=clear)

    def _surface(self, panel: SurfacePanel, z: np.ndarray, scene: str) -> None:
        """A mesh, and its level lines."""
        grid, common = panel.grid(self.grid), self.common
        rows, columns = z.shape
        corner = np.arange(rows * columns, dtype=np.uint16 if z.size < 65536 else np.uint32).reshape(rows, columns)
        a, b = corner[:-1, :-1].ravel(), corner[:-1, 1:].ravel()
        c, d = corner[1:, 1:].ravel(), corner[1:, :-1].ravel()
        x, y = np.meshgrid(grid.grid_x.astype(np.float32), grid.grid_y.astype(np.float32))
        rates = np.stack([100 * grid.tpr.ravel(), 100 * grid.fpr.ravel()], axis=1).astype(np.float32)
        self.plain.add(
            "mesh3d",
            x=x.ravel(),
            y=y.ravel(),
            z=z.astype(np.float32).ravel(),
            i=np.r_[a, a],
            j=np.r_[b, c],
            k=np.r_[c, d],
            vertexcolor=self._vertex_colours(panel, grid, z),
            lighting=LIGHTING,
            lightposition=LIGHT,
            flatshading=False,
            customdata=rates,
            hovertemplate=self.rates_hover(panel),
            name=panel.name,
            scene=scene,
        )
        look = {"color": palette.contour_ink(self.view.base), "width": 1, "show": True}
        net = {"color": palette.net_ink(self.view.base), "width": 1, "show": True}
        self.plain.add(
            "surface",
            x=grid.grid_x.astype(np.float32),
            y=grid.grid_y.astype(np.float32),
            z=(z + 0.002 * (common.high - common.low)).astype(np.float32),
            hidesurface=True,
            showscale=False,
            hoverinfo="skip",
            contours={"x": evenly(grid.grid_x) | net, "y": evenly(grid.grid_y) | net, "z": common.levels | look},
            name=f"{panel.name} levels",
            scene=scene,
        )

    def _diagonal(self, grid: Grid, z: np.ndarray, scene: str) -> None:
        """The line tpr = fpr on a surface."""
        x, y = grid.diagonal()
        lifted = z + 0.006 * (self.common.high - self.common.low)
        line = x, y, grid.at(lifted, grid.y.inverse(y), grid.x.inverse(x))
        self.plain.add(
            "scatter3d",
            **dict(zip("xyz", (np.asarray(part, dtype=np.float32) for part in line), strict=True)),
            mode="lines",
            line={"width": 4, "color": self.ink.muted},
            hoverinfo="skip",
            showlegend=False,
            name="tpr = fpr",
            scene=scene,
        )

    def _vertex_colours(self, panel: SurfacePanel, grid: Grid, z: np.ndarray) -> list[str]:
        """Colours of a surface's vertices, row by row."""
        painted = palette.paint(z, self.common.colours, self.common.cmin, self.common.cmax).reshape(-1, 3)
        veil = fade(grid, VEIL) if self.view.faded else np.zeros(z.shape)
        if panel.uncertain is not None:
            veil = np.maximum(veil, VEIL * panel.uncertain)
        if veil.any():
            veil = veil.reshape(-1, 1)
            painted = painted * (1 - veil) + palette.rgb([self.ink.faded]) * veil
        return palette.hex_colours(painted)

    def _points(
        self,
        group: Places,
        z: np.ndarray | None,
        weights: np.ndarray,
        lifted: np.ndarray,
        scene: str,
        pixels: tuple[float, float],
    ) -> None:
        """The terms, on a scene of so many pixels: on a small one they are smaller, or they would cover it."""
        roomy, near = pixels[0] >= ROOMY, float(np.clip(min(pixels) / SMALL, 0.65, 1))
        sparse = self.view.sparse and not roomy
        group = thinned(group, self.x, self.y, weights, CELLS) if sparse else group
        size = np.minimum(2.0 + 0.3 * np.sqrt(group.size - 1), 4) * (1 if roomy else 0.7 * near)
        marker = {
            "size": size.astype(np.float32),
            "opacity": 0.45 if roomy else 0.5 if sparse else 0.6,
            "line": {"width": 0},
            **self.point_colours(group, weights, z),
        }
        height = lifted[group.first].astype(np.float32)
        add_terms(self.plain, "scatter3d", group, self.x, self.y, marker, z=height, scene=scene)

    def _names(
        self, group: Places, weights: np.ndarray, lifted: np.ndarray, count: int, size: tuple[float, float], scene: dict
    ) -> list[dict]:
        """Names over a scene, with a leader; they are drawn above the surface and can't sink into it.

        The ``name`` of an annotation is its term's index, by which figures that move find its height.
        """
        longest = LONG_LABEL if size[0] > ROOMY else 0
        place = lambda k: (self.x[k], self.y[k], weights[k])  # noqa: E731
        seen = lambda k: on_screen(*place(k), self.grid, self.common, scene, size[1])  # noqa: E731
        marked, names = marked_labels(self.terms, self.marked)
        marked, at = marked[:12], self.x + 1j * self.y
        order = np.argsort(group.first)
        order = order[~np.isin(at[group.first[order]], at[marked])]
        view, name_of = group.first[order], lambda i: place_label(self.terms, group, order[i], longest)
        strength, area = label_strength(weights, self.terms)[view], LabelArea((0, 1), (0, 1), (1, 1))
        chosen = spread_labels(*seen(view), strength, name_of, area, count, above=True)
        index = np.r_[marked, view[chosen]].astype(int)
        shown = [*names[marked], *map(name_of, chosen)]
        font = {"size": 12, "shadow": palette.halo(self.ink.paper)}
        across, high = seen(index)
        room = [max(0.0, (size[0] - LETTER * max(map(len, str(name).split("<br>")))) / 2) for name in shown]
        inside = np.clip(across, np.negative(room), room)  # no name is cut where a small scene ends
        first = marked.size or min(1, len(shown))  # nor does a name lie on the strongest term, which is at the peak
        top = size[1] / 2 - 12  # above a scene stands its title
        moved = stacked(inside, high, shown, top, first, across, size[0] / 2)
        return [
            {
                "x": float(self.x[k]),
                "y": float(self.y[k]),
                "z": float(lifted[k]),
                "text": str(name),
                "name": str(k),
                "font": {**font, "color": self.ink.selected if k in self.marked else self.ink.text},
                "showarrow": True,
                "arrowhead": 0,
                "arrowwidth": 0.8,
                "arrowcolor": self.ink.muted,
                "ax": float(aside + beside),
                "ay": -20 - 6 * (k in self.marked) - lifted_by,  # above its dot
                "standoff": 1,
            }
            for k, name, aside, (beside, lifted_by) in zip(index, shown, inside - across, moved, strict=True)
            if np.isfinite(lifted_by)
        ]

    def _dots(self, lifted: np.ndarray) -> list[dict]:
        """Marked terms, drawn above the surface: none sinks into it."""
        font = {"size": 19, "color": self.ink.selected, "shadow": palette.halo(self.ink.paper)}
        at = zip(self.x[self.marked], self.y[self.marked], lifted[self.marked], self.marked, strict=True)
        return [
            {
                **dict(zip("xyz", map(float, place), strict=True)),
                "text": "●",
                "name": str(k),
                "font": font,
                "ax": 0,
                "ay": 0,
            }
            for *place, k in at
        ]

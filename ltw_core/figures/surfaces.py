"""Weightings as surfaces over the (fpr, tpr) plane: several 3D scenes in one figure, alike in all but their shape.

Scenes share axes, camera, height and colour scale. A class's terms lie on them as points; where no terms lie the
surface is extrapolation and loses its colour. A mesh with a colour a vertex is used since a plotly surface can't fade
smoothly; its contour lines are a second trace without a face. ``SYNC_CAMERAS`` makes the scenes turn together.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.panels import (
    LINE,
    SurfacePanel,
    arrange,
    caption,
    common_heights,
    fade,
    heading,
    level_step,
    on_narrow_page,
    sentence,
)
from ltw_core.figures.plain_figure import PlainFigure, as_figure, colour_scale, trace
from ltw_core.figures.plane import Grid
from ltw_core.figures.points import label_strength, places, spread_labels
from ltw_core.figures.scene import framed, on_screen, scene_layout

if TYPE_CHECKING:
    from ltw_core.tasks import TermStatistics

LIGHTING = {"ambient": 0.72, "diffuse": 0.62, "specular": 0.12, "roughness": 0.72, "fresnel": 0.08}
LIGHT = {"x": 600, "y": -900, "z": 1800}
POINT_LIMIT = 2000  # places; the classes of Reuters, 20 Newsgroups and Ohsumed have at most 1,832


@as_figure
def surfaces(
    panels: list[SurfacePanel],
    grid: Grid,
    terms: "TermStatistics | None" = None,
    *,
    p: float | None = None,
    title: str = "",
    base: str = "light",
    heights: str = "auto",
    limits: tuple[float, float] | None = None,
    faded: bool = True,
    points: bool = True,
    labels: int = 4,
    selected: list[str] | None = None,
    hover: Mapping[str, np.ndarray] | None = None,
    columns: int | None = None,
    hero: bool = False,
    height: int | None = None,
    width: int = 1050,
    camera: dict | None = None,
    uirevision: str = "surfaces",
) -> PlainFigure:
    """Draw weightings as surfaces side by side.

    Parameters
    ----------
    panels : list of SurfacePanel
        Weights computed at ``grid.tpr``, ``grid.fpr``, in canonical form.
    grid : Grid
        From ``surface_grid``.
    terms : optional
        The class's terms.
    p : float, optional
        Prevalence, written into the title.
    heights : {"auto", "rms", "peak", "raw"}
        See ``common_heights``.
    limits : (low, high), optional
        Ends of the height axis, in the unit of ``heights``; from the weights themselves without it.
    faded : bool
        Take the colour from the surface where no terms lie.
    points, labels
        Draw the terms; name this many of the strongest.
    selected : list of str, optional
        Terms to mark and name in every scene.
    hover : mapping of display name to weights, shape (terms,), optional
        What the hover of a term lists.
    columns : int, optional
        Scenes in a row (all, if None).
    hero : bool
        From four scenes on draw the first one large, the others in two columns beside it.
    width : int
        About how wide the figure will be shown; it sets how far the camera stands away and how high scenes are.
    uirevision : str
        Keep it and the reader's camera is kept.

    Returns
    -------
    PlainFigure
        ``layout.meta`` holds ``alt``, and ``z_range``, ``color_range`` for updates.
    """
    i = theme.ink(base)
    common = common_heights(panels, grid, terms, heights, base, limits)
    total = 0 if terms is None else len(terms)
    inside = grid.inside(terms.tpr, terms.fpr) if total else np.zeros(0, dtype=bool)
    hero = hero and len(panels) > 3
    stacked = on_narrow_page(len(panels), columns)
    second = LINE if stacked else 0
    rows = -(-(len(panels) - 1) // 2) if hero else -(-len(panels) // min(columns or len(panels), len(panels)))
    narrow = columns == 1 and len(panels) > 1  # a column of scenes is what a small screen gets
    across = 4 if hero else min(columns or len(panels), len(panels))
    usual = 300 if hero else {1: 440, 2: 400}.get(len(panels), 350)
    scene_height = (height - 126) / rows if height else min(usual, 1.2 * width / across)  # no taller than it needs
    room = {"top": 0.98, "bottom": 0.0, "gap_x": 0.01, "gap_y": 26 / (scene_height * rows)}
    domains, _, _ = arrange(len(panels), columns, hero, **room)
    below = -14 / (scene_height * rows)
    camera = camera or framed(width / across / scene_height)
    traces, layout, words = [], {}, []
    for index, panel in enumerate(panels):
        scene = "scene" if index == 0 else f"scene{index + 1}"
        z, weights = common.z[index], common.weights[index]
        if z is not None:
            traces += _surface(panel, panel.grid(grid), z, common, scene, faded, base)
        if total and points and weights is not None:
            traces += _points(terms, weights, inside, grid, common, scene, (selected or [], hover), z, base)
        x, y = domains[index]
        layout[scene] = scene_layout(grid, common, x, y, camera)
        if total and weights is not None:
            count = labels if not hero else 2 * labels if index == 0 else labels // 2
            size = (width * (x[1] - x[0]), (y[1] - y[0]) * scene_height * rows)
            marks = (count, selected or [], size)
            layout[scene]["annotations"] = _labels(terms, weights, inside, grid, common, marks, base)
        size = {"size": theme.SIZE["panel"], "color": i.text}
        words.append(_words(caption(panel, base), x[0] + 0.008, y[1], "bottom", size))
    if faded and total and any(z is not None for z in common.z):  # points alone have nothing extrapolated
        size = {"size": theme.SIZE["note"], "color": i.muted}
        words.append(_words(_key(base, "<br>" if narrow else " ", cut=common.cut), 0.008, below, "top", size))
    traces.append(_colour_bar_anchor(common))
    layout |= {
        "template": theme.template(base),
        "title": {
            "text": heading(title, grid, p, int(inside.sum()), total, base, stacked),
            "y": 0.965 if stacked else 0.985,  # or its first line is cut
            "yanchor": "top",
        },
        "height": (height or 126 + scene_height * rows) + second,
        "margin": {"l": 0, "r": 0, "t": 64 + second, "b": 62},
        "showlegend": False,
        "uirevision": uirevision,
        "annotations": words,
        "coloraxis": {
            "colorscale": colour_scale(common.colours),
            "cmin": common.cmin,
            "cmax": common.cmax,
            "colorbar": {
                "orientation": "h",
                "len": 0.42 if narrow else 0.3,
                "x": 0.992,
                "xanchor": "right",
                "y": below,
                "yanchor": "top",
                "title": {"text": common.unit, "side": "top"},
                "nticks": 6,
            },
        },
        "meta": {
            "alt": sentence("3D surfaces", title, panels, grid, p, total if points else 0),
            "z_range": [common.low, common.high],
            "color_range": [common.cmin, common.cmax],
        },
    }
    return PlainFigure(traces, layout)  # one validation: many small updates take plotly longer than the drawing


def vertex_colours(grid: Grid, z: np.ndarray, colours, cmin, cmax, *, faded: bool = True, base: str = "light"):
    """Colours of a surface's vertices (row by row), for a live update of a mesh's ``vertexcolor``."""
    painted = palette.paint(z, colours, cmin, cmax).reshape(-1, 3)
    if faded:
        veil = fade(grid, 0.92).reshape(-1, 1)
        painted = painted * (1 - veil) + palette.rgb([theme.ink(base).faded]) * veil
    return palette.hex_colours(painted)


def _surface(panel, grid, z, common, scene, faded, base) -> list:
    rows, columns = z.shape
    corner = np.arange(rows * columns, dtype=np.uint16 if z.size < 65536 else np.uint32).reshape(rows, columns)
    a, b = corner[:-1, :-1].ravel(), corner[:-1, 1:].ravel()
    c, d = corner[1:, 1:].ravel(), corner[1:, :-1].ravel()
    x, y = np.meshgrid(grid.grid_x.astype(np.float32), grid.grid_y.astype(np.float32))
    rates = np.stack([100 * grid.tpr.ravel(), 100 * grid.fpr.ravel()], axis=1).astype(np.float32)
    mesh = trace(
        "mesh3d",
        x=x.ravel(),
        y=y.ravel(),
        z=z.astype(np.float32).ravel(),
        i=np.r_[a, a],
        j=np.r_[b, c],
        k=np.r_[c, d],
        vertexcolor=vertex_colours(grid, z, common.colours, common.cmin, common.cmax, faded=faded, base=base),
        lighting=LIGHTING,
        lightposition=LIGHT,
        flatshading=False,
        customdata=rates,
        hovertemplate=f"{panel.name}  %{{z:.3~g}}<br>tpr %{{customdata[0]:.3~g}}% · fpr %{{customdata[1]:.3~g}}%"
        "<extra></extra>",
        name=panel.name,
        scene=scene,
    )
    step = level_step(common.low, common.high)
    line = {"color": palette.contour_ink(common.colours, base), "width": 1, "show": True}
    lines = trace(
        "surface",
        x=grid.grid_x.astype(np.float32),
        y=grid.grid_y.astype(np.float32),
        z=(z + 0.002 * (common.high - common.low)).astype(np.float32),
        hidesurface=True,
        showscale=False,
        hoverinfo="skip",
        contours={
            "z": {
                **line,
                "start": np.ceil(common.low / step) * step + step,
                "end": common.high - step / 2,
                "size": step,
            }
        },
        name=f"{panel.name} levels",
        scene=scene,
    )
    return [mesh, lines]


def _points(terms, weights, inside, grid, common, scene, marks, z, base) -> list:
    i, (selected, hover) = theme.ink(base), marks
    group = places(terms, inside, POINT_LIMIT, weights, hover)
    x, y = grid.x.forward(terms.fpr), grid.y.forward(terms.tpr)
    lift = 0.012 * (common.high - common.low)  # a point that touches the mesh is half swallowed by it
    height = weights + lift
    place = weights[group.first]
    marker = {
        "size": np.minimum(2.0 + 0.45 * np.sqrt(group.size - 1), 5).astype(np.float32),
        "opacity": 0.9,
        "line": {"width": 0},
    }
    if z is None:
        marker |= {"color": place.astype(np.float32), "coloraxis": "coloraxis"}
    else:
        marker |= palette.dots_on(place, common.colours, common.cmin, common.cmax)
    traces = [
        trace(
            "scatter3d",
            x=x[group.first].astype(np.float32),
            y=y[group.first].astype(np.float32),
            z=height[group.first].astype(np.float32),
            mode="markers",
            marker=marker,
            text=group.text,
            customdata=group.numbers,
            hovertemplate=group.hover,
            name="terms",
            scene=scene,
        )
    ]
    marked = marked_terms(terms, inside, selected)
    if marked.size:
        traces.append(
            trace(
                "scatter3d",
                x=x[marked],
                y=y[marked],
                z=height[marked],
                mode="markers",
                marker={"size": 5.5, "color": i.selected, "line": {"color": i.paper, "width": 1}},
                hoverinfo="skip",
                name="selected",
                scene=scene,
            )
        )
    return traces


def marked_terms(terms: "TermStatistics", inside, selected) -> np.ndarray:
    """Indices of the selected terms that are in view."""
    return np.flatnonzero(np.isin(np.asarray(terms.terms), list(selected)) & inside)


def _labels(terms, weights, inside, grid, common, marks, base) -> list[dict]:
    """Names over a scene, with a leader; they are drawn above the surface and can't sink into it."""
    i, (labels, selected, size) = theme.ink(base), marks
    x, y = grid.x.forward(terms.fpr), grid.y.forward(terms.tpr)
    index = marked = marked_terms(terms, inside, selected)
    if not index.size and labels:
        view = np.flatnonzero(inside)
        seen = on_screen(x[view], y[view], weights[view], grid, common)
        unit = 0.62 * min(size)  # pixels of an axis of a scene, about
        names = np.asarray(terms.terms)[view]
        strength = label_strength(weights, terms)[view]
        chosen = spread_labels(*seen, strength, names, (0, 1), (0, 1), labels, (unit, unit), above=True)
        index = view[chosen]
    return [
        {
            "x": float(x[k]),
            "y": float(y[k]),
            "z": float(weights[k] + 0.012 * (common.high - common.low)),
            "text": str(terms.terms[k]),
            "font": {"size": 12, "color": i.selected if k in marked else i.text, "shadow": palette.halo(i.paper)},
            "showarrow": True,
            "arrowhead": 0,
            "arrowwidth": 0.8,
            "arrowcolor": i.muted,
            "ax": 0,
            "ay": -20,
            "standoff": 1,
        }
        for k in index[:12]
    ]


def _colour_bar_anchor(common) -> dict:
    """A trace without a point, to which the common colour bar belongs."""
    return trace(
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


def _words(text: str, x: float, y: float, anchor: str, font: dict) -> dict:
    place = {"x": x, "y": y, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": anchor, "align": "left"}
    return {"text": text, "showarrow": False, "font": font, **place}


def _key(base: str, space: str, *, cut: bool) -> str:
    text = f'<span style="color:{theme.ink(base).line}">■</span> no terms here: extrapolated'
    return text + (f";{space}cut above the strongest term" if cut else "")

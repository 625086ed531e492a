"""The 2D twin of the surfaces: the same panels seen from above, with the terms as points that can be clicked."""

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
from ltw_core.figures.points import COVERS, label_sides, label_strength, places, spread_labels

if TYPE_CHECKING:
    from ltw_core.tasks import TermStatistics


@as_figure
def contours(
    panels: list[SurfacePanel],
    grid: Grid,
    terms: "TermStatistics | None" = None,
    *,
    p: float | None = None,
    title: str = "",
    base: str = "light",
    heights: str = "auto",
    faded: bool = True,
    points: bool = True,
    labels: int = 7,
    selected: list[str] | None = None,
    hover: Mapping[str, np.ndarray] | None = None,
    columns: int | None = None,
    hero: bool = False,
    height: int | None = None,
    width: int = 1050,
    diagonal: bool = True,
    uirevision: str = "contours",
) -> PlainFigure:
    """Draw weightings from above, side by side; parameters as in ``surfaces``.

    A click gives points whose ``text`` names their terms (``terms_of`` splits it). ``diagonal`` draws tpr = fpr,
    where a term says nothing about the class. Panels pan and zoom together. ``width`` is about how wide the figure will
    be shown: names of terms that would run into each other are left out.
    """
    i = theme.ink(base)
    common = common_heights(panels, grid, terms, heights, base)
    total = 0 if terms is None else len(terms)
    inside = grid.inside(terms.tpr, terms.fpr) if total else np.zeros(0, dtype=bool)
    hero = hero and len(panels) > 3
    stacked = on_narrow_page(len(panels), columns)
    second = LINE if stacked else 0
    rows = -(-(len(panels) - 1) // 2) if hero else -(-len(panels) // min(columns or len(panels), len(panels)))
    height = height or 130 + (270 if hero else 330) * rows
    room = {"top": 0.985, "bottom": 0.0, "gap_x": 0.07 if columns == 2 else 0.03, "gap_y": 72 / (height - 124)}
    domains, rows, outer = arrange(len(panels), columns, hero, **room)
    traces, layout, words = [], {}, []
    for index, panel in enumerate(panels):
        axes = {"xaxis": f"x{index + 1 if index else ''}", "yaxis": f"y{index + 1 if index else ''}"}
        z, weights = common.z[index], common.weights[index]
        if z is not None:
            veiled = faded and (bool(total) or panel.support is not None)
            traces += _sheet(panel, panel.grid(grid), z, common, axes, (veiled, len(panels) == 1), base)
        if diagonal:
            traces.append(_diagonal(grid, axes, palette.ink_over(common.colours, base)[0]))
        if total and points and weights is not None:
            x, y = domains[index]
            size = ((x[1] - x[0]) * (width - 64), (y[1] - y[0]) * (height - 124))
            marks = (2 * labels if hero and index == 0 else labels, selected or [], size, hover)
            traces += _points(terms, weights, inside, grid, axes, marks, z, common, base)
        x, y = domains[index]
        layout |= _axes(grid, index, x, y, outer[index], len(panels) == 1)
        place = {
            "x": x[0],
            "y": y[1] + 4 / height,
            "xref": "paper",
            "yref": "paper",
            "xanchor": "left",
            "yanchor": "bottom",
        }
        font = {"size": theme.SIZE["panel"], "color": i.text}
        words.append({"text": caption(panel, base), "showarrow": False, "font": font, **place})
    layout |= {
        "template": theme.template(base),
        "title": {
            "text": heading(title, grid, p, int(inside.sum()), total, base, stacked),
            "y": 0.965 if stacked else 0.985,  # or its first line is cut
            "yanchor": "top",
        },
        "height": height + second,
        "margin": {"l": 56, "r": 8, "t": 76 + second, "b": 48},
        "showlegend": False,
        "dragmode": "pan",
        "uirevision": uirevision,
        "annotations": words,
        "coloraxis": {
            "colorscale": colour_scale(common.colours),
            "cmin": common.cmin,
            "cmax": common.cmax,
            "colorbar": {"len": 1, "y": 0.5, "x": 1.01, "title": {"text": common.unit, "side": "right"}, "nticks": 7},
        },
        "meta": {"alt": sentence("Contour maps", title, panels, grid, p, total if points else 0)},
    }
    return PlainFigure(traces, layout)


def _sheet(panel, grid, z, common, axes, how, base) -> list:
    faded, alone = how
    i, (dot, halo) = theme.ink(base), palette.ink_over(common.colours, base)
    step = level_step(common.low, common.high)
    position = {"x": grid.grid_x.astype(np.float32), "y": grid.grid_y.astype(np.float32)}
    rates = np.stack([100 * grid.tpr, 100 * grid.fpr], axis=-1).astype(np.float32)
    sheet = trace(
        "heatmap",
        **position,
        z=z.astype(np.float32),
        coloraxis="coloraxis",
        zsmooth="best",
        customdata=rates,
        hovertemplate=f"{panel.name}  %{{z:.3~g}}<br>tpr %{{customdata[0]:.3~g}}% · fpr %{{customdata[1]:.3~g}}%"
        "<extra></extra>",
        name=panel.name,
        **axes,
    )
    traces = [sheet]
    if faded:
        traces.append(
            trace(
                "heatmap",
                **position,
                z=fade(grid, 0.88).astype(np.float32),
                zmin=0,
                zmax=1,
                zsmooth="best",
                colorscale=[[0, palette.translucent(i.faded, 0)], [1, palette.translucent(i.faded, 1)]],
                showscale=False,
                hoverinfo="skip",
                name="no terms",
                **axes,
            )
        )
    traces.append(
        trace(
            "contour",
            **position,
            z=z.astype(np.float32),
            contours={
                "coloring": "none",
                "start": np.ceil(common.low / step) * step + step,
                "end": common.high - step / 2,
                "size": step,
                "showlabels": alone,  # among several panels the colour bar tells the levels, and names have room
                "labelfont": {"size": 10, "color": dot, "shadow": palette.halo(halo)},
            },
            line={"color": palette.translucent(dot, 0.4), "width": 0.8, "smoothing": 0.8},
            showscale=False,
            hoverinfo="skip",
            name=f"{panel.name} levels",
            **axes,
        )
    )
    return traces


def _diagonal(grid: Grid, axes, colour) -> dict:
    rate = grid.x.inverse(np.linspace(*grid.x.limits, 64))
    rate = rate[grid.y.inside(rate) & ((rate > max(grid.x.floor, grid.y.floor)) | (grid.scale == "linear"))]
    return trace(
        "scatter",
        x=grid.x.forward(rate),
        y=grid.y.forward(rate),
        mode="lines",
        line={"color": palette.translucent(colour, 0.55), "width": 1, "dash": "dot"},
        hoverinfo="skip",
        name="tpr = fpr",
        **axes,
    )


def _points(terms, weights, inside, grid, axes, marks, z, common, base) -> list:
    labels, selected, size, hover = marks
    i = theme.ink(base)
    group = places(terms, inside, 3000, weights, hover)
    x, y = grid.x.forward(terms.fpr), grid.y.forward(terms.tpr)
    place = weights[group.first]
    marker = {
        "size": np.minimum(3.4 + 0.6 * np.sqrt(group.size - 1), 8).astype(np.float32),
        "line": {"color": palette.translucent(i.muted, 0.6), "width": 0.5},
        "opacity": 0.85,
    }
    if z is None:
        marker |= {"color": place.astype(np.float32), "coloraxis": "coloraxis"}
    else:
        marker |= palette.dots_on(place, common.colours, common.cmin, common.cmax)
    names = np.asarray(terms.terms)
    traces = [
        trace(
            "scattergl",
            x=x[group.first].astype(np.float32),
            y=y[group.first].astype(np.float32),
            mode="markers",
            marker=marker,
            text=group.text,
            customdata=group.numbers,
            hovertemplate=group.hover,
            name="terms",
            **axes,
        )
    ]
    marked = np.flatnonzero(np.isin(names, list(selected)) & inside) if selected else np.empty(0, dtype=int)
    if marked.size:
        inks = (i.selected, palette.halo(i.paper))
        traces.append(_named(names, x, y, marked, inks, axes, grid, "selected"))
    if labels:
        strong = group.first
        limits = (grid.x.limits, grid.y.limits)
        among = np.r_[marked, np.setdiff1d(strong, marked, assume_unique=True)]  # selected names stand whatever comes
        strength = np.r_[np.full(marked.size, np.inf), label_strength(weights, terms)[among[marked.size :]]]
        count = labels + marked.size
        chosen = spread_labels(x[among], y[among], strength, names[among], *limits, count, size, covers=COVERS)
        chosen = among[chosen]
        chosen = np.setdiff1d(chosen, marked)
        dots, halos = _inks(weights[chosen], z is None, common, i)
        inks = (dots, [palette.halo(halo) for halo in halos])
        traces.append(_named(names, x, y, chosen, inks, axes, grid, "strongest"))
    return traces


def _inks(weights, on_paper: bool, common, i) -> tuple[list[str], list[str]]:
    """Ink and halo of terms with these weights: on their surface, or on the page where there is none."""
    if on_paper:
        return [i.text] * len(weights), [i.paper] * len(weights)
    return palette.ink_on(weights, common.colours, common.cmin, common.cmax)


def _named(names, x, y, index, inks, axes, grid, name) -> dict:
    colour, shadow = inks
    size = 9 if name == "selected" else 6
    return trace(
        "scatter",
        x=x[index],
        y=y[index],
        mode="markers+text",
        text=[f"<b>{n}</b>" if name == "selected" else str(n) for n in names[index]],
        textposition=label_sides(x[index], grid.x.limits),
        textfont={"size": 12, "color": colour, "shadow": shadow},
        marker={"size": size, "color": "rgba(0,0,0,0)", "line": {"color": colour, "width": 1.3}},
        hoverinfo="skip",
        name=name,
        cliponaxis=True,
        **axes,
    )


def _axes(grid: Grid, index: int, x, y, outer: tuple[bool, bool], alone: bool) -> dict:
    number = "" if index == 0 else str(index + 1)
    x_values, x_texts = grid.x.ticks()
    y_values, y_texts = grid.y.ticks()
    leftmost, lowest = outer
    ranges = []
    for axis in (grid.x, grid.y):
        low, high = axis.limits
        room = 0.012 * (high - low) if axis.scale == "linear" else 0  # other scales have their margin already
        ranges.append([low - room, high + room])
    shared = {} if index == 0 else {"matches": "x"}
    shared_y = {} if index == 0 else {"matches": "y"}
    return {
        f"xaxis{number}": {
            "domain": list(x),
            "anchor": f"y{number}",
            "range": ranges[0],
            "tickvals": x_values,
            "ticktext": x_texts,
            "showgrid": False,
            "tickangle": 0,
            "title": {"text": "fpr  (of the other documents, how many hold the term)" if alone else "fpr"}
            if lowest
            else {"text": ""},
            **shared,
        },
        f"yaxis{number}": {
            "domain": list(y),
            "anchor": f"x{number}",
            "range": ranges[1],
            "tickvals": y_values,
            "ticktext": y_texts,
            "showgrid": False,
            "showticklabels": leftmost,
            "title": {"text": ("tpr  (of the class's documents)" if alone else "tpr") if leftmost else ""},
            **shared_y,
        },
    }

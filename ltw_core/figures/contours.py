"""The 2D twin of the surfaces: the same panels seen from above, with the terms as points that can be clicked."""

import numpy as np
import plotly.graph_objects as go

from ltw_core.figures import theme
from ltw_core.figures.panels import (
    SurfacePanel,
    caption,
    common_heights,
    fade,
    heading,
    level_step,
    positions,
    sentence,
)
from ltw_core.figures.plane import Grid
from ltw_core.figures.points import Terms, places, spread_labels


def contours(
    panels: list[SurfacePanel],
    grid: Grid,
    terms: Terms | None = None,
    *,
    p: float | None = None,
    title: str = "",
    base: str = "light",
    heights: str = "auto",
    faded: bool = True,
    points: bool = True,
    labels: int = 7,
    selected: list[str] | None = None,
    columns: int | None = None,
    height: int | None = None,
    diagonal: bool = True,
    uirevision: str = "contours",
) -> go.Figure:
    """Draw weightings from above, side by side; parameters as in ``surfaces``.

    A click gives points whose ``text`` names their terms (``terms_of`` splits it). ``diagonal`` draws tpr = fpr,
    where a term says nothing about the class. Panels pan and zoom together.
    """
    i = theme.ink(base)
    common = common_heights(panels, grid, terms, heights, base)
    total = 0 if terms is None else len(terms)
    inside = grid.inside(terms.tpr, terms.fpr) if total else np.zeros(0, dtype=bool)
    per_row = min(columns or len(panels), len(panels))
    rows = -(-len(panels) // per_row)
    height = height or 130 + 330 * rows
    domains = positions(len(panels), columns, top=0.985, bottom=0.0, gap_x=0.03, gap_y=72 / (height - 124))
    traces, layout, words = [], {}, []
    for index, panel in enumerate(panels):
        axes = {"xaxis": f"x{index + 1 if index else ''}", "yaxis": f"y{index + 1 if index else ''}"}
        z, weights = common.z[index], common.weights[index]
        if z is not None:
            traces += _sheet(panel, grid, z, common, axes, faded and bool(total), base)
        if diagonal:
            traces.append(_diagonal(grid, axes, theme.over(common.colours, base)[0]))
        if total and points and weights is not None:
            marks = (labels, selected or [])
            traces += _points(terms, weights, inside, grid, axes, marks, z, common.colours, base)
        x, y = domains[index]
        layout |= _axes(grid, index, x, y, per_row, len(panels))
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
        "title": {"text": heading(title, grid, p, int(inside.sum()), total, base), "y": 0.985, "yanchor": "top"},
        "height": height,
        "margin": {"l": 56, "r": 8, "t": 76, "b": 48},
        "showlegend": False,
        "dragmode": "pan",
        "clickmode": "event+select",
        "uirevision": uirevision,
        "annotations": words,
        "coloraxis": {
            "colorscale": common.colours,
            "cmin": common.cmin,
            "cmax": common.cmax,
            "colorbar": {"len": 1, "y": 0.5, "x": 1.01, "title": {"text": common.unit, "side": "right"}, "nticks": 7},
        },
        "meta": {"alt": sentence("Contour maps", title, panels, grid, p, total if points else 0)},
    }
    return go.Figure(traces, layout)


def _sheet(panel, grid, z, common, axes, faded, base) -> list:
    i, (dot, halo) = theme.ink(base), theme.over(common.colours, base)
    step = level_step(common.low, common.high)
    position = {"x": grid.grid_x.astype(np.float32), "y": grid.grid_y.astype(np.float32)}
    rates = np.stack([100 * grid.tpr, 100 * grid.fpr], axis=-1).astype(np.float32)
    sheet = go.Heatmap(
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
            go.Heatmap(
                **position,
                z=fade(grid, 0.88).astype(np.float32),
                zmin=0,
                zmax=1,
                zsmooth="best",
                colorscale=[[0, theme.translucent(i.faded, 0)], [1, theme.translucent(i.faded, 1)]],
                showscale=False,
                hoverinfo="skip",
                name="no terms",
                **axes,
            )
        )
    traces.append(
        go.Contour(
            **position,
            z=z.astype(np.float32),
            contours={
                "coloring": "none",
                "start": np.ceil(common.low / step) * step + step,
                "end": common.high - step / 2,
                "size": step,
                "showlabels": True,
                "labelfont": {"size": 10, "color": dot, "shadow": theme.halo(halo)},
            },
            line={"color": theme.translucent(dot, 0.4), "width": 0.8, "smoothing": 0.8},
            showscale=False,
            hoverinfo="skip",
            name=f"{panel.name} levels",
            **axes,
        )
    )
    return traces


def _diagonal(grid: Grid, axes, colour) -> go.Scatter:
    rate = grid.x.inverse(np.linspace(*grid.x.limits, 64))
    rate = rate[grid.y.inside(rate) & ((rate > max(grid.x.floor, grid.y.floor)) | (grid.scale == "linear"))]
    return go.Scatter(
        x=grid.x.forward(rate),
        y=grid.y.forward(rate),
        mode="lines",
        line={"color": theme.translucent(colour, 0.55), "width": 1, "dash": "dot"},
        hoverinfo="skip",
        name="tpr = fpr",
        **axes,
    )


def _points(terms, weights, inside, grid, axes, marks, z, colours, base) -> list:
    labels, selected = marks
    i, (dot, halo) = theme.ink(base), theme.over(colours, base)
    group = places(terms, inside, 3000, weights)
    x, y = grid.x.forward(terms.fpr), grid.y.forward(terms.tpr)
    marker = {
        "size": np.minimum(3.4 + 0.6 * np.sqrt(group.size - 1), 8).astype(np.float32),
        "color": weights[group.first].astype(np.float32) if z is None else dot,
        "line": {"color": theme.translucent(halo, 0.7), "width": 0.5},
        "opacity": 0.85,
    }
    if z is None:
        marker["coloraxis"] = "coloraxis"
    names = np.asarray(terms.terms)
    traces = [
        go.Scattergl(
            x=x[group.first].astype(np.float32),
            y=y[group.first].astype(np.float32),
            mode="markers",
            marker=marker,
            text=group.text,
            customdata=group.numbers,
            hovertemplate=group.hover,
            selected={"marker": {"color": i.selected, "opacity": 1}},
            unselected={"marker": {"opacity": 0.75}},
            name="terms",
            **axes,
        )
    ]
    marked = np.flatnonzero(np.isin(names, list(selected)) & inside) if selected else np.empty(0, dtype=int)
    if marked.size:
        traces.append(_named(names, x, y, marked, i.selected, halo, axes, grid, "selected"))
    if labels:
        strong = group.first
        limits = (grid.x.limits, grid.y.limits)
        chosen = strong[spread_labels(x[strong], y[strong], weights[strong], *limits, labels, (0.24, 0.06))]
        traces.append(_named(names, x, y, np.setdiff1d(chosen, marked), dot, halo, axes, grid, "strongest"))
    return traces


def _named(names, x, y, index, colour, halo, axes, grid, name) -> go.Scatter:
    middle, size = sum(grid.x.limits) / 2, 9 if name == "selected" else 6
    return go.Scatter(
        x=x[index],
        y=y[index],
        mode="markers+text",
        text=[f"<b>{n}</b>" if name == "selected" else str(n) for n in names[index]],
        textposition=["middle right" if u < middle else "middle left" for u in x[index]],
        textfont={"size": 12, "color": colour, "shadow": theme.halo(halo)},
        marker={"size": size, "color": "rgba(0,0,0,0)", "line": {"color": colour, "width": 1.3}},
        hoverinfo="skip",
        name=name,
        cliponaxis=True,
        **axes,
    )


def _axes(grid: Grid, index: int, x, y, per_row: int, count: int) -> dict:
    number = "" if index == 0 else str(index + 1)
    x_values, x_texts = grid.x.ticks()
    y_values, y_texts = grid.y.ticks()
    last_of_column = index + per_row >= count
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
            "title": {"text": "fpr  (of the other documents, how many hold the term)" if count == 1 else "fpr"}
            if last_of_column
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
            "showticklabels": index % per_row == 0,
            "title": {
                "text": ("tpr  (of the class's documents)" if count == 1 else "tpr") if index % per_row == 0 else ""
            },
            **shared_y,
        },
    }

"""Likeness of weightings: on the scale from equal weights to another seed, as a map, and as a matrix."""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.label_places import LETTER, beside_points
from ltw_core.figures.plain_figure import PlainFigure, colour_scale
from ltw_core.figures.sentences import listed
from ltw_core.metrics import decimals

NAME = 30  # characters of a weighting's name
HEIGHT = 394  # pixels of the map without its margins
ROW = 34  # pixels of a formula on the scale: as high as the map beside it where there are eleven
SLANT = 60  # degrees of the names above the matrix


@theme.as_figure(uirevision="likeness")
def likeness_scale(
    names: Sequence[str],
    values: Sequence[float],
    *,
    zero: float,
    ceiling: tuple[float, float] | None = None,
    marked: Sequence[str] = (),
    base: str = "light",
) -> PlainFigure:
    """Alignment with each formula as a point, with equal weights and other seeds drawn through all.

    Parameters
    ----------
    names, values : the formulas and their alignment, in the order that they are drawn from the top.
    zero : alignment with equal weights.
    ceiling : least and most alignment with other seeds.
    marked : names in bold.
    """
    i, names, values = theme.ink(base), list(names), [float(v) for v in values]
    if len(names) != len(values):
        raise ValueError(f"{len(names)} names and {len(values)} values are given; each formula needs both")
    figure, rows = PlainFigure(), list(range(len(names)))
    for row, value in zip(rows, values, strict=True):
        line = {"color": i.muted, "width": 1.5}
        figure.add_shape(type="line", x0=zero, x1=value, y0=row, y1=row, line=line, layer="below")
    figure.add(
        "scatter",
        x=values,
        y=rows,
        mode="markers",
        marker={"size": 11, "color": [palette.colour(n, base) for n in names], "line": {"color": i.paper, "width": 1}},
        customdata=[[theme.escape(n), decimals(v)] for n, v in zip(names, values, strict=True)],
        hovertemplate="<b>%{customdata[0]}</b><br>alignment %{customdata[1]}<extra></extra>",
        name="formulas",
    )
    for row, value in zip(rows, values, strict=True):
        outside = {"xanchor": "right", "xshift": -9} if value < zero else {"xanchor": "left", "xshift": 9}
        figure.write(decimals(value), value, row, i.text, **outside)
    ends = [zero, *values, *(ceiling or ())]
    span = 1.04 - min(ends)
    low, high = min(ends) - 0.2 * span, max(1.04, max(ends) + 0.17 * span)  # numbers stand beside the points
    figure.add_vline(zero, line={"color": i.muted, "width": 1.5, "dash": "dash"})
    figure.write(f"equal weights {decimals(zero)}", zero, 1, i.muted, yref="paper", yanchor="bottom")
    if ceiling is not None:
        tint = {"fillcolor": palette.translucent(i.text, 0.14), "line": {"color": i.muted, "width": 1}}
        least, most = ceiling
        figure.add_shape(type="rect", x0=least, x1=most, y0=0, y1=1, yref="y domain", layer="below", **tint)
        said = f"other seeds {decimals(least)}"
        figure.write(said, least, 1, i.text, yref="paper", yanchor="bottom", xanchor="right")
    figure.update_layout(
        height=68 + ROW * max(len(names), 2),
        margin={"l": 8, "r": 8, "t": 34, "b": 34},
        xaxis={"range": [low, high], "title": {"text": "alignment with each formula"}},
        yaxis={
            "range": [len(names) - 0.4, -0.6],
            "showgrid": False,
            "tickvals": rows,
            "ticktext": [f"<b>{_name(n)}</b>" if n in set(marked) else _name(n) for n in names],
            "tickfont": {"size": theme.SIZE["body"], "color": i.text},
        },
    )
    said = listed([f"{n} {decimals(v)}" for n, v in zip(names, values, strict=True)], 12)
    seeds = "" if ceiling is None else f", other seeds {' to '.join(map(decimals, ceiling))}"
    scale = f"equal weights have {decimals(zero)}{seeds}"
    return theme.describe(figure, f"Alignment with formulas: {said or 'none'}; {scale}.")


@theme.as_figure(uirevision="likeness-map", height=470)
def likeness_map(
    names: Sequence[str],
    positions,
    *,
    scores: Mapping[str, float] | None = None,
    score_name: str = "F1",
    far: float | None = None,
    kinds: Mapping[str, str] | None = None,
    explained: float | None = None,
    width: float = 352,
    labels: Mapping[str, str] | None = None,
    base: str = "light",
) -> PlainFigure:
    """Weightings as points: near is alike.

    Parameters
    ----------
    names : str
    positions : array_like, shape (weightings, 2)
        ``Alignments.positions``.
    scores : by name, the colour; those without one are hollow.
    score_name : str
    far : float, optional
        Coloured is how far a score lies behind the best, up to so far; by default the score itself.
    kinds : by name "formula" (a circle), "learned" (a diamond) or "this" (a larger diamond).
    explained : float, optional
        Share of the squared distances that the two dimensions hold.
    width : float
        Pixels that it has on a wide page without its margins, for the names that have room.
    labels : by name what is written beside a point, if not the name, which is under the pointer in any case.
    """
    i, kinds, scores = theme.ink(base), kinds or {}, scores or {}
    xy = np.asarray(positions, dtype=float).reshape(len(names), 2)
    figure = PlainFigure()
    best = max(scores.values(), default=0.0)
    symbols = {"formula": "circle", "learned": "diamond", "this": "diamond"}
    known = [n in scores for n in names]
    for has, which in ((True, np.flatnonzero(known)), (False, np.flatnonzero(~np.array(known, dtype=bool)))):
        some = [names[k] for k in which]
        if not some:
            continue
        marker = {
            "size": [17 if kinds.get(n) == "this" else 12 for n in some],
            "symbol": [symbols.get(kinds.get(n, "formula"), "circle") + ("" if has else "-open") for n in some],
            "line": {"width": 1.5, "color": i.text},
            "color": [scores[n] for n in some] if has else i.muted,
        }
        if has and far is not None:
            marker |= {"colorscale": colour_scale(palette.NEAR_POINTS[base]), "cmin": 0, "cmax": far}
            marker["color"] = [round(best - scores[n], 6) for n in some]
            marker["colorbar"] = theme.bar_of_shortfall(f"{score_name} below the best", -0.06, base)
        elif has:
            span = [min(scores[n] for n in some), max(scores[n] for n in some)]
            marker |= {"colorscale": colour_scale(palette.CIVIDIS), "cmin": span[0] - 1e-3, "cmax": span[1] + 1e-3}
            marker["colorbar"] = theme.bar_below(score_name, -0.06, base)
        figure.add(
            "scatter",
            x=xy[which, 0],
            y=xy[which, 1],
            mode="markers",
            marker=marker,
            customdata=[[theme.escape(n), f"<br>{score_name} {decimals(scores[n])}" if has else ""] for n in some],
            hovertemplate="<b>%{customdata[0]}</b>%{customdata[1]}<extra></extra>",
            name="weightings" if has else f"without {score_name}",
        )
    spread = np.ptp(xy, axis=0) if len(names) else np.ones(2)
    middle = (xy.max(axis=0) + xy.min(axis=0)) / 2 if len(names) else np.zeros(2)
    half = np.maximum(spread, 1e-3 + 0.1 * spread.max()) * np.array([0.63, 0.58])
    limits = [(float(middle[k] - half[k]), float(middle[k] + half[k])) for k in range(2)]
    shown = [_name((labels or {}).get(n, n)) for n in names]
    rows = np.argsort([kinds.get(n) != "this" for n in names], kind="stable")  # what is looked at has its name first
    scale = min(width / (2 * half[0]), HEIGHT / (2 * half[1]))  # pixels of a unit, the same along both axes
    x, y = (scale * (xy[:, k] - middle[k]) + size / 2 for k, size in enumerate((width, HEIGHT)))
    for k, where in beside_points(x, y, shown, (width, HEIGHT), rows).items():
        text = f"<b>{shown[k]}</b>" if kinds.get(names[k]) == "this" else shown[k]
        figure.write(text, float(xy[k, 0]), float(xy[k, 1]), i.text, **where)
    axis = {"showgrid": False, "zeroline": False, "tickvals": [], "title": {"text": ""}}
    figure.update_layout(
        margin={"l": 8, "r": 8, "t": 12, "b": 64},
        showlegend=False,
        xaxis={**axis, "range": list(limits[0])},
        yaxis={**axis, "range": list(limits[1]), "scaleanchor": "x"},
    )
    held = "" if explained is None else f" {explained:.0%} of the squared distances lie in its two dimensions."
    highest = max(scores, key=scores.get, default=None)
    top = "" if highest is None else f" The highest {score_name} is that of {highest}, {decimals(best)}."
    return theme.describe(figure, f"Map of {len(names)} weightings; near is alike.{held}{top}")


@theme.as_figure(uirevision="likeness-matrix")
def likeness_matrix(
    names: Sequence[str], values, *, labels: Mapping[str, str] | None = None, base: str = "light"
) -> PlainFigure:
    """Alignment of each pair of weightings, from 0 to 1; ``labels``: by name what is written at the axes, if not it."""
    i, table = theme.ink(base), np.asarray(values, dtype=float)
    if table.shape != (len(names), len(names)):
        raise ValueError(f"values have shape {table.shape}, expected {(len(names), len(names))}")
    figure, places = PlainFigure(), list(range(len(names)))
    shown = [theme.escape(n) for n in names]
    figure.add(
        "heatmap",
        z=table.tolist(),
        x=places,
        y=places,
        zmin=0,
        zmax=1,
        xgap=1,
        ygap=1,
        colorscale=colour_scale(palette.GREYS[base]),
        colorbar=theme.bar_below("alignment", -0.03, base),
        customdata=[
            [[a, b, decimals(v)] for b, v in zip(shown, row, strict=True)] for a, row in zip(shown, table, strict=True)
        ],
        hovertemplate="<b>%{customdata[0]}</b><br>%{customdata[1]}<br>alignment %{customdata[2]}<extra></extra>",
        name="alignment",
    )
    short = [_name((labels or {}).get(n, n)) for n in names]
    ticks = {"showgrid": False, "tickvals": places, "ticktext": short, "ticklabeloverflow": "allow"}
    ticks["tickfont"] = {"size": theme.SIZE["tick"], "color": i.text}
    last = LETTER * len(short[-1]) * np.cos(np.radians(SLANT)) if short else 0
    figure.update_layout(
        height=190 + 22 * max(len(names), 2),
        margin={"l": 8, "r": 8 + last, "t": 8, "b": 60},
        xaxis={**ticks, "side": "top", "tickangle": -SLANT, "ticklabelshift": -4},
        yaxis={**ticks, "autorange": "reversed"},
    )
    pairs = [(table[a, b], a, b) for a in places for b in places if a < b]
    said = ""
    if pairs:
        (most, a, b), (least, c, d) = max(pairs), min(pairs)
        said = f" Most alike are {names[a]} and {names[b]} ({decimals(most)}), least {names[c]} and "
        said += f"{names[d]} ({decimals(least)})."
    return theme.describe(figure, f"Alignment of {len(names)} weightings with each other.{said}")


def _name(name: str) -> str:
    return theme.shortened(name, NAME)

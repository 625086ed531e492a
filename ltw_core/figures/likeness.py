"""Likeness of weightings: on the scale from equal weights to another seed, as a map, and as a matrix."""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.label_places import LETTER, beside_points
from ltw_core.figures.plain_figure import PlainFigure, colour_scale
from ltw_core.metrics import decimals, listed

NAME = 30  # characters of a weighting's name
HEIGHT = 394  # pixels of the map without its margins, at most
LOWEST = 200  # and so many where all lie in a row
ROW = 34  # pixels of a formula on the scale
LABEL = 16  # pixels of a line of words above it
TOP = 34 + LABEL  # pixels above scale and map, which stand beside each other
BELOW, BAR = 42, 80  # pixels below them: an axis and its title, a scale of colours
FAR_OUT = 0.6  # a weighting so much further out than the next, as a share of what all others span, stands at the edge
HIDDEN = 9  # pixels between points that lie on each other: they have one name
TOUCHING = 16  # pixels between points that have one name where there is no room for two
EDGE = 24  # pixels above and below the points of the map: a name below one is within its frame
CELL = 30  # pixels of a cell of the matrix at most


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
        marker={"size": 11, "color": i.muted, "line": {"color": i.paper, "width": 1}},
        customdata=[[theme.escape(n), decimals(v)] for n, v in zip(names, values, strict=True)],
        hovertemplate="<b>%{customdata[0]}</b><br>alignment %{customdata[1]}<extra></extra>",
        name="formulas",
    )
    for row, value in zip(rows, values, strict=True):
        outside = {"xanchor": "right", "xshift": -9} if value < zero else {"xanchor": "left", "xshift": 9}
        figure.write(decimals(value), value, row, i.text, **outside)
    ends = [zero, *values, *(ceiling or ())]
    span = 1.04 - min(ends)
    low, high = min(ends) - 0.3 * span, max(1.04, max(ends) + 0.28 * span)  # numbers stand beside the points
    figure.add_vline(zero, line={"color": i.muted, "width": 1.5, "dash": "dash"})
    above = {"yref": "paper", "yanchor": "bottom"}
    figure.write(f"equal weights {decimals(zero)}", zero, 1, i.muted, **above)
    if ceiling is not None:
        tint = {"fillcolor": palette.translucent(i.text, 0.14), "line": {"color": i.muted, "width": 1}}
        least, most = ceiling
        figure.add_shape(type="rect", x0=least, x1=most, y0=0, y1=1, yref="y domain", layer="below", **tint)
        said = f"other seeds {decimals(least)}"
        figure.write(said, least, 1, i.text, **above, xanchor="right", yshift=LABEL)  # clear of the one below
    figure.update_layout(
        height=TOP + BELOW + ROW * max(len(names), 2),
        margin={"l": 8, "r": 8, "t": TOP, "b": BELOW},
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


@theme.as_figure(uirevision="likeness-map")
def likeness_map(
    names: Sequence[str],
    positions,
    *,
    scores: Mapping[str, float] | None = None,
    score_name: str = "F1",
    far: float | None = None,
    kinds: Mapping[str, str] | None = None,
    explained: float | None = None,
    size: tuple[float, float] = (352, LOWEST),
    labels: Mapping[str, str] | None = None,
    base: str = "light",
) -> PlainFigure:
    """Weightings as points: near is alike. One that is far from all others is at the edge, with an arrow at its name.

    Parameters
    ----------
    names : str
    positions : array_like, shape (weightings, 2)
        ``Alignments.positions``.
    scores : by name, the colour; those without one are hollow.
    score_name : str
    far : float, optional
        Coloured is how far a score lies behind the best, up to the furthest, at most so far; by default the score.
    kinds : by name "formula" (a circle), "learned" (a diamond) or "this" (a larger diamond);
        "alike" is a formula that is named before others.
    explained : float, optional
        Share of the squared distances that the two dimensions hold.
    size : (float, float)
        Pixels that it has on a wide page without its margins, for the names that have room, and how high it is at
        least, as what stands beside it.
    labels : by name what is written beside a point, if not the name, which is under the pointer in any case.
    """
    i, kinds, scores = theme.ink(base), kinds or {}, scores or {}
    xy = np.asarray(positions, dtype=float).reshape(len(names), 2)
    (xy, arrows), (width, least) = _pinned(xy), size
    spread = np.ptp(xy, axis=0) if len(names) else np.ones(2)
    middle = (xy.max(axis=0) + xy.min(axis=0)) / 2 if len(names) else np.zeros(2)
    half = np.maximum(spread, 1e-3 + 0.1 * spread.max()) * np.array([0.58, 0.5])
    half[1] += EDGE * 2 * half[0] / width
    limits = [(float(middle[k] - half[k]), float(middle[k] + half[k])) for k in range(2)]
    high = int(max(least, min(width * half[1] / half[0], HEIGHT)))
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
            marker["color"] = [round(best - scores[n], 6) for n in some]
            furthest = min(far, max(0.01, *marker["color"]))
            marker |= {"colorscale": colour_scale(palette.NEAR_POINTS[base]), "cmin": 0, "cmax": furthest}
            title = f"{score_name} below the best"
            marker["colorbar"] = theme.bar_of_shortfall(title, -12 / high, base, furthest, max(marker["color"]) > far)
        elif has:
            span = [min(scores[n] for n in some), max(scores[n] for n in some)]
            marker |= {"colorscale": colour_scale(palette.NEAR_POINTS[base][::-1])}
            marker |= {"cmin": span[0] - 1e-3, "cmax": span[1] + 1e-3}
            marker["colorbar"] = theme.bar_below(score_name, -12 / high, base)
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
    shown = [_name((labels or {}).get(n, n)) + arrow for n, arrow in zip(names, arrows, strict=True)]
    this = [k for k, n in enumerate(names) if kinds.get(n) == "this"]
    # what is looked at has its name first, then what is said to be like it, and then what is nearest to it
    rows = np.argsort(np.hypot(*(xy - xy[this[0]]).T), kind="stable") if this else np.arange(len(names))
    rows = sorted(rows, key=lambda k: (k not in this, kinds.get(names[k]) != "alike"))
    scale = min(width / (2 * half[0]), high / (2 * half[1]))  # pixels of a unit, the same along both axes
    x, y = (scale * (xy[:, k] - middle[k]) + size / 2 for k, size in enumerate((width, high)))
    shown, places = _named(x, y, shown, (width, high), rows)
    leader = {"showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": i.muted, "standoff": 7}
    for k, where in places.items():
        text = f"<b>{shown[k]}</b>" if kinds.get(names[k]) == "this" else shown[k]
        figure.write(text, float(xy[k, 0]), float(xy[k, 1]), i.text, **where, **(leader if "ay" in where else {}))
    figure.write("Near means alike", 0, 1, i.muted, on_page=True, xanchor="left", yanchor="bottom")
    axis = {"showgrid": False, "zeroline": False, "tickvals": [], "title": {"text": ""}, "automargin": False}
    axis |= {"showline": True, "mirror": True, "linecolor": i.grid, "linewidth": 1}
    figure.update_layout(
        height=TOP + BAR + high,
        margin={"l": 8, "r": 8, "t": TOP, "b": BAR},
        showlegend=False,
        xaxis={**axis, "range": list(limits[0])},
        yaxis={**axis, "range": list(limits[1]), "scaleanchor": "x"},
        # pixels where it has the layout of a narrow page: one that stands beside nothing is no higher than it has to be
        meta={"below": width + 16 if least > LOWEST else 0.9 * width},
    )
    held = "" if explained is None else f" {explained:.0%} of the squared distances lie in its two dimensions."
    highest = max(scores, key=scores.get, default=None)
    top = "" if highest is None else f" The highest {score_name} is that of {highest}, {decimals(best)}."
    return theme.describe(figure, f"Map of {len(names)} weightings; near is alike.{held}{top}")


def _named(x, y, shown: list[str], size: tuple[float, float], rows) -> tuple[list[str], dict]:
    """Names and where they are written: points that lie on each other have one, but for what is looked at, and so have
    points that touch where there is no room for two."""
    shown, rows, apart = list(shown), [int(k) for k in rows], []
    for k in rows:
        below = next((j for j in apart[1:] if np.hypot(x[k] - x[j], y[k] - y[j]) < HIDDEN), None)
        if below is None:
            apart.append(k)
        else:
            shown[below] = _joined(shown[below], shown[k])
    places = beside_points(x, y, shown, size, apart)
    placed = [k for k in apart if k in places]
    for k in sorted(set(apart) - set(places)):
        touching = {j: off for j in placed if (off := np.hypot(x[k] - x[j], y[k] - y[j])) < TOUCHING}
        if not touching:
            continue
        joined, near = list(shown), min(touching, key=touching.get)
        joined[near] = _joined(shown[near], shown[k])
        together = beside_points(x, y, joined, size, placed)
        if len(together) == len(placed):
            shown, places = joined, together
    return shown, places


def _joined(name: str, other: str) -> str:
    """Two names as one: "IDF, BM25" is IDF and IDF (BM25)."""
    begins = f"{name} ("
    return f"{name}, {other[len(begins) : -1] if other.startswith(begins) else other}"


def _pinned(xy: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Places where what lies far out is at the edge, and by point the arrow that says where to, or ""."""
    xy, arrows = xy.copy(), [""] * len(xy)
    for along, marks in enumerate(("←→", "↓↑")):
        for outwards, mark in zip((-1, 1), marks, strict=True):
            if len(xy) < 5:
                continue
            *rest, last = np.argsort(outwards * xy[:, along])
            edge, span = outwards * xy[rest[-1], along], np.ptp(xy[rest], axis=0)
            if outwards * xy[last, along] - edge > FAR_OUT * span.max():
                xy[last, along] = outwards * (edge + FAR_OUT / 2 * span.max())
                arrows[last] += f" {mark}"
    return xy, arrows


@theme.as_figure(uirevision="likeness-matrix")
def likeness_matrix(
    names: Sequence[str],
    values,
    *,
    width: float = 352,
    labels: Mapping[str, str] | None = None,
    base: str = "light",
) -> PlainFigure:
    """Alignment of each pair of weightings, the most alike beside each other, from the lowest alignment to 1.

    ``width``: pixels without its margins; ``labels`` are those of ``likeness_map``.
    """
    i, table = theme.ink(base), np.asarray(values, dtype=float)
    if table.shape != (len(names), len(names)):
        raise ValueError(f"values have shape {table.shape}, expected {(len(names), len(names))}")
    order = _beside_each_other(table)
    names, table = [names[k] for k in order], table[np.ix_(order, order)]
    figure, places = PlainFigure(), list(range(len(names)))
    shown = [theme.escape(n) for n in names]
    figure.add(
        "heatmap",
        z=table.tolist(),
        x=places,
        y=places,
        zmin=np.floor(10 * table.min(initial=0.9)) / 10,
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
    ticks |= {"ticks": "outside", "ticklen": 4, "tickcolor": i.paper}  # unseen: names keep their distance
    longest = LETTER * max(map(len, short), default=0)
    cell = min((width - longest) / max(len(names), 2), CELL)
    figure.update_layout(
        height=78 + longest + cell * max(len(names), 2),
        margin={"l": 8, "r": 8, "t": 8, "b": 60},
        xaxis={**ticks, "side": "top", "tickangle": -90, "constrain": "domain"},
        yaxis={**ticks, "autorange": "reversed", "scaleanchor": "x", "constrain": "domain"},
    )
    pairs = [(table[a, b], a, b) for a in places for b in places if a < b]
    said = ""
    if pairs:
        (most, a, b), (least, c, d) = max(pairs), min(pairs)
        said = f" Most alike are {names[a]} and {names[b]} ({decimals(most)}), least {names[c]} and "
        said += f"{names[d]} ({decimals(least)})."
    return theme.describe(figure, f"Alignment of {len(names)} weightings with each other.{said}")


def _beside_each_other(table: np.ndarray) -> list[int]:
    """An order of weightings in which neighbours are alike: of the leaves of an average-linkage tree."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(table) < 3:
        return list(range(len(table)))
    apart = squareform(1 - (table + table.T) / 2, checks=False)
    return leaves_list(linkage(apart, "average", optimal_ordering=True)).tolist()


def _name(name: str) -> str:
    return theme.shortened(name, NAME)

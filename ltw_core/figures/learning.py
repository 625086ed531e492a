"""Learning curves: F1 by number of labelled documents, a line with its band of chance for each weighting."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.label_places import in_rows
from ltw_core.figures.lines import LEADER, NAMED_THERE, apart
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.metrics import decimals

TICK_GAP, NARROW_GAP = 0.06, 0.17  # of the axis, at least, between two numbers; on a narrow page
NAMES = 300  # pixels that names take in a line above the plot of a narrow page
LABEL_GAP = 0.055  # of the axis, between two names at the lines' ends
TOOLBAR = 0.04  # of the axis, under the toolbar: a name there would have it moved up
BAND = 0.14  # opacity: where bands lie on each other their colours are mixed


@dataclass(frozen=True, eq=False)
class LearningLine:
    """One weighting's curve.

    Attributes
    ----------
    method : str
        Gives the colour.
    label : str
    mean, low, high : ndarray, shape (sizes,)
        NaN where not known; the ends of an interval also where there is none.
    """

    method: str
    label: str
    mean: np.ndarray
    low: np.ndarray
    high: np.ndarray


@theme.as_figure(height=400, uirevision="learning")
def learning_curves(
    lines: Sequence[LearningLine],
    sizes: Sequence[int],
    positives: Sequence[str],
    *,
    n_train: int,
    measure: str = "F1",
    said: str = "",
    nothing: str = "",
    narrow: bool = False,
    base: str = "light",
) -> PlainFigure:
    """Lines over a log axis of labelled documents, each in a band from ``low`` to ``high`` and named at the end of its
    longest piece.

    Parameters
    ----------
    lines : list of LearningLine
    sizes : list of int
        Labelled documents, ascending; the axis holds all of them while lines are still growing.
    positives : list of str
        How many of the class each size holds: the number, then words.
    n_train : int
        All documents there are to be labelled.
    measure : str
    said : str
        What the figure says.
    nothing : str
        What stands in the middle as long as there is no line; it breaks after full stops and semicolons.
    narrow : bool
        For a narrow page: fewer numbers on the axis.
    """
    i, figure, x = theme.ink(base), PlainFigure(), np.asarray(sizes, dtype=float)
    for line in lines:
        colour = palette.colour(line.method, base)
        low, high = _band(line, x == n_train)
        known = np.isfinite(low)
        figure.add(
            "scatter",
            x=[at for run in _runs(known) for at in (*x[run], *x[run][::-1], None)][:-1],
            y=[at for run in _runs(known) for at in (*high[run], *low[run][::-1], None)][:-1],
            mode="lines",
            fill="toself",
            fillcolor=palette.translucent(colour, BAND),
            line={"width": 0},
            hoverinfo="skip",
            name=theme.escape(line.label),
        )
    means = np.array([line.mean for line in lines]).reshape(len(lines), x.size)
    some = np.isfinite(means).any(axis=0)
    figure.add(
        "scatter",
        x=x[some],
        y=np.nanmax(means[:, some], axis=0) if some.any() else [],
        mode="markers",
        marker={"size": 1, "opacity": 0, "color": i.muted},
        customdata=[[theme.escape(text)] for text, shown in zip(positives, some, strict=True) if shown],
        hovertemplate="%{customdata[0]}<extra></extra>",
        name="positives",
    )
    if nothing:
        in_lines = nothing.replace(". ", ".<br>").replace("; ", ";<br>")
        clear = {"bgcolor": i.paper, "borderpad": 6}  # no line of the grid runs through it
        figure.write(in_lines, 0.5, 0.55, i.muted, size=theme.SIZE["body"], on_page=True, **clear)
    ends = {}
    for number, line in enumerate(lines):
        colour, known = palette.colour(line.method, base), np.isfinite(line.mean)
        figure.add(
            "scatter",
            x=[at for run in _runs(known) for at in (*x[run], None)][:-1],
            y=[at for run in _runs(known) for at in (*line.mean[run], None)][:-1],
            mode="lines+markers",
            line={"color": colour, "width": 3 if palette.is_learned(line.method) else 2},
            marker={"size": 6, "color": colour},
            customdata=[
                [text]
                for run in _runs(known)
                for text in (*(decimals(line.mean[s]) + _interval(line, s) for s in run), "")
            ][:-1],
            hovertemplate="%{customdata[0]}",
            name=theme.escape(line.label),
        )
        if known.any():
            ends[number] = float(line.mean[_end(line)])
    low, high = -0.02, 1.02  # whatever is known: it does not change while points come
    places = apart(ends, LABEL_GAP * (high - low), low, high - TOOLBAR)
    # single points may hide each other: where there is room their names say where they are
    values = {number: f" {decimals(end)}" * (bool(nothing) and not narrow) for number, end in ends.items()}
    # a narrow page has the names above, from the highest end on: beside the lines they would take a third of it
    order = sorted(places, key=places.get, reverse=narrow)
    rows = in_rows([lines[number].label for number in order], NAMES)
    row = max((row for _, row in rows), default=0)
    leads = any(abs(y - ends[number]) > NAMED_THERE * (high - low) for number, y in places.items()) and not narrow
    for number, (across, up) in zip(order, rows, strict=True):
        line, colour, at = lines[number], palette.colour(lines[number].method, base), _end(lines[number])
        beside = {"xshift": 10 + (LEADER - 2) * leads}
        above = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "xshift": across, "yshift": 4 + 18 * up}
        figure.write(
            f"<b>{theme.escape(line.label)}</b>{values[number]}",
            *((0, 1) if narrow else (np.log10(x[at]), places[number])),
            theme.legible(colour, base),
            xanchor="left",
            **(above if narrow else beside),
        )
        if leads:
            # beyond the axis a shape would be cut off but on the page's own scale
            start = {"xref": "paper", "xanchor": 1, "x0": 1} if at == x.size - 1 else {"xanchor": x[at], "x0": 5}
            to_name = {**start, "x1": start["x0"] + LEADER, "y0": ends[number], "y1": places[number]}
            figure.add_shape(type="line", xsizemode="pixel", **to_name, line={"color": colour, "width": 1})
    first, last = (np.log10(x[0]), np.log10(x[-1])) if x.size else (1.0, 2.0)
    whole = (last - first) or 1
    left, right = (0.08, 0.08) if narrow else (0.03, 0.006)  # the lowest F1 stands left of the first size
    ticks = _ticks(sizes, NARROW_GAP if narrow else TICK_GAP)
    of = {size: text.partition(" ") for size, text in zip(sizes, positives, strict=True)}
    below = next((f"{'<br>' if narrow else '; '}below, how many are {rest}" for _, _, rest in of.values() if rest), "")
    longest = max((len(line.label) for line in lines), default=0)
    figure.update_layout(
        showlegend=False,
        hovermode="x unified",
        margin={"l": 52, "r": 12, "t": 30 + 18 * row, "b": 80}
        if narrow
        else {"l": 52, "r": 20 + LEADER + 8 * (longest + 5 * bool(nothing)), "t": 12, "b": 62},
        xaxis={
            "type": "log",
            "range": [first - left * whole, last + right * whole],
            "tickvals": ticks,
            "ticktext": ["all " * (size == n_train) + f"{size:,}<br>{of[size][0]}" for size in ticks],
            "tickangle": 0,
            "hoverformat": ",d",
            "title": {"text": f"labelled documents{below}"},
            "showgrid": False,
        },
        yaxis={"range": [low, high], "tickformat": ".2~f", "nticks": 7, "title": {"text": measure}},
    )
    return theme.describe(figure, said or f"{measure} by number of labelled documents: nothing is known yet.")


def _runs(known: np.ndarray) -> list[np.ndarray]:
    """Places of what is known, in pieces: a line does not go on across what is not known yet."""
    places = np.flatnonzero(known)
    return np.split(places, np.flatnonzero(np.diff(places) > 1) + 1) if places.size else []


def _band(line: LearningLine, everything: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of the interval; of all documents there is one sample, and without an interval the band closes in its
    score."""
    point = everything & ~np.isfinite(line.low) & np.roll(np.isfinite(line.low), 1)
    return tuple(np.where(point, line.mean, end) for end in (line.low, line.high))


def _end(line: LearningLine) -> int:
    """Where a line is named: at the end of its longest piece."""
    return int(max(_runs(np.isfinite(line.mean)), key=len)[-1])


def _interval(line: LearningLine, s: int) -> str:
    if not np.isfinite(line.low[s]):
        return ""
    return f" ({decimals(line.low[s])} to {decimals(line.high[s])})"


def _ticks(sizes: Sequence[int], gap: float) -> list[int]:
    """Sizes that have room for their number on a log axis; the largest has it always."""
    kept: list[int] = []
    whole = np.log(sizes[-1] / sizes[0]) if len(sizes) else 0.0
    for size in reversed(sizes):
        if not kept or np.log(kept[-1] / size) >= gap * whole:
            kept.append(size)
    return kept[::-1]

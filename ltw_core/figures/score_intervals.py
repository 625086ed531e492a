"""Macro F1 with its interval, a row a weighting and classifier, the highest on top."""

from collections.abc import Sequence
from typing import NamedTuple

from ltw_core.figures import palette, theme
from ltw_core.figures.differences import ROW, TICKS
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.plane import nice_step
from ltw_core.metrics import decimals, listed


class DrawnScore(NamedTuple):
    """A score to draw.

    name : what the row is called.
    value : the score; None where it is not known yet.
    interval : its ends; None where it has none.
    method : whose colour it has.
    best : whether it is the highest, and bold.
    id : what a click reports (``customdata[0]``).
    alike : whether it is not distinguishable from the highest, which "≈" says.
    """

    name: str
    value: float | None = None
    interval: tuple[float, float] | None = None
    method: str = ""
    best: bool = False
    id: str = ""
    alike: bool = False


@theme.as_figure(uirevision="scores")
def score_intervals(
    rows: Sequence[DrawnScore],
    *,
    measure: str = "macro F1",
    chosen: int | None = None,
    narrow: bool = False,
    base: str = "light",
) -> PlainFigure:
    """A point and its 95% interval for each row, in the order given, its score at the right.

    Parameters
    ----------
    rows : sequence of DrawnScore
    measure : str
    chosen : int, optional
        The row that is looked at: a band lies behind it, its name and its score.
    narrow : bool
        For a narrow page: fewer numbers on the axis.
    """
    i, figure = theme.ink(base), PlainFigure()
    low, high = [], []
    right = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 10, "size": theme.SIZE["body"]}
    for k, row in enumerate(rows):
        if row.value is None:
            figure.write("–", y=k, colour=i.muted, **right)
            continue
        ends = row.interval or (row.value, row.value)
        low.append(min(*ends, row.value))
        high.append(max(*ends, row.value))
        colour = palette.colour(row.method, base)
        told = f", 95% interval {decimals(ends[0])} to {decimals(ends[1])}" if row.interval else ""
        figure.add(
            "scatter",
            x=[row.value],
            y=[k],
            mode="markers",
            marker={"size": 10, "color": colour, "line": {"width": 1, "color": i.paper}},
            error_x=theme.whiskers([row.value], low[-1:], high[-1:], color=colour),
            customdata=[[row.id, told]],
            hovertemplate=f"<b>{theme.escape(row.name)}</b><br>{measure} {decimals(row.value)}%{{customdata[1]}}"
            "<extra></extra>",
            name=theme.escape(row.name),
        )
        text = decimals(row.value) + "\u2004≈" * row.alike
        figure.write(f"<b>{text}</b>" if row.best else text, y=k, colour=i.text, **right)
    if chosen is not None:
        band = {"x0": -2, "x1": 2, "y0": chosen - 0.46, "y1": chosen + 0.46}
        figure.add_shape(type="rect", xref="paper", layer="below", **band, line={"width": 0}, fillcolor=i.grid)
    least, most = min(low, default=0.0), max(high, default=1.0)
    step = nice_step(max(most - least, 0.01) / (2 if narrow else TICKS))
    digits = max(1, len(f"{step:g}".partition(".")[2]))
    at = [step * k for k in range(int(least / step), int(most / step) + 2)]
    room = 0.05 * max(most - least, 0.01)
    figure.update_layout(
        showlegend=False,
        height=58 + (ROW + 4) * max(len(rows), 2),
        margin={"l": 8, "r": 58, "t": 8, "b": 46},
        xaxis={
            "title": {"text": f"{measure}, with 95% intervals"},
            "range": [least - room, most + room],
            "tickvals": at,
            "ticktext": [decimals(each, digits) if each else "0" for each in at],
        },
        yaxis={
            "range": [max(len(rows), 2) - 0.5, -0.5],
            "tickvals": list(range(len(rows))),
            "ticktext": [theme.escape(row.name) for row in rows],
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
            "ticklabelstandoff": 8,
            "tickfont": {"size": theme.SIZE["body"], "color": i.text},
        },
    )
    said = [f"{row.name} {decimals(row.value)}" for row in rows if row.value is not None]
    return theme.describe(figure, f"{measure.capitalize()} with 95% intervals: {listed(said, 12) or 'there is none'}.")

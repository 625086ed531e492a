"""Figures that answer a reader's hand: what words add to a score, and F1 on test documents that are drawn again."""

from collections.abc import Mapping

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.sentences import listed, number
from ltw_core.metrics import decimals, signed

ROW = 24  # pixels of a bar
BINS = 41


@theme.as_figure(uirevision="parts")
def score_parts(
    parts: Mapping[str, float], *, before: Mapping[str, float] | None = None, base: str = "light"
) -> PlainFigure:
    """What makes a linear classifier's score of a document: one bar a part, first to last from the top.

    ``before``: the same parts before anything was moved, drawn as a thin line at each bar; without it none is.
    """
    i = theme.ink(base)
    names = [*parts][::-1]
    values, former = [float(parts[name]) for name in names], [float((before or parts)[name]) for name in names]
    shown, rows = [theme.escape(name) for name in names], list(range(len(names)))
    colours, low, high = palette.scale_for(-1.0, 1.0, base)
    against, for_it = palette.hex_colours(palette.paint(np.array([-0.7, 0.7]), colours, low, high))
    figure = PlainFigure()
    figure.add(
        "bar",
        x=values,
        y=rows,
        orientation="h",
        marker={"color": [for_it if value > 0 else against for value in values], "line": {"width": 0}},
        customdata=[[name, signed(value)] for name, value in zip(shown, values, strict=True)],
        hovertemplate="<b>%{customdata[0]}</b> adds %{customdata[1]}<extra></extra>",
        name="adds",
    )
    if before is not None:
        figure.add(
            "scatter",
            x=former,
            y=rows,
            mode="markers",
            marker={"symbol": "line-ns", "size": 15, "line": {"width": 2, "color": i.text}},
            customdata=[signed(value) for value in former],
            hovertemplate="before: %{customdata}<extra></extra>",
            name="before",
        )
    reach = 1.45 * max(map(abs, (*values, *former)), default=1) or 1.0
    for row, value, was in zip(rows, values, former, strict=True):  # beyond both, so that it hides neither
        end, side = max(value, was), {"xanchor": "left", "xshift": 5}
        if value < 0:
            end, side = min(value, was), {"xanchor": "right", "xshift": -5}
        figure.write(signed(value, 2), end, row, i.text, **side)
    figure.update_layout(
        height=70 + ROW * len(names),
        margin={"l": 8, "r": 8, "t": 8, "b": 40},
        bargap=0.3,
        showlegend=False,
        xaxis={"range": [-reach, reach], "title": {"text": "what it adds to the score"}, "zeroline": True},
        yaxis={
            "tickvals": rows,
            "ticktext": shown,
            "showgrid": False,
            "tickfont": {"size": theme.SIZE["body"], "color": i.text},
        },
    )
    said = [f"{name} {number(parts[name])}" for name in parts]
    return theme.describe(figure, f"What makes the score: {listed(said, 12)}.")


@theme.as_figure(height=260, uirevision="drawn")
def f1_drawn(drawn: np.ndarray, f1: float, limits: tuple[float, float], *, base: str = "light") -> PlainFigure:
    """F1 on test documents drawn again, as often as ``drawn`` is long, beside that of those at hand.

    Parameters
    ----------
    drawn : array of float, shape (draws,)
    f1 : of the documents at hand.
    limits : ends of the axis, the same however many were drawn.
    """
    i, drawn = theme.ink(base), np.asarray(drawn, dtype=float)
    low, high = limits
    edges = np.linspace(low, high, BINS + 1)
    counts, _ = np.histogram(np.clip(drawn, low, high), edges)
    figure = PlainFigure()
    figure.add(
        "bar",
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts,
        width=float(edges[1] - edges[0]),
        marker={"color": palette.colour("TFRF", base), "line": {"width": 0}},
        customdata=[decimals(v) for v in (edges[:-1] + edges[1:]) / 2],
        hovertemplate="F1 about %{customdata}: %{y:,} times<extra></extra>",
        name="F1",
    )
    top = max(int(counts.max(initial=0)), 1)
    figure.add_vline(f1, line={"color": i.text, "width": 2})
    figure.write("these documents", f1, 1.16 * top, i.text, xanchor="center", bgcolor=i.paper)
    told = f"F1 on test documents drawn again, {len(drawn):,} times"
    if len(drawn) >= 100:
        ends = np.quantile(drawn, (0.025, 0.975))
        for end in ends:
            figure.add_vline(float(end), line={"color": i.muted, "width": 1.5, "dash": "dash"})
        told += f": the middle 95% from {decimals(ends[0])} to {decimals(ends[1])}"
    figure.update_layout(
        margin={"l": 8, "r": 8, "t": 8, "b": 40},
        bargap=0.05,
        showlegend=False,
        xaxis={"range": [low, high], "title": {"text": "F1"}, "tickformat": ".2f"},
        yaxis={
            "range": [0, 1.3 * top],
            "title": {"text": "times"},
            "tickformat": ",d",
            "dtick": 1 if top < 6 else None,
        },
    )
    return theme.describe(figure, f"{told}; {decimals(f1)} on those at hand.")

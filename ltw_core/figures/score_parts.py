"""Figures that answer a reader's hand: what words add to a score, and F1 on test documents that are drawn again."""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.bars import comparison_frame
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.sentences import number
from ltw_core.metrics import decimals, listed, signed

ROW = 20  # pixels of a bar
HIGH = 40  # and of a row that stands alone
BINS = 41
END = 0.2  # of an axis: nearer to its end words stand at the other side of their line


@theme.as_figure(uirevision="parts")
def score_parts(
    parts: Mapping[str, float],
    *,
    before: Mapping[str, float] | None = None,
    about: str = "what it adds to the score",
    row: int = ROW,
    base: str = "light",
) -> PlainFigure:
    """What makes a linear classifier's score of a document: one bar a part, first to last from the top.

    ``before``: the same parts before anything was moved, drawn as a thin line at each bar; ``about`` is under the axis,
    ``row`` pixels a bar.
    """
    i = theme.ink(base)
    names = [*parts][::-1]
    values, former = ([float(some[name]) for name in names] for some in (parts, before or parts))
    shown, rows = [theme.escape(name) for name in names], list(range(len(names)))
    against, for_it = colours(base)
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
    figure.add(
        "scatter",
        x=former,
        y=rows,
        visible=before is not None,
        mode="markers",
        marker={"symbol": "line-ns", "size": 15, "line": {"width": 2, "color": i.text}},
        customdata=[signed(value) for value in former],
        hovertemplate="before: %{customdata}<extra></extra>",
        name="before",
    )
    # a narrow figure has room for a number between the longest bar and the names
    reach = 1.6 * max(map(abs, (*values, *former)), default=1) or 1.0
    for at, value, was in zip(rows, values, former, strict=True):  # beyond both, so that it hides neither
        end, side = max(value, was), {"xanchor": "left", "xshift": 5}
        if value < 0:
            end, side = min(value, was), {"xanchor": "right", "xshift": -5}
        figure.write(signed(value), end, at, i.text, **side)
    figure.update_layout(
        height=70 + row * len(names),
        margin={"l": 8, "r": 8, "t": 8, "b": 40},
        bargap=0.3,
        showlegend=False,
        xaxis={"range": [-reach, reach], "title": {"text": about}, "zeroline": True},
        yaxis={
            "tickvals": rows,
            "ticktext": shown,
            "showgrid": False,
            "tickfont": {"size": theme.SIZE["body"], "color": i.text},
        },
    )
    said = [f"{name} {number(parts[name])}" for name in parts]
    head = "What makes the score" if before is not None else about[:1].upper() + about[1:]
    return theme.describe(figure, f"{head}: {listed(said, 12)}.")


def colours(base: str) -> list[str]:
    """Of bars that speak against the class, and for it."""
    return palette.hex_colours(palette.paint(np.array([-0.7, 0.7]), *palette.scale_for(-1.0, 1.0, base)))


@theme.as_figure(uirevision="asked")
def asked(
    names: Sequence[str],
    about: str,
    limits: tuple[float, float],
    *,
    above: bool = False,
    narrow: bool = False,
    row: int = HIGH,
    base: str = "light",
) -> PlainFigure:
    """An axis with a row a name and no value yet: what a question asks for, before it is answered.

    ``above``: what it is about stands above it, and rows lie as those of ``f1_comparison``, also a ``narrow`` one,
    which takes its place; ``row`` pixels a row.
    """
    i = theme.ink(base)
    figure = PlainFigure()
    figure.add("scatter", x=[None], y=[0], mode="markers", marker={"color": i.muted}, hoverinfo="skip")
    for place in range(len(names)):
        figure.write("?", sum(limits) / 2, place, i.muted, bgcolor=i.paper)
    figure.update_layout(**_rows([*names][::-1], i, row), showlegend=False)
    figure.update_layout(xaxis={"range": [*limits], "title": {"text": about}, "zeroline": limits[0] < 0})
    if above:
        figure.update_layout(
            **comparison_frame(len(names), narrow), title=theme.title(about), xaxis={"title": {"text": ""}}
        )
    return theme.describe(figure, f"{about[:1].upper()}{about[1:]}: not shown yet of {listed([*names], 12)}.")


@theme.as_figure(uirevision="f1_differences")
def f1_differences(found: Mapping[str, tuple[float, float, float]], *, base: str = "light") -> PlainFigure:
    """Differences of F1 and the ends of their intervals, about 0: one row each, first to last from the top."""
    i = theme.ink(base)
    names = [*found][::-1]
    values, lows, highs = zip(*(map(float, found[name]) for name in names), strict=True)
    figure = PlainFigure()
    figure.add(
        "scatter",
        x=values,
        y=[*range(len(names))],
        mode="markers",
        marker={"color": i.text, "size": 11},
        error_x=theme.whiskers(values, lows, highs, color=i.text),
        customdata=[f"{signed(low)} to {signed(high)}" for low, high in zip(lows, highs, strict=True)],
        hovertemplate="%{customdata}<extra></extra>",
        name="difference",
    )
    for row, (value, high) in enumerate(zip(values, highs, strict=True)):
        figure.write(f"<b>{signed(value)}</b>", max(high, 0), row, i.text, xanchor="left", xshift=8)
    reach = 1.5 * max(map(abs, (*lows, *highs))) or 0.01
    figure.update_layout(**_rows(names, i), showlegend=False)
    figure.add_vline(0.0, line={"color": i.text, "width": 1.5})
    figure.update_layout(xaxis={"range": [-reach, reach], "title": {"text": "difference of F1 on the test set"}})
    said = [
        f"{name} {signed(value)}, 95% interval {signed(low)} to {signed(high)}"
        for name, (value, low, high) in found.items()
    ]
    return theme.describe(figure, f"Differences of F1 on the test documents: {listed(said, 12)}.")


def _rows(names: Sequence[str], i: theme.Ink, high: int = HIGH) -> dict:
    """Height, margins and vertical axis of one row a name, from below."""
    return {
        "height": 70 + high * len(names),
        "margin": {"l": 8, "r": 8, "t": 8, "b": 40},
        "yaxis": {
            "tickvals": [*range(len(names))],
            "ticktext": [theme.escape(name) for name in names],
            "range": [-0.6, len(names) - 0.4],
            "showgrid": False,
            "tickfont": {"size": theme.SIZE["body"], "color": i.text},
        },
    }


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
    at = (f1 - low) / (high - low)
    side = "right" if at > 1 - END else "left" if at < END else "center"  # none of it is cut at an end of the axis
    away = {"right": -5, "left": 5}.get(side, 0)
    figure.write("these documents", f1, 1.16 * top, i.text, xanchor=side, xshift=away, bgcolor=i.paper)
    told = f"F1 on test documents drawn again, {len(drawn):,} times"
    if len(drawn) >= 100:
        ends = np.quantile(drawn, (0.025, 0.975))
        for end in ends:
            figure.add_vline(float(end), line={"color": i.muted, "width": 1.5, "dash": "dash"})
        told += f": the middle 95% from {decimals(ends[0])} to {decimals(ends[1])}"
    if not len(drawn):
        empty = (low + f1) / 2 if at > 0.5 else (f1 + high) / 2
        figure.write("each draw’s F1 will stand here", empty, 0.6, i.muted)
    figure.update_layout(
        margin={"l": 8, "r": 8, "t": 8, "b": 40},
        bargap=0.05,
        showlegend=False,
        xaxis={"range": [low, high], "title": {"text": "F1"}, "tickformat": ".2~f"},
        yaxis={
            "range": [0, 1.3 * top],
            "title": {"text": "times"},
            "tickformat": ",d",
            "dtick": 1 if top < 6 else None,
            "showticklabels": len(drawn) > 0,
        },
    )
    return theme.describe(figure, f"{told}; {decimals(f1)} on those at hand.")

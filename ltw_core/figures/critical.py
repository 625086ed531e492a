"""Critical-difference diagram: average ranks on a line, bars joining what does not differ.

After J. Demšar: Statistical comparisons of classifiers over multiple data sets. JMLR 7:1–30, 2006.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.sentences import listed

NAME, NARROW = 130, 96  # pixels beside the axis for a name and its rank; on a phone
SMALL = 11.5  # letters of a phone's
ROW, BAR, TOP = 24, 9, 52  # pixels: a name, a bar, and what lies above the axis


@theme.as_figure(uirevision="ranks")
def critical_difference(
    names: Sequence[str],
    average: Sequence[float],
    difference: float,
    bars: Sequence[tuple[float, float]],
    *,
    labels: Mapping[str, str] | None = None,
    title: str = "",
    narrow: bool = False,
    base: str = "light",
) -> PlainFigure:
    """Methods at their average ranks, best on the left; better half named on the left, the other on the right.

    Parameters
    ----------
    names : methods, which give the colours.
    average : average rank of each.
    difference : Nemenyi's critical difference, drawn as a bracket above the axis.
    bars : spans of ranks in which no two methods differ.
    narrow : for a phone: smaller names, and fewer ticks.
    """
    i, beside = theme.ink(base), NARROW if narrow else NAME
    average = np.asarray(average, dtype=float)
    if len(names) != len(average) or not len(average):
        raise ValueError(f"there are {len(names)} names and {len(average)} ranks; one a method is needed")
    order = np.argsort(average, kind="stable")
    half = -(-len(order) // 2)
    low, high = 1.0, float(max(len(order), 2))
    pad = 0.03 * (high - low)
    bottom = BAR * (len(bars) + 2) + ROW * half  # y counts pixels downwards from the axis
    figure = PlainFigure()
    line = {"color": i.muted, "width": 1.2}
    for k in range(int(low), int(high) + 1):
        figure.add_shape(type="line", x0=k, x1=k, y0=0, y1=-6, line=line)
        if (k - 1) % (4 if narrow else 1 if high <= 12 else 2) == 0:
            _words(figure, k, -16, str(k), i.muted, "center", theme.SIZE["tick"])
    figure.add_shape(type="line", x0=low, x1=high, y0=0, y1=0, line=line)
    end = min(low + difference, high)
    for x in (low, end):
        figure.add_shape(type="line", x0=x, x1=x, y0=-38, y1=-30, line={"color": i.text, "width": 1.5})
    figure.add_shape(type="line", x0=low, x1=end, y0=-34, y1=-34, line={"color": i.text, "width": 1.5})
    _words(figure, end, -34, f"  critical difference {difference:.2f}", i.text, "left", theme.SIZE["note"])
    for n, (start, stop) in enumerate(bars):
        y = BAR * (n + 1)
        figure.add_shape(
            type="line", x0=start - 0.06, x1=stop + 0.06, y0=y, y1=y, line={"color": i.text, "width": 3}, layer="below"
        )
    first = BAR * (len(bars) + 2) + ROW / 2
    for position, at in enumerate(order):
        left = position < half
        row = position if left else len(order) - 1 - position
        y, x = first + ROW * row, average[at]
        edge = low - pad if left else high + pad
        colour, name = palette.colour(names[at], base), theme.escape(theme.label(names[at], labels))
        figure.add(
            "scatter",
            x=[x, x, edge],
            y=[0, y, y],
            mode="lines+markers",
            line={"color": colour, "width": 1.6},
            marker={"size": [8, 0, 0], "color": colour},
            hovertemplate=f"<b>{name}</b><br>average rank {x:.2f}<extra></extra>",
            name=str(names[at]),
        )
        rank = f'<span style="color:{i.muted}">{x:.2f}</span>'
        text = f"{name}  {rank}" if left else f"{rank}  {name}"
        _words(
            figure,
            edge,
            y,
            f"{text} " if left else f" {text}",
            i.text,
            "right" if left else "left",
            SMALL if narrow else 13,
        )
    figure.update_layout(
        title=theme.title(f"<b>{title}</b>" if title else ""),
        height=TOP + bottom + (38 if title else 8),
        margin={"l": beside, "r": beside, "t": 34 if title else 4, "b": 4},
        showlegend=False,
        xaxis={"visible": False, "range": [low - pad, high + pad], "fixedrange": True},
        yaxis={"visible": False, "range": [bottom, -TOP], "fixedrange": True},
    )
    ranked = listed(f"{theme.label(names[at], labels)} {average[at]:.2f}" for at in order)
    heading = f"{title}: average" if title else "Average"
    said = f"{heading} ranks of {len(names)} weightings, 1 is best: {ranked}"
    return theme.describe(figure, f"{said}. Ranks further apart than {difference:.2f} differ significantly.")


def _words(figure: PlainFigure, x: float, y: float, text: str, colour: str, anchor: str, size: float) -> None:
    figure.write(text, x, y, colour, size=size, xanchor=anchor, yanchor="middle")

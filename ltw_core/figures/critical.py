"""Critical-difference diagram: average ranks on a line, bars joining what does not differ.

After J. Demšar: Statistical comparisons of classifiers over multiple data sets. JMLR 7:1–30, 2006.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.metrics import listed

NAME, NARROW = 130, 130  # pixels beside the axis for a name and its rank; on a phone, at the left alone
LISTED = 10_000  # where y begins for a phone's list: both are in one figure, of which each page shows its part
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
    last: int = 0,
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
    last : rank at which the axis ends, at least: where two diagrams are compared, the same for both.
    narrow : for a phone: a list by rank with a dot a method, bars upright at its right.
    """
    i = theme.ink(base)
    average = np.asarray(average, dtype=float)
    if len(names) != len(average) or not len(average):
        raise ValueError(f"there are {len(names)} names and {len(average)} ranks; one a method is needed")
    order = np.argsort(average, kind="stable")
    half = -(-len(order) // 2)
    low, high = 1.0, float(max(len(order), 2, last))
    pad = 0.03 * (high - low)
    bottom = BAR * (len(bars) + 2) + ROW * half  # y counts pixels downwards from the axis
    figure = PlainFigure()
    zero = LISTED if narrow else 0
    line = {"color": i.muted, "width": 1.2}
    for k in range(int(low), int(high) + 1):
        figure.add_shape(type="line", x0=k, x1=k, y0=zero, y1=zero - 6, line=line)
        if (k - 1) % (4 if narrow else 1 if high <= 12 else 2) == 0:
            _words(figure, k, zero - 16, str(k), i.muted, "center", theme.SIZE["tick"])
    figure.add_shape(type="line", x0=low, x1=high, y0=zero, y1=zero, line=line)
    end, bracket = min(low + difference, high), {"color": i.text, "width": 1.5}
    for x in (low, end):
        figure.add_shape(type="line", x0=x, x1=x, y0=zero - 38, y1=zero - 30, line=bracket)
    figure.add_shape(type="line", x0=low, x1=end, y0=zero - 34, y1=zero - 34, line=bracket)
    _words(figure, end, zero - 34, f"  critical difference {difference:.2f}", i.text, "left", theme.SIZE["note"])
    for n, (start, stop) in enumerate(bars):
        if narrow:
            joined = [place for place, at in enumerate(order) if start - 1e-9 <= average[at] <= stop + 1e-9]
            x0 = x1 = high + pad * (2 + 1.6 * n)
            y0, y1 = (LISTED + ROW * (place + 0.5) + more for place, more in ((joined[0], -6), (joined[-1], 6)))
        else:
            x0, x1, y0 = start - 0.06, stop + 0.06, BAR * (n + 1)
            y1 = y0
        figure.add_shape(type="line", x0=x0, x1=x1, y0=y0, y1=y1, line={"color": i.text, "width": 3}, layer="below")
    first = BAR * (len(bars) + 2) + ROW / 2
    for position, at in enumerate(order):
        left = position < half
        row = position if left else len(order) - 1 - position
        y, x = first + ROW * row, average[at]
        edge = low - pad if left else high + pad
        colour, name = palette.colour(names[at], base), theme.escape(theme.label(names[at], labels))
        listed_at = LISTED + ROW * (position + 0.5)
        figure.add(
            "scatter",
            x=[x, x, edge, None, x],
            y=[0, y, y, None, listed_at],
            mode="lines+markers",
            line={"color": colour, "width": 1.6},
            marker={"size": [8, 0, 0, 0, 10], "color": colour},
            hovertemplate=f"<b>{name}</b><br>average rank {x:.2f}<extra></extra>",
            name=str(names[at]),
        )
        rank = f'<span style="color:{i.muted}">{x:.2f}</span>'
        left = left or narrow
        edge, y = (low - pad, listed_at) if narrow else (edge, y)
        text = f"{name}  {rank} " if left else f" {rank}  {name}"
        _words(figure, edge, y, text, i.text, "right" if left else "left", 13)
        if narrow:
            figure.add_shape(
                type="line", x0=low, x1=high, y0=y, y1=y, line={"color": i.grid, "width": 1}, layer="below"
            )
    height = ROW * len(order) if narrow else bottom
    figure.update_layout(
        title=theme.title(f"<b>{title}</b>" if title else ""),
        height=TOP + height + (38 if title else 8),
        margin={"l": NARROW if narrow else NAME, "r": 8 if narrow else NAME, "t": 34 if title else 4, "b": 4},
        showlegend=False,
        xaxis={
            "visible": False,
            "range": [low - pad, high + pad * (2 + 1.6 * len(bars) if narrow else 1)],
            "fixedrange": True,
        },
        yaxis={"visible": False, "range": [zero + height, zero - TOP], "fixedrange": True},
    )
    ranked = listed(f"{theme.label(names[at], labels)} {average[at]:.2f}" for at in order)
    heading = f"{title}: average" if title else "Average"
    said = f"{heading} ranks of {len(names)} weightings, 1 is best: {ranked}"
    return theme.describe(figure, f"{said}. Ranks further apart than {difference:.2f} differ significantly.")


def _words(figure: PlainFigure, x: float, y: float, text: str, colour: str, anchor: str, size: float) -> None:
    figure.write(text, x, y, colour, size=size, xanchor=anchor, yanchor="middle")

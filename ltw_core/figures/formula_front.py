"""Formulas that resemble a weighting: likeness against length, and the known formulas as lines to compare with."""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.label_places import LETTER
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.metrics import decimals

NAME = 0.05  # of the axis: the height of a line's name
BELOW = 0.04  # how far below the first point the axis begins at least


@theme.as_figure(height=420, uirevision="formula-front")
def formula_front(
    lengths: Sequence[int],
    likeness: Sequence[float],
    formulas: Sequence[str],
    *,
    known: Mapping[str, float] | None = None,
    chosen: int | None = None,
    narrow: bool = False,
    base: str = "light",
) -> PlainFigure:
    """A front of formulas, from short to long; without any, the known ones that they are to be compared with.

    Parameters
    ----------
    lengths, likeness, formulas : sequences of equal length
        Of each formula: numbers, variables, operators and functions in it, alignment with the weighting, and its text.
    known : mapping of str to float, optional
        Alignment of known functions by symbol, drawn as lines.
    chosen : int, optional
        Place of the formula that stands out.
    narrow : bool
        As it is on a phone: names of lines that are near each other stand one below the other.
    """
    i, known = theme.ink(base), known or {}
    colour = palette.colour("learned", base)
    figure = PlainFigure()
    low = min([*likeness, *known.values()], default=0.0)
    low = max(-0.05, np.floor((low - BELOW) * 20) / 20)
    right = max([*lengths, 10]) * 1.08 + 1
    named: list[tuple[float, list[str]]] = []
    for name, value in sorted(known.items(), key=lambda pair: -pair[1]):
        figure.add(
            "scatter",
            x=[0, right],
            y=[value, value],
            mode="lines",
            line={"color": palette.colour(name, base), "width": 1.4, "dash": "dot"},
            name=theme.escape(name),
            showlegend=False,
            hovertemplate=f"{theme.escape(name)}, a known formula<br>alignment {decimals(value)}<extra></extra>",
        )
        rows = len(named[-1][1]) if narrow and named else 1
        if named and named[-1][0] - value <= NAME * rows * (1.02 - low):  # or names would run into each other
            named[-1][1].append(name)
        else:
            named.append((value, [name]))
    between = "<br>" if narrow else ", "
    for value, names in named:
        first = {"yanchor": "top", "yshift": 9, "align": "left"} if narrow else {}
        figure.write(between.join(map(theme.escape, names)), right, value, i.text, xanchor="left", xshift=4, **first)
    figure.add(
        "scatter",
        x=list(lengths),
        y=list(likeness),
        mode="lines",
        line={"color": colour, "width": 2.2, "shape": "hv"},
        hoverinfo="skip",
        showlegend=False,
        name="front",
    )
    figure.add(
        "scatter",
        x=list(lengths),
        y=list(likeness),
        text=[theme.escape(formula) for formula in formulas],
        mode="markers",
        marker={
            "size": [13 if k == chosen else 9 for k in range(len(lengths))],
            "color": colour,
            "line": {"color": colour, "width": 2.2},
        },
        name="formulas",
        showlegend=False,
        customdata=[decimals(value) for value in likeness],
        hovertemplate="%{text}<br>length %{x}, alignment %{customdata}<extra></extra>",
    )
    longest = max((len(name) for _, names in named for name in (names if narrow else [", ".join(names)])), default=0)
    figure.update_layout(
        margin={"l": 72, "r": 14 + LETTER * longest, "t": 16, "b": 48},
        xaxis={"range": [0, right], "title": {"text": "length of the formula"}, "showgrid": False},
        yaxis={"range": [low, 1.02], "title": {"text": "alignment with the weighting", "standoff": 10}},
    )
    if not formulas:
        said = f"a point here for each{'<br>' if narrow else ' '}formula that is found"
        figure.write(said, 0.5, 0.5, i.muted, on_page=True, size=14, bgcolor=i.paper)
    best = f" The longest, {formulas[-1]}, reaches {decimals(likeness[-1])}." if formulas else ""
    return theme.describe(figure, f"Alignment of {len(formulas)} formulas with the weighting by their length.{best}")

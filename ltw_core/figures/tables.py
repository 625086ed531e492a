"""Tables as colour: F1 of weightings × learners."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure, colour_scale


class Cell(NamedTuple):
    """What a cell of the heat map says beyond its value.

    spread : standard deviation of a mean over seeds, written beside it; NaN where there is none.
    detail : what the pointer is told, a little HTML.
    name : what a click reports (``customdata[0]``).
    """

    spread: float = np.nan
    detail: str = ""
    name: str = ""


@theme.as_figure(uirevision="heatmap")
def f1_heatmap(
    values,
    methods: Sequence[str],
    learners: Sequence[str],
    *,
    labels: Mapping[str, str] | None = None,
    colours: Mapping[str, str] | None = None,
    titles: Sequence[str] | None = None,
    cells: Sequence[Sequence[Cell]] | None = None,
    chosen: tuple[int, int] | None = None,
    base: str = "light",
) -> PlainFigure:
    """F1 of every weighting (rows) with every learner (columns), written into the cells; the best of a column is bold.

    Parameters
    ----------
    values : array_like, shape (methods, learners)
        NaN where a cell wasn't computed (or isn't yet): it stays empty.
    colours : mapping, optional
        The method or function whose colour one that has none takes.
    titles : sequence of str, optional
        Names of the learners in full, for the pointer.
    cells : table of Cell, optional
        What there is to say of each beyond its value.
    chosen : (row, column), optional
        The cell that is looked at; framed.
    """
    i = theme.ink(base)
    table = np.asarray(values, dtype=float)
    if table.shape != (len(methods), len(learners)):
        raise ValueError(f"values have shape {table.shape}, expected {(len(methods), len(learners))}")
    cells = cells or [[Cell()] * len(learners)] * len(methods)
    known = table[np.isfinite(table)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    low = min(low, high - 0.02)
    figure = PlainFigure()
    figure.add(
        "heatmap",
        z=[[None if not np.isfinite(v) else float(v) for v in row] for row in table],
        x=list(learners),
        y=list(range(len(methods))),
        colorscale=colour_scale(palette.CIVIDIS),
        zmin=low,
        zmax=high,
        xgap=2,
        ygap=2,
        showscale=False,
        customdata=[
            [
                [
                    cells[r][c].name,
                    theme.escape(theme.label(m, labels)),
                    cells[r][c].detail,
                    theme.escape(titles[c] if titles is not None else learners[c]),
                ]
                for c in range(len(learners))
            ]
            for r, m in enumerate(methods)
        ],
        hovertemplate="<b>%{customdata[1]}</b> with %{customdata[3]}<br>F1 %{z:.3f}%{customdata[2]}<extra></extra>",
        name="F1",
    )
    best = [np.nanmax(column) if np.isfinite(column).any() else np.nan for column in table.T]
    for r, row in enumerate(table):
        for c, value in enumerate(row):
            if not np.isfinite(value):
                continue
            text = theme.three_decimals(value)
            spread = cells[r][c].spread
            bright = (value - low) / ((high - low) or 1) > 0.55
            figure.write(
                (f"<b>{text}</b>" if value == best[c] else text)
                + (f" ±{theme.three_decimals(spread)}" if np.isfinite(spread) else ""),
                learners[c],
                r,
                "#12151a" if bright else "#ffffff",
                size=13,
            )
    inks = {m: palette.colour((colours or {}).get(m, m), base) for m in methods}
    names = [f'{theme.escape(theme.label(m, labels))}  <span style="color:{inks[m]}">■</span>' for m in methods]
    figure.update_layout(
        height=40 + 28 * max(len(methods), 1),
        margin={"l": 8, "r": 8, "t": 34, "b": 6},
        xaxis={"side": "top", "showgrid": False, "type": "category", "tickfont": {"size": 13, "color": i.text}},
        yaxis={
            "autorange": "reversed",
            "showgrid": False,
            "tickvals": list(range(len(methods))),
            "ticktext": names,
            "tickfont": {"size": 13, "color": i.text},
        },
    )
    if chosen is not None:
        r, c = chosen
        frame = {"x0": c - 0.5, "x1": c + 0.5, "y0": r - 0.5, "y1": r + 0.5}
        figure.add_shape(type="rect", **frame, line={"color": i.accent, "width": 3}, fillcolor="rgba(0,0,0,0)")
    told = f"F1 of {len(methods)} weightings with {len(learners)} learners"
    if known.size:
        r, c = np.unravel_index(np.nanargmax(table), table.shape)
        told += f"; best is {theme.label(methods[r], labels)} with {learners[c]}, {high:.3f}"
    return theme.describe(figure, told + ".")

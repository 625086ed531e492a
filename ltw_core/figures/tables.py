"""Tables as colour: F1 of weightings × learners."""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure, colour_scale, trace


@theme.as_figure(uirevision="heatmap")
def f1_heatmap(
    values,
    methods: Sequence[str],
    learners: Sequence[str],
    *,
    labels: Mapping[str, str] | None = None,
    colours: Mapping[str, str] | None = None,
    titles: Sequence[str] | None = None,
    measure: str = "F1",
    spreads=None,
    details: Sequence[Sequence[str]] | None = None,
    ids: Sequence[Sequence[str]] | None = None,
    chosen: tuple[int, int] | None = None,
    title: str = "",
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
    spreads : array_like, shape (methods, learners), optional
        Standard deviations of means over seeds, written beside them; NaN where there is none.
    details : table of str, optional
        What the pointer is told beyond the value, a little HTML.
    ids : table of str, optional
        Names of the cells, which a click reports (``customdata[0]``).
    chosen : (row, column), optional
        The cell that is looked at; framed.
    """
    i = theme.ink(base)
    table = np.asarray(values, dtype=float)
    if table.shape != (len(methods), len(learners)):
        raise ValueError(f"values have shape {table.shape}, expected {(len(methods), len(learners))}")
    known = table[np.isfinite(table)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    low = min(low, high - 0.02)
    figure = PlainFigure(
        trace(
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
                        ids[r][c] if ids is not None else "",
                        theme.escape(theme.label(m, labels)),
                        details[r][c] if details is not None else "",
                        theme.escape(titles[c] if titles is not None else learners[c]),
                    ]
                    for c in range(len(learners))
                ]
                for r, m in enumerate(methods)
            ],
            hovertemplate="<b>%{customdata[1]}</b> with %{customdata[3]}<br>"
            + measure
            + " %{z:.3f}%{customdata[2]}<extra></extra>",
            name=measure,
        )
    )
    best = [np.nanmax(column) if np.isfinite(column).any() else np.nan for column in table.T]
    for r, row in enumerate(table):
        for c, value in enumerate(row):
            if not np.isfinite(value):
                continue
            text = theme.three_decimals(value)
            spread = np.nan if spreads is None else float(np.asarray(spreads, dtype=float)[r, c])
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
        title=theme.title(f"<b>{title}</b>" if title else ""),
        height=(72 if title else 40) + 28 * max(len(methods), 1),
        margin={"l": 8, "r": 8, "t": 66 if title else 34, "b": 6},
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
    told = f"{measure} of {len(methods)} weightings with {len(learners)} learners"
    if known.size:
        r, c = np.unravel_index(np.nanargmax(table), table.shape)
        told += f"; best is {theme.label(methods[r], labels)} with {learners[c]}, {high:.3f}"
    return theme.describe(figure, told + ".")

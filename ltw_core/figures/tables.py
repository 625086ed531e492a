"""Tables as colour: F1 of weightings × learners."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from ltw_core.figures import theme


def f1_heatmap(
    values,
    methods: Sequence[str],
    learners: Sequence[str],
    *,
    labels: Mapping[str, str] | None = None,
    measure: str = "F1",
    title: str = "",
    base: str = "light",
    height: int | None = None,
    uirevision: str = "heatmap",
) -> go.Figure:
    """F1 of every weighting (rows) with every learner (columns), written into the cells; the best of a column is bold.

    Parameters
    ----------
    values : array_like, shape (methods, learners)
        NaN where a cell wasn't computed (or isn't yet): it stays empty.
    """
    i = theme.ink(base)
    table = np.asarray(values, dtype=float)
    if table.shape != (len(methods), len(learners)):
        raise ValueError(f"values have shape {table.shape}, expected {(len(methods), len(learners))}")
    known = table[np.isfinite(table)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    low = min(low, high - 0.02)
    figure = go.Figure(
        go.Heatmap(
            z=[[None if not np.isfinite(v) else float(v) for v in row] for row in table],
            x=list(learners),
            y=list(range(len(methods))),
            colorscale=theme.CIVIDIS,
            zmin=low,
            zmax=high,
            xgap=2,
            ygap=2,
            showscale=False,
            customdata=[[(labels or {}).get(m, theme.display(m))] * len(learners) for m in methods],
            hovertemplate="<b>%{customdata}</b> with %{x}<br>" + measure + " %{z:.3f}<extra></extra>",
            name=measure,
        )
    )
    best = [np.nanmax(column) if np.isfinite(column).any() else np.nan for column in table.T]
    for r, row in enumerate(table):
        for c, value in enumerate(row):
            if not np.isfinite(value):
                continue
            text = f"{value:.3f}".lstrip("0") if value < 1 else f"{value:.3f}"
            bright = (value - low) / ((high - low) or 1) > 0.55
            figure.add_annotation(
                x=learners[c],
                y=r,
                text=f"<b>{text}</b>" if value == best[c] else text,
                showarrow=False,
                font={"size": 13, "color": "#12151a" if bright else "#ffffff"},
            )
    names = [
        f'{(labels or {}).get(m, theme.display(m))}  <span style="color:{theme.colour(m, base)}">■</span>'
        for m in methods
    ]
    figure.update_layout(
        template=theme.template(base),
        title={"text": f"<b>{title}</b>" if title else "", "font": {"size": 14}},
        height=height or (72 if title else 40) + 28 * max(len(methods), 1),
        margin={"l": 8, "r": 8, "t": 66 if title else 34, "b": 6},
        uirevision=uirevision,
        xaxis={"side": "top", "showgrid": False, "type": "category", "tickfont": {"size": 13, "color": i.text}},
        yaxis={
            "autorange": "reversed",
            "showgrid": False,
            "tickvals": list(range(len(methods))),
            "ticktext": names,
            "tickfont": {"size": 13, "color": i.text},
        },
    )
    told = f"{measure} of {len(methods)} weightings with {len(learners)} learners"
    if known.size:
        r, c = np.unravel_index(np.nanargmax(table), table.shape)
        told += f"; best is {(labels or {}).get(methods[r], theme.display(methods[r]))} with {learners[c]}, {high:.3f}"
    return theme.describe(figure, told + ".")

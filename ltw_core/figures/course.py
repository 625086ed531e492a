"""Quantities along a training, one line each, named at their ends."""

from collections.abc import Mapping

import numpy as np

from ltw_core.figures import theme
from ltw_core.figures.drawing import Drawing, as_figure
from ltw_core.figures.lines import lines


@as_figure
def course(
    steps,
    curves: Mapping[str, np.ndarray],
    *,
    best_step: int | None = None,
    title: str = "",
    unit: str = "",
    base: str = "light",
    height: int = 360,
    uirevision: str = "course",
) -> Drawing:
    """Curves over training steps.

    Parameters
    ----------
    steps : array_like of int
    curves : mapping of display name to values at the steps
    best_step : int, optional
        Marked: the step whose parameters were kept.
    unit : str
        What the values are, for the axis.
    """
    steps = np.asarray(steps, dtype=float)
    figure = lines(steps, curves, normalise=False, base=base, x_is_rate=False)
    if best_step is not None:
        figure.add_vline(x=best_step, line={"color": theme.ink(base).line, "width": 1, "dash": "dot"})
        figure.add_annotation(
            x=best_step,
            y=1,
            yref="paper",
            text="kept",
            showarrow=False,
            xanchor="left",
            yanchor="top",
            xshift=3,
            font={"size": theme.SIZE["note"], "color": theme.ink(base).muted},
        )
    figure.update_layout(
        height=height,
        uirevision=uirevision,
        title={"text": f"<b>{title}</b>", "font": {"size": 14}},
        xaxis={"title": {"text": "step"}, "tickformat": ",d", "hoverformat": ",d"},
        yaxis={"title": {"text": unit}},
    )
    return theme.describe(figure, f"{title}: {', '.join(curves)} over {int(steps.max(initial=0)):,} steps.")

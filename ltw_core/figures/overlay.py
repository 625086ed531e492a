"""Several training runs in one figure: validation F1 above and loss below, a line each, and their mean."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.curves import add_curve, axes, headings, smooth, thinned
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.metrics import decimals, listed


@dataclass(frozen=True)
class TrainingCurve:
    """One training to draw.

    label : what the hover and the legend call it.
    history : sequence of (step, loss, validation F1).
    method : whose colour it takes, without a ``colour``.
    """

    label: str
    history: Sequence
    method: str = "LTW-L-I"
    colour: str | None = None


@theme.as_figure(height=320, uirevision="overlay")
def overlay(
    curves: Sequence[TrainingCurve],
    *,
    mean: Sequence = (),
    smoothing: float = 0.0,
    log_loss: bool = False,
    log_step: bool = False,
    zoom_f1: bool = False,
    base: str = "light",
) -> PlainFigure:
    """Training runs over each other.

    Parameters
    ----------
    curves : sequence of TrainingCurve
    mean : sequence of (step, loss, validation F1)
        Their mean (``ltw_core.insight.mean_curve``), drawn strong; the curves then step back.
    smoothing : float
        Exponential smoothing in [0, 1).
    zoom_f1 : bool
        The axis of F1 begins just below the curves, and not at 0.
    """
    if not 0 <= smoothing < 1:
        raise ValueError(f"smoothing must lie in [0, 1), got {smoothing}")
    i = theme.ink(base)
    figure = PlainFigure()
    steps = [np.zeros(0)]
    for curve in curves:
        colour = curve.colour or palette.colour(curve.method, base)
        thin = palette.translucent(colour, 0.45) if mean else colour
        steps.append(_draw(figure, curve.label, curve.history, thin, 1.1 if mean else 1.8, smoothing))
    if mean:
        colour = palette.colour(curves[0].method, base) if curves else i.text
        _draw(figure, "mean", mean, colour, 3, smoothing)
    f1 = [y for trace in figure.data if trace["yaxis"] == "y2" for y in trace["y"] if y is not None] if zoom_f1 else []
    axes(figure, np.concatenate(steps), f1, log_loss=log_loss, log_step=log_step)
    headings(figure, i.text, i.text)
    if not mean and len(curves) > 1:
        figure.update_layout(
            showlegend=True,
            margin={"t": 62},
            legend={"orientation": "h", "x": 0, "y": 1.1, "yanchor": "bottom", "itemwidth": 30},
        )
    best = [_best(curve.label, curve.history) for curve in curves] + ([_best("their mean", mean)] if mean else [])
    runs = "1 training run" if len(curves) == 1 else f"{len(curves)} training runs"
    said = f" Best validation F1: {listed(best)}." if best else ""
    return theme.describe(figure, f"Training curves of {runs}.{said}")


def _best(label: str, history: Sequence) -> str:
    """Where one of them was best."""
    known = [(f1, step) for step, _, f1 in history if f1 is not None and np.isfinite(f1)]
    if not known:
        return f"{label} none"
    f1, step = max(known, key=lambda one: (one[0], -one[1]))
    return f"{label} {decimals(f1)} at step {step:,.0f}"


def _draw(figure, label, history, colour, width, smoothing) -> np.ndarray:
    step, loss, f1 = thinned(history).T
    shown = theme.escape(label)
    for values, yaxis, name in ((loss, "y", "loss"), (f1, "y2", "F1")):
        style = {"hover": f"<extra>{shown} · {name}</extra>", "legendgroup": label, "showlegend": yaxis == "y2"}
        add_curve(figure, step, smooth(values, smoothing), colour, shown, yaxis, width, **style)
    return step

"""Training as it goes: loss and validation F1 over steps, the best step, and why it ended."""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.metrics import decimals
from ltw_core.weighting import display

POINTS = 1200
LOSS_PANEL, F1_PANEL = [0, 0.18], [0.32, 1]  # parts of the height; the gap holds the lower panel's heading
F1_HEADING = "<b>Validation F1</b>"
RISEN = 2  # a close look at the F1 of what has ended begins with the steps from this part of the best one on
# by the lowest F1
F1_TICKS = ([0.9, 0.95, 1], [0.7, 0.8, 0.9, 1], [0.6, 0.7, 0.8, 0.9, 1], [0.5, 0.75, 1], [0, 0.25, 0.5, 0.75, 1])
HIGH = 0.9  # it ends there where all of a high one is lower: lines that are near each other are told apart


@theme.as_figure(height=320, uirevision="training")
def training(
    history,
    *,
    best_step: int | None = None,
    stop_reason: str = "",
    smoothing: float = 0.0,
    log_loss: bool = False,
    log_step: bool = False,
    zoom_f1: bool = False,
    levels: Sequence[float] = (),
    method: str = "LTW-L-I",
    base: str = "light",
) -> PlainFigure:
    """Two panels, one above the other, that share the axis of steps.

    Parameters
    ----------
    history : sequence of (step, loss, validation F1)
        NaN or None is a gap (no validation set).
    best_step : int, optional
        The step whose parameters are kept; marked. Without it, the first step of the highest F1.
    stop_reason : str
        A sentence, written at the end of the curve.
    smoothing : float
        Exponential smoothing of both curves in [0, 1); the raw ones stay visible, thin.
    zoom_f1 : bool
        The axis of F1 begins just below the curve; by default it goes from 0 to 1, so that it stays while points come.
    levels : sequence of float
        F1 of others that are to be drawn beside it: an enlarged axis holds them, too.
    """
    if not 0 <= smoothing < 1:
        raise ValueError(f"smoothing must lie in [0, 1), got {smoothing}")
    step, loss, f1 = thinned(history, best_step).T
    i, line = theme.ink(base), palette.colour(method, base)
    second = i.muted
    figure = PlainFigure()
    if smoothing:
        add_curve(figure, step, loss, palette.translucent(second, 0.3), "loss, every validation", "y", 1)
    add_curve(figure, step, smooth(loss, smoothing), second, "training loss", "y", 2)
    if smoothing:
        add_curve(figure, step, f1, palette.translucent(line, 0.35), "F1, every validation", "y2", 1)
    add_curve(figure, step, smooth(f1, smoothing), line, "validation F1", "y2", 2.2)
    best = None
    known = np.isfinite(f1)
    if known.any():
        at = np.flatnonzero(step == best_step) if best_step is not None else np.array([np.nanargmax(f1)])
        if at.size:
            best = int(at[0])
            figure.add(
                "scatter",
                x=[step[best]],
                y=[f1[best]],
                yaxis="y2",
                mode="markers",
                marker={"size": 10, "color": i.paper, "line": {"color": line, "width": 2.5}},
                hoverinfo="skip",
                name="best",
            )
            for panel in ("y domain", "y2 domain"):  # not through the words between them
                figure.add_vline(step[best], panel, layer="below", line={"color": i.muted, "width": 1, "dash": "dot"})
    scales = {"log_loss": log_loss, "log_step": log_step}
    rises = known if best is None or best_step is None else known & (step >= step[best] / RISEN)
    shown = [*f1[rises], *levels] if zoom_f1 and known.any() else []
    axes(figure, step, shown, ticks=4, **scales)  # few ticks: it stands in narrow columns
    kept = best is not None and f1[best] < np.nanmax(f1)  # it is the best by something else
    told_best = "" if best is None else f"{'kept' if kept else 'best'} {decimals(f1[best])} at step {int(step[best]):,}"
    headings(figure, theme.legible(line, base), second, f'   <span style="color:{i.muted}">{told_best}</span>')
    if stop_reason:
        figure.write(stop_reason, 1, 1, i.muted, on_page=True, xanchor="right", yanchor="bottom")
    last = int(step.max()) if step.size else 0
    said = f"Training curves of {display(method)}" + (
        f" over {last:,} steps" if last else ": no step has been made yet"
    )
    if best is not None:
        what = "of the step that is kept" if kept else "is best"
        said += f": validation F1 {what}, {decimals(f1[best])}, at step {int(step[best]):,}"
    falls = np.flatnonzero(np.isfinite(loss))
    if falls.size:
        said += f"; the loss goes from {decimals(loss[falls[0]])} to {decimals(loss[falls[-1]])}"
    return theme.describe(figure, said + (f". {stop_reason}" if stop_reason else "."))


def mark_step(figure: PlainFigure, step: int, values: Mapping[str, float], base: str) -> None:
    """Mark a step on the curves of ``training``: its loss on the axis "y", its F1 on "y2"."""
    i = theme.ink(base)
    look = {"size": 7, "color": i.text}  # so small that the ring of the best step is seen around it
    for axis, value in values.items():
        at = {"x": [step], "y": [value], "yaxis": axis, "mode": "markers", "marker": look}
        figure.add("scatter", **at, hoverinfo="skip", name="step")


def axes(figure, step, f1=(), *, log_loss=False, log_step=False, ticks=8) -> None:
    """The two panels: F1 above, loss below, and one axis of steps with at most ``ticks`` ticks.

    The axis of F1 goes from 0 to 1; for a close look it begins a little below the lowest ``f1``, at one of few numbers.
    """
    step, lowest = np.asarray(step, dtype=float), min(f1, default=0)
    f1_ticks = next((found for found in F1_TICKS if found[0] <= lowest - 0.01), F1_TICKS[-1])
    top = HIGH if HIGH in f1_ticks[1:] and max(f1) < HIGH - 0.01 else 1
    f1_ticks = [tick for tick in f1_ticks if tick <= top]
    span = top - f1_ticks[0]
    end = step.max() if step.size else 100
    x_range = [np.log10(max(step[step > 0].min(), 1)) if (step > 0).any() else 0, np.log10(max(end, 2))]
    figure.update_layout(
        margin={"l": 44, "r": 16, "t": 28, "b": 44},
        showlegend=False,
        hovermode="x unified",
        uirevision=f"-{log_step}-{log_loss}-{f1_ticks[0]}-{top}",  # another axis is drawn afresh
        xaxis={
            "anchor": "y",
            "title": {"text": "step"},
            "type": "log" if log_step else "linear",
            "range": x_range if log_step else [-0.01 * end, 1.02 * end],
            "tickformat": ",d",
            "showgrid": False,
            "nticks": ticks,
        },
        yaxis={
            "domain": LOSS_PANEL,
            "title": {"text": ""},
            "type": "log" if log_loss else "linear",
            "rangemode": "tozero",
            "nticks": 3,
            "tickformat": ".3~g",
            **({} if step.size else {"range": [0, 1.15]}),  # before there is any, with room for the highest tick
        },
        yaxis2={
            "domain": F1_PANEL,
            "title": {"text": ""},
            "range": [f1_ticks[0] - 0.02 * span, top + 0.04 * span],
            "tickvals": f1_ticks,
            "ticktext": [f"{tick:g}".removeprefix("0") or "0" for tick in f1_ticks],
        },
    )


def headings(figure, first: str, second: str, note: str = "") -> None:
    """What the two panels show, in the colours of their lines."""
    f1, loss = f"{F1_HEADING}{note}", "<b>Training loss</b> (cross-entropy)"
    for text, y, colour in ((f1, F1_PANEL[1], first), (loss, LOSS_PANEL[1], second)):
        figure.write(text, 0, y, colour, on_page=True, xanchor="left", yanchor="bottom")


def told_instead(figure: PlainFigure, said: str, base: str) -> None:
    """Say something else than the best F1 and its step in a figure's heading, where a line beside it tells them."""
    heading = next(note for note in figure.layout["annotations"] if note["text"].startswith(F1_HEADING))
    heading["text"] = f'{F1_HEADING} <span style="color:{theme.ink(base).muted}">{said}</span>'


def begin_with_column(figure: PlainFigure) -> None:
    """Have the headings begin where all else in their column does, and not where their axes do."""
    for words_there in figure.layout["annotations"]:
        if words_there["x"] == 0:
            words_there["xshift"] = 1 - figure.layout["margin"]["l"]


def thinned(history, best_step: int | None = None) -> np.ndarray:
    """A history as rows (step, loss, F1), of at most about ``POINTS``: evenly spaced, and the best and the last one.

    A training that validates often has more points than a screen, and a live figure sends them twice a second.
    """
    if len(history) > POINTS:
        f1 = np.array([number(row[2]) for row in history])
        best = np.flatnonzero([row[0] == best_step for row in history])
        if not best.size and np.isfinite(f1).any():
            best = [np.nanargmax(f1)]
        even = np.linspace(0, len(history) - 1, POINTS).astype(int)
        history = [history[k] for k in np.unique(np.r_[even, np.asarray(best, dtype=int)])]
    return np.array([(s, number(loss), number(f1)) for s, loss, f1 in history], dtype=float).reshape(-1, 3)


def smooth(values, amount: float) -> np.ndarray:
    """Exponential smoothing that starts unbiased; gaps stay gaps."""
    values = np.asarray(values, dtype=float)
    if not amount:
        return values
    out, state, weight = np.empty_like(values), 0.0, 0.0
    for k, v in enumerate(values):
        if np.isfinite(v):
            state, weight = amount * state + (1 - amount) * v, amount * weight + (1 - amount)
        out[k] = state / weight if np.isfinite(v) else np.nan
    return out


def add_curve(figure: PlainFigure, x, y, colour: str, name: str, yaxis: str, width: float, hover="", **more) -> None:
    """A line over steps in the panel of ``yaxis``; ``hover`` is told after the value."""
    there = np.isfinite(y := np.asarray(y, dtype=float))
    figure.add(
        "scatter",
        x=x,
        y=[float(v) if known else None for v, known in zip(np.round(y, 5), there, strict=True)],
        customdata=[decimals(v) if known else "" for v, known in zip(y, there, strict=True)],
        yaxis=yaxis,
        mode="lines",
        line={"color": colour, "width": width},
        name=name,
        hovertemplate="%{customdata}" + hover,
        **more,
    )


def number(value) -> float:
    """None as NaN."""
    return np.nan if value is None else float(value)

"""A square on which one answers: a click for a point, a curve by hand. The answer is sent when it is revealed."""

from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.lessons import Question, Tally
from ltw_core.metrics import decimals

POINTS = 41  # heights of a sketch
HTML = '<div class="ltw-guess"><svg></svg><output aria-live="polite"></output></div>'
CSS = """
.ltw-guess { max-width: 48rem; color: var(--st-text-color); }
@media (max-width: 1000px) { .ltw-guess { max-width: 34rem; } }  /* seen whole below its question */
.ltw-guess svg { display: block; width: 100%; height: auto; border-radius: .4rem; user-select: none; }
.ltw-guess.open svg { cursor: crosshair; touch-action: none; }
.ltw-guess svg:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
/* as maps and curves have it */
.ltw-guess { --muted: light-dark(#636b74, #9aa2ad); --grid: light-dark(#ebe8e3, #262b33); }
.ltw-guess .frame { fill: var(--st-background-color); stroke: light-dark(#c9c5be, #434a55); }
.ltw-guess .beyond { fill: var(--st-secondary-background-color); opacity: .75; }
.ltw-guess .grid { stroke: var(--grid); }
.ltw-guess .diagonal { stroke: var(--muted); stroke-width: 1.2; stroke-dasharray: 2 3; }
.ltw-guess text { fill: currentColor; font: 13px var(--st-font); }
.ltw-guess :is(.tick, .title, .side) { fill: var(--muted); }
.ltw-guess :is(.tick, .side) { font-size: 12px; }
.ltw-guess .side { font-style: italic; }
.ltw-guess .hint { font-size: 15px; pointer-events: none; fill: color-mix(in srgb, currentColor 72%, transparent);
  stroke: var(--st-background-color); stroke-width: 6px; stroke-linejoin: round; paint-order: stroke; }
.ltw-guess .halo { opacity: 1; fill: color-mix(in srgb, currentColor 75%, var(--st-background-color));
  stroke: var(--st-background-color); stroke-width: 4px; stroke-linejoin: round; paint-order: stroke; }
.ltw-guess .name { font-weight: 600; font-size: 14px; }
.ltw-guess .guess, .ltw-guess .guess path { fill: none; stroke: currentColor; stroke-width: 2.4; }
.ltw-guess polyline.guess { stroke-dasharray: 7 4; }
.ltw-guess .answer { stroke: var(--st-orange-color, #c2410c); fill: none; stroke-width: 3; }
.ltw-guess .revealed .answer { animation: ltw-revealed .6s ease-out; }
@keyframes ltw-revealed { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .ltw-guess .revealed .answer { animation: none; } }
.ltw-guess circle.answer { fill: var(--st-orange-color, #c2410c); }
.ltw-guess .other { fill: none; stroke: var(--st-blue-color, #1f5fa8); stroke-width: 1.4; opacity: .45; }
.ltw-guess circle.other { fill: var(--st-blue-color, #1f5fa8); stroke: none; opacity: .6; }
.ltw-guess .mean { fill: none; stroke: var(--st-blue-color, #1f5fa8); stroke-width: 4; }
.ltw-guess .starred { fill: none; stroke: var(--st-violet-color, #5a45b0); stroke-width: 3.4; }
.ltw-guess circle.starred { fill: var(--st-violet-color, #5a45b0); }
.ltw-guess .cursor { display: none; fill: currentColor; }
.ltw-guess.open svg:focus-visible .cursor[cx] { display: block; }
.ltw-guess output { display: block; min-height: 1.3em; font-size: .85rem; text-align: center; }
"""
_canvas = st.components.v2.component(
    "ltw_guess",
    html=HTML,
    css=CSS,
    js=Path(__file__).with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)
ACROSS = "fpr: share of the other documents that contain the term"
UP = "tpr: share of the class’s documents that contain the term"
HOW = {
    "point": ("Click on the square.", "On a keyboard the arrow keys move the cross."),
    "sketch": ("Draw on the square.", "On a keyboard up and down change the height, left and right go on."),
}


def canvas(question: Question, key: str, guess: Any, answer: Any, label: str) -> Any:
    """Draw it; returns the guess as it stands, None where there is none yet.

    Parameters
    ----------
    guess : the one that was made before.
    answer : None until it is revealed: then nothing can be changed any more.
    label : what is written beside the answer.
    """
    data = _square(question, answer, label)
    data |= {"guess": guess, "open": answer is None, "alt": _alt(question, guess, data["answer"])}
    found = _canvas(key=key, data=data, on_guess_change=lambda: None).get("guess")
    return guess if answer is not None else checked(question.kind, found, data["low"])


def overlay(question: Question, key: str, found: Tally, answer: Any, label: str, starred: dict | None) -> None:
    """The guesses of many on one square, with their mean; ``answer`` is None until it may be seen."""
    mean = [round(v, 4) for v in found.mean] if found.mean is not None else None
    data = _square(question, answer, label) | {"guess": None, "open": False, "mean": mean, "starred": starred}
    told = "" if answer is None else _alt(question, None, data["answer"])
    data |= {"others": list(found.guesses), "alt": f"{len(found.guesses)} guesses and their mean. {told}"}
    _canvas(key=key, data=data)


def _square(question: Question, answer: Any, label: str) -> dict[str, Any]:
    """What is said of the square itself, and the answer on it."""
    settings, sketch = question.settings, question.kind == "sketch"
    shown = None
    if answer is not None:
        shown = _heights(answer) if sketch else [float(rate) for rate in answer]
    return {
        "kind": question.kind,
        "scale": "linear" if sketch else settings.get("scale", "log"),
        "across": settings.get("across", "rate") if sketch else ACROSS,
        "up": settings.get("up", "share of the highest weight") if sketch else UP,
        "low": float(settings.get("low", 0.0)),
        "to": settings.get("to", 1.0),
        "answer": shown,
        "label": label,
    }


def checked(kind: str, value: Any, low: float = 0.0) -> Any:
    """What a browser sent, as a guess; None where it is none."""
    size = POINTS if kind == "sketch" else 2
    if not isinstance(value, list) or len(value) != size:
        return None
    if not all(isinstance(v, int | float) and not isinstance(v, bool) and np.isfinite(v) for v in value):
        return None
    return [float(min(max(v, low), 1.0)) for v in value]


def _heights(curve: Any) -> list[float]:
    return [round(float(v), 4) for v in np.interp(np.linspace(0, 1, 121), curve.x, curve.y)]


def _alt(question: Question, guess: Any, answer: Any) -> str:
    if answer is None:
        return f"A square to answer on. {' '.join(HOW[question.kind])}"
    if question.kind == "sketch":
        at = [f"{decimals(answer[i * 30], 2)} at {25 * i}%" for i in range(5)]
        return f"The answer as a curve: {', '.join(at)}" + (". Your guess is the dashed line." if guess else ".")
    return f"The answer: fpr {100 * answer[0]:.3g}%, tpr {100 * answer[1]:.3g}%" + (
        f". Your guess: fpr {100 * guess[0]:.3g}%, tpr {100 * guess[1]:.3g}%." if guess else "."
    )

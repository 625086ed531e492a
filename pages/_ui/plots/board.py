"""A surface seen from above that one paints on: strokes are made in the browser, and a finished one is sent."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.figures import palette
from ltw_core.figures.contours import POINT_LIMIT
from ltw_core.figures.points import places
from ltw_core.weighting.formulas.spline import LEVELS, coordinate
from pages._ui import words

TICKS = {"log": (0, 0.001, 0.01, 0.1, 1.0), "linear": (0, 0.25, 0.5, 0.75, 1.0)}
HTML = """<div class="ltw-sculpt">
<div class="tools" data-part="tools" role="toolbar" aria-label="Brush">
<span class="group"><button type="button" data-part="raise" title="Paint the surface up (+)">Raise</button>
<button type="button" data-part="lower" title="Paint it down (−)">Lower</button>
<button type="button" data-part="smooth" title="Even it out (S)">Smooth</button></span>
<span class="group"><button type="button" data-part="undo" title="Take the last stroke back (U)">Undo</button>
<button type="button" data-part="redo" title="Make it again (R)">Redo</button></span>
<label>Size <input type="range" data-part="size" min="0.03" max="0.4" step="0.01"></label>
<label>Strength <input type="range" data-part="strength" min="0.1" max="1" step="0.05"></label>
<label data-part="below-line"><input type="checkbox" data-part="below"> Below 0</label>
</div>
<canvas data-part="canvas"></canvas><output class="readout" data-part="readout" aria-live="polite"></output></div>"""
CSS = """
.ltw-sculpt { color: var(--st-text-color); font-family: var(--st-font); }
.ltw-sculpt .tools { display: flex; flex-wrap: wrap; gap: .4rem .75rem; align-items: center; font-size: .875rem;
  margin-bottom: .4rem; }
.ltw-sculpt .tools[hidden], .ltw-sculpt label[hidden] { display: none; }
.ltw-sculpt .group { display: inline-flex; }
.ltw-sculpt button { font: inherit; min-height: 2.5rem; padding: .2rem .65rem; cursor: pointer;
  color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color);
  margin-left: -1px; }
.ltw-sculpt .group button:first-child { border-radius: .4rem 0 0 .4rem; }
.ltw-sculpt .group button:last-child { border-radius: 0 .4rem .4rem 0; }
.ltw-sculpt button[aria-pressed="true"] { background: var(--st-secondary-background-color); font-weight: 600;
  box-shadow: inset 0 -2px 0 var(--st-primary-color); }
.ltw-sculpt button:disabled { opacity: .45; cursor: default; }
.ltw-sculpt label { display: inline-flex; align-items: center; gap: .35rem; min-height: 1.7rem; }
.ltw-sculpt input[type="range"] { width: 5.4rem; accent-color: var(--st-primary-color); }
.ltw-sculpt canvas { display: block; max-width: 100%; }
.ltw-sculpt.open canvas { cursor: crosshair; touch-action: none; }
.ltw-sculpt :is(canvas, button, input):focus-visible { outline: 2px solid var(--st-primary-color);
  outline-offset: 1px; }
.ltw-sculpt .readout { display: block; min-height: 2.6em; font-size: .85rem; font-variant-numeric: tabular-nums; }
.ltw-sculpt .readout[hidden] { display: none; }
@media (pointer: coarse) {
  .ltw-sculpt :is(button, label) { min-height: 44px; }
  .ltw-sculpt input[type="range"] { height: 44px; }
  .ltw-sculpt input[type="checkbox"] { width: 1.25rem; height: 1.25rem; }
}
"""
_board = st.components.v2.component(
    "ltw_sculpt", html=HTML, css=CSS, js=Path(__file__).with_suffix(".js").read_text("utf-8"), isolate_styles=False
)
HAND = "Paint with the pointer or a finger."
KEYS = (
    "With the keyboard the arrow keys move the brush, + and − paint, S smooths, U takes back, R makes again, [ and ] "
    "change the size."
)


@dataclass(frozen=True, eq=False)
class Board:
    """What there is to paint on.

    Attributes
    ----------
    start : array of shape (n, n), in [-1, 1]; rows by tpr, columns by fpr, both from low to high.
    start_id : names it: another one takes the place of what was painted, and undo brings that back.
    scale : "log" or "linear", see ``spline.knots``.
    low : 0, or -1 where one may paint below it.
    terms : the class's terms, which are drawn as points; ``named`` of them with their names.
    answer : heights that are shown beside it, where nothing is to be painted (``fixed``).
    """

    start: np.ndarray
    start_id: str
    scale: str = "log"
    low: int = -1
    terms: Any = None
    named: list[str] = field(default_factory=list)
    answer: np.ndarray | None = None
    titles: tuple[str, str] = ("", "")  # over both, where nothing is to be painted
    fixed: bool = False
    most: int = 560  # pixels a side

    @property
    def sampled(self) -> bool:
        """Whether there are more places of terms than are drawn."""
        if self.terms is None:
            return False
        return np.unique(np.stack([self.terms.tp, self.terms.fp]), axis=1).shape[1] > POINT_LIMIT

    def show(self, key: str) -> np.ndarray:
        """Draw it; returns the heights as they stand."""
        dots, names, named = _points(self.terms, self.named, self.scale)
        at = [[float(coordinate(rate, self.scale)), f"{100 * rate:g}%" if rate else "0"] for rate in TICKS[self.scale]]
        colours, low, high = palette.scale_for(-1.0 if self.low < 0 else 0.0, 1.0, words.base())
        data = {
            "size": len(self.start),
            "levels": LEVELS,
            "start": {"id": self.start_id, "heights": _levels(self.start)},
            "answer": None if self.answer is None else _levels(self.answer),
            "titles": list(self.titles),
            "scale": self.scale,
            "low": self.low,
            "ticks": at,
            "ramp": colours,
            "limits": [low, high],
            "dots": dots,
            "names": names,
            "named": named,
            "open": not self.fixed,
            "most": self.most,
            "alt": f"The surface seen from above: fpr to the right, tpr upwards. {HAND} {KEYS}"
            if not self.fixed
            else f"Seen from above: {self.titles[0]}{'' if self.answer is None else ', and the answer'}.",
        }
        found = _board(key=key, data=data, on_drawn_change=lambda: None).get("drawn")
        return self.start if self.fixed else self.checked(found)

    def checked(self, found: Any) -> np.ndarray:
        """What a browser sent as heights; the start where it sent none, or is about another start."""
        if not isinstance(found, dict) or found.get("id") != self.start_id:
            return self.start
        sent = found.get("heights")
        if not isinstance(sent, list) or len(sent) != self.start.size:
            return self.start
        if not all(isinstance(v, int) and not isinstance(v, bool) and abs(v) <= LEVELS for v in sent):
            return self.start
        return np.array(sent, dtype=float).reshape(self.start.shape) / LEVELS


def _levels(heights: np.ndarray) -> list[int]:
    return np.clip(np.rint(np.asarray(heights) * LEVELS), -LEVELS, LEVELS).astype(int).ravel().tolist()


def _points(terms: Any, chosen: list[str], scale: str) -> tuple[list[int], list[str], list[list]]:
    """Places of terms in thousandths, as many as maps draw; the names of each; and the chosen ones: place and name."""
    if terms is None:
        return [], [], []
    across, up = (np.rint(1000 * coordinate(rate, scale)).astype(int).tolist() for rate in (terms.fpr, terms.tpr))
    group = places(terms, limit=POINT_LIMIT)
    index = terms.term_index
    named = [[across[index[term]], up[index[term]], term] for term in chosen if term in index]
    names = [text.replace("&lt;", "<") for text in group.text]
    return [rate[at] for at in group.first.tolist() for rate in (across, up)], names, named

"""A training as a film: a slider and a play button that move figures of ``plot`` in the browser, without the server."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from ltw_core.figures.plain_figure import json_of
from pages._ui.plots import library

CSS = """
.ltw-timeline { display: flex; align-items: center; gap: .9rem; flex-wrap: wrap; font-size: .93rem;
  color: var(--st-text-color); padding: 0; }
.ltw-timeline button { font: inherit; min-width: 6.4rem; padding: .38rem .8rem; border-radius: .4rem; cursor: pointer;
  color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color); }
.ltw-timeline button::before { content: attr(data-icon) / ""; font: 1.25rem/1 "Material Symbols Rounded";
  vertical-align: -.25rem; display: inline-block; width: 1em; overflow: hidden; margin-right: .4rem; }
.ltw-timeline button:hover { border-color: var(--st-primary-color); color: var(--st-primary-color); }
.ltw-timeline button:focus-visible, .ltw-timeline input:focus-visible { outline: 2px solid var(--st-primary-color);
  outline-offset: 2px; }
.ltw-timeline input { flex: 1 1 10rem; appearance: none; height: 1.5rem; background: none; cursor: pointer; }
.ltw-timeline input::-webkit-slider-runnable-track { height: 3px; border-radius: 2px;
  background: color-mix(in srgb, var(--st-text-color) 30%, transparent); }
.ltw-timeline input::-moz-range-track { height: 3px; border-radius: 2px;
  background: color-mix(in srgb, var(--st-text-color) 30%, transparent); }
.ltw-timeline input::-webkit-slider-thumb { appearance: none; width: 12px; height: 12px; margin-top: -4.5px;
  border-radius: 50%; background: var(--st-text-color); }
.ltw-timeline input::-moz-range-thumb { width: 12px; height: 12px; border: 0; border-radius: 50%;
  background: var(--st-text-color); }
.ltw-timeline output { flex: 0 0 19rem; font-variant-numeric: tabular-nums; text-align: right; }
@media (max-width: 640px) { .ltw-timeline output { text-align: left; } }
"""
_timeline = st.components.v2.component(
    "ltw_timeline",
    html='<div class="ltw-timeline">'
    '<button type="button" title="Play up to the step that was kept, or pause" data-icon="play_arrow">Play</button>'
    '<input type="range" min="0" step="1" aria-label="Snapshot of the training" '
    'title="Move to a snapshot; the arrow keys move by one"><output></output></div>',
    css=CSS,
    js=library.SHARED + Path(__file__).with_name("timeline.js").read_text("utf-8"),
    isolate_styles=False,
)


def timeline(
    key: str,
    *,
    names: dict[str, str],
    course: Sequence[tuple[int, float, float]],
    best: int | None,
    start: int,
    surface: dict[str, Any],
    bars: list[dict[str, Any]],
    alts: dict[str, list[str]],
    now: tuple[int, int],
) -> None:
    """Move three figures through the snapshots of a training run.

    Parameters
    ----------
    key : names the training run: another one starts at ``start``, which is the step that was kept: a film ends there.
    names : the ``plot`` keys of "surface", "curves" and "bars"; not live ones, whose changes are sent another way.
    course : step, loss and validation F1 at every snapshot.
    surface : data of ``figures.frames.surface_frames``.
    bars : first trace of the bar chart at every snapshot.
    alts : what "surface" and "bars" say at every snapshot, and what is "told" below the bars.
    now : traces of the curves' figure that mark the snapshot: of the loss, of F1.
    """
    number = lambda v: None if v is None or v != v else float(v)  # noqa: E731
    _timeline(
        key="timeline",
        data={
            "key": key,
            "names": names,
            "steps": [step for step, *_ in course],
            "loss": [number(loss) for _, loss, _ in course],
            "f1": [number(f1) for *_, f1 in course],
            "best": best,
            "start": start,
            "surface": json.dumps(surface),
            "bars": json_of(bars).decode(),
            "alts": alts,
            "now": list(now),
        },
    )

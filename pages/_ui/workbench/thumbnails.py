"""This reader's training runs below the stage, each a small picture of what it learned; a click shows one above."""

import base64
from collections.abc import Callable
from pathlib import Path

import orjson
import streamlit as st

from ltw_core.figures import term_grid
from ltw_core.figures.thumbnail import SIZE, thumbnail
from pages._ui import words
from pages._ui.result_cache import kept
from pages._ui.training import lookup
from pages._ui.training.run import PastRun, Run

MOST = 16
HERE = Path(__file__)
_strip = st.components.v2.component(
    "ltw_runs",
    html='<ul class="ltw-runs" aria-label="Your training runs, newest first"></ul>',
    css=HERE.with_suffix(".css").read_text("utf-8"),
    js=HERE.with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)


def strip(shown: Run | None, choose: Callable[[Run], None]) -> None:
    """The newest runs that have learned something, of all classes; ``choose`` is called with one that is clicked.

    ``shown`` is the one on the stage.
    """
    runs = [run for run in lookup.own_runs() if not run.active and (run.finished or run.latest is not None)][:MOST]
    if not runs or [run.token for run in runs] == [getattr(shown, "token", None)]:  # it is what stands above
        return
    by_token = {run.token: run for run in runs}

    def chosen() -> None:
        token = st.session_state.get("runs_strip", {}).get("chosen")
        if token in by_token:
            choose(by_token[token])

    told = [_told(run, run.token == getattr(shown, "token", None), words.base()) for run in runs]
    _strip(key="runs_strip", data=orjson.dumps(told), on_chosen_change=chosen)


def _told(run: Run, shown: bool, base: str) -> dict[str, str | bool]:
    f1 = run.record.best_f1 if isinstance(run, PastRun) else run.latest.best_f1
    name = (run.record.name if isinstance(run, PastRun) else "") or run.label
    settings = words.settings(run.changed)
    return {
        "token": run.token,
        "name": name,
        "about": run.problem.class_title,
        "f1": f"val. F1 {words.f1(f1)}",
        "title": f"{name}: {run.problem.title}; validation F1 {words.f1(f1)}" + (f"; {settings}" if settings else ""),
        "src": _picture(run.token, base, run),
        "shown": shown,
    }


@kept(400)
def _picture(token: str, base: str, _run: Run) -> str:
    """What a training run that has ended learned, as the address of a picture that holds it."""
    learned = _run.learned()
    grid = term_grid(learned.terms, region="terms", scale="log", size=SIZE)
    content = thumbnail(learned.panel(grid), grid, learned.terms, base)
    return f"data:image/png;base64,{base64.b64encode(content).decode()}"

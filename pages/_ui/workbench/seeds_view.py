"""A training run with several seeds: their curves over each other, the mean of what they learned, and its spread."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import CANONICAL, PlaneView, SurfacePanel, TrainingCurve, overlay, term_grid
from ltw_core.figures.curves import begin_with_column
from ltw_core.insight import agreement, mean_curve, spread_of
from ltw_core.service.job_manager import manager
from ltw_core.weighting import display
from ltw_core.weighting.learned import VARIANTS
from pages._ui import choices, words
from pages._ui.controls import choose_one
from pages._ui.guard import capital, plain
from pages._ui.plots.cached_figures import surfaces
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.tables import table
from pages._ui.training import run_words
from pages._ui.training.run import Run
from pages._ui.workbench import texts

ONE, ALL = "This seed", "All seeds"


def show(every: bool) -> None:
    """Choose to look at all seeds, or at one; before the control is drawn."""
    st.session_state["seeds_shown"] = ALL if every else ONE


def chosen(count: int, place: Any) -> bool:
    """Whether all seeds are shown, or one; ``place`` is an ``st.empty``."""
    if count < 2:
        place.empty()
        return False
    with place.container(key="seeds_choice"):
        return choose_one("seeds_shown", [ONE, ALL], ONE, label_visibility="collapsed") == ALL


def course(group: list[Run]) -> None:
    """How the training of a group goes: one line, the curves over each other, and what each seed does."""
    group = sorted(group, key=lambda run: run.seed)
    seen = [run for run in group if run.latest is not None]
    often = any(run.active for run in group)
    with st.container(key="numbers"):
        _numbers(group)
    with st.container(key="curves"):
        place = st.container()
        options = choices.curve_axes()
    with place:
        figure = overlay.plain(
            [TrainingCurve(f"seed {run.seed}", run.history, run.variant) for run in group],
            mean=mean_curve([run.history for run in seen]) if len(seen) > 1 else (),
            base=words.base(),
            height=280,
            uirevision=group[0].token,
            **options,
        )
        begin_with_column(figure)
        plot(figure, "seeds_curves", live=True, often=often)
    _table(group)
    if often:
        st.caption(run_words.where(next((run for run in seen if run.active), group[0])))


def figures(group: list[Run]) -> None:
    """The mean surface of a group, and its spread."""
    seen = sorted((run for run in group if run.latest is not None), key=lambda run: run.seed)
    if seen:
        _surfaces(seen, any(run.active for run in group))


def status(group: list[Run]) -> str:
    """What a group does, in a sentence."""
    first, active = group[0], [run for run in group if run.active]
    best = [run.latest.best_f1 for run in group if run.latest is not None and run.latest.best_f1 > 0]
    what = f"**{plain(display(first.variant))} · {len(group)} seeds** for {plain(first.problem.class_title)}"
    if any(run.paused for run in active):
        return f"{what}: paused. **Resume** or **Next validation** goes on."
    if active:
        queued = [run for run in active if run.status == "queued"]
        queue = f", {len(queued)} of them waiting for a place" if queued else ""
        if len(queued) == len(active):
            ahead = min(manager().position(run.job) for run in queued)
            queue = f", all waiting for their turn (the first: {run_words.turn(ahead)})"
        return f"{what}: {words.count(len(active), 'training run')} still running{queue}."
    if not any(run.finished for run in group):
        return f"{what}: all have finished, and none has learned anything. {capital(first.error)}".strip()
    if len(best) < 2:
        return f"{what}: all have finished."
    return f"{what}: all have finished. Best validation F1 from {words.f1(min(best))} to {words.f1(max(best))}."


def _numbers(group: list[Run]) -> None:
    """One line, and the other numbers behind its question mark."""
    events = [run.latest for run in group if run.latest is not None]
    best = np.array([event.best_f1 for event in events])
    seconds, steps = (sum(getattr(event, name) for event in events) for name in ("seconds", "step"))
    f1 = words.f1(best.mean() if best.size else None)
    spread = f" ± {words.f1(best.std(ddof=1))}" if best.size > 1 else ""
    ended = sum(not run.active for run in group)
    about = texts.text("seeds_course", steps=steps, rate=f"{steps / seconds:,.0f}" if seconds else "–")
    st.markdown(f"**Validation F1 {f1}{spread}** · {ended} of {len(group)} ended", help=about)


def _table(group: list[Run]) -> None:
    rows = [
        {
            "seed": run.seed,
            "state": _state(run),
            "step": run.latest.step if run.latest is not None else 0,
            "best F1": run.latest.best_f1 if run.latest is not None else None,
            "at step": run.latest.best_step if run.latest is not None else None,
            "time left": run_words.left(run),
        }
        for run in group
    ]
    frame = pd.DataFrame(rows).astype({"at step": "Int64"})  # some have none
    table(
        frame.drop(columns="at step" if any(run.active for run in group) else "time left"),
        "seeds",
        alt="The seeds, what each does, and its best validation F1",
        most=300,
    )


def _state(run: Run) -> str:
    """What a seed's training run does, or why it ended."""
    status = run.status  # once: its thread may end meanwhile
    fitted = None if status in ("queued", "running") else run.weighting
    return run_words.state(status, "" if fitted is None else fitted.stop_code_, paused=run.pausing)


def _surfaces(seen: list[Run], often: bool) -> None:
    first = seen[0]
    terms, kind = first.terms, VARIANTS[first.variant]
    sources = [run.weighting if run.weighting is not None else run.latest for run in seen]
    raw = [run.weighting.cd_ if run.weighting is not None else run.latest.cd for run in seen]
    found = agreement(raw, terms.tpr, terms.fpr, terms.document_frequency, magnitude=kind.free_signs)
    grid = term_grid(terms, region="terms", scale="log", size=40)
    mean = spread = None
    if kind.local:
        heights = [f * np.asarray(s.surface(grid.tpr, grid.fpr)) for f, s in zip(found.factors, sources, strict=True)]
        mean, spread = spread_of(heights)
    count = f"of {len(seen)} seeds" if len(seen) > 1 else "of one seed"
    names = (f"mean {count}", "standard deviation")
    weights = dict(zip(names, (found.mean, found.spread), strict=True))
    panels = [SurfacePanel(*panel) for panel in zip(names, (mean, spread), weights.values(), strict=True)]
    if len(seen) > 1:  # where they disagree their mean looks uncertain
        panels[0] = replace(panels[0], spread=spread)
    view = PlaneView(terms.prevalence, base=words.base(), heights="rms", selected=selection.terms(), hover=weights)
    view = replace(view, uirevision="seeds", unit=CANONICAL)
    narrow = surfaces.layout(panels, grid, terms, replace(view, columns=1, width=420))
    figure = surfaces(panels, grid, terms, replace(view, height=470, width=770))
    plot(figure, "seeds_surface", live=True, often=often, narrow=narrow)
    signs = "; magnitudes, since each term’s sign is free." if kind.free_signs else "."
    said = texts.text("seeds_mean", shared=found.shared, chance=1 / len(seen)) + signs
    if found.shared < 1 / len(seen) and not kind.free_signs:
        said += f" {texts.text('seeds_contradict')}"
    st.caption(said, help=texts.text("seeds_mean_how", count=len(terms)))

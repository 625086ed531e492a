"""What was learned, put into symbols: short formulas that do nearly the same to documents, bred while one waits."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.evaluation import decimals
from ltw_core.figures import formula_front
from ltw_core.insight.symbolic import Budget, Front, Target, discover
from ltw_core.service.job import Job
from ltw_core.service.job_manager import manager
from ltw_core.weighting import Composed
from pages._ui import choices, jobs, words
from pages._ui.controls import control
from pages._ui.downloads import offer_table
from pages._ui.guard import plain, sentences
from pages._ui.plots.plot import plot, ready
from pages._ui.reader import own_weightings, owners
from pages._ui.result_cache import kept
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.tables import table
from pages._ui.workbench.shape_view import View

KIND, FOLLOWED = "discovery", "discovering"
BUDGET = Budget(seconds=18)  # and some for what is read of it
TOLD = (
    "Symbolic regression evolves formulas in *tpr*, *fpr* and counts, fits their constants, and keeps for each length "
    "the one that weights documents most nearly as the learned weighting does. *Alignment* is what it is under *Known "
    "formulas*, but with one dd, ln(1 + f/dl), for both and on fewer documents, so that numbers differ a little."
)


def show(view: View, row: Any) -> None:
    """The search, which is begun in the ``row`` above, its front, and what becomes of a formula of it."""
    with row:
        place = st.container(width="content")
        seed = int(control(st.number_input, "discovery_seed", 0, 9999, value=0, width=180))
    key = f"{view.learned.key}/{seed}"
    job = _job(key)
    with place:
        running = jobs.expect_end_of(job, FOLLOWED)
        if control(st.button, "discover", icon=":material/function:", disabled=running):
            with sentences():
                _start(view, key, seed)
                run_again()

    if job is not None:
        jobs.follow(job, FOLLOWED, lambda: _status(job))
    if job is not None and not job.active and job.result is not None:
        _front(view, job)
    else:
        _before(view)


def _before(view: View) -> None:
    """What a formula that is found has to be better than, in the axes where it will stand."""
    known = _known((view.learned.key, "before", tuple(choices.cd_names())), lambda: _target(view)[0])
    best = max(known, key=known.get)
    st.markdown(
        f"**Look for formulas** searches for short ones that do nearly the same. Nearest of the *Known formulas*, "
        f"here on fewer documents: {plain(best)}, alignment\u00a0{decimals(known[best], 2)}.",
        help=TOLD,
    )
    _draw([], [], [], known=known)


def _draw(*front: list, **options: Any) -> None:
    wide, narrow = (formula_front.plain(*front, **options, narrow=small, base=words.base()) for small in (False, True))
    plot(ready(wide, "shapes_front", narrow), "shapes_front")


def _job(key: str) -> Job | None:
    """This reader's latest search for this weighting and seed."""
    return jobs.latest(KIND, lambda job: job.key == key)


def _start(view: View, key: str, seed: int) -> None:
    target, sampled = _target(view)

    def work(job: Job) -> tuple[Front, Target]:
        def report(event: Any) -> bool:
            job.emit(event)
            return job.wait_while_paused()

        return discover(target, seed=seed, budget=BUDGET, on_progress=report), target

    manager().submit(owners.current_owner(), KIND, key, work, {"sampled": sampled})


def _target(view: View) -> tuple[Target, bool]:
    """With a sample of the training documents where they are at hand."""
    task = view.task()
    if task is None:
        return Target(np.asarray(view.learned.cd, dtype=float), view.learned.terms), False
    return Target.of(view.learned.cd, task), True


def _status(job: Job) -> None:
    def state() -> jobs.JobState:
        event = job.last
        return jobs.JobState(event.done / event.total, plain(event.message)) if event else jobs.JobState(0, "Starting…")

    jobs.show(job, "stop_discovery", state, "" if job.result else "Stopped before anything was found.")


def _front(view: View, job: Job) -> None:
    front, target = job.result
    if not front.points:
        st.info("No formula was found that resembles it. Another seed tries others.", icon=":material/info:")
        return
    names = [point.formula for point in front.points]
    if st.session_state.get("discovered") not in names:
        st.session_state["discovered"] = names[front.knee]
    left, right = st.columns([3, 2], gap="large")
    with right:
        chosen = names.index(control(st.selectbox, "discovered", names, filter_mode=None, format_func=_written))
        point = front.points[chosen]
        st.latex(_latex(point.formula))
        st.caption(_said(front, point, view, job), help=TOLD)
        if control(st.button, "keep_discovered", icon=":material/bookmark_add:"):
            composed = Composed(f"{view.learned.class_name[:20]}, length {point.length}", cd=point.formula, **_DD)
            own_weightings.keep(composed)
            st.toast(f"“{composed.name}” is offered under Your own, on every page.")
    with left:
        known = _known((view.learned.key, job.id, tuple(choices.cd_names())), lambda: target)
        shown = dict(sorted(known.items(), key=lambda pair: -pair[1])[:4])
        lengths, likeness = [p.length for p in front.points], [p.likeness for p in front.points]
        _draw(lengths, likeness, list(map(_written, names)), known=shown, chosen=chosen)
    frame = pd.DataFrame([(p.formula, p.length, p.likeness, p.fit) for p in front.points], columns=COLUMNS)
    table(
        frame.assign(formula=frame["formula"].map(_written)),
        "discovered",
        "Formulas that resemble the weighting, by length",
    )
    offer_table("Formulas (CSV)", "ltw-formulas.csv", frame, "The front: each formula, its length, alignment and fit.")


COLUMNS = ["formula", "length", "likeness", "fit"]
_DD = {"dd": "log(1+f/dl)", "norm": "l2"}


def _written(formula: str) -> str:
    """With the signs of a textbook, and the logarithm as it stands in the formula that is drawn."""
    formula = re.sub(r"\*\*([23])(?![\d.])", lambda power: "²³"[int(power[1]) - 2], formula)
    for typed, sign in (("log(", "ln("), ("-", "−"), ("**", "^"), ("*", "·")):
        formula = formula.replace(typed, sign)
    return formula


def _latex(formula: str) -> str:
    from ltw_core.weighting import formula as read

    return read(formula).latex


def _said(front: Front, point: Any, view: View, job: Job) -> str:
    on = (
        "a sample of the training documents"
        if job.meta["sampled"]
        else "the terms alone, since its documents are not here"
    )
    ended = " It was stopped." if job.status == "stopped" else ""
    return (
        f"Alignment {decimals(point.likeness)} with {plain(view.learned.label)} on {on}, fit {decimals(point.fit)} "
        f"over {len(view.learned.terms):,} terms. Found among {front.tried:,} formulas in {front.generations} "
        f"generations, {front.seconds:.0f} s, seed {front.seed}.{ended}"
    )


@kept(24)
def _known(key: tuple, _target: Callable[[], Target]) -> dict[str, float]:
    """Likeness of each known function by symbol."""
    target = _target()
    return {choices.symbol(name): target.likeness(choices.function(name)) for name in choices.cd_names()}

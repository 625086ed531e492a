"""A training run on the page: how it goes, once or twice a second, without a flicker, and what it came to."""

import time
from typing import Any

import streamlit as st

from ltw_core.weighting import display
from ltw_core.weighting.learned import VARIANTS
from pages._ui import words
from pages._ui.downloads import offer
from pages._ui.guard import capital, plain, sentences
from pages._ui.learn import seeds_view
from pages._ui.learn.history_comparison import offer_weights
from pages._ui.learn.texts import numbers
from pages._ui.learn.training_figures import surface_page, training_figures
from pages._ui.reader import owners
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.training import run_words
from pages._ui.training.run import PastRun, Run

TICK, FIRST = 0.5, 0.25  # seconds; a local variant's first validation is there before the first tick, and waited for
SETTLED = 3.0  # seconds until a training run stands in the history below, where it has not ended before
FEW = 10  # readers at a time for whom pictures come twice a second; for a class, each second


def live(run: Run | None, group: list[Run], task: Any, parameters: dict[str, Any], begins: bool = False) -> None:
    """Everything that moves while a training is active; before one, the network before its first step.

    Parameters
    ----------
    run : the training run that is shown.
    group : it and those that differ from it in their seed alone.
    begins : it was started a moment ago, and the page around it has not been told.
    """
    active, began = any(one.active for one in group), time.monotonic()
    if begins:
        st.session_state["_pausing"] = _pausing(group)  # its buttons are there already

    @st.fragment(run_every=_pace() if active else None)
    def view() -> None:
        if begins and time.monotonic() - began > SETTLED:
            run_again()
        if run is not None:
            _first_validation(run)
        if active and not any(one.active for one in group):
            run_again()  # it has ended: no more pictures, and what can be taken away
        if run is not None and _pausing(group) != st.session_state.get("_pausing", False):
            st.session_state["_pausing"] = _pausing(group)
            run_again()  # a step that ended in a pause: the buttons change
        with sentences():
            # containers that are there in any case: what follows them must not move, or it would be put up anew
            status, numbers, choice = st.container(key="status"), st.container(key="numbers"), st.container()
            with choice:
                all_seeds = seeds_view.chosen(len(group))
            with status:
                if all_seeds:
                    _group_status(group)
                else:
                    _status(run, task, parameters)
            with numbers:
                cells = seeds_view.numbers(group) if all_seeds else _numbers(run, parameters)
                words.figures(cells, gap="small")  # in one row while it trains as well: no figure may jump
            if all_seeds:
                seeds_view.figures(group)
            else:
                training_figures(run, task, parameters)

    view()
    if begins and not active:
        run_again()


def _pace() -> float:
    """Seconds from one picture to the next."""
    return TICK if owners.sessions_present() <= FEW else 2 * TICK


def _first_validation(run: Run) -> None:
    """Wait for what a training run that has just begun has to show: a moment, where it comes soon."""
    while run.latest is None and run.status == "running" and run.job.seconds < FIRST:
        time.sleep(0.01)


def _pausing(group: list[Run]) -> bool:
    active = [one for one in group if one.active]
    return bool(active) and all(one.pausing for one in active)


def _status(run: Run | None, task: Any, parameters: dict[str, Any]) -> None:
    if run is None:
        begins = "with these random weights" if parameters["pretrain"] is None else "by learning its formula"
        st.info(
            f"**{display(parameters['variant'])} · seed {parameters['random_state']}** for {plain(task.class_title)}, "
            f"before its first step. **Train** begins {begins}.",
            icon=":material/model_training:",
        )
    elif run.active:
        icon = ":material/pause_circle:" if run.paused else "spinner"
        st.info(run_words.doing(run), icon=icon)
    elif run.status in ("failed", "died") and run.weighting is None:
        st.error(capital(run.error), icon=":material/error:")
    elif run.weighting is None:
        st.info(run_words.why(run), icon=":material/stop_circle:")
    else:
        st.success(f"**{plain(run.label)}**: {run_words.why(run)}{_before(run)}", icon=":material/flag:")


def _before(run: Run) -> str:
    """That nothing was computed now, where the same training run was there already."""
    if not isinstance(run, PastRun) or run.record.origin != "computed":
        return ""
    return f" Computed on {words.day(run.record.finished or run.record.asked)}; **Train** once more computes it again."


def _group_status(group: list[Run]) -> None:
    if any(one.active for one in group):
        st.info(seeds_view.status(group), icon=":material/pause_circle:" if _pausing(group) else "spinner")
    elif any(one.finished for one in group):
        st.success(seeds_view.status(group), icon=":material/flag:")
    else:
        st.error(seeds_view.status(group), icon=":material/error:")


def _numbers(run: Run | None, parameters: dict[str, Any]) -> tuple:
    event = run.latest if run is not None else None
    settings = run.parameters if run is not None else parameters
    patience = settings["patience"]
    rate = run.steps_per_second if run is not None else None
    fits = event is not None and event.phase == "pretraining"  # its error is another quantity, told in the status
    cells = {
        "Step": f"{event.step:,}" if event else "0",
        "Loss": f"{event.loss:.3f}" if event and not fits else "–",
        "F1": words.f1(event.validation_f1 if event else None),
        "Best F1": words.f1(event.best_f1 if event else None),
        "Patience": f"{max(0, patience - event.waited) if event else patience} of {patience}",
        "Steps/s": f"{rate:,.0f}" if rate else "–",
        "Time left": run_words.left(run) if run is not None else "–",
    }
    return numbers("training", cells, patience=patience, each=settings["check_every"])


def ended(run: Run) -> None:
    """What can be taken away from a run that has ended."""
    fitted = run.weighting
    if run.active or fitted is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link("pages/learn/shapes.py", label="Compare its shape", icon=":material/deployed_code:")
        st.page_link("pages/evaluate/classifiers.py", label="Evaluate it", icon=":material/grid_on:")
        offer_weights(run)
        about = "Step, training loss and validation F1."
        offer("Curve (CSV)", f"{run.file_name}-curve.csv", run.curve_csv, about)
        if VARIANTS[run.variant].local:
            about = "The surface as a page of its own that can be turned without this app."
            base = words.base()  # whoever makes the file knows no session
            offer("Surface (HTML)", f"{run.file_name}-surface.html", lambda: surface_page(run, base), about)

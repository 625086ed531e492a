"""What a reader does to a training run: choose, start, pause, step, stop, and begin again."""

import re
import secrets
from dataclasses import fields
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.weighting import display, methods
from ltw_core.weighting.learned import VARIANTS, Settings, choose, gpus
from ltw_core.weighting.learned.duration import Duration, step_seconds, training_duration
from pages._ui import words
from pages._ui.controls import control
from pages._ui.reader import selection
from pages._ui.result_cache import kept
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.training import actions, lookup
from pages._ui.training.run import Run
from pages._ui.training.start import start_all
from pages._ui.workbench import seeds_view

SEEDS = 10  # most at once
GLOBAL_WEIGHTS = 120_000_000  # of W2; with Adam's moments about 1.4 GB
WAITED_FOR = "Others wait for the same training run: it goes on for them. Stop withdraws only your request."
GOES_ON = "It continues for others who asked for the same training run; you can still watch it here."
BRIEF = 10.0  # seconds that a training may take to be one of a few, as long as none was measured
ENOUGH = 200  # steps of a training run whose rate can be trusted
SETTINGS = tuple(field.name for field in fields(Settings) if field.name != "seed")


def variant() -> str:
    """The method. Its identifier stands in the address; the name that is shown works there as well."""
    names = [name for name in methods("LTW") if name in VARIANTS]  # a mean of several has no curve of its own
    if "method" not in st.session_state:
        asked = st.query_params.get("method")
        known = {**{name: name for name in names}, **{display(name): name for name in names}}
        st.session_state["method"] = known.get(asked, "LTW-L-I")
    chosen = control(st.selectbox, "method", {name: display(name) for name in names}, filter_mode=None)
    if st.query_params.get("method") != chosen:
        st.query_params["method"] = chosen
    return chosen


def seed() -> int:
    """The first seed."""
    return int(control(st.number_input, "seed", 0, 2**31 - 1 - SEEDS, value=0, step=1))


def seeds(first: int) -> list[int]:
    """How many seeds to train, and the two ways back to the start."""
    number = control(st.number_input, "seeds", 1, SEEDS, value=1, like="seeds_at_once")
    with st.container(horizontal=True, gap="small"):
        control(st.button, "reset", icon=":material/replay:", on_click=reset, width="stretch")
        control(st.button, "reseed", icon=":material/casino:", on_click=reseed, width="stretch")
    return [first + k for k in range(int(number))]


def reset() -> None:
    """Put the current class back to before its first step, and stop what goes on. A callback."""
    for run in lookup.own_runs(selection.dataset(), selection.class_name()):
        if run.active:
            actions.stop(run)
    to_start()


def to_start() -> None:
    """Show the current class before its first step; a training run that goes on does so. A callback."""
    st.query_params.pop("run", None)
    st.session_state["_at_start"] = (selection.dataset(), selection.class_name())


def reseed() -> None:
    """The same with a new seed. A callback."""
    reset()
    st.session_state["seed"] = secrets.randbelow(10_000)


def at_start(dataset: str, class_name: str | None) -> bool:
    """Whether the reader put this class back to before its first step, and has not trained since."""
    return st.session_state.get("_at_start") == (dataset, class_name)


def begun() -> None:
    """A training run was started or chosen: it is what is shown."""
    st.session_state.pop("_at_start", None)


def stepped(group: list[Run]) -> bool:
    """Whether **Next validation** was pressed where nothing trains yet. To be asked before the buttons are drawn."""
    return bool(st.session_state.get("step")) and not _mine(group)


def trains(group: list[Run], task: Any, parameters: dict[str, Any], seeds: list[int]) -> bool:
    """Whether just what **Train** would begin goes on for this reader already, and isn't paused."""
    mine = [run for run in _mine(group) if not run.pausing and run.problem.ratio == task.ratio]
    active = {run.seed: run.parameters for run in mine}
    return all(active.get(seed) == parameters | {"random_state": seed} for seed in seeds)


def _mine(group: list[Run]) -> list[Run]:
    return [run for run in group if run.active and lookup.asked_for(run)]


def hold(group: list[Run], begun_now: bool) -> None:
    """Pause, go on, make one step, stop: for all training runs of a group that are this reader's.

    ``begun_now``: they were started in this run of the script, by **Train** or the first **Next validation**.
    """
    active = _mine(group)
    paused = bool(active) and all(run.pausing for run in active)
    waited_for = any(run.others_waiting for run in active)
    goes_on = any(run.active for run in group)  # if for others alone, it can only be looked at
    with st.container(horizontal=True, gap="xsmall", width="content"):
        why = {"help": WAITED_FOR} if waited_for else {}
        name = "resume" if paused else "pause"
        # the main action while a training run goes on, when Train is none
        if goes_on and control(st.button, name, type="primary", disabled=not active or waited_for, **why):
            for run in active:
                (actions.resume if paused else actions.pause)(run)
            run_again()
        ended = bool(group) and not goes_on  # a step would begin anew, and take what was learned off the stage
        if goes_on and not waited_for:  # where the pointer may still be, it would lie over what is said of the run
            why = {"help": ""}
        why |= {"icon": ":material/skip_next:", "disabled": waited_for or (bool(active) and not paused)}
        if not ended and control(st.button, "step", **why):
            for run in active:
                if not begun_now:
                    actions.step(run)
        if goes_on and control(st.button, "stop", disabled=not active):
            stopped = [actions.stop(run) for run in active]
            if not all(stopped):
                st.toast(GOES_ON)
            run_again()


def start(
    dataset: str,
    task: Any,
    parameters: dict[str, Any],
    changed: dict[str, Any],
    seeds: list[int],
    *,
    step: bool,
    again: bool,
) -> Run:
    """Start a training run for every seed; the first one is what is shown.

    With `step`, each pauses at its first validation; with `again`, what was computed before is computed again.
    """
    first, *others = start_all(dataset, task, parameters, changed, seeds, step=step, again=again)
    if len(others) + 1 < len(seeds):
        st.toast(f"{len(others) + 1} of {len(seeds)} seeds were started: you cannot run more jobs at once.")
    seeds_view.show(len(seeds) > 1)
    st.query_params["run"] = first.token
    lookup.look_at(first)
    begun()
    return first


def placed(parameters: dict[str, Any], count: int) -> tuple[dict[str, Any], str]:
    """The parameters with the engine and the device with which a number of seeds is learned, and why."""
    chosen = choose(settings_of(parameters), count, parameters["engine"], parameters["device"], list(gpus()))
    engine = "lockstep" if chosen.engine == "lockstep" else parameters["engine"]
    return parameters | {"engine": engine, "device": chosen.device}, chosen.reason


def shows(run: Run | None, parameters: dict[str, Any], task: Any) -> bool:
    """Whether a training run has ended that has just these settings."""
    return run is not None and not run.active and run.parameters == parameters and run.problem.ratio == task.ratio


def expected(task: Any, parameters: dict[str, Any], count: int) -> tuple[str, str]:
    """How long it will take, in a few words, and how that is known."""
    found = estimated(task, parameters)
    brief = not found.measured and count * found.high < BRIEF  # what this server really takes is not known yet
    usual = "a few seconds" if brief else words.span(count * found.low, count * found.high)
    each = f" for {count} seeds" if count > 1 else ""
    kind = "measured in earlier training runs here" if found.measured else "estimated from the size of the problem"
    said = (
        f"usually {usual}",
        f"Training usually takes {usual}{each}, at most {words.seconds(count * found.most)}. A step takes about "
        f"{words.seconds(found.step)}, {kind}; there is no telling in advance when F1 will stop improving.",
    )
    return tuple(re.sub(r"(?<=\d) (?=m?s\b|min)", "\u00a0", each) for each in said)  # a number stays with its unit


def estimated(task: Any, parameters: dict[str, Any]) -> Duration:
    """The same in numbers."""
    settings, pairs = settings_of(parameters), n_pairs(task.fingerprint, task)
    engine = parameters["engine"]
    if engine == "auto":
        compiled = parameters["device"] == "cpu" and len(settings.network.inputs) == 2
        engine = "compiled" if compiled else "reference"
    kind = (settings.network.local, settings.network.learned_dd, engine, parameters["device"])
    earlier = []
    for past in lookup.own_records(selection.dataset(), limit=30):
        theirs = settings_of(past.parameters)
        same = (theirs.network.local, theirs.network.learned_dd, past.engine, past.device) == kind
        if same and past.origin == "computed" and past.steps >= ENOUGH and theirs.pretrain is None:
            # the other classes of a corpus have about as many terms, at about as many places
            predicted = step_seconds(theirs, past.problem.n_terms, pairs, engine)
            earlier.append((past.seconds / past.steps, predicted))
    return training_duration(settings, len(task.terms), pairs, engine, earlier)


def settings_of(parameters: dict[str, Any]) -> Settings:
    """The core's settings of an estimator's parameters; a sentence if one is out of range."""
    values = {name: parameters[name] for name in SETTINGS if name in parameters}
    return Settings(**values, seed=int(parameters.get("random_state") or 0))


@kept(64)
def n_pairs(fingerprint: str, _task: Any) -> int:
    """Distinct (tpr, fpr) among a class's terms."""
    return len(np.unique(np.asarray(_task.tpr) + 2j * np.asarray(_task.fpr)))


def too_large(task: Any, parameters: dict[str, Any]) -> str:
    """Why a global training would need too much memory here; empty if it does not."""
    settings = settings_of(parameters)
    weights = 0 if settings.network.local else settings.hidden_units(len(task.terms)) * len(task.terms)
    if weights <= GLOBAL_WEIGHTS:
        return ""
    return (
        f"{display(settings.variant)} would need {weights / 1e6:,.0f} million weights for {len(task.terms):,} "
        f"terms; this server allows {GLOBAL_WEIGHTS / 1e6:,.0f} million. Keep fewer terms, or fewer hidden units."
    )

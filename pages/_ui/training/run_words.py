"""A training run in sentences: what it does now, how long it may still take, and why it ended."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from ltw_core.insight import saturation
from ltw_core.service.job_manager import manager
from ltw_core.weighting.learned import VARIANTS, Settings, use_of, working_gpus
from ltw_core.weighting.learned.engines.gpus import GPU
from ltw_core.weighting.learned.settings import STOP_BY
from pages._ui import words
from pages._ui.guard import capital, plain
from pages._ui.training.run import Run

ENDS = {
    "patience": "no improvement",
    "perfect": "F1 is 1",
    "max_steps": "most steps",
    "diverged": "diverged",
    "stopped": "stopped",
}  # by stop code
FINISHED = ("patience", "perfect", "max_steps")  # stop codes of those that came to their own end
STATES = {
    "queued": "waiting",
    "done": "finished",
    "died": "died with its server",
}  # by status; others are words already


def state(status: str, stop_code: str = "", *, paused: bool = False) -> str:
    """What a training run does, or how it ended, in the words that sentences have, too."""
    if paused:
        return "paused"
    return ENDS[stop_code] if status == "done" and stop_code in ("diverged", "stopped") else STATES.get(status, status)


def ended_by(status: str, stop_code: str = "") -> str:
    """Why a training run ended, in a word or two; what it does, where it goes on."""
    return ENDS.get(stop_code) or state(status)


def numbered(labels: Iterable[str]) -> list[str]:
    """Labels with equal ones numbered, from the second on."""
    count: Counter[str] = Counter()
    found = []
    for label in labels:
        count[label] += 1
        found.append(label if count[label] == 1 else f"{label} ({count[label]})")
    return found


def doing(run: Run) -> str:
    """What a training run does now that is active, or was a moment ago."""
    event = run.latest
    what = f"**{plain(run.label)}** for {plain(run.problem.class_title)}"
    if not run.active:
        return f"{what} has made its last step."
    if run.status == "queued":
        return f"{what} waits for its turn: {turn(manager().position(run.job))}."
    if run.paused:
        at = event.step if event else 0
        return f"{what} is paused at step {at:,}. Press **Resume** or **Next validation** to go on."
    if event is None:
        return f"{what} is running: the first steps…"
    if event.phase == "pretraining":
        return (
            f"{what} is being pre-trained to its formula: {event.pretrain_steps:,} steps, at most "
            f"{_setting(run, 'pretrain_steps'):,}; mean squared error {event.loss:.2g}, target below "
            f"{_setting(run, 'pretrain_error'):g}."
        )
    if event.phase == "classifier":
        steps = _setting(run, "head_steps")
        return f"{what}: the surface stays at the formula while the classifier on top is trained, {steps:,} steps."
    if run.messages and run.messages[-1].lower().startswith("stopped at"):  # it ends in a moment
        return f"{what} has made its last step."
    waiting = words.count(run.others_waiting, "other reader waits", "other readers wait")
    others = f" {waiting} for it too." if run.others_waiting else ""
    return f"{what} is running.{others}" + (f" {capital(run.messages[-1])}" if run.messages else "")


def _setting(run: Run, name: str) -> Any:
    """A hyper-parameter; the paper's where a file of an earlier version has none."""
    return run.parameters.get(name, getattr(Settings(), name))


def turn(ahead: int) -> str:
    """When a job that waits comes to its turn."""
    return f"{words.count(ahead, 'job')} ahead of it" if ahead else "it is the next"


def where(run: Run) -> str:
    """Engine and device of an active training run, and how busy the server is."""
    event = run.latest
    engine = f"{event.engine} engine on {device(event.device)}" if event is not None and event.engine else ""
    running, waiting = manager().counts()
    busy = f"{words.count(running, 'job')} at work on this server" + (f", {waiting:,} waiting" if waiting else "")
    return capital(f"{engine}; {busy}" if engine else busy)


def device(name: str) -> str:
    """A device as it is called; of a GPU that is at work also what it does, and how much of its memory is taken."""
    if name == "cpu":
        return "CPU"
    found = next((gpu for gpu in working_gpus() if gpu.name == name), None)
    if found is None:
        return f"GPU {name}"
    use = use_of(name)
    doing = f", {words.count(use.runs, 'training run')} side by side" if use.runs else ""
    taken = f", {_gigabytes(use.taken)} of {_gigabytes(found.memory)} GB of its memory taken" if use.taken else ""
    return f"GPU {found.model or name}{doing}{taken}"


def gpu(found: GPU) -> str:
    """A GPU in a list of devices."""
    return f"GPU, {found.model or found.name}, {_gigabytes(found.memory)} GB"


def _gigabytes(size: int) -> str:
    return f"{size / 2**30:.0f}" if size >= 10 * 2**30 else f"{size / 2**30:.1f}"


def left(run: Run) -> str:
    """Time left of a training run: at least, if F1 gets no better, and at most."""
    event, rate = run.latest, run.steps_per_second
    if rate is None or not run.active:
        return "–"
    each = 1 / rate
    most = run.parameters["max_steps"] - event.step
    least = min(most, (run.parameters["patience"] - event.waited) * run.parameters["check_every"])
    return words.span(max(0, least) * each, max(0, most) * each)


def saturated(fitted: Any) -> str:
    """A warning where σ has saturated at most terms; else empty."""
    if fitted is None or not VARIANTS[fitted.variant].sigmoid:
        return ""
    share, level = saturation(fitted.cd_)
    if share < 0.5:
        return ""
    return (
        f"σ has saturated: {words.percent(share)} of the terms weigh {level} to three digits, which leaves little to "
        "tell them apart. It happens with some seeds and not with others."
    )


def best_by(parameters: dict[str, Any]) -> str:
    """What the step that is kept is the best by."""
    return STOP_BY[parameters.get("stop_by", "f1")]


def why(run: Run) -> str:
    """Why a training run ended, and which step is kept; its validation F1 stands at the curve."""
    fitted = run.weighting
    if fitted is None:
        return "It was stopped before the first validation: nothing was learned."
    reason = capital(fitted.stop_reason_)
    parts = [reason.replace("Stopped at", "Finished at", 1) if fitted.stop_code_ in FINISHED else reason]
    if fitted.best_f1_ > 0 and fitted.stop_code_ != "diverged":
        parts.append(f"Kept: step {fitted.best_step_:,}, the best by {best_by(fitted.get_params(deep=False))}.")
    if fitted.attempts_ > 1:
        times = {2: "once", 3: "twice"}.get(fitted.attempts_, f"{fitted.attempts_ - 1} times")
        parts.append(f"It was restarted {times} with new weights, because validation F1 was still 0.")
    parts.append(_nothing(fitted))
    return " ".join(part for part in parts if part)


def _nothing(fitted: Any) -> str:
    """What happened where nothing was learned."""
    dd = getattr(fitted, "dd_", None)
    if dd is not None and not np.any(dd):
        return (
            "Its learned dd is 0 for every count: the ReLU at its output was dead from the first step, as happens "
            "with about half of all random weights, so every document vector was 0. Reseed, or let it run for at "
            "least 2,100 steps: it then starts again by itself."
        )
    if fitted.best_f1_ == 0 and fitted.stop_code_ in ("patience", "max_steps"):
        return "No validation document of the class was ever found; what is shown are the last step’s weights."
    return ""

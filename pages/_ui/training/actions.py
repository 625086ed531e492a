"""What a browser does to its training runs: pause, step, stop, name, pin, delete, and bring in one from a file."""

from typing import Any

import numpy as np
import streamlit as st

from ltw_core.service.job_manager import manager
from ltw_core.service.training_record import ProblemInfo, TrainingRecord
from ltw_core.service.weighting_file import from_bytes, problem_of
from pages._ui.reader import owners, uploads
from pages._ui.training import histories
from pages._ui.training.lookup import asked_for, find
from pages._ui.training.run import Run


def stop(run: Run) -> bool:
    """Stop a run of this browser. False: it goes on for others who asked for the same, or it is not this browser's."""
    stopped = False
    for name in owners.names():
        if name in run.job.owners:
            stopped = manager().cancel(run.job, name)
    return stopped


def pause(run: Run) -> bool:
    """Pause a run of this browser. False: others wait for it, or it is not this browser's."""
    return asked_for(run) and manager().pause(run.job)


def resume(run: Run) -> None:
    """Let a paused run of this browser go on."""
    if asked_for(run):
        manager().resume(run.job)


def step(run: Run) -> None:
    """Let a paused run of this browser go on to its next validation."""
    if asked_for(run):
        manager().step(run.job)


def rename(run: Run | TrainingRecord, name: str) -> None:
    """Give a run a name of one's own."""
    _change(run, "rename", name)


def pin(run: Run | TrainingRecord, pinned: bool = True) -> None:
    """Pin a run, so that it stays first in the list and is never removed, or unpin it."""
    _change(run, "pin", pinned)


def delete(run: Run | TrainingRecord) -> None:
    """Take a run out of all that this browser is shown; one that goes on is stopped, unless others wait for it."""
    _change(run, "delete")
    job, seen = manager().get(run.token), st.session_state.get("_looked_at", {})
    for name in owners.names() if job is not None else ():
        manager().withdraw(job, name)
    for place in [place for place, token in seen.items() if token == run.token]:
        del seen[place]


def restore(run: Run | TrainingRecord) -> None:
    """Undo ``delete``."""
    _change(run, "restore")


def _change(run: Run | TrainingRecord, action: str, *values: Any) -> None:
    for name in owners.names():
        getattr(histories.store_of(run.problem.corpus), action)(name, run.token, *values)


def import_file(content: bytes, dataset: str, task: Any) -> Run:
    """Take the file of a learned weighting into this browser's history.

    Raises
    ------
    ValueError
        It is no such file, or it does not say what its terms are and does not fit the class at hand.
    """
    weighting = from_bytes(content)
    fits = len(weighting.tpr_) == len(task.terms) and np.allclose(weighting.tpr_, task.tpr)
    if fits and np.allclose(weighting.fpr_, task.fpr):
        problem, terms = ProblemInfo.of(dataset, task), task.statistics
    else:
        problem, terms = problem_of(weighting, content)
    owner = owners.session() if problem.corpus.startswith(uploads.PREFIX) else owners.current_owner()
    return find(histories.store_of(problem.corpus).import_weighting(owner, problem, terms, weighting))

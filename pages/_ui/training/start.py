"""Starting training runs in the background: one, or one for every seed.

The same training run (content, settings, seed, versions) on a corpus of the catalogue is computed once: who asks while
it goes on waits for the same job, who asks later gets the result of the history.
"""

import functools
import logging
import sqlite3
from typing import Any

from ltw_core.service.group_training import GroupTraining
from ltw_core.service.history_writer import HistoryWriter
from ltw_core.service.job import Job
from ltw_core.service.job_manager import manager
from ltw_core.service.training_history import History, new_token
from ltw_core.service.training_record import ProblemInfo
from ltw_core.service.weighting_file import notes_for
from ltw_core.weighting.learned import VARIANTS
from ltw_core.weighting.progress import Cancelled
from pages._ui.reader import owners, uploads
from pages._ui.training import histories, lookup
from pages._ui.training.run import KIND, Run, shared_terms

log = logging.getLogger(__name__)


def start(
    dataset: str,
    task: Any,
    parameters: dict[str, Any],
    changed: dict[str, Any],
    *,
    again: bool = False,
    step: bool = False,
    group: GroupTraining | None = None,
    leader: Job | None = None,
) -> Run:
    """Train in the background; what is being trained already, or was before, is not trained twice.

    Parameters
    ----------
    parameters : all of ``LearnedWeighting``'s that the page sets
    changed : those that are not the paper's, as they are shown
    again : train also what was trained before; a ``PastRun`` is never returned then
    step : pause at the first validation
    group, leader : what learns several seeds side by side, to which this one is added; and the first one's job

    Raises
    ------
    ValueError
        Too much is waiting already.
    """
    own = dataset.startswith(uploads.PREFIX)
    owner = owners.session() if own else owners.current_owner()
    store, problem = histories.store_of(dataset), ProblemInfo.of(dataset, task)
    if not own and not again:
        token = _find_same(store, problem, parameters)
        if token is not None:
            _add_owner(store, owner, token)
            return lookup.find(token)
    terms = shared_terms(problem.fingerprint, task.statistics)
    run = Run(problem=problem, parameters=parameters, changed=changed, terms=terms, token=new_token())
    run.writer = HistoryWriter(store, run.token, task.tpr, task.fpr, notes_for(problem, parameters, terms))
    key = problem.identify(parameters) + (owner if own else "")
    work = functools.partial(_work, run, task, step, group)
    local = VARIANTS[parameters["variant"]].local
    urgent = local and parameters["engine"] in ("auto", "compiled")  # a tenth of a second
    options = {"shared": not own, "name": run.token, "on_end": _on_end, "leader": leader, "urgent_start": urgent}
    with run.writer.entering:  # it may begin at once, and others find it
        job = manager().submit(owner, KIND, key, work, {"run": run}, **options)
        found = job.meta["run"]
        if found is run:
            run.job = job
            run.writer.enter(owner, problem, task.statistics, parameters, changed)
    if found is run:
        if group is not None:
            from ltw_core.weighting import LearnedWeighting

            if step:
                job.pause_after(1)
            listener = functools.partial(_take_in, run, job)
            watched = (listener, lambda: job.stop_requested, job.shall_wait)
            group.add(run.token, LearnedWeighting(**parameters), *watched)
    else:
        with found.writer.entering:
            _add_owner(store, owner, found.token)
    return found


def start_all(
    dataset: str,
    task: Any,
    parameters: dict[str, Any],
    changed: dict[str, Any],
    seeds: list[int],
    **options: Any,
) -> list[Run]:
    """Start a training run for every seed: side by side where the engine is a lockstep, else a job for each.

    Where there is no room for more jobs, those that were started go on and are returned.

    Raises
    ------
    ValueError
        There is room for none.
    """
    group = None
    if parameters["engine"] == "lockstep":
        data = (task.counts_train, task.y_train, task.validation)
        group = GroupTraining(data, parameters["engine"], parameters["device"])
    found: list[Run] = []
    try:
        for seed in seeds:
            leader = next((run.job for run in found if group is not None and run.token in group), None)
            own = parameters | {"random_state": seed}
            found.append(start(dataset, task, own, changed, group=group, leader=leader, **options))
    except ValueError:
        if not found:
            raise
    finally:
        if group is not None:
            group.close()
    return found


def _work(run: Run, task: Any, step: bool, group: GroupTraining | None, job: Job) -> Any:
    from ltw_core.weighting import LearnedWeighting

    run.writer.start()
    if group is not None:
        weighting = group.wait(run.token)
    else:
        if step:
            job.pause_after(1)
        weighting = LearnedWeighting(**run.parameters)
        weighting.fit(
            task.counts_train,
            task.y_train,
            validation=task.validation,
            on_event=functools.partial(_on_event, run, job),
            should_stop=lambda: job.stop_requested,
        )
    if not weighting.history_:
        raise Cancelled("It was stopped before its first validation")
    if job.abandoned:
        weighting.stop_reason_ = f"Stopped at step {weighting.steps_:,}: the browser that asked for it had gone."
    return weighting


def _on_event(run: Run, job: Job, event: Any) -> bool:
    """Take in what a training run has to tell. Returns whether it shall end; waits while its job is paused."""
    _take_in(run, job, event)
    return job.wait_while_paused()


def _take_in(run: Run, job: Job, event: Any) -> bool:
    """As ``_on_event``, without waiting: one thread works for other jobs too."""
    event = event.detached()  # or each run would keep its engine in memory
    if event.phase == "pretraining":
        run.fitting_seconds += event.seconds - (run.latest.seconds if run.latest else 0.0)
    else:
        run.history.append((event.step, event.loss, event.validation_f1))
    if event.message:
        run.messages.append(event.message)
    run.writer.event(event)
    run.latest = event
    job.emit((event.step, event.loss, event.validation_f1))
    if job.paused:
        run.writer.flush()
    return job.stop_requested


def _on_end(job: Job, status: str) -> None:
    job.meta["run"].writer.end(status, job.result, job.error)


def _add_owner(store: History, owner: str, token: str) -> None:
    try:
        store.add_owner(owner, token)
    except sqlite3.Error as error:  # it is shown all the same, and not listed later
        log.warning("the history cannot be written: %s", error)


def _find_same(store: History, problem: ProblemInfo, parameters: dict[str, Any]) -> str | None:
    try:
        return store.find_same(problem, parameters)
    except sqlite3.Error as error:
        log.warning("the history cannot be read: %s", error)
        return None

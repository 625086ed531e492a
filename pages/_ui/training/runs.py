"""Trainings: started in the background, found again on every page, after a reload, and after the server's restart.

A run's token in the address shows it to whoever has the link; only the browser that asked for it can stop, rename or
delete it. The same training (content, settings, seed, versions) on a corpus of the catalogue is computed once: who asks
while it runs waits for the same job, who asks later gets the result of the history.
"""

import functools
import logging
import secrets
import sqlite3
import time
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.service import training_history
from ltw_core.service.group_training import GroupTraining
from ltw_core.service.history_writer import HistoryWriter
from ltw_core.service.job import Job
from ltw_core.service.jobs import manager
from ltw_core.service.training_history import Past, Problem
from ltw_core.tasks import TermStatistics
from ltw_core.weighting.progress import Cancelled
from pages._ui.reader import owners, uploads
from pages._ui.training import histories
from pages._ui.training.run import KIND, PastRun, Run, one_for_all
from pages._ui.weightings.learned import is_local

log = logging.getLogger(__name__)

LISTED = 30
HOUR = 3600.0


def mine(job: Job) -> bool:
    """Whether this browser may stop a job."""
    return any(name in job.owners for name in owners.names())


# starting -------------------------------------------------------------------------------------------------------------
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
    who = owners.session() if own else owners.me()
    store, problem = histories.store_of(dataset), _problem(dataset, task)
    if not own and not again:
        token = _same(store, problem, parameters)
        if token is not None:
            store.hold(who, token)
            return find(token)
    held = one_for_all(problem.fingerprint, task.statistics)
    run = Run(problem=problem, parameters=parameters, changed=changed, terms=held)

    def enter() -> str:
        try:
            run.token = store.begin(who, problem, task.statistics, parameters, changed)
        except (sqlite3.Error, OSError) as error:  # a full disk: it is trained all the same
            log.warning("the history cannot be written: %s", error)
            run.token = secrets.token_urlsafe(9)
        run.writer = HistoryWriter(store, run.token, task.tpr, task.fpr, _notes(run))
        return run.token

    key = training_history.identify(problem, parameters) + (who if own else "")
    work = functools.partial(_work, run, task, step, group)
    urgent = is_local(parameters["variant"]) and parameters["engine"] in ("auto", "compiled")  # a tenth of a second
    options = {"shared": not own, "name": enter, "on_end": _ended, "leader": leader, "urgent_start": urgent}
    job = manager().submit(who, KIND, key, work, {"run": run}, **options)
    found = job.meta["run"]
    if found is run:
        run.job = job
        if group is not None:
            from ltw_core.weighting import LearnedWeighting

            if step:
                job.pause_after(1)
            listener = functools.partial(_event, run, job)
            group.add(run.token, LearnedWeighting(**parameters), listener, lambda: job.stop_requested)
    else:
        store.hold(who, found.token)
    return found


def start_all(
    dataset: str,
    task: Any,
    parameters: dict[str, Any],
    changed: dict[str, Any],
    seeds: list[int],
    **options: Any,
) -> list[Run]:
    """Start a training for every seed: side by side where the engine is a lockstep, else a job for each.

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
            first = next((run.job for run in found if group is not None and run.token in group), None)
            own = parameters | {"random_state": seed}
            found.append(start(dataset, task, own, changed, group=group, leader=first, **options))
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
            on_event=functools.partial(_event, run, job),
            should_stop=lambda: job.stop_requested,
        )
    if not weighting.history_:
        raise Cancelled("It was stopped before its first validation")
    if job.abandoned:
        weighting.stop_reason_ = f"Stopped at step {weighting.steps_:,}: the browser that asked for it had gone."
    return weighting


def _event(run: Run, job: Job, event: Any) -> bool:
    """Take in what a training has to tell. Returns whether it shall end; waits while its job is paused."""
    event = event.detached()  # or each run would keep its engine in memory
    if event.phase == "pretraining":
        run.fitting += event.seconds - (run.latest.seconds if run.latest else 0.0)
    else:
        run.history.append((event.step, event.loss, event.validation_f1))
    if event.message:
        run.messages.append(event.message)
    run.writer.event(event)
    run.latest = event
    job.emit((event.step, event.loss, event.validation_f1))
    if job.paused:
        run.writer.flush()
    return job.wait_while_paused()


def _ended(job: Job, status: str) -> None:
    job.meta["run"].writer.end(status, job.result, job.error)


def _same(store: training_history.History, problem: Problem, parameters: dict[str, Any]) -> str | None:
    try:
        return store.same(problem, parameters)
    except sqlite3.Error as error:
        log.warning("the history cannot be read: %s", error)
        return None


def _problem(dataset: str, task: Any) -> Problem:
    return Problem(
        fingerprint=task.fingerprint,
        corpus=dataset,
        corpus_title=task.vectorized.corpus.title,
        class_name=task.class_name,
        class_title=task.class_title,
        ratio=task.ratio,
        prevalence=float(task.prevalence),
        n_documents=int(task.n_documents),
        n_terms=len(task.terms),
    )


def _notes(run: Run) -> dict[str, Any]:
    """What travels with a weighting's file."""
    return {
        "dataset": run.dataset,
        "dataset_title": run.corpus_title,
        "class": run.class_name,
        "class_title": run.class_title,
        "seed": run.seed,
        "settings": {k: v for k, v in run.parameters.items() if v is not None},
        "terms": [str(t) for t in run.terms.terms],
        "made": time.strftime("%Y-%m-%d"),
    }


# controlling ----------------------------------------------------------------------------------------------------------
def stop(run: Run) -> bool:
    """Stop a run of this browser. False: it goes on for others who asked for the same, or it is not this browser's."""
    stopped = False
    for name in owners.names():
        if name in run.job.owners:
            stopped = manager().cancel(run.job, name)
    return stopped


def pause(run: Run) -> bool:
    """Pause a run of this browser. False: others wait for it, or it is not this browser's."""
    return mine(run.job) and manager().pause(run.job)


def resume(run: Run) -> None:
    """Let a paused run of this browser go on."""
    if mine(run.job):
        manager().resume(run.job)


def step(run: Run) -> None:
    """Let a paused run of this browser go on to its next validation."""
    if mine(run.job):
        manager().step(run.job)


# finding --------------------------------------------------------------------------------------------------------------
def find(token: str | None) -> Run | None:
    """A run by its token, this browser's or not; one on somebody's own corpus only for them."""
    job = manager().get(token) if token else None
    if job is not None and job.kind == KIND:
        run = job.meta["run"]
        return run if mine(job) or not run.dataset.startswith(uploads.PREFIX) else None
    if not token:
        return None
    for store in (histories.lasting(), histories.private()):
        past = store.find(token)
        if past is not None and (store is not histories.private() or store.holds(owners.names(), token)):
            return _past_run(past, store)
    return None


def _past_run(past: Past, store: training_history.History) -> PastRun:
    if past.finished is None:  # another process's, which will change it
        return PastRun(past, store)
    return _ended_run(past.token, store)


@functools.lru_cache(maxsize=64)
def _ended_run(token: str, store: training_history.History) -> PastRun:
    return PastRun(store.find(token), store)


def current(dataset: str, class_name: str | None) -> Run | None:
    """The run to show for a class: the one in the address, else the one last looked at, else this browser's latest.

    ``class_name`` is None as long as the corpus is not there: any of its classes will do.
    """
    looked_at = st.session_state.get("_looked_at", {}).get((dataset, class_name))
    for run in map(find, (st.query_params.get("run"), looked_at)):
        if run is not None and run.dataset == dataset and class_name in (None, run.class_name):
            look_at(run)
            return run
    return latest(dataset, class_name)


def look_at(run: Run) -> None:
    """From now on every page shows this run for its class, until another is looked at."""
    st.session_state.setdefault("_looked_at", {})[run.dataset, run.class_name] = run.token


def kept(run: Run) -> bool:
    """Whether a run is among this browser's; one that is looked at by somebody's link is not."""
    return mine(run.job) or histories.store_of(run.dataset).holds(owners.names(), run.token)


def whose(run: Run) -> str:
    """Whether it is this reader's, in a word or two."""
    return "yours" if kept(run) else "by a link"


def at_hand(dataset: str, class_name: str | None) -> list[Run]:
    """This browser's runs for a class, newest first, and before them one that it looks at by somebody's link."""
    own, shown = all_runs(dataset, class_name), current(dataset, class_name)
    return own if shown is None or shown.token in {run.token for run in own} else [shown, *own]


def all_runs(dataset: str | None = None, class_name: str | None = None) -> list[Run]:
    """This browser's runs (of a class), newest first: those in memory, and the history's latest that have a result."""
    found: dict[str, Run] = {}
    for name in owners.names():
        for job in reversed(manager().of(name, KIND)):
            run = job.meta["run"]
            if dataset in (None, run.dataset) and class_name in (None, run.class_name):
                found[run.token] = run
    asked = {token: run.job.submitted for token, run in found.items()}
    for past in listed(dataset, class_name, limit=LISTED):
        if past.token not in found and (past.has_weighting or past.snapshots):
            found[past.token] = _past_run(past, histories.store_of(past.problem.corpus))
            asked[past.token] = past.held
    return [found[token] for token in sorted(found, key=asked.get, reverse=True)]


def latest(dataset: str, class_name: str | None, finished: bool = False) -> Run | None:
    """This browser's latest run for a class."""
    return next((run for run in all_runs(dataset, class_name) if run.finished or not finished), None)


def siblings(run: Run | None) -> list[Run]:
    """A training, and this browser's others for the same class that differ from it in their seed alone."""
    if run is None:
        return []
    others = reversed(all_runs(run.dataset, run.class_name))
    alike = {other.seed: other for other in others if _but_seed(other) == _but_seed(run)}  # the latest
    return list({**alike, run.seed: run}.values())


def _but_seed(run: Run) -> tuple:
    return run.ratio, {**run.parameters, "random_state": None}


# the history ----------------------------------------------------------------------------------------------------------
def listed(
    dataset: str | None = None,
    class_name: str | None = None,
    *,
    deleted: bool = False,
    limit: int = training_history.KEPT,
) -> list[Past]:
    """Rows of this browser's history, pinned ones first; ``deleted``: those that ``restore`` brings back."""
    stores = (histories.lasting(), histories.private())
    if dataset is not None:
        stores = (histories.store_of(dataset),)
    only = {"corpus": dataset, "class_name": class_name, "deleted": deleted, "limit": limit}
    try:
        return [past for store in stores for past in store.of(owners.names(), **only)]
    except sqlite3.Error as error:
        log.warning("the history cannot be read: %s", error)
        return []


def rename(run: Run | Past, name: str) -> None:
    """Give a run a name of one's own."""
    _each(run, "rename", name)


def pin(run: Run | Past, pinned: bool = True) -> None:
    _each(run, "pin", pinned)


def delete(run: Run | Past) -> None:
    """Take a run out of all that this browser is shown; one that goes on is stopped, unless others wait for it."""
    _each(run, "delete")
    job, seen = manager().get(run.token), st.session_state.get("_looked_at", {})
    for name in owners.names() if job is not None else ():
        manager().withdraw(job, name)
    for place in [place for place, token in seen.items() if token == run.token]:
        del seen[place]


def restore(run: Run | Past) -> None:
    """Undo ``delete``."""
    _each(run, "restore")


def _each(run: Run | Past, action: str, *values: Any) -> None:
    for name in owners.names():
        getattr(histories.store_of(run.problem.corpus), action)(name, run.token, *values)


def bring(content: bytes, dataset: str, task: Any) -> Run:
    """Take the file of a learned weighting into this browser's history.

    Raises
    ------
    ValueError
        It is no such file, or it does not say what its terms are and does not fit the class at hand.
    """
    weighting = training_history.from_bytes(content)
    notes = weighting.notes_ or {}
    fits = len(weighting.tpr_) == len(task.terms) and np.allclose(weighting.tpr_, task.tpr)
    if fits and np.allclose(weighting.fpr_, task.fpr):
        problem = _problem(dataset, task)
        terms = task.statistics
    else:
        problem, terms = _problem_of_file(weighting, notes, content)
    own = problem.corpus.startswith(uploads.PREFIX)
    who = owners.session() if own else owners.me()
    return find(histories.store_of(problem.corpus).import_weighting(who, problem, terms, weighting))


def _problem_of_file(weighting: Any, notes: dict[str, Any], content: bytes) -> tuple[Problem, TermStatistics]:
    names = notes.get("terms")
    if not isinstance(names, list) or len(names) != len(weighting.cd_) or not notes.get("dataset"):
        raise ValueError(
            "this weighting was learned for other terms than those of the class at hand and does not name its own; "
            "choose its dataset and class first"
        )
    n = int(weighting.n_documents_)
    terms = np.array([str(t) for t in names])
    terms = TermStatistics.of_rates(terms, weighting.tpr_, weighting.fpr_, weighting.prevalence_, n)
    corpus, class_name = str(notes["dataset"]), str(notes.get("class", "?"))
    problem = Problem(
        fingerprint=training_history.digest(content.hex()),
        corpus=corpus,
        corpus_title=str(notes.get("dataset_title", corpus)),
        class_name=class_name,
        class_title=str(notes.get("class_title", class_name)),
        ratio=None,
        prevalence=float(weighting.prevalence_),
        n_documents=n,
        n_terms=len(names),
    )
    return problem, terms


# files ----------------------------------------------------------------------------------------------------------------
def weights_file(run: Run) -> bytes:
    """A run's weighting as the file that ``LearnedWeighting.load`` reads."""
    return training_history.to_bytes(run.weighting, _notes(run))


def curve_csv(run: Run) -> str:
    """Training curve as CSV."""
    rows = ["step,training_loss,validation_f1"]
    rows += [f"{step},{loss:.6g},{f1:.6g}" for step, loss, f1 in run.history]
    return "\n".join(rows) + "\n"


# the server's part ----------------------------------------------------------------------------------------------------
def look_after() -> None:
    """For ever: end the work of readers who are gone, and keep the history in order."""
    last = time.monotonic()

    def meanwhile() -> None:
        nonlocal last
        store = histories.lasting()
        store.beat()
        if time.monotonic() - last > HOUR:
            last = time.monotonic()
            store.mark_dead()
            store.purge()

    def release(who: str) -> None:
        manager().forget_owner(who)
        histories.private().forget_owner(who)

    owners.reap(release, meanwhile)

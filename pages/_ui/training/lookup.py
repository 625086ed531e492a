"""Finding training runs again: on every page, after a reload, after the server's restart, and by a link.

A run's token in the address shows it to whoever has the link; only the browser that asked for it can stop, rename or
delete it.
"""

import logging
import sqlite3
from collections.abc import Callable

import streamlit as st

from ltw_core.service.history_queries import TRAININGS_KEPT
from ltw_core.service.job_manager import manager
from ltw_core.service.training_record import TrainingRecord
from pages._ui.reader import owners, uploads
from pages._ui.training import histories
from pages._ui.training.run import KIND, PastRun, Run

log = logging.getLogger(__name__)

LISTED = 30


def find(token: str | None) -> Run | None:
    """A run by its token, this browser's or not; one on somebody's own corpus only for them."""
    job = manager().get(token) if token else None
    if job is not None and job.kind == KIND:
        run = job.meta["run"]
        return run if asked_for(run) or not run.problem.corpus.startswith(uploads.PREFIX) else None
    if not token:
        return None
    for store in (histories.lasting(), histories.private()):
        record = store.find(token)
        if record is not None and (store is not histories.private() or store.is_owned(owners.names(), token)):
            return PastRun(record, store)
    return None


def current(dataset: str, class_name: str | None) -> Run | None:
    """The run to show for a class: the one in the address, else the one last looked at, else this browser's latest.

    ``class_name`` is None as long as the corpus is not there: any of its classes will do.
    """
    looked_at = st.session_state.get("_looked_at", {}).get((dataset, class_name))
    for run in map(find, (st.query_params.get("run"), looked_at)):
        if run is not None and run.problem.corpus == dataset and class_name in (None, run.problem.class_name):
            look_at(run)
            return run
    return next(iter(own_runs(dataset, class_name)), None)


def look_at(run: Run) -> None:
    """From now on every page shows this run for its class, until another is looked at."""
    st.session_state.setdefault("_looked_at", {})[run.problem.corpus, run.problem.class_name] = run.token


def asked_for(run: Run) -> bool:
    """Whether this browser asked for what a job of this process trains: it may stop it."""
    return run.job is not None and any(name in run.job.owners for name in owners.names())


def is_own(run: Run) -> bool:
    """Whether a run is among this browser's; one that is looked at by somebody's link is not."""
    return asked_for(run) or histories.store_of(run.problem.corpus).is_owned(owners.names(), run.token)


def ownership(run: Run) -> str:
    """Whether it is this reader's, in a word or two."""
    return "yours" if is_own(run) else "by a link"


def whose(run: Run) -> str:
    """The same before the run's name, which is like that of the weighting that everybody has."""
    return "Your run" if is_own(run) else "Run by a link"


def own_or_linked(dataset: str, class_name: str | None) -> list[Run]:
    """This browser's runs for a class, newest first, and before them one that it looks at by somebody's link."""
    own, shown = own_runs(dataset, class_name), current(dataset, class_name)
    return own if shown is None or shown.token in {run.token for run in own} else [shown, *own]


def own_runs(dataset: str | None = None, class_name: str | None = None) -> list[Run]:
    """This browser's runs (of a class), newest first: those in memory, and the history's latest that have a result."""
    found: dict[str, Run] = {}
    for name in owners.names():
        for job in reversed(manager().of(name, KIND)):
            run = job.meta["run"]
            if dataset in (None, run.problem.corpus) and class_name in (None, run.problem.class_name):
                found[run.token] = run
    asked = {token: run.job.submitted for token, run in found.items()}
    for record in own_records(dataset, class_name, limit=LISTED):
        if record.token not in found and (record.has_weighting or record.snapshots):
            found[record.token] = PastRun(record, histories.store_of(record.problem.corpus))
            asked[record.token] = record.added
    return [found[token] for token in sorted(found, key=asked.get, reverse=True)]


def not_written() -> str:
    """Why what this browser trains cannot be written into the history; "" where it can."""
    runs = (job.meta["run"] for name in owners.names() for job in manager().of(name, KIND))
    return next((run.writer.problem for run in runs if run.writer is not None and run.writer.problem), "")


def own_records(
    dataset: str | None = None, class_name: str | None = None, *, deleted: bool = False, limit: int = TRAININGS_KEPT
) -> list[TrainingRecord]:
    """Rows of this browser's history, pinned ones first; ``deleted``: those that can be restored."""
    stores = (histories.lasting(), histories.private())
    if dataset is not None:
        stores = (histories.store_of(dataset),)
    only = {"corpus": dataset, "class_name": class_name, "deleted": deleted, "limit": limit}
    try:
        return [record for store in stores for record in store.of(owners.names(), **only)]
    except sqlite3.Error as error:
        log.warning("the history cannot be read: %s", error)
        return []


def siblings(run: Run | None) -> list[Run]:
    """A training run, and this browser's others for the same class that differ from it in their seed alone."""
    if run is None:
        return []
    others = reversed(own_runs(run.problem.corpus, run.problem.class_name))
    alike = {other.seed: other for other in others if _but_seed(other) == _but_seed(run)}  # the latest
    return list({**alike, run.seed: run}.values())


def _but_seed(run: Run) -> tuple:
    return run.problem.ratio, {**run.parameters, "random_state": None}


def in_brief(runs: list[Run], of: Callable[[Run], str] = lambda run: "Your run") -> dict[str, str]:
    """What each run is called by its reference: its weighting; seed and class too where others are like it. ``of`` says
    whose it is, as ``whose`` does."""
    ways = [lambda run: run.label.rpartition(" · ")[0], lambda run: run.label]
    ways.append(lambda run: f"{run.label} · {run.problem.class_title}")
    brief = {}
    for run in runs:
        alone = (way for way in ways if [way(other) for other in runs].count(way(run)) == 1)
        brief[run.reference] = f"{next(alone)(run)} ({of(run).lower()})"
    return brief

"""What a final classifier decided of each test document: kept when a cell is computed, made again when it is asked for.

A cell in the store is its counts and the parameters that were chosen. With these the classifier is trained once more,
without a search; vectors and decisions are kept in memory as far as they fit.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.evaluation import Decisions, MulticlassDecisions, Result, Vectors, decide, weigh
from ltw_core.service.cells_on_demand import Item, step_told
from ltw_core.service.job import Job
from ltw_core.service.job_manager import JobManager, manager_of_short_work
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.studies.compute import vectors_of
from pages._ui import loading
from pages._ui.guard import capital, plain
from pages._ui.reader import owners
from pages._ui.streamlit_fixes.rerun import run_again

KIND = "decide"
PATIENCE = 0.15  # where the vectors are kept it is done by then, and nothing needs to flicker; else nobody waits
VECTOR_BYTES, DECISION_BYTES = 12 * 2**20, 16 * 2**20  # made again in a tenth of a second, of all classes in seconds
PREDICTED_BYTES = 2 * 2**20  # the documents predicted positive: a few hundred numbers each

OnEvent = Callable[[Any], bool]
Decided = Decisions | MulticlassDecisions

_vectors, _decisions = BoundedCache(VECTOR_BYTES), BoundedCache(DECISION_BYTES)
_predicted = BoundedCache(PREDICTED_BYTES)


def keep(vectors_key: str, key: str, vectors: Vectors, decisions: Decisions) -> None:
    """Keep a cell's vectors and decisions as long as there is room."""
    _vectors.put(vectors_key, vectors, _size(vectors))
    put(key, decisions)


def _size(vectors: Vectors) -> int:
    parts = (vectors.train, vectors.test)
    return sum(getattr(part, "nbytes", 0) or part.data.nbytes + part.indices.nbytes for part in parts)


def ask(task: Any, item: Item, result: Result, cell: Any, estimator: Any, vectors_key: str) -> Decisions | Job:
    """A cell's decisions; if they are not kept, the job that makes them."""

    def make(job: Job, on_event: OnEvent) -> Decisions:
        vectors = _vectors.get(vectors_key)  # also what another job made while this one waited
        if vectors is None:
            vectors = weigh(task, estimator, item.seed, on_event) if cell is None else vectors_of(cell, task, on_event)
            _vectors.put(vectors_key, vectors, _size(vectors))
        job.meta["message"] = "Training the classifier with the setting that was chosen"
        job.raise_if_stopped()
        return decide(vectors, item.learner, result.parameters, item.seed)

    soon = _vectors.get(vectors_key) is not None
    return kept_or_made(item.key, make, PATIENCE if soon else 0.0)


def kept_or_made(
    key: str, make: Callable[[Job, OnEvent], Decided], patience: float = 0.0, manager: JobManager | None = None
) -> Decided | Job:
    """Decisions by key; if they are not kept, the job that makes them.

    Parameters
    ----------
    make : called with the job, and with what takes its ``Progress`` and says whether to end.
    patience : seconds to wait for it here.
    manager : whose job it is; that of short work without it.
    """
    kept = _decisions.get(key)
    if kept is not None:
        return kept

    def work(job: Job) -> None:
        def on_event(progress: Any) -> bool:
            job.meta["message"] = step_told(progress)
            return job.wait_while_paused()

        put(key, make(job, on_event))  # and not the job's result: an ended job is kept, however large that is

    manager = manager or manager_of_short_work()
    job = manager.submit(owners.current_owner(), KIND, key, work, {"message": ""}, shared=True)
    loading.wait_until(lambda: not job.active, patience)
    made = _decisions.get(key)
    return job if made is None else made


def known(key: str) -> bool:
    """Whether a cell's decisions are kept."""
    return _decisions.get(key) is not None


def put(key: str, decisions: Decided) -> None:
    """Keep decisions as long as there is room."""
    _decisions.put(key, decisions, decisions.bytes)
    if isinstance(decisions, Decisions):
        rows = np.flatnonzero(decisions.predicted)
        _predicted.put(key, rows, rows.nbytes)


def with_predicted(key: str, result: Result) -> Result:
    """A result with the documents that were predicted positive, where these have been found out since and are as many
    as it counts."""
    rows = None if result.predicted is not None else _predicted.get(key)
    return result if rows is None or rows.size != result.tp + result.fp else replace(result, predicted=rows)


def wait(job: Job) -> None:
    """A line that says what a job does, until it is done and the page can go on."""

    @st.fragment(run_every=owners.paced(0.5))
    def line() -> None:
        if not job.active:
            run_again()
        told = job.meta["message"] and f": {plain(job.meta['message'])}"
        with st.container(key=f"deciding_again-{job.id}"):  # in one line: see style.css
            st.info(f"Classifying the test documents again{told}…", icon="spinner")

    if job.active:
        line()
    elif job.status == "done":  # meanwhile, or others took the room of what it made
        run_again()
    elif job.status == "failed":
        st.error(capital(job.error), icon=":material/error:")
    else:
        st.info("This was stopped; choose it again.", icon=":material/stop_circle:")

"""What a final classifier decided of each test document: kept when a cell is computed, made again when it is asked for.

A cell in the store is its counts and the parameters that were chosen. With these the classifier is trained once more,
without a search; vectors and decisions are kept in memory as far as they fit.
"""

from typing import Any

import streamlit as st

from ltw_core.evaluation import Decisions, Result, Vectors, decide, weigh
from ltw_core.service.cells_on_demand import Item
from ltw_core.service.job import Job
from ltw_core.service.jobs import JobManager
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.studies.compute import vectors_of
from pages._ui import loading
from pages._ui.guard import capital
from pages._ui.reader import owners
from pages._ui.streamlit_fixes.rerun import run_again

KIND = "decide"
PATIENCE = 0.15  # where the vectors are kept it is done by then, and nothing needs to flicker; else nobody waits
VECTOR_BYTES, DECISION_BYTES = 48 * 2**20, 160 * 2**20  # forty classes of Reuters and 20 Newsgroups

_jobs = JobManager(limit=1)  # apart from the long ones: whoever opens a cell does not wait for a study
_vectors, _decisions = BoundedCache(VECTOR_BYTES), BoundedCache(DECISION_BYTES)


def keep(vectors_key: str, key: str, vectors: Vectors, decisions: Decisions) -> None:
    """Keep a cell's vectors and decisions as long as there is room."""
    _vectors.put(vectors_key, vectors, _size(vectors))
    _decisions.put(key, decisions, decisions.bytes)


def _size(vectors: Vectors) -> int:
    parts = (vectors.train, vectors.test)
    return sum(getattr(part, "nbytes", 0) or part.data.nbytes + part.indices.nbytes for part in parts)


def ask(task: Any, item: Item, result: Result, cell: Any, estimator: Any, vectors_key: str) -> Decisions | Job:
    """A cell's decisions; if they are not kept, the job that makes them."""
    kept = _decisions.get(item.key)
    if kept is not None:
        return kept

    def work(job: Job) -> Decisions:
        def on_event(progress: Any) -> bool:
            job.meta["message"] = progress.message
            return job.wait_while_paused()

        vectors = _vectors.get(vectors_key)  # also what another job made while this one waited
        if vectors is None:
            vectors = weigh(task, estimator, item.seed, on_event) if cell is None else vectors_of(cell, task, on_event)
        job.meta["message"] = "Training the classifier with the setting that was chosen"
        job.raise_if_stopped()
        decisions = decide(vectors, item.learner, result.parameters, item.seed)
        keep(vectors_key, item.key, vectors, decisions)
        return decisions

    soon = _vectors.get(vectors_key) is not None
    job = _jobs.submit(owners.me(), KIND, item.key, work, {"message": ""}, shared=True)
    loading.wait_until(lambda: not job.active, PATIENCE if soon else 0.0)
    return job.result if job.status == "done" else job


def wait(job: Job) -> None:
    """A line that says what a job does, until it is done and the page can go on."""

    @st.fragment(run_every=0.5)
    def line() -> None:
        if not job.active:
            run_again()
        st.info(f"Deciding the test documents again… {job.meta['message']}", icon="spinner")

    if job.active:
        line()
    elif job.status == "failed":
        st.error(capital(job.error), icon=":material/error:")
    else:
        st.info("This was stopped; open the cell again.", icon=":material/stop_circle:")

"""Evaluations of a class: what a reader asks for, as cells; what of it is known; the rest computed in the background.

A cell of a catalogue corpus under a method of the table is everybody's: it lies in a store on this server, and is never
computed twice. What is a reader's own (an uploaded corpus, a weighting composed here, a training of this session) stays
in the session, known by its content: the formula, or the learned weights.
"""

from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple

import streamlit as st

from ltw_core.evaluation import Result, learners
from ltw_core.service.cells_on_demand import CellsProgress, Item, SessionQueue, StoreQueue, compute
from ltw_core.service.job import Job
from ltw_core.service.jobs import manager
from ltw_core.studies.cell import Cell, seeds_of
from ltw_core.studies.plan import cells_of
from ltw_core.studies.shared_cells import app_store, find
from ltw_core.studies.store import Store
from ltw_core.weighting import methods
from pages._ui.evaluate import decisions_kept
from pages._ui.reader import owners, uploads
from pages._ui.weightings import estimators

KIND = "evaluate"
ORIGINS = {
    "here": "computed on this server",
    "study": "from a study on this server",
    "shipped": "shipped with LTW Lab",
    "yours": "yours, in this session",
}


@dataclass(frozen=True)
class Plan:
    """What to compute: every weighting with every learner, and with several seeds what is seeded."""

    weightings: tuple[str, ...]
    learners: tuple[str, ...]
    grid: str
    seeds: int = 1


class Found(NamedTuple):
    """A result and where it comes from, a key of ``ORIGINS``."""

    result: Result
    origin: str


def items(dataset: str, task: Any, plan: Plan) -> tuple[list[Item], dict[str, Cell]]:
    """The cells of a plan in the order of its weightings, and those that are everybody's by key."""
    shared = [name for name in plan.weightings if name in methods()] if not dataset.startswith(uploads.PREFIX) else []
    cells = _cells(task.fingerprint, replace(plan, weightings=tuple(shared)), task)
    found = {name: [] for name in plan.weightings}
    for cell in cells.values():
        found[cell.weighting].append(Item(cell.weighting, cell.learner, cell.seed, cell.key))
    for name in plan.weightings:
        if name not in shared:
            found[name] = _own_items(task, name, plan)
    return [item for some in found.values() for item in some], cells


_cached: dict[tuple, dict[str, Cell]] = {}


def _cells(fingerprint: str, plan: Plan, task: Any) -> dict[str, Cell]:
    """Hashing some hundred cells takes as long as a page may: done once for a plan."""
    if not plan.weightings or not plan.learners:
        return {}
    key = (fingerprint, plan)
    if key not in _cached:
        if len(_cached) > 200:
            _cached.clear()
        cells = cells_of(
            task.vectorized.corpus,
            classes=[task.class_name],
            weightings=plan.weightings,
            learner_names=plan.learners,
            grid=plan.grid,
            seeds=plan.seeds,
            tokenizer=task.vectorized.tokenizer,
            stop_words=task.vectorized.stop_words,
            min_df=task.vectorized.min_df,
            ratio=task.ratio,
        )
        _cached[key] = {cell.key: cell for cell in cells}
    return _cached[key]


def _own_items(task: Any, name: str, plan: Plan) -> list[Item]:
    """Cells of one's own, known by the task's and the weighting's content."""
    drawn = name if name in methods() else "TF"  # what a reader made draws from no seed any more
    content = estimators.content(name)
    return [
        Item(name, learner, seed, estimators.digest(task.fingerprint, content, learner, plan.grid, seed))
        for seed in range(plan.seeds)
        for learner in plan.learners
        if learner in learners(name) and seed in seeds_of(drawn, learner, plan.seeds)
    ]


def known(dataset: str, task: Any, plan: Plan) -> tuple[list[Item], dict[Item, Found], dict[Item, str]]:
    """All cells of a plan, those that are known, and why others failed."""
    wanted, cells = items(dataset, task, plan)
    mine, failed = _mine()
    there = find(cells)
    found = {}
    for item in wanted:
        if item.key in mine:
            found[item] = Found(mine[item.key], "yours")
        elif item.key in there:
            found[item] = Found(there[item.key].record, there[item.key].origin)
    missing = [item for item in wanted if item not in found]
    errors = {item: failed[item.key] for item in missing if item.key in failed}
    stored = [item.key for item in missing if item.key in cells]
    if stored and app_store().is_file():
        with Store(app_store()) as store:
            reasons = store.errors(stored)
        errors |= {item: reasons[item.key] for item in missing if item.key in reasons}
    return wanted, found, errors


def _mine() -> tuple[dict[str, Result], dict[str, str]]:
    """This session's own results and errors by key."""
    return st.session_state.setdefault("_own_results", ({}, {}))


def start(dataset: str, task: Any, plan: Plan) -> Job:
    """Compute the cells of a plan that are not known."""
    wanted, found, _ = known(dataset, task, plan)
    cells = items(dataset, task, plan)[1]
    missing = [item for item in wanted if item not in found]
    shared = [cells[item.key] for item in missing if item.key in cells]
    mine = [item for item in missing if item.key not in cells]
    weightings = {item.weighting: _to_weigh(item.weighting, task) for item in mine}
    results, errors = _mine()
    progress = CellsProgress(len(missing))

    def work(job: Job) -> int:
        def on_result(item: Item, vectors: Any, result: Result) -> None:
            decisions_kept.keep(vectors_key(task, item, cells), item.key, vectors, result.decisions)
            job.emit(item)

        if mine:
            queue = SessionQueue(mine, task, plan.grid, weightings, results, errors)
            compute(queue, progress, job.wait_while_paused, on_result=on_result)
        if shared:
            with closing(StoreQueue(shared, task, app_store())) as queue:
                compute(queue, progress, job.wait_while_paused, on_result=on_result)
        return progress.done

    meta = {"plan": plan, "dataset": dataset, "class": task.class_name, "progress": progress}
    key = estimators.digest(task.fingerprint, asdict(plan), sorted(item.key for item in missing))
    return manager().submit(owners.me(), KIND, key, work, meta)


def _to_weigh(name: str, task: Any) -> Any:
    """What ``weigh`` takes for a weighting: an estimator, or the name of a method, whose seed is still to come."""
    return name if name in methods() else estimators.estimator(name, task)


def vectors_key(task: Any, item: Item, cells: dict[str, Cell]) -> str:
    """Names the vectors of a cell."""
    return cells[item.key].vectors_key if item.key in cells else f"{task.fingerprint}/{item.weighting}/{item.seed}"


def decisions(dataset: str, task: Any, plan: Plan, item: Item, result: Result) -> Any:
    """What was decided in a known cell, or the job that finds it out again."""
    cells = items(dataset, task, plan)[1]
    cell = cells.get(item.key)
    made = None if cell else _to_weigh(item.weighting, task)
    return decisions_kept.ask(task, item, result, cell, made, vectors_key(task, item, cells))


def current(dataset: str, class_name: str) -> Job | None:
    """This reader's latest evaluation of the class."""
    found = [
        job
        for job in manager().of(owners.me(), KIND)
        if (job.meta["dataset"], job.meta["class"]) == (dataset, class_name)
    ]
    return found[-1] if found else None

"""Evaluations in the background, cell by cell. A cell of a shared corpus is computed once for everybody."""

import hashlib
import json
import threading
from dataclasses import dataclass
from typing import Any

from ltw_core.evaluation import Cancelled, Result, evaluate_vectors, weigh
from ltw_core.experiments import jobs
from ltw_core.experiments.jobs import Job, manager
from pages._ui import own, runs, uploads

KIND = "evaluate"
OWN_RUN = "run:"
_lock = threading.Lock()
_cells: dict[tuple, Result] = {}
LIMIT = 20_000


@dataclass(frozen=True)
class Plan:
    """What to compute: every weighting with every learner."""

    weightings: tuple[str, ...]
    learners: tuple[str, ...]
    grid: str
    seed: int

    def cells(self) -> list[tuple[str, str]]:
        return [(weighting, learner) for weighting in self.weightings for learner in self.learners]


def known(task: Any, plan: Plan) -> dict[tuple[str, str], Result]:
    """Cells of a plan that have been computed."""
    found = {}
    for cell in plan.cells():
        result = _cells.get(_key(task, *cell, plan))
        if result is not None:
            found[cell] = result
    return found


def _key(task: Any, weighting: str, learner: str, plan: Plan) -> tuple:
    return (task.fingerprint, weighting, learner, plan.grid, plan.seed)


def start(dataset: str, task: Any, plan: Plan) -> Job:
    """Compute the cells that are not known yet."""
    fitted = {}
    for name in plan.weightings:
        if name.startswith(OWN_RUN):
            run = runs.find(name.removeprefix(OWN_RUN))
            if run is None or run.weighting is None:
                raise ValueError("this training is no longer there; train again")
            fitted[name] = run.weighting
        elif name.startswith(own.PREFIX):
            fitted[name] = own.make(name)

    def work(job: Job) -> int:
        def on_event(progress: Any) -> bool:
            job.meta["message"] = progress.message
            return job.cancelled

        done = 0
        for name in plan.weightings:
            missing = [learner for learner in plan.learners if _key(task, name, learner, plan) not in _cells]
            if not missing:
                continue
            job.meta["now"] = (name, missing[0])
            try:
                vectors = weigh(task, fitted.get(name, name), plan.seed, on_event)
                for learner in missing:
                    job.meta["now"] = (name, learner)
                    job.check()
                    result = evaluate_vectors(vectors, learner, plan.grid, plan.seed, on_event)
                    with _lock:
                        if len(_cells) >= LIMIT:
                            _cells.pop(next(iter(_cells)))
                        _cells[_key(task, name, learner, plan)] = result
                    done += 1
                    job.emit((name, learner))
            except Cancelled:
                raise jobs.Cancelled from None
        return done

    key = hashlib.sha256(json.dumps([task.fingerprint, plan.__dict__]).encode()).hexdigest()[:16]
    return manager().submit(runs.owner(), KIND, key, work, {"plan": plan, "dataset": dataset, "class": task.class_name})


def current(dataset: str, class_name: str) -> Job | None:
    """This session's latest evaluation of the class."""
    found = [
        j for j in manager().of(runs.owner(), KIND) if (j.meta["dataset"], j.meta["class"]) == (dataset, class_name)
    ]
    return found[-1] if found else None


def shared(dataset: str) -> bool:
    """Whether cells of a dataset are everybody's."""
    return not dataset.startswith(uploads.PREFIX)

"""An evaluation of a class: what a reader asks for, as cells; what of it is known; the rest computed in the background.

A cell of a catalogue corpus under a method of the table is everybody's: it lies in a store on this server, and is never
computed twice. Those of a weighting that a reader composed or trained are known by its content, the formula or the
learned weights, and are kept as long as the server runs: a reload loses none. What is of an uploaded corpus stays in
the session.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import streamlit as st

from ltw_core.evaluation import Decisions, Result, learners
from ltw_core.service.cells_on_demand import CellsProgress, Item, SessionQueue, StoreQueue, compute
from ltw_core.service.job import Job
from ltw_core.service.job_manager import JobManager, manager
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.studies.cell import Cell, seeds_of
from ltw_core.studies.estimate import usual_seconds
from ltw_core.studies.plan import cells_of
from ltw_core.studies.shared_cells import app_store, errors_here, find
from ltw_core.tasks.options import OPTIONS
from ltw_core.weighting import methods
from ltw_core.weighting.methods import method
from pages._ui import jobs
from pages._ui.evaluate import decisions_kept
from pages._ui.reader import owners, uploads
from pages._ui.result_cache import kept
from pages._ui.weightings import estimators, quick_f1

KIND = "evaluate"
UNASKED = ("SVM", "LR", "MNB")  # the classifiers that are tried before anybody asks
MOST_OWN = 5_000  # results of readers' own weightings that are kept
ORIGINS = {
    "here": "computed on this server",
    "study": "from a study on this server",
    "shipped": "included with the app",
    "yours": "your own",
}


@dataclass(frozen=True)
class EvaluationPlan:
    """What to compute: every weighting with every learner, and with several seeds what is seeded."""

    weightings: tuple[str, ...]
    learners: tuple[str, ...]
    grid: str
    seeds: int = 1


class FoundResult(NamedTuple):
    """A result and where it comes from, a key of ``ORIGINS``."""

    result: Result
    origin: str


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A plan for a class of a dataset. ``label`` says what a weighting is called."""

    dataset: str
    task: Any
    plan: EvaluationPlan
    label: Callable[[str], str]

    @cached_property
    def shared_cells(self) -> dict[str, Cell]:
        """Those of its cells that are everybody's, by key."""
        shared = tuple(name for name in self.plan.weightings if self._is_shared(name))
        return _cells(self.task.fingerprint, replace(self.plan, weightings=shared), self.task)

    def _is_shared(self, name: str) -> bool:
        return name in methods() and not self.dataset.startswith(uploads.PREFIX)

    @cached_property
    def items(self) -> list[Item]:
        """Its cells, in the order of its weightings."""
        found = {name: [] if self._is_shared(name) else self._own_items(name) for name in self.plan.weightings}
        for cell in self.shared_cells.values():
            found[cell.weighting].append(Item(cell.weighting, cell.learner, cell.seed, cell.key))
        return [item for some in found.values() for item in some]

    def _own_items(self, name: str) -> list[Item]:
        """Cells of one's own, known by the task's and the weighting's content."""
        seeded_as = name if name in methods() else "TF"  # what a reader made uses no seed any more
        content, plan = estimators.content(name), self.plan
        return [
            Item(name, learner, seed, estimators.digest(self.task.fingerprint, content, learner, plan.grid, seed))
            for seed in range(plan.seeds)
            for learner in plan.learners
            if learner in learners(name) and seed in seeds_of(seeded_as, learner, plan.seeds)
        ]

    def results(self) -> tuple[dict[Item, FoundResult], dict[Item, str]]:
        """What is known of it, and why other cells failed."""
        own, failed = self._own_results()
        there = find(self.shared_cells)
        found = {}
        for item in self.items:
            if (result := own.get(item.key)) is not None:
                found[item] = FoundResult(result, "yours")
            elif item.key in there:
                found[item] = FoundResult(there[item.key].record, there[item.key].origin)
            elif item.key in self.computed_elsewhere:
                origin = "here" if item.key in self.shared_cells else "yours"
                found[item] = FoundResult(self.computed_elsewhere[item.key], origin)
        found = {i: f._replace(result=decisions_kept.with_predicted(i.key, f.result)) for i, f in found.items()}
        missing = [item for item in self.items if item not in found]
        stored = [item.key for item in missing if item.key in self.shared_cells]
        failed = failed | errors_here(stored)
        return found, {item: failed[item.key] for item in missing if item.key in failed}

    @cached_property
    def computed_elsewhere(self) -> dict[str, Result]:
        """By key what the workbench has computed of what needs no learning: an SVM on the quick grid. Looked up once
        a run of the page, and not each time that it looks how far a job is."""
        if self.plan.grid != "quick":
            return {}
        quick = [i for i in self.items if (i.learner, i.seed) == ("SVM", 0) and _is_quick(i.weighting)]
        return quick_f1.computed(self.task, {i.key: estimators.estimator(i.weighting, self.task) for i in quick})

    @cached_property
    def unasked(self) -> list[Item]:
        """Those that ``begin`` computes: formulas, and what is soon learned."""
        soon = {name for name in self.plan.weightings if _is_quick(name) or self._is_soon_learned(name)}
        return [item for item in self.items if item.learner in UNASKED and item.weighting in soon]

    def _is_soon_learned(self, name: str) -> bool:
        """Whether it takes but seconds, by the shipped studies; these share among its classes what takes minutes."""
        if name not in methods("LTW") or method(name).minutes:
            return False
        takes = usual_seconds(self.dataset, len(self.task.y_test), name, "SVM", self.plan.grid)[1]
        return jobs.is_short(takes)

    def unknown(self, items: Sequence[Item]) -> list[Item]:
        """Those of some cells that are neither known nor have failed."""
        found, failed = self.results()
        return [item for item in items if item not in found and item not in failed]

    def lacks_learned(self, found: Iterable[Item]) -> bool:
        """Whether learned weightings are asked for, and nothing is known of any."""
        learned = {name for name in self.plan.weightings if estimators.is_learned(name)}
        return bool(learned) and not any(item.weighting in learned for item in found)

    def seconds(self, items: Iterable[Item]) -> float | None:
        """About how long some of its cells take one after the other, by the shipped studies; None where these have
        nothing alike."""
        total, vectors = 0.0, {}
        for item in items:
            usual = usual_seconds(self.dataset, len(self.task.y_test), item.weighting, item.learner, self.plan.grid)
            if usual[0] is None:
                return None
            total += usual[0]
            vectors[item.weighting, item.seed] = usual[1] or 0.0
        return total + sum(vectors.values())

    def start(self) -> Job:
        """Compute its cells that are not known."""
        found, _ = self.results()
        missing = [item for item in self.items if item not in found]
        return self._start(sorted(missing, key=lambda item: estimators.comes_later(item.weighting)), manager())

    def begin(self, untouched: bool) -> Job | None:
        """Of what is chosen at first (``untouched``), find out what takes least without being asked: the formulas, what
        has been learned already and what is soon learned, with the fastest classifiers. The job as long as it is
        active."""
        items = self.unasked
        key, shared = self._key(items), all(item.key in self.shared_cells for item in items)
        start = lambda where: self._start(self.unknown(items), where, key, shared=shared, workers=1)  # noqa: E731

        def wanted() -> bool:
            missing = self.unknown(items)
            return untouched and bool(missing) and jobs.is_short(self.seconds(missing))

        return jobs.unasked(KIND, key, wanted, start)

    def _own_results(self) -> tuple[dict[str, Result] | BoundedCache, dict[str, str]]:
        """Results of the reader's own, of which the key says the content, and this session's errors by key."""
        results, errors = st.session_state.setdefault("_own_results", ({}, {}))
        return results if self.dataset.startswith(uploads.PREFIX) else _kept_results, errors

    def _key(self, items: list[Item]) -> str:
        return estimators.digest(self.task.fingerprint, asdict(self.plan), sorted(item.key for item in items))

    def _start(
        self, missing: list[Item], where: JobManager, key: str = "", *, shared: bool = False, **options: Any
    ) -> Job:
        stored = [self.shared_cells[item.key] for item in missing if item.key in self.shared_cells]
        own = [item for item in missing if item.key not in self.shared_cells]
        weightings = {item.weighting: self._to_weigh(item) for item in own}
        results, errors = self._own_results()
        progress = CellsProgress(len(missing))

        def work(job: Job) -> int:
            def on_result(item: Item, vectors: Any, result: Result) -> None:
                decisions_kept.keep(self._vectors_key(item), item.key, vectors, result.decisions)
                job.emit(item)

            if own:
                queue = SessionQueue(own, self.task, self.plan.grid, weightings, results, errors)
                compute(queue, progress, job.wait_while_paused, on_result=on_result, **options)
            if stored:
                with closing(StoreQueue(stored, self.task, app_store())) as queue:
                    compute(queue, progress, job.wait_while_paused, on_result=on_result, **options)
            return progress.done

        meta = {"plan": self.plan, "dataset": self.dataset, "class": self.task.class_name, "progress": progress}
        meta["seconds"] = self.seconds(missing)
        return where.submit(owners.current_owner(), KIND, key or self._key(missing), work, meta, shared=shared)

    def job(self) -> Job | None:
        """This reader's latest evaluation of the class."""
        of = (self.dataset, self.task.class_name)
        return jobs.latest(KIND, lambda job: (job.meta["dataset"], job.meta["class"]) == of)

    def decisions(self, item: Item, result: Result) -> Decisions | Job:
        """What was decided in a known cell, or the job that finds it out again."""
        cell = self.shared_cells.get(item.key)
        estimator = None if cell else self._to_weigh(item)
        return decisions_kept.ask(self.task, item, result, cell, estimator, self._vectors_key(item))

    def _to_weigh(self, item: Item) -> Any:
        """What ``weigh`` takes: an estimator, or the name of a method, whose seed is still to come."""
        return item.weighting if item.weighting in methods() else estimators.estimator(item.weighting, self.task)

    def _vectors_key(self, item: Item) -> str:
        """Names the vectors of a cell."""
        cell = self.shared_cells.get(item.key)
        return cell.vectors_key if cell else f"{self.task.fingerprint}/{item.weighting}/{item.seed}"


@kept(200)
def _cells(fingerprint: str, plan: EvaluationPlan, _task: Any) -> dict[str, Cell]:
    """Hashing some hundred cells takes as long as a page may: done once for a plan."""
    if not plan.weightings or not plan.learners:
        return {}
    source = _task.vectorized
    cells = cells_of(
        source.corpus,
        classes=[_task.class_name],
        weightings=plan.weightings,
        learner_names=plan.learners,
        grid=plan.grid,
        seeds=plan.seeds,
        **{name: getattr(source.options, name) for name in OPTIONS},
        ratio=_task.ratio,
        documents="with_terms" if source.every_test_document_counts else source.documents,
    )
    return {cell.key: cell for cell in cells}


def _is_quick(weighting: str) -> bool:
    """Whether nothing has to be learned first: a formula of the table, or what is the reader's own."""
    return weighting not in methods() or (weighting not in methods("LTW") and method(weighting).estimator is None)


class _KeptResults(BoundedCache):
    """Results by key, without what was decided of each document."""

    def __setitem__(self, key: str, result: Result) -> None:
        self.put(key, replace(result, decisions=None), 1)


_kept_results = _KeptResults(MOST_OWN)

"""A learning curve that a reader asks for: what of it is known, and the rest computed in the background.

Figures of catalogue corpora are everybody's and lie in a store on this server; those of an uploaded one stay in the
session.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ltw_core.evaluation import Result
from ltw_core.evaluation.curve_plan import CurvePlan, CurvePoint
from ltw_core.evaluation.learning_curve import LearningCurve, blank_curve
from ltw_core.service.cells_on_demand import CellsProgress
from ltw_core.service.curve_on_demand import compute_curve
from ltw_core.service.job import Job
from ltw_core.service.job_manager import manager
from ltw_core.studies.cell import Cell
from ltw_core.studies.curve_cells import cells_of_curve, fill
from ltw_core.studies.shared_cells import curve_store, errors_here, find
from pages._ui import jobs
from pages._ui.reader import owners, table_results, uploads
from pages._ui.result_cache import kept
from pages._ui.weightings import estimators

KIND = "curve"


@dataclass(frozen=True, eq=False)
class CurveRequest:
    """A plan for a dataset. ``elsewhere``: results by key that no store has, as **One class** shows them."""

    dataset: str
    vectorized: Any
    plan: CurvePlan
    elsewhere: Mapping[str, Result] = field(default_factory=dict)

    @cached_property
    def points(self) -> dict[str, CurvePoint]:
        """What is to be computed, by key."""
        if self._own:
            return {self._own_key(point): point for point in self._made[1]}
        return {cell.key: point for point, cell in self._made[2].items()}

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """The points as cells, by key; none of an uploaded corpus."""
        return {cell.key: cell for cell in self._made[2].values()}

    @property
    def _own(self) -> bool:
        return self.dataset.startswith(uploads.PREFIX)

    @cached_property
    def _made(self) -> tuple[LearningCurve, tuple[CurvePoint, ...], dict[CurvePoint, Cell]]:
        if self._own:  # whose memory goes with the session
            source, plan = self.vectorized, self.plan
            return table_results.of(source, "curve", (source.fingerprint, plan), lambda: _make(source, plan, False), 1)
        return _shared(self.vectorized.fingerprint, self.plan, self.vectorized)

    def _own_results(self) -> tuple[dict[str, Result], dict[str, str]]:
        """This session's own results and errors by key; they go with the table."""
        return table_results.of(self.vectorized, "results of curves", (), lambda: ({}, {}))

    def _own_key(self, point: CurvePoint) -> str:
        plan = self.plan
        return estimators.digest(self.vectorized.fingerprint, plan.learner, plan.grid, plan.ratio, *point)

    def curve(self) -> tuple[LearningCurve, dict[str, Result], dict[str, str]]:
        """The curve as far as it is known, its results by key, and why others failed."""
        curve = self._made[0].copy()
        if self._own:
            found, errors = self._own_results()
            found = {key: found[key] for key in self.points if key in found}
        else:
            found = {key: result for key, result in self.elsewhere.items() if key in self.points}
            found |= {key: shared.record for key, shared in find(self.points).items()}
            errors = errors_here([key for key in self.points if key not in found], curve_store())
        fill(curve, {point: key for key, point in self.points.items()}, found)
        return curve, found, {key: errors[key] for key in self.points if key in errors and key not in found}

    def start(self, found: dict[str, Result], seconds: float | None) -> Job:
        """Compute what is not known, in about so many ``seconds``."""
        missing = {key: point for key, point in self.points.items() if key not in found}
        cells = {key: self.cells[key] for key in missing} if not self._own else {}
        results, errors = self._own_results() if self._own else ({}, {})
        progress, store = CellsProgress(len(missing)), curve_store()

        def work(job: Job) -> int:
            compute_curve(
                *(self.vectorized, self.plan, missing, progress, job.wait_while_paused),
                cells=cells,
                store=store,
                found=results,
                errors=errors,
                on_point=job.emit,
            )
            return progress.done

        meta = {"dataset": self.dataset, "classes": self.plan.classes, "progress": progress, "points": missing}
        meta["seconds"] = seconds
        return manager().submit(owners.current_owner(), KIND, estimators.digest(sorted(missing)), work, meta)

    def job(self) -> Job | None:
        """This reader's latest curve of these classes."""
        of = (self.dataset, self.plan.classes)
        return jobs.latest(KIND, lambda job: (job.meta["dataset"], job.meta["classes"]) == of)


def _make(vectorized: Any, plan: CurvePlan, as_cells: bool) -> tuple:
    curve = blank_curve(vectorized, plan)
    points = tuple(curve.points())
    return curve, points, cells_of_curve(vectorized, plan, points) if as_cells else {}


@kept(96)
def _shared(fingerprint: str, plan: CurvePlan, _vectorized: Any) -> tuple:
    """Drawing samples and hashing thousands of cells takes longer than a page may: done once for a plan."""
    return _make(_vectorized, plan, True)

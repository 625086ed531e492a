"""Computing the points of a learning curve in the background, with the queues and threads of cells on demand.

Points that share a sample come one after the other, small samples first, so that a curve grows from the left and its
samples are made once.
"""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from ltw_core.evaluation import Result, Vectors
from ltw_core.evaluation.curve_plan import CurvePlan, CurvePoint
from ltw_core.service.cells_on_demand import CellQueue, CellsProgress, Item, SessionQueue, StoreQueue, compute
from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.studies.cell import Cell
from ltw_core.studies.compute import CellOutcome
from ltw_core.tasks import BinaryTask, VectorizedCorpus, sampled

SAMPLES, TASKS = 2, 4  # kept; two threads may be at two samples
TELLING = 0.15  # of the work: before so much is done, what it took says little about the rest
FIXED = 200  # documents whose fit takes as long as what any fit takes besides; for the estimate alone


class SampleTasks:
    """Makes the binary problem of a point; its sample and those used last are kept."""

    def __init__(self, vectorized: VectorizedCorpus, ratio: float | None):
        self._vectorized, self._ratio = vectorized, ratio
        self._samples, self._tasks = BoundedCache(SAMPLES), BoundedCache(TASKS)

    def task(self, point: CurvePoint) -> BinaryTask:
        size, seed, name = point.size, point.seed, point.class_name
        one = lambda _: 1  # noqa: E731
        draw = lambda: sampled(self._vectorized, size, seed)  # noqa: E731
        sample = lambda: self._samples.get_or_make(f"{size} {seed}", draw, one)  # noqa: E731
        return self._tasks.get_or_make(f"{size} {seed} {name}", lambda: sample().task(name, ratio=self._ratio), one)


@dataclass(frozen=True, eq=False)
class CurveQueue:
    """A queue of cells whose time left is told by the documents that they are learned from."""

    queue: CellQueue
    points: Mapping[str, CurvePoint]
    measured: list[tuple[float, int]]

    def claim(self) -> list[Item]:
        return self.queue.claim()

    def waits(self) -> bool:
        return self.queue.waits()

    def weigh(self, item: Item, on_event: Callable) -> Vectors:
        return self.queue.weigh(item, on_event)

    def evaluate(self, item: Item, vectors: Vectors, on_event: Callable) -> Result:
        return self.queue.evaluate(item, vectors, on_event)

    def record(self, item: Item, outcome: CellOutcome) -> None:
        self.queue.record(item, outcome)
        result = outcome.result
        seconds = 0.0 if result is None else result.seconds + result.weighting_seconds
        self.measured.append((seconds, self._work(item.key)))

    def _work(self, key: str) -> int:
        return FIXED + self.points[key].size

    def seconds_left(self) -> float | None:
        """From the seconds a document took so far; None before enough is done to tell."""
        measured = list(self.measured)
        done, whole = sum(work for _, work in measured), sum(map(self._work, self.points))
        return (whole - done) * sum(seconds for seconds, _ in measured) / done if done >= TELLING * whole else None


def compute_curve(
    vectorized: VectorizedCorpus,
    plan: CurvePlan,
    points: Mapping[str, CurvePoint],
    progress: CellsProgress,
    cancelled: Callable[[], bool],
    *,
    cells: Mapping[str, Cell],
    store: Path,
    found: dict[str, Result],
    errors: dict[str, str],
    on_point: Callable[[CurvePoint], None] | None = None,
) -> None:
    """Compute the points of a curve, until there are no more or ``cancelled`` says so.

    Parameters
    ----------
    vectorized, plan
        As of the curve.
    points : mapping of key to point
        In the order of ``LearningCurve.points``.
    progress, cancelled
        As of ``cells_on_demand.compute``.
    cells : mapping of key to cell
        The points as cells, which go into the ``store``; without any, results and errors go into ``found`` and
        ``errors``, by key.
    on_point : callable, optional
        Called with each point that is known.

    Raises
    ------
    Cancelled
        It was; what was done stays.
    """
    tasks = SampleTasks(vectorized, plan.ratio)
    task_of = lambda key: tasks.task(points[key])  # noqa: E731
    told = None if on_point is None else lambda item, *_: on_point(points[item.key])
    if cells:
        with closing(StoreQueue(list(cells.values()), task_of, store)) as queue:
            compute(CurveQueue(queue, points, []), progress, cancelled, on_result=told)
        return
    items = [
        Item(point.weighting, plan.learner, point.seed, key, f"{point.class_name} {point.size}")
        for key, point in points.items()
    ]
    own = SessionQueue(items, task_of, plan.grid, {}, found, errors)
    compute(CurveQueue(own, points, []), progress, cancelled, on_result=told)

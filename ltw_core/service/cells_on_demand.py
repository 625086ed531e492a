"""Computing cells for a reader who waits: in threads of this process, with the class in memory, each cell once.

A queue (``CellQueue``) hands out items that share their weighted documents. ``StoreQueue`` takes cells of a catalogue
corpus from a store, where claims see to it that nobody computes what somebody else is computing; ``SessionQueue`` keeps
a reader's own in a dictionary that goes with the session.

Threads and not processes: scikit-learn's learners and our engine release the GIL (measured on Reuters, all five
learners and full grids: a page of 3 ms takes 3 to 5 ms meanwhile), the corpus is in memory once, and nothing is left
behind when the server is killed. ``slots`` caps how many cells this process computes at a time, whoever asked for them.

Leaves out what is run for hours (``studies.runner``) and finding what has been computed (``studies.shared_cells``).
"""

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple, Protocol

from ltw_core.evaluation import Cancelled, Progress, Result, Vectors, evaluate_vectors, weigh
from ltw_core.service.cells_progress import CellsProgress
from ltw_core.storage.database import why
from ltw_core.studies.cell import Cell
from ltw_core.studies.compute import CellOutcome, compute_batch, evaluate_cell, vectors_of
from ltw_core.studies.estimate import remaining
from ltw_core.studies.store import Store
from ltw_core.tasks import BinaryTask

log = logging.getLogger(__name__)

CORES = os.cpu_count() or 1
slots = threading.BoundedSemaphore(CORES)
"""Cells computed at a time in this process."""
WAIT = 0.3  # seconds between two looks at what others have claimed


class Item(NamedTuple):
    """One cell: weighting and learner by name, seed, and its key; ``of`` names its task where a queue has several."""

    weighting: str
    learner: str
    seed: int
    key: str
    of: str = ""


TaskOf = Callable[[str], BinaryTask]
"""Gives the task of an item by its key."""


def _by_key(task: BinaryTask | TaskOf) -> TaskOf:
    return task if callable(task) else lambda key: task


class CellQueue(Protocol):
    """Work to be handed out, and where results go. Used from several threads."""

    def claim(self) -> list[Item]:
        """Items that share their vectors; [] where there is nothing to claim."""

    def waits(self) -> bool:
        """Whether others are computing what is wanted here."""

    def weigh(self, item: Item, on_event: Callable) -> Vectors: ...

    def evaluate(self, item: Item, vectors: Vectors, on_event: Callable) -> Result: ...

    def record(self, item: Item, outcome: CellOutcome) -> None: ...

    def seconds_left(self) -> float | None:
        """Seconds of one core that remain; None where nothing alike was measured."""


class StoreQueue:
    """Cells of a catalogue corpus, in a store file.

    Parameters
    ----------
    cells : list of Cell
        Not computed anywhere yet; those that failed before are tried again.
    task : BinaryTask, or a function from an item's key to it
        Theirs.
    path : path of the store
    """

    def __init__(self, cells: Sequence[Cell], task: BinaryTask | TaskOf, path):
        self._task_of, self._cells = _by_key(task), {cell.key: cell for cell in cells}
        self._store = Store(path)
        self._store.add(cells)
        self._store.want(self._cells)
        self._store.retry_failed()
        self._runner = self._store.register()

    def claim(self) -> list[Item]:
        batch = self._store.claim(self._runner) or self._store.claim(self._runner, suspect=True)
        return [Item(cell.weighting, cell.learner, cell.seed, cell.key) for cell in batch]

    def waits(self) -> bool:
        self._store.release_stale()
        return self._store.claimed_elsewhere(self._runner) > 0 or self._store.counts(wanted=True)["waiting"] > 0

    def weigh(self, item: Item, on_event: Callable) -> Vectors:
        return vectors_of(self._cells[item.key], self._task_of(item.key), on_event)

    def evaluate(self, item: Item, vectors: Vectors, on_event: Callable) -> Result:
        return evaluate_cell(self._cells[item.key], vectors, on_event, keep_decisions=True)

    def record(self, item: Item, outcome: CellOutcome) -> None:
        self._store.record(self._runner, outcome)

    def seconds_left(self) -> float | None:
        rest = remaining(self._store)
        return None if rest.not_measured else rest.seconds

    def close(self) -> None:
        """Give back what was claimed and not finished."""
        with self._store:
            self._store.release(self._runner)


class SessionQueue:
    """A reader's own cells: of an uploaded corpus, or under weightings that the reader made.

    Parameters
    ----------
    items : list of Item
    task : BinaryTask, or a function from an item's key to it
    grid : {"quick", "full"}
    weightings : dict
        By name what ``weigh`` takes: a fitted estimator, or one to fit; names of methods stand for themselves.
    found, errors : dict by key
        Where results and errors go.
    """

    def __init__(
        self,
        items: Iterable[Item],
        task: BinaryTask | TaskOf,
        grid: str,
        weightings: dict[str, Any],
        found: dict,
        errors: dict,
    ):
        self._task_of, self._grid, self._weightings = _by_key(task), grid, weightings
        self._found, self._errors = found, errors
        self._lock = threading.Lock()
        self._batches: dict[tuple, list[Item]] = {}
        for item in items:
            self._batches.setdefault((item.of, item.weighting, item.seed), []).append(item)
        self._measured: dict[str, list[float]] = {}

    def claim(self) -> list[Item]:
        with self._lock:
            if not self._batches:
                return []
            return self._batches.pop(next(iter(self._batches)))

    def waits(self) -> bool:
        return False

    def weigh(self, item: Item, on_event: Callable) -> Vectors:
        return weigh(self._task_of(item.key), self._weightings.get(item.weighting, item.weighting), item.seed, on_event)

    def evaluate(self, item: Item, vectors: Vectors, on_event: Callable) -> Result:
        return evaluate_vectors(vectors, item.learner, self._grid, item.seed, on_event, keep_decisions=True)

    def record(self, item: Item, outcome: CellOutcome) -> None:
        with self._lock:
            if outcome.result is None:
                self._errors[item.key] = outcome.error
                return
            self._found[item.key] = outcome.result
            self._errors.pop(item.key, None)
            self._measured.setdefault(item.learner, []).append(outcome.result.seconds)

    def seconds_left(self) -> float | None:
        with self._lock:
            means = {name: sum(times) / len(times) for name, times in self._measured.items()}
            rest = [means.get(item.learner) for batch in self._batches.values() for item in batch]
        return None if None in rest else sum(rest)


def compute(
    queue: CellQueue,
    progress: CellsProgress,
    cancelled: Callable[[], bool],
    *,
    workers: int = CORES,
    on_result: Callable[[Item, Vectors, Result], None] | None = None,
) -> None:
    """Compute what a queue has, until there is no more or ``cancelled`` says so.

    Parameters
    ----------
    queue : CellQueue
    progress : CellsProgress
        Is kept up to date.
    cancelled : callable
        Asked after each setting of a grid and at each event of a training run.
    workers : int
        Threads.
    on_result : callable, optional
        Called with each item, its vectors, and its result with the decisions.

    Raises
    ------
    Cancelled
        It was; what was done stays.
    """
    problems: list[BaseException] = []
    with progress.lock:
        progress.first = None  # what another queue took tells nothing of this one

    def work() -> None:
        try:
            _work(queue, progress, lambda: cancelled() or bool(problems), on_result, workers)
        except Cancelled:
            pass
        except BaseException as error:  # a full disk, a damaged store: ends the other threads too, and is raised below
            problems.append(error)
        finally:
            progress.rest()

    threads = [threading.Thread(target=work, name="cells", daemon=True) for _ in range(workers - 1)]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        thread.join()
    if problems:
        raise _as_sentence(problems[0])
    if cancelled():
        raise Cancelled("The evaluation was cancelled")


def _as_sentence(error: BaseException) -> BaseException:
    if isinstance(error, sqlite3.Error):
        log.error("the store of cells failed", exc_info=error)
        return ValueError(f"the results could not be written down: {why(error)}. What is shown is safe")
    return error


def _work(queue: CellQueue, progress: CellsProgress, cancelled, on_result, workers: int) -> None:
    while not cancelled():
        batch = queue.claim()
        if not batch:
            if not queue.waits():
                return
            time.sleep(WAIT)  # somebody else computes it; if they stop, it is handed out here
            continue
        _compute(queue, batch, progress, cancelled, on_result, workers)


# what is told of a step, instead of its parameters
STAGES = {"grid": "setting {0.done} of {0.total}", "refit": "final training"}


def step_told(event: Progress) -> str:
    """What is done now, without the parameters that are tried."""
    return STAGES[event.stage].format(event) if event.stage in STAGES else event.message


def _compute(queue: CellQueue, batch: list[Item], progress: CellsProgress, cancelled, on_result, workers: int) -> None:
    def on_event(item: Item) -> Callable[[Progress], bool]:
        def report(event: Progress) -> bool:
            progress.say(item, step_told(event))
            return cancelled()

        return report

    def turn(item: Item) -> AbstractContextManager:
        progress.say(item, "waiting for a core")
        return _slot(cancelled)

    def weigh(item: Item) -> Vectors:
        progress.say(item, "weighting the documents")
        return queue.weigh(item, on_event(item))

    def evaluate(item: Item, vectors: Vectors) -> Result:
        progress.say(item, "tuning")
        result = queue.evaluate(item, vectors, on_event(item))
        if on_result is not None:
            on_result(item, vectors, result)
        return result

    for item, outcome in zip(batch, compute_batch(batch, weigh, evaluate, turn), strict=True):
        queue.record(item, outcome)
        if outcome.error.startswith("Traceback"):
            log.error("%s with %s failed: %s", item.weighting, item.learner, outcome.error)
        with progress.lock:
            progress.done += 1
        progress.expect(queue.seconds_left(), workers, time.monotonic())


@contextmanager
def _slot(cancelled: Callable[[], bool]):
    """One of the places for computing; asks while it waits whether it is still wanted."""
    while not slots.acquire(timeout=0.2):
        if cancelled():
            raise Cancelled("The evaluation was cancelled")
    try:
        yield
    finally:
        slots.release()

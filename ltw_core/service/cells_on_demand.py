"""Computing cells for somebody who watches: in threads of this process, with the class at hand, each cell once.

A list of work (``Book``) hands out items that share their weighted documents. ``StoreBook`` takes cells of a catalogue
corpus from a store, where claims see to it that nobody computes what another one is computing; ``OwnBook`` keeps a
reader's own in a dictionary that goes with the session.

Threads and not processes: scikit-learn's learners and our engine release the GIL (measured on Reuters, all five
learners and full grids: a page of 3 ms takes 3 to 5 ms beside them), the corpus is in memory once, and nothing is left
behind when the server is killed. ``slots`` caps how many cells this process computes at a time, whoever asked for them.

Leaves out what is run for hours (``runner``) and finding what is known (``known``).
"""

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from ltw_core.evaluation import Cancelled, Progress, Result, Vectors, evaluate_vectors, weigh
from ltw_core.studies.cell import Cell
from ltw_core.studies.compute import describe_error, evaluate_cell, vectors_of
from ltw_core.studies.estimate import estimate
from ltw_core.studies.store import Store

log = logging.getLogger(__name__)

CORES = max(1, os.cpu_count() or 1)
slots = threading.BoundedSemaphore(CORES)
"""Cells computed at a time in this process."""
WAIT = 0.3  # seconds between two looks at what others have claimed


class Item(NamedTuple):
    """One cell: weighting and learner by name, seed, and its key."""

    weighting: str
    learner: str
    seed: int
    key: str


class Book(Protocol):
    """Work to be handed out, and where results go. Used from several threads."""

    def claim(self) -> list[Item]:
        """Items that share their vectors; [] where there is nothing to claim."""

    def waits(self) -> bool:
        """Whether others are computing what is wanted here."""

    def weigh(self, item: Item, on_event: Callable) -> Vectors: ...

    def evaluate(self, item: Item, vectors: Vectors, on_event: Callable) -> Result: ...

    def finish(self, item: Item, result: Result) -> None: ...

    def fail(self, item: Item, error: str) -> None: ...

    def seconds_left(self) -> float | None:
        """Seconds of one core that remain; None where nothing alike was measured."""


class StoreBook:
    """Cells of one class of a catalogue corpus, in a store file.

    Parameters
    ----------
    cells : list of Cell
        Not known elsewhere; those that failed before are tried again.
    task : BinaryTask
        Theirs.
    path : path of the store
    """

    def __init__(self, cells: Sequence[Cell], task, path):
        self._task, self._cells = task, {cell.key: cell for cell in cells}
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
        return vectors_of(self._cells[item.key], self._task, on_event)

    def evaluate(self, item: Item, vectors: Vectors, on_event: Callable) -> Result:
        return evaluate_cell(self._cells[item.key], vectors, on_event, keep_decisions=True)

    def finish(self, item: Item, result: Result) -> None:
        self._store.finish(self._runner, item.key, result)

    def fail(self, item: Item, error: str) -> None:
        self._store.fail(self._runner, item.key, error)

    def seconds_left(self) -> float | None:
        rest = estimate(self._store)
        return rest.seconds if rest.cells or not rest.unknown else None

    def close(self) -> None:
        """Give back what was claimed and not finished."""
        with self._store:
            self._store.release(self._runner)


class OwnBook:
    """A reader's own cells: of an uploaded corpus, or under weightings that the reader made.

    Parameters
    ----------
    items : list of Item
    task : BinaryTask
    grid : {"quick", "full"}
    weightings : dict
        By name what ``weigh`` takes: a fitted estimator, or one to fit; names of methods stand for themselves.
    found, errors : dict by key
        Where results and errors go.
    """

    def __init__(self, items: Iterable[Item], task, grid: str, weightings: dict[str, Any], found: dict, errors: dict):
        self._task, self._grid, self._weightings = task, grid, weightings
        self._found, self._errors = found, errors
        self._lock = threading.Lock()
        self._batches: dict[tuple, list[Item]] = {}
        for item in items:
            self._batches.setdefault((item.weighting, item.seed), []).append(item)
        self._measured: dict[str, list[float]] = {}

    def claim(self) -> list[Item]:
        with self._lock:
            if not self._batches:
                return []
            return self._batches.pop(next(iter(self._batches)))

    def waits(self) -> bool:
        return False

    def weigh(self, item: Item, on_event: Callable) -> Vectors:
        return weigh(self._task, self._weightings.get(item.weighting, item.weighting), item.seed, on_event)

    def evaluate(self, item: Item, vectors: Vectors, on_event: Callable) -> Result:
        return evaluate_vectors(vectors, item.learner, self._grid, item.seed, on_event, keep_decisions=True)

    def finish(self, item: Item, result: Result) -> None:
        with self._lock:
            self._found[item.key] = result
            self._errors.pop(item.key, None)
            self._measured.setdefault(item.learner, []).append(result.seconds)

    def fail(self, item: Item, error: str) -> None:
        with self._lock:
            self._errors[item.key] = error

    def seconds_left(self) -> float | None:
        with self._lock:
            means = {name: sum(times) / len(times) for name, times in self._measured.items()}
            rest = [means.get(item.learner) for batch in self._batches.values() for item in batch]
        known = [seconds for seconds in rest if seconds is not None]
        return sum(known) if known or not rest else None

    def close(self) -> None:
        """Nothing is held."""


@dataclass
class Watch:
    """How a computation stands; written by its threads, read from any.

    Attributes
    ----------
    now : dict
        By thread what it computes, and how far it is in words.
    done, total : int
        Cells of this computation.
    left : float or None
        Seconds until all is done; None while nothing alike was measured.
    """

    total: int
    done: int = 0
    now: dict[int, tuple[Item, str]] = field(default_factory=dict)
    left: float | None = None
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def say(self, item: Item, message: str) -> None:
        with self.lock:
            self.now[threading.get_ident()] = (item, message)

    def rest(self) -> None:
        with self.lock:
            self.now.pop(threading.get_ident(), None)


def compute(
    book: Book,
    watch: Watch,
    cancelled: Callable[[], bool],
    *,
    workers: int = CORES,
    on_result: Callable[[Item, Vectors, Result], None] | None = None,
) -> None:
    """Compute what a book has, until there is no more or ``cancelled`` says so.

    Parameters
    ----------
    book : Book
    watch : Watch
        Is kept up to date.
    cancelled : callable
        Asked after each setting of a grid and at each event of a training.
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

    def work() -> None:
        try:
            _work(book, watch, lambda: cancelled() or bool(problems), on_result, workers)
        except Cancelled:
            pass
        except BaseException as error:  # a full disk, a damaged store: ends the other threads too, and is told below
            problems.append(error)
        finally:
            watch.rest()

    threads = [threading.Thread(target=work, name="cells", daemon=True) for _ in range(max(0, workers - 1))]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        thread.join()
    if problems:
        raise _told(problems[0])
    if cancelled():
        raise Cancelled("The evaluation was cancelled")


def _told(error: BaseException) -> BaseException:
    if isinstance(error, sqlite3.Error):
        log.error("the store of cells failed", exc_info=error)
        return ValueError(f"the results could not be written down ({error}); what is shown is safe, try again")
    return error


def _work(book: Book, watch: Watch, cancelled, on_result, workers: int) -> None:
    while not cancelled():
        batch = book.claim()
        if not batch:
            if not book.waits():
                return
            time.sleep(WAIT)  # somebody else is at it; if they stop, it is handed out here
            continue
        _compute(book, batch, watch, cancelled, on_result, workers)


def _compute(book: Book, batch: list[Item], watch: Watch, cancelled, on_result, workers: int) -> None:
    vectors, shared_error = None, ""
    for item in batch:

        def on_event(progress: Progress, item=item) -> bool:
            watch.say(item, progress.message)
            return cancelled()

        watch.say(item, "waiting for a core")
        with _slot(cancelled):
            try:
                if vectors is None and not shared_error:
                    watch.say(item, "weighting the documents")
                    vectors = book.weigh(item, on_event)
                if shared_error:
                    book.fail(item, shared_error)
                else:
                    watch.say(item, "tuning")
                    result = book.evaluate(item, vectors, on_event)
                    if on_result is not None:
                        on_result(item, vectors, result)
                    book.finish(item, result)
            except (Cancelled, sqlite3.Error):
                raise
            except Exception as error:  # whatever it is, it is this cell's result
                if not isinstance(error, ValueError):
                    log.exception("%s with %s failed", item.weighting, item.learner)
                if vectors is None:
                    shared_error = describe_error(error)
                book.fail(item, describe_error(error))
        with watch.lock:
            watch.done += 1
        left = book.seconds_left()
        watch.left = None if left is None else left / workers


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

"""Driving a study: claim cells, have workers compute them, record what comes back; killed and started again, go on.

Workers get cells and return outcomes, so they may be processes of a Dask cluster that cannot see the store's file;
local ones (joblib's loky, the default) also record each cell as soon as it is done. A worker that dies takes no cell
with it: its cells wait again, and one over which workers keep dying is recorded as failed. When the runner itself dies,
its local workers end, and the next runner sees that its process is gone and takes its claims over.

Leaves out which cells there are (``plan``) and what a cell is (``cell``) and computing it (``compute``).
"""

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace

from joblib import Parallel, delayed, parallel_config

from ltw_core.corpora.tables.source import TableSource
from ltw_core.storage.processes import end_with
from ltw_core.studies.cell import Cell
from ltw_core.studies.compute import CellOutcome, run_cells
from ltw_core.studies.estimate import remaining
from ltw_core.studies.fit_batches import Batch, fit_batches
from ltw_core.studies.record import Record
from ltw_core.studies.store import Store

log = logging.getLogger(__name__)

BEAT_SECONDS = 15
REPORT_SECONDS = 2
CONNECT_SECONDS = 10
MAX_DEATHS = 3
NEEDS_DISTRIBUTED = "a Dask scheduler needs the package `distributed`: run `pip install distributed`"


@dataclass(frozen=True)
class StudyProgress:
    """How a study stands.

    Attributes
    ----------
    done, failed, total : int
        Cells of this study, whoever computed them.
    elsewhere : int
        Cells that other runners have claimed.
    elapsed : float
        Seconds of this run.
    left : float or None
        Seconds that it will still take; None while nothing alike has been measured.
    unknown : int
        Cells that ``left`` leaves out, because nothing alike has been measured.
    """

    done: int
    failed: int
    total: int
    elsewhere: int
    elapsed: float
    left: float | None
    unknown: int


def run(
    cells: Sequence[Cell],
    store: Store,
    *,
    workers: int = 1,
    scheduler: str | None = None,
    retry_failed: bool = False,
    on_progress: Callable[[StudyProgress], bool | None] | None = None,
    computed_before: Callable[[list[str]], Mapping[str, Record]] | None = None,
    device: str = "auto",
) -> StudyProgress:
    """Compute those of some cells that are not done yet.

    Parameters
    ----------
    cells : list of Cell
    store : Store
        Not used for another run at the same time; another ``Store`` of the same file may be.
    workers : int
        Processes; 1 computes in this one. With ``scheduler``, at most that many cells at once, 0 for all that it has.
    scheduler : str, optional
        Address of a Dask scheduler, "tcp://host:8786".
    retry_failed : bool
        Compute again what failed before.
    on_progress : callable, optional
        Called about every two seconds, and at the end; returning True stops, and what was being computed waits again.
    computed_before : callable, optional
        Takes keys of cells that are to be computed now and gives the records of those that have been computed
        elsewhere: they are taken over as they are.
    device : "auto", "cpu", or a device of torch
        Where weightings are learned; on a GPU this process learns many side by side before their classifiers.

    Returns
    -------
    StudyProgress
        At the end. What other runners have claimed is left to them.

    Raises
    ------
    ValueError
        The scheduler cannot be used.
    """
    if workers < (0 if scheduler else 1):
        raise ValueError(f"workers is {workers}; it must be at least 1")
    store.add(cells)
    store.want(cell.key for cell in cells)
    if retry_failed:
        store.retry_failed()
    sources = {cell.fingerprint: cell.source for cell in cells if cell.source}
    with _backend(workers, scheduler) as parallel, _registered(store) as runner:
        report = _Report(store, runner, parallel.n_jobs, on_progress)
        report()
        with _every(REPORT_SECONDS, report):
            while not report.stop.is_set():
                store.release_stale()
                store.fail_deadly(MAX_DEATHS)
                batches = _claims(store, runner, report.stop, computed_before)
                if batches is None:
                    break
                batches = (_with_source(batch, sources) for batch in batches)
                try:
                    learned = fit_batches(batches, device, report.stop.is_set, parallel.n_jobs)
                    _drain(parallel, learned, store, runner, report)
                except parallel.deaths as error:
                    log.warning("a worker process died (%s); its cells wait again", type(error).__name__)
                    store.release(runner, died=True)
        report(always=True)
        return report.progress


def _claims(
    store: Store, runner: int, stop: threading.Event, computed_before: Callable | None
) -> Iterator[list[Cell]] | None:
    """Batches to compute side by side, claimed as they are asked for; None where no cell waits.

    Cells that were being computed when a worker died come last, and one by one.
    """
    first = _claim(store, runner, computed_before)
    if not first:
        first = store.claim(runner, suspect=True)
        return iter([first]) if first else None

    def batches():
        batch = first
        while batch:
            yield batch
            batch = [] if stop.is_set() else _claim(store, runner, computed_before)

    return batches()


def _with_source(batch: list[Cell], sources: Mapping[str, TableSource]) -> list[Cell]:
    """Cells as the store gives them, and where their table lies, which the store does not know."""
    return [replace(cell, source=sources.get(cell.fingerprint)) for cell in batch]


def _claim(store: Store, runner: int, computed_before: Callable | None) -> list[Cell]:
    """The next batch of which something is to be computed; what was computed elsewhere is recorded at once."""
    while batch := store.claim(runner):
        there = computed_before([cell.key for cell in batch]) if computed_before else {}
        for key, record in there.items():
            store.finish(runner, key, record)
        if rest := [cell for cell in batch if cell.key not in there]:
            return rest
    return []


def _drain(backend: "_Backend", batches: Iterator[Batch], store: Store, runner: int, report: "_Report") -> None:
    """Compute batches until there are no more or the report says to stop."""

    def record(outcome):
        store.record(runner, outcome)
        report()
        return report.stop.is_set()

    work = delayed(_run_and_record if backend.sees_store else run_cells)
    how = (str(store.path.absolute()), runner) if backend.sees_store else (record if backend.in_process else None,)
    results = backend.make()(work(cells, *how, *learned) for cells, *learned in batches)
    try:
        for outcomes in results:
            for outcome in outcomes:
                store.record(runner, outcome)  # what its worker has recorded is not this runner's any more
            report.measure(outcomes)
            report()
            if report.stop.is_set():
                return
    finally:
        results.close()


def _run_and_record(cells: Sequence[Cell], path: str, runner: int, *learned) -> list[CellOutcome]:
    """In a local worker process: compute cells and record each as it comes, so that no finished cell is ever lost.

    It leaves the rest where a cell is no longer its runner's.
    """
    with Store(path, create=False) as store:
        return run_cells(cells, lambda outcome: not store.record(runner, outcome), *learned)


@contextmanager
def _registered(store: Store) -> Iterator[int]:
    """A runner's row in the store with its heartbeat; its claims are given back at the end, however that comes."""
    runner = store.register()
    try:
        with _every(BEAT_SECONDS, lambda: store.beat(runner)):
            yield runner
    finally:
        store.release(runner)


@contextmanager
def _every(seconds: float, call: Callable[[], object]) -> Iterator[None]:
    """Calls something at regular intervals, in a thread, while the block runs."""
    end = threading.Event()

    def run():
        while not end.wait(seconds):
            try:
                call()
            except Exception as error:  # a full disk for a moment must not end the heartbeat
                log.warning("the store could not be read or written: %s", error)

    thread = threading.Thread(target=run, name="study", daemon=True)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


class _Report:
    """Calls ``on_progress`` now and then, from any thread; ``stop`` is set once it returned True."""

    def __init__(self, store: Store, runner: int, n_jobs: int, on_progress):
        self._store, self._runner, self._n_jobs, self._on_progress = store, runner, n_jobs, on_progress
        self._started, self._last = time.monotonic(), -math.inf
        self._lock = threading.Lock()
        self._measured = 0.0  # seconds of a core that went into what this run recorded
        self.progress: StudyProgress | None = None
        self.stop = threading.Event()

    def measure(self, outcomes: Sequence[CellOutcome]) -> None:
        """Count what a batch took."""
        results = [outcome.result for outcome in outcomes if outcome.result is not None]
        if results:
            self._measured += results[0].weighting_seconds + sum(result.seconds for result in results)

    def __call__(self, *, always: bool = False) -> None:
        with self._lock:
            now = time.monotonic()
            if not always and now - self._last < REPORT_SECONDS:
                return
            self._last = now
            self.progress = self._make(now - self._started)
            if self._on_progress and self._on_progress(self.progress):
                self.stop.set()

    def _make(self, elapsed: float) -> StudyProgress:
        counts, rest = self._store.counts(wanted=True), remaining(self._store)
        # what is not in the measures (reading a class, waiting for a core) takes its share again
        overhead = max(1.0, elapsed * self._n_jobs / self._measured) if self._measured > 1 else 1.0
        return StudyProgress(
            done=counts["done"],
            failed=counts["failed"],
            total=sum(counts.values()),
            elsewhere=self._store.claimed_elsewhere(self._runner),
            elapsed=elapsed,
            left=None if rest.known_seconds is None else rest.known_seconds * overhead / self._n_jobs,
            unknown=rest.not_measured,
        )


@dataclass(frozen=True)
class _Backend:
    """How many batches are computed at once, a fresh joblib ``Parallel``, the errors that mean a worker's death."""

    n_jobs: int
    make: Callable[[], Parallel]
    deaths: tuple[type[BaseException], ...] = ()
    in_process: bool = False
    sees_store: bool = False


@contextmanager
def _backend(workers: int, scheduler: str | None):
    # a generator of results, so that each is recorded when it comes; one call a batch, so that few cells are claimed
    options = {"return_as": "generator_unordered", "batch_size": 1, "pre_dispatch": "n_jobs + 1"}
    if not scheduler:
        if workers == 1:
            yield _Backend(1, lambda: Parallel(n_jobs=1, return_as="generator"), in_process=True)
            return
        begin = {"initializer": end_with, "initargs": (os.getpid(),)}
        with parallel_config(backend="loky", n_jobs=workers, inner_max_num_threads=1, **begin):
            make = lambda: Parallel(n_jobs=workers, **options)  # noqa: E731
            yield _Backend(workers, make, (BrokenProcessPool,), sees_store=True)
        return
    try:
        import distributed
    except ImportError as error:
        raise ValueError(NEEDS_DISTRIBUTED) from error
    try:
        client = distributed.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ValueError(f"the Dask scheduler {scheduler} does not answer: {error}") from error
    with client:
        cores = sum(client.ncores().values())
        if not cores:
            raise ValueError(
                f"the Dask scheduler {scheduler} has no workers; start some with `dask worker {scheduler}`"
            )
        n_jobs = min(workers or cores, cores)
        with parallel_config(backend="dask", n_jobs=n_jobs, client=client):
            yield _Backend(n_jobs, lambda: Parallel(n_jobs=n_jobs, **options), (distributed.KilledWorker,))

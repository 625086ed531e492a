"""Driving a study: claim cells, have workers compute them, record what comes back; killed and started again, go on.

Only the runner touches the store; workers get cells and return outcomes, so they may be local processes (joblib's
loky, the default) or those of a Dask cluster that cannot see the store's file. A worker that dies takes no cell with
it: its cells wait again, and a cell over which workers keep dying is recorded as failed. When the runner itself dies,
the next one sees that its process is gone and takes its claims over.

Leaves out which cells there are (``plan``) and what a cell is (``cell``, ``run``).
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass

from joblib import Parallel, delayed, parallel_config

from ltw_core.experiments.cell import Cell
from ltw_core.experiments.estimate import estimate
from ltw_core.experiments.run import run_cells
from ltw_core.experiments.store import Store

log = logging.getLogger(__name__)

BEAT_SECONDS = 15
REPORT_SECONDS = 2
MOST_DEATHS = 3
NEEDS_DISTRIBUTED = "a Dask scheduler needs the package `distributed`: run `pip install distributed`"


@dataclass(frozen=True)
class Progress:
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
    on_progress: Callable[[Progress], bool | None] | None = None,
) -> Progress:
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

    Returns
    -------
    Progress
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
    with _backend(workers, scheduler) as parallel, _Registered(store) as runner:
        report = _Report(store, runner, parallel.n_jobs, on_progress)
        stopped = report(always=True)
        while not stopped:
            store.release_stale()
            store.fail_deadly(MOST_DEATHS)
            if not store.counts(wanted=True)["waiting"]:
                break
            try:
                stopped = _drain(parallel.make(), store, runner, report)
            except parallel.deaths as error:
                log.warning("a worker process died (%s); its cells wait again", type(error).__name__)
                store.release(runner, died=True)
        store.release(runner)
        report(always=True)
        return report.progress


def _drain(parallel: Parallel, store: Store, runner: int, report: "_Report") -> bool:
    """Compute until no cell waits; True where ``report`` said to stop."""
    stop = threading.Event()

    def claims():
        while not stop.is_set() and (batch := store.claim(runner)):
            yield delayed(run_cells)(batch)

    results = parallel(claims())
    try:
        for outcomes in results:
            for outcome in outcomes:
                if outcome.result is not None:
                    recorded = store.finish(runner, outcome.key, outcome.result)
                else:
                    recorded = store.fail(runner, outcome.key, outcome.error)
                if recorded and outcome.result is not None:
                    report.measured += outcome.result.seconds
            report.measured += next((o.result.weighting_seconds for o in outcomes if o.result), 0.0)
            if report():
                return True
        return False
    finally:
        stop.set()
        results.close()


class _Registered:
    """A runner's row in the store, its heartbeat, and its claims given back at the end however that comes."""

    def __init__(self, store: Store):
        self._store, self._end = store, threading.Event()
        self._runner = store.register()
        self._thread = threading.Thread(target=self._beat, name="study-heartbeat", daemon=True)

    def __enter__(self) -> int:
        self._thread.start()
        return self._runner

    def __exit__(self, *_):
        self._end.set()
        self._thread.join()
        self._store.release(self._runner)

    def _beat(self):
        while not self._end.wait(BEAT_SECONDS):
            try:
                self._store.beat(self._runner)
            except Exception as error:  # a full disk for a moment must not end the heartbeat
                log.warning("the heartbeat could not be written: %s", error)


class _Report:
    """Calls ``on_progress`` now and then."""

    def __init__(self, store, runner, n_jobs, on_progress):
        self._store, self._n_jobs, self._on_progress = store, n_jobs, on_progress
        self._runner = runner
        self._started = time.monotonic()
        self._last = 0.0
        self.measured = 0.0  # seconds of a core that went into what this run recorded
        self.progress: Progress | None = None

    def __call__(self, *, always: bool = False) -> bool:
        now = time.monotonic()
        if not always and now - self._last < REPORT_SECONDS:
            return False
        self._last = now
        counts, rest = self._store.counts(wanted=True), estimate(self._store)
        elapsed = now - self._started
        # what is not in the measures (reading a class, waiting for a core) takes its share again
        overhead = max(1.0, elapsed * self._n_jobs / self.measured) if self.measured > 1 else 1.0
        self.progress = Progress(
            done=counts["done"],
            failed=counts["failed"],
            total=sum(counts.values()),
            elsewhere=self._store.claimed_elsewhere(self._runner),
            elapsed=elapsed,
            left=rest.seconds * overhead / self._n_jobs if rest.cells or not rest.unknown else None,
            unknown=rest.unknown,
        )
        return bool(self._on_progress and self._on_progress(self.progress))


@dataclass(frozen=True)
class _Backend:
    """How many cells are computed at once, a fresh joblib ``Parallel``, and the errors that mean a worker's death."""

    n_jobs: int
    make: Callable[[], Parallel]
    deaths: tuple[type[BaseException], ...]


@contextmanager
def _backend(workers: int, scheduler: str | None):
    # a generator of results, so that each is recorded when it comes; one call a batch, so that few cells are claimed
    options = {"return_as": "generator_unordered", "batch_size": 1, "pre_dispatch": "n_jobs + 1"}
    if not scheduler:
        if workers == 1:
            yield _Backend(1, lambda: Parallel(n_jobs=1, return_as="generator"), ())
            return
        with parallel_config(backend="loky", n_jobs=workers, inner_max_num_threads=1):
            yield _Backend(workers, lambda: Parallel(n_jobs=workers, **options), (BrokenProcessPool,))
        return
    try:
        import distributed
    except ImportError as error:
        raise ValueError(NEEDS_DISTRIBUTED) from error
    try:
        client = distributed.Client(scheduler, timeout="10s", set_as_default=False)
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

"""A study from start to end, in this process, over processes, and killed in the middle."""

import itertools
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ltw_core.storage.database import NotThere
from ltw_core.studies import compute as computing
from ltw_core.studies import runner as module
from ltw_core.studies.runner import run
from ltw_core.studies.store import Store
from ltw_core.weighting import method, methods
from tests.waiting import PATIENCE, wait_for

ROOT = Path(__file__).resolve().parents[2]


def test_a_study_is_computed_once(store, small_plan, monkeypatch):
    cells = small_plan()
    seen = []
    end = run(cells, store, on_progress=seen.append)
    assert (end.done, end.failed, end.total, end.elsewhere, end.left) == (8, 0, 8, 0, 0.0)
    assert seen[0].done == 0 and seen[0].left is None and seen[0].unknown == 8
    assert [record.cell for record in store.records()] == cells
    monkeypatch.setattr(module, "run_cells", lambda *_: pytest.fail("nothing is left to compute"))
    assert run(cells, store).done == 8


def test_a_weighting_is_fitted_once_for_all_learners(store, small_plan, monkeypatch):
    fitted = []
    weigh = computing.weigh
    monkeypatch.setattr(computing, "weigh", lambda *a, **k: fitted.append(a[1]) or weigh(*a, **k))
    run(small_plan(learner_names="SVM,LR,MNB", classes="relevant"), store)
    assert fitted == ["LogTFIDF", "TFRF"]


def test_a_failing_cell_is_recorded_and_the_rest_goes_on(store, small_plan, monkeypatch):
    evaluate = computing.evaluate_vectors

    def breaking(vectors, learner, *rest, **options):
        if learner == "SVM" and vectors.weighting == "TFRF":
            raise ValueError("This cell cannot be computed.")
        if learner == "MNB" and vectors.weighting == "TFRF":
            raise ZeroDivisionError("a bug")
        return evaluate(vectors, learner, *rest, **options)

    monkeypatch.setattr(computing, "evaluate_vectors", breaking)
    cells = small_plan(classes="relevant")
    end = run(cells, store)
    assert (end.done, end.failed) == (2, 2)
    errors = {(cell.weighting, cell.learner): error for cell, error in store.failures()}
    assert errors["TFRF", "SVM"] == "This cell cannot be computed."
    assert errors["TFRF", "MNB"].startswith("Traceback") and errors["TFRF", "MNB"].endswith("ZeroDivisionError: a bug")
    monkeypatch.undo()
    assert run(cells, store).failed == 2  # not tried again unless asked
    assert run(cells, store, retry_failed=True).done == 4


def test_what_the_cells_share_can_fail(store, small_plan, monkeypatch):
    def broken(task, weighting, *_):
        raise ValueError("No weighting today.") if weighting == "TFRF" else KeyError("x")

    monkeypatch.setattr(computing, "weigh", broken)
    assert run(small_plan(classes="relevant"), store).failed == 4
    assert [error for cell, error in store.failures() if cell.weighting == "TFRF"] == ["No weighting today."] * 2


def test_it_stops_when_told_and_goes_on(store, small_plan, monkeypatch):
    monkeypatch.setattr(module, "REPORT_SECONDS", 0)
    cells = small_plan()
    end = run(cells, store, on_progress=lambda progress: progress.done >= 3)
    assert 3 <= end.done < 8
    assert store.counts()["claimed"] == 0
    assert run(cells, store).done == 8


def test_it_stops_in_the_middle_of_a_batch(store, small_plan, monkeypatch):
    """Here each cell is recorded as soon as it is computed, not with those that share its weighting."""
    monkeypatch.setattr(module, "REPORT_SECONDS", 0)
    cells = small_plan("TFRF", "SVM,LR,MNB", classes="relevant")
    end = run(cells, store, on_progress=lambda progress: progress.done >= 1)
    assert (end.done, end.total) == (1, 3)
    assert store.counts() == {"waiting": 2, "claimed": 0, "done": 1, "failed": 0}


def test_which_workers_record_for_themselves():
    with module._backend(1, None) as backend:
        assert (backend.n_jobs, backend.in_process, backend.sees_store, backend.deaths) == (1, True, False, ())
    with module._backend(2, None) as backend:
        assert (backend.n_jobs, backend.in_process, backend.sees_store) == (2, False, True)
        assert backend.deaths == (BrokenProcessPool,)


def test_the_time_left_grows_with_what_is_not_in_the_measures(store, small_plan, made, monkeypatch):
    """A batch of .25 s for the vectors and twice .5 s takes 30 s by the clock, so the next one will, too."""
    clock, seen = [100.0], []

    def slow(cells, on_outcome=None, *_):
        clock[0] += 30
        return [computing.CellOutcome(cell.key, made.result(cell)) for cell in cells]

    monkeypatch.setattr(module, "run_cells", slow)
    monkeypatch.setattr(module.time, "monotonic", lambda: clock[0])
    run(small_plan(classes="relevant"), store, on_progress=seen.append)
    half = [progress for progress in seen if progress.done == 2][-1]
    assert (half.elapsed, half.left, half.unknown) == (30.0, pytest.approx(30.0), 0)


def test_a_run_of_one_process_looks_after_the_dead_and_beats_while_it_lasts(store, small_plan, monkeypatch):
    told, backend, every = [], module._backend, module._every
    monkeypatch.setattr(module, "_backend", lambda *about: told.append(about) or backend(*about))
    monkeypatch.setattr(module, "_every", lambda seconds, call: told.append(seconds) or every(seconds, call))
    monkeypatch.setattr(store, "release_stale", lambda: told.append("released"))
    monkeypatch.setattr(store, "fail_deadly", lambda deaths: told.append(deaths))
    monkeypatch.setattr(store, "claim", lambda *about, **options: told.append("claimed") or [])
    monkeypatch.setattr(module.time, "monotonic", lambda: 1.0)  # a machine that has just been started
    seen = []
    assert run(small_plan(classes="relevant"), store, on_progress=seen.append).total == 4
    assert told == [(1, None), 15, 2, "released", 3, "claimed", "claimed"]  # of what waits, and of what killed a worker
    assert [(progress.done, progress.elapsed) for progress in seen] == [(0, 0.0)] * 2


@pytest.fixture
def parallel(monkeypatch):
    """Notes what joblib is told."""
    told = []

    @contextmanager
    def config(**options):
        told.append(options)
        yield

    monkeypatch.setattr(module, "parallel_config", config)
    monkeypatch.setattr(module, "Parallel", lambda **options: options)
    return told


UNORDERED = {"return_as": "generator_unordered", "batch_size": 1, "pre_dispatch": "n_jobs + 1"}


def test_what_joblib_is_told(parallel):
    with module._backend(1, None) as backend:
        assert backend.make() == {"n_jobs": 1, "return_as": "generator"} and parallel == []
    with module._backend(2, None) as backend:
        assert backend.make() == {"n_jobs": 2, **UNORDERED}
    begin = {"initializer": module.end_with, "initargs": (os.getpid(),)}
    assert parallel == [{"backend": "loky", "n_jobs": 2, "inner_max_num_threads": 1, **begin}]


@pytest.mark.parametrize(("workers", "cores", "jobs"), [(0, 3, 3), (2, 3, 2), (1, 3, 1), (9, 3, 3), (1, 0, None)])
def test_what_a_dask_cluster_is_told(parallel, monkeypatch, workers, cores, jobs):
    clients = []

    class Client:
        def __init__(self, *where, **options):
            clients.append((where, options))

        def __enter__(self):
            clients.append(self)

        def __exit__(self, *error):
            clients.append("closed")

        def ncores(self):
            return {f"worker {number}": 1 for number in range(cores)}

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client, KilledWorker=KeyError))
    if jobs is None:
        told = "the Dask scheduler tcp://here has no workers; start some with `dask worker tcp://here`"
        with pytest.raises(ValueError, match=f"^{told}$"), module._backend(workers, "tcp://here"):
            pass
    else:
        with module._backend(workers, "tcp://here") as backend:
            assert (backend.n_jobs, backend.deaths) == (jobs, (KeyError,))
            assert (backend.in_process, backend.sees_store) == (False, False)
            assert backend.make() == {"n_jobs": jobs, **UNORDERED} and clients[-1] != "closed"
        assert parallel == [{"backend": "dask", "n_jobs": jobs, "client": clients[1]}]
    assert clients[0] == (("tcp://here",), {"timeout": 10, "set_as_default": False}) and clients[-1] == "closed"


@pytest.mark.parametrize("error", [OSError("no route"), ValueError("no address")])
def test_a_dask_scheduler_that_is_not_there_is_a_sentence(monkeypatch, error):
    def client(*_, **__):
        raise error

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=client))
    with (
        pytest.raises(ValueError, match=f"^the Dask scheduler tcp://here does not answer: {error}$"),
        module._backend(2, "tcp://here"),
    ):
        pass


def outcomes_of(made, seconds=0.5, weighting_seconds=0.25):
    """What a batch of two cells gives, and a cell that failed."""
    cells = [made.cell(seed=k) for k in range(2)]
    results = [replace(made.result(cell), seconds=seconds, weighting_seconds=weighting_seconds) for cell in cells]
    done = [computing.CellOutcome(cell.key, result) for cell, result in zip(cells, results, strict=True)]
    return [computing.CellOutcome("f", None, "It failed."), *done]


@pytest.mark.parametrize(
    ("batches", "jobs", "left"),
    [  # of 100 known seconds, after 60 by the clock
        ([], 1, 100),
        ([(20, 10)], 1, 100 * 60 / 50),  # the vectors are made once, the two classifiers each
        ([(20, 10)], 3, 100 * 180 / 50 / 3),
        ([(20, 10), (2, 6)], 2, 100 * 120 / 60 / 2),
        ([(40, 10)], 1, 100),  # more was measured than passed: no less is left
        ([(0.5, 0.0)], 1, 100),  # a second in all says nothing
        ([(0.5, 0.01)], 1, 100 * 60 / 1.01),
    ],
)
def test_what_is_left_by_hand(monkeypatch, made, batches, jobs, left):
    known = SimpleNamespace(known_seconds=100.0, not_measured=7)
    counts = {"waiting": 5, "claimed": 4, "done": 3, "failed": 2}
    store = SimpleNamespace(counts=lambda wanted: counts if wanted else {}, claimed_elsewhere={8: 1}.get)
    monkeypatch.setattr(module, "remaining", lambda of: known if of is store else None)
    report = module._Report(store, 8, jobs, None)
    for seconds in batches:
        report.measure(outcomes_of(made, *seconds))
    report.measure(outcomes_of(made)[:1])  # of what failed nothing is known
    report.measure([])
    expected = module.StudyProgress(done=3, failed=2, total=14, elsewhere=1, elapsed=60.0, left=left, unknown=7)
    assert report._make(60.0) == replace(expected, left=pytest.approx(left))
    known.known_seconds = None
    assert report._make(60.0) == replace(expected, left=None)


def test_reports_come_at_most_every_two_seconds_but_for_the_last(monkeypatch):
    clock, seen = [100.0], []
    monkeypatch.setattr(module.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(module._Report, "_make", lambda self, elapsed: elapsed)
    answers = iter([None, False, True, None])
    report = module._Report(None, 1, 1, lambda progress: seen.append(progress) or next(answers))
    assert report.progress is None
    steps = ((0, False, False), (1.9, False, False), (0.1, False, False), (0.5, True, True), (1.5, False, True))
    for seconds, always, stopped in steps:
        clock[0] += seconds
        report(always=always)
        assert report.stop.is_set() == stopped
    assert seen == [0, 2, 2.5] and report.progress == 2.5
    clock[0] += 0.5
    report()
    assert seen == pytest.approx([0, 2, 2.5, 4.5]) and report.stop.is_set()
    silent = module._Report(None, 1, 1, None)
    silent()
    assert silent.progress == 0 and not silent.stop.is_set()


def test_what_was_computed_before_is_taken_over(store, small_plan, made, monkeypatch):
    """Of the first batch all, of the second one, of the third none: a batch of nothing is not computed."""
    cells, asked, computed = small_plan("LogTFIDF,TFRF,TF", "SVM,LR", classes="relevant"), [], []
    known = {cell.key: made.result(cell) for cell in (*cells[:2], cells[3])}

    def before(keys):
        asked.append(keys)
        return {key: known[key] for key in keys if key in known}

    def compute(batch, on_outcome, *_):
        computed.append(batch)
        return [computing.CellOutcome(cell.key, made.result(cell)) for cell in batch]

    monkeypatch.setattr(module, "run_cells", compute)
    assert run(cells, store, computed_before=before).done == 6
    assert asked == [[cell.key for cell in cells[k : k + 2]] for k in (0, 2, 4)]
    assert computed == [cells[2:3], cells[4:]]


@pytest.mark.parametrize(("in_process", "sees_store"), [(True, False), (False, True), (False, False)])
def test_what_a_worker_is_given(store, small_plan, made, monkeypatch, in_process, sees_store):
    """In this process a function that records, in another of this machine the store's path, elsewhere nothing."""
    cells, given, learned = small_plan("TFRF", classes="relevant"), [], []
    source = SimpleNamespace(path="table.csv")
    sourced = [replace(cells[0], source=source), cells[1]]

    def fit(batches, *about):
        learned.append(about)
        return ((batch, "learned") for batch in batches)

    def work(batch, *how):
        given.append((batch, *how))
        outcomes = [computing.CellOutcome(cell.key, made.result(cell)) for cell in batch]
        if in_process:
            assert [how[0](outcome) for outcome in outcomes] == [False, False] and store.counts()["done"] == 2
        return outcomes

    def parallel(calls):
        yield from (compute(*arguments) for compute, arguments, _ in calls)

    @contextmanager
    def backend(*about):
        learned.append(about)
        yield module._Backend(5, lambda: parallel, (), in_process, sees_store)

    for name, with_ in (("_backend", backend), ("fit_batches", fit)):
        monkeypatch.setattr(module, name, with_)
    for name in ("run_cells", "_run_and_record"):
        monkeypatch.setattr(module, name, work if (name == "_run_and_record") == sees_store else None)
    end = run(sourced, store, workers=0, scheduler="tcp://here", device="cuda:1")
    assert (end.done, end.total) == (2, 2)
    ((batch, *how, last),) = given
    assert batch == cells and [cell.source for cell in batch] == [source, source] and last == "learned"
    assert how[1:] == ([store._rows("SELECT id FROM runner")[0][0]] if sees_store else [])
    assert sees_store == (how[0] == str(store.path.absolute()))
    assert in_process == callable(how[0]) and (how[0] is None) == (not in_process and not sees_store)
    (of_backend, (device, stopped, jobs)) = learned
    assert of_backend == (0, "tcp://here") and (device, jobs, stopped()) == ("cuda:1", 5, False)


def test_when_told_to_stop_nothing_more_is_claimed_and_what_is_under_way_ends(store, small_plan, made, monkeypatch):
    cells, kept, ended = small_plan("LogTFIDF,TFRF,TF", "SVM", classes="relevant"), [], []

    def results(calls):
        try:
            yield from (compute(*arguments) for compute, arguments, _ in calls)
        finally:
            ended.append(store.counts()["done"])

    @contextmanager
    def backend(*_):
        yield module._Backend(1, lambda: lambda calls: kept.append(results(calls)) or kept[-1])

    monkeypatch.setattr(module, "_backend", backend)
    monkeypatch.setattr(module, "REPORT_SECONDS", 0)
    outcomes = lambda batch, *_: [computing.CellOutcome(cell.key, made.result(cell)) for cell in batch]  # noqa: E731
    monkeypatch.setattr(module, "run_cells", outcomes)
    end = run(cells, store, on_progress=lambda progress: progress.done >= 1)
    assert (end.done, ended, store.counts()["waiting"]) == (1, [1], 2)
    stop, runner = threading.Event(), store.register()
    batches = module._claims(store, runner, stop, None)
    assert next(batches) == cells[1:2]
    stop.set()
    assert list(batches) == [] and store.counts()["waiting"] == 1


def test_a_worker_records_each_cell_and_leaves_the_rest_that_is_not_its_own(store, small_plan, made, monkeypatch):
    cells = small_plan("TFRF", "SVM,LR,MNB", classes="relevant")
    store.add(cells)
    store.want(cell.key for cell in cells)
    mine, other = store.register(), store.register()
    assert store.claim(mine) == cells
    asked = []

    def compute(batch, on_outcome, *learned):
        asked.extend(learned)
        store.release(mine) if learned else None
        return [on_outcome(computing.CellOutcome(cell.key, made.result(cell))) for cell in batch]

    monkeypatch.setattr(module, "run_cells", compute)
    assert module._run_and_record(cells[:1], str(store.path), mine) == [False]  # nothing stops it
    assert module._run_and_record(cells[1:], str(store.path), mine, "learned") == [True, True] and asked == ["learned"]
    assert store.counts() == {"waiting": 2, "claimed": 0, "done": 1, "failed": 0} and not store.release(other)
    with pytest.raises(NotThere):
        module._run_and_record(cells, str(store.path) + "x", mine)


def test_a_heartbeat_beats_while_a_run_lasts(store, monkeypatch):
    beaten = []
    monkeypatch.setattr(store, "beat", beaten.append)
    monkeypatch.setattr(module, "BEAT_SECONDS", 0.001)
    with module._registered(store) as runner:
        wait_for(lambda: len(beaten) >= 2)
        (thread,) = [thread for thread in threading.enumerate() if thread.name == "study"]
        assert thread.daemon  # it keeps no process alive
    assert set(beaten) == {runner} and not thread.is_alive()


def test_what_is_called_now_and_then_goes_on_after_an_error(caplog):
    calls = []

    def failing():
        calls.append(1)
        raise OSError("the disk is full")

    with module._every(0.001, failing):
        wait_for(lambda: len(calls) >= 3)
    ended = len(calls)
    assert caplog.messages[0] == "the store could not be read or written: the disk is full"
    assert not any(thread.name == "study" for thread in threading.enumerate()) and len(calls) == ended


def test_an_interrupt_gives_claims_back(store, small_plan, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "run_cells", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(small_plan(), store)
    assert store.counts() == {"waiting": 8, "claimed": 0, "done": 0, "failed": 0}


def test_a_cell_that_kills_its_worker_is_given_up_and_no_other(store, small_plan, monkeypatch):
    class Death(Exception):
        pass

    def parallel(calls):
        """Two batches at once, of which a deadly one takes the other along before anything is recorded."""
        calls = list(itertools.islice(calls, 2))
        if any(cell.weighting == "TFRF" and cell.learner == "LR" for _, (cells, *_), _ in calls for cell in cells):
            raise Death
        yield from (compute(*arguments) for compute, arguments, _ in calls)

    @contextmanager
    def backend(*_):
        yield module._Backend(2, lambda: parallel, (Death,))

    monkeypatch.setattr(module, "_backend", backend)
    end = run(small_plan("LogTFIDF,TFGR,TFRF", "SVM,LR,MNB", classes="relevant"), store)
    assert (end.done, end.failed) == (8, 1)
    ((cell, error),) = store.failures()
    assert (cell.weighting, cell.learner) == ("TFRF", "LR") and "died 3 times" in error


def test_claims_of_another_run_are_left_to_it(store, small_plan):
    cells = small_plan()
    store.add(cells)
    with Store(store.path) as other:
        other.want([cells[0].key])
        other.claim(other.register())  # by this process: alive
        end = run(cells, store)
    assert (end.done, end.elsewhere) == (7, 1)


def test_wrong_numbers_and_addresses_are_sentences(store, small_plan):
    for workers, scheduler in ((0, None), (-1, None), (-1, "tcp://here")):
        with pytest.raises(ValueError, match=rf"^workers is {workers}; it must be at least 1$"):
            run(small_plan(), store, workers=workers, scheduler=scheduler)
    assert store.counts()["waiting"] == 0


def test_dask_without_the_package_is_a_sentence(store, small_plan, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ValueError, match="pip install distributed"):
        run(small_plan(), store, scheduler="tcp://localhost:1")


COMMAND = """
import sys
from ltw_core.studies.plan import plan
from ltw_core.studies.runner import run
from ltw_core.studies.store import Store
path, workers, small = sys.argv[1], int(sys.argv[2]), dict(documents=int(sys.argv[3]), noise_terms=60)
if __name__ == "__main__":
    cells = plan(["synthetic"], weightings="UTW,STW", learner_names="SVM,LR,MNB", corpus_parameters=small)
    with Store(path) as store:
        end = run(cells, store, workers=workers)
    sys.stdout.write(f"{end.done} {end.failed} {end.total}")
"""
WEIGHTINGS = [name for name in (*methods("UTW"), *methods("STW")) if not method(name).minutes]
TOTAL = 2 * len(WEIGHTINGS) * 3  # classes, weightings, learners


@pytest.fixture
def start(tmp_path):
    """Start a study in a process of its own; returns it and the store's path."""
    script = tmp_path / "study.py"
    script.write_text(COMMAND, encoding="utf-8")
    path, started = tmp_path / "killed.sqlite", []

    def start(workers, documents=400):
        environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, str(script), str(path), str(workers), str(documents)]
        with log_of(path).open("w") as log:
            process = subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
            )
        started.append(process)
        return process, path

    yield start
    for process in started:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with its workers, who would keep the pipes open
        process.communicate()


def log_of(path):
    return path.with_suffix(".log")


def children(pid):
    """Processes that a process has started, from the system's table."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        if text.rpartition(")")[2].split()[1] == str(pid):
            found.append((int(stat.parent.name), (stat.parent / "cmdline").read_bytes().decode(errors="replace")))
    return found


def local_workers(process):
    workers = [pid for pid, command in children(process.pid) if "loky" in command and "tracker" not in command]
    assert workers
    return workers


def done_in(path):
    if not path.exists():
        return 0
    try:
        with Store(path) as store:
            return store.counts()["done"]
    except ValueError:  # it is just being made
        return 0


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for worker processes in /proc")
def test_killed_in_the_middle_it_goes_on_where_it_was(start):
    process, path = start(2, documents=1000)
    wait_for(lambda: done_in(path) >= 3)
    os.kill(local_workers(process)[0], signal.SIGKILL)
    wait_for(lambda: "a worker process died" in log_of(path).read_text())
    before_death = done_in(path)
    wait_for(lambda: done_in(path) > before_death)  # the run goes on with other workers
    workers = local_workers(process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))  # none goes on without its runner
    with Store(path) as store:
        before = {record.cell.key: record.finished for record in store.records()}
    assert before_death < len(before) < TOTAL  # it was in the middle
    process, path = start(1, documents=1000)
    assert process.communicate(timeout=PATIENCE)[0] == f"{TOTAL} 0 {TOTAL}"
    with Store(path) as store:
        counts, records = store.counts(), store.records()
    assert counts == {"waiting": 0, "claimed": 0, "done": TOTAL, "failed": 0}
    after = {record.cell.key: record.finished for record in records}
    assert len(after) == len(records) == TOTAL
    assert before.items() <= after.items()  # what was done was not done again

"""A study from start to end, in this process, over processes, and killed in the middle."""

import itertools
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

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
    with pytest.raises(ValueError, match=r"^workers is 0; it must be at least 1$"):
        run(small_plan(), store, workers=0)


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

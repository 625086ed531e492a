"""Computing for a reader who waits: once whoever asks, stopped and gone on with, one's own apart; what is found."""

import os
import threading
import time
from contextlib import closing, nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.evaluation import Cancelled, Progress
from ltw_core.service import cells_on_demand
from ltw_core.service.cells_on_demand import CellsProgress, Item, SessionQueue, StoreQueue, compute
from ltw_core.studies import results, shared_cells
from ltw_core.studies.compute import CellOutcome, vectors_of
from ltw_core.studies.plan import cells_of
from ltw_core.studies.runner import run
from ltw_core.studies.store import Store
from ltw_core.tasks import vectorize
from ltw_core.weighting import TermWeighting
from tests.studies.conftest import SMALL
from tests.waiting import PATIENCE, wait_for


@pytest.fixture(scope="module")
def corpus():
    return load("synthetic", **SMALL)


@pytest.fixture(scope="module")
def task(corpus):
    return vectorize(corpus, cache=False, stop_words=corpus.language).task("relevant")


@pytest.fixture
def cells(corpus):
    options = {"classes": ["relevant"], "corpus_parameters": SMALL}
    return cells_of(corpus, weightings=["TF", "TFRF", "LogTFIDF"], learner_names=["SVM", "MNB"], **options)


@pytest.fixture
def path(tmp_path, monkeypatch):
    """An empty state folder; the file of the app's cells in it."""
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    monkeypatch.setattr(results, "results_dir", lambda: tmp_path / "results")
    shared_cells._opened.cache_clear()
    return shared_cells.app_store()


def do(queue, total=6, cancelled=lambda: False, **options):
    progress = CellsProgress(total)
    with closing(queue) if isinstance(queue, StoreQueue) else nullcontext():
        compute(queue, progress, cancelled, **options)
    return progress


# by hand --------------------------------------------------------------------------------------------------------------
class Queue:
    """Stands for a ``CellQueue``: its batches, what it says of waiting and of seconds that are left; notes results."""

    def __init__(self, *batches, waits=(), left=()):
        self.batches, self.waiting, self.left, self.recorded = list(batches), list(waits), list(left), []

    def claim(self):
        return self.batches.pop(0) if self.batches else []

    def waits(self):
        return bool(self.waiting) and self.waiting.pop(0)

    def weigh(self, item, on_event):
        assert on_event(Progress(done=1, total=2, message="learning")) == self.stops
        return f"vectors of {item.weighting}"

    def evaluate(self, item, vectors, on_event):
        if item.learner == "bad":
            raise KeyError("x")
        on_event(Progress(done=1, total=2, message=f"{vectors} for {item.learner}"))
        return f"result of {item.key}"

    def record(self, item, outcome):
        self.recorded.append((item.key, outcome.result, bool(outcome.error)))

    def seconds_left(self):
        return self.left.pop(0) if self.left else None

    stops = False


class Saying(CellsProgress):
    """Notes all that is said, and the threads that rest."""

    def say(self, item, message):
        super().say(item, message)
        said = self.__dict__.setdefault("said", [])
        said.append((item.key, message))
        assert self.now == {threading.get_ident(): (item, message)}


def item(learner, key, weighting="TF", seed=0, of=""):
    return Item(weighting, learner, seed, key, of)


def test_what_is_said_counted_and_handed_on(caplog):
    queue = Queue([item("SVM", "1"), item("bad", "2")], [item("LR", "3", "RF")], left=[6.0, None, 0.0])
    progress, kept, lefts = Saying(3), [], []
    keep = lambda *about: (kept.append(about), lefts.append((progress.done, progress.left)))  # noqa: E731
    compute(queue, progress, lambda: False, workers=1, on_result=keep)
    assert progress.said == [
        *[("1", "waiting for a core"), ("1", "weighting the documents"), ("1", "learning")],
        *[("1", "tuning"), ("1", "vectors of TF for SVM"), ("2", "waiting for a core"), ("2", "tuning")],
        *[("3", "waiting for a core"), ("3", "weighting the documents"), ("3", "learning")],
        *[("3", "tuning"), ("3", "vectors of RF for LR")],
    ]
    assert queue.recorded == [("1", "result of 1", False), ("2", None, True), ("3", "result of 3", False)]
    assert [(one.key, *rest) for one, *rest in kept] == [
        ("1", "vectors of TF", "result of 1"),
        ("3", "vectors of RF", "result of 3"),
    ]
    assert lefts == [(0, None), (2, None)] and (progress.done, progress.left, progress.now) == (3, 0.0, {})
    (told,) = caplog.messages
    assert told.startswith("TF with bad failed: Traceback") and "lock" not in repr(progress)
    compute(queue := Queue([item("SVM", "4")], left=[6.0]), progress := CellsProgress(1), lambda: False, workers=4)
    assert (progress.left, len(queue.recorded)) == (1.5, 1)


def test_the_time_left_follows_how_fast_it_went():
    progress = CellsProgress(4)
    told = []
    for left, now in ((100.0, 0.0), (95.0, 10.0), (80.0, 20.0), (None, 30.0), (40.0, 15.0)):
        progress.expect(left, 2, now)
        told.append(progress.left)
    # two cores free; too little done to tell; one core's worth a second; not known; never more than there are threads
    assert told == [50.0, 47.5, 80.0, None, 20.0]


def test_an_event_tells_the_work_to_stop():
    queue = Queue([item("SVM", "1")])
    queue.stops = True
    with pytest.raises(Cancelled, match=r"^The evaluation was cancelled$"):
        asked = iter([False, *[True] * 9])
        compute(queue, CellsProgress(1), lambda: next(asked), workers=1)
    assert len(queue.recorded) == 1 and queue.batches == []


def test_threads_and_what_is_waited_for(monkeypatch):
    told = []

    class Thread:
        def __init__(self, *, target, name, daemon):
            told.append((name, daemon))
            self.start, self.join = (lambda: told.append("start")), (lambda: told.append("join"))

    threads = SimpleNamespace(Thread=Thread, get_ident=threading.get_ident, Lock=threading.Lock)
    monkeypatch.setattr(cells_on_demand, "threading", threads)
    monkeypatch.setattr(cells_on_demand.time, "sleep", lambda seconds: told.append(seconds))
    assert os.cpu_count() == cells_on_demand.CORES
    compute(Queue(waits=[True, True, False]), CellsProgress(0), lambda: False, workers=3)
    assert told == [("cells", True)] * 2 + ["start"] * 2 + [0.3] * 2 + ["join"] * 2
    told.clear()
    for workers in (1, 0):
        compute(Queue(), CellsProgress(0), lambda: False, workers=workers)
    assert told == []


def test_of_several_errors_the_first_is_told_and_ends_the_others():
    first, errors = threading.Event(), iter([OSError("first"), OSError("second")])

    class Broken(Queue):
        def claim(self):
            error = next(errors)
            if str(error) == "second":
                first.wait(PATIENCE)
            raise error

    class Resting(CellsProgress):
        def rest(self):
            super().rest()
            first.set()

    with pytest.raises(OSError, match=r"^first$"):
        compute(Broken(), Resting(0), lambda: False, workers=2)


def test_a_place_is_waited_for_as_long_as_it_is_wanted(monkeypatch):
    told, answers = [], iter([False, False, True, False])

    def acquire(timeout=None):
        told.append(timeout)
        return next(answers)

    monkeypatch.setattr(cells_on_demand, "slots", SimpleNamespace(acquire=acquire, release=lambda: told.append("out")))
    with cells_on_demand._slot(lambda: False):
        told.append("in")
    assert told == [0.2, 0.2, 0.2, "in", "out"]
    with pytest.raises(Cancelled, match=r"^The evaluation was cancelled$"), cells_on_demand._slot(lambda: True):
        told.append("in")
    assert told == [0.2, 0.2, 0.2, "in", "out", 0.2]


def test_ones_own_cells_by_hand(monkeypatch):
    told = []
    monkeypatch.setattr(cells_on_demand, "weigh", lambda *about: told.append(about) or "vectors")
    monkeypatch.setattr(
        cells_on_demand, "evaluate_vectors", lambda *about, **options: told.append((about, options)) or "result"
    )
    items = [item("SVM", "1"), item("LR", "2"), item("SVM", "3", seed=1), item("LR", "4", of="b"), item("SVM", "5")]
    found, errors = {}, {"1": "It failed before.", "9": "Another."}
    queue = SessionQueue(items, lambda key: f"task of {key}", "quick", {"TF": "an estimator"}, found, errors)
    assert queue.seconds_left() is None and queue.waits() is False
    assert queue.claim() == [items[0], items[1], items[4]]
    assert queue.weigh(items[2], "event") == "vectors" and queue.weigh(item("SVM", "1", "RF"), "event") == "vectors"
    assert queue.evaluate(items[2], "vectors", "event") == "result"
    assert told == [
        ("task of 3", "an estimator", 1, "event"),
        ("task of 1", "RF", 0, "event"),
        (("vectors", "SVM", "quick", 1, "event"), {"keep_decisions": True}),
    ]
    for key, learner, seconds in (("1", "SVM", 2.0), ("5", "SVM", 4.0), ("2", "KNN", 8.0)):
        result = SimpleNamespace(seconds=seconds)
        queue.record(item(learner, key), CellOutcome(key, result))
        assert found[key] is result
    queue.record(items[3], CellOutcome("4", None, "It failed."))
    assert (sorted(found), errors) == (["1", "2", "5"], {"9": "Another.", "4": "It failed."})
    assert queue.seconds_left() is None  # of the SVM that is left 3.0, but of LR nothing is known
    assert (queue.claim(), queue.claim(), queue.claim()) == ([items[2]], [items[3]], [])
    assert queue.seconds_left() == 0
    assert SessionQueue([], "a task", "quick", {}, {}, {})._task_of("any") == "a task"


@pytest.mark.parametrize(("elsewhere", "waiting", "waits"), [(0, 0, False), (1, 0, True), (0, 1, True), (2, 3, True)])
def test_what_a_store_hands_out_by_hand(monkeypatch, elsewhere, waiting, waits):
    told = []

    class Claims:
        def __getattr__(self, name):
            return lambda *about, **options: told.append((name, *about, options))

        def __enter__(self):
            told.append("open")

        def __exit__(self, *error):
            told.append("closed")

        def register(self):
            return 5

        def claim(self, runner, suspect=False):
            told.append(("claim", runner, suspect))
            return [SimpleNamespace(weighting="TF", learner="LR", seed=2, key="b")] if suspect == elsewhere else []

        def claimed_elsewhere(self, runner):
            return elsewhere

        def counts(self, *, wanted):
            assert wanted
            return {"waiting": waiting}

    monkeypatch.setattr(cells_on_demand, "Store", lambda path: told.append(path) or Claims())
    monkeypatch.setattr(cells_on_demand, "remaining", lambda store: SimpleNamespace(seconds=7.0, not_measured=0))
    monkeypatch.setattr(cells_on_demand, "vectors_of", lambda *about: about)
    monkeypatch.setattr(cells_on_demand, "evaluate_cell", lambda *about, **options: (about, options))
    cells = [SimpleNamespace(key=key) for key in "ab"]
    queue = StoreQueue(cells, "task", "path")
    wanted = dict(zip("ab", cells, strict=True))
    assert told == ["path", ("add", cells, {}), ("want", wanted, {}), ("retry_failed", {})]
    told.clear()
    assert queue.waits() is waits and told == [("release_stale", {})]
    told.clear()
    found = [Item("TF", "LR", 2, "b")]
    assert queue.claim() == (found if elsewhere < 2 else [])
    assert told == [("claim", 5, False), ("claim", 5, True)][: 1 if elsewhere == 0 else 2]
    assert queue.weigh(found[0], "event") == (cells[1], "task", "event") and queue.seconds_left() == 7.0
    assert queue.evaluate(found[0], "vectors", "event") == ((cells[1], "vectors", "event"), {"keep_decisions": True})
    told.clear()
    queue.record(found[0], "outcome")
    queue.close()
    assert told == [("record", 5, "outcome", {}), "open", ("release", 5, {}), "closed"]


# with a corpus --------------------------------------------------------------------------------------------------------
def test_it_computes_what_studies_compute_and_finds_it(cells, task, path):
    kept = []
    progress = do(StoreQueue(cells, task, path), on_result=lambda item, vectors, result: kept.append((item, result)))
    assert (progress.done, progress.now, progress.left) == (6, {}, 0.0)
    found = shared_cells.find(cell.key for cell in cells)
    assert {entry.origin for entry in found.values()} == {"here"}
    for cell in cells:
        there, again = found[cell.key].record, cells_on_demand.evaluate_cell(cell, vectors_of(cell))
        for name in ("f1", "precision", "recall", "tp", "fp", "fn", "tn", "validation_f1", "parameters", "learner"):
            assert getattr(there, name) == getattr(again, name)
    assert {item.key for item, _ in kept} == {cell.key for cell in cells}
    assert all(result.decisions.counts[0] == result.tp for _, result in kept)


def test_two_who_ask_at_once_compute_each_cell_once(cells, task, path):
    computed, lock = [], threading.Lock()

    def note(item, *_):
        with lock:
            computed.append(item.key)

    queues = [StoreQueue(cells, task, path) for _ in range(2)]
    threads = [threading.Thread(target=do, args=(queue,), kwargs={"on_result": note}) for queue in queues]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(computed) == sorted(cell.key for cell in cells)
    assert len(shared_cells.find(cell.key for cell in cells)) == 6


def test_the_second_waits_for_what_the_first_has_claimed_and_takes_it_if_that_one_stops(cells, task, path):
    first = StoreQueue(cells, task, path)
    assert first.claim()
    second = threading.Thread(target=do, args=(StoreQueue(cells, task, path),))
    second.start()
    wait_for(lambda: len(shared_cells.find(cell.key for cell in cells)) == 4)
    time.sleep(3 * cells_on_demand.WAIT)
    assert second.is_alive()  # the rest is the first's
    first.close()
    second.join(PATIENCE)
    assert len(shared_cells.find(cell.key for cell in cells)) == 6


def test_stopped_it_keeps_what_is_done_and_goes_on(cells, task, path):
    stop = threading.Event()
    with pytest.raises(Cancelled):
        do(StoreQueue(cells, task, path), 6, stop.is_set, workers=1, on_result=lambda *_: stop.set())
    done = shared_cells.find(cell.key for cell in cells)
    assert 1 <= len(done) < 6
    with Store(path) as store:
        assert store.counts() == {"waiting": 6 - len(done), "claimed": 0, "done": len(done), "failed": 0}
    rest = [cell for cell in cells if cell.key not in done]
    assert do(StoreQueue(rest, task, path)).done == len(rest)
    assert len(shared_cells.find(cell.key for cell in cells)) == 6


def test_a_cell_of_other_versions_is_another_cell(cells, task, path):
    do(StoreQueue(cells[:1], task, path))
    old = dict(cells[0].versions) | {"numpy": "1.0"}
    other = type(cells[0])(**{**vars_of(cells[0]), "versions": tuple(old.items())})
    assert shared_cells.find([cells[0].key]) and not shared_cells.find([other.key])


def vars_of(cell):
    return {name: getattr(cell, name) for name in cell.__dataclass_fields__}


def test_cells_of_a_study_are_found_too(cells, path, tmp_path):
    with Store(tmp_path / "studies.sqlite") as store:
        run(cells[:2], store)
    (tmp_path / "study-broken.sqlite").write_text("no database at all, but long enough to be looked at")
    assert {entry.origin for entry in shared_cells.find(cell.key for cell in cells).values()} == {"study"}


def test_a_study_takes_over_what_the_app_has_computed(cells, task, path, tmp_path):
    do(StoreQueue(cells[:3], task, path))
    with Store(path) as app:
        there = {record.cell.key: record.seconds for record in app.records()}
    with Store(tmp_path / "studies.sqlite") as store:
        end = run(cells, store, computed_before=shared_cells.lookup_for(store.path))
        assert (end.done, end.failed) == (len(cells), 0)
        seconds = {record.cell.key: record.seconds for record in store.records()}
    assert len(there) == 3 and all(seconds[key] == there[key] for key in there)  # to the last digit: not measured again
    assert shared_cells.lookup_for(tmp_path / "elsewhere" / "studies.sqlite") is None


def test_shipped_cells_say_so(cells, task, path, tmp_path):
    do(StoreQueue(cells[:1], task, path))
    with Store(path) as store:
        results.write(store, tmp_path / "results")
    path.unlink()
    shared_cells._opened.cache_clear()
    (found,) = shared_cells.find(cell.key for cell in cells).values()
    assert found.origin == "shipped"


def test_a_failure_is_told_does_not_stop_the_rest_and_is_tried_again(cells, task, path, monkeypatch):
    make = cells_on_demand.vectors_of

    def broken(cell, *rest):
        if cell.weighting == "TFRF":
            raise ValueError("No weighting today.")
        return make(cell, *rest)

    monkeypatch.setattr(cells_on_demand, "vectors_of", broken)
    do(StoreQueue(cells, task, path))
    with Store(path) as store:
        errors = store.errors(cell.key for cell in cells)
    assert errors == {cell.key: "No weighting today." for cell in cells if cell.weighting == "TFRF"}
    monkeypatch.undo()
    with Store(path) as store:
        rest = [cell for cell in cells if cell.key in errors]
    assert do(StoreQueue(rest, task, path)).done == 2
    with Store(path) as store:
        assert store.counts()["done"] == 6


def test_ones_own_stays_in_ones_own_dictionary(task, path):
    items = [Item(name, learner, 0, f"{name}-{learner}") for name in ("own:mine", "TF") for learner in ("SVM", "MNB")]
    found, errors = {}, {}
    own = {"own:mine": TermWeighting(dd="1+log", cd="RF", norm="l2")}
    progress = do(SessionQueue(items, task, "quick", own, found, errors), 4)
    assert progress.done == 4 and not errors and not path.exists()
    assert set(found) == {item.key for item in items}
    assert np.isfinite([result.f1 for result in found.values()]).all()
    found.clear()
    broken = {"own:mine": TermWeighting(dd="1+log", cd="nothing", norm="l2")}
    do(SessionQueue(items, task, "quick", broken, found, errors), 4)
    assert len(found) == 2 and all("nothing" in error for error in errors.values())


def test_no_more_cells_at_a_time_than_there_are_places(cells, task, path, monkeypatch):
    monkeypatch.setattr(cells_on_demand, "slots", threading.BoundedSemaphore(1))
    at_once, most, lock = 0, 0, threading.Lock()
    evaluate = cells_on_demand.evaluate_cell

    def counting(*arguments, **options):
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        result = evaluate(*arguments, **options)
        with lock:
            at_once -= 1
        return result

    monkeypatch.setattr(cells_on_demand, "evaluate_cell", counting)
    assert do(StoreQueue(cells, task, path), workers=4).done == 6
    assert most == 1


def test_a_store_that_cannot_be_written_ends_it_in_a_sentence(cells, task, path, monkeypatch):
    import sqlite3

    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Store, "record", full)
    with pytest.raises(ValueError, match=r"could not be written down: database or disk is full. What is shown is safe"):
        do(StoreQueue(cells, task, path))

"""Computing for a reader who waits: once whoever asks, stopped and gone on with, one's own apart; what is found."""

import threading
import time
from contextlib import closing, nullcontext

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.evaluation import Cancelled
from ltw_core.service import cells_on_demand
from ltw_core.service.cells_on_demand import CellsProgress, Item, SessionQueue, StoreQueue, compute
from ltw_core.studies import results, shared_cells
from ltw_core.studies.compute import vectors_of
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

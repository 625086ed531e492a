import csv
import io
import os
import sqlite3
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from ltw_core.storage.database import NotThere
from ltw_core.storage.file_schema import FileError
from ltw_core.storage.processes import Process, is_alive, this_process
from ltw_core.studies import store as module
from ltw_core.studies.compute import CellOutcome
from ltw_core.studies.export import to_csv
from ltw_core.studies.store import Store
from ltw_core.tasks import WithoutTerms
from tests.waiting import wait_for


def cells_of(made, weightings=("TF", "TFRF"), learners=("SVM", "LR")):
    return [made.cell(weighting=weighting, learner=learner) for weighting in weightings for learner in learners]


def planned(store, cells):
    store.add(cells)
    store.want(cell.key for cell in cells)
    return store.register()


def test_a_cell_is_planned_once(store, made):
    cells = cells_of(made)
    assert store.add(cells) == 4
    assert store.add([*cells, made.cell(seed=1)]) == 1
    assert store.counts() == {"waiting": 5, "claimed": 0, "done": 0, "failed": 0}


def test_claims_share_vectors_and_are_the_studys(store, made):
    cells = cells_of(made)
    runner = planned(store, cells[1:])
    store.add([cells[0], made.cell(seed=5)])  # another study's
    assert store.claim(runner) == cells[1:2]
    assert store.claim(runner) == cells[2:]
    assert store.claim(runner) == []
    assert store.counts(wanted=True) == {"waiting": 0, "claimed": 3, "done": 0, "failed": 0}
    assert store.counts()["waiting"] == 2


def test_everything_is_confined_to_the_cells_of_the_study(store, made):
    mine, others = made.cell(weighting="TF"), [made.cell(weighting="TF", learner="LR"), made.cell(weighting="TFRF")]
    one = planned(store, [mine, *others])
    other = store.register()
    store.claim(one)
    store.claim(other)  # TFRF
    store.release(one, died=True)
    store.want([mine.key])
    rows, vectors = store.remaining()
    assert [tuple(row) for row in rows] == [("synthetic", "TF", "SVM", "quick", 1)]
    assert [tuple(row) for row in vectors] == [("synthetic", "TF", 1)]
    assert store.claimed_elsewhere(one) == 0
    assert store.fail_deadly(2) == 0
    assert store.fail_deadly(1) == 1
    assert store.retry_failed() == 1
    store.want(cell.key for cell in others)
    assert store.claimed_elsewhere(one) == 1 and store.claimed_elsewhere(other) == 0
    assert store.retry_failed() == 0
    assert store.fail_deadly(1) == 1  # the one that was released with the first
    assert store.counts() == {"waiting": 1, "claimed": 1, "done": 0, "failed": 1}


def test_only_the_claimant_finishes_and_only_once(store, made):
    (cell,) = cells_of(made, ["TF"], ["SVM"])
    one = planned(store, [cell])
    other = store.register()
    store.claim(one)
    assert not store.finish(other, cell.key, made.result(cell))
    assert store.finish(one, cell.key, made.result(cell))
    assert not store.finish(one, cell.key, made.result(cell, tp=1))
    assert not store.fail(one, cell.key, "late")
    (record,) = store.records()
    assert (record.cell, record.tp, record.parameters, record.warnings) == (cell, 8, {"C": 1.0}, ("One sentence.",))
    assert record.f1 == pytest.approx(16 / 20)


def test_failures_keep_their_error_and_can_wait_again(store, made):
    cells = cells_of(made)
    runner = planned(store, cells)
    store.claim(runner)
    store.fail(runner, cells[0].key, "A sentence.")
    assert store.failures() == [(cells[0], "A sentence.")]
    store.release(runner)
    assert store.retry_failed() == 1
    assert store.counts() == {"waiting": 4, "claimed": 0, "done": 0, "failed": 0}


def test_a_cell_over_which_workers_die_is_given_up_alone(store, made):
    cells = cells_of(made)
    runner = planned(store, cells)
    assert store.claim(runner) == cells[:2]
    store.release(runner, died=True)
    assert store.claim(runner) == cells[2:]  # fresh ones first
    assert store.claim(runner) == []
    assert store.claim(runner, suspect=True) == cells[:1]
    store.release(runner, died=True)
    assert store.fail_deadly(2) == 1
    assert store.failures() == [(cells[0], "The worker process died 2 times over this cell (out of memory?).")]


def test_claims_of_the_dead_wait_again(store, made):
    cells = cells_of(made)
    store.add(cells)
    store.want(cell.key for cell in cells)
    me = this_process()
    living = store.register(me)
    store.claim(living)
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    dead = store.register(Process(me.host, child.pid, me.born and "another birth"))
    assert store.claim(dead) == cells[2:]
    child.communicate(b"\n")
    assert store.release_stale() == 2
    assert store.claim(store.register()) == cells[2:]
    assert store.counts()["claimed"] == 4


def test_claims_of_the_silent_elsewhere_wait_again(store, made, monkeypatch):
    (cell,) = cells_of(made, ["TF"], ["SVM"])
    store.add([cell])
    store.want([cell.key])
    far = store.register(Process("another-host", 1, "x"))
    store.claim(far)
    began = time.time()
    late = began + 121  # seconds
    monkeypatch.setattr(module.time, "time", lambda: began + 119.5)
    assert store.release_stale() == 0
    monkeypatch.setattr(module.time, "time", lambda: late)
    store.beat(far)
    assert store.release_stale() == 0  # it has just been heard
    monkeypatch.setattr(module.time, "time", lambda: late + 121)
    assert store.release_stale() == 1
    assert not store.finish(far, cell.key, made.result(cell))  # too late: somebody else may have it


def test_processes_are_told_apart():
    me = this_process()
    assert me.pid == os.getpid()
    assert is_alive(me) is (True if me.born else None)
    assert is_alive(me._replace(host="another-host")) is None
    if me.born:
        assert is_alive(me._replace(born="before")) is False


CLAIMER = """
import sys
from ltw_core.studies.export import to_csv
from ltw_core.studies.store import Store
from ltw_core.tasks import WithoutTerms
with Store(sys.argv[1]) as store:
    store.want(row["key"] for row in store._rows("SELECT key FROM cell"))
    runner = store.register()
    sys.stdin.readline()
    while batch := store.claim(runner):
        for cell in batch:
            sys.stdout.write(cell.key + "\\n")
    sys.stdin.readline()  # alive until both are done
"""


def test_two_processes_claim_disjoint_cells(store, made):
    cells = [made.cell(weighting="LTW-L-I", seed=seed) for seed in range(200)]
    store.add(cells)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": os.getcwd()}
    both = [subprocess.Popen([sys.executable, "-c", CLAIMER, str(store.path)], **pipes) for _ in range(2)]
    for process in both:
        process.stdin.write("go\n")
        process.stdin.flush()
    wait_for(lambda: not store.counts()["waiting"])
    claimed = [process.communicate("end\n")[0].split() for process in both]
    assert not set(claimed[0]) & set(claimed[1])
    assert sorted(claimed[0] + claimed[1]) == sorted(cell.key for cell in cells)


def test_what_is_done_to_cells_says_to_how_many_and_when(store, made, monkeypatch):
    monkeypatch.setattr(module.time, "time", lambda: 1_000.5)
    cells = cells_of(made)
    runner = planned(store, cells)
    assert store.claim(runner) == cells[:2] and store.claim(runner) == cells[2:]
    times = "SELECT state, runner, claimed, finished, error, deaths FROM cell ORDER BY position"
    assert {tuple(row) for row in store._rows(times)} == {("claimed", runner, 1_000.5, None, "", 0)}
    assert store.record(runner, CellOutcome(cells[0].key, made.result(cells[0]))) is True
    assert store.record(runner, CellOutcome(cells[1].key, None, "An error.")) is True
    assert store.fail(runner, cells[2].key, "") is True
    for late in (CellOutcome(cells[0].key, made.result(cells[0])), CellOutcome(cells[1].key, None, "Another.")):
        assert store.record(runner, late) is False
    assert [tuple(row) for row in store._rows(times)] == [
        ("done", None, 1_000.5, 1_000.5, "", 0),
        ("failed", None, 1_000.5, 1_000.5, "An error.", 0),
        ("failed", None, 1_000.5, 1_000.5, "no reason was given", 0),
        ("claimed", runner, 1_000.5, None, "", 0),
    ]
    assert store.counts() == {"waiting": 0, "claimed": 1, "done": 1, "failed": 2}
    assert store.release(store.register()) == 0 and store.release(runner, died=True) == 1
    assert [tuple(row) for row in store._rows(times)][3] == ("waiting", None, None, None, "", 1)
    assert store.claim(runner, suspect=False) == [] and store.claim(runner, suspect=True) == cells[3:]
    assert store.release(runner) == 1  # nobody died
    assert (store.fail_deadly(2), store.fail_deadly(1), store.fail_deadly(1)) == (0, 1, 0)
    assert store.retry_failed() == 3
    assert [tuple(row) for row in store._rows(times)][1:] == [
        ("waiting", None, 1_000.5, None, "", 0),
        ("waiting", None, 1_000.5, None, "", 0),
        ("waiting", None, None, None, "", 0),
    ]


def test_of_cells_over_which_workers_died_the_least_deadly_comes_first_and_alone(store, made):
    cells = cells_of(made)
    runner = planned(store, cells)
    for suspect in (False, True):  # the first pair died once, and one of them twice
        store.claim(runner, suspect=suspect)
        store.release(runner, died=True)
    store.claim(runner)
    store.release(runner, died=True)
    order = [store.claim(runner, suspect=True) for _ in range(5)]
    assert order == [[cells[1]], [cells[2]], [cells[3]], [cells[0]], []]


def test_what_is_known_of_cells_by_key(store, fill, made):
    done, failed, waiting, other = cells_of(made)
    fill({done: (8, 2, 2, 88), failed: "It failed.", other: "So did this."})
    store.add([waiting])
    keys = [cell.key for cell in (failed, waiting, done)]
    assert {key: record.cell for key, record in store.find(iter(keys)).items()} == {done.key: done}
    assert store.errors(iter(keys)) == {failed.key: "It failed."}
    assert store.find([]) == store.errors([]) == {}
    assert store.cells() == [
        (cell, state, module.settings_of(cell))
        for cell, state in ((done, "done"), (failed, "failed"), (other, "failed"), (waiting, "waiting"))
    ]
    assert store.failures() == [(failed, "It failed."), (other, "So did this.")]


def test_settings_are_all_of_a_cell_but_its_place_in_a_table(made):
    cell = made.cell()
    alike = [{"class_name": "other"}, {"weighting": "TF"}, {"learner": "LR"}, {"seed": 3}]
    other = [{"grid": "full"}, {"fingerprint": "e" * 64}, {"corpus": "pydocs"}, {"documents": "all"}]
    for changes, same in ((alike, True), (other, False)):
        for change in changes:
            assert (module.settings_of(made.cell(**change)) == module.settings_of(cell)) == same


def test_an_overview_counts_and_averages(store, fill, made):
    one, other, full = made.cell(seed=0), made.cell(seed=1), made.cell(grid="full", seed=2)
    fill({one: made.result(one), other: "failed", full: made.result(full)})
    store.add([made.cell(seed=3), made.cell(seed=4), every := made.cell(seed=5, documents="all")])
    columns = ("corpus", "weighting", "learner", "grid", "state", "cells", "seconds", "weighting_seconds")
    assert [tuple(row[name] for name in columns) for row in store.overview()] == [
        ("synthetic", "TFRF", "SVM", "quick", "done", 1, 0.5, 0.25),
        ("synthetic", "TFRF", "SVM", "quick", "failed", 1, None, None),
        ("synthetic", "TFRF", "SVM", "full", "done", 1, 0.5, 0.25),
        ("synthetic", "TFRF", "SVM", "quick", "waiting", 3, None, None),
    ]
    rows = store.overview(by_settings=True)
    assert [row["settings"] for row in rows] == [module.settings_of(c) for c in (one, one, full, one, every)]
    assert [row["json"] for row in rows] == [c.json() for c in (one, other, full, made.cell(seed=3), every)]
    assert [row["cells"] for row in rows] == [1, 1, 1, 2, 1]


def test_a_store_for_reading_is_not_written(store, made):
    with Store(store.path, read_only=True) as readers:
        for change in (lambda: readers.add([made.cell()]), readers.register):
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                change()
    assert store.counts()["waiting"] == 0


def test_a_copy_in_memory_leaves_the_file_alone(store, fill, made, tmp_path):
    cell = made.cell()
    fill({cell: (8, 2, 2, 88)})
    with Store.copy_in_memory(store.path) as copy:
        assert [record.cell for record in copy.records()] == [cell]
        assert copy.add([made.cell(seed=1)]) == 1 and store.counts()["waiting"] == 0
    with Store.copy_in_memory(tmp_path / "none.sqlite") as empty:
        assert empty.counts() == dict.fromkeys(("waiting", "claimed", "done", "failed"), 0)
    assert not (tmp_path / "none.sqlite").exists()


def test_a_copy_without_its_log_is_told(tmp_path, made):
    path = tmp_path / "copied.sqlite"
    with Store(path) as store:
        planned(store, cells_of(made))
    for claimed, told in ((0, ""), (1, "1 cell is being"), (2, "2 cells are being")):
        with sqlite3.connect(path) as db:
            db.execute("UPDATE cell SET state = 'claimed', runner = 1, claimed = 1 WHERE position <= ?", (claimed,))
        db.close()
        with Store(path, read_only=True) as store:
            said = store.perhaps_missing()
        assert (said == "") == (claimed == 0) and told in said
    with Store(path) as store:
        store.register()  # a writer makes a log
        with Store(path) as again:
            assert again.had_log and again.perhaps_missing() == ""


def test_what_is_no_store_is_a_sentence(tmp_path):
    for how in ({"create": False}, {"read_only": True}, {"create": False, "read_only": True}):
        with pytest.raises(NotThere, match=r"^there is no store nothing\.sqlite; `run` makes one$"):
            Store(tmp_path / "nothing.sqlite", **how)
        with pytest.raises(NotThere, match=rf"^{tmp_path.name} is a folder; a store is a file; `run` makes one$"):
            Store(str(tmp_path), **how)
    (tmp_path / "text.txt").write_text("not a database, however long it may be" * 100)
    with pytest.raises(ValueError, match="cannot be used as a store"):
        Store(tmp_path / "text.txt")
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("CREATE TABLE other (x)")
    with pytest.raises(ValueError, match="the database of something else"):
        Store(tmp_path / "other.sqlite")
    Store(tmp_path / "newer.sqlite").close()
    with sqlite3.connect(tmp_path / "newer.sqlite") as newer:
        newer.execute("PRAGMA user_version = 99")
    with pytest.raises(ValueError, match="version 99, this program's is 1"):
        Store(tmp_path / "newer.sqlite")


def test_many_may_open_a_store_that_is_just_being_made(tmp_path):
    refused = []

    def open_it(path, together):
        together.wait()
        try:
            Store(path).close()
        except ValueError as error:
            refused.append(error)

    for number in range(40):
        together = threading.Barrier(8)
        arguments = (tmp_path / f"{number}.sqlite", together)
        threads = [threading.Thread(target=open_it, args=arguments) for _ in range(8)]
        for step in (threading.Thread.start, threading.Thread.join):
            for thread in threads:
                step(thread)
    assert not refused


def test_the_schema_is_strict_and_in_wal_mode(store, made):
    store.add([made.cell()])
    assert store._rows("PRAGMA journal_mode")[0][0] == "wal"
    with pytest.raises(sqlite3.IntegrityError, match="CHECK constraint"):
        store._rows("UPDATE cell SET state = 'done'")  # without the time at which it was
    with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT value in INTEGER column"):
        store._rows("UPDATE cell SET seed = 'x'")


def test_documents_without_a_term_are_kept_and_an_older_store_lacks_them(store, fill, made):
    told = WithoutTerms(train=1, train_positives=0, test=7, test_positives=6, scored=True)
    new, old = made.cell(documents="all"), made.cell()
    fill({new: made.result(new, without_terms=told), old: (8, 2, 2, 88)})
    assert [record.without_terms for record in store.records()] == [told, None]
    columns = ("documents", *(f"without_terms_{name}" for name in told._fields[:4]))
    lines = list(csv.DictReader(io.StringIO(to_csv(store, [], "cells"))))
    assert [[line[name] for name in columns] for line in lines] == [
        ["all", "1", "0", "7", "6"],
        ["with_terms", "", "", "", ""],
    ]
    store.close()
    with sqlite3.connect(store.path) as older:
        older.execute("ALTER TABLE result DROP COLUMN without_terms")
    older.close()
    for read_only in (True, False, True):  # as it is, taking the column in, and with it
        with Store(store.path, read_only=read_only) as again:
            assert [record.without_terms for record in again.records()] == [None, None]
            assert [record.cell for record in again.records()] == [new, old]
            columns = {row["name"] for row in again._rows("PRAGMA table_info(result)")}
    assert "without_terms" in columns


def test_which_documents_were_predicted_is_kept_and_must_fit_the_counts(store, fill, made):
    new, old = made.cell(), made.cell(seed=1)
    rows = np.array([0, 3, 4, 5, 6, 7, 8, 9, 50, 99])
    fill({new: made.result(new, predicted=rows), old: (8, 2, 2, 88)})
    known, unknown = (record.predicted for record in store.records())
    assert known.tolist() == rows.tolist() and unknown is None
    for wrong in ("[1, 2]", "[0, 3, 3, 5, 6, 7, 8, 9, 50, 99]", "[0, 3, 4, 5, 6, 7, 8, 9, 50, 100]", '["a"]', "{}"):
        store._rows("UPDATE result SET predicted = ? WHERE key = ?", (wrong, new.key))
        with pytest.raises(FileError, match="predicted must be"):
            store.records()
    store.close()
    with sqlite3.connect(store.path) as older:
        older.execute("ALTER TABLE result DROP COLUMN predicted")
    older.close()
    for read_only in (True, False):
        with Store(store.path, read_only=read_only) as again:
            assert [record.predicted for record in again.records()] == [None, None]

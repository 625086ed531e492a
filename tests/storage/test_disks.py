"""A full disk, one that may only be read, a copy of half a database, a clock set back: a sentence, and nothing lost."""

import shutil
import sqlite3

import pytest

from ltw_core.storage import processes
from ltw_core.storage.database import DAMAGED
from ltw_core.storage.processes import Process, is_gone
from ltw_core.studies.__main__ import main
from ltw_core.studies.store import Store
from tests.studies.conftest import make_cell, make_result

FAILS = "the disk is full, or it fails; make room and try again"
HISTORY = """
from tests.service.test_training_history import *
from ltw_core.service import history_writer
history_writer.EVERY = 0.0
history = History(disk / "history.sqlite")
def learn(token, most=60):
    writer = HistoryWriter(history, token, TERMS.tpr, TERMS.fpr, {})
    writer.start()
    weighting = LearnedWeighting(**PARAMETERS | {"max_steps": most})
    weighting.fit(COUNTS, Y, validation=VALIDATION, on_event=writer.event)
    return writer, weighting
token = history.begin("ann", PROBLEM, TERMS, PARAMETERS, {})
"""


def test_what_could_not_be_written_is_written_when_there_is_room_again(on_disk):
    found = on_disk(
        HISTORY
        + """
fill()
writer, weighting = learn(token)
found = {"full": writer.problem, "read_meanwhile": history.find(token).status}
(disk / "filler").unlink()
writer.end("done", weighting)
past = history.find(token)
found |= {"after": writer.problem, "status": past.status, "weighting": past.has_weighting}
found["whole"] = [step for step, *_ in history.curve(token)] == [step for step, *_ in weighting.history_]
print(json.dumps(found))
"""
    )
    assert found == {
        "full": "the disk is full; make room and try again",
        "read_meanwhile": "running",
        "after": "",
        "status": "done",
        "weighting": True,
        "whole": True,
    } or found == {**found, "read_meanwhile": "queued"}  # whether its start still fitted


def test_a_run_that_could_not_be_entered_is_entered_when_there_is_room_again(on_disk):
    found = on_disk(
        HISTORY
        + """
fill()
writer = HistoryWriter(history, "late", TERMS.tpr, TERMS.fpr, {})
writer.enter("ann", PROBLEM, TERMS, PARAMETERS, {})
writer.start()
found = {"full": writer.problem, "there": history.find("late") is not None}
(disk / "filler").unlink()
writer.end("stopped")
past = history.find("late")
print(json.dumps(found | {"after": writer.problem, "status": past.status, "owned": history.is_owned(["ann"], "late")}))
"""
    )
    assert found == {
        "full": "the disk is full; make room and try again",
        "there": False,
        "after": "",
        "status": "stopped",
        "owned": True,
    }


STUDY = """
from ltw_core.studies.__main__ import main
run = f"run --dataset synthetic --weightings LogTFIDF,TFRF --learners MNB --store {disk}/s.sqlite --workers 1"
"""


def test_a_study_on_a_full_disk_is_a_sentence_and_goes_on_later(on_disk):
    found = on_disk(
        STUDY
        + """
status = command(main, run.replace(",TFRF", ""))[0]
fill()
found = {"first": status, "full": command(main, run), "read": command(main, f"status --store {disk}/s.sqlite")}
(disk / "filler").unlink()
found["later"] = command(main, run)[0]
from ltw_core.studies.__main__ import main
from ltw_core.studies.store import Store
from tests.studies.conftest import make_cell, make_result
found["done"] = Store(disk / "s.sqlite", read_only=True).counts()["done"]
found["path"] = str(disk)
print(json.dumps(found))
""",
        size="2m",
    )
    assert found["first"] == 0
    status, said = found["full"]
    assert status == 1 and "Traceback" not in said
    assert said.splitlines()[-1] in (
        f"The store {found['path']}/s.sqlite failed: the disk is full; make room and try again. What is done stays.",
        "s.sqlite cannot be used as a store: the disk is full, or it fails; make room and try again",
    )
    assert found["read"] in (
        [0, ""],
        [1, f"s.sqlite cannot be used as a store: {FAILS}\n"],
    )
    assert (found["later"], found["done"]) == (0, 4)


def test_a_folder_that_may_only_be_read(on_disk):
    found = on_disk(
        STUDY
        + """
status = command(main, run)[0]
read_only()
found = {"first": status, "run": command(main, run), "read": command(main, f"status --store {disk}/s.sqlite")}
found["new"] = command(main, run.replace("s.sqlite", "new.sqlite"))
from ltw_core.corpora import load
from ltw_core.tasks import vectorize
found["documents"] = len(load("synthetic", documents=100).documents)
found["terms"] = int(vectorize(load("synthetic", documents=100)).vocabulary.size) > 0
found["path"] = str(disk)
print(json.dumps(found))
""",
        size="4m",
    )
    assert found["first"] == 0 and found["read"] == [0, ""]
    for name, key in (("s.sqlite", "run"), ("new.sqlite", "new")):
        status, said = found[key]
        assert status == 1 and "Traceback" not in said
        assert said.splitlines()[-1] in (
            f"{name} cannot be used as a store: the folder cannot be written",
            f"{name} cannot be used as a store: unable to open database file",
            f"The store {found['path']}/{name} failed: the folder cannot be written. What is done stays.",
        )
    assert (found["documents"], found["terms"]) == (100, True)


def test_caches_and_downloads_on_a_full_disk(on_disk):
    found = on_disk("""
import numpy as np
from ltw_core.corpora import CorpusError
from ltw_core.corpora.catalogue import catalogue
from ltw_core.corpora.download import download
from ltw_core.storage.disk_cache import read_arrays, write_arrays
from ltw_core.studies.progress_file import PROGRESS, read_json, write_json
write_json(disk / "progress.json", {"state": "running"})
write_arrays(disk / "old.npz", {"x": np.arange(3)})
fill()
write_arrays(disk / "new.npz", {"x": np.arange(100_000)})
write_arrays(disk / "old.npz", {"x": np.arange(100_000)})
found = {"new": (disk / "new.npz").exists(), "old": read_arrays(disk / "old.npz")["x"].tolist()}
try:
    write_json(disk / "progress.json", {"state": "x" * 10_000})
except OSError as error:
    found["progress"] = error.strerror
found["kept"] = read_json(disk / "progress.json", PROGRESS)
reader = next(entry for entry in catalogue() if entry.downloadable)
try:
    download(reader, disk / "data")
except CorpusError as error:
    found["download"] = "can't be" in str(error) or "could not be" in str(error)
found["left"] = sorted(path.name for path in disk.rglob("*.part") if not path.name.startswith("."))
print(json.dumps(found))
""")
    assert found == {
        "new": False,
        "old": [0, 1, 2],
        "progress": "No space left on device",
        "kept": {"state": "running"},
        "download": True,
        "left": [],
    }


# A copy of half a database -------------------------------------------------------------------------------------------
def test_a_copy_without_its_log(tmp_path):
    """What is only in the log is not in the copy; it says so, and the store itself has it all."""
    with Store(tmp_path / "store.sqlite") as store:
        store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store._db.execute("PRAGMA wal_autocheckpoint = 0")
        store.register()
        shutil.copy(store.path, tmp_path / "copy.sqlite")
        assert store._rows("SELECT count(*) FROM runner")[0][0] == 1
    with Store(tmp_path / "copy.sqlite", read_only=True) as copy:
        assert copy._rows("SELECT count(*) FROM runner")[0][0] == 0  # older, and whole


def test_a_copy_of_a_store_in_use_says_what_may_be_missing(tmp_path, capsys):
    """Of two cells that are claimed one is done, which only the log tells; so does a copy with its log."""
    path, copy, whole = tmp_path / "store.sqlite", tmp_path / "copy.sqlite", tmp_path / "whole.sqlite"

    def told(command, store):
        assert main([*command.split(), "--store", str(store)]) == 0
        return capsys.readouterr().err

    cells = [make_cell(), make_cell(weighting="TFCHI")]
    with Store(path) as store:
        store.add(cells)
        store.want([cell.key for cell in cells])
        runner = store.register()
        claimed = store.claim(runner)
        while more := store.claim(runner):
            claimed += more
        store._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        store.finish(runner, claimed[0].key, make_result(claimed[0]))
        shutil.copy(path, copy)
        for name in (path, path.with_name(f"{path.name}-wal")):
            shutil.copy(name, tmp_path / name.name.replace("store", "whole"))
        assert told("status", path) == ""  # it is in use, and all there
        store.release(runner)
    assert told("status", whole) == ""
    with Store(whole, read_only=True) as store:
        assert store.counts()["done"] == 1
    for command in ("status", "export --format csv"):
        assert told(command, copy).startswith(
            "copy.sqlite seems to be a copy of a store in use, made without the log beside it (copy.sqlite-wal): by "
            "its own account 2 cells are being computed, though nobody has it open. The last results may be missing; "
            "copy it again with its log, or when the study has ended.\n"
        )
    assert not path.with_name(f"{path.name}-wal").exists()
    assert told("status", path) == ""  # it has ended: its log is gone, and nothing with it


def test_a_copy_of_which_a_part_is_missing(tmp_path, capsys):
    with Store(tmp_path / "store.sqlite") as store:
        for _ in range(3):
            store.register()
    data = (tmp_path / "store.sqlite").read_bytes()
    assert sqlite3.connect(tmp_path / "store.sqlite").execute("PRAGMA page_size").fetchone()[0] == 4096
    torn = data[: 4096 * 2] + bytes(len(data) - 4096 * 2)  # pages that were not there yet
    (tmp_path / "torn.sqlite").write_bytes(torn)
    assert main(["status", "--store", str(tmp_path / "torn.sqlite")]) == 1
    said = capsys.readouterr().err
    assert said in (
        f"The store {tmp_path}/torn.sqlite failed: {DAMAGED}. What is done stays.\n",
        f"the store torn.sqlite cannot be read: {DAMAGED}\n",
    )
    assert (tmp_path / "torn.sqlite").read_bytes() == torn  # reading changes nothing


# A clock set back ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("heard, gone", [(1000.0, False), (881.0, False), (879.0, True), (1119.0, False), (9e9, True)])
def test_a_process_that_was_heard_in_the_future_counts_as_silent(heard, gone, monkeypatch):
    """Nobody waits until the clock is there again for what a process of another machine left."""
    monkeypatch.setattr(processes.time, "time", lambda: 1000.0)
    assert is_gone(Process("another-host", 1, ""), heard, 120.0) is gone

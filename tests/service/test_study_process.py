"""A study in a process of its own: one at a time, stopped, gone on with, and found dead."""

import json
import os
import re
import signal

import pytest

from ltw_core.service import study_process
from ltw_core.storage.file_schema import FileError
from ltw_core.studies.store import Store
from tests.waiting import wait_for

SMALL = study_process.Request(("synthetic",), ("TF", "TFRF"), ("MNB",), ("relevant",))
LONG = study_process.Request(("synthetic",), ("LTW-L-I", "LTW-L-sigma"), ("RF", "KNN"), (), "full", seeds=20)


def wait(folder, until):
    return wait_for(lambda: until(study := study_process.current(folder)) and study, every=0.1)


def test_nothing_was_started(tmp_path):
    assert study_process.current(tmp_path) is None


def test_it_runs_to_its_end(tmp_path):
    study = study_process.start(SMALL, tmp_path / "s.sqlite", tmp_path)
    assert study.running and study.request == SMALL
    study = wait(tmp_path, lambda s: not s.running)
    assert (study.state, study.progress["done"], study.progress["failed"]) == ("finished", 2, 0)


def test_one_at_a_time_stopped_and_gone_on_with(tmp_path):
    path = tmp_path / "s.sqlite"
    study = study_process.start(LONG, path, tmp_path)
    try:
        with pytest.raises(ValueError, match="a study is running on this server already"):
            study_process.start(SMALL, path, tmp_path)
        study = wait(tmp_path, lambda s: s.progress.get("done", 0) > 1)
        assert study.progress["total"] == 2 * 2 * 2 * 20  # weightings, learners, classes, seeds
    finally:
        study.stop()
    study = wait(tmp_path, lambda s: not s.running)
    assert (study.state, study.error) == ("stopped", "")
    with Store(path) as store:
        counts = store.counts()
    assert counts["claimed"] == 0 and counts["done"] > 1 and counts["waiting"]
    study_process.start(study.request, path, tmp_path)  # goes on: nothing of what is done is lost
    study = wait(tmp_path, lambda s: s.progress.get("done", 0) >= counts["done"])
    study.stop()
    assert wait(tmp_path, lambda s: not s.running).state == "stopped"


def test_a_killed_process_is_noticed_and_another_may_start(tmp_path):
    study = study_process.start(LONG, tmp_path / "s.sqlite", tmp_path)
    os.kill(study.process.pid, signal.SIGKILL)
    study = wait(tmp_path, lambda s: not s.running)
    assert study.state == "failed" and study.error
    study_process.start(SMALL, tmp_path / "s.sqlite", tmp_path)
    assert wait(tmp_path, lambda s: not s.running).state == "finished"


def test_what_cannot_be_planned_is_a_sentence(tmp_path):
    wrong = study_process.Request(("nowhere",), ("TF",), ("SVM",))
    study_process.start(wrong, tmp_path / "s.sqlite", tmp_path)
    study = wait(tmp_path, lambda s: not s.running)
    assert study.state == "failed" and "nowhere" in study.error and "Traceback" not in study.error


# what its files may say ----------------------------------------------------------------------------------------------
@pytest.fixture
def ended(tmp_path):
    """A study that has run, and its two files as they are."""
    study_process.start(SMALL, tmp_path / "s.sqlite", tmp_path)
    wait(tmp_path, lambda s: not s.running)
    return {name: json.loads((tmp_path / name).read_text()) for name in (study_process.ASKED, study_process.PROGRESS)}


WRONG = [
    ("study.json", lambda told: told.pop("request"), "study.json is damaged: it has no request; it must have"),
    ("study.json", lambda told: told["request"].pop("datasets"), "study.json is damaged: request has no datasets"),
    (
        "study.json",
        lambda told: told["request"].update(grid="huge"),
        "request, grid is 'huge'; it must be one of quick",
    ),
    ("study.json", lambda told: told["request"].update(seeds=10**30), "request, seeds is 1000"),
    ("study.json", lambda told: told["request"].update(shell="rm"), "request has a field 'shell'; it may have"),
    ("study.json", lambda told: told.update(process=["host", "1", "x"]), "process must be a host, a number and a"),
    ("study.json", lambda told: told.update(process=["host"]), "process is a list of 1; it must be a list of 3 values"),
    ("study.json", lambda told: told.update(started="now"), "started is 'now'; it must be a number"),
    ("progress.json", lambda told: told.update(state="odd"), "progress.json is damaged: state is 'odd'"),
    ("progress.json", lambda told: told.update(done=-1), "done is -1; it must be a whole number from 0"),
    ("progress.json", lambda told: told.update(left="soon"), "left is 'soon'; it must be a number"),
    ("progress.json", lambda told: told.update(total=[1]), "total is a list of 1"),
]


def test_files_that_say_something_impossible_are_refused_in_a_sentence(ended, tmp_path):
    for name, change, said in WRONG:
        told = json.loads(json.dumps(ended[name]))
        change(told)
        (tmp_path / name).write_text(json.dumps(told))
        with pytest.raises(FileError, match=re.escape(said)):
            study_process.current(tmp_path)
        (tmp_path / name).write_text(json.dumps(ended[name]))
    for text in ("", "[1, 2]", "{", '{"a": 1, "a": 2}', "[" * 10**5, "7", "\ud800".encode("utf-8", "surrogatepass")):
        (tmp_path / "study.json").write_bytes(text if isinstance(text, bytes) else text.encode())
        with pytest.raises(FileError, match=r"^study.json "):
            study_process.current(tmp_path)
    # and another study may start there, which writes them anew
    study_process.start(SMALL, tmp_path / "s.sqlite", tmp_path)
    assert wait(tmp_path, lambda s: not s.running).progress["done"] == 2

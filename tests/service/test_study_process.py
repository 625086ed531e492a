"""A study in a process of its own: one at a time, stopped, gone on with, and found dead."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ltw_core.service import study_process
from ltw_core.service.kept_tables import KeptTable
from ltw_core.storage.file_schema import FileError
from ltw_core.storage.processes import Process
from ltw_core.studies.store import Store
from tests.waiting import wait_for

SMALL = study_process.Request(("synthetic",), ("TF", "TFRF"), ("MNB",), ("relevant",))
LONG = study_process.Request(("synthetic",), ("LTW-L-I", "LTW-L-sigma"), ("RF", "KNN"), (), "full", seeds=20)


# by hand: nothing is started ------------------------------------------------------------------------------------------
ALL = study_process.Request(
    *(("synthetic", "reuters"), ("TF", "f(x, y)"), ("MNB", "SVM"), ("a", "b,c"), "full", 3, 4),
    options={"ngram_range": [1, 2], "lowercase": False},
    ratio=0.5,
    protocol="authors",
)


@pytest.fixture
def by_hand(tmp_path, monkeypatch):
    """Notes what would be started; the state folder, and whether processes are alive and gone."""
    noted = SimpleNamespace(started=[], threads=[], alive=True, gone=False, asked=[], nice="/bin/nice", error=None)
    monkeypatch.setenv("LTW_STATE", str(tmp_path / "state"))

    def start(command, stdout, **options):
        if noted.error:
            raise noted.error
        noted.started.append((command, Path(stdout.name), stdout.mode, options))
        return SimpleNamespace(pid=7, wait="wait")

    class Thread:
        def __init__(self, **about):
            self.start = lambda: noted.threads.append(about)

    def is_gone(*about):
        noted.asked.append(about)
        return noted.gone

    monkeypatch.setattr(study_process.subprocess, "Popen", start)
    monkeypatch.setattr(study_process.threading, "Thread", Thread)
    monkeypatch.setattr(study_process, "process_of", lambda pid: Process("host", pid, "born"))
    monkeypatch.setattr(study_process, "is_alive", lambda process: noted.alive)
    monkeypatch.setattr(study_process, "is_gone", is_gone)
    monkeypatch.setattr(study_process.shutil, "which", lambda name: noted.nice)
    monkeypatch.setattr(study_process.time, "time", lambda: 1_000.0)
    monkeypatch.setattr(study_process.kept_tables, "folders", lambda: [tmp_path / "table"])
    return noted


@pytest.fixture
def table(tmp_path):
    (tmp_path / "table").mkdir()
    source = SimpleNamespace(arguments=lambda: ["--table", "t.csv"])
    return KeptTable("key", tmp_path / "table", "browser", source)


def test_a_request_is_a_command_line(table):
    assert (SMALL.grid, SMALL.seeds, SMALL.workers, SMALL.options, SMALL.ratio) == ("quick", 1, 1, (), None)
    assert ALL.options == (("ngram_range", (1, 2)), ("lowercase", False))
    common = ["--class=a", "--class=b,c", "--weighting=TF", "--weighting=f(x, y)", "--learners", "MNB,SVM"]
    common += ["--grid", "full", "--seeds", "3", "--workers", "4", "--store", "/a/s.sqlite"]
    common += ["--ngram-range=1,2", "--no-lowercase", "--ratio", "0.5", "--protocol", "authors"]
    assert ALL.arguments(Path("/a/s.sqlite")) == ["run", "--dataset", "synthetic,reuters", *common]
    assert ALL.arguments(Path("/a/s.sqlite"), table) == ["run", "--table", "t.csv", *common]
    assert SMALL.arguments(Path("s")) == [
        *("run", "--dataset", "synthetic", "--class=relevant", "--weighting=TF", "--weighting=TFRF"),
        *("--learners", "MNB", "--grid", "quick", "--seeds", "1", "--workers", "1", "--store", "s"),
    ]


@pytest.mark.parametrize("nice", ["/bin/nice", None])
def test_how_a_process_is_started(by_hand, tmp_path, nice):
    by_hand.nice = nice
    folder = study_process.default_folder()
    assert folder == tmp_path / "state" / "study" and study_process.current() is None
    study = study_process.start(ALL, Path("/a/s.sqlite"), retry_failed=True, owner="ann")
    ((command, log, mode, options),) = by_hand.started
    first = ["nice", "-n", "10"] if nice else []
    last = ["--progress", str(folder / "progress.json"), "--retry-failed"]
    assert command == [*first, sys.executable, "-m", "ltw_core.studies", *ALL.arguments(Path("/a/s.sqlite")), *last]
    assert (log, mode) == (folder / "study.log", "wb") and options == {
        **{"stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "start_new_session": True, "env": None},
        "cwd": Path(__file__).resolve().parents[2],
    }
    assert by_hand.threads == [{"target": "wait", "name": "study-end", "daemon": True}]
    assert (
        study
        == study_process.current()
        == study_process.Study(ALL, Path("/a/s.sqlite"), 1_000.0, "running", {}, "", Process("host", 7, "born"), "ann")
    )
    assert by_hand.asked[-1] == (Process("host", 7, "born"), 1_000.0, 60)


def test_what_is_as_usual_is_not_written_down_and_an_earlier_progress_goes(by_hand, tmp_path):
    folder = tmp_path / "a" / "b"
    for _ in range(2):
        study = study_process.start(SMALL, tmp_path / "s.sqlite", folder)
        assert by_hand.started[-1][0][-2:] == ["--progress", str(folder / "progress.json")]
        told = json.loads((folder / "study.json").read_text())
        names = ["datasets", "weightings", "learners", "classes", "grid", "seeds", "workers"]
        assert list(told["request"]) == names and told["owner"] == study.owner == "" and study.request == SMALL
        progress = {"state": "finished", "time": 900.0, "done": 3, "error": "none"}
        (folder / "progress.json").write_text(json.dumps(progress))
        study = study_process.current(folder)
        assert (study.state, study.progress, study.error, study.running) == ("finished", {"done": 3}, "none", False)
    (folder / "progress.json").write_text(json.dumps(progress | {"state": "running"}))
    assert study_process.current(folder).running and by_hand.asked[-1][1:] == (900.0, 60)
    by_hand.gone = True
    for said, error in ((b" \n", "Its process ended without a word (killed?)."), (b"one\ntwo\n", "two")):
        (folder / "study.log").write_bytes(said)
        study = study_process.current(folder)
        assert (study.state, study.error) == ("failed", error)


def test_one_at_a_time_whatever_is_studied(by_hand, tmp_path, table):
    with pytest.raises(ValueError, match=r"^the study could not be started: \[Errno 2\] no program$"):
        by_hand.error = FileNotFoundError(2, "no program")
        study_process.start(SMALL, tmp_path / "s", tmp_path / "other")
    by_hand.error = None
    assert study_process.tables_in_use() == {} and study_process.current_of_table(table) is None
    study = study_process.start_of_table(table, SMALL, owner="ann")
    ((command, log, _, options),) = by_hand.started
    assert "--table" in command and log == table.folder / "study" / "study.log"
    assert options["env"] == os.environ | {"LTW_STATE": str(table.folder)} and study.store == table.store
    assert study == study_process.current_of_table(table) and study_process.tables_in_use() == {table.folder: study}
    told = "a table of a reader's own is being studied on this server; wait until that has ended"
    with pytest.raises(ValueError, match=f"^{told}$"):
        study_process.start(SMALL, tmp_path / "s")
    (table.folder / "study" / "progress.json").write_text('{"state": "finished"}')
    assert study_process.tables_in_use() == {}
    study_process.start(SMALL, tmp_path / "s")
    for folder in (None, tmp_path / "other"):
        with pytest.raises(ValueError, match=r"^a study is running on this server already; wait for it, or stop it$"):
            study_process.start(SMALL, tmp_path / "s", folder)
    assert len(by_hand.started) == 2


def test_a_process_is_told_to_stop_while_it_may_be_alive(by_hand, monkeypatch):
    told = []
    monkeypatch.setattr(study_process.os, "kill", lambda *about: told.append(about))
    study = study_process.Study(SMALL, Path("s"), 1.0, "running", {}, "", Process("host", 7, "born"))
    for state, alive, stopped in (("running", True, True), ("running", None, True), ("running", False, False)):
        by_hand.alive = alive
        told.clear()
        replace(study, state=state).stop()
        assert told == [(7, signal.SIGTERM)] * stopped
    replace(study, state="stopped").stop()
    by_hand.alive = True
    replace(study, state="stopped").stop()
    assert told == []


def test_a_table_that_goes_waits_a_moment_for_its_study(by_hand, table, monkeypatch):
    told, clock, slept = [], [0.0], []

    def sleep(seconds):
        slept.append(seconds)
        clock[0] += 1.0

    monkeypatch.setattr(study_process.os, "kill", lambda *about: told.append(about))
    monkeypatch.setattr(
        study_process, "time", SimpleNamespace(time=lambda: 1.0, monotonic=lambda: clock[0], sleep=sleep)
    )
    study_process.end_of_table(table)  # which has none
    study_process.start_of_table(table, SMALL)
    study_process.end_of_table(table)
    assert told == [(7, signal.SIGTERM)] and slept == [0.05] * 5
    by_hand.alive = None
    study_process.end_of_table(table)
    assert len(told) == 2 and len(slept) == 5
    by_hand.alive = True
    (table.folder / "study" / "progress.json").write_text('{"state": "finished"}')
    study_process.end_of_table(table)
    (table.folder / "study" / "study.json").write_text("{}")
    study_process.end_of_table(table)
    assert len(told) == 2 and len(slept) == 5


def test_the_last_words_of_a_log(tmp_path):
    log = tmp_path / "study.log"
    assert study_process._last_words(log) == ""
    for said, last in ((b"", ""), (b"a\nb\xff \n\n", "b\ufffd"), (b"x\n" + b"y" * 500, "y" * 400)):
        log.write_bytes(said)
        assert study_process._last_words(log) == last


def test_the_limits_of_what_a_file_may_ask_for():
    asked = {"request": {name: ["a"] for name in ("datasets", "weightings", "learners")}, "store": "s", "started": 0}
    asked |= {"process": ["host", 1, ""], "owner": ""}
    study_process.RECORD.check(asked, "")

    def takes(field, value, within="request"):
        changed = asked | {field: value} if within is None else asked | {within: asked[within] | {field: value}}
        try:
            study_process.RECORD.check(changed, "")
        except FileError:
            return False
        return True

    for field in ("datasets", "weightings", "learners", "classes"):
        for length, taken in ((1_000, True), (1_001, False), (1, True), (0, False)):
            assert takes(field, ["x" * length]) is taken
        assert takes(field, ["x"] * 100_000) and not takes(field, ["x"] * 100_001)
    for field, most in (("seeds", 1_000_000), ("workers", 100_000)):
        assert [takes(field, value) for value in (0, 1, most, most + 1)] == [False, True, True, False]
    assert takes("options", {}) and takes("options", {"lowercase": True}) and not takes("options", {"odd": 1})
    assert [takes("store", "x" * length, None) for length in (0, 1, 5_000, 5_001)] == [False, True, True, False]
    assert [takes("owner", "x" * length, None) for length in (1_000, 1_001)] == [True, False]
    pids = (0, 1, 2**31 - 1, 2**31)
    assert [takes("process", ["host", pid, ""], None) for pid in pids] == [False, True, True, False]
    assert takes("process", ["x" * 1_000, 1, ""], None) and not takes("process", ["x" * 1_001, 1, ""], None)
    for length in (2, 4):
        assert not takes("process", ["x"] * length, None)
    without = {name: value for name, value in asked.items() if name != "owner"}
    study_process.RECORD.check(without, "")
    for name in ("request", "store", "started", "process"):
        with pytest.raises(FileError):
            study_process.RECORD.check({key: value for key, value in asked.items() if key != name}, "")


# processes ------------------------------------------------------------------------------------------------------------
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

"""A study in a process of its own: one at a time, stopped, gone on with, and found dead."""

import os
import signal

import pytest

from ltw_core.service import study_process
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

"""A study's process killed at random moments: a sample of ``tests.benchmarks.kills``."""

import random
from pathlib import Path

import pytest

from tests.benchmarks import kills

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")


def test_a_killed_study_computes_each_cell_once_and_leaves_nothing_running(tmp_path, monkeypatch):
    # Of so many cells, with slow forests among them, that a late kill still comes before the last
    learners = ("RF", "KNN", "LR", "SVM", "MNB")
    monkeypatch.setattr(kills, "STUDY", kills.STUDY | {"weightings": ("UTW", "STW"), "learners": learners})
    found = kills.kill_studies(2, random.Random(1), tmp_path, seeds=1, most=6)
    assert found.pop("done_before_the_last_run") < 120
    assert found.pop("amid_the_run") == 2
    assert found == {
        "kills": 2,
        "cells": 120,  # 2 classes, 12 weightings, 5 learners
        "done": 120,
        "lost": 0,
        "done_again": 0,
        "kills_with_processes_left": 0,
        "end": "finished",
        "met": True,
    }

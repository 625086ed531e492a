"""The study of what averaging training runs does: against the estimator that averages, and its file."""

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.evaluation import evaluate
from ltw_core.studies import members
from ltw_core.tasks import vectorize
from ltw_core.weighting import LearnedWeighting

TINY = dict(hidden=8, max_steps=60, check_every=20, batch_size=32)


@pytest.fixture(scope="module")
def task():
    return vectorize(load("synthetic", documents=160)).task("relevant")


@pytest.fixture(scope="module")
def scores(task):
    return {score.way: score for score in members.scores_of(task, 2, **TINY)}


def test_the_mean_is_that_of_the_estimator_and_single_runs_are_those_of_its_members(task, scores):
    mean = LearnedWeighting(n_members=2, **TINY)
    found = evaluate(task, mean)
    assert scores["mean of 2"][4:9] == (found.f1, found.tp, found.fp, found.fn, found.tn)
    each = [evaluate(task, LearnedWeighting(random_state=seed, **TINY)).f1 for seed in (0, 1)]
    assert scores["one"].f1 == pytest.approx(np.mean(each)) and scores["one"].runs == 2


def test_runs_that_begin_alike_in_all_are_one(task):
    same = members._trained(task, 3, 3, TINY).cd
    np.testing.assert_array_equal(same, members._trained(task, 3, 3, TINY).cd)
    assert not np.array_equal(same, members._trained(task, 4, 3, TINY).cd)  # another surface to begin with
    assert not np.array_equal(same, members._trained(task, 3, 4, TINY).cd)  # another classifier and batches


def test_every_way_is_told_and_a_file_is_read_as_it_was_written(scores, tmp_path, monkeypatch):
    told = {way.replace("of 5", "of 2") for way in members.WAYS}
    assert set(scores) == told
    assert all(score.alike == pytest.approx(1, abs=1) for score in scores.values())
    monkeypatch.setattr(members, "scores_of", lambda task: iter(scores.values()))
    file = tmp_path / "members.csv"
    for _ in range(2):  # the second time nothing is left to do
        assert members.main(["--dataset", "synthetic", "--classes", "relevant", "--to", str(file)]) == 0
    again = members.read(file)
    assert len(again) == len(scores) and again[0].way == "one"
    assert again[0].f1 == pytest.approx(scores["one"].f1, abs=1e-3)

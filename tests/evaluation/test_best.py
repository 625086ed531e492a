"""What is best: not distinguishable from the highest F1; paired where decisions are known."""

import dataclasses

import numpy as np
import pytest

from ltw_core.evaluation import behind_best, compared, difference, evaluate
from ltw_core.evaluation.paired import APART, PAIRED


@pytest.fixture(scope="module")
def results(task_maker):
    task = task_maker()
    return task, {name: [evaluate(task, name, "MNB")] for name in ("TFRF", "LogTFIDF", "TF")}


def test_results_know_what_was_predicted_and_are_paired_by_it(results):
    task, found = results
    one, other = found["TFRF"][0], found["TF"][0]
    masks = []
    for result in (one, other):
        mask = np.isin(np.arange(task.y_test.size), result.predicted)
        assert (mask & task.y_test).sum() == result.tp and (mask & ~task.y_test).sum() == result.fp
        masks.append(mask)
    paired = compared([one], [other], task.y_test)
    assert paired.rests_on == PAIRED and paired == difference(*masks, task.y_test)
    assert compared([one], [other]).rests_on == APART


def test_of_other_documents_or_without_decisions_counts_alone_are_compared(results):
    task, found = results
    one, other = found["TFRF"][0], found["TF"][0]
    forgotten = dataclasses.replace(one, predicted=None)
    for first, y in ((forgotten, task.y_test), (one, ~task.y_test), (one, task.y_test[:-1])):
        assert compared([first], [other], y).rests_on == APART


def test_the_best_comes_first_and_lies_behind_nobody(results):
    task, found = results
    behind = behind_best(found, task.y_test)
    scores = [found[name][0].f1 for name in behind]
    assert scores == sorted(scores, reverse=True) and set(behind) == set(found)
    first = next(iter(behind.values()))
    assert (first.value, first.sign) == (0, 0) and all(d.value >= 0 for d in behind.values())
    bad = dataclasses.replace(found["TF"][0], tp=0, fn=40, predicted=np.zeros(0, dtype=int), fp=0, tn=120)
    assert behind_best(found | {"bad": [bad]}, task.y_test)["bad"].sign == 1
    assert behind_best({}) == {}

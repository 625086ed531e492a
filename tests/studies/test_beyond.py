"""Beyond the paper: who is compared with whom, over which classes, and what is left out."""

import numpy as np
import pytest

from ltw_core.studies.averages import averaged_cells
from ltw_core.studies.beyond import beyond, by_members
from ltw_core.studies.members import MemberScore
from ltw_core.weighting.methods import RF_BEFORE

CLASSES = [f"c{k}" for k in range(12)]


@pytest.fixture
def rows(store, fill, made):
    """The mean of five is right about two more of 70 documents than TFRF in each class, LTW-RF about as many; LTW-U
    lacks a class, LTW-G-I is the paper's, and RF as it was run for some days a fault."""
    rng, plan = np.random.default_rng(0), {}
    for k, name in enumerate(CLASSES):
        tp = int(rng.integers(20, 60))
        right = {"TFRF": tp, "LTW-L-I x5": tp + 2, "LTW-RF": tp + (1 if k % 2 else -1), "LTW-G-I": tp - 9}
        right |= {RF_BEFORE: tp + 3} | ({"LTW-U": tp} if k else {})
        for weighting, found in right.items():
            plan[made.cell(class_name=name, weighting=weighting)] = (found, 5, 70 - found, 900)
    fill(plan)
    found = beyond(averaged_cells(store))
    assert len(found) == 1
    return {row.weighting: row for row in next(iter(found.values()))}


def test_who_is_compared_with_whom(rows):
    assert next(iter(rows)) == "LTW-L-I x5" and set(rows) == {"TFRF", "LTW-L-I x5", "LTW-RF"}
    assert rows["TFRF"].less is None and not rows["TFRF"].beyond and rows["LTW-RF"].beyond
    five = rows["LTW-L-I x5"]
    assert (five.less.sign, five.less.n, five.less.first_right, five.less.second_right) == (1, 12, 12, 0)
    assert five.less.value == pytest.approx(five.macro_f1 - rows["TFRF"].macro_f1)
    assert five.more is None  # LTW-L-I itself is not here
    assert rows["LTW-RF"].less.sign == 0 and rows["LTW-RF"].interval.low < rows["LTW-RF"].macro_f1


def test_without_any_beyond_the_paper_there_is_nothing(store, fill, made):
    fill({made.cell(class_name="a", weighting="TFRF"): (3, 1, 1, 9)})
    assert beyond(averaged_cells(store)) == {}


def test_ways_of_averaging_are_compared_over_the_classes_that_all_have():
    score = lambda name, way, f1: MemberScore("reuters21578", name, way, 5, f1, 1, 0, 0, 1, 0.5)  # noqa: E731
    scores = [score(name, "one", f1) for name, f1 in (("a", 0.5), ("b", 0.7), ("only here", 0.9))]
    scores += [score(name, "mean of 5", f1) for name, f1 in (("a", 0.6), ("b", 0.8))]
    one, five = by_members(scores)["reuters21578"]
    assert (one.classes, one.macro_f1, one.less) == (2, pytest.approx(0.6), None)
    assert five.less.value == pytest.approx(0.1) and five.less.n == 2 and five.alike == 0.5

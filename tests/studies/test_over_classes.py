"""Averages over classes: their intervals, paired differences, and which of a column are best."""

import numpy as np
import pytest

from ltw_core.evaluation import difference_of_pooled
from ltw_core.metrics import f1
from ltw_core.studies.averages import MEASURES, averaged_cells
from ltw_core.studies.over_classes import compared_pairs, difference, interval
from ltw_core.studies.tables import table

CLASSES = [f"c{k}" for k in range(12)]


@pytest.fixture
def found(store, fill, made):
    """TFRF a little better than TF in nearly every class, LogTF much worse in all, LTW-L-I of two seeds like TFRF."""
    rng, plan = np.random.default_rng(0), {}
    for k, name in enumerate(CLASSES):
        tp = int(rng.integers(20, 60))
        cells = {("TFRF", 0): tp, ("TF", 0): tp - 3 + 4 * (k == 5), ("LogTF", 0): tp // 3}
        cells |= {("LTW-L-I", 0): tp + k % 2, ("LTW-L-I", 1): tp - k % 2}
        for (weighting, seed), right in cells.items():
            plan[made.cell(class_name=name, weighting=weighting, seed=seed)] = (right, 5, 70 - right, 900)
    fill(plan)
    return {f.weighting: f for f in averaged_cells(store)}


def test_scores_of_classes_are_means_over_seeds(found):
    assert set(found["TFRF"].by_class) == set(CLASSES)
    one = found["LTW-L-I"].by_class["c1"]
    other = found["TFRF"].by_class["c1"]
    assert (one.tp, one.fp, one.fn) == (other.tp, other.fp, other.fn)
    values = [score.f1 for score in found["LTW-L-I"].by_class.values()]
    assert np.mean(values) == pytest.approx(found["LTW-L-I"].value("macro_f1"))


@pytest.mark.parametrize("measure", MEASURES)
def test_differences_and_intervals_fit_the_averages(found, measure):
    one, other = found["TFRF"], found["TF"]
    less = difference(one, other, measure)
    assert less.value == pytest.approx(one.value(measure) - other.value(measure)) and less.sign == 1 and less.n == 12
    around = interval(one, measure)
    assert around.low < one.value(measure) < around.high
    assert less.both.width < around.width  # pairing takes out what makes classes hard
    assert difference(one, found["LTW-L-I"], measure).sign == 0


def test_pairs_are_compared_where_both_are(found):
    several = list(found.values())
    (pair,) = compared_pairs(several, (("TFRF", "TF"), ("TFRF", "TFCHI")))
    assert (pair.one, pair.other) == (found["TFRF"], found["TF"])
    assert pair.difference == difference(found["TFRF"], found["TF"], "macro_f1")


def test_the_best_of_a_column_are_those_not_distinguishable_from_it(found):
    shown = table(list(found.values()), "macro_f1")
    (column,) = shown.columns
    assert shown.alike(column) == {"TFRF", "LTW-L-I"} and shown.best(column) <= shown.alike(column)


def test_pooled_counts_by_hand():
    one, other = [[8, 2, 2], [1, 0, 9]], [[8, 2, 2], [9, 0, 1]]
    less = difference_of_pooled(one, other)
    assert less.value == pytest.approx(f1(9, 2, 11) - f1(17, 2, 3))
    assert (less.first_right, less.second_right) == (0, 1)
    assert less.documents.high == pytest.approx(0)  # the first class twice: no difference
    assert less.documents.low == pytest.approx(f1(2, 0, 18) - f1(18, 0, 2))
    with pytest.raises(ValueError, match="tp, fp, fn a class"):
        difference_of_pooled([[1, 2]], [[1, 2]])

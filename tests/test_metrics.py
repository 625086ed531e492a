import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

from ltw_core.metrics import Counts, contingency, decimals, f1, precision, recall, signed


def test_against_scikit_learn():
    y_true, y_pred = [1, 1, 1, 0, 0, 0, 0, 1], [1, 0, 1, 1, 0, 0, 0, 0]
    counts = contingency(y_true, y_pred)
    assert counts == (2, 1, 2, 3)
    assert f1(*counts[:3]) == pytest.approx(f1_score(y_true, y_pred))
    assert precision(*counts[:3]) == pytest.approx(precision_score(y_true, y_pred))
    assert recall(*counts[:3]) == pytest.approx(recall_score(y_true, y_pred))


def test_whatever_is_not_zero_is_of_the_class():
    counts = contingency([2.0, 0.0, 2.0, 0.0, 0.0], [3.0, 3.0, 0.0, 0.0, 0.0])
    assert counts == (1, 1, 1, 2)
    assert {type(count) for count in counts} == {int}


@pytest.mark.parametrize(
    ("tp", "fp", "fn", "f", "p", "r"),
    [
        # counts that cancel in a sum with a wrong sign
        (1, 1, 1, 1 / 2, 1 / 2, 1 / 2),
        (2, 2, 0, 2 / 3, 1 / 2, 1),
        (2, 0, 2, 2 / 3, 1, 1 / 2),
        (0, 2, 2, 0, 0, 0),
        (1, 2, 1, 2 / 5, 1 / 3, 1 / 2),
        (1, 1, 2, 2 / 5, 1 / 2, 1 / 3),
        (0, 1, 0, 0, 0, 0),
        (0, 0, 1, 0, 0, 0),
        (1, 0, 0, 1, 1, 1),
    ],
)
def test_by_hand(tp, fp, fn, f, p, r):
    found = (f1(tp, fp, fn), precision(tp, fp, fn), recall(tp, fp, fn))
    assert found == pytest.approx((f, p, r))
    assert {type(value) for value in found} == {float}
    counts = Counts(tp, fp, fn, 7)
    assert (counts.f1, counts.precision, counts.recall) == found


def test_nothing_to_find():
    assert (f1(0, 0, 0), precision(0, 0, 0), recall(0, 0, 0)) == (1, 1, 1)
    assert (f1(0, 3, 0), precision(0, 3, 0), recall(0, 3, 0)) == (0, 0, 0)
    assert (f1(0, 0, 3), precision(0, 0, 3), recall(0, 0, 3)) == (0, 0, 0)


def test_shapes_must_agree():
    with pytest.raises(ValueError, match=r"^y_true has shape \(2,\) and y_pred \(3,\); they must be equal$"):
        contingency([0, 1], [0, 1, 1])


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (0, 3, ".000"),
        (0.9264, 3, ".926"),
        (0.9996, 3, "1.000"),
        (1, 3, "1.000"),
        (10.26, 1, "10.3"),
        (-0.04, 2, "−.04"),
        (-1.5, 2, "−1.50"),
        (-0.0004, 3, ".000"),  # what is shown is no loss
        (-0.0006, 3, "−.001"),
    ],
)
def test_how_a_share_is_written(value, digits, text):
    assert decimals(value, digits) == text
    assert decimals(value) == decimals(value, 3)


def test_how_a_difference_is_written():
    assert [signed(value) for value in (0.04, 0, -0.04, 1)] == ["+.040", "+.000", "−.040", "+1.000"]
    assert signed(0.126, 2) == "+.13"

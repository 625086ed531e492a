import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

from ltw_core.metrics import contingency, f1, precision, recall


def test_against_scikit_learn():
    y_true, y_pred = [1, 1, 1, 0, 0, 0, 0, 1], [1, 0, 1, 1, 0, 0, 0, 0]
    counts = contingency(y_true, y_pred)
    assert counts == (2, 1, 2, 3)
    assert f1(*counts[:3]) == pytest.approx(f1_score(y_true, y_pred))
    assert precision(*counts[:3]) == pytest.approx(precision_score(y_true, y_pred))
    assert recall(*counts[:3]) == pytest.approx(recall_score(y_true, y_pred))


def test_nothing_to_find():
    assert (f1(0, 0, 0), precision(0, 0, 0), recall(0, 0, 0)) == (1, 1, 1)
    assert (f1(0, 3, 0), precision(0, 3, 0), recall(0, 3, 0)) == (0, 0, 0)
    assert (f1(0, 0, 3), precision(0, 0, 3), recall(0, 0, 3)) == (0, 0, 0)


def test_shapes_must_agree():
    with pytest.raises(ValueError, match=r"shape \(2,\) and y_pred \(3,\)"):
        contingency([0, 1], [0, 1, 1])

from types import SimpleNamespace

import pytest

from ltw_core.evaluation import macro_f1, micro_f1, with_test_positives

# a frequent class done well, a rare one done badly, and one without test positives where nothing was predicted
CLASSES = [
    SimpleNamespace(tp=80, fp=10, fn=30),
    SimpleNamespace(tp=1, fp=2, fn=5),
    SimpleNamespace(tp=0, fp=0, fn=0),
]


def test_macro_is_the_mean_of_the_classes():
    assert macro_f1(CLASSES) == pytest.approx((160 / 200 + 2 / 9 + 1) / 3)


def test_micro_pools_the_counts():
    assert micro_f1(CLASSES) == pytest.approx(2 * 81 / (2 * 81 + 12 + 35))


def test_macro_over_classes_with_test_positives():
    assert macro_f1(with_test_positives(CLASSES)) == pytest.approx((160 / 200 + 2 / 9) / 2)


@pytest.mark.parametrize("average", [macro_f1, micro_f1])
def test_no_classes_have_no_average(average):
    with pytest.raises(ValueError, match="no classes"):
        average([])

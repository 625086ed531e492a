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
    half = SimpleNamespace(tp=2, fp=0, fn=2)  # as many found as missed
    none = SimpleNamespace(tp=0, fp=3, fn=0)
    assert with_test_positives([half, none]) == [half]


def test_classes_without_test_documents_count_as_asked():
    wrong = SimpleNamespace(tp=0, fp=3, fn=0)
    some = [CLASSES[0], CLASSES[2], wrong]  # F1 .8, 1 and 0
    for untested, by_hand in (("predicted", 1.8 / 3), ("one", 2.8 / 3), ("left_out", 0.8)):
        assert macro_f1(some, untested) == pytest.approx(by_hand)
    half = SimpleNamespace(tp=2, fp=0, fn=2)  # as many found as missed: it has test documents
    assert macro_f1([half, half], "one") == macro_f1([half, half], "left_out") == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match=r"^There are no classes with test documents to average over$"):
        macro_f1([wrong], "left_out")
    for wrong in ("zero", "z" * 50, 12):
        told = rf"^untested is '{str(wrong)[:40]}'; it must be one of predicted, one, left_out$"
        with pytest.raises(ValueError, match=told):
            macro_f1(some, wrong)


@pytest.mark.parametrize("average", [macro_f1, micro_f1])
def test_no_classes_have_no_average(average):
    with pytest.raises(ValueError, match=r"^There are no classes to average over$"):
        average([])

import numpy as np
import pytest

from ltw_core.insight import sharing

# terms 0 and 1 share a place, and so do 2 and 3; term 4 is alone
TP, FP = [1, 1, 2, 2, 3], [0, 0, 5, 5, 5]


def test_a_function_of_the_place_varies_only_between_places():
    found = sharing([1.0, 1.0, 2.0, 2.0, 7.0], TP, FP)
    assert found == (3, 4, 0.0)


def test_weights_that_differ_within_places_only():
    # every place has the mean 1: all of the variance is within
    assert sharing([0.0, 2.0, 0.5, 1.5, 1.0], TP, FP).within == pytest.approx(1)


def test_half_and_half():
    # place means -1 and 1 (2 terms each): between 4; within each pair ±1: 4 as well
    assert sharing([-2.0, 0.0, 0.0, 2.0], TP[:4], FP[:4]).within == pytest.approx(0.5)


def test_no_variation_and_no_terms():
    assert sharing(np.ones(5), TP, FP).within == 0
    assert sharing([], [], []) == (0, 0, 0.0)
    with pytest.raises(ValueError, match="places"):
        sharing([1.0], TP, FP)

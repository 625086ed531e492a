import numpy as np
import pytest

from ltw_core.tasks import validation_mask


def test_last_fifth_of_positives_and_of_negatives_in_order():
    #            +  -  +  -  +  -  +  -  +  -  -  -  -  -  -
    y = np.array([1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0], dtype=bool)
    mask = validation_mask(y)
    assert np.flatnonzero(mask & y).tolist() == [8]  # 5 positives: 4 train
    assert np.flatnonzero(mask & ~y).tolist() == [13, 14]  # 10 negatives: 8 train


@pytest.mark.parametrize(("positives", "validating"), [(0, 0), (1, 0), (4, 0), (5, 1), (9, 1), (10, 2), (11, 2)])
def test_up_to_four_positives_all_train(positives, validating):
    y = np.r_[np.ones(positives, bool), np.zeros(10, bool)]
    assert validation_mask(y)[y].sum() == validating


def test_rounding_is_not_fooled_by_floats():
    y = np.ones(10, bool)  # (1 - .3) · 10 is 7.000000000000001 in floats, whose ceiling is 8
    assert validation_mask(y, 0.3).sum() == 3


@pytest.mark.parametrize("fraction", [0, 1, -0.1, 2])
def test_fraction_is_checked(fraction):
    with pytest.raises(ValueError, match="must lie between 0 and 1"):
        validation_mask([1, 0], fraction)

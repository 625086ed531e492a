from collections import Counter

import numpy as np
import pytest
from scipy import sparse

from ltw_core.tasks import validation_mask
from ltw_core.tasks.split import stratified_sample, validation_mask_of_all


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


@pytest.mark.parametrize(("excess", "validating"), [(4e-10, 3), (4e-9, 2)])
def test_a_billionth_of_a_document_is_the_limit_of_rounding(excess, validating):
    assert validation_mask(np.ones(10, bool), 0.3 - excess / 10).sum() == validating  # 7 + excess train


@pytest.mark.parametrize("convert", [list, tuple, np.int8, np.uint8, np.float32, lambda y: 2 * y])
def test_labels_may_be_numbers(convert):
    y = np.arange(20) % 2
    mask = validation_mask(convert(y))
    assert mask.dtype == bool and np.flatnonzero(mask).tolist() == [16, 17, 18, 19]


@pytest.mark.parametrize("fraction", [0, 1, -0.1, 2])
def test_fraction_is_checked(fraction):
    with pytest.raises(ValueError, match=f"^fraction is {fraction}; it must lie between 0 and 1, both excluded$"):
        validation_mask([1, 0], fraction)


def test_a_sample_keeps_the_share_of_each_stratum_and_leaves_none_out():
    strata = np.repeat([0, 1, 2], [900, 95, 5])
    rows = stratified_sample(strata, 100)
    assert np.bincount(strata[rows]).tolist() == [90, 10, 1]  # of .5 there must be one
    assert np.all(np.diff(rows) > 0)
    for same in (strata.tolist(), strata * 3 - 1):
        assert stratified_sample(same, 100, 0).tolist() == rows.tolist()
    assert stratified_sample(strata, 100, seed=1).tolist() != rows.tolist()
    assert np.bincount(stratified_sample(strata > 0, 998), minlength=1000).max() == 1  # without replacement
    assert stratified_sample(strata, 999).size == 999
    for size in (1000, 1001):
        assert stratified_sample(strata.tolist(), size).tolist() == list(range(1000))


def test_of_all_classes_the_rarest_of_a_document_decides_and_none_is_a_group_of_its_own():
    """Ten documents: a class of five, one of two within it, and five without one; of each the last fifth validates."""
    labels = np.zeros((10, 2), dtype=int)
    labels[:5, 0], labels[3:5, 1] = 1, 1
    for given in (labels, sparse.csr_array(labels), sparse.coo_array(labels == 1), labels.tolist()):
        for fraction, expected in ((0.2, [9]), (0.4, [2, 8, 9]), (0.5, [2, 4, 8, 9])):
            mask = validation_mask_of_all(given, fraction)
            assert mask.dtype == bool and mask.shape == (10,) and np.flatnonzero(mask).tolist() == expected
    assert validation_mask_of_all(labels).tolist() == validation_mask_of_all(labels, 0.2).tolist()
    equal = np.ones((5, 2))  # of classes of one size too each document is of one group
    assert np.flatnonzero(validation_mask_of_all(equal)).tolist() == [4]


def test_of_classes_of_one_size_the_last_decides():
    """Document i of 40 has the classes i and i + 1; every other pair of classes has a document more of its own."""
    labels = np.zeros((60, 40), dtype=bool)
    for i in range(40):
        labels[i, [i, (i + 1) % 40]] = True
    large = [j for j in range(40) if j // 2 % 2]
    labels[40 + np.arange(20), large] = True
    sizes = labels.sum(axis=0)
    decides = [max(np.flatnonzero(row), key=lambda j: (-sizes[j], j)) for row in labels]
    seen, expected = Counter(), []
    for j in decides:
        seen[j] += 1
        expected.append(seen[j] > np.ceil(decides.count(j) / 2))
    assert validation_mask_of_all(labels, 0.5).tolist() == expected and 5 < sum(expected) < 30

import numpy as np
import pytest

from ltw_core.insight import near, occupied, smallest_rate, support


def test_occupied_is_from_the_least_to_the_quantile():
    assert occupied(np.arange(101) / 100, 0.9) == pytest.approx((0, 0.9))
    assert occupied([]) == (0, 1)
    with pytest.raises(ValueError, match="quantile"):
        occupied([1], 0)


def test_support_is_one_at_a_term_and_nothing_far_away():
    grid = np.linspace(0, 1, 11)
    mask = support([0.2], [0.7], grid, grid, bandwidth=0.05)
    assert mask.shape == (11, 11)
    assert mask[7, 2] == pytest.approx(1)  # row is y, column is x
    assert mask[0, 10] < 1e-6
    assert mask.max() <= 1


def test_support_depends_on_the_fraction_of_the_axis_not_on_its_unit():
    grid = np.linspace(0, 1, 11)
    narrow = support([0.3], [0.3], grid, grid)
    wide = support([30], [30], grid * 100, grid * 100)
    np.testing.assert_allclose(narrow, wide)


def test_half_a_document():
    assert smallest_rate(200) == 0.0025
    assert smallest_rate(0) == 0.5


def test_near_is_within_a_distance_of_the_nearest_term():
    """One term in the middle of a square of ten by one: the distance is a share of each axis."""
    grid_x, grid_y = np.linspace(0, 10, 11), np.linspace(0, 1, 11)
    found = near([5.0], [0.5], grid_x, grid_y, distance=0.11)
    assert found.sum() == 5  # the term's own point and its four neighbours
    assert found[5, 5] and found[4, 5] and found[5, 6] and not found[6, 6]
    many = near(np.full(100, 5.0), np.full(100, 0.5), grid_x, grid_y, distance=0.11)
    np.testing.assert_array_equal(many, found)  # a crowd reaches no further than one term
    assert not near([], [], grid_x, grid_y).any()

import numpy as np
import pytest

from ltw_core.insight import difference

RATES = np.linspace(0, 1, 5)


def test_proportional_functions_differ_by_nothing():
    found = difference(RATES, 4 * RATES)
    np.testing.assert_allclose(found.surface, 0)
    assert found.factor == 0.25 and found.share == 0 and found.weights is None


def test_the_factor_is_fitted_at_the_terms_by_their_frequency():
    found = difference(RATES, np.ones(5), [1.0, 3.0], [1.0, 1.0], [3, 1])
    assert found.factor == pytest.approx(1.5)
    np.testing.assert_allclose(found.surface, RATES - 1.5)
    np.testing.assert_allclose(found.weights, [-0.5, 1.5])
    assert found.share == pytest.approx((3 * 0.25 + 2.25) / (3 + 9))


def test_nothing_to_subtract_and_other_shapes():
    assert difference(RATES, 0 * RATES)[2:] == (0, 1) and difference(0 * RATES, RATES)[2:] == (0, 0)
    with pytest.raises(ValueError, match=r"^the two functions have shapes \(5,\) and \(3,\); they must be equal$"):
        difference(RATES, RATES[:3])


def test_whatever_numbers_they_are_is_the_same():
    """Lists of whole numbers on a square; without terms of both it is fitted there, and each point counts the same."""
    first, second = [[1, 2], [3, 4]], [[1, 1], [1, 1]]
    for terms in ((), ([], []), ([1, 3], None), (None, [1, 3]), (None, None, [5, 1])):
        found = difference(first, second, *terms)
        assert found.surface.tolist() == [[-1.5, -0.5], [0.5, 1.5]] and found.weights is None
        assert (found.factor, found.share) == (2.5, 5 / 30) and type(found.factor) is type(found.share) is float
    found = difference(first, second, [1, 3], [1, 1])
    assert (found.factor, found.weights.tolist(), found.share) == (2, [-1, 1], 0.2)

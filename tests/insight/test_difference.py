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
    assert difference(RATES, 0 * RATES).factor == 0 and difference(0 * RATES, RATES).share == 0
    with pytest.raises(ValueError, match="must be equal"):
        difference(RATES, RATES[:3])

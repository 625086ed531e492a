import numpy as np
import pytest

from ltw_core.insight import saturation


@pytest.mark.parametrize(
    ("cd", "expected"),
    [
        ([0.5, 0.2, 0.9], (0.0, 1)),
        ([0.9999, 0.99995, 0.5, 0.0001], (0.5, 1)),
        ([0.0001, 0.0, 0.0002, 1.0], (0.75, 0)),
        ([], (0.0, 1)),
        ([0, 1], (0.5, 1)),  # of as many at both ends
        ([0.001, 0.999, 0.5], (0.0, 1)),  # at the limit itself none is
        ([0.0009, 0.5, 0.5, 0.5], (0.25, 0)),
    ],
)
def test_constructed_weights(cd, expected):
    assert saturation(cd) == expected and type(saturation(cd).share) is float
    assert saturation(cd, near=1e-3) == expected and saturation([0.04, 0.5], 0.05) == (0.5, 0)


def test_slope_where_it_counts_as_saturated():
    x = np.linspace(-20, 20, 10_001)
    cd = 1 / (1 + np.exp(-x))
    slope = cd * (1 - cd)
    flat = [saturation([value]).share == 1 for value in cd]
    assert slope[flat].max() < 1e-3 < slope[np.logical_not(flat)].min() * 1.01

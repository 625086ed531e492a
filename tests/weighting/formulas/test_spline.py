"""Heights on a 5 × 5 grid as a cd function."""

import numpy as np
import pytest
from sklearn.base import clone

from ltw_core.weighting import TermWeighting, spline
from ltw_core.weighting.formulas.spline import KNOTS

HEIGHTS = np.random.default_rng(0).normal(size=(5, 5))


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_it_runs_through_its_heights(scale):
    knots = np.array(KNOTS[scale])
    np.testing.assert_allclose(spline(HEIGHTS, scale)(knots[:, None], knots, 0.1, 100), HEIGHTS, atol=1e-9)


def test_a_flat_grid_is_flat_and_a_plane_stays_a_plane():
    rates = np.linspace(0, 1, 37)
    np.testing.assert_allclose(spline(np.full((5, 5), 2.5))(rates[:, None], rates, 0.1, 100), 2.5)
    plane = np.subtract.outer(KNOTS["linear"], KNOTS["linear"])
    surface = spline(plane, "linear")(rates[:, None], rates, 0.1, 100)
    np.testing.assert_allclose(surface, np.subtract.outer(rates, rates), atol=1e-12)


def test_it_stays_between_the_lowest_and_the_highest_height():
    rates = np.linspace(0, 1, 60)
    for seed in range(5):
        heights = np.random.default_rng(seed).integers(0, 2, (5, 5))
        surface = spline(heights)(rates[:, None], rates, 0.1, 100)
        assert surface.min() >= heights.min() and surface.max() <= heights.max()


def test_rows_run_along_tpr():
    rising = spline(np.repeat(np.arange(5.0)[:, None], 5, axis=1))
    assert rising(1.0, 0.0, 0.1, 100) == pytest.approx(4) and rising(0.0, 1.0, 0.1, 100) == pytest.approx(0)


def test_it_is_a_weighting_like_any_other():
    X, y = np.array([[1, 0, 2], [1, 1, 0], [0, 1, 1], [0, 2, 1]]), [1, 1, 0, 0]
    weighting = clone(TermWeighting(cd=spline(HEIGHTS))).fit(X, y)
    np.testing.assert_allclose(weighting.cd_, spline(HEIGHTS)(np.array([1, 0.5, 0.5]), np.array([0, 1, 1]), 0.5, 4))
    assert spline(HEIGHTS) == spline(HEIGHTS.tolist()) and spline(HEIGHTS).signed and not spline(abs(HEIGHTS)).signed


@pytest.mark.parametrize(
    ("heights", "scale", "sentence"),
    [
        (np.ones((4, 5)), "log", r"shape \(4, 5\); they must be 5 rows of 5"),
        ([[1] * 5] * 4 + [[1] * 4], "log", "5 rows of 5 numbers"),
        ([["a"] * 5] * 5, "log", "5 rows of 5 numbers"),
        (np.where(np.eye(5), np.nan, 1), "log", "row 1, column 1 is nan"),
        (np.where(np.eye(5), 1e7, 1), "log", "at most 1,000,000"),
        (np.ones((5, 5)), "cubic", "scale is 'cubic'; it must be one of log, linear"),
    ],
)
def test_bad_heights_are_a_sentence(heights, scale, sentence):
    with pytest.raises(ValueError, match=sentence):
        spline(heights, scale)

"""Heights on a grid as a cd function: 29 × 29, and the 5 × 5 of earlier versions."""

import numpy as np
import pytest
from sklearn.base import clone

from ltw_core.weighting import CD, TermWeighting, cd_function, spline
from ltw_core.weighting.formulas.spline import FINE, KNOTS, LEVELS, knots, sampled

HEIGHTS = np.random.default_rng(0).normal(size=(5, 5))
SCULPTED = np.random.default_rng(1).integers(-LEVELS, LEVELS + 1, (FINE, FINE)) / LEVELS
SCULPTED[3, 4] = 1  # what the others are multiples of


@pytest.mark.parametrize("scale", ["log", "linear"])
@pytest.mark.parametrize("heights", [HEIGHTS, SCULPTED], ids=["5", "29"])
def test_it_runs_through_its_heights(scale, heights):
    at = knots(scale, len(heights))
    np.testing.assert_allclose(spline(heights, scale)(at[:, None], at, 0.1, 100), heights, atol=1e-9)


def test_knots_of_a_sculpted_surface_are_seven_a_decade_where_terms_are_rare():
    at = knots("log")
    assert at[0] == 0 and at[-1] == 1 and len(at) == FINE
    assert ((at > 1e-3) & (at < 1e-2)).sum() in (6, 7) and ((at > 1e-2) & (at < 0.1)).sum() in (6, 7)
    assert np.allclose(knots("linear"), np.linspace(0, 1, 29))


@pytest.mark.parametrize("top", [1.0, 0.1234567, 123_456.7])
def test_the_name_of_a_sculpted_surface_holds_all_of_it(top):
    function = spline(SCULPTED * top, "linear")
    again = cd_function(function.name)
    assert len(function.name) < 2_000 and again == function and again.compute.rows == function.compute.rows
    np.testing.assert_allclose(function.compute.rows, SCULPTED * top, rtol=0, atol=top * 1e-5)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("sculpted(log, 1.0, AAAA)", "does not hold 29 × 29 heights"),
        ("sculpted(log, 1.0, é)", "does not hold 29 × 29 heights"),
        ("sculpted(log, x, " + "A" * 1684 + ")", "has no number from 0 to 1,000,000"),
        ("sculpted(log, nan, " + "A" * 1684 + ")", "has no number from 0 to 1,000,000"),
        ("sculpted(cubic, 1.0, " + "A" * 1684 + ")", "scale is 'cubic'"),
    ],
)
def test_a_name_that_holds_no_surface_is_a_sentence(name, sentence):
    with pytest.raises(ValueError, match=sentence):
        cd_function(name)


def test_a_formula_taken_to_the_board_weighs_terms_as_before():
    """RF at 40 terms of a class: what is cut lies above the highest of them."""
    tpr, fpr = np.random.default_rng(0).beta(0.4, 4, (2, 40))
    of = lambda a, b: CD["RF"].at_rates(a, b, 0.05, 2_000)  # noqa: E731
    top = of(tpr, fpr).max()
    heights = sampled(of, "log", top)
    assert heights.max() == 1 and heights.min() > 0
    found = spline(heights)(tpr, fpr, 0.05, 2_000)
    cosine = found @ of(tpr, fpr) / np.linalg.norm(found) / np.linalg.norm(of(tpr, fpr))
    assert cosine > 0.998 and found[of(tpr, fpr).argmax()] == pytest.approx(1, abs=0.1)
    plane = sampled(lambda a, b: 3 * (a - b), "linear")
    np.testing.assert_allclose(plane, np.subtract.outer(knots("linear"), knots("linear")), atol=1e-12)


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
        (np.ones((4, 5)), "log", r"shape \(4, 5\); they must be 29 rows of 29 numbers, or 5 rows of 5"),
        ([[1] * 5] * 4 + [[1] * 4], "log", "or 5 rows of 5"),
        ([["a"] * 5] * 5, "log", "or 5 rows of 5"),
        (np.where(np.eye(5), np.nan, 1), "log", "row 1, column 1 is nan"),
        (np.where(np.eye(5), 1e7, 1), "log", "at most 1,000,000"),
        (np.ones((5, 5)), "cubic", "scale is 'cubic'; it must be one of log, linear"),
    ],
)
def test_bad_heights_are_a_sentence(heights, scale, sentence):
    with pytest.raises(ValueError, match=sentence):
        spline(heights, scale)

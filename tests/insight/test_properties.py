import numpy as np
import pytest

from ltw_core.insight import properties
from ltw_core.weighting import CD

RATES = np.linspace(0, 1, 41)
CHECKS = ("diagonal", "symmetric", "tpr", "fpr", "negative")


def holding(surface, mask=None, **options):
    found = properties(surface, RATES, RATES, mask, **options)
    assert tuple(p.key for p in found) == CHECKS
    return {p.key: p.holds for p in found}


def by_key(surface, mask=None, **options):
    return {p.key: p for p in properties(surface, RATES, RATES, mask, **options)}


def test_the_plane_tpr_minus_fpr():
    """Zero on the diagonal, rises and falls as it should, negative below; its mirror has the opposite sign."""
    assert holding(lambda t, f: t - f) == {
        "diagonal": True, "symmetric": False, "tpr": True, "fpr": True, "negative": True,
    }  # fmt: skip
    worst = by_key(lambda t, f: t - f)["symmetric"]
    assert worst.violation == pytest.approx(2)  # 1 in one corner and -1 in the other
    assert (worst.at, worst.other) in (((1.0, 0.0), (0.0, 1.0)), ((0.0, 1.0), (1.0, 0.0)))


def test_what_is_missed_is_no_share_of_the_largest_weight():
    """A peak hides nothing: χ² of a word in nearly every document of a class is far above all its other weights."""
    found = by_key(lambda t, f: np.where((t == 1) & (f == 0), 50, (t - f) ** 2))
    assert not any(found[key].holds for key in ("tpr", "fpr", "negative"))
    assert found["negative"].violation == pytest.approx(1)


def test_the_valley_squared():
    """(tpr - fpr)² is the shape of χ²: symmetric, and positive on both sides."""
    assert holding(lambda t, f: (t - f) ** 2) == {
        "diagonal": True, "symmetric": True, "tpr": False, "fpr": False, "negative": False,
    }  # fmt: skip
    found = by_key(lambda t, f: (t - f) ** 2)
    assert found["negative"].at == (0.0, 1.0) and found["negative"].value == pytest.approx(1)
    fall = found["tpr"]  # along fpr = 1 it falls from 1 at tpr = 0 to 0 at tpr = 1
    assert (fall.other, fall.other_value) == ((0.0, 1.0), pytest.approx(1))
    assert (fall.at, fall.value) == ((1.0, 1.0), pytest.approx(0))
    assert fall.violation == pytest.approx(1)


def test_the_formulas_are_as_they_are_known():
    at = lambda name: lambda t, f: CD[name](t, f, 0.05, 10_000)  # noqa: E731
    for name in ("CHI2", "IG", "GR"):
        found = holding(at(name))
        assert found["diagonal"] and found["symmetric"] and not found["tpr"] and not found["negative"], name
    assert not holding(at("RF"))["symmetric"]
    assert holding(at("RF"))["tpr"] and holding(at("RF"))["fpr"]
    assert not holding(at("RF"))["diagonal"]  # never below 1
    assert holding(at("GSS"))["negative"]


def test_a_dent_is_found_where_it_is():
    def dented(t, f):
        return t - 0.3 * ((np.abs(t - 0.5) < 0.01) & (np.abs(f - 0.25) < 0.01))

    found = by_key(dented)["tpr"]
    assert not found.holds
    assert found.at == pytest.approx((0.5, 0.25)) and found.other == pytest.approx((0.475, 0.25))
    assert found.violation == pytest.approx(0.475 - 0.2)
    assert found.share == pytest.approx(1 / 41**2)  # of all points only this one misses


def test_the_tolerance_decides():
    def bump(t, f):
        return t - f + 0.08 * (t == f)

    assert not by_key(bump, tolerance=0.05)["diagonal"].holds
    assert by_key(bump, tolerance=0.1)["diagonal"].holds
    assert by_key(bump)["diagonal"].violation == pytest.approx(0.08)


def test_only_points_that_count_are_checked():
    """Good where the terms are, bad elsewhere: the mask decides, and a gap in it is no step."""

    def surface(t, f):
        return np.where(t <= 0.5, t - f, -5.0)

    mask = np.broadcast_to(RATES[:, None] <= 0.5, (41, 41))
    assert holding(surface, mask)["tpr"] and holding(surface, mask)["diagonal"]
    assert not holding(surface)["tpr"] and not holding(surface)["diagonal"]
    gap = np.broadcast_to((RATES[:, None] < 0.31) | (RATES[:, None] > 0.7), (41, 41))
    jump = by_key(surface, gap)["tpr"]
    assert jump.other == pytest.approx((0.3, 0.0)) and jump.at[0] > 0.7
    assert jump.checked == gap.sum()


def test_nothing_to_check_is_neither_pass_nor_fail():
    mask = np.zeros((41, 41), dtype=bool)
    assert {p.holds for p in properties(lambda t, f: t, RATES, RATES, mask)} == {None}
    above = np.broadcast_to(RATES[:, None] > RATES[None, :] + 0.1, (41, 41))
    found = by_key(lambda t, f: t, above)
    assert found["negative"].holds is None and found["diagonal"].holds is None and found["tpr"].holds


def test_a_grid_of_uneven_rates_and_a_constant():
    rows, columns = np.array([0, 0, 0.01, 0.1, 0.9]), np.array([0, 0.001, 0.5])
    found = {p.key: p.holds for p in properties(lambda t, f: 1.0, rows, columns)}
    assert found == {"diagonal": False, "symmetric": True, "tpr": True, "fpr": True, "negative": False}
    assert {p.holds for p in properties(lambda t, f: 0 * t, rows, columns)} == {True}


def test_what_is_refused():
    with pytest.raises(ValueError, match="must not fall"):
        properties(lambda t, f: t, RATES[::-1], RATES)
    with pytest.raises(ValueError, match="mask has shape"):
        properties(lambda t, f: t, RATES, RATES, np.ones((2, 2)))
    with pytest.raises(ValueError, match="tolerance"):
        properties(lambda t, f: t, RATES, RATES, tolerance=-1)

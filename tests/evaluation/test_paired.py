"""Differences of two weightings: paired bootstrap against drawing documents, McNemar, classes, and the sentences."""

import time

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import f1_score

from ltw_core.evaluation import (
    difference,
    difference_of_counts,
    difference_of_pooled,
    difference_over_classes,
    in_documents,
    interval_over_classes,
    mcnemar,
    verdict,
    verdicts,
)
from ltw_core.evaluation.paired import APART, CLASSES, PAIRED, Difference, class_draws
from ltw_core.evaluation.uncertainty import Interval, mean_interval
from ltw_core.metrics import Counts, contingency, f1


def decided(y, missed, false):
    """Decisions that miss the first of the class and take the first of the others for it."""
    found = y.copy()
    found[np.flatnonzero(y)[:missed]] = False
    found[np.flatnonzero(~y)[:false]] = True
    return found


Y = np.arange(3_299) < 56  # as many as Reuters' corn


def test_it_is_the_paired_bootstrap_of_documents():
    rng = np.random.default_rng(3)
    y = np.arange(100) < 30
    one, other = (np.where(rng.random(100) < wrong, ~y, y) for wrong in (0.1, 0.25))
    found = difference(one, other, y)
    rows = np.hstack([rng.integers(0, 30, (3_000, 30)), rng.integers(30, 100, (3_000, 70))])
    tp = [(y[rows] & part[rows]).sum(axis=1) for part in (one, other)]
    wrong = [(y[rows] ^ part[rows]).sum(axis=1) for part in (one, other)]
    gains = 2 * tp[0] / (2 * tp[0] + wrong[0]) - 2 * tp[1] / (2 * tp[1] + wrong[1])
    np.testing.assert_allclose(found.documents, np.quantile(gains, [0.025, 0.975]), atol=0.03)
    assert found.value == pytest.approx(f1_score(y, one) - f1_score(y, other))
    first, second = int(((one == y) & (other != y)).sum()), int(((one != y) & (other == y)).sum())
    assert (found.first_right, found.second_right) == (first, second)
    assert found.p_value == pytest.approx(scipy.stats.binomtest(first, first + second).pvalue)
    turned = difference(other, one, y)
    assert turned.value == -found.value and turned.sign == -found.sign
    assert found.reversed.both == (-found.both.high, -found.both.low) and found.reversed.first_right == second


def test_one_document_decides_nothing():
    found = difference(decided(Y, 4, 4), decided(Y, 4, 5), Y)
    assert found.value == pytest.approx(0.008, abs=5e-4) and found.sign == 0
    assert (found.differing, found.p_value) == (1, 1.0)
    assert verdict("LTW-L-I", "TFRF", found, "corn") == (
        "LTW-L-I is not distinguishable from TFRF on corn (difference .000 to +.025; 56 test documents of the class)"
    )
    assert in_documents(found) == (
        "They differ on 1 test document; the first is right there; McNemar’s exact test: p = 1."
    )


def test_a_real_difference_is_found_and_has_a_sign():
    better, worse = decided(Y, 4, 4), decided(Y, 18, 4)
    found = difference(better, worse, Y)
    assert found.sign == 1 and found.p_value == pytest.approx(2 * 0.5**14)
    said = verdict("A", "B", found, "corn")
    assert said.startswith("A is better than B by .0") and " to .2" in said
    assert verdict("B", "A", found.reversed, "corn").startswith("B is worse than A by .0")
    several = {"B": found, "C": difference(better, decided(Y, 4, 5), Y), "D": found.reversed, "E": found}
    said = verdicts("A", several, "corn")
    assert said.startswith("A on corn (56 test documents of the class) is not distinguishable from C (.000 to +.025); ")
    assert "; better than B by" in said
    assert " and E by " in said and "; worse than D by " in said
    assert verdicts("A", {}) == ""


def test_pairing_narrows_and_counts_alone_are_told():
    one, other = decided(Y, 8, 6), decided(Y, 12, 6)
    paired = difference(one, other, Y)
    apart = difference_of_counts([contingency(Y, one)], [contingency(Y, other)])
    assert apart.value == pytest.approx(paired.value)
    assert apart.both.width > 1.3 * paired.both.width and paired.sign == 1 and apart.sign == 0
    assert verdict("A", "B", apart).endswith(
        "56 test documents of the class; only the counts of their decisions are known)"
    )
    assert "not known" in in_documents(apart) and apart.differing is None


def test_several_seeds_on_either_side():
    ones = [decided(Y, k, 4) for k in (4, 8, 6)]
    found = difference(ones, decided(Y, 12, 4), Y)
    single = difference(ones[2], decided(Y, 12, 4), Y)
    values = [f1_score(Y, one) for one in ones]
    assert found.value == pytest.approx(np.mean(values) - f1_score(Y, decided(Y, 12, 4)))
    half = scipy.stats.t.ppf(0.975, 2) * scipy.stats.sem(values)
    np.testing.assert_allclose(found.seeds, (found.value - half, found.value + half))
    assert found.p_value is None and found.n_seeds == 3 and found.first_right == pytest.approx(6)
    assert single.seeds is None and found.both.width > single.both.width
    counts = difference_of_counts([contingency(Y, one) for one in ones], [contingency(Y, decided(Y, 12, 4))])
    assert counts.value == pytest.approx(found.value) and counts.seeds == pytest.approx(found.seeds)
    assert "3 seeds" in verdict("A", "B", found) and "on average" in in_documents(found)


def test_alike_in_every_document():
    found = difference(Y, Y, Y)
    assert (found.value, found.sign, found.p_value) == (0, 0, 1.0)
    assert in_documents(found) == "They decide every test document alike."
    nobody = np.zeros(9, bool)
    assert difference(nobody, nobody, nobody).sign == 0


def test_over_classes_it_is_the_bootstrap_of_a_mean():
    rng = np.random.default_rng(0)
    one = rng.uniform(0.3, 0.9, 60)
    other = one - rng.normal(0.02, 0.03, 60)
    found = difference_over_classes(one, other)
    gain = one - other
    expected = scipy.stats.bootstrap(
        (gain,), np.mean, n_resamples=2_000, method="percentile", rng=1
    ).confidence_interval
    np.testing.assert_allclose(found.both, expected, atol=0.0015)
    assert found.sign == 1 and found.p_value == pytest.approx(scipy.stats.wilcoxon(gain).pvalue)
    assert (found.first_right, found.second_right) == ((gain > 0).sum(), (gain < 0).sum())
    assert verdict("A", "B", found, "Reuters").endswith("on Reuters (over 60 classes)")
    assert in_documents(found).startswith("It has the higher F1 in ")
    around = interval_over_classes(one)
    half = 1.96 * one.std() / np.sqrt(60)
    np.testing.assert_allclose(around, (one.mean() - half, one.mean() + half), atol=0.006)
    assert interval_over_classes([0.5]) is None
    lone = difference_over_classes([0.5], [0.4])
    assert lone.both == pytest.approx((0.1, 0.1)) and lone.p_value is None


def test_mcnemar_by_hand():
    assert mcnemar(0, 0) == 1
    assert mcnemar(6, 0) == pytest.approx(2 / 64)  # two-sided: 2 · (1/2)^6
    assert mcnemar(1, 0) == 1


@pytest.mark.parametrize(
    ("value", "low", "high", "sign"),
    [
        (0.1, 2e-12, 0.2, 1),
        (0.1, 1e-12, 0.2, 0),
        (0.1, -0.1, 0.2, 0),
        (-0.1, -0.2, -2e-12, -1),
        (-0.1, -0.2, -1e-12, 0),
        (5e-4, 4e-4, 6e-4, 1),  # three digits show it
        (4.9e-4, 4e-4, 6e-4, 0),
        (-4.9e-4, -6e-4, -4e-4, 0),
    ],
)
def test_the_sign_is_that_of_an_interval_without_0(value, low, high, sign):
    both = Interval(low, high)
    found = Difference(value, both, None, both, APART, 9)
    assert found.sign == sign == -found.reversed.sign and found.differing is None and found.reversed.seeds is None
    assert (found.n_positives, found.n_seeds) == (0, 1)


def test_reversed_all_is_turned_but_what_has_no_side():
    found = Difference(0.1, Interval(0, 0.2), Interval(0.05, 0.3), Interval(-0.1, 0.4), PAIRED, 9, 4, 3.0, 1.0, 0.5, 2)
    assert found.differing == 4
    assert found.reversed == Difference(
        -0.1, Interval(-0.2, 0), Interval(-0.3, -0.05), Interval(-0.4, 0.1), PAIRED, 9, 4, 1.0, 3.0, 0.5, 2
    )


def test_pooled_it_is_the_bootstrap_of_sums_of_counts():
    one, other = [[8, 2, 2], [1, 0, 9], [5, 5, 5], [0, 0, 0]], [[6, 2, 4], [9, 0, 1], [5, 5, 5], [0, 1, 0]]
    found = difference_of_pooled(one, other, level=0.8)
    drawn = class_draws(4).astype(int)
    gains = [f1(*times @ np.array(one)) - f1(*times @ np.array(other)) for times in drawn]
    assert found.documents == pytest.approx(tuple(np.quantile(gains, [0.1, 0.9])), abs=1e-9)
    assert found.value == pytest.approx(f1(14, 7, 16) - f1(20, 8, 10))
    assert (found.first_right, found.second_right, found.n, found.n_positives) == (2, 1, 4, 0)
    assert (found.rests_on, found.p_value, found.seeds, found.n_seeds) == (CLASSES, None, None, 1)
    assert type(found.first_right) is type(found.second_right) is int


def test_classes_that_are_alike_are_won_by_neither():
    found = difference_over_classes([0.5, 0.1 + 0.2, 0.9, 0.4], [0.5, 0.3, 0.6, 0.7])
    assert (found.first_right, found.second_right, found.value) == (1, 1, pytest.approx(0))
    assert (found.n, found.n_positives, found.n_seeds, found.seeds, found.rests_on) == (4, 0, 1, None, CLASSES)
    assert difference_over_classes([0.5, 0.4], [0.5, 0.4]).p_value is None
    assert difference_over_classes([0.5, 0.4], [0.4, 0.2]).p_value == 0.5
    for of in (difference_over_classes([0.5, 0.4], [0.4, 0.2]), difference([1, 0], [0, 0], [1, 1])):
        assert type(of.value) is type(of.p_value) is type(of.documents.low) is type(of.documents.high) is float
    lone = interval_over_classes([0.5, 0.7])
    assert lone == pytest.approx((0.5, 0.7)) and type(lone.low) is type(lone.high) is float


def test_classes_are_drawn_with_replacement():
    drawn = class_draws(5, 1_000)
    assert drawn.shape == (1_000, 5) and drawn.dtype == np.float32 and (drawn.sum(axis=1) == 5).all()
    np.testing.assert_allclose(drawn.mean(axis=0), 1, atol=0.1)
    assert (drawn == class_draws(5, 1_000, 0)).all() and (drawn != class_draws(5, 1_000, 1)).any()


def test_a_level_and_a_seed_are_those_of_all_that_is_drawn():
    """The same seed always gives the same interval, which a page shows and a claim rests on."""
    one, other = [decided(Y, k, 4) for k in (2, 5, 9)], [decided(Y, k, 9) for k in (4, 8)]
    counted = [[contingency(Y, part) for part in side] for side in (one, other)]
    scores = np.random.default_rng(1).random((2, 20))
    pools = np.random.default_rng(2).random((2, 20, 3))
    for compare, sides in (
        (lambda a, b, **said: difference(a, b, Y, **said), (one, other)),
        (difference_of_counts, counted),
        (difference_over_classes, scores),
        (difference_of_pooled, pools),
    ):
        whole, half = compare(*sides), compare(*sides, level=0.5)
        assert half.documents.width < 0.8 * whole.documents.width and half.both.width < whole.both.width
        assert whole == compare(*sides, level=0.95, draws=2_000, seed=0)
        assert whole.documents != compare(*sides, seed=1).documents
        assert whole.documents != compare(*sides, draws=1_999).documents
    assert interval_over_classes(scores[0], level=0.5).width < interval_over_classes(scores[0]).width
    assert interval_over_classes(scores[0], seed=1, draws=99) != interval_over_classes(scores[0])


def test_counts_are_drawn_apart_and_seeds_rise_together():
    one, other = [Counts(40, 10, 16, 900), Counts(30, 12, 26, 898)], [Counts(20, 4, 36, 906)]
    found = difference_of_counts(one, other)
    rng, draws = np.random.default_rng(5), 40_000
    firsts = np.sort(
        [2 * (tp := rng.binomial(56, c.tp / 56, draws)) / (tp + rng.binomial(910, c.fp / 910, draws) + 56) for c in one]
    )
    tp = rng.binomial(56, 20 / 56, draws)
    gains = firsts.mean(axis=0)[rng.permutation(draws)] - 2 * tp / (tp + rng.binomial(910, 4 / 910, draws) + 56)
    np.testing.assert_allclose(found.documents, np.quantile(gains, [0.025, 0.975]), atol=0.01)
    assert found.value == pytest.approx((one[0].f1 + one[1].f1) / 2 - other[0].f1)
    assert (found.n, found.n_positives, found.n_seeds, found.rests_on, found.p_value) == (966, 56, 2, APART, None)
    half = mean_interval([one[0].f1, one[1].f1])[0].width / 2
    assert found.seeds == pytest.approx((found.value - half, found.value + half))
    assert found.reversed.seeds == pytest.approx(difference_of_counts(other, one).seeds)
    both = difference_of_counts(one, one[::-1])
    assert both.seeds.width == pytest.approx(2 * np.sqrt(2) * half) and both.value == 0
    assert found.both.low == pytest.approx(found.value - np.hypot(found.value - found.documents.low, half))


def test_an_interval_holds_its_value():
    """The middle of the draws need not: F1 is no linear function of counts."""
    for k in range(3):
        sides = decided(Y, 9 + k, 4), decided(Y, 20, 2)
        for one, other in (sides, sides[::-1]):
            found = difference(one, other, Y, level=0.001)
            assert found.documents.low <= found.value <= found.documents.high and found.documents.width > 0


def test_lists_are_decisions_too():
    found = difference([1, 0, 1, 0], [[1, 1, 1, 0], [0, 0, 1, 1]], [1, 1, 0, 0])
    # right are 1 0 0 1; 1 1 0 1 and 0 0 0 0
    assert (found.first_right, found.second_right) == ((0 + 2) / 2, (1 + 0) / 2)
    assert (found.n, found.n_positives, found.n_seeds, found.p_value, found.rests_on) == (4, 2, 2, None, PAIRED)
    assert found.value == pytest.approx(0.5 - (0.8 + 0) / 2)


def test_what_cannot_be_compared():
    shapes = r"^decisions have shapes \({}\) and \({}\), and there are {} test documents; each needs one of both$"
    for sides, said in (((Y, Y[:9], Y), ("1, 3299", "1, 9", "3,299")), ((Y[:9], Y, Y), ("1, 9", "1, 3299", "3,299"))):
        with pytest.raises(ValueError, match=shapes.format(*said)):
            difference(*sides)
    for sides in (([], [Counts(1, 1, 1, 1)]), ([Counts(1, 1, 1, 1)], [])):
        told = "^there is no result to compare: both sides need the counts of at least one seed$"
        with pytest.raises(ValueError, match=told):
            difference_of_counts(*sides)
    for other in (Counts(2, 1, 1, 1), Counts(1, 2, 1, 1)):
        told = "^these results are of different test documents; compare those of one class$"
        with pytest.raises(ValueError, match=told):
            difference_of_counts([Counts(1, 1, 1, 1)], [other])
    for one, other in (([0.1, 0.2], [0.1]), ([], []), ([[0.1]], [[0.1]])):
        with pytest.raises(ValueError, match=r"^the classes' F1 have shapes .* they must be paired, one a class$"):
            difference_over_classes(one, other)
    for one, other in (([[1, 2, 3]], [[1, 2, 3]] * 2), ([[1, 2]], [[1, 2]]), ([1, 2, 3], [1, 2, 3]), ([[]], [[]])):
        with pytest.raises(ValueError, match=r"^counts have shapes .* they must be paired: tp, fp, fn a class$"):
            difference_of_pooled(one, other)
    with pytest.raises(ValueError, match="must be paired"):
        difference_of_pooled(np.zeros((0, 3)), np.zeros((0, 3)))


def test_a_cell_takes_under_fifty_milliseconds():
    ten = [decided(Y, k, 4) for k in range(10)]
    difference(ten, ten[::-1], Y)
    started = time.process_time()
    difference(ten, ten[::-1], Y)
    assert time.process_time() - started < 0.05

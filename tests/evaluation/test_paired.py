"""Differences of two weightings: paired bootstrap against drawing documents, McNemar, classes, and the sentences."""

import time

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import f1_score

from ltw_core.evaluation import (
    difference,
    difference_of_counts,
    difference_over_classes,
    in_documents,
    interval_over_classes,
    mcnemar,
    verdict,
    verdicts,
)
from ltw_core.metrics import Counts, contingency


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
        "LTW-L-I is not distinguishable from TFRF on corn (56 test documents of the class)"
    )
    assert in_documents(found) == (
        "They differ on 1 test document, and one is ahead by 1 document; McNemar's exact test: p = 1."
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
    assert said.startswith("A on corn (56 test documents of the class) is not distinguishable from C; better than B by")
    assert " and E by " in said and "; worse than D by " in said
    assert verdicts("A", {}) == ""


def test_pairing_narrows_and_counts_alone_are_told():
    one, other = decided(Y, 8, 6), decided(Y, 12, 6)
    paired = difference(one, other, Y)
    apart = difference_of_counts([contingency(Y, one)], [contingency(Y, other)])
    assert apart.value == pytest.approx(paired.value)
    assert apart.both.width > 1.3 * paired.both.width and paired.sign == 1 and apart.sign == 0
    assert verdict("A", "B", apart).endswith("(56 test documents of the class, compared by counts alone)")
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


def test_what_cannot_be_compared():
    with pytest.raises(ValueError, match="each needs one"):
        difference(Y, Y[:9], Y)
    with pytest.raises(ValueError, match="at least one seed"):
        difference_of_counts([], [Counts(1, 1, 1, 1)])
    with pytest.raises(ValueError, match="different test documents"):
        difference_of_counts([Counts(1, 1, 1, 1)], [Counts(2, 1, 1, 1)])
    with pytest.raises(ValueError, match="paired, one a class"):
        difference_over_classes([0.1, 0.2], [0.1])


def test_a_cell_takes_under_fifty_milliseconds():
    ten = [decided(Y, k, 4) for k in range(10)]
    difference(ten, ten[::-1], Y)
    started = time.process_time()
    difference(ten, ten[::-1], Y)
    assert time.process_time() - started < 0.05

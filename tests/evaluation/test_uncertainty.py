"""Intervals of F1: against documents drawn again one by one, exact distributions, and by hand."""

import numpy as np
import pytest
import scipy.stats
from sklearn.metrics import f1_score

from ltw_core.evaluation import estimate
from ltw_core.evaluation.uncertainty import Interval, combined, f1_draws, mean_interval
from ltw_core.metrics import Counts

CORN = Counts(tp=50, fp=2, fn=6, tn=3241)  # F1 .926 on 56 documents of the class


def test_it_is_the_bootstrap_of_documents():
    """Documents of each label drawn again one by one, F1 of scikit-learn."""
    rng = np.random.default_rng(1)
    y = np.repeat([1, 0], [20, 60])
    predicted = np.repeat([1, 0, 1, 0], [15, 5, 4, 56])
    rows = np.hstack([rng.integers(0, 20, (3_000, 20)), rng.integers(20, 80, (3_000, 60))])
    tp, wrong = (y[rows] & predicted[rows]).sum(axis=1), (y[rows] ^ predicted[rows]).sum(axis=1)
    scores = 2 * tp / (2 * tp + wrong)
    assert scores[0] == f1_score(y[rows[0]], predicted[rows[0]])
    found = estimate([Counts(15, 4, 5, 56)])
    np.testing.assert_allclose(found.documents, np.quantile(scores, [0.025, 0.975]), atol=0.015)
    assert scipy.stats.ks_2samp(scores, f1_draws(Counts(15, 4, 5, 56))).pvalue > 0.001


def test_against_the_exact_distribution():
    """Without false positives F1 is a function of tp alone, whose distribution is binomial."""
    quantiles = scipy.stats.binom.ppf([0.025, 0.975], 56, 50 / 56)
    expected = 2 * quantiles / (quantiles + 56)
    np.testing.assert_allclose(estimate([Counts(50, 0, 6, 3243)]).documents, expected, atol=0.011)


def test_the_figure_of_corn():
    found = estimate([CORN])
    assert found.value == pytest.approx(0.926, abs=5e-4)
    assert found.documents.low < 0.919 < found.documents.high and 0.05 < found.documents.width < 0.15
    assert found.seeds is None and found.sd is None and found.both == found.documents
    assert (found.n_positives, found.n_documents) == (56, 3_299)
    assert found == estimate([CORN]) and not found.blind  # seeded


def test_more_documents_are_more_certain():
    small, large = (estimate([Counts(*(k * n for n in (15, 4, 5, 56)))]).documents.width for k in (1, 25))
    assert large == pytest.approx(small / 5, rel=0.1)  # as the root of their number


def test_seeds_and_documents_are_told_apart():
    seeds = [Counts(15, 4, 5, 56), Counts(13, 4, 7, 56), Counts(17, 4, 3, 56)]
    found = estimate(seeds)
    values = [2 * c.tp / (2 * c.tp + c.fp + c.fn) for c in seeds]
    assert found.value == pytest.approx(np.mean(values)) and found.sd == pytest.approx(np.std(values, ddof=1))
    expected = scipy.stats.t.interval(0.95, 2, np.mean(values), scipy.stats.sem(values))
    np.testing.assert_allclose(found.seeds, expected)
    # of equal seeds the mean is as uncertain as each: they err on the same documents
    same = estimate([seeds[0]] * 3)
    assert same.documents == estimate(seeds[:1]).documents and same.seeds.width == 0
    assert found.both.low < min(found.documents.low, found.seeds.low) and found.both.high <= 1
    assert (found.n_positives, found.n_documents, found.n_seeds) == (20, 80, 3)


@pytest.mark.parametrize(
    ("value", "one", "other", "expected"),
    [
        (0.5, (0.2, 0.9), (0.1, 0.8), (0.0, 1.0)),  # 3-4-5
        (0.5, (0.2, 0.9), None, (0.2, 0.9)),
        (-0.5, (-0.8, -0.1), (-0.9, -0.2), (-1.0, 0.0)),
        (0.0, (-0.9, 0.9), (-0.9, 0.9), (-1.0, 1.0)),  # and no further than a difference of F1 can be
        (0.1, (0.1, 0.1), (0.0, 0.3), (0.0, 0.3)),
    ],
)
def test_two_sources_add_as_squares(value, one, other, expected):
    found = combined(value, Interval(*one), other and Interval(*other))
    assert found == pytest.approx(expected) and {type(end) for end in found} == {float}


def test_an_interval_of_a_mean_is_students():
    assert mean_interval([0.5]) == mean_interval([]) == (None, None)
    for level in (0.95, 0.5):
        found, sd = mean_interval([0.25, 0.75], level=level)
        half = scipy.stats.t.ppf((1 + level) / 2, 1) * np.sqrt(1 / 8) / np.sqrt(2)
        assert found == pytest.approx((0.5 - half, 0.5 + half)) and sd == pytest.approx(np.sqrt(1 / 8))
        assert found.width == pytest.approx(2 * half) and {type(v) for v in (*found, sd)} == {float}
    assert 0.2 in Interval(0.2, 0.3) and 0.3 in Interval(0.2, 0.3)
    assert 0.19 not in Interval(0.2, 0.3) and 0.31 not in Interval(0.2, 0.3)


def test_a_level_a_seed_and_a_number_of_draws_are_those_of_the_draws():
    whole = estimate([CORN])
    assert whole == estimate([CORN], level=0.95, draws=2_000, seed=0)
    half, other, fewer = estimate([CORN], level=0.5), estimate([CORN], seed=1), estimate([CORN], draws=500)
    assert half.documents == pytest.approx(tuple(np.quantile(f1_draws(CORN), [0.25, 0.75])))
    assert other.documents == pytest.approx(tuple(np.quantile(f1_draws(CORN, seed=1), [0.025, 0.975])))
    assert fewer.documents == pytest.approx(tuple(np.quantile(f1_draws(CORN, draws=500), [0.025, 0.975])))
    assert f1_draws(CORN).shape == (2_000,) and f1_draws(Counts(0, 0, 0, 5)).tolist() == [1] * 2_000
    assert (f1_draws(Counts(0, 0, 4, 0)) == 0).all() and (f1_draws(Counts(4, 0, 0, 0)) == 1).all()
    assert {type(value) for value in (whole.value, *whole.documents, *whole.both)} == {float}
    seeds = [CORN, Counts(40, 2, 16, 3241)]
    assert estimate(seeds, level=0.5).seeds == mean_interval([c.f1 for c in seeds], level=0.5)[0]


@pytest.mark.parametrize("level", [0.0001, 0.9999])
def test_an_interval_holds_its_value_whatever_its_level(level):
    for counts in (CORN, Counts(1, 5, 9, 50), Counts(9, 0, 1, 5)):
        found = estimate([counts, counts._replace(tp=counts.tp - 1, fn=counts.fn + 1)], level=level)
        assert found.documents.low <= found.value <= found.documents.high


@pytest.mark.parametrize(
    ("counts", "value"), [((3, 0, 0, 40), 1.0), ((0, 0, 3, 40), 0.0), ((0, 0, 0, 43), 1.0), ((0, 2, 0, 41), 0.0)]
)
def test_where_there_is_nothing_to_find_it_is_said(counts, value):
    found = estimate([Counts(*counts)])
    assert found.value == value and found.blind == (counts == (0, 0, 0, 43))
    assert found.value in found.documents


@pytest.mark.parametrize("counts", [(27, 0, 0, 40), (0, 0, 27, 40), (0, 5, 22, 40)])
def test_without_an_error_or_a_hit_the_interval_is_exact(counts):
    tp, fp, fn, _ = counts
    exact = scipy.stats.binomtest(tp, tp + fp + fn).proportion_ci(0.95, "exact")
    found = estimate([Counts(*counts)]).documents
    assert found == pytest.approx(tuple(2 * q / (1 + q) for q in exact))
    assert found.width > 0.05


def test_what_cannot_be_estimated():
    with pytest.raises(ValueError, match=r"^there is no result: an interval needs the counts of at least one seed$"):
        estimate([])
    for other in (Counts(50, 2, 7, 3241), Counts(50, 2, 6, 3242)):
        with pytest.raises(ValueError, match=r"^these results are of different test documents; give the seeds of one"):
            estimate([CORN, other])
    for level in (95, 0, 1):
        with pytest.raises(ValueError, match=rf"^level is {level}; it must lie between 0 and 1, as 0\.95 does$"):
            estimate([CORN], level=level)

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


def test_two_sources_add_as_squares():
    assert combined(0.5, Interval(0.2, 0.9), Interval(0.1, 0.8)) == pytest.approx((0.0, 1.0))
    assert combined(0.5, Interval(0.2, 0.9), None) == pytest.approx((0.2, 0.9))
    assert mean_interval([0.5]) == (None, None)


@pytest.mark.parametrize(
    ("counts", "value"), [((3, 0, 0, 40), 1.0), ((0, 0, 3, 40), 0.0), ((0, 0, 0, 43), 1.0), ((0, 2, 0, 41), 0.0)]
)
def test_where_drawing_again_shows_nothing_it_is_said(counts, value):
    found = estimate([Counts(*counts)])
    assert found.value == value and found.blind == (counts != (0, 2, 0, 41))
    assert found.value in found.documents


def test_what_cannot_be_estimated():
    with pytest.raises(ValueError, match="at least one seed"):
        estimate([])
    with pytest.raises(ValueError, match="different test documents"):
        estimate([CORN, Counts(50, 2, 7, 3241)])
    with pytest.raises(ValueError, match=r"level is 95"):
        estimate([CORN], level=95)

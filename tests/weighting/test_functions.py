"""cd and dd against outside oracles, hand-computed values, and their edge cases."""

import math
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics import mutual_info_score

from ltw_core.weighting import CD, DD, logarithm, power
from ltw_core.weighting.cd import conf_weight, idf_smoothed, relevance_frequency_before_2017
from ltw_core.weighting.dd import bm25
from ltw_core.weighting.formulas.lookup import cd_function, dd_function
from tests.weighting.contract import check_cd, check_shown

# tp, fp, fn, tn of one term: typical, rare class, negatively correlated, independent, perfect, absent, everywhere
TABLES = [
    (8, 3, 2, 17),
    (2, 40, 1, 500),
    (1, 30, 9, 10),
    (4, 8, 6, 12),
    (10, 0, 0, 20),
    (0, 0, 10, 20),
    (10, 20, 0, 0),
]


def rates(tp, fp, fn, tn):
    n = tp + fp + fn + tn
    return tp / (tp + fn), fp / (fp + tn), (tp + fn) / n, n


def documents(tp, fp, fn, tn):
    """One entry a document: does it hold the term, is it of the class."""
    return [1] * (tp + fp) + [0] * (fn + tn), [1] * tp + [0] * fp + [1] * fn + [0] * tn


@pytest.mark.parametrize("table", TABLES)
def test_chi_square_is_scipys(table):
    tp, fp, fn, tn = table
    defined = (tp + fp) and (fn + tn)
    expected = stats.chi2_contingency([[tp, fp], [fn, tn]], correction=False).statistic if defined else 0
    assert CD["CHI2"](*rates(*table)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("table", TABLES)
def test_information_gain_is_mutual_information_in_bits(table):
    assert CD["IG"](*rates(*table)) == pytest.approx(mutual_info_score(*documents(*table)) / np.log(2), abs=1e-12)


@pytest.mark.parametrize("table", TABLES)
def test_gain_ratio_is_information_gain_over_the_entropy_of_the_class(table):
    tpr, fpr, p, n = rates(*table)
    expected = CD["IG"](tpr, fpr, p, n) / stats.entropy([p, 1 - p], base=2)
    assert CD["GR"](tpr, fpr, p, n) == pytest.approx(expected, abs=1e-12)


def test_gain_ratio_is_one_for_a_perfect_term():
    assert CD["GR"](1, 0, 0.01, 1000) == pytest.approx(1)


@pytest.mark.parametrize("table", [table for table in TABLES if table[0] + table[1]])
def test_idf_is_scikit_learns_without_its_plus_one(table):
    column = np.array([documents(*table)[0]]).T
    theirs = TfidfTransformer(smooth_idf=False, norm=None).fit(column).idf_[0]
    assert CD["IDF"](*rates(*table)) == pytest.approx(theirs - 1)


@pytest.mark.parametrize("table", TABLES)
def test_smoothed_idf_is_scikit_learns(table):
    column = np.array([documents(*table)[0]]).T
    assert idf_smoothed(*rates(*table)) == pytest.approx(TfidfTransformer(norm=None).fit(column).idf_[0])


def test_of_less_than_a_document_idf_is_0():
    assert CD["IDF"](0.5, 0.5, 0.5, [0.5, 1]).tolist() == [0, 0]


def test_idf_of_an_absent_term_is_that_of_a_term_in_one_document():
    assert CD["IDF"](0, 0, 0.1, 100) == pytest.approx(np.log(100))


def test_bm25_idf_by_hand_and_clipped():
    # 3 + 2 of 10 + 20 documents hold the term
    assert CD["BM25"](0.3, 0.1, 1 / 3, 30) == pytest.approx(np.log(25.5 / 5.5))
    # 10 + 6 of 30: more than half
    assert CD["BM25"](1, 0.3, 1 / 3, 30) == 0


@pytest.mark.parametrize(
    ("tp", "fp", "expected"),
    [(8, 2, np.log2(6)), (8, 0, np.log2(10)), (0, 5, 1.0), (0, 0, 1.0), (3, 4, np.log2(2.75))],
)
def test_relevance_frequency_by_hand(tp, fp, expected):
    # ten documents of the class, twenty others
    assert CD["RF"](tp / 10, fp / 20, 1 / 3, 30) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("tpr", "fpr", "expected"),
    [(0.5, 0.25, math.log2(2 + 0.1 / 0.2)), (0.5, 0, math.log2(2 + 0.1)), (0, 0.5, 1)],
)
def test_relevance_frequency_as_it_was_before_2017_by_hand(tpr, fpr, expected):
    """Of a class with a fifth of the documents: shares of all documents, and 1 in the place of no share outside."""
    assert relevance_frequency_before_2017(tpr, fpr, 0.2, 100) == pytest.approx(expected)


def test_conf_weight_by_hand_with_few_and_many_documents():
    # Five of the class, all with the term: t(4 df) = 2.776445, z² = 7.708647, p̃ = 8.854324 / 12.708647 = .696716,
    # half-width 2.776445·√(.211303 / 12.708647) = .358008, MinPos = .338709; the authors' ½z²: .497 and .199723.
    # 995 others, none with it: z = 1.959964, p̃ = .00192299, half-width .00271665, MaxNeg = .00463964.
    assert conf_weight(1, 0, 0.005, 1000) == pytest.approx(np.log2(2 * 0.338709 / (0.338709 + 0.00463964)), abs=1e-5)
    max_neg = 0.00192299 + 3.841459 / 2 * 0.00271665 / 1.959964
    authors = np.log2(2 * 0.199723 / (0.199723 + max_neg))
    assert conf_weight(1, 0, 0.005, 1000, authors=True) == pytest.approx(authors, abs=1e-5)


@pytest.mark.parametrize(
    ("positives", "n"), [*((positives, 9603) for positives in (1, 2, 3, 30, 31)), (900, 930), (9, 10)]
)
def test_conf_weight_intervals_are_those_of_the_adjusted_proportion(positives, n):
    """Agresti and Coull: the normal interval around an estimate with z² imagined trials, half of them successes.

    N·p of the first case is 30.000000000000004 in floats, and still thirty: Student's t holds up to there.
    """
    tpr, fpr = 1.0, 0.01

    def quantile(documents):
        documents = round(documents)
        return (stats.t(max(documents - 1, 1)) if documents <= 30 else stats.norm).ppf(0.975)

    def end(x, m, z, sign):
        share, trials = (x + z**2 / 2) / (m + z**2), m + z**2
        return share + sign * z * np.sqrt(share * (1 - share) / trials)

    low = end(positives * tpr, positives, quantile(positives), -1)
    high = end((n - positives) * fpr, n - positives, quantile(n - positives), 1)
    expected = np.log2(2 * low / (low + high)) if low > high else 0
    assert conf_weight(tpr, fpr, positives / n, n) == pytest.approx(expected)


def test_conf_weight_cancels_terms_that_are_not_surely_positive():
    assert (conf_weight([0.1, 0.0, 0.2], [0.1, 0.5, 0.19], 0.3, 100) == 0).all()


def test_gss_odds_ratio_and_pmi_are_zero_at_independence_and_signed():
    for name in ("GSS", "OR", "PMI"):
        values = CD[name]([0.2, 0.6, 0.2], [0.2, 0.1, 0.5], 0.1, 1000)
        assert values[0] == pytest.approx(0, abs=1e-12)
        assert values[1] > 0 > values[2]


def test_gss_by_hand():
    # 8, 3, 2, 17 of 30: (8·17 - 2·3) / 900
    assert CD["GSS"](*rates(8, 3, 2, 17)) == pytest.approx(130 / 900)


def test_bi_normal_separation_by_hand():
    # Φ⁻¹(.975) = 1.959964, Φ⁻¹(.5) = 0; rates of 0 and 1 are cut at .0005 and .9995, whose quantile is ±3.290527
    found = CD["BNS"]([0.975, 0.5, 1, 0, 0], [0.5, 0.975, 0, 0.0005, 0.0001], 0.3, 100)
    np.testing.assert_allclose(found, [1.959964, 1.959964, 2 * 3.290527, 0, 0], atol=1e-6)


def test_odds_ratio_and_pmi_approach_the_unsmoothed_ones():
    table = (8000, 3000, 2000, 17000)
    assert CD["OR"](*rates(*table)) == pytest.approx(np.log(8000 * 17000 / (3000 * 2000)), abs=1e-3)
    assert CD["PMI"](*rates(*table)) == pytest.approx(np.log2(8000 * 30000 / (11000 * 10000)), abs=1e-3)


def test_odds_ratio_does_not_depend_on_the_prevalence():
    values = CD["OR"](0.4, 0.1, np.array([0.01, 0.1, 0.5]), 1000)
    assert values.shape == (3,)
    assert np.ptp(values) == 0


@pytest.mark.parametrize("name", CD)
def test_every_cd_keeps_the_contract(name):
    check_cd(name)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (([0.5, 1.1], 0, 0.5, 10), r"tpr ranges from 0\.5 to 1\.1; it must lie in \[0, 1\]"),
        ((0, [-0.1, 0.2], 0.5, 10), r"fpr ranges from -0\.1 to 0\.2; it must lie in \[0, 1\]"),
        ((0, 0, np.nan, 10), r"p ranges from nan to nan; it must lie in \[0, 1\]"),
        ((0, 0, 0.5, 0), r"n is 0\.0; the number of documents must be positive"),
        ((0, 0, 0.5, [10, -1]), r"n is -1\.0; the number of documents must be positive"),
        ((0, 0, 0.5, np.nan), r"n is nan; the number of documents must be positive"),
    ],
)
def test_cd_names_an_argument_out_of_range(arguments, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        CD["CHI2"](*arguments)


@pytest.mark.parametrize("name", CD)
def test_cd_computes_in_double_precision_whatever_it_is_given(name):
    tpr, fpr, p, n = np.float32([0.7, 0.1, 1]), np.float32([0.3, 0.9, 0]), np.float32(0.1), np.float32(300)
    exact = CD[name](*(np.float64(value) for value in (tpr, fpr, p, n)))
    for values in ((tpr, fpr, p, n), ([float(v) for v in tpr], tuple(float(v) for v in fpr), float(p), 300)):
        found = CD[name](*values)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, exact, rtol=1e-14)
    assert CD[name](True, False, 0.5, 10) == CD[name](1.0, 0.0, 0.5, 10.0)


@pytest.mark.parametrize("k", [3, 1 / 3])
def test_power_keeps_the_ranking_and_changes_the_weights(k):
    rng = np.random.default_rng(0)
    tpr, fpr = rng.random(50), rng.random(50)
    for name in ("IG", "GSS"):
        base, raised = CD[name](tpr, fpr, 0.1, 500), power(name, k)(tpr, fpr, 0.1, 500)
        assert (np.argsort(base) == np.argsort(raised)).all()
        np.testing.assert_allclose(np.abs(raised), np.abs(base) ** k)
    assert power("IG", 1) is CD["IG"]
    assert power("IG", 3).symbol == "IG^3"
    with pytest.raises(ValueError, match=r"^k is 0; it must be a positive number"):
        power("IG", 0)


# one document of length 4 and one of length 8 (mean 6), frequencies 0, 1, 2 and 3, 5
FREQUENCY, LENGTH = np.array([0.0, 1, 2, 3, 5]), np.array([4.0, 4, 4, 8, 8])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("raw", [0, 1, 2, 3, 5]),
        ("1+log", [0, 1, 1 + np.log(2), 1 + np.log(3), 1 + np.log(5)]),
        ("log1p", np.log([1, 2, 3, 4, 6])),
        ("binary", [0, 1, 1, 1, 1]),
        # k1·(.25 + .75·dl/6) is .9 for the first document and 1.5 for the second
        ("bm25", [0, 2.2 / 1.9, 4.4 / 2.9, 6.6 / 4.5, 11 / 6.5]),
        ("log(1+f/dl)", np.log([1, 1.25, 1.5, 1.375, 1.625])),
    ],
)
def test_dd_by_hand(name, expected):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_allclose(DD[name](FREQUENCY, LENGTH, 6.0), expected)


def test_one_plus_log_of_less_than_once():
    np.testing.assert_allclose(DD["1+log"]([0.5, 1e-3, 0], 1, 1), [1 - np.log(2), 1 - np.log(1000), 0])


@pytest.mark.parametrize("name", DD)
def test_dd_of_nothing_is_nothing(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert DD[name](np.zeros(2), np.zeros(2), 0.0).tolist() == [0, 0]
        assert DD[name](np.array([]), np.array([]), 0.0).shape == (0,)


@pytest.mark.parametrize("name", DD)
def test_dd_computes_in_double_precision_whatever_it_is_given(name):
    exact = DD[name](FREQUENCY, LENGTH / 3, 7 / 3)
    single = [np.float32(value) for value in (FREQUENCY, LENGTH / 3, 7 / 3)]
    for given, expected in (
        ((FREQUENCY.astype(np.int32), LENGTH / 3, 7 / 3), exact),
        ((FREQUENCY.tolist(), (LENGTH / 3).tolist(), 7 / 3), exact),
        (single, DD[name](*(np.float64(value) for value in single))),
    ):
        found = DD[name](*given)
        assert found.dtype == np.float64
        np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_bm25_at_the_limits_of_its_parameters():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert bm25(FREQUENCY, LENGTH, 6.0, k1=0).tolist() == [0, 1, 1, 1, 1]
        np.testing.assert_allclose(bm25(FREQUENCY, LENGTH, 6.0, k1=2, b=0), 3 * FREQUENCY / (2 + FREQUENCY))
        np.testing.assert_allclose(bm25(FREQUENCY, LENGTH, 6.0, k1=3, b=1), 4 * FREQUENCY / (LENGTH / 2 + FREQUENCY))


@pytest.mark.parametrize("function", DD.values(), ids=lambda function: function.name)
def test_every_dd_can_be_shown(function):
    check_shown(function)


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match=r"'chi'.*IDF, BM25, CHI2"):
        cd_function("chi")
    with pytest.raises(ValueError, match=r"'tf'.*raw, 1\+log"):
        dd_function("tf")


def test_the_logarithm_keeps_the_ranking():
    tpr, fpr = np.linspace(0, 1, 9)[:, None], np.linspace(0, 1, 7)
    for name in ("IG", "GSS"):
        values, changed = CD[name](tpr, fpr, 0.1, 500), logarithm(name)(tpr, fpr, 0.1, 500)
        np.testing.assert_allclose(changed, np.sign(values) * np.log1p(np.abs(values)))
        assert (np.argsort(values, axis=None, kind="stable") == np.argsort(changed, axis=None, kind="stable")).all()

"""Wilcoxon's test against SciPy, and the paper's daggers from the paper's own figures."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from ltw_core.evaluation import dagger, p_value
from ltw_core.settings import results_dir

UTW = ["Binary", "TF", "LogTF", "TFIDF", "LogTFIDF", "BM25"]
STW = ["TFGR", "TFCHI", "ConfWeight", "TFRF", "Dense", "CCA"]
COLUMNS = [*UTW, *STW, "LTW-L-sigma", "LTW-L-I", "LTW-G-sigma", "LTW-G-I"]
# table "Wilcoxon signed-rank tests" of the paper: a mark a column, "-" where a row meets itself
DAGGERS = {
    ("macro_f1", "LTW-L-sigma"): "†† †† † † † † . . . † † †† - . †† .",
    ("macro_f1", "LTW-L-I"): "†† †† †† † † † † † † † † †† . - †† .",
    ("macro_f1", "LTW-G-sigma"): ". . . . . . . . . . . . . . - .",
    ("macro_f1", "LTW-G-I"): ". . . . . . . . . . . . . . †† -",
    ("micro_f1", "LTW-L-sigma"): "†† †† †† † † † †† †† † † † †† - . †† .",
    ("micro_f1", "LTW-L-I"): "†† †† † † † † †† †† † † † †† . - †† .",
    ("micro_f1", "LTW-G-sigma"): ". . . . . . . . . . . . . . - .",
    ("micro_f1", "LTW-G-I"): ". . . . . . . . . . . . . . † -",
}


@pytest.mark.parametrize(("measure", "row"), DAGGERS)
def test_daggers_of_the_paper_follow_from_its_figures(measure, row):
    table = pd.read_csv(results_dir() / "paper.csv")
    table = table[(table.measure == measure) & (table.learner != "FT")]
    scores = table.pivot(index=["dataset", "learner"], columns="weighting", values="value")
    assert len(scores) == 15
    marks = ["-" if row == column else dagger(scores[row], scores[column]) or "." for column in COLUMNS]
    assert " ".join(marks) == DAGGERS[measure, row]


def test_p_value_is_scipys():
    rng = np.random.default_rng(0)
    one, other = rng.random(15), rng.random(15)
    assert p_value(one, other) == pytest.approx(stats.wilcoxon(one, other).pvalue)


def test_dagger_marks_the_better_one_only():
    other = np.linspace(0.5, 0.9, 15)
    one = other + np.linspace(0.01, 0.03, 15)
    assert (dagger(one, other), dagger(other, one), dagger(one, one)) == ("††", "", "")
    # six wins of six: p = 2/64
    assert dagger(one[:6], other[:6]) == "†"
    assert p_value(one[:6], other[:6]) == pytest.approx(2 / 64)


def test_the_sizes_of_wins_and_losses_decide():
    """Twelve pairs, three lost by the smallest differences: 14 of the 4096 ways to share ranks sum up to 6 or less."""
    wins = [-0.01, -0.02, -0.03, *(0.01 * rank for rank in range(4, 13))]
    assert p_value(wins, [0] * 12) == pytest.approx(2 * 14 / 4096)
    assert (dagger(wins, [0] * 12), dagger([0] * 12, wins)) == ("†", "")


def test_pairs_that_are_equal_have_no_rank():
    """16 small losses (ranks 1 to 16) and 14 larger wins (17 to 30); were equal pairs ranked, the losses would win."""
    difference = np.r_[-0.001 * np.arange(1, 17), 0.001 * np.arange(17, 31), np.zeros(100)]
    w, mean, sd = 16 * 17 / 2, 30 * 31 / 4, np.sqrt(30 * 31 * 61 / 24)
    assert p_value(difference, 0 * difference) == pytest.approx(2 * stats.norm.cdf((w - mean) / sd))
    assert dagger(difference, 0 * difference) == "†"


def test_differences_of_one_count_like_others():
    wins, losses = [1.0] * 12 + [0.0] * 2, [0.0] * 12 + [0.1] * 2
    assert (dagger(wins, losses), dagger(losses, wins)) == ("††", "")


def test_differences_of_three_digits_tie():
    """.3 - .1 and .7 - .5 are two numbers in floats, and one difference."""
    one, other = [0.3, 0.7, 0.9, 0.6, 0.5], [0.1, 0.5, 0.7, 0.7, 0.9]
    tied = [2, 2, 2, -1, -4]
    assert p_value(one, other) == stats.wilcoxon(tied).pvalue


def test_equal_scores_are_not_told_apart():
    assert p_value([0.1, 0.2], [0.1, 0.2]) == 1
    assert type(p_value([0.1, 0.2], [0.1, 0.2])) is type(p_value([1, 2], [0, 0])) is float


PAIRED = "The scores have shapes {} and {}; they must be paired, one row each"
MISSING = r"A score is missing \(NaN or infinite\): leave that pair out of both"


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [
        ([1, 2], [1], PAIRED.format(r"\(2,\)", r"\(1,\)")),
        ([], [], PAIRED.format(r"\(0,\)", r"\(0,\)")),
        ([[1]], [[2]], PAIRED.format(r"\(1, 1\)", r"\(1, 1\)")),
        ([1, np.nan], [1, 2], MISSING),
        ([1, 2], [1, np.nan], MISSING),
        ([1, 2], [np.inf, 1], MISSING),
        ([0.5, None], [1, 2], MISSING),
        ([0.5, 1], [None, 2], MISSING),
    ],
)
def test_bad_scores_are_answered_with_a_sentence(one, other, sentence):
    for of in (p_value, dagger):
        with pytest.raises(ValueError, match=f"^{sentence}$"):
            of(one, other)

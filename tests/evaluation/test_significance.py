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


def test_equal_scores_are_not_told_apart():
    assert p_value([0.1, 0.2], [0.1, 0.2]) == 1


@pytest.mark.parametrize(
    ("one", "other", "sentence"),
    [([1, 2], [1], "must be paired"), ([], [], "must be paired"), ([1, np.nan], [1, 2], "missing")],
)
def test_bad_scores_are_answered_with_a_sentence(one, other, sentence):
    with pytest.raises(ValueError, match=sentence):
        p_value(one, other)

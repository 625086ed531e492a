"""Named weightings: what they make, their record, and the lines of Python that reproduce them."""

import json
import pickle

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.evaluation import evaluate
from ltw_core.tasks import vectorize
from ltw_core.weighting import Composed, TermWeighting, cd_function, spline
from ltw_core.weighting.learned.pretraining_target import pretraining_target

HEIGHTS = np.add.outer(np.arange(5.0), -np.arange(5.0)).tolist()
CASES = (
    Composed("one", dd="log1p", cd="IDF", norm=None),
    Composed("two", dd="bm25", cd="log2(2 + tp / max(1, fp))", k1=2.0, b=0.3, power=0.5),
    Composed("three", dd="log(1+f/dl)", heights=HEIGHTS, scale="linear", norm="l1"),
    Composed("four", cd="CHI2", logarithm=True),
    Composed("five", heights=HEIGHTS, logarithm=True, power=2),
)


@pytest.fixture(scope="module")
def task():
    return vectorize(load("synthetic"), stop_words=None).task("relevant")


@pytest.mark.parametrize("composed", CASES, ids=lambda c: c.name)
def test_the_exported_lines_reproduce_it(composed, task):
    lines = composed.python("synthetic", "relevant")
    assert lines.count("\n") <= 10 and max(map(len, lines.splitlines())) <= 200
    there = {}
    exec(compile(lines, "exported", "exec"), there)
    here = composed.make().fit(task.counts_train, task.y_train)
    for part, counts in (("train", task.counts_train), ("test", task.counts_test)):
        difference = there[part] - here.transform(counts)
        assert difference.shape == counts.shape and abs(difference).max() == 0
    assert there["f1"] == evaluate(task, here, "SVM", "quick").f1
    np.testing.assert_allclose(
        here.cd_, composed.function(here_rate(here, 0), here_rate(here, 1), task.prevalence, task.n_documents)
    )


def here_rate(weighting, which):
    """tpr or fpr; for a cd that knows no class the share of documents, for which any prevalence is right."""
    share = weighting.document_frequency_ / weighting.n_documents_
    return (getattr(weighting, "tpr_", share), getattr(weighting, "fpr_", share))[which]


def test_a_table_is_read_from_its_path():
    lines = Composed("x", cd="RF").python("my table's.csv", 'a "b"')
    assert 'corpus = read_table("my table\'s.csv")' in lines and """.task('a "b"')""" in lines


@pytest.mark.parametrize("composed", CASES, ids=lambda c: c.name)
def test_its_record_survives_json(composed):
    again = Composed.from_dict(json.loads(json.dumps(composed.as_dict())))
    assert again == composed and isinstance(again.make(), TermWeighting)


@pytest.mark.parametrize("composed", CASES, ids=lambda c: c.name)
def test_its_functions_name_stands_for_it(composed):
    tpr, fpr = np.linspace(0, 1, 7)[:, None], np.linspace(0, 1, 5)
    again = cd_function(composed.function.name)
    np.testing.assert_array_equal(again(tpr, fpr, 0.1, 99), composed.function(tpr, fpr, 0.1, 99))
    assert again.name == composed.function.name and composed.function.symbol == composed.name
    assert pickle.loads(pickle.dumps(composed.function)).name == again.name


def test_what_a_notebook_shows_is_a_line():
    shown = [CASES[0], CASES[0].function, TermWeighting(cd=spline(HEIGHTS)), cd_function("RF")]
    assert [len(repr(one).splitlines()) for one in shown] == [1] * 4 and max(map(len, map(repr, shown))) < 120
    assert repr(TermWeighting(cd=cd_function("RF"))) == "TermWeighting(cd=<RF: log₂(2 + TP / max(1, FP))>)"


def test_pre_training_can_begin_from_it():
    for composed in CASES[1:]:
        found = pretraining_target(composed.function.name, 0.1, 500)(np.linspace(0, 1, 9), np.full(9, 0.1))
        assert found.min() >= 0 and found.max() <= 1 and np.ptp(found) > 0.1


@pytest.mark.parametrize(
    "name",
    [
        "power(x, RF)",
        "power(-1, RF)",
        "power(2, rf)",
        "heights(log, [[1",
        "heights(log, 3)",
        "logarithm(",
        "logarithm()",
    ],
)
def test_other_names_are_a_sentence(name):
    with pytest.raises(ValueError):
        cd_function(name)


def test_it_says_what_it_is():
    assert Composed("x", cd="RF", logarithm=True).describe() == ("(1 + ln f) · ln(1 + log₂(2 + TP / max(1, FP))), L2")
    assert Composed("x", cd="tpr/fpr", power=2).describe() == "(1 + ln f) · (tpr / fpr)^2, L2"
    assert Composed(" a  b ").name == "a b"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": ""}, "a name of 1 to 40"),
        ({"name": "x" * 41}, "a name of 1 to 40"),
        ({"name": "a\0"}, "a name of 1 to 40"),
        ({"name": "x", "dd": "tf"}, "dd is 'tf'"),
        ({"name": "x", "cd": "rf"}, "cd is 'rf'"),
        ({"name": "x", "cd": "tpr+"}, "column 5"),
        ({"name": "x", "norm": "l3"}, "norm is 'l3'"),
        ({"name": "x", "power": 0}, "k is 0"),
        ({"name": "x", "power": None}, "of the wrong kind"),
        ({"name": "x", "b": 3}, "b is 3"),
        ({"name": "x", "heights": [[1, 2]]}, "5 rows of 5"),
        ({"name": "x", "heights": 3}, "of the wrong kind"),
        ({"name": "x", "colour": 1}, "an object with a name and any of"),
        ({"dd": "raw"}, "an object with a name"),
        ([], "an object with a name"),
    ],
)
def test_bad_records_are_a_sentence(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        Composed.from_dict(values)

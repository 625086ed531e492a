"""Named weightings: what they make, their record, and the lines of Python that reproduce them."""

import json
import pickle

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.evaluation import evaluate
from ltw_core.storage.file_schema import FileError
from ltw_core.tasks import vectorize
from ltw_core.weighting import CD, Composed, TermWeighting, cd_function, spline
from ltw_core.weighting.composed import weightings_in
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


def test_the_exported_lines_keep_the_share_of_terms_that_was_chosen():
    composed, there = CASES[0], {}
    exec(compile(composed.python("synthetic", "relevant", 0.5), "exported", "exec"), there)
    chosen = vectorize(load("synthetic"), stop_words=None).task("relevant", ratio=0.5)
    assert there["task"].fingerprint == chosen.fingerprint
    assert there["f1"] == evaluate(chosen, composed.make(), "SVM", "quick").f1


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
    assert Composed("x", cd="tpr - fpr").describe() == "(1 + ln f) · (tpr - fpr), L2"
    assert Composed("x", cd="-tpr * 2").describe() == "(1 + ln f) · (-tpr * 2), L2"
    assert Composed("x", cd="(tpr - fpr) / (tpr + fpr)").describe() == "(1 + ln f) · (tpr - fpr) / (tpr + fpr), L2"
    assert Composed("x", cd="log(1 + tpr)").describe() == "(1 + ln f) · log(1 + tpr), L2"
    assert Composed("x", cd="GSS").describe().count("(1 + ln f) · (") == (" − " in CD["GSS"].formula)
    assert Composed("x", cd="tpr/fpr", power=2).describe() == "(1 + ln f) · (tpr / fpr)^2, L2"
    assert Composed(" a  b ").name == "a b"


NAMED = "name, dd, cd, norm, power, k1, b, heights, scale, logarithm"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"name": ""}, "cannot be made: a weighting needs a name of 1 to 40 printable characters, not ''"),
        ({"name": "a\0"}, "cannot be made: a weighting needs a name of 1 to 40 printable characters, not 'a\\x00'"),
        ({"name": "x", "dd": 3}, ", dd is 3; it must be a text of at most 40 characters"),
        ({"name": "x", "cd": "x" * 2001}, f", cd is '{'x' * 39}…; it must be a text of at most 2,000 characters"),
        ({"name": "x", "cd": "tpr+"}, "cannot be made: cd 'tpr+' cannot be read as a formula: column 5: the formula "
            "ends where a number, a variable or a function is expected"),
        ({"name": "x", "norm": "l3"}, ", norm is 'l3'; it must be one of l2, l1, max, null"),
        ({"name": "x", "power": 0}, "cannot be made: k is 0; it must be a positive number, or the ranking of terms "
            "would change"),
        ({"name": "x", "power": float("nan")}, ", power is nan; it must be a number from 0 to 100.0"),
        ({"name": "x", "power": None}, ", power is null; it must be a number from 0 to 100.0"),
        ({"name": "x", "power": True}, ", power is true; it must be a number from 0 to 100.0"),
        ({"name": "x", "b": 3}, ", b is 3; it must be a number from 0 to 1"),
        ({"name": "x", "k1": float("inf")}, ", k1 is inf; it must be a number from 0 to 1,000,000.0"),
        ({"name": "x", "heights": [[1, 2]]},
            ", heights is a list of 1; it must be a list of 29, or 5, lists of as many numbers, or null"),
        ({"name": "x", "heights": [[1] * 5] * 4 + [[1] * 4 + ["a"]]},
            ", heights, value 5, value 5 is 'a'; it must be a number from -1,000,000.0 to 1,000,000.0"),
        ({"name": "x", "logarithm": 1}, ", logarithm is 1; it must be true or false"),
        ({"name": "x", "colour": 1}, f" has a field 'colour'; it may have {NAMED}"),
        ({"dd": "raw"}, " has no name; it must have name"),
        ([], " is a list of 0; it must be an object with named fields"),
    ],
)  # fmt: skip
def test_bad_records_are_a_sentence(values, sentence):
    with pytest.raises(FileError) as caught:
        Composed.from_dict(values)
    joined = "" if sentence[0] in ", " else " "
    assert str(caught.value) == f"a weighting{joined}{sentence}"


def test_a_file_of_weightings_is_taken_whole_or_not_at_all():
    records = [composed.as_dict() for composed in CASES]
    assert weightings_in(json.dumps(records).encode()) == list(CASES)
    for content, sentence in (
        (json.dumps([*records, {"name": ""}]), "the file, value 6 cannot be made: a weighting needs a name of 1 to 40 "
            "printable characters, not ''"),
        (json.dumps([*records, {"name": "x", "b": 2}]), "the file, value 6, b is 2; it must be a number from 0 to 1"),
        (json.dumps([*records] * 13), "the file is a list of 65; it must be a list of 0 to 60 values"),
        (json.dumps(records)[:-1], "the file is not JSON: expecting ',' delimiter, line 1"),
        ('[{"name": "x", "cd": "1", "cd": "RF"}]', "the file has the field 'cd' twice"),
        ('["' + 1_500_000 * "x" + '"]', "the file has 1,500,004 bytes; at most 1,500,000 are read"),
        ("[" * 50_000, "the file has lists and objects too deep within each other"),
    ):  # fmt: skip
        with pytest.raises(FileError) as caught:
            weightings_in(content.encode())
        assert str(caught.value) == sentence
    with pytest.raises(FileError, match=r"^the file is no text in UTF-8 \(byte 1\)$"):
        weightings_in(b'"\xff"')


def test_transforms_on_top_of_each_other_stay_finite():
    rates = np.linspace(0, 1, 5)
    values = cd_function("power(100.0, power(100.0, exp(200 * tpr) - 2))")(rates[:, None], rates, 0.1, 99)
    assert np.isfinite(values).all() and values.max() == 1e100
    with pytest.raises(ValueError, match=r"^k is inf; it must be a positive number, or the ranking of terms"):
        cd_function("power(inf, RF)")

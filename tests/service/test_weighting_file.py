"""A weighting from elsewhere: what its notes must say, and what is left of one that is refused."""

import sqlite3

import numpy as np
import pytest

from ltw_core.service import training_history
from ltw_core.service.training_history import History
from ltw_core.service.weighting_file import from_bytes, problem_of, to_bytes
from ltw_core.storage.file_schema import FileError
from ltw_core.weighting.learned import LearnedWeighting

X = np.array([[1, 0, 2], [1, 1, 0], [0, 1, 1], [0, 2, 1], [2, 0, 0], [0, 1, 3]])
NOTES = {"dataset": "pydocs", "class": "numpy", "terms": ["a", "b", "c"]}


@pytest.fixture(scope="module")
def weighting():
    small = {"hidden": 4, "max_steps": 4, "check_every": 2, "batch_size": 2}
    labels = np.array([True, True, False, False, True, False])
    return LearnedWeighting(**small).fit(X, labels, np.array([False] * 4 + [True] * 2))


@pytest.mark.parametrize(
    ("notes", "sentence"),
    [
        ({"terms": "abc"}, "notes_, terms is 'abc'; it must be a list of 1 to 2,000,000 values"),
        ({"terms": ["a", "b", 3]}, "notes_, terms, value 3 is 3; it must be a text of at most 1,000 characters without "
            "'\\n'"),
        ({"terms": ["a", "b", "c\nd"]}, "notes_, terms, value 3 is 'c\\nd'; it must be a text of at most 1,000 "
            "characters without '\\n'"),
        ({"terms": ["a", "b", "\ud800"]}, "notes_, terms, value 3 is '\\ud800'; it must be a text of at most 1,000 "
            "characters without '\\n'"),
        ({"terms": ["a", "b"]}, "the terms in notes_ must be 3 different ones, as many as cd_ has weights"),
        ({"terms": ["a", "b", "b"]}, "the terms in notes_ must be 3 different ones, as many as cd_ has weights"),
        ({"dataset": ""}, "notes_, dataset is ''; it must be a text of 1 to 1,000 characters"),
        ({"class": ["x"]}, "notes_, class is a list of 1; it must be a text of 1 to 1,000 characters"),
        ({"class_title": "x" * 1001}, f"notes_, class_title is '{'x' * 39}…; it must be a text of 1 to 1,000 "
            "characters"),
    ],
)  # fmt: skip
def test_notes_that_cannot_be(weighting, notes, sentence):
    content = to_bytes(weighting, NOTES | notes)
    with pytest.raises(FileError) as caught:
        problem_of(from_bytes(content), content)
    assert str(caught.value) == sentence


def test_long_terms_do_not_make_a_table_of_gigabytes(weighting, monkeypatch):
    monkeypatch.setattr("ltw_core.service.weighting_file.CHARACTERS", 2_999)
    content = to_bytes(weighting, NOTES | {"terms": ["a", "b", "c" * 1_000]})
    with pytest.raises(FileError, match=r"^the terms in notes_ must have at most 999 characters each$"):
        problem_of(from_bytes(content), content)


def test_an_import_that_fails_leaves_nothing(weighting, tmp_path, monkeypatch):
    problem, terms = problem_of(from_bytes(content := to_bytes(weighting, NOTES)), content)
    tables = ("problem", "training", "holding", "point", "weighting")
    insert = training_history.insert

    def full(db, table, *values):
        if table == "weighting":
            raise sqlite3.OperationalError("database or disk is full")
        return insert(db, table, *values)

    with History(tmp_path / "history.sqlite") as history:
        monkeypatch.setattr(training_history, "insert", full)
        with pytest.raises(sqlite3.OperationalError, match="disk is full"):
            history.import_weighting("ann", problem, terms, weighting)
        db = sqlite3.connect(history.path)
        assert [db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables] == [0] * 5
        monkeypatch.undo()
        token = history.import_weighting("ann", problem, terms, weighting)
        assert [db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables] == [1, 1, 1, 2, 1]
        found = history.find(token)
        assert (found.steps, found.best_step, found.best_f1) == (4, weighting.best_step_, weighting.best_f1_)
        assert history.curve(token) == weighting.history_

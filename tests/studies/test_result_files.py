"""Files of results: what is written is read, a file is filled up from where it was left, and damage is a sentence."""

from typing import NamedTuple

import pytest

from ltw_core.corpora import load
from ltw_core.studies import result_files
from ltw_core.studies.result_files import fill, read_tuples, write_rows
from ltw_core.tasks import vectorize


class Row(NamedTuple):
    corpus: str
    class_name: str
    documents: int
    share: float


def row_of(task):
    yield Row(task.corpus_name, task.class_name, task.y_train.size, task.prevalence)


def test_what_is_missing_is_added(tmp_path):
    path = tmp_path / "rows.csv"
    fill(path, Row, "synthetic", row_of, ["relevant"])
    asked = []

    def noted(task):
        asked.append(task.class_name)
        yield from row_of(task)

    fill(path, Row, "synthetic", noted)
    names = list(vectorize(load("synthetic")).class_names)
    assert asked == [name for name in names if name != "relevant"]
    found = read_tuples(path, Row)
    assert sorted(row.class_name for row in found) == sorted(names) and {row.corpus for row in found} == {"synthetic"}
    with_terms = vectorize(load("synthetic"), documents="with_terms").task("relevant")
    assert found[0][2:] == (with_terms.y_train.size, pytest.approx(with_terms.prevalence, rel=1e-3))


def test_classes_of_few_documents_are_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr(result_files, "LEAST", 10**6)
    fill(tmp_path / "rows.csv", Row, "synthetic", row_of)
    assert read_tuples(tmp_path / "rows.csv", Row) == []


def test_a_line_break_in_a_name_is_read_as_it_was_written(tmp_path):
    write_rows(tmp_path / "rows.csv", Row._fields, [("a", "one\r\ntwo", 3, 0.5)])
    assert read_tuples(tmp_path / "rows.csv", Row) == [Row("a", "one\r\ntwo", 3, 0.5)]


def test_a_damaged_file_is_a_sentence(tmp_path):
    write_rows(tmp_path / "rows.csv", Row._fields, [("a", "b", "three", 0.5)])
    with pytest.raises(ValueError, match=r"^rows\.csv among the results cannot be read: .*three"):
        read_tuples(tmp_path / "rows.csv", Row)

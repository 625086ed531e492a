"""Files of results: what is written is read, a file is filled up from where it was left, and damage is a sentence."""

import locale
from typing import NamedTuple

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.corpora.corpus import assemble
from ltw_core.studies import result_files
from ltw_core.studies.result_files import fill, read_rows, read_tuples, shipped_json, write_rows
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


@pytest.fixture
def other_encoding():
    """A system on which files are ASCII unless one says otherwise."""
    before = locale.setlocale(locale.LC_CTYPE)
    locale.setlocale(locale.LC_CTYPE, "C")
    yield
    locale.setlocale(locale.LC_CTYPE, before)


@pytest.mark.usefixtures("other_encoding")
def test_classes_of_fewer_than_ten_documents_are_left_out(tmp_path, monkeypatch):
    """Documents without a known term count as little as those that test."""
    sizes = {"four": 4, "zehn": 10, "neun": 9, "größer": 11}
    names = [name for name, size in sizes.items() for _ in range(size)]
    made = assemble(
        name="made",
        title="Made",
        documents=[f"word{k % 7} {name}" for k, name in enumerate(names)] + ["?"] * 5 + ["word1"] * 3 + ["?"] * 2,
        label_sets=[{name} for name in names] + [{"neun"}] * 10,
        train=np.arange(len(names) + 10) < len(names) + 5,
        origin="made",
    )
    monkeypatch.setattr("ltw_core.corpora.load", {"made": made}.__getitem__)
    path = tmp_path / "rows.csv"

    def sizes_of(task):
        yield Row(task.corpus_name, task.class_name, task.y_train.size, task.prevalence / task.y_test.size)

    fill(path, Row, "made", sizes_of, ["größer", "neun"])
    fill(path, Row, "made", sizes_of)
    header, *lines = path.read_bytes().decode("utf-8").split("\n")
    assert header == "corpus,class_name,documents,share"
    assert lines == ["made,größer,34,0.1078", "made,zehn,34,0.09804", ""]


@pytest.mark.usefixtures("other_encoding")
def test_what_ships_as_json_is_read(tmp_path, monkeypatch):
    (tmp_path / "some.json").write_text('{"größe": [1]}', encoding="utf-8")
    monkeypatch.setattr(result_files, "results_dir", lambda: tmp_path)
    assert shipped_json("some.json") == {"größe": [1]}


@pytest.mark.usefixtures("other_encoding")
def test_lines_are_added_under_one_header(tmp_path):
    path = tmp_path / "rows.csv"
    assert read_rows(path) == read_tuples(path, Row) == []
    for mode in ("a", "a", "w", "a"):
        write_rows(path, ("a", "b"), [("é", 1)], mode)
    assert path.read_bytes() == "a,b\né,1\né,1\n".encode()
    assert read_rows(path) == [{"a": "é", "b": "1"}] * 2
    write_rows(path, ("a", "b"), [("x", "y")])
    assert read_rows(path) == [{"a": "x", "b": "y"}]


def test_a_line_break_in_a_name_is_read_as_it_was_written(tmp_path):
    write_rows(tmp_path / "rows.csv", Row._fields, [("a", "one\r\ntwo", 3, 0.5)])
    assert read_tuples(tmp_path / "rows.csv", Row) == [Row("a", "one\r\ntwo", 3, 0.5)]


def test_a_damaged_file_is_a_sentence(tmp_path):
    write_rows(tmp_path / "rows.csv", Row._fields, [("a", "b", "three", 0.5)])
    with pytest.raises(ValueError, match=r"^rows\.csv among the results cannot be read: .*three"):
        read_tuples(tmp_path / "rows.csv", Row)

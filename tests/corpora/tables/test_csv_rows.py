"""Rows of CSV piece by piece: what is looked at to find the delimiter, blank lines, headers and limits."""

import csv
import io

import pytest

from ltw_core.corpora import CorpusError
from ltw_core.corpora.tables import csv_rows, rows
from ltw_core.corpora.tables.csv_rows import csv_table
from ltw_core.corpora.tables.lines import Lines
from ltw_core.corpora.tables.rows import CELL_LIMIT, Row


def lines(text):
    return Lines(io.StringIO(text, newline=""), "a.csv")


def read(text, delimiter=None):
    table = csv_table(lambda: lines(text), "a.csv", report := ["It was read."], delimiter)
    assert table.report is report
    return table.columns, list(table.rows), report[1:]


def told(text, delimiter=None):
    with pytest.raises(CorpusError) as raised:
        read(text, delimiter)
    return str(raised.value).removeprefix("a.csv")


def test_rows_and_their_places():
    csv.field_size_limit(1_000)
    text = 'text , label\n\n  \n"a\nb",x\n,y\n' + "c" * 2_000 + ",\n"
    found = [Row(4, 4, {"text": "a\nb", "label": "x"}), Row(5, 6, {"text": "", "label": "y"})]
    found.append(Row(6, 7, {"text": "c" * 2_000, "label": ""}))
    assert read(text) == (["text", "label"], found, ["Read with commas between columns."])
    assert csv.field_size_limit() == CELL_LIMIT
    assert read("a\tb\nc\td\n")[2] == ["Read with tabs between columns."]
    assert read("a:b\n:d\n", ":") == (["a", "b"], [Row(2, 2, {"a": "", "b": "d"})], ["Read with ':' between columns."])


def test_headers(monkeypatch):
    assert read("\ufefftext ,, b\n")[0] == ["text", "column 2", "b"]
    single = " has a single column, {}: a table needs a text and a label column"
    assert told("text\na\n", ",") == single.format("'text'") + "."
    found = ", separated by commas, semicolons, tabs or bars. Give the delimiter if it is another."
    assert told("te xt\na\nb\n") == single.format("'te xt'") + found
    assert told("a,b,c,b\n") == ", row 1: columns 2 and 4 have the same name, 'b'."
    assert told(" \n\n", ",") == " is empty."
    monkeypatch.setattr(csv_rows, "COLUMN_LIMIT", 3)
    assert read("a,b,c\n")[0] == ["a", "b", "c"]
    assert told("a,b,c,d\n") == " has 4 columns; at most 3 are read."


def test_as_many_lines_are_looked_at_as_make_a_sample_or_one_long_record(monkeypatch):
    monkeypatch.setattr(csv_rows, "SAMPLE", 3)
    assert csv_rows._sample(lines("a\nb\nc\nd\ne\n")) == ["a\n", "b\n", "c\n", "d\n"]
    monkeypatch.setattr(rows, "ROW_LIMIT_CHARACTERS", 6)
    assert csv_rows._sample(lines("ab\ncd\nef\n")) == ["ab\n", "cd\n"]
    assert csv_rows._sample(lines("abc\nde\nf\n")) == ["abc\n"]
    assert csv_rows._sample(lines("abcde\n\n")) == ["abcde\n"]


@pytest.mark.parametrize(
    ("sample", "delimiter"),
    [
        ([], None),
        (["\n", "\n"], None),
        (["a\n", "b\n"], None),
        (["a,b;c\n", "1,2;3\n"], ","),  # of two alike the first
        (["a;b;c,d\n", "1;2;3,4\n"], ";"),  # of more columns
        (["a;b;c,d\n", "1;2;3,4\n", "1;2,4\n"], ","),  # of more records with as many as the header
        (["a|b\n", "1|2|3\n", "1|2|3\n"], "|"),
        (["a,b;c\n", "1,2;3\n", "1,2,3;4\n"], ";"),  # three are no sample's end: the last one counts
        (["a,b;c;d\n", "1,2;3;4\n", "1,2;3;4\n", "1,2;3\n"], ";"),  # the last of a sample is perhaps cut off
        (['a,"x\n', "y\n", "z\n", 'w",c\n'], ","),  # but not where it is the only one
        (["a,b;c\n", '1,2,"x;y\n', "z;w\n", "v;u\n"], ","),
        (["a,b;c\n", '1;"x,y\n', "v,u,t\n", "z,w\n"], ";"),  # all of one, against two of three
    ],
)
def test_the_delimiter_by_hand(monkeypatch, sample, delimiter):
    monkeypatch.setattr(csv_rows, "SAMPLE", 3)
    assert csv_rows._detect_delimiter(sample) == delimiter


@pytest.mark.parametrize(
    ("text", "close"),
    [
        ('a\t"b\tc"\n', True),
        ('a\t"b" c\n', False),
        ('a\t"b\n', False),
        ('5" long\tb\n', True),
        ('a,"b" c\td\n', True),
        ("a\tb\n" * 20, True),  # more than a row may be long, in short ones
        ('a\t"b\nc\nd\ne\nf\ng\nh\ni\nj"\n', False),
    ],
)
def test_whether_quotation_marks_enclose_cells(monkeypatch, text, close):
    monkeypatch.setattr(rows, "ROW_LIMIT_CHARACTERS", 17)
    assert csv_rows._quotes_close(lines(text), "\t") is close
    if not close and text.count("\n") == 1:
        _, found, report = read("x\ty\n" + text[:8] + "\n")
        assert found[0].cells["y"].startswith('"b')
        assert report[0] == "Quotation marks were read as they stand, for they do not enclose cells."
    assert len(read("x;y\n" + "a;b\n" * 20)[1]) == 20


def test_what_the_standard_library_says_otherwise_is_passed_on():
    assert csv_rows._reason(csv.Error("something new")) == "it can't be read (something new)."
    assert told("a,b\nc\nd\n") == ", row 2: 1 cell where the header has 2 columns; column 'b' is missing."
    assert told("a,b,c\nc,d\n") == ", row 2: 2 cells where the header has 3 columns; column 'c' is missing."

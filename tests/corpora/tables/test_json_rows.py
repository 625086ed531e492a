"""Rows of JSON piece by piece: limits, numbers of rows and lines, and what is read ahead."""

import io

import pytest

from ltw_core.corpora import CorpusError
from ltw_core.corpora.tables import json_rows, rows
from ltw_core.corpora.tables.json_rows import is_object, json_table, jsonl_table
from ltw_core.corpora.tables.lines import Lines
from ltw_core.corpora.tables.rows import Row


def of_lines(text):
    table = jsonl_table(Lines(io.StringIO(text), "a.jsonl"), "a.jsonl", ["It was read."])
    assert table.report == ["It was read.", "Read as JSONL."]
    return table.columns, list(table.rows)


def of_list(text):
    table = json_table(io.StringIO(text), "a.json", ["It was read."])
    assert table.report == ["It was read.", "Read as JSON, a list of objects."]
    return table.columns, list(table.rows)


def test_rows_and_their_places():
    rows_of_both = {"a": 1}, {"b": "x", "a": None}
    text = '\n{"a": 1}\n \t\n\xa0 {"b": "x", "a": null}\n\n'
    assert of_lines(text) == (["a", "b"], [Row(2, 2, rows_of_both[0]), Row(4, 4, rows_of_both[1])])
    text = '\n [{"a":\n 1},\n\n{"b": "x", "a": null} ]\n'
    assert of_list(text) == (["a", "b"], [Row(1, 2, rows_of_both[0]), Row(2, 5, rows_of_both[1])])


@pytest.mark.parametrize(
    ("line", "found"),
    [
        *(('{"a": 1}', True), ("{}\n", True)),
        *(('{"a": 1', False), ("[1]", False), ('"{"', False), ("", False), ('{"a": ' + "[" * 100_000, False)),
    ],
)
def test_whether_a_line_is_an_object(line, found):
    assert is_object(line) is found


def test_the_number_of_keys_is_bounded_exactly(monkeypatch):
    monkeypatch.setattr(json_rows, "COLUMN_LIMIT", 3)
    three, four, other = '{"a": 1, "b": 2, "c": 3}', '{"a": 1, "b": 2, "c": 3, "d": 4}', '{"d": 1}'
    for read, name, texts in (
        (of_lines, "a.jsonl", [three, four, f"{three}\n{other}"]),
        (of_list, "a.json", [f"[{three}]", f"[{four}]", f"[{three},\n{other}]"]),
    ):
        assert read(texts[0])[0] == ["a", "b", "c"]
        for text, told in ((texts[1], ", row 1 has 4 keys; at"), (texts[2], " has 4 different keys; at")):
            with pytest.raises(CorpusError) as raised:
                read(text)
            assert str(raised.value) == f"{name}{told} most 3 are read."


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('  {"a": x}', " isn't JSON (character 7: Expecting value)."),
        ("[]", " isn't a JSON object; JSONL has one object a line."),
        ('{"b": 1, "a": 1, "c": 2, "a": 3}', ": the key 'a' is there twice."),
    ],
)
def test_what_is_wrong_in_a_line(line, told):
    with pytest.raises(CorpusError) as raised:
        of_lines('{"a": 1}\n' + line)
    assert str(raised.value) == f"a.jsonl, row 2{told}"


def test_no_more_is_read_than_a_row_may_be_long(monkeypatch):
    class Stream(io.StringIO):
        def read(self, size):
            sizes.append(size)
            return super().read(size)

    monkeypatch.setattr(rows, "ROW_LIMIT_CHARACTERS", 312)
    monkeypatch.setattr(json_rows, "_CHUNK", 50)
    for length, read in ((312, 312), (313, None), (600, None)):
        sizes, row = [], '{"text": "' + "x" * (length - 12) + '"}'
        table = lambda row=row: json_table(Stream(f"[{row}]"), "a.json", [])  # noqa: E731
        if read:
            assert [len(one.cells["text"]) for one in table().rows] == [300]
        else:
            with pytest.raises(CorpusError, match=r"^a\.json, row 1 is longer than 312 characters\.$"):
                table()
            assert sizes == [50, 50, 99, 115]  # as much again each time, and one character more than is allowed


def test_what_is_read_ahead_may_end_anywhere(monkeypatch):
    monkeypatch.setattr(json_rows, "_CHUNK", 1)
    text = r'[{"a": -Infinity, "b": [12.5e-7, true, null], "c": "\ud83d\ude00 \u00e9\\"}]'
    assert of_list(text)[1][0].cells == {"a": float("-inf"), "b": [12.5e-7, True, None], "c": "\U0001f600 é\\"}
    with pytest.raises(CorpusError, match=r"^a\.json, row 1 isn't JSON \(character 7: Expecting value\)\.$"):
        of_list('[{"a": -Infinite' + " " * 99 + "}]")

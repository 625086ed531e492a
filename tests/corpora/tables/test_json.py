"""JSON lists of objects: the corpus of the same rows as CSV, one object in memory at a time, or a sentence."""

import gzip
import io
import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltw_core.corpora import CorpusError, read_table
from ltw_core.corpora.tables import json_rows, rows
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.open_table import open_table

ROWS = [{"text": f"bread {i}", "label": "xy"[i % 2], "split": "test" if i > 6 else "train"} for i in range(10)]
HERE = [
    json.dumps(ROWS).encode(),
    json.dumps(ROWS, indent=4).encode("utf-16"),
    b"\n \t" + json.dumps(ROWS, separators=(",", ":")).encode() + b"\n\n",
]


@pytest.mark.parametrize("content", HERE, ids=["a line", "indented, UTF-16", "without spaces"])
@pytest.mark.parametrize("pack", [bytes, lambda data: gzip.compress(data, mtime=0)], ids=["plain", "gz"])
def test_it_is_the_corpus_of_the_rows(content, pack, tmp_path):
    path = tmp_path / "mine.json.gz"
    path.write_bytes(pack(content))
    corpus = read_table(path)
    assert corpus.fingerprint == read_table(ROWS).fingerprint
    assert "Read as JSON, a list of objects." in corpus.report and corpus.name == "mine"


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=9)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)),
    max_leaves=6,
)


@given(
    st.lists(st.dictionaries(st.text(max_size=3), VALUES, min_size=1), min_size=1, max_size=9),
    st.sampled_from([None, 0, 3]),
    st.integers(1, 40),
)
@settings(max_examples=80, deadline=None)
def test_wherever_the_pieces_end_that_are_read_the_values_come_back(objects, indent, chunk):
    """Also within a string, a number, an escape or a word."""
    before, json_rows._CHUNK = json_rows._CHUNK, chunk
    try:
        table = json_rows.json_table(io.StringIO(json.dumps(objects, indent=indent)), "a.json", [])
        assert [row.cells for row in table.rows] == objects
    finally:
        json_rows._CHUNK = before


LONG = '{"text": "' + "x" * 300 + '"}'
BAD = {
    "cut off after a row": ('[{"text": "a"},', " ends within its list, after row 1: it is cut off."),
    "cut off in a row": ('[{"text": "a"', ", row 1 isn't JSON (character 13: Expecting ',' delimiter)."),
    "cut off in a string": ('[{"text": "a', ", row 1 isn't JSON (character 10: Unterminated string starting at)."),
    "nothing follows": ('[{"text": "a"}', " ends within its list, after row 1: it is cut off."),
    "no comma": ('[{"a": 1} {"a": 2}]', ", row 1: neither a comma nor the end of the list follows, but '{'."),
    "a comma too many": (
        '[{"a": 1},]',
        ", row 2 isn't a JSON object; a list of objects, one a row, was expected.",
    ),
    "numbers": (
        '[{"a": 1},\n\n7]',
        ", row 2 (line 3) isn't a JSON object; a list of objects, one a row, was expected.",
    ),
    "lists": ("[[1, 2], [3, 4]]", ", row 1 isn't a JSON object; a list of objects, one a row, was expected."),
    "empty": ("[]", " has no row: its list is empty, or its objects are."),
    "empty objects": ("[{}, {}]", " has no row: its list is empty, or its objects are."),
    "something after it": ('[{"a": 1}]\n{"a": 2}', ", line 2: something follows the end of the list."),
    "twice": ('[{"a": 1, "a": 2}]', ", row 1: the key 'a' is there twice."),
    "twice inside": ('[{"a": {"b": 1, "b": 2}}]', ", row 1: the key 'b' is there twice."),
    "nested": ('[\n{"a": ' + "[" * 100_000, ", row 1 (line 2): lists or objects are nested too deeply."),
    "wrong": ('[{"a": wrong' + " " * 300 + "}]", ", row 1 isn't JSON (character 7: Expecting value)."),
    "a long number": (
        '[{"a": ' + "1" * 5_000 + "}]",
        ", row 1 isn't JSON (Exceeds the limit (4300 digits) for integer string conversion…",
    ),
    "many keys": (
        "[{" + ", ".join(f'"k{n}": 1' for n in range(2_001)) + "}]",
        ", row 1 has 2,001 keys; at most 2,000 are read.",
    ),
    "many different keys": (
        "[" + ", ".join("{" + ", ".join(f'"k{m}.{n}": 1' for n in range(30)) + "}" for m in range(70)) + "]",
        " has 2,100 different keys; at most 2,000 are read.",
    ),
    "one object": (
        '{"data":\n [{"text": "a"}]}',
        ' is no table: JSON is read as a list of objects, [{"text": …, "label": …}, …], or as one object a line.',
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_lists_are_a_sentence(case):
    content, sentence = BAD[case]
    with pytest.raises(CorpusError) as caught:
        list(open_table(Content(content.encode(), "a.json")).rows)
    said, begins = str(caught.value).removeprefix("a.json"), sentence.removesuffix("…")
    assert said == sentence or (begins != sentence and said.startswith(begins))


def test_a_row_may_be_as_long_as_the_limit(monkeypatch):
    monkeypatch.setattr(rows, "ROW_LIMIT_CHARACTERS", len(LONG))
    monkeypatch.setattr(json_rows, "_CHUNK", 50)
    read = lambda row: list(json_rows.json_table(io.StringIO(f"[{row}, {LONG}]"), "a.json", []).rows)  # noqa: E731
    assert [len(row.cells["text"]) for row in read(LONG)] == [300, 300]
    with pytest.raises(CorpusError, match=r"^a\.json, row 1 is longer than 312 characters\.$"):
        read(LONG.replace("x", "xx"))


def test_memory_is_that_of_a_row_and_not_of_the_list():
    data = (
        "[" + ",".join(json.dumps({"text": f"some words {n}", "more": [n] * 50}) for n in range(20_000)) + "]"
    ).encode()
    tracemalloc.start()
    try:
        table = open_table(Content(data, "a.json"))
        assert sum(1 for _ in table.rows) == 20_000
        assert tracemalloc.get_traced_memory()[1] < 3 * 2**20 < len(data)
    finally:
        tracemalloc.stop()

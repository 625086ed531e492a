"""Files that are no table, or a bad one: a sentence that names file, row and column."""

import gzip
import io
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ltw_core.corpora import CorpusError, read_table
from ltw_core.corpora.tables import read_table as tabular

HEADER = "text,label\n"
ROWS = "".join(f'"text {number}, quoted",{"ab"[number % 2]}\n' for number in range(20))


BAD = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n \n", "is empty"),
    "only quotes": (b'""\n', "empty|single column"),
    "header only": (HEADER.encode(), "no row below its header"),
    "no texts": (b"text,label\n,a\n,b\n", "no row with a text and a label"),
    "one column": (b"text\na\nb\n", "single column, 'text'"),
    "duplicate header": (b"text,label,text\na,b,c\n", "row 1: columns 1 and 3 have the same name, 'text'"),
    "too few cells": (
        b"text,label\na,b\nc\n",
        "row 3: 1 cell where the header has 2 columns; column 'label' is missing",
    ),
    "too many cells": (b"text,label\na,b\nc,d,e\n", "row 3: 3 cells .*; cell 3, 'e', has no column"),
    "ragged after a long cell": (b'text,label\n"a\nb\nc",x\nd\n', r"row 3 \(line 5\)"),
    "open quote": (b'text,label\na,b\n"c,d\ne,f\n', "row 3: a quotation mark opens a cell here and is never closed"),
    "quote inside": (b'text,label\na,b\n"c"x,d\n', "row 3: a quoted cell goes on"),
    "one class": (b"text,label\n" + b"".join(b"%d,x\n" % n for n in range(9)), "single class, 'x'"),
    "NUL": (b"text,label\na,b\nc\0,d\n", r"NUL byte in line 3 \(byte 17\)"),
    "long cell": (HEADER.encode() + b"a,b\n" + b"x" * 5_000_001 + b",b\n", "row 3: a cell is longer than 5,000,000"),
    "gzip": (gzip.compress(b"text,label\n"), "compressed with gzip"),
    "workbook": (b"\xd0\xcf\x11\xe0" + b"\0" * 99, "old Excel workbook"),
    "pdf": (b"%PDF-1.4", "PDF"),
    "wrong mark": (b"\xff\xfe\x00", "isn't utf-16"),
    "many columns": (b",".join(b"c%d" % n for n in range(2_001)) + b"\n", "2,001 columns; at most 2,000"),
    "label is the text": (
        HEADER.encode() + b"a,b\nc," + b"y" * 300 + b"\n",
        "row 3, column 'label': the label 'yyy.*is it a text",
    ),
    "JSON array": (b'[{"text": "a"}]', "JSON but not JSONL"),
    "JSON syntax": (b'{"text": "a", "label": "b"}\n{"text"\n', r"row 2 isn't JSON \(character 8"),
    "JSON twice": (b'{"text": "a", "label": "b"}\n{"text": "a", "text": "b"}', "row 2: the key 'text' is there twice"),
    "JSON no object": (b'{"text": "a", "label": "b"}\n3', "row 2 isn't a JSON object"),
    "JSON nested": (b'{"text": "a", "label": "b"}\n' + b"[" * 100_000, "row 2: .*nested too deeply"),
    "JSON long number": (b'{"text": "a", "label": "b"}\n{"text": ' + b"1" * 5_000 + b"}", "row 2 isn't JSON"),
    "JSON object as label": (b'{"text": "a", "label": {"b": 1}}', "row 1, column 'label': a label or a list"),
    "JSON list as text": (b'{"text": ["a"], "label": "b"}', "row 1, column 'text': a text was expected"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_a_sentence(case, tmp_path):
    content, message = BAD[case]
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=message) as caught:
        read_table(path)
    assert str(caught.value).startswith("bad.csv") and len(str(caught.value)) < 400


def test_a_zip_named_csv():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.csv", HEADER + ROWS)
    with pytest.raises(CorpusError, match="isn't CSV, TSV or JSONL but a ZIP archive or a workbook"):
        read_table(buffer.getvalue())


def test_an_encoding_that_does_not_fit_names_the_line():
    with pytest.raises(CorpusError, match=r"isn't ascii: line 3 .*\(number 17 of the file\)"):
        read_table("text,label\na,b\ncé,d\n".encode(), encoding="ascii")


def test_an_identifier_as_label_is_recognised():
    content = HEADER + "".join(f"text {n},id{n}\n" for n in range(3_000))
    with pytest.raises(CorpusError, match="3,000 different labels in 3,000 rows"):
        read_table(content.encode())


def test_the_size_of_files_is_bounded(monkeypatch, tmp_path):
    monkeypatch.setattr(tabular, "FILE_LIMIT", 100)
    path = tmp_path / "large.csv"
    path.write_bytes(b"x" * 101)
    for source in (path, path.read_bytes(), io.BytesIO(path.read_bytes())):
        with pytest.raises(CorpusError, match="larger than 0 MiB"):
            read_table(source)


@pytest.mark.parametrize("source", ["/no/such/file.csv", "/tmp", "a\0b", "", 5, None, io.StringIO()])
def test_no_file_is_a_sentence(source):
    with pytest.raises(CorpusError):
        read_table(source)


def test_an_open_file_of_another_encoding_is_a_sentence(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes((HEADER + ROWS.replace("text", "caf\xe9")).encode("latin-1"))
    with open(path, encoding="utf-8") as file, pytest.raises(CorpusError, match=r"a\.csv isn't utf-8"):
        read_table(file)


@given(
    st.one_of(
        st.binary(max_size=300), st.text(max_size=300).map(lambda text: (HEADER + text).encode("utf-8", "replace"))
    )
)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_is_given_is_a_corpus_or_a_sentence(content):
    try:
        corpus = read_table(content)
    except CorpusError as error:
        assert str(error)
    else:
        assert corpus.documents

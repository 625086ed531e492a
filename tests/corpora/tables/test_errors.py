"""Files that are no table, or a bad one: a sentence that names file, row and column."""

import io
import tracemalloc
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ltw_core.corpora import CorpusError, read_table
from ltw_core.corpora.tables import collector, rows
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.limits import UPLOAD_ROWS, Limits, upload_limits

HEADER = "text,label\n"
ROWS = "".join(f'"text {number}, quoted",{"ab"[number % 2]}\n' for number in range(20))


BAD = {
    "empty": (b"", " is empty."),
    "blank": (b" \n\n \n", " is empty."),
    "only quotes": (
        b'""\n',
        " has a single column, '\"\"': a table needs a text and a label column, separated by commas, "
        "semicolons, tabs or bars. Give the delimiter if it is another.",
    ),
    "header only": (HEADER.encode(), " has no row below its header."),
    "no texts": (b"text,label\n,a\n,b\n", " has no row with a text and a label."),
    "one column": (
        b"text\na\nb\n",
        " has a single column, 'text': a table needs a text and a label column, separated by commas, "
        "semicolons, tabs or bars. Give the delimiter if it is another.",
    ),
    "duplicate header": (b"text,label,text\na,b,c\n", ", row 1: columns 1 and 3 have the same name, 'text'."),
    "too few cells": (
        b"text,label\na,b\nc\n",
        ", row 3: 1 cell where the header has 2 columns; column 'label' is missing.",
    ),
    "too many cells": (
        b"text,label\na,b\nc,d,e\n",
        ", row 3: 3 cells where the header has 2 columns; cell 3, 'e', has no column. A text that holds "
        "',' must stand in quotation marks.",
    ),
    "ragged after a long cell": (
        b'text,label\n"a\nb\nc",x\nd\n',
        ", row 3 (line 5): 1 cell where the header has 2 columns; column 'label' is missing.",
    ),
    "open quote": (b'text,label\na,b\n"c,d\ne,f\n', ", row 3: a quotation mark opens a cell here and is never closed."),
    "quote inside": (
        b'text,label\na,b\n"c"x,d\n',
        ", row 3: a quoted cell goes on after its closing quotation mark; quotation marks inside of it "
        "must be doubled.",
    ),
    "one class": (
        b"text,label\n" + b"".join(b"%d,x\n" % n for n in range(9)),
        " has a single class, 'x', and every training document has it: there is nothing to tell apart. "
        "Give documents of at least two classes, or documents without the class.",
    ),
    "NUL": (
        b"text,label\na,b\nc\0,d\n",
        " has a NUL byte in line 3 (byte 17): it isn't text, or it is damaged. If it is UTF-16, give the"
        " encoding utf-16-le or utf-16-be.",
    ),
    "long cell": (
        HEADER.encode() + b"a,b\n" + b"x" * 5_000_001 + b",b\n",
        ", row 3: a cell is longer than 5,000,000 characters; probably a quotation mark is never closed.",
    ),
    "workbook": (
        b"\xd0\xcf\x11\xe0" + b"\0" * 99,
        " isn't CSV, TSV, JSONL, JSON or Parquet but an old Excel workbook: export the sheet as CSV.",
    ),
    "pdf": (b"%PDF-1.4", " isn't CSV, TSV, JSONL, JSON or Parquet but a PDF document: it holds no table."),
    "wrong mark": (
        b"\xff\xfe\x00",
        " isn't utf-16: line 1 has a byte (number 3 of the file) that does not belong there. Give another encoding.",
    ),
    "many columns": (
        b",".join(b"c%d" % n for n in range(2_001)) + b"\n",
        " has 2,001 columns; at most 2,000 are read.",
    ),
    "label is the text": (
        HEADER.encode() + b"a,b\nc," + b"y" * 300 + b"\n",
        ", row 3, column 'label': the label 'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…' has 300 "
        "characters, over 200; is it a text?",
    ),
    "JSON syntax": (
        b'{"text": "a", "label": "b"}\n{"text"\n',
        ", row 2 isn't JSON (character 8: Expecting ':' delimiter).",
    ),
    "JSON twice": (
        b'{"text": "a", "label": "b"}\n{"text": "a", "text": "b"}',
        ", row 2: the key 'text' is there twice.",
    ),
    "JSON no object": (b'{"text": "a", "label": "b"}\n3', ", row 2 isn't a JSON object; JSONL has one object a line."),
    "JSON nested": (
        b'{"text": "a", "label": "b"}\n' + b"[" * 100_000,
        ", row 2: lists or objects are nested too deeply.",
    ),
    "JSON long number": (
        b'{"text": "a", "label": "b"}\n{"text": ' + b"1" * 5_000 + b"}",
        ", row 2 isn't JSON (Exceeds the limit (4300 digits) for integer string conversion…",
    ),
    "JSON object as label": (
        b'{"text": "a", "label": {"b": 1}}',
        ", row 1, column 'label': a label or a list of labels was expected.",
    ),
    "JSON list as text": (
        b'{"text": ["a"], "label": "b"}',
        ", row 1, column 'text': a text was expected, not a list, an object or a truth value.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_a_sentence(case, tmp_path):
    content, message = BAD[case]
    path = tmp_path / "bad.csv"
    path.write_bytes(content)
    with pytest.raises(CorpusError) as caught:
        read_table(path)
    said, begins = str(caught.value).removeprefix("bad.csv"), message.removesuffix("…")  # Python's own words end that
    assert said == message or (begins != message and said.startswith(begins))


def test_a_zip_named_csv():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.csv", HEADER + ROWS)
    with pytest.raises(CorpusError, match="isn't CSV, TSV, JSONL, JSON or Parquet but a ZIP archive or a workbook"):
        read_table(buffer.getvalue())


def test_an_encoding_that_does_not_fit_names_the_line():
    with pytest.raises(CorpusError, match=r"isn't ascii: line 3 .*\(number 17 of the file\)"):
        read_table("text,label\na,b\ncé,d\n".encode(), encoding="ascii")


def test_an_identifier_as_label_is_recognised():
    content = HEADER + "".join(f"text {n},id{n}\n" for n in range(3_000))
    with pytest.raises(CorpusError, match="3,000 different labels in 3,000 rows"):
        read_table(content.encode())


def test_the_size_of_uploads_is_bounded_and_of_nothing_else(monkeypatch, tmp_path):
    monkeypatch.setenv("LTW_TABLE", "1")
    path = tmp_path / "large.csv"
    path.write_bytes(HEADER.encode() + b"".join(b"some words of text %d,%d\n" % (n, n % 2) for n in range(50_000)))
    with pytest.raises(CorpusError, match=r"^large\.csv is larger than 1 MB, the most that is read here;"):
        read_table(Content(path.read_bytes(), "large.csv", upload_limits()))
    for source in (path, path.read_bytes(), io.BytesIO(path.read_bytes())):
        assert len(read_table(source).documents) == 50_000


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("/no/such/file.csv", "There is no file /no/such/file.csv."),
        ("a\0b", "There is no file a\0b."),
        ("", "There is no file .."),
        (5, "A table is a path, bytes or an open file, not int."),
        (None, "A table is a path, bytes or an open file, not NoneType."),
        (io.StringIO(), "the table is empty."),
    ],
)
def test_no_file_is_a_sentence(source, sentence):
    with pytest.raises(CorpusError) as caught:
        read_table(source)
    assert str(caught.value) == sentence


def test_what_cannot_be_read_is_a_sentence(tmp_path):
    class Broken(io.BytesIO):
        def read(self, size=-1):
            raise OSError("the disk is on fire")

    with pytest.raises(CorpusError) as caught:
        read_table(Broken())
    assert str(caught.value) == "the table can't be read: the disk is on fire."
    with open(__file__, "rb") as closed:
        pass
    with pytest.raises(CorpusError, match=r"^test_errors\.py can't be read: .*closed file\.$"):
        read_table(closed)


def test_the_limits_are_exact(monkeypatch, tmp_path):
    """What is as long as allowed is read; one more is a sentence."""
    content = (HEADER + "aaaa,x\nbbbb,y\ncccc,x\ndddd,y\n").encode()
    as_json = b"".join(b'{"text": "%c", "label": "%c"}\n' % pair for pair in zip(b"abcd", b"xyxy", strict=True))
    as_json = as_json.replace(b'"a"', b'"aaaa"')
    for name, limit, table, sentence in (
        (
            "n_bytes",
            len(content),
            content,
            "the table is larger than 0 MB, the most that is read here; take a sample of it, or read it with Python, "
            "where memory is the limit.",
        ),
        ("rows", 4, content, "the table has more than 3 rows with a text; take a sample of them."),
        ("CELL_LIMIT", 4, as_json, "the table, row 1, column 'text': the text is longer than 3 characters."),
        (
            "LABEL_LIMIT",
            1,
            content,
            "the table, row 2, column 'label': the label 'x…' has 1 characters, over 0; is it a text?",
        ),
    ):
        with monkeypatch.context() as patch:
            of_upload = name in ("n_bytes", "rows")  # where the others are for every table

            def read(limit, name=name, table=table, patch=patch, of_upload=of_upload):
                if of_upload:
                    return read_table(Content(table, limits=Limits(**{name: limit})))
                patch.setattr(collector, name, limit)
                return read_table(table)

            assert read(limit)
            with pytest.raises(CorpusError) as caught:
                read(limit - 1)
            assert str(caught.value) == sentence
    assert (upload_limits(), UPLOAD_ROWS) == (Limits(100 * 2**20, 2_000_000), 2_000_000)
    monkeypatch.setenv("LTW_TABLE", "370")
    assert upload_limits().n_bytes == 370 * 2**20
    assert (collector.CLASS_LIMIT, collector.LABEL_LIMIT, collector.CELL_LIMIT) == (1_000, 200, 5_000_000)


@pytest.mark.parametrize(
    ("classes", "documents", "refused"), [(3, 6, False), (4, 8, False), (4, 7, True), (3, 5, False)]
)
def test_many_labels_are_an_identifier_where_most_documents_have_one_of_their_own(
    monkeypatch, classes, documents, refused
):
    monkeypatch.setattr(collector, "CLASS_LIMIT", 3)
    content = (HEADER + "".join(f"text {n},id{n % classes}\n" for n in range(documents))).encode()
    if not refused:
        assert read_table(content)
        return
    with pytest.raises(CorpusError) as caught:
        read_table(content)
    assert str(caught.value) == (
        "the table, column 'label': 4 different labels in 7 rows. Is it the label column, and is the separator of "
        "several labels right?"
    )


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


# Shapes that no table should have -------------------------------------------------------------------------------------
def refused(data, name="wide.csv"):
    """The sentence, and the most memory that was allocated on the way (bytes, without the file's)."""
    file = io.BytesIO(data)
    file.name = name
    tracemalloc.start()
    try:
        with pytest.raises(CorpusError) as raised:
            read_table(file)
        return str(raised.value), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


LONG = (
    "wide.csv, line {}: a row begins here that is longer than 50,000 characters; probably line breaks are missing, or "
    "a quotation mark is never closed."
)
LONG_ROWS = {
    "a header": (b",".join(b"c%d" % n for n in range(200_000)), LONG.format(1)),
    "a row of empty cells": (b"text,label\n" + b"," * 1_000_000, LONG.format(2)),
    "a row of short cells": (b"text,label\na,b\n" + b"xy," * 400_000, LONG.format(3)),
    "a row over several lines": (b"text,label\n" + (b"xy," * 1_000 + b'"\n",') * 400, LONG.format(2)),
    "a text": (b"text,label\n" + b"word " * 200_000, LONG.format(2)),
    "a row of a table with tabs": (b"text\tlabel\n" + b"word\t" * 200_000, LONG.format(2)),
    "keys of an object": (
        b'{"text": "a", "label": "b"}\n{' + b",".join(b'"k%d": 1' % n for n in range(90_000)) + b"}",
        LONG.format(2),
    ),
}


@pytest.mark.parametrize("case", LONG_ROWS)
def test_a_row_without_an_end_is_a_sentence_and_takes_no_more_memory_than_a_long_row(case, monkeypatch):
    monkeypatch.setattr(rows, "ROW_LIMIT_CHARACTERS", 50_000)
    data, sentence = LONG_ROWS[case]
    said, peak = refused(data)
    assert said == sentence
    assert peak < len(data) + 40 * 50_000  # the bytes are copied once; the cells of a row take twenty times as much


def test_too_many_columns():
    said, peak = refused(b",".join(b"c%d" % n for n in range(200_000)))
    assert said == "wide.csv has 200,000 columns; at most 2,000 are read."
    assert peak < 40 * 2**20
    keys = ",".join(f'"k{n}": 1' for n in range(2_001))
    assert (
        refused(f"{{{keys}}}".encode(), "wide.jsonl")[0] == "wide.jsonl, row 1 has 2,001 keys; at most 2,000 are read."
    )


def test_a_row_may_be_as_long_as_the_limit(monkeypatch):
    monkeypatch.setattr(rows, "ROW_LIMIT_CHARACTERS", 200)
    texts = ["a" * 197, "b" * 197, "c" * 197, "d" * 197]
    data = "text,label\n" + "".join(f"{text},{label}\n" for text, label in zip(texts, "xyxy", strict=True))
    assert sorted(read_table(data.encode()).documents) == texts
    with pytest.raises(CorpusError, match="line 3: a row begins here that is longer than 200 characters"):
        read_table(data.replace("b,y", "bb,y").encode())


def test_one_label_for_all_and_one_for_each():
    constant = "text,label\n" + "".join(f"apple {n},same\n" for n in range(9))
    assert refused(constant.encode(), "one.csv")[0] == (
        "one.csv has a single class, 'same', and every training document has it: there is nothing to tell apart. Give "
        "documents of at least two classes, or documents without the class."
    )
    each = "text,label\n" + "".join(f"apple {n},class {n}\n" for n in range(9))
    sentence = (
        "Every document has a label of its own; is column 'label' the right one? A class of one document teaches "
        "nothing about others."
    )
    assert sentence in read_table(each.encode()).report
    assert sentence not in read_table(each.replace("class 3", "class 4").encode()).report

import gzip
import io
import json
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ltw_core.corpora import CorpusError, read_table, tabular
from ltw_core.corpora.tabular import identifier

HEADER = "text,label\n"
ROWS = "".join(f'"text {number}, quoted",{"ab"[number % 2]}\n' for number in range(20))


def labels_of(corpus):
    """Text → set of class names."""
    names = np.array(corpus.class_names)
    return {text: set(names[corpus.labels[[row]].indices]) for row, text in enumerate(corpus.documents)}


def report(corpus):
    return " ".join(corpus.report)


# ---- what can be read ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(delimiter):
    content = f"id{delimiter}text{delimiter}label\n"
    content += "".join(f'{n}{delimiter}"t{n}; a, b | c"{delimiter}{"ab"[n % 2]}\n' for n in range(20))
    corpus = read_table(content.encode())
    assert corpus.class_names == ("a", "b")
    assert labels_of(corpus)["t3; a, b | c"] == {"b"}


def test_a_delimiter_can_be_given():
    corpus = read_table(b"text:label\na, x:1\nb, y:2\nc, z:1\nd, w:2\n", delimiter=":")
    assert len(corpus.documents) == 4


def test_path_bytes_and_files_are_the_same(tmp_path):
    content = (HEADER + ROWS).encode()
    path = tmp_path / "My Data (2).csv"
    path.write_bytes(content)
    used = io.BytesIO(content)
    used.read()  # an upload that was read before
    with open(path, "rb") as binary, open(path, encoding="utf-8") as text:
        corpora = [read_table(source) for source in (path, str(path), content, used, binary, text)]
    assert len({corpus.fingerprint for corpus in corpora}) == 1
    assert corpora[0].name == "my-data-2" and corpora[0].title == "My Data (2).csv"
    assert corpora[2].name == "the-table"
    assert read_table(content, name="mine").name == "mine"


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("utf-8", ""),
        ("utf-8-sig", ""),
        ("utf-16", "UTF-16"),
        ("utf-32", "UTF-32"),
        ("utf-16-le", "UTF-16-LE"),
        ("utf-16-be", "UTF-16-BE"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_encodings_are_found(encoding, said):
    content = (HEADER + ROWS.replace("text", "café “naïve”")).encode(encoding)
    corpus = read_table(content)
    assert "café “naïve” 1, quoted" in corpus.documents
    assert said in report(corpus)


def test_bytes_that_windows_does_not_know_are_latin_1():
    corpus = read_table((HEADER + ROWS.replace("text", "caf\xe9\x81")).encode("latin-1"))
    assert "ISO 8859-1" in report(corpus)


def test_an_encoding_can_be_given():
    content = (HEADER + ROWS.replace("text", "текст")).encode("cp1251")
    assert "текст 1, quoted" in read_table(content, encoding="cp1251").documents


def test_line_endings_and_line_breaks_in_cells():
    content = HEADER + 'one,a\r\n"two\r\nlines",b\r\nthree,a\r\n\r\nfour,b\r\n'
    assert "two\r\nlines" in read_table(content.encode()).documents
    assert len(read_table(content.replace("\r\n", "\r").encode()).documents) == 4


def test_tabs_with_quotation_marks_that_are_text():
    content = "text\tlabel\n" + "".join(f'"{n} inch\t{"ab"[n % 2]}\n' for n in range(9))
    corpus = read_table(content.encode())
    assert '"3 inch' in corpus.documents and corpus.class_names == ("a", "b")
    assert "as they stand" in report(corpus)


def test_jsonl_with_lists_strings_numbers_and_truth_values():
    rows = [{"text": "a", "labels": ["x", "y"]}, {"text": "b", "labels": "x"}, {"text": "c", "labels": []}]
    rows += [{"text": "d", "labels": 1}, {"text": "e", "labels": True}, {"text": "f", "labels": None}]
    rows += [{"text": text, "labels": ["x"], "split": "test"} for text in "gh"]
    for row in rows[:6]:
        row["split"] = "train"
    corpus = read_table("\n".join(map(json.dumps, rows)).encode())
    found = labels_of(corpus)
    assert found["a"] == {"x", "y"} and found["b"] == {"x"} and found["c"] == set()
    assert found["d"] == {"1"} and found["e"] == {"True"}
    assert found["f"] == set()
    assert "2 rows (3, 6) without a label, kept" in report(corpus)


def test_halves_of_surrogate_pairs_are_replaced():
    content = "\n".join(json.dumps({"text": f"\ud800 {n}", "label": "ab"[n % 2]}) for n in range(9))
    assert len(read_table(content.encode()).fingerprint) == 64


def test_several_labels_with_a_separator():
    content = HEADER + "".join(f"d{n},a | b\ne{n},b\nf{n},\n" for n in range(9))
    corpus = read_table(content.encode(), separator="|")
    assert corpus.class_names == ("a", "b")
    assert labels_of(corpus)["d1"] == {"a", "b"} and labels_of(corpus)["f1"] == set()
    assert "without a label, kept" in report(corpus)


def test_a_separator_that_was_forgotten_is_hinted_at():
    content = HEADER + "".join(f"d{n},a|b\ne{n},b\n" for n in range(9))
    assert "give it as separator" in report(read_table(content.encode()))
    assert "separator" not in report(read_table((HEADER + ROWS).encode()))


# ---- columns ---------------------------------------------------------------------------------------------------------


def test_columns_are_guessed_by_content():
    content = "nr,what,kind\n" + "".join(f"{n},a rather long text {n},{'xyz'[n % 3]}\n" for n in range(30))
    corpus = read_table(content.encode())
    assert corpus.class_names == ("x", "y", "z") and "a rather long text 3" in corpus.documents
    assert "texts are in column 'what', labels in 'kind'" in report(corpus)


def test_columns_can_be_given():
    content = "text,label,kind,body\n" + "".join(f"t{n},{'ab'[n % 2]},{'xy'[n % 2]},b{n}\n" for n in range(9))
    corpus = read_table(content.encode(), text="body", label="kind")
    assert corpus.class_names == ("x", "y") and "b3" in corpus.documents


def test_columns_that_cannot_be_guessed_are_asked_for():
    content = "a,b\n" + "".join(f"{n},{n}\n" for n in range(9))
    with pytest.raises(CorpusError, match=r"no column looks like labels; say which \(a, b\)"):
        read_table(content.encode())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"text": "x"}, "has no column 'x'; there are 'text', 'label'"),
        ({"label": "x"}, "has no column 'x'"),
        ({"split": "x"}, "has no column 'x'"),
        ({"text": "label", "label": "label"}, "given for two purposes"),
        ({"separator": ""}, "separator of labels must not be empty"),
        ({"delimiter": "::"}, "single character between columns, not '::'"),
        ({"encoding": "klingon"}, "no text encoding 'klingon'"),
        ({"encoding": "rot13"}, "no text encoding 'rot13'"),
        ({"encoding": "ascii"}, None),
    ],
)
def test_wrong_arguments_are_a_sentence(arguments, message):
    if message is None:
        assert read_table((HEADER + ROWS).encode(), **arguments)
    else:
        with pytest.raises(CorpusError, match=message):
            read_table((HEADER + ROWS).encode(), **arguments)


# ---- the split -------------------------------------------------------------------------------------------------------

SPLIT = "text,label,split\n" + "a,x,train\nb,y,Training\nc,x,test\nd,y,TEST\ne,x,dev\n"


def test_a_split_column():
    corpus = read_table(SPLIT.encode())
    assert {text for text, train in zip(corpus.documents, corpus.train, strict=True) if train} == {"a", "b", "e"}
    assert "marked for validation (1)" in report(corpus)


def test_a_split_column_can_be_turned_off():
    corpus = read_table(SPLIT.encode(), split=False)
    assert (corpus.n_train, corpus.n_test) == (4, 1)


def test_a_column_of_another_meaning_is_not_taken_for_the_split():
    content = "text,label,set\n" + "".join(f"t{n},{'ab'[n % 2]},{n}\n" for n in range(10))
    assert "Without a split column" in report(read_table(content.encode()))


def test_without_one_the_split_goes_by_a_hash_whatever_the_order_of_rows():
    lines = ROWS.splitlines(keepends=True)
    corpora = [read_table((HEADER + "".join(rows)).encode()) for rows in (lines, lines[::-1])]
    assert corpora[0].fingerprint == corpora[1].fingerprint
    assert (corpora[0].n_train, corpora[0].n_test) == (14, 6)


def test_a_table_sorted_by_class_is_mixed():
    content = HEADER + "".join(f"t{n},{'a' if n < 50 else 'b'}\n" for n in range(100))
    corpus = read_table(content.encode())
    assert np.count_nonzero(np.diff(corpus.labels.indices)) > 25


def test_texts_in_both_parts_are_counted():
    assert "both training and test documents: 1." in report(read_table((SPLIT + "a,x,test\n").encode()))
    assert "both training" not in report(read_table(SPLIT.encode()))


def test_a_wrong_word_names_row_and_column():
    with pytest.raises(CorpusError, match="row 3, column 'split': 'tset' is neither train nor test"):
        read_table(b"text,label,split\na,x,train\nb,y,tset\n", split="split")


def test_a_label_only_in_the_test_part_is_dropped_and_said():
    corpus = read_table((SPLIT + "f,z,test\n").encode())
    assert corpus.class_names == ("x", "y")
    assert "1 class dropped for want of a training document: z" in report(corpus)
    assert len(corpus.documents) == 6


# ---- what is dropped and what is wrong -------------------------------------------------------------------------------


def test_empty_texts_and_labels_are_dropped_and_said():
    corpus = read_table((HEADER + ROWS + ",a\n  ,b\nlast,\n").encode())
    assert len(corpus.documents) == 20
    assert "2 rows (22, 23) dropped because the text is empty" in report(corpus)
    assert "Row 24 dropped for want of a label" in report(corpus)


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


def test_formulas_stay_text():
    content = HEADER + ROWS + "\"=cmd|'/c calc'!A1\",a\n__import__(1),b\n"
    assert "=cmd|'/c calc'!A1" in read_table(content.encode()).documents


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


def test_memory_grows_with_the_file_only():
    words = "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt "
    data = (HEADER + "".join(f"{words * 2}{n},{'abc'[n % 3]}\n" for n in range(12_000))).encode()
    tracemalloc.start()
    read_table(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 6 * len(data)


@pytest.mark.parametrize(
    ("source", "expected"),
    [("My Data (2).csv", "my-data-2"), ("über.tsv", "über"), (".csv", "csv"), ("???.csv", "table"), ("a", "a")],
)
def test_identifiers(source, expected):
    assert identifier(source) == expected

"""What can be read: delimiters, encodings, quoting, JSONL, several labels."""

import io
import json

import numpy as np
import pytest

from ltw_core.corpora import read_table
from ltw_core.corpora.tables.read_table import identifier

HEADER = "text,label\n"
ROWS = "".join(f'"text {number}, quoted",{"ab"[number % 2]}\n' for number in range(20))


def labels_of(corpus):
    """Text → set of class names."""
    names = np.array(corpus.class_names)
    return {text: set(names[corpus.labels[[row]].indices]) for row, text in enumerate(corpus.documents)}


def report(corpus):
    return " ".join(corpus.report)


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


def test_a_corpus_says_where_it_is_from_and_in_what_language():
    rows = [{"text": f"text {n}", "label": "ab"[n % 2]} for n in range(9)]
    content = "text,label\n" + "".join(f"{row['text']},{row['label']}\n" for row in rows)
    for given, title, name, origin in (
        (content.encode(), "T.csv", "t", "The file T.csv"),
        (rows, None, "the-table", "A table given by the user"),
        (rows, "T", "t", "The file T"),
    ):
        corpus = read_table(given, title=title, language="german")
        assert (corpus.name, corpus.title, corpus.origin) == (name, title or "the table", origin)
        assert corpus.language == "german" and read_table(given, name="n", language=None).language is None
        assert read_table(given, name="n").name == "n" and read_table(given).language == "english"


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


def test_formulas_stay_text():
    content = HEADER + ROWS + "\"=cmd|'/c calc'!A1\",a\n__import__(1),b\n"
    assert "=cmd|'/c calc'!A1" in read_table(content.encode()).documents


@pytest.mark.parametrize(
    ("source", "expected"),
    [("My Data (2).csv", "my-data-2"), ("über.tsv", "über"), (".csv", "csv"), ("???.csv", "table"), ("a", "a")],
)
def test_identifiers(source, expected):
    assert identifier(source) == expected

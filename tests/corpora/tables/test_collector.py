"""Rows by hand: what is taken, what is dropped, and every sentence about it."""

import hashlib

import numpy as np
import pytest

from ltw_core.corpora import CorpusError
from ltw_core.corpora.tables import collector as module
from ltw_core.corpora.tables.collector import Collector
from ltw_core.corpora.tables.columns import Columns
from ltw_core.corpora.tables.rows import Row

PLAIN, SPLIT = Columns("text", "label", None), Columns("text", "label", "part")
READ = "Read {:,} documents; texts are in column 'text', labels in 'label'."
BY_HASH = "Without a split column, 70% of the documents, by a hash, are for training."
HEADER = "Row 1 is the header."
OWN = (
    "Every document has a label of its own; is column 'label' the right one? A class of one document teaches nothing "
    "about others."
)


def collected(*rows, columns=PLAIN, separator=None, first=2):
    """Of rows of a text, a label and perhaps a part; the first one's number is given."""
    made = Collector("T.csv", columns, separator)
    for number, cells in enumerate(rows, first):
        made.take(Row(number, number, dict(zip(("text", "label", "part"), cells, strict=False))))
    return made


def corpus_of(*rows, **options):
    return collected(*rows, **options).corpus(["It was read."], "name", "german")


def labels_of(corpus):
    return [{corpus.class_names[j] for j in corpus.labels[[i]].indices} for i in range(len(corpus.documents))]


PAIRS = [(f"text {n}", "ab"[n % 2]) for n in range(6)]


def test_a_plain_table_is_a_corpus_with_its_sentences():
    corpus = corpus_of(*PAIRS)
    told = (corpus.name, corpus.title, corpus.origin, corpus.language)
    assert told == ("name", "T.csv", "The file T.csv", "german")
    assert list(corpus.report) == ["It was read.", READ.format(6), BY_HASH]
    assert corpus.train.tolist() == [True] * 5 + [False] and corpus.train.dtype == bool  # 4.2 are 5
    assert labels_of(corpus) == [{"ab"[int(text[-1]) % 2]} for text in corpus.documents]


def test_documents_come_in_the_order_of_their_keys_and_those_of_one_text_in_the_tables():
    made = collected(*PAIRS)
    keys = made._keys()
    digests = [hashlib.blake2b(text.encode(), digest_size=16).digest() for text, _ in PAIRS]
    assert keys.dtype == np.uint64 and keys.tolist() == [int.from_bytes(digest[:8], "big") for digest in digests]
    several = corpus_of(*(("one text", "abc"[n * n % 7 % 3]) for n in range(500)))
    assert labels_of(several) == [{"abc"[n * n % 7 % 3]} for n in range(500)]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], []),
        ([("", "a")], ["Row 8 dropped because the text is empty.", HEADER]),
        ([("more", "")], ["Row 8 dropped for want of a label.", HEADER]),
        (
            [(" \t", "a"), (None, "a"), ("more", None), ("more", "  ")],
            [
                "2 rows (8, 9) dropped because the text is empty.",
                "2 rows (10, 11) dropped for want of a label.",
                HEADER,
            ],
        ),
    ],
)
def test_what_is_dropped_is_said(rows, told):
    assert list(corpus_of(*PAIRS, *rows).report) == ["It was read.", READ.format(6), *told, BY_HASH]
    without_header = [sentence.replace("8", "7").replace("9", "8") for sentence in told if sentence != HEADER]
    without_header = [sentence.replace("10, 11", "9, 10") for sentence in without_header]
    assert list(corpus_of(*PAIRS, *rows, first=1).report)[2:-1] == without_header


def test_with_several_labels_a_document_may_have_none():
    kept = "Row 8 without a label, kept as a document of no class."
    for rows, separator in (
        ([(text, f"{label}; c ;{label};") for text, label in PAIRS], ";"),
        ([(text, [label, "c", None, f" {label} "]) for text, label in PAIRS], None),
    ):
        corpus = corpus_of(*rows, ("more", ""), separator=separator)
        assert list(corpus.report) == ["It was read.", READ.format(7), kept, HEADER, BY_HASH]
        wanted = [set() if text == "more" else {"ab"[int(text[-1]) % 2], "c"} for text in corpus.documents]
        assert labels_of(corpus) == wanted
    made = collected(*PAIRS)
    assert not made.lists and made._labels(Row(2, 2, {"label": ["b", "a", "b c"]})) == ("a", "b", "b c")
    assert made.lists and made._label_set(Row(2, 2, {}), "b") == ("b",)
    assert collected(separator="|")._label_set(Row(2, 2, {}), "z| b\n c |a||z") == ("a", "b c", "z")
    assert made._label_set(Row(2, 2, {}), 7) == ("7",) and made._label_set(Row(2, 2, {}), "é\ud800") == ("é?",)


def test_parts():
    rows = [("a", "x", "train"), ("b", "y", "dev"), ("c", "x", "test"), ("a", "y", "test"), ("d", "y", "dev")]
    corpus = corpus_of(*rows, ("e", "", "test"), ("", "x", "dev"), columns=SPLIT)
    assert list(corpus.report) == [
        "It was read.",
        READ.format(5),
        "Row 8 dropped because the text is empty.",
        "Row 7 dropped for want of a label.",
        HEADER,
        "The split is in column 'part'.",
        "Documents marked for validation (2) count as training documents.",
        "Texts that are in both training and test documents: 1.",
    ]
    found = sorted(zip(corpus.documents, corpus.train.tolist(), strict=True))
    assert found == [("a", False), ("a", True), ("b", True), ("c", False), ("d", True)]
    plain = corpus_of(("a", "x", "train"), ("b", "y", "train"), ("c", "x", "test"), ("a", "x", "train"), columns=SPLIT)
    assert list(plain.report)[2:] == ["The split is in column 'part'."]
    for word, shown in (("x" * 50, repr("x" * 40)), (7, "'7'"), (None, "'None'")):
        with pytest.raises(CorpusError, match=rf"^T\.csv, row 2, column 'part': {shown} is neither train nor test\.$"):
            collected(("a", "x", word), columns=SPLIT)


def test_a_label_of_its_own_for_each_document_is_said_where_there_are_three():
    for n, told in ((2, []), (3, [OWN]), (4, [OWN])):
        rows = [(f"text {k}", f"class {k}", "test" if k else "train") for k in range(n)]
        assert list(collected(*rows)._sentences(0)) == [READ.format(n), *told, BY_HASH]
        assert list(collected(*rows, separator="|")._sentences(0)) == [READ.format(n), BY_HASH]
    assert OWN not in collected(*rows, ("more", "class 1"))._sentences(0)


@pytest.mark.parametrize(
    ("labels", "shown"),
    [
        (["a", "b"], None),
        (["a|b"], None),  # of which nothing tells that they are two
        (["a|b", "c;d"], None),
        (["a|b", "b"], "'|' (a|b)"),
        (["x", "a; b", "c ;b"], "';' (a; b, c ;b)"),
        (["b,c", "a,b", "d,b"], "',' (a,b, b,c and 1 more)"),
        (["a|b", "c;d", "d"], "';' (c;d)"),
        (["a|b", "c|d", "e|f", "e"], "'|' (a|b, c|d and 1 more)"),
    ],
)
def test_several_labels_in_one_are_hinted_at(labels, shown):
    rows = [(f"text {n}", label) for n, label in enumerate(labels)]
    told = f"Some labels hold {shown}: if they are several, give it as separator." if shown else ""
    made = collected(*rows)
    assert made._separator_hint() == told and made._sentences(0)[-1] == (told or BY_HASH)
    assert collected(*rows, separator="/")._separator_hint() == ""
    assert collected(*rows, ("list", ["a"]))._separator_hint() == ""


@pytest.mark.parametrize(
    ("n", "told"),
    [
        (1, "Row 1,001"),
        (2, "2 rows (1,001, 1,002)"),
        (5, "5 rows (1,001, 1,002, 1,003, 1,004, 1,005)"),
        (6, "6 rows (1,001, 1,002, 1,003, 1,004, 1,005 and 1 more)"),
        (2_000, "2,000 rows (1,001, 1,002, 1,003, 1,004, 1,005 and 1,995 more)"),
    ],
)
def test_numbers_of_rows(n, told):
    assert module._rows(range(1_001, 1_001 + n)) == told


def test_texts_in_both_parts_are_counted_once():
    keys = np.array([1, 1, 2, 3, 3, 3, 4, 5, 5], dtype=np.uint64)
    train = np.array([1, 0, 1, 0, 1, 0, 0, 1, 1], dtype=bool)
    assert module._in_both(keys, train) == 2 and module._in_both(keys[2:], train[2:]) == 1
    assert module._in_both(keys[:1], train[:1]) == module._in_both(keys[6:], train[6:]) == 0


def test_cells_of_labels_are_remembered_up_to_a_number(monkeypatch):
    monkeypatch.setattr(module, "CELLS_KNOWN", 3)
    made = collected()
    for cell, known in (("a", 1), ("b", 2), ("a", 2), ("c", 3), ("a", 3), ("d", 1), ("a", 2)):
        assert made._label_set(Row(2, 2, {}), cell) == (cell,) and len(made._label_sets) == known
        assert cell in made._label_sets


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], " has no row below its header."),
        ([("", "a")], " has no row with a text and a label."),
        ([("text", "")], " has no row with a text and a label."),
        ([(True, "a")], ", row 2, column 'text': a text was expected, not a list, an object or a truth value."),
        ([({}, "a")], ", row 2, column 'text': a text was expected, not a list, an object or a truth value."),
        ([("text", {})], ", row 2, column 'label': a label or a list of labels was expected."),
        ([("text", ["a", ["b"]])], ", row 2, column 'label': a label or a list of labels was expected."),
    ],
)
def test_what_makes_no_corpus(rows, told):
    with pytest.raises(CorpusError) as raised:
        corpus_of(*rows)
    assert str(raised.value) == f"T.csv{told}"


def test_numbers_are_texts_too():
    assert list(collected((5, "a"), (6.5, "b"), ("x", "a")).texts) == ["5", "6.5", "x"]

"""Which columns are taken, and the split that one of them makes."""

from hashlib import blake2b

import numpy as np
import pytest

from ltw_core.corpora import CorpusError, read_table
from ltw_core.corpora.tables.columns import Columns, choose_columns, passed_over, split_word
from ltw_core.corpora.tables.rows import Row

HEADER = "text,label\n"
ROWS = "".join(f'"text {number}, quoted",{"ab"[number % 2]}\n' for number in range(20))


def report(corpus):
    return " ".join(corpus.report)


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


# ---- by name and by content ------------------------------------------------------------------------------------------


def rows(*cells, names=("a", "b", "c", "d")):
    return [Row(n, n, dict(zip(names, row, strict=False))) for n, row in enumerate(cells, 2)]


@pytest.mark.parametrize(
    ("columns", "asked", "chosen"),
    [
        (["Title", "body", "Y", "tag"], {}, ("body", "tag", None)),  # in the order of the names that are known
        (["TEXT", "text", "Label", "label"], {}, ("TEXT", "Label", None)),  # of two the first
        (["text", "label", "fold", "part"], {}, ("text", "label", None)),  # what is in them are no words for parts
        (["text", "label"], {"text": "label"}, ("label", "text", None)),
        (["text", "label"], {"label": "text"}, ("label", "text", None)),
        (["text", "label", "c"], {"split": "c"}, ("text", "label", "c")),
        (["text", "label", "split"], {"split": False}, ("text", "label", None)),
    ],
)
def test_columns_by_their_names(columns, asked, chosen):
    sample = rows(("x", "y", 1, "z"), ("v", "w", 2, "z"), ("v", "y", 1, "z"), ("v", "w", 2, "z"), names=columns)
    found = choose_columns(columns, sample, "T", **{"text": None, "label": None, "split": None} | asked)
    assert found == Columns(*chosen)


def test_texts_are_longest_on_average_over_all_rows():
    sample = rows(("xxxx", "yyyyyyy", 123456789), ("xxxx", None, 123456789), ("x", "", 5), ("x", None, 5))
    found = choose_columns(["a", "b", "c"], sample, "T", None, "c", False)
    assert found.text == "a"  # 10 of 4 rows against 7 of 4; what is no string is no text
    assert choose_columns(["b", "c", "a"], sample, "T", None, "c", False).text == "a"
    with pytest.raises(CorpusError, match=r"^T: no column looks like texts; say which \(a, c\)\.$"):
        choose_columns(["a", "c"], sample, "T", None, "a", False)


@pytest.mark.parametrize(
    ("values", "taken"),
    [
        ([1, 2, 1, 2], True),  # two of four rows: twice each on average
        ([1, 2, 3, 1, 2], False),  # three of five
        ([1, 1, 1, 1], False),  # a single one
        ([1, 1, None, ""], False),  # and gaps are none
        ([1, "1", 2, 2], True),
    ],
)
def test_labels_come_twice_each_and_there_are_two(values, taken):
    sample = rows(*(("some text", value) for value in values))
    if taken:
        assert choose_columns(["a", "b"], sample, "T", "a", None, None) == Columns("a", "b", None)
    else:
        with pytest.raises(CorpusError, match=r"^T: no column looks like labels; say which \(a, b\)\.$"):
            choose_columns(["a", "b"], sample, "T", "a", None, None)


def test_of_several_columns_that_look_like_labels_the_one_of_fewest_is_taken():
    sample = rows(*(("some text", n % 3, n % 2, n % 2) for n in range(12)))
    assert choose_columns(["a", "b", "c", "d"], sample, "T", "a", None, None).label == "c"


def test_a_column_is_given_once_and_exists():
    columns = [f"c{n}" for n in range(23)]
    shown = ", ".join(columns[:20])
    for label, what in ((None, "texts"), ("c1", "texts")):
        with pytest.raises(CorpusError, match=rf"^T: no column looks like {what}; say which \({shown} and 3 more\)\.$"):
            choose_columns(columns, [], "T", None, label, False)
    with pytest.raises(CorpusError, match=rf"^T: no column looks like labels; say which \({shown} and 3 more\)\.$"):
        choose_columns(columns, [], "T", "c1", None, False)
    named = ", ".join(f"'c{n}'" for n in range(20))
    for asked in ({"text": "x"}, {"label": "x"}, {"split": "x"}):
        with pytest.raises(CorpusError, match=rf"^T has no column 'x'; there are {named} and 3 more\.$"):
            choose_columns(columns, [], "T", **{"text": None, "label": None, "split": None} | asked)
    for asked in (("c1", "c1", None), ("c1", "c2", "c1"), ("c2", "c1", "c1")):
        with pytest.raises(CorpusError, match=r"^Column 'c1' of T was given for two purposes\.$"):
            choose_columns(columns, [], "T", *asked)


@pytest.mark.parametrize(
    ("cells", "word"),
    [
        (["train", "Test ", "x" * 50], repr("x" * 40)),
        (["train", ""], "an empty cell"),
        (["train", None], "an empty cell"),
        (["train", 7], "'7'"),
        (["train", "dev"], None),
    ],
)
def test_a_column_with_the_name_of_a_split_is_passed_over_with_a_reason(cells, word):
    sample = rows(*(("t", "l", cell) for cell in cells), names=("text", "label", "Fold"))
    chosen = choose_columns(["text", "label", "Fold"], sample, "T", None, None, None)
    assert chosen.split == (None if word else "Fold")
    told = f"Column 'Fold' was not taken for the split: {word} is neither train nor test." if word else ""
    assert passed_over(["text", "label", "Fold"], sample, chosen) == told
    assert passed_over(["text", "label"], sample, chosen) == ""
    assert passed_over(["text", "label", "Fold"], sample, Columns("text", "Fold", None)) == ""


def test_words_for_parts():
    for part, words in {
        "train": ("train", " Training", "TR"),
        "test": ("test", "testing", "te", "eval", "Evaluation "),
        "validation": ("validation", "valid", "val", "dev", "development"),
        None: ("", "trains", "1", 1, None, ["train"]),
    }.items():
        assert {split_word(word) for word in words} == {part} if part else all(split_word(w) is None for w in words)


# ---- the split -------------------------------------------------------------------------------------------------------

SPLIT = "text,label,split\n" + "a,x,train\nb,y,Training\nc,x,test\nd,y,TEST\ne,x,dev\n"


def test_a_split_column():
    corpus = read_table(SPLIT.encode())
    assert {text for text, train in zip(corpus.documents, corpus.train, strict=True) if train} == {"a", "b", "e"}
    assert "marked for validation (1)" in report(corpus)


def test_only_documents_that_are_kept_count_as_marked_for_validation():
    dropped = SPLIT + ",y,dev\n ,x,valid\n" + "f,,dev\n"  # two without a text, one without a label
    assert "marked for validation (1)" in report(read_table(dropped.encode()))
    assert "marked for validation (2)" in report(read_table(dropped.encode(), separator="|"))  # of no class, and kept
    assert "validation" not in report(read_table((SPLIT.replace("e,x,dev", "e,,dev") + ",x,dev\n").encode()))


def test_a_split_column_can_be_turned_off():
    corpus = read_table(SPLIT.encode(), split=False)
    assert (corpus.n_train, corpus.n_test) == (4, 1)


def test_a_column_of_another_meaning_is_not_taken_for_the_split():
    content = "text,label,set\n" + "".join(f"t{n},{'ab'[n % 2]},{n}\n" for n in range(10))
    assert "Without a split column" in report(read_table(content.encode()))


def test_a_column_that_looks_like_a_split_and_is_none_is_named():
    rows = "".join(f"t{n},{'ab'[n % 2]},{'maybe' if n == 3 else 'train'}\n" for n in range(9))
    said = report(read_table(f"text,label,split\n{rows}".encode()))
    assert "Column 'split' was not taken for the split: 'maybe' is neither train nor test." in said
    assert "70%" in said
    gap = report(read_table(f"text,label,split\n{rows.replace('maybe', '')}".encode()))
    assert "an empty cell is neither train nor test" in gap
    assert "not taken" not in report(read_table(f"text,label,split\n{rows}".encode(), split=False))
    assert "not taken" not in report(read_table(f"text,label,split\n{rows.replace('maybe', 'test')}".encode()))


def test_without_one_the_split_goes_by_a_hash_whatever_the_order_of_rows():
    lines = ROWS.splitlines(keepends=True)
    corpora = [read_table((HEADER + "".join(rows)).encode()) for rows in (lines, lines[::-1])]
    assert corpora[0].fingerprint == corpora[1].fingerprint
    assert (corpora[0].n_train, corpora[0].n_test) == (14, 6)


def test_documents_come_in_the_order_of_their_hashes():
    """In every version: a corpus is what it was, and so are the figures on it."""
    rows = [{"text": f"text {n} é", "label": "ab"[n % 2]} for n in range(40)]
    ordered = sorted((row["text"] for row in rows), key=lambda text: blake2b(text.encode(), digest_size=16).digest())
    corpus = read_table(rows)
    assert all(corpus.report)  # no sentence is empty
    assert list(corpus.documents) == ordered and corpus.train.tolist() == [True] * 28 + [False] * 12


def test_a_table_sorted_by_class_is_mixed():
    content = HEADER + "".join(f"t{n},{'a' if n < 50 else 'b'}\n" for n in range(100))
    corpus = read_table(content.encode())
    assert np.count_nonzero(np.diff(corpus.labels.indices)) > 25


def test_texts_in_both_parts_are_counted():
    assert "both training and test documents: 1." in report(read_table((SPLIT + "a,x,test\n").encode()))
    assert "both training" not in report(read_table(SPLIT.encode()))


def test_a_wrong_word_names_row_and_column():
    for word in ("tset", "t" * 50):
        table = f"text,label,split\na,x,train\nb,y,{word}\n"
        with pytest.raises(CorpusError, match=rf"row 3, column 'split': '{word[:40]}' is neither train nor test\.$"):
            read_table(table.encode(), split="split")


def test_a_label_only_in_the_test_part_is_dropped_and_said():
    corpus = read_table((SPLIT + "f,z,test\n").encode())
    assert corpus.class_names == ("x", "y")
    assert "1 class dropped for want of a training document: z" in report(corpus)
    assert len(corpus.documents) == 6


def test_empty_texts_and_labels_are_dropped_and_said():
    corpus = read_table((HEADER + ROWS + ",a\n  ,b\nlast,\n").encode())
    assert len(corpus.documents) == 20
    assert "2 rows (22, 23) dropped because the text is empty" in report(corpus)
    assert "Row 24 dropped for want of a label" in report(corpus)
    assert "Row 1 is the header." in report(corpus)

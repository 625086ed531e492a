"""Which columns are taken, and the split that one of them makes."""

import numpy as np
import pytest

from ltw_core.corpora import CorpusError, read_table

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


def test_empty_texts_and_labels_are_dropped_and_said():
    corpus = read_table((HEADER + ROWS + ",a\n  ,b\nlast,\n").encode())
    assert len(corpus.documents) == 20
    assert "2 rows (22, 23) dropped because the text is empty" in report(corpus)
    assert "Row 24 dropped for want of a label" in report(corpus)
    assert "Row 1 is the header." in report(corpus)

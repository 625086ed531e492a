import numpy as np
import pytest

from ltw_core.corpora import CorpusError, load, ohsumed

READER = ohsumed.Ohsumed()


def whole(n=20):
    """The layout of ohsumed-all-docs: document 0000003 and every third after it has two classes."""
    members = {}
    for number in range(n):
        for label in {f"C{number % 4 + 1:02d}", "C23" if number % 3 == 0 else f"C{number % 4 + 1:02d}"}:
            members[f"ohsumed-all/{label}/{number:07d}"] = f"abstract {number}\n"
    return members


SPLIT = {
    "ohsumed-first-20000-docs/training/C01/0000002": "two",
    "ohsumed-first-20000-docs/training/C02/0000002": "two",
    "ohsumed-first-20000-docs/training/C02/0000001": "one",
    "ohsumed-first-20000-docs/test/C01/0000009": "nine",
    "ohsumed-first-20000-docs/test/C23/0000009": "nine",
}
SINGLE = {
    "ohsumed_single_23/training/C01/0000002": "two",
    "ohsumed_single_23/training/C02/0000001": "one",
    "ohsumed_single_23/test/C01/0000009": "nine",
}


def test_one_folder_a_class(make_tar, tmp_path):
    make_tar("ohsumed-all-docs.tar.gz", whole())
    corpus = READER.parse(READER.find(tmp_path))
    assert len(corpus.documents) == 20
    assert corpus.documents == tuple(f"abstract {number}" for number in range(20))  # in the order of ids
    assert corpus.labels[[3]].sum() == 2
    assert (corpus.n_train, corpus.n_test) == (14, 6)
    assert any("seed 0" in sentence for sentence in corpus.report)
    again = READER.parse(READER.find(tmp_path))
    assert np.array_equal(again.train, corpus.train)
    assert not corpus.train[:14].all()  # drawn, not cut off


def test_the_split_of_the_authors_code(make_tar, monkeypatch, tmp_path):
    """Of 3, 1, 2 in C01, 1, 4, 5 in C02 and 0 in C23: ⌊.7 · 3⌋ of the first class, ⌊.7 · 2⌋ of the second's others."""
    listed = {"C01": (3, 1, 2), "C02": (1, 4, 5), "C23": (0,)}
    make_tar(
        "ohsumed-all-docs.tar.gz", {f"ohsumed-all/{c}/{n}": f"abstract {n}" for c, ns in listed.items() for n in ns}
    )
    monkeypatch.setenv("LTW_DATA", str(tmp_path))
    monkeypatch.setenv("LTW_STATE", str(tmp_path / "state"))
    corpus = load("ohsumed", protocol="authors")
    assert corpus.documents == tuple(f"abstract {n}" for n in (3, 1, 4, 2, 5, 0))
    assert corpus.train.tolist() == [True] * 3 + [False] * 3
    assert corpus.labels.toarray()[1].tolist() == [True, True]
    assert any("class by class the first 70%" in sentence for sentence in corpus.report)
    assert load("ohsumed").documents == tuple(f"abstract {n}" for n in range(6))
    with pytest.raises(CorpusError, match="split is 'first'; it must be random or listing"):
        load("ohsumed", split="first")


def test_training_and_test_folders(make_tar, tmp_path):
    make_tar("ohsumed-first-20000-docs.tar.gz", SPLIT)
    corpus = READER.parse(READER.find(tmp_path))
    assert corpus.documents == ("one", "two", "nine")
    assert corpus.train.tolist() == [True, True, False]
    assert corpus.class_names == ("C01", "C02")
    assert corpus.class_titles == ("C01 Bacterial Infections and Mycoses", "C02 Virus Diseases")
    #                                              C01    C02
    assert corpus.labels.toarray().tolist() == [[False, True], [True, True], [True, False]]
    assert "C23" in corpus.report[-1]  # in the test part only
    assert "34,389" in corpus.notes and corpus.title == "Ohsumed (published split)"


def test_one_class_a_document(make_folder, tmp_path):
    make_folder(".", SINGLE)  # unpacked in place: the folder has the archive's name
    corpus = READER.parse(READER.find(tmp_path))
    assert (corpus.labels.sum(axis=1) == 1).all()
    assert "exactly one class" in corpus.notes and "34,389" in corpus.notes


def test_the_papers_archive_comes_first(make_tar, tmp_path):
    single = make_tar("ohsumed_single_23.tar.gz", SINGLE)
    assert READER.find(tmp_path) == (single,)
    assert READER.find_published(tmp_path) == ()
    paper = make_tar("ohsumed-all-docs.tar.gz", whole())
    assert READER.find(tmp_path) == READER.find_published(tmp_path) == (paper,)


def test_oddities_are_said(make_tar):
    members = SPLIT | {
        "ohsumed-first-20000-docs/test/C02/0000001": "one",
        "ohsumed-first-20000-docs/training/C02/0000002": "two, otherwise",
    }
    corpus = READER.parse((make_tar("x.tar.gz", members),))
    assert corpus.documents == ("one", "two", "nine")
    assert any("training and in test folders: 1" in sentence for sentence in corpus.report)
    assert any("another text than its first: 1" in sentence for sentence in corpus.report)


def test_mixed_layouts_are_refused(make_tar):
    path = make_tar("x.tar.gz", SPLIT | {"C05/0000077": "no part"})
    with pytest.raises(CorpusError, match="both inside and outside"):
        READER.parse((path,))


def test_another_archive_is_a_sentence(make_tar):
    with pytest.raises(CorpusError, match="not an Ohsumed archive"):
        READER.parse((make_tar("ohsumed.tar.gz", {"a/b": "x"}),))


def test_all_23_titles():
    assert list(ohsumed.CLASS_TITLES) == [f"C{number:02d}" for number in range(1, 24)]
    assert ohsumed.CLASS_TITLES["C23"] == "Pathological Conditions, Signs and Symptoms"


@pytest.mark.corpus
def test_the_real_archive(real_corpus):
    corpus = real_corpus("ohsumed")
    assert len(corpus.class_names) == READER.n_classes
    assert corpus.class_names[0] == "C01" and corpus.class_titles[7] == "C08 Respiratory Tract Diseases"
    if len(corpus.documents) == 7_400:
        assert (corpus.n_train, corpus.n_test) == (3_357, 4_043)
        assert (corpus.labels.sum(axis=1) == 1).all()

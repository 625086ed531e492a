"""Ours and the paper's: the real figures of the paper, and counts of ours that are made up."""

import pytest

from ltw_core.studies import paper
from ltw_core.studies.averages import figures, one_a_corpus, shared_classes
from ltw_core.studies.comparison import complete
from ltw_core.studies.tables import OURS, PAPERS, paper_table

SVM = ("reuters21578", "SVM")


@pytest.fixture
def found(store, fill, made):
    """Reuters with one class, whose macro F1 is its F1: .6 for TFRF and .8 for LTW-L-I; of TFCHI a class is missing."""
    cells = {}
    for weighting, counts in {"TFRF": (3, 2, 2, 90), "LTW-L-I": (8, 2, 2, 90), "TFCHI": (1, 0, 0, 90)}.items():
        cells[made.cell(weighting=weighting, corpus="reuters21578", class_name="A")] = counts
    fill(cells)
    return figures(store)


def test_values_and_differences(found):
    shown = paper_table(found, "macro_f1")
    place = shown.place("TFRF", SVM)
    assert (place.average.value, place.paper, place.difference) == (0.6, 0.584, 0.016)  # the paper's figure
    assert place.comparable
    assert shown.place("LTW-L-I", SVM).difference == round(0.8 - 0.629, 3)
    assert shown.place("BM25", SVM).difference is None and shown.place("BM25", SVM).paper == 0.554
    assert [p.weighting for p in shown.far()] == ["TFCHI", "LTW-L-I"]  # .409, .171; TFRF lies within .02
    assert [p.weighting for p in shown.far(0.2)] == ["TFCHI"]


def test_best_and_beating_of_each_side(found):
    shown = paper_table(found, "macro_f1")
    assert shown.best(SVM, OURS) == {"TFCHI"} and shown.beating(SVM, OURS) == set()
    assert shown.best(SVM, PAPERS) == {"LTW-L-I"}
    assert shown.beating(SVM, PAPERS) == {"LTW-L-I", "LTW-L-sigma", "LTW-G-I"}  # shaded in the paper


def test_all_of_the_papers_rows_and_columns_in_its_order(found):
    shown = paper_table([], "macro_f1")
    names = [name for _, name in shown.rows if name in paper.weightings()]
    assert names == paper.weightings()
    assert [column for column in shown.columns if column[1] != "FT"] == [
        (corpus, learner) for corpus in paper.DATASETS for learner in paper.LEARNERS
    ]
    assert paper_table(found, "macro_f1", with_paper=False).rows == [
        ("STW", "TFCHI"),
        ("STW", "TFRF"),
        ("LTW", "LTW-L-I"),
    ]
    # the paper has no figures of this measure
    assert all(p.paper is None for p in paper_table(found, "macro_f1_with_test_positives").places.values())


def test_another_archive_is_not_comparable(store, fill, made):
    other = next(iter(paper.other_documents()))
    fill({made.cell(corpus="ohsumed", fingerprint=other): (1, 1, 1, 1)})
    place = paper_table(figures(store), "macro_f1").place("TFRF", ("ohsumed", "SVM"))
    assert place.difference is not None and not place.comparable


def test_one_group_a_corpus_and_grid(store, fill, made):
    fill(
        {made.cell(class_name=name): (1, 0, 0, 1) for name in "AB"}
        | {made.cell(class_name="A", ratio=0.5): (1, 0, 0, 1), made.cell(class_name="A", grid="full"): (1, 0, 0, 1)}
    )
    (figure,) = one_a_corpus(figures(store), "quick")
    assert (figure.example.ratio, figure.done) == (0.1, 2)
    assert [f.example.grid for f in one_a_corpus(figures(store), "full")] == ["full"]


def test_classes_that_all_have(store, fill, made):
    fill(
        {made.cell(class_name=name): (1, 0, 0, 1) for name in "BAC"}
        | {made.cell(class_name=name, weighting="TF"): (1, 0, 0, 1) for name in "CB"}
    )
    assert shared_classes(store.records(), "synthetic", "quick") == ["B", "C"]
    assert shared_classes(store.records(), "synthetic", "full") == []


def test_pairs_that_all_have():
    values = {"a": {1: 0.1, 2: 0.2, 3: 0.3}, "b": {3: 0.3, 1: 0.1}}
    assert complete(values, ["a", "b"]) == [1, 3]
    assert complete(values, ["a", "c"]) == complete(values, []) == []

"""Ours and the paper's: the real figures of the paper, and counts of ours that are made up."""

import pytest

from ltw_core.studies import findings, paper
from ltw_core.studies.averages import averaged_cells, fullest, one_a_corpus, shared_classes
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
    return averaged_cells(store)


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
    # one figure of the paper's, however classes without test documents count
    assert paper_table(found, "macro_f1_untested_one").scores("paper") == paper_table(found, "macro_f1").scores("paper")


def test_another_archive_is_not_comparable(store, fill, made):
    other = next(iter(findings.other_documents()))
    fill({made.cell(corpus="ohsumed", fingerprint=other): (1, 1, 1, 1)})
    place = paper_table(averaged_cells(store), "macro_f1").place("TFRF", ("ohsumed", "SVM"))
    assert place.difference is not None and not place.comparable


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"ngram_range": (1, 2)}, "other terms: 1- to 2-grams"),
        ({"stop_words": None, "min_df": 3}, "other terms: with stop words, terms in at least 3 documents"),
        ({"ratio": 0.5}, "other terms: 50 % of the terms"),
    ],
)
def test_figures_of_other_terms_are_not_comparable_and_the_column_says_so(store, fill, made, options, told):
    fill({made.cell(corpus="reuters21578", class_name="A", **options): (3, 2, 2, 90)})
    shown = paper_table(averaged_cells(store), "macro_f1")
    place = shown.place("TFRF", SVM)
    assert place.difference == 0.016 and not place.comparable and not place.of_other_documents
    assert shown.titles["reuters21578"] == f"Reuters-21578 (ModApté; not the paper’s: {told})"


def test_the_papers_own_terms_are_named_by_the_corpus_alone(found):
    assert "not the paper’s" not in paper_table(found, "macro_f1").titles["reuters21578"]


def test_one_group_a_corpus_and_grid(store, fill, made):
    fill(
        {made.cell(class_name=name): (1, 0, 0, 1) for name in "AB"}
        | {made.cell(class_name="A", ratio=0.5): (1, 0, 0, 1), made.cell(class_name="A", grid="full"): (1, 0, 0, 1)}
    )
    (figure,) = one_a_corpus(averaged_cells(store), "quick")
    assert (figure.example.ratio, figure.done) == (0.1, 2)
    assert [f.example.grid for f in one_a_corpus(averaged_cells(store), "full")] == ["full"]


def test_the_full_grid_of_a_column_where_it_is_complete(store, fill, made):
    """SVM: TFRF of the full grid is missing, so the column is the quick one; MNB: all there that the paper has; KNN: of
    the full alone."""
    quick = [made.cell(weighting=w, learner=ln, class_name="A") for w in ("TF", "TFRF") for ln in ("SVM", "MNB")]
    quick.append(made.cell(weighting="LTW-U", learner="MNB", class_name="A"))
    full = [
        made.cell(weighting=w, learner=ln, class_name="A", grid="full")
        for w, ln in (("TF", "SVM"), ("TF", "MNB"), ("TFRF", "MNB"), ("TF", "KNN"))
    ]
    theirs = made.cell(weighting="TF", class_name="A", grid="full", protocol="authors")
    fill({cell: (1, 0, 0, 1) for cell in (*quick, *full, theirs)})
    found = averaged_cells(store)
    grids = {(f.learner, f.weighting): f.example.grid for f in fullest(found)}
    assert grids == {
        **{("SVM", "TF"): "quick", ("SVM", "TFRF"): "quick"},
        **{("MNB", "TF"): "full", ("MNB", "TFRF"): "full", ("KNN", "TF"): "full"},
    }
    assert [f.example.how.name for f in fullest(found, "authors")] == ["authors"]


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

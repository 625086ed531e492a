import csv
import io
import shutil
import subprocess

import pytest

from ltw_core.evaluation import dagger, p_value
from ltw_core.studies import paper
from ltw_core.studies.averages import averaged_cells
from ltw_core.studies.comparison import compare, significance
from ltw_core.studies.export import escape, to_csv, to_latex
from ltw_core.studies.tables import table

# counts of a class that is easy, of one that is hard, and of one without test positives
EASY, HARD, NONE, NONE_WRONG = (9, 1, 1, 89), (2, 4, 6, 88), (0, 0, 0, 100), (0, 1, 0, 99)


def f1(tp, fp, fn, tn):
    return 2 * tp / (2 * tp + fp + fn) if tp + fp + fn else 1.0


@pytest.fixture
def cells(made):
    """Counts by cell: a weighting's outcomes for the classes A, B and C."""

    def make(weighting, *outcomes, learner="SVM", seed=0, **changes):
        return {
            made.cell(weighting=weighting, learner=learner, seed=seed, class_name=name, **changes): outcome
            for name, outcome in zip("ABC", outcomes, strict=True)
        }

    return make


def test_averages_over_classes_by_hand(store, fill, cells):
    fill(cells("TFRF", EASY, HARD, NONE_WRONG))
    (figure,) = averaged_cells(store)
    assert figure.value("macro_f1") == pytest.approx((0.9 + 2 / 7 + 0) / 3)
    assert figure.value("macro_f1_with_test_positives") == pytest.approx((0.9 + 2 / 7) / 2)
    assert figure.value("macro_f1_untested_one") == pytest.approx((0.9 + 2 / 7 + 1) / 3)
    assert figure.on_untested == (1, 1.0, pytest.approx(1 / 3))
    assert figure.scores("macro_f1_untested_one")["C"] == 1 and "C" not in figure.scores("macro_f1_with_test_positives")
    assert figure.value("micro_f1") == pytest.approx(2 * 11 / (2 * 11 + 6 + 7))
    assert figure.averages["macro_f1"].sd is None
    assert (figure.seeds, figure.classes, figure.classes_with_positives, figure.done) == (1, 3, 2, 3)
    assert (figure.seconds, figure.weighting_seconds) == (0.5, 0.25)


def test_mean_and_deviation_over_complete_seeds(store, fill, cells):
    fill(
        cells("LTW-L-I", EASY, HARD, NONE)
        | cells("LTW-L-I", EASY, EASY, NONE, seed=1)
        | cells("LTW-L-I", EASY, "It failed.", NONE, seed=2)
    )
    (figure,) = averaged_cells(store)
    one, two = (0.9 + f1(*HARD) + 1) / 3, (0.9 + 0.9 + 1) / 3
    mean, sd = figure.averages["macro_f1"]
    assert mean == pytest.approx((one + two) / 2)
    assert sd == pytest.approx(abs(one - two) / 2**0.5)  # n - 1
    assert (figure.seeds, figure.done, figure.failed, figure.planned) == (2, 8, 1, 9)


def test_a_missing_class_is_missing_and_not_averaged_over(store, fill, cells):
    fill(cells("TFRF", EASY, HARD, NONE) | cells("TFGR", EASY, "It failed.", NONE))
    store.add(cells("TF", EASY, HARD, NONE))  # planned, not computed
    rest, gr, rf = averaged_cells(store)
    assert [figure.value("macro_f1") is None for figure in (rest, gr, rf)] == [True, True, False]
    # over two classes all that is needed is there, and those of another study do not count
    values = {figure.weighting: figure.value("macro_f1") for figure in averaged_cells(store, classes=["A", "C"])}
    assert values == {"TF": None, "TFGR": pytest.approx(0.95), "TFRF": pytest.approx(0.95)}
    assert averaged_cells(store, classes=["Z"]) == []


def test_settings_are_kept_apart_and_versions_are_not(store, fill, cells):
    fill(
        cells("TFRF", HARD, HARD, HARD, versions={"numpy": "1"})
        | cells("TFRF", EASY, EASY, EASY, versions={"numpy": "2"})
        | cells("TFRF", EASY, HARD, HARD, grid="full")
        | cells("TFRF", HARD, HARD, HARD, weighting_parameters={"norm": None})
    )
    found = averaged_cells(store)
    quick = [figure for figure in found if figure.example.grid == "quick"]
    assert [(figure.weighting, figure.value("micro_f1") > 0.8) for figure in quick] == [
        ("TFRF", True),  # the later versions' figure
        ("TFRF (norm = None)", False),
    ]
    assert quick[0].versions == ("numpy 2",)
    titles = table(found, "macro_f1").titles
    assert sorted(titles.values()) == ["Synthetic, of known roles, full grid", "Synthetic, of known roles, quick grid"]


def test_two_contents_of_one_name_are_told_apart(store, fill, cells):
    fill(cells("TF", EASY, EASY, EASY) | cells("TF", HARD, HARD, HARD, fingerprint="0123456789" * 6))
    titles = table(averaged_cells(store), "macro_f1").titles.values()
    of = "Synthetic, of known roles, content "
    assert sorted(titles) == [f"{of}01234567", f"{of}ffffffff"]


@pytest.fixture
def study(store, fill, cells):
    """Three weightings under two learners: LTW-L-I is best with the SVM, TFRF with LR."""
    plan = {}
    for learner, (rf, ltw) in {"SVM": (HARD, EASY), "LR": (EASY, HARD)}.items():
        plan |= cells("TF", HARD, HARD, NONE, learner=learner) | cells("TFRF", rf, HARD, NONE, learner=learner)
        plan |= cells("LTW-L-I", ltw, HARD, NONE, learner=learner)
        plan |= cells("LTW-L-I", ltw, HARD, NONE_WRONG, learner=learner, seed=1)
    fill(plan)
    return averaged_cells(store)


def test_a_table_knows_its_best(study):
    shown = table(study, "micro_f1")
    assert shown.rows == [("UTW", "TF"), ("STW", "TFRF"), ("LTW", "LTW-L-I")]
    svm, lr = shown.columns
    assert (svm[1], lr[1]) == ("SVM", "LR")
    assert (shown.best(svm), shown.best(lr)) == ({"LTW-L-I"}, {"TFRF"})
    assert (shown.beating(svm), shown.beating(lr)) == ({"LTW-L-I"}, set())  # shading is for learned ones
    with pytest.raises(ValueError, match="measure is 'f2'; it must be one of macro_f1"):
        table(study, "f2")


def test_significance_counts_its_pairs(study):
    found = {(c.one, c.other): c for c in significance(study, "macro_f1")}
    assert set(found) == {("LTW-L-I", "TF"), ("LTW-L-I", "TFRF")}
    pair = found["LTW-L-I", "TFRF"]
    values = {f.weighting: {} for f in study}
    for f in study:
        values[f.weighting][f.learner] = f.value("macro_f1")
    scores = [list(values[name].values()) for name in ("LTW-L-I", "TFRF")]
    assert (pair.pairs, pair.mark, pair.p) == (2, dagger(*scores), p_value(*scores))


def test_daggers_over_fifteen_pairs(store, fill, cells):
    plan = {}
    for i in range(3):
        for j, learner in enumerate(("SVM", "LR", "MNB", "KNN", "RF")):
            better, worse = (50 + 5 * i + j, 10, 10, 900), (30 + i, 20, 20, 900)
            plan |= cells("LTW-L-I", better, better, better, learner=learner, fingerprint=str(i))
            plan |= cells("TFRF", worse, worse, worse, learner=learner, fingerprint=str(i))
    fill(plan)
    (comparison,) = significance(averaged_cells(store), "micro_f1")
    assert (comparison.mark, comparison.worse, comparison.pairs) == ("††", "", 15)
    turned = compare(
        {"LTW-L-I": {k: 0.1 * k for k in range(8)}, "TFRF": {k: 0.1 * k + 0.01 * (k + 1) for k in range(8)}}
    )
    assert [(c.mark, c.worse) for c in turned] == [("", "▼")]
    assert r"& LTW-L-I & $\dag$$\dag$ & -- \\" in to_latex(averaged_cells(store))


def test_csv_in_the_papers_layout(store, study):
    rows = list(csv.DictReader(io.StringIO(to_csv(store, study))))
    assert [row["weighting"] for row in rows] == ["TF", "TFRF", "LTW-L-I"] * 4
    ltw = rows[2]
    assert (ltw["measure"], ltw["family"]) == ("macro_f1", "LTW")
    one, two = ((0.9 + f1(*HARD) + last) / 3 for last in (1, 0))
    assert float(ltw["Synthetic, of known roles · SVM"]) == pytest.approx((one + two) / 2, abs=1e-4)
    assert float(ltw["Synthetic, of known roles · SVM sd"]) == pytest.approx((one - two) / 2**0.5, abs=1e-4)
    assert rows[0]["Synthetic, of known roles · SVM sd"] == ""


def test_a_stores_tables_need_no_figures_of_the_papers(store, study, monkeypatch):
    monkeypatch.setattr(paper, "values", lambda: pytest.fail("the package may be installed without them"))
    assert "LTW-L-I" in to_csv(store, study) and "LTW-L-I" in to_latex(study)


def test_csv_of_figures_says_where_they_come_from(store, study):
    rows = list(csv.DictReader(io.StringIO(to_csv(store, study, "figures"))))
    assert len(rows) == 4 * len(study)
    assert list(rows[0])[:5] == ["measure", "dataset", "weighting", "learner", "value"]  # as in the paper's own figures
    assert rows[0]["versions"].startswith("Python 3") and rows[0]["corpus_fingerprint"] == "f" * 64
    assert (rows[4]["weighting"], rows[4]["seeds"]) == ("LTW-L-I", "2")


def test_csv_of_cells_and_tests(store, study):
    rows = list(csv.DictReader(io.StringIO(to_csv(store, study, "cells"))))
    assert len(rows) == 24 and len({row["key"] for row in rows}) == 24
    assert (rows[0]["class_name"], rows[0]["tp"], rows[0]["warnings"]) == ("A", "2", "One sentence.")
    assert {row["corpus_fingerprint"] for row in rows} == {"f" * 64}
    rows = list(csv.DictReader(io.StringIO(to_csv(store, study, "significance"))))
    assert (len(rows), rows[0]["pairs"]) == (8, "2")
    with pytest.raises(ValueError, match="level is 'x'; it must be one of table"):
        to_csv(store, study, "x")


def test_latex_marks_best_shaded_and_missing(store, study, fill, cells):
    text = to_latex(study)
    assert (
        r"\cellcolor{gray!25}\textbf{.638}{\tiny$\pm$.013} & .281{\tiny" in text
    )  # micro F1: 22/34 and 22/35; 8/28 and 8/29
    fill(cells("LTW-G-sigma", "failed", HARD, NONE))
    text = to_latex(averaged_cells(store))
    assert r"& \textbf{LTW-G-$\sigma$} & -- & -- \\" in text
    assert text.count("{tabular}") == 6 and text.count("{") == text.count("}")


def test_latex_escapes_what_corpora_are_called():
    assert escape("R&D_50% #1 {x} ~^\\") == (
        r"R\&D\_50\% \#1 \{x\} \textasciitilde{}\textasciicircum{}\textbackslash{}"
    )


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
def test_latex_compiles(study, tmp_path):
    head = r"\documentclass{article}\usepackage{multirow,rotating,graphicx}\usepackage[table]{xcolor}\begin{document}"
    (tmp_path / "t.tex").write_text(head + to_latex(study) + r"\end{document}", encoding="utf-8")
    subprocess.run(["pdflatex", "-halt-on-error", "t.tex"], cwd=tmp_path, check=True, capture_output=True)

"""The study of one formula for all classes: which one is chosen, how it is scored, and what follows."""

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.evaluation import evaluate
from ltw_core.insight.symbolic import Budget
from ltw_core.studies import shared_surfaces, universal_formula
from ltw_core.studies.class_scores import ClassScore, compared
from ltw_core.studies.universal_formula import CHOSEN, FOUND, KNOWN, RF_TOO, Candidate
from ltw_core.tasks import vectorize
from ltw_core.weighting import CD, SharedWeighting, TermWeighting, make

TINY = dict(hidden=8, max_steps=60, batch_size=32)


@pytest.fixture(scope="module")
def vectorized():
    return vectorize(load("synthetic", documents=160))


@pytest.fixture(autouse=True)
def _all_lend(monkeypatch, tmp_path):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    monkeypatch.setattr(shared_surfaces, "LENDS", {"min_documents": 5, "min_f1": 0.0})


def test_one_formula_of_the_front_is_chosen_and_the_known_ones_stand_beside(vectorized):
    found = universal_formula.candidates(vectorized, budget=Budget(20, 3), **TINY)
    bred = [one for one in found if one.kind != KNOWN]
    assert [one.kind for one in bred].count(CHOSEN) == 1 and {one.kind for one in bred} <= {FOUND, CHOSEN}
    assert [one.length for one in bred] == sorted(one.length for one in bred)
    known = [one for one in found if one.kind == KNOWN]
    assert {one.formula for one in known} == set(CD)
    assert [one.likeness for one in known] == sorted((one.likeness for one in known), reverse=True)
    assert {(one.lenders, one.classes) for one in found} == {(len(vectorized.class_names), len(vectorized.class_names))}


def test_a_formula_is_scored_as_a_weighting_with_that_cd(vectorized):
    task = vectorized.task("relevant")
    scores = {one.weighting: one for one in universal_formula.scores_of(task, ["tpr - fpr"], **TINY)}
    assert set(scores) == {"TFRF", RF_TOO, "tpr - fpr", "LTW-U"}
    for called, cd in ((RF_TOO, "RF"), ("tpr - fpr", "tpr - fpr")):
        found = evaluate(task, TermWeighting(dd="log(1+f/dl)", cd=cd), "SVM", "quick")
        assert scores[called][3:] == (found.f1, found.tp, found.fp, found.fn, found.tn)
    found = evaluate(task, SharedWeighting(min_documents=5, min_f1=0.0, **TINY), "SVM", "quick")
    assert scores["LTW-U"][3:] == (found.f1, found.tp, found.fp, found.fn, found.tn)  # without its own class


def test_all_classes_or_all_but_its_own_take_part(vectorized):
    task = vectorized.task("relevant")
    others, names = shared_surfaces.shared_surface(task, **TINY)
    every, all_names = shared_surfaces.shared_surface(task, vectorized.class_names, 2, **TINY)
    assert "relevant" not in names and set(all_names) == {*names, "relevant"}
    assert (others.n_members, every.n_members) == (3 * len(names), 2 * len(all_names))


def test_the_commands_write_what_is_read_again(tmp_path, monkeypatch, capsys):
    row = Candidate("synthetic", CHOSEN, "tpr - fpr", 3, 0.9, 0.8, 2, 2, 0)
    monkeypatch.setattr(universal_formula, "candidates", lambda *_, **__: [row])
    formulas, scores = tmp_path / "formulas.csv", tmp_path / "scores.csv"
    assert universal_formula.main(["find", "--dataset", "synthetic", "--to", str(formulas)]) == 0
    assert universal_formula.read_formulas(formulas) == [row]
    one = ClassScore("synthetic", "relevant", "tpr - fpr", 0.5, 1, 2, 0, 3)
    asked = []
    monkeypatch.setattr(universal_formula, "scores_of", lambda task, given: asked.append(given) or iter([one]))
    at = ["score", "--dataset", "synthetic", "--classes", "relevant", "--formulas", str(formulas), "--to", str(scores)]
    for _ in range(2):  # the second time nothing is left to do
        assert universal_formula.main(at) == 0
    assert universal_formula.read_scores(scores) == [one] and asked == [["tpr - fpr"]]
    assert universal_formula.main(["find", "--dataset", "synthetic", "--to", str(formulas)]) == 1
    formulas.write_text(formulas.read_text().replace("tpr - fpr", "tpr / fpr"))
    assert universal_formula.main(at) == 1 and asked == [["tpr - fpr"]]  # those of another formula stay as they are
    said = capsys.readouterr().err
    assert "has the formulas of synthetic already" in said and "has scores of other formulas on synthetic" in said


def test_weightings_are_compared_over_the_classes_that_all_have():
    rng, scores = np.random.default_rng(0), []
    for k in range(20):
        f1 = rng.uniform(0.3, 0.8)
        for weighting, more in (("TFRF", 0), ("good", 0.1), ("bad", -0.1), ("same", rng.normal(0, 0.05))):
            scores.append(ClassScore("c", f"class {k}", weighting, f1 + more, 0, 0, 0, 0))
    scores.append(ClassScore("c", "one more", "good", 1.0, 0, 0, 0, 0))
    rows = {row.weighting: row for row in compared(scores, "TFRF")}
    assert next(iter(rows)) == "good" and rows["good"].classes == 20
    assert rows["good"].more.value == pytest.approx(0.1) and rows["TFRF"].more is None
    assert [rows[name].more.sign for name in ("good", "same", "bad")] == [1, 0, -1]


def test_the_chosen_formulas_of_the_shipped_study_are_weightings_with_a_name():
    chosen = {one.corpus: one.formula for one in universal_formula.read_formulas() if one.kind == CHOSEN}
    names = {"reuters21578": "Reuters", "20newsgroups": "20 Newsgroups", "ohsumed": "Ohsumed"}
    made = {corpus: make(f"Formula from {name}") for corpus, name in names.items()}
    assert {corpus: weighting.cd for corpus, weighting in made.items()} == chosen
    assert {(weighting.dd, weighting.norm) for weighting in made.values()} == {(shared_surfaces.DD_OF_LEARNED, "l2")}

import json
from dataclasses import fields, replace

import pytest

from ltw_core.studies import cell as module
from ltw_core.studies.averages import label
from ltw_core.studies.cell import Cell, current_versions, seeded, seeds_of
from ltw_core.studies.compute import CellOutcome, evaluate_cell, run_cells, vectors_of
from ltw_core.studies.plan import plan
from ltw_core.weighting import method


def test_the_key_is_stable(made):
    """A stored key must be found again by any later process: raise the schema's version when this changes."""
    cell = made.cell(versions={"numpy": "2"}, weighting_parameters={"norm": None, "k1": 1.5})
    assert cell.key == "1d24ec9a838b7761102799a3d7f3e247042559271daae3d1d909f2cce4b90cce"
    assert Cell.from_json(cell.json()) == cell
    assert json.loads(cell.json())["weighting_parameters"] == {"k1": 1.5, "norm": None}
    assert made.cell(weighting_parameters={"k1": 1.5, "norm": None}).key == (
        made.cell(weighting_parameters={"norm": None, "k1": 1.5}).key
    )


CHANGES = {
    "corpus": "pydocs",
    "fingerprint": "e" * 64,
    "class_name": "other",
    "weighting": "TFGR",
    "learner": "LR",
    "grid": "full",
    "seed": 1,
    "corpus_parameters": {"documents": 200},
    "weighting_parameters": {"norm": None},
    "tokenizer": "letters",
    "stop_words": None,
    "min_df": 2,
    "ratio": 0.2,
    "validation": 0.3,
    "split": "random",
    "versions": {"numpy": "1"},
}


@pytest.mark.parametrize("name", [field.name for field in fields(Cell)])
def test_everything_that_affects_a_result_changes_the_key(made, name):
    cell = made.cell()
    changed = replace(cell, **{name: CHANGES[name]})
    assert changed.key != cell.key
    assert (changed.vectors_key == cell.vectors_key) == (name in {"learner", "grid", "seed"})  # TFRF draws from no seed


def test_what_is_no_cell_is_refused(made):
    with pytest.raises(ValueError, match="no cell: its parts differ in colour"):
        Cell.from_json(json.dumps(json.loads(made.cell().json()) | {"colour": "red"}))
    with pytest.raises(TypeError, match="not JSON serializable"):
        made.cell(weighting_parameters={"k": object()})


def test_seeds_only_where_something_is_drawn():
    assert seeded("LTW-L-I") and not seeded("TFRF")
    assert list(seeds_of("LTW-L-I", "SVM", 3)) == [0, 1, 2]
    assert list(seeds_of("TFRF", "RF", 3)) == [0, 1, 2]
    assert list(seeds_of("TFRF", "SVM", 3)) == [0]


def test_versions_cover_libraries_and_our_own_code(made, monkeypatch):
    versions = dict(current_versions())
    assert {"numpy", "scikit-learn", "torch", "ltw_core.evaluation"} <= set(versions)
    made.cell().check_versions()
    with pytest.raises(ValueError, match=r"planned with numpy 1 \(here .*\); start the study again"):
        made.cell(versions={**versions, "numpy": "1"}).check_versions()
    monkeypatch.setitem(module.METHOD, "evaluation", 99)
    current_versions.cache_clear()
    try:
        assert dict(current_versions())["ltw_core.evaluation"] == "99"
    finally:
        current_versions.cache_clear()


def test_a_plan_counts_its_cells(made):
    cells = plan(["synthetic"], weightings="UTW,LTW-L-I", learner_names="SVM,RF", seeds=3, corpus_parameters=made.small)
    # 2 classes; 6 formulas: SVM once, RF 3 seeds; LTW-L-I: both with 3 seeds
    assert len(cells) == len({cell.key for cell in cells}) == 2 * (6 * (1 + 3) + 2 * 3)
    assert [cell.seed for cell in cells] == sorted(cell.seed for cell in cells)  # a first seed of everything first
    assert len({cell.vectors_key for cell in cells}) == 2 * (6 + 3)
    assert cells[0].stop_words is None and dict(cells[0].corpus_parameters) == made.small


def test_ft_is_planned_with_dense_only(small_plan):
    cells = small_plan("TFRF,Dense", "SVM,FT", classes="relevant", seeds=2)
    assert [(cell.weighting, cell.learner, cell.seed) for cell in cells] == [
        ("TFRF", "SVM", 0),
        ("Dense", "SVM", 0),
        ("Dense", "FT", 0),
        ("Dense", "SVM", 1),
        ("Dense", "FT", 1),
    ]
    with pytest.raises(ValueError, match="FT only with the weighting Dense"):
        small_plan("TFRF", "FT")


def test_settings_of_the_paper_for_a_corpus_are_planned_and_not_shown(monkeypatch, small_plan):
    monkeypatch.setitem(method("Dense").per_corpus, "synthetic", {"epochs": 3})
    (cell,) = small_plan("Dense", "FT", classes="relevant")
    assert dict(cell.weighting_parameters) == {"epochs": 3} and label(cell) == "Dense"
    (cell,) = small_plan("Dense", "FT", classes="relevant", weighting_parameters={"epochs": 4})
    assert dict(cell.weighting_parameters) == {"epochs": 4} and label(cell) == "Dense (epochs = 4)"
    (outcome,) = run_cells([cell])
    assert outcome.result.learner == "FT" and outcome.error == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"datasets": ["nothing"]}, "There is no corpus 'nothing'"),
        ({"datasets": []}, "no cells"),
        ({"classes": "relevant,x"}, "no class of synthetic 'x'; there are other, relevant, or all"),
        ({"weightings": "TFXX"}, "no weighting 'TFXX'; there are Binary"),
        ({"learner_names": "GPT"}, "no learner 'GPT'; there are SVM"),
        ({"grid": "huge"}, "grid is 'huge'; it must be one of quick, full"),
        ({"seeds": 0}, "seeds is 0; it must be at least 1"),
    ],
)
def test_a_wrong_plan_is_a_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        plan(**({"datasets": ["synthetic"]} | options))


def test_sharing_vectors_changes_nothing(small_plan):
    cells = small_plan("LTW-L-I", "SVM,LR,MNB", classes="relevant", weighting_parameters={"max_steps": 200})
    together = run_cells(cells)
    for cell, outcome in zip(cells, together, strict=True):
        alone = evaluate_cell(cell, vectors_of(cell))
        assert isinstance(outcome, CellOutcome) and outcome.key == cell.key
        timeless = {"seconds": 0.0, "weighting_seconds": 0.0}
        assert replace(outcome.result, **timeless) == replace(alone, **timeless)
    with pytest.raises(ValueError, match="do not share"):
        run_cells(small_plan("TFRF,TFGR", "SVM"))


def test_another_corpus_under_the_same_name_is_refused(small_plan):
    (cell,) = small_plan("TFRF", "SVM", classes="relevant")
    with pytest.raises(ValueError, match="is not the one that the study was planned with"):
        vectors_of(replace(cell, fingerprint="0" * 64))


KNOWN = {  # (tp, fp, fn, tn) of the formulas on 240 test documents
    ("LogTFIDF", "SVM"): (48, 2, 0, 190),
    ("LogTFIDF", "MNB"): (37, 1, 11, 191),
    ("LogTFIDF", "KNN"): (47, 2, 1, 190),
    ("BM25", "SVM"): (48, 4, 0, 188),
    ("BM25", "MNB"): (47, 15, 1, 177),
    ("BM25", "KNN"): (28, 14, 20, 178),
    ("TFGR", "SVM"): (48, 2, 0, 190),
    ("TFGR", "MNB"): (46, 1, 2, 191),
    ("TFGR", "KNN"): (45, 10, 3, 182),
    ("TFCHI", "SVM"): (48, 2, 0, 190),
    ("TFCHI", "MNB"): (45, 1, 3, 191),
    ("TFCHI", "KNN"): (43, 4, 5, 188),
    ("ConfWeight", "SVM"): (45, 5, 3, 187),
    ("ConfWeight", "MNB"): (15, 1, 33, 191),
    ("ConfWeight", "KNN"): (39, 5, 9, 187),
    ("TFRF", "SVM"): (48, 0, 0, 192),
    ("TFRF", "MNB"): (46, 1, 2, 191),
    ("TFRF", "KNN"): (47, 3, 1, 189),
}


def test_figures_are_those_of_this_method_version():
    """Where figures are meant to change, raise the version in ``METHOD`` and put the new ones here."""
    weightings = "LogTFIDF,BM25,TFGR,TFCHI,ConfWeight,TFRF"
    cells = plan(
        ["synthetic"],
        weightings=weightings,
        learner_names="SVM,MNB,KNN",
        classes="relevant",
        corpus_parameters={"documents": 800},
    )
    found = {}
    for cell in cells:
        result = evaluate_cell(cell, vectors_of(cell))
        found[cell.weighting, cell.learner] = (result.tp, result.fp, result.fn, result.tn)
    assert found == KNOWN
    assert module.METHOD == {"tasks": 1, "weighting": 1, "learned": 1, "evaluation": 1}

"""Results for all classes on disk: the same again, under the same cell alone, and a damaged file is as good as none."""

import json
from dataclasses import fields, replace

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.evaluation import evaluate_multiclass
from ltw_core.settings import results_dir
from ltw_core.studies import all_classes, multiclass_cells
from ltw_core.studies.cell import current_versions
from ltw_core.studies.multiclass_cells import MulticlassCell, find, keep, shipped_in
from ltw_core.tasks import vectorize
from tests.evaluation.test_multiclass import corpus

CELL = MulticlassCell("of a task", "TFRF", "max", "MNB", "quick")


@pytest.fixture(params=[False, True], ids=["one class a document", "several"])
def result(request, tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    task = vectorize(corpus(several=request.param, empty=True), cache=False).multiclass_task(ratio=1.0)
    return evaluate_multiclass(task, "TFRF", "MNB", keep_decisions=True)


def test_it_is_read_back_as_it_was(result):
    assert find(CELL) is None
    keep(CELL, result)
    again = find(CELL)
    for part in fields(result):
        if part.name == "decisions":
            assert again.decisions is None
        else:
            np.testing.assert_equal(getattr(again, part.name), getattr(result, part.name))
    assert repr(again) == repr(result) and again.table().equals(result.table())


@pytest.mark.parametrize(
    "other",
    [
        {"fingerprint": "x"},
        {"weighting": "TFIG"},
        {"policy": "mean"},
        {"learner": "SVM"},
        {"grid": "full"},
        {"seed": 1},
    ],
)
def test_another_cell_is_another_result(result, other):
    keep(CELL, result)
    assert find(replace(CELL, **other)) is None


def test_other_versions_find_nothing(result, monkeypatch):
    keep(CELL, result)
    monkeypatch.setattr(multiclass_cells, "current_versions", lambda: (("numpy", "0.1"),))
    assert find(replace(CELL)) is None


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 and no more"])
def test_a_damaged_file_is_as_good_as_none(result, tmp_path, content):
    keep(CELL, result)
    (path,) = tmp_path.rglob("all classes/*.npz")
    path.write_bytes(content)
    assert find(CELL) is None
    keep(CELL, result)
    assert find(CELL).exact == result.exact


def test_the_oldest_go_first(result, monkeypatch):
    monkeypatch.setattr(multiclass_cells, "MOST_FILES", 2)
    cells = [replace(CELL, seed=seed) for seed in range(4)]
    for cell in cells:
        keep(cell, result)
    assert [find(cell) is not None for cell in cells] == [False, False, True, True]


@pytest.mark.parametrize("dataset", all_classes.CORPORA)
def test_what_ships_is_found(dataset, monkeypatch, tmp_path):
    """Under the libraries that it was computed with; under others it is not, and the page computes it anew."""
    try:
        task = vectorize(load(dataset)).multiclass_task()
    except ValueError as error:
        pytest.skip(str(error))
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    then = json.loads((shipped_in(results_dir()) / all_classes.VERSIONS).read_text())
    own = {name: version for name, version in current_versions() if name.startswith("ltw_core.")}  # of today
    monkeypatch.setattr(multiclass_cells, "current_versions", lambda: tuple(sorted((then | own).items())))
    assert all(find(cell).macro_f1 > 0.5 for cell in all_classes.cells(task.fingerprint))

"""Points of a learning curve in the background: into a store for all, or into a session; stopped and gone on with."""

import pytest

from ltw_core.corpora import load
from ltw_core.evaluation import Cancelled, learning_curve
from ltw_core.evaluation.curve_plan import plan_curve
from ltw_core.evaluation.learning_curve import blank_curve
from ltw_core.service.cells_on_demand import CellsProgress
from ltw_core.service.curve_on_demand import compute_curve
from ltw_core.studies.compute import run_cells
from ltw_core.studies.curve_cells import cells_of_curve, fill
from ltw_core.studies.shared_cells import curve_store, find
from ltw_core.tasks import vectorize

NAMES = ("TFIDF", "TFRF")


@pytest.fixture(scope="module")
def vectorized_corpus():
    return vectorize(load("synthetic"))  # as the catalogue has it, so that cells can be computed from their keys


@pytest.fixture
def asked(vectorized_corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    plan = plan_curve(vectorized_corpus, "relevant", NAMES, sizes=(40, vectorized_corpus.corpus.n_train), draws=2)
    curve = blank_curve(vectorized_corpus, plan)
    return vectorized_corpus, plan, curve, cells_of_curve(vectorized_corpus, plan, curve.points())


def compute(asked, cancelled=lambda: False, own=False, **more):
    vectorized, plan, _, cells = asked
    found, errors, progress = {}, {}, CellsProgress(len(cells))
    points = {cell.key: point for point, cell in cells.items()}
    by_key = {} if own else {cell.key: cell for cell in cells.values()}
    compute_curve(
        *(vectorized, plan, points, progress, cancelled),
        **({"cells": by_key, "store": curve_store(), "found": found, "errors": errors} | more),
    )
    assert not errors and progress.done == len(cells)
    return found


@pytest.mark.parametrize("own", [False, True])
def test_background_and_python_give_the_same_curve(asked, own):
    vectorized, plan, curve, cells = asked
    told = []
    found = compute(asked, own=own, on_point=told.append)
    if not own:
        assert not found
        found = {key: shared.record for key, shared in find(c.key for c in cells.values()).items()}
    assert sorted(told) == sorted(cells) and len(found) == 6
    fill(curve, {point: cell.key for point, cell in cells.items()}, found)
    assert curve.complete
    direct = learning_curve(vectorized, "relevant", NAMES, sizes=plan.sizes, draws=2)
    assert (curve.f1 == direct.f1).all()


def test_a_cell_can_be_computed_from_its_key_alone(asked):
    cells = asked[3]
    point = next(point for point in cells if point.size == 40 and point.weighting == "TFRF" and point.seed == 1)
    (outcome,) = run_cells([cells[point]])
    compute(asked)
    assert outcome.result.f1 == find([cells[point].key])[cells[point].key].record.f1


def test_with_all_documents_it_is_the_cell_of_a_study(asked):
    _, plan, _, cells = asked
    whole = [cell for point, cell in cells.items() if point.size == plan.sizes[-1]]
    assert [(cell.sample, cell.seed) for cell in whole] == [(0, 0)] * 2
    assert {cell.sample for cell in cells.values()} == {0, 40}


def test_stopped_it_keeps_what_is_done_and_goes_on(asked):
    done = []
    with pytest.raises(Cancelled):
        compute(asked, cancelled=lambda: bool(done), on_point=done.append)
    kept = find(cell.key for cell in asked[3].values())
    assert 0 < len(kept) < len(asked[3])
    rest = {point: cell for point, cell in asked[3].items() if cell.key not in kept}
    compute((*asked[:3], rest))
    assert len(find(cell.key for cell in asked[3].values())) == len(asked[3])

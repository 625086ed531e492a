"""Studies on the synthetic corpus at its smallest, and cells that need no corpus."""

from types import SimpleNamespace

import pytest

from ltw_core.evaluation import Result
from ltw_core.studies.cell import Cell
from ltw_core.studies.plan import plan
from ltw_core.studies.store import Store

SMALL = {"documents": 120, "positive_terms": 20, "negative_terms": 10, "frequency_terms": 5, "noise_terms": 60}


def make_cell(**changes):
    """A cell that can be planned and stored, and not computed."""
    common = {"corpus": "synthetic", "fingerprint": "f" * 64, "class_name": "relevant", "weighting": "TFRF"}
    return Cell(**(common | {"learner": "SVM"} | changes))


def make_result(cell, tp=8, fp=2, fn=2, tn=88, **changes):
    """A result with given counts."""
    told = {"warnings": ("One sentence.",)}
    return Result(
        **({"tp": tp, "fp": fp, "fn": fn, "tn": tn} | told | changes),
        validation_f1=0.75,
        parameters={"C": 1.0},
        seconds=0.5,
        weighting_seconds=0.25,
        weighting=cell.weighting,
        learner=cell.learner,
        grid=cell.grid,
        seed=cell.seed,
    )


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "study.sqlite") as store:
        yield store


@pytest.fixture
def fill(store):
    """Plan cells and record their results (or counts, or an error's text), as a runner would."""

    def fill(cells):
        store.add(cells)
        store.want(cell.key for cell in cells)
        runner = store.register()
        while batch := store.claim(runner):
            for cell in batch:
                outcome = cells[cell]
                if isinstance(outcome, str):
                    assert store.fail(runner, cell.key, outcome)
                else:
                    result = outcome if isinstance(outcome, Result) else make_result(cell, *outcome)
                    assert store.finish(runner, cell.key, result)

    return fill


@pytest.fixture
def small_plan():
    """The cells of a study of a small synthetic corpus."""

    def make(weightings="LogTFIDF,TFRF", learner_names="SVM,MNB", **options):
        return plan(
            ["synthetic"], weightings=weightings, learner_names=learner_names, corpus_parameters=SMALL, **options
        )

    return make


@pytest.fixture(scope="session")
def made():
    return SimpleNamespace(cell=make_cell, result=make_result, small=SMALL)

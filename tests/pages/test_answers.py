"""What the Workbench says of a weighting whose F1 is being computed, cannot be computed, or is not asked for."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from ltw_core.storage.bounded_cache import BoundedCache
from pages._ui.reader import owners
from pages._ui.weightings import quick_f1
from pages._ui.workbench import answers, baselines, inspector
from tests.waiting import wait_for

TASK = SimpleNamespace(fingerprint="a task of this test", class_title="corn", y_test=np.array([True, False]))
FITTED = SimpleNamespace(best_f1_=0.83, cd_=np.array([1.0, 2.0]))
LEARNED = SimpleNamespace(weighting=FITTED, label="LTW-L-I", title="corn", key="learned")


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    """Nothing is known from elsewhere."""
    monkeypatch.setattr(quick_f1, "_results", BoundedCache(100))
    monkeypatch.setattr(quick_f1, "_failures", BoundedCache(100))
    monkeypatch.setattr(owners, "current_owner", lambda: "a reader of this test")


def found(f1):
    return SimpleNamespace(f1=f1, validation_f1=f1)


def test_it_is_being_computed_only_while_it_is(monkeypatch):
    go = threading.Event()
    monkeypatch.setattr(quick_f1, "evaluate", lambda *rest: go.wait(20) and found(0.5))
    assert answers._f1(LEARNED, TASK)[0].endswith("reaches validation F1 .830.")  # nobody has asked
    job = baselines.ask(TASK, FITTED)
    assert answers._f1(LEARNED, TASK)[0].endswith("; computing its test F1…")
    go.set()
    wait_for(lambda: not job.active)
    assert baselines.known_of(TASK, FITTED).f1 == 0.5
    assert set(baselines.known(TASK)) == {"χ²", "RF", "LogTFIDF", "LogTF"}
    # the lines beside the curve of the network: the same classifier on two formulas and on what was learned
    assert inspector.levels_of(TASK, LEARNED) == {"χ²": 0.5, "RF": 0.5, "LTW": 0.5}
    assert set(inspector.levels_of(TASK)) == {"χ²", "RF"} and not inspector.levels_of(None, LEARNED)


def test_what_failed_is_told_and_not_tried_again_at_once(monkeypatch):
    tried = []

    def broken(task, weighting, *rest):
        tried.append(weighting)
        raise ValueError("the class has no test documents")

    monkeypatch.setattr(quick_f1, "evaluate", broken)
    job = baselines.ask(TASK, FITTED)
    wait_for(lambda: not job.active)
    said, why = answers._f1(LEARNED, TASK)
    assert said.endswith("; its test F1 could not be computed.") and why == "The class has no test documents."
    assert job.status == "failed" and len(tried) == 5 and baselines.ask(TASK, FITTED) is None
    monkeypatch.setattr(quick_f1, "AGAIN", -1.0)
    assert answers._f1(LEARNED, TASK) == ("On corn **LTW-L-I** reaches validation F1 .830.", "")
    wait_for(lambda: not baselines.ask(TASK, FITTED).active)


def test_its_own_f1_is_told_where_those_of_formulas_fail(monkeypatch):
    def half(task, weighting, *rest):
        if weighting is FITTED:
            return found(0.7)
        raise MemoryError

    monkeypatch.setattr(quick_f1, "evaluate", half)
    job = baselines.ask(TASK, FITTED)
    wait_for(lambda: not job.active)
    said, why = answers._f1(LEARNED, TASK)
    assert said == "On corn **LTW-L-I** reaches test F1 .700; that of formulas could not be computed."
    assert why.startswith("There was not enough memory")


def test_without_its_documents_nothing_is_awaited():
    assert answers._f1(LEARNED, None)[0].endswith("; its test documents are not open here.")

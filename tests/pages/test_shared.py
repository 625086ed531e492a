"""What readers share in memory: past training runs, of which each part is read once."""

import pytest

from pages._ui.training import histories, lookup
from pages._ui.training.run import PastRun
from tests.service.test_training_history import PARAMETERS, PROBLEM, train


@pytest.fixture
def asked(monkeypatch):
    """What the history of past runs is asked for, as it is asked."""
    monkeypatch.setattr(lookup.owners, "names", lambda: ("ann",))
    statements = []
    # but for whether anything was written since, which takes microseconds
    note = lambda said: None if said == "PRAGMA data_version" else statements.append(said)  # noqa: E731
    histories.lasting()._reader.set_trace_callback(note)
    yield statements
    histories.lasting()._reader.set_trace_callback(None)


def test_a_list_of_past_runs_is_one_question_however_many_there_are(asked):
    token, _ = train(histories.lasting(), owner="ann")
    for seed in (1, 2, 3):
        train(histories.lasting(), owner="ann", random_state=seed)
        asked.clear()
        found = lookup.own_runs("synthetic")
        assert (len(found), len(asked)) == (seed + 1, 1)
        assert [run.seed for run in found] == list(range(seed, -1, -1)) and all(run.finished for run in found)
    assert found[-1].token == token and "LTW-L-I" in found[-1].label


def test_what_is_read_of_a_past_run_is_read_once_for_all_readers(asked):
    store = histories.lasting()
    token, weighting = train(store, owner="ann")
    one, another = (PastRun(store.find(token), store) for _ in range(2))
    asked.clear()
    for run in (one, another):
        assert run.history == weighting.history_ and run.weighting is one.weighting
        assert run.terms is one.terms and run.snapshots is one.snapshots
        assert run.latest.step == weighting.steps_ and run.latest.tpr is one.terms.tpr
    # curve, weighting, terms, snapshots, and once more the terms, whose rates the snapshots need
    assert len(asked) == 5
    other_seed, _ = train(store, owner="ann", random_state=1)
    assert PastRun(store.find(other_seed), store).terms is one.terms  # the problem is the same


def test_a_run_that_another_server_trains_is_read_anew(asked):
    store = histories.lasting()
    token = store.begin("ann", PROBLEM, one_terms(store), PARAMETERS, {})
    store.start(token)
    assert PastRun(store.find(token), store).history == []
    store.write(token, points=[(10, 0.5, 0.25)])
    assert PastRun(store.find(token), store).history == [(10, 0.5, 0.25)]


def one_terms(store):
    token, _ = train(store, owner="bob")
    return store.terms(token)

"""The history of training runs, with real ones of twelve documents, and a real process that is killed."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from ltw_core.service import training_history as module
from ltw_core.service.history_writer import HistoryWriter
from ltw_core.service.training_history import History
from ltw_core.service.training_record import ProblemInfo
from ltw_core.service.weighting_file import from_bytes, to_bytes
from ltw_core.storage.processes import this_process
from ltw_core.tasks import TermStatistics
from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned.kept_snapshots import MAX_BYTES, MAX_SNAPSHOTS, MIN_SNAPSHOTS, KeptSnapshots
from ltw_core.weighting.learned.snapshots import Snapshot
from tests.waiting import wait_for

# terms: typical of the class, typical of the rest, everywhere
COUNTS = csr_array(np.array([[2, 0, 1], [1, 0, 1], [3, 0, 1], [1, 1, 1], [0, 1, 1], [0, 2, 1]] * 2))
Y = np.array([True, True, True, False, False, False] * 2)
VALIDATION = np.arange(12) >= 6
TERMS = TermStatistics(np.array(["grain", "bank", "said"]), np.array([6, 0, 6]), np.array([2, 6, 6]), 6, 12)
PROBLEM = ProblemInfo("f" * 64, "synthetic", "Made up", "relevant", "Relevant", 0.1, 0.5, 12, 3)
PARAMETERS = {"variant": "LTW-L-I", "hidden": 8, "max_steps": 60, "check_every": 10, "patience": 20, "random_state": 0}


@pytest.fixture
def history(tmp_path):
    with History(tmp_path / "history.sqlite") as history:
        yield history


def train(history, owner="ann", problem=PROBLEM, end="done", **changes):
    """Train and record it; returns the token and the fitted weighting."""
    parameters = PARAMETERS | changes
    token = history.begin(owner, problem, TERMS, parameters, {"hidden": 8})
    writer = HistoryWriter(history, token, TERMS.tpr, TERMS.fpr, {"terms": TERMS.terms.tolist()})
    writer.start()
    weighting = LearnedWeighting(**parameters)
    weighting.fit(COUNTS, Y, validation=VALIDATION, on_event=writer.event)
    writer.end(end, weighting)
    return token, weighting


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-G-sigma", "LTW-TF"])
def test_all_of_a_training_comes_back(history, variant):
    token, weighting = train(history, variant=variant, hidden=None if variant.startswith("LTW-G") else 8)
    (past,) = history.of(["ann"])
    assert (past.token, past.status, past.problem, past.variant) == (token, "done", PROBLEM, variant)
    assert past.parameters["max_steps"] == 60 and past.changed == {"hidden": 8} and past.versions["numpy"]
    assert (past.steps, past.best_step, past.best_f1) == (weighting.steps_, weighting.best_step_, weighting.best_f1_)
    assert past.stop_reason == weighting.stop_reason_ and past.started <= past.finished
    assert history.curve(token) == weighting.history_
    found = history.weighting(token)
    np.testing.assert_array_equal(found.cd_, weighting.cd_)
    assert found.notes_["terms"] == ["grain", "bank", "said"]
    taken = history.snapshots(token)
    assert [s.step for s in taken] == [step for step, *_ in weighting.history_]
    best = next(s for s in taken if s.step == weighting.best_step_)
    np.testing.assert_allclose(best.cd, weighting.cd_, rtol=1e-5, atol=1e-6)  # float32
    if variant.startswith("LTW-G"):
        with pytest.raises(ValueError, match="no surface"):
            best.surface(0.5, 0.1)
    else:
        np.testing.assert_allclose(best.surface(0.5, 0.1), weighting.surface(0.5, 0.1), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(history.terms(token).tp, TERMS.tp)


def test_owners_see_their_own_and_name_it(history):
    token, _ = train(history)
    assert history.of(["bob"]) == [] and not history.is_owned(["bob"], token)
    assert history.find(token).token == token  # by a link
    history.add_owner("bob", token)
    history.rename("ann", token, "  a   name ")
    history.pin("ann", token)
    (hers,), (his,) = history.of(["ann"]), history.of(["bob"])
    assert (hers.name, hers.pinned, hers.n_owners) == ("a name", True, 2)
    assert (his.name, his.pinned) == ("", False)
    later, _ = train(history, random_state=1)
    assert [past.token for past in history.of(["ann"])] == [token, later]  # pinned before later
    assert history.of(["ann"], corpus="synthetic", class_name="other") == []
    assert len(history.of(["ann", "bob"])) == 2  # two names of one reader: what both hold is there once


@pytest.mark.parametrize("in_memory", [False, True])
def test_a_list_is_read_once_until_something_is_written_by_anybody(history, in_memory):
    history = History(":memory:") if in_memory else history
    token, _ = train(history)
    asked = []
    history._reader.set_trace_callback(asked.append)
    first, again = history.of(["ann"]), history.of(["ann"])
    assert again == first and again is not first and sum("SELECT training" in query for query in asked) == 1
    history.rename("ann", token, "mine")
    assert history.of(["ann"])[0].name == "mine"
    if not in_memory:
        with History(history.path) as other:  # of another server
            other.rename("ann", token, "ours")
        assert history.of(["ann"])[0].name == "ours"


def test_delete_can_be_undone_for_a_day(history, monkeypatch):
    token, _ = train(history)
    history.delete("ann", token)
    assert history.of(["ann"]) == [] and [p.token for p in history.of(["ann"], deleted=True)] == [token]
    assert history.purge() == 0
    history.restore("ann", token)
    assert [p.token for p in history.of(["ann"])] == [token]
    history.delete("ann", token)
    late = time.time() + module.DELETED_SECONDS + 1
    monkeypatch.setattr(module.time, "time", lambda: late)
    assert history.purge() == 1
    assert history.find(token) is None
    for table in ("training", "point", "snapshot", "weighting", "holding", "problem"):
        assert history._rows(f"SELECT count(*) FROM {table}")[0][0] == 0, table


def test_what_another_holds_stays(history):
    token, _ = train(history)
    history.add_owner("bob", token)
    assert history.forget_owner("ann") == 0
    assert history.find(token) is not None
    assert history.forget_owner("bob") == 1


def test_too_many_go_the_oldest_first(history, monkeypatch):
    monkeypatch.setattr(module, "TRAININGS_KEPT", 2)
    tokens = [train(history, random_state=seed)[0] for seed in range(4)]
    history.pin("ann", tokens[0])
    assert history.purge() == 1
    assert [p.token for p in history.of(["ann"])] == [tokens[0], tokens[3], tokens[2]]


def test_what_is_new_stays_when_the_clock_was_set_back(history, monkeypatch):
    monkeypatch.setattr(module, "TRAININGS_KEPT", 2)
    old = [train(history, random_state=seed)[0] for seed in range(2)]
    monkeypatch.setattr(module.time, "time", lambda: 1_000_000.0)  # 1970
    new = [train(history, random_state=seed)[0] for seed in range(2, 4)]
    assert history.purge() == 0
    assert {past.token for past in history.of(["ann"])} == {*old, *new}


def test_the_same_is_found_and_only_what_ended_well(history):
    token, _ = train(history)
    assert history.find_same(PROBLEM, PARAMETERS) == token
    assert history.find_same(PROBLEM, PARAMETERS | {"random_state": 1}) is None
    assert history.find_same(PROBLEM, PARAMETERS | {"hidden": 9}) is None
    assert history.find_same(replace(PROBLEM, fingerprint="0" * 64), PARAMETERS) is None
    train(history, random_state=2, end="stopped")
    assert history.find_same(PROBLEM, PARAMETERS | {"random_state": 2}) is None


def test_a_weighting_of_elsewhere_is_taken_in(history):
    weighting = LearnedWeighting(**PARAMETERS).fit(COUNTS, Y, validation=VALIDATION)
    token = history.import_weighting("ann", PROBLEM, TERMS, from_bytes(to_bytes(weighting)))
    (past,) = history.of(["ann"])
    assert (past.origin, past.status, past.has_weighting, past.snapshots) == ("imported", "done", True, 0)
    assert history.curve(token) == weighting.history_
    assert history.find_same(PROBLEM, PARAMETERS) is None  # who knows how it came about
    with pytest.raises(ValueError, match="not a file of a learned weighting"):
        from_bytes(b"something else")


def test_it_is_written_while_it_goes_on(history, monkeypatch):
    monkeypatch.setattr("ltw_core.service.history_writer.EVERY", 0.0)
    token = history.begin("ann", PROBLEM, TERMS, PARAMETERS, {})
    assert history.find(token).status == "queued"
    writer = HistoryWriter(history, token, TERMS.tpr, TERMS.fpr, {})
    writer.start()
    seen = []

    def on_event(event):
        writer.event(event)
        past = history.find(token)
        seen.append((past.status, past.steps, len(history.curve(token)), past.snapshots))

    LearnedWeighting(**PARAMETERS).fit(COUNTS, Y, validation=VALIDATION, on_event=on_event)
    assert seen[:3] == [("running", 10, 1, 1), ("running", 20, 2, 2), ("running", 30, 3, 3)]


def test_a_disk_that_fails_does_not_fail_the_training(history, caplog):
    token = history.begin("ann", PROBLEM, TERMS, PARAMETERS, {})
    writer = HistoryWriter(history, token, TERMS.tpr, TERMS.fpr, {})
    writer.start()
    history.close()
    LearnedWeighting(**PARAMETERS).fit(COUNTS, Y, validation=VALIDATION, on_event=writer.event)
    writer.end("done")
    assert [r.message.startswith("the history cannot be written") for r in caplog.records] == [True]


def test_nothing_is_written_of_a_run_before_it_is_entered(history):
    writer = HistoryWriter(history, "early", TERMS.tpr, TERMS.fpr, {})
    beginning = threading.Thread(target=writer.start)
    with writer.entering:
        beginning.start()  # as a job does that finds a free slot at once
        beginning.join(0.1)
        assert beginning.is_alive()
        writer.enter("ann", PROBLEM, TERMS, PARAMETERS, {})
        assert history.find("early").status == "queued"
    beginning.join()
    assert history.find("early").status == "running"


CHILD = """
import sys, time
sys.path.insert(0, {tests!r})
from tests.service.test_training_history import *
from ltw_core.service import history_writer
history_writer.EVERY = 0.0
history = History({path!r})
parameters = PARAMETERS | {{"max_steps": 10_000_000, "check_every": 1, "patience": 10_000_000}}
token = history.begin("ann", PROBLEM, TERMS, parameters, {{}})
history.begin("ann", PROBLEM, TERMS, parameters | {{"random_state": 1}}, {{}})  # waits
writer = HistoryWriter(history, token, TERMS.tpr, TERMS.fpr, {{}})
writer.start()
y = Y ^ (np.arange(12) % 5 == 0)  # not to be learned perfectly
LearnedWeighting(**parameters).fit(COUNTS, y, validation=VALIDATION, on_event=writer.event)
"""


@pytest.mark.skipif(os.name != "posix", reason="kill -9")
@pytest.mark.parametrize("moment", [20, 27, 34])
def test_killed_while_it_writes_it_has_died_and_nothing_is_half_there(tmp_path, moment):
    """Killed amid a stream of writings."""
    path = tmp_path / "history.sqlite"
    child = subprocess.Popen([sys.executable, "-c", CHILD.format(tests=os.getcwd(), path=str(path))])
    try:
        with History(path) as history:

            def is_under_way():
                assert child.poll() is None
                return any(past.steps > moment for past in history.of(["ann"]))

            wait_for(is_under_way, every=0.002)
            child.send_signal(signal.SIGKILL)
            child.wait()
            before = max(past.steps for past in history.of(["ann"]))
            assert history.mark_dead() == (2 if this_process().born else 0)
    finally:
        child.kill()
    with History(path) as history:
        assert history._rows("PRAGMA integrity_check")[0][0] == "ok"
        if not this_process().born:
            return
        waiting, run = sorted(history.of(["ann"]), key=lambda past: past.steps)
        assert (waiting.status, run.status) == ("died", "died") and "kept" in run.error
        curve, taken = history.curve(run.token), history.snapshots(run.token)
        assert run.steps >= before
        assert [step for step, *_ in curve] == list(range(1, run.steps + 1))  # to the last one that it says
        assert taken[-1].step == run.steps and len(taken) == min(MAX_SNAPSHOTS, run.steps)
        assert np.isfinite(taken[-1].cd).all() and not run.has_weighting
        assert history.mark_dead() == 0


def snapshot(step, f1=0.0, terms=3):
    zeros = np.zeros(terms, np.float32)
    return Snapshot(step, 0.0, f1, {}, False, zeros)


def test_kept_snapshots_are_bounded_and_even_over_the_logarithm():
    kept = KeptSnapshots()
    for step in range(100, 40_001, 100):
        kept.add(snapshot(step, f1=0.5 if step == 33_300 else 0.1))
    steps = np.array([s.step for s in kept.kept])
    assert len(steps) == MAX_SNAPSHOTS and (steps[0], steps[-1]) == (100, 40_000) and 33_300 in steps
    late = steps[steps > 2000]  # before, there are not enough to choose from
    ratios = late[1:] / late[:-1]
    assert ratios.max() < 1.3
    assert (steps < 4000).sum() > 15


def test_large_snapshots_are_fewer():
    kept = KeptSnapshots()
    for step in range(1, 41):
        kept.add(snapshot(step, terms=MAX_BYTES // 4 // 20))
    assert len(kept.kept) == 20
    for step in range(41, 60):
        kept.add(snapshot(step, terms=MAX_BYTES))
    assert len(kept.kept) == MIN_SNAPSHOTS

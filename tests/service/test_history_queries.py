"""What is asked of a history of runs that nobody trained: whose they are, and what there is of each."""

import math

import numpy as np
import pytest

from ltw_core.service import history_queries as module
from ltw_core.service.training_history import History
from ltw_core.weighting.learned.snapshots import Snapshot
from tests.service.test_training_history import PARAMETERS, PROBLEM, TERMS


@pytest.fixture
def history():
    with History(":memory:") as history:
        yield history


def end(history, token, status):
    """With a file that nobody reads."""
    history.write(token, end=(status, ""))
    with history.transaction() as db:
        db.execute(
            "INSERT INTO weighting SELECT id, ? FROM training WHERE token = ?", (b"file of " + token.encode(), token)
        )


def begin(history, owner="ann", **changes):
    return history.begin(owner, PROBLEM, TERMS, PARAMETERS | changes, {})


def test_of_a_run_that_is_not_there_or_has_not_begun_there_is_nothing(history):
    for token in ("unknown", begin(history)):
        assert history.curve(token) == history.snapshots(token) == []
        assert history.weighting(token) is None and history.weighting_file(token) is None
    assert history.find("unknown") is None and history.find_same(PROBLEM, PARAMETERS) is None
    with pytest.raises(ValueError, match=r"^this training run is no longer there$"):
        history.terms("unknown")


def test_what_was_written_is_read_in_the_order_of_steps(history, monkeypatch):
    other, token = begin(history, random_state=5), begin(history)
    taken = [Snapshot(step, step / 8, 0.5, {}, False, np.full(3, step, np.float32)) for step in (30, 9)]
    history.write(other, points=[(1, 0.0, 0.0)], snapshots=taken[:1])
    history.write(token, points=[(30, 0.25, None), (9, float("nan"), 0.5)], snapshots=taken)
    (early, late) = history.curve(token)
    assert (early[0], early[2], late[:2]) == (9, 0.5, (30, 0.25)) and math.isnan(early[1]) and math.isnan(late[2])
    assert [(s.step, s.loss, s.cd.tolist()) for s in history.snapshots(token)] == [
        (9, 1.125, [9.0] * 3),
        (30, 3.75, [30.0] * 3),
    ]
    assert [s.step for s in history.snapshots(other)] == [30]
    terms = history.terms(token)
    assert type(terms.terms) is np.ndarray and terms.terms.tolist() == ["grain", "bank", "said"]
    for name in ("tp", "fp", "fn", "tn"):
        assert getattr(terms, name).tolist() == getattr(TERMS, name).tolist()
        assert getattr(terms, name).dtype == np.int64
    end(history, token, "done")
    monkeypatch.setattr(module, "from_bytes", bytes.upper)
    assert history.weighting_file(token) == b"file of " + token.encode() and history.weighting_file(other) is None
    assert history.weighting(token) == b"FILE OF " + token.encode().upper() and history.weighting(other) is None
    assert (history.find(token).has_weighting, history.find(token).snapshots) == (True, 2)


def test_of_several_that_are_the_same_the_latest_is_found(history):
    tokens = [begin(history) for _ in range(3)]
    for token, status in zip(tokens, ("done", "done", "failed"), strict=True):
        end(history, token, status)
    assert history.find_same(PROBLEM, PARAMETERS) == tokens[1]


def test_whose_a_run_is(history):
    token = begin(history)
    assert history.is_owned(iter(["bob", "ann"]), token) is True
    assert history.is_owned(["bob"], token) is history.is_owned([], token) is False
    assert history.is_owned(["ann"], "unknown") is False
    history.delete("ann", token)
    assert history.is_owned(["ann"], token) is False


def test_a_list_is_of_a_corpus_or_class_and_of_those_asked_for_last(history):
    tokens = [begin(history, random_state=seed) for seed in range(4)]
    history.pin("ann", tokens[0])
    for asked, which in (
        ({}, [0, 3, 2, 1]),
        ({"limit": 2}, [0, 3]),
        ({"corpus": "synthetic"}, [0, 3, 2, 1]),
        ({"corpus": "other"}, []),
        ({"class_name": "relevant"}, [0, 3, 2, 1]),
        ({"class_name": "other"}, []),
        ({"corpus": "synthetic", "class_name": "relevant", "limit": 1}, [0]),
        ({"deleted": True}, []),
    ):
        assert [past.token for past in history.of(iter(["ann"]), **asked)] == [tokens[k] for k in which]
    assert history.of([]) == []


def test_a_list_ends_with_the_300th_run(history):
    begin(history)
    with history.transaction() as db:
        columns = "problem, variant, parameters, changed, seed, versions, status, asked"
        db.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
            f"INSERT INTO training (token, {columns}) SELECT 'copy ' || i, {columns} FROM training, n"
        )
        db.execute("INSERT INTO holding (owner, training, asked) SELECT 'bob', id, id FROM training")
    found = history.of(["bob"])
    assert len(found) == 300 and found[0].token == "copy 300" and found[-1].token == "copy 1"


def test_lists_that_are_kept_count_as_their_records(history):
    for seed in range(2):
        begin(history, random_state=seed)
    for owner, size in (("ann", 3), ("bob", 4), ("ann", 4)):  # each list one more than its records
        history.of([owner])
        assert history._lists._bytes == size


def test_a_record_whose_row_has_not_changed_is_not_read_again(history, monkeypatch):
    tokens = [begin(history, random_state=seed) for seed in range(3)]
    before, read = {record.token: record for record in history.of(["ann"])}, []
    of_row = module.TrainingRecord.of_row
    monkeypatch.setattr(module.TrainingRecord, "of_row", lambda row: read.append(row["token"]) or of_row(row))
    history.rename("ann", tokens[1], "mine")
    after = {record.token: record for record in history.of(["ann"])}
    assert read == [tokens[1]] and (before[tokens[1]].name, after[tokens[1]].name) == ("", "mine")
    assert all(after[token] is before[token] for token in (tokens[0], tokens[2]))

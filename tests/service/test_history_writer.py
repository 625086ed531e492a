"""When a run is written and what, to a history that notes what it is told; time passes by hand."""

import sqlite3

import pytest

from ltw_core.service import history_writer as module
from ltw_core.service.history_writer import HistoryWriter


class Noting:
    """Stands for a ``History``: notes what it is told, and fails as long as ``error`` is set."""

    def __init__(self):
        self.told, self.error = [], None

    def __getattr__(self, name):
        def call(*values, **named):
            if self.error is not None:
                raise self.error
            self.told.append((name, values, named))

        return call

    def taken(self):
        told, self.told = self.told, []
        return told


class Step:
    """Stands for an ``Event``, and for the snapshot that it makes of itself."""

    nbytes, seconds, best_step, best_f1, engine, device = 1, 2.5, 1, 0.75, "compiled", "cpu"

    def __init__(self, step, f1=0.5, phase="training"):
        self.step, self.loss, self.validation_f1, self.phase = step, step / 8, f1, phase

    def compact(self, tpr, fpr):
        assert (tpr, fpr) == ("tpr", "fpr")
        return self


def written(points=(), snapshots=(), dropped=(), step=0, **more):
    progress = {"seconds": 2.5, "best_step": 1, "best_f1": 0.75, "engine": "compiled", "device": "cpu"}
    named = {"points": list(points), "snapshots": list(snapshots), "dropped": list(dropped)}
    return "write", ("token",), named | {"progress": {"steps": step} | progress} | more


@pytest.fixture
def clock(monkeypatch):
    clock = [0.5]
    monkeypatch.setattr(module.time, "monotonic", lambda: clock[0])
    return clock


@pytest.fixture
def history():
    return Noting()


@pytest.fixture
def writer(history, clock):
    return HistoryWriter(history, "token", "tpr", "fpr", {"a": 1})


def test_it_is_written_once_a_second_and_at_the_end(history, writer, clock):
    events = [Step(step) for step in range(1, 6)]
    writer.event(events[0])  # a run whose start could not be told
    assert history.taken() == [] and writer.problem == ""
    clock[0] = 1.0
    writer.event(events[1])
    assert history.taken() == [written([(1, 0.125, 0.5), (2, 0.25, 0.5)], events[:2], step=2)]
    clock[0] = 1.5
    writer.start()
    assert history.taken() == [("start", ("token",), {})]
    clock[0] = 2.25
    writer.event(events[2])
    assert history.taken() == []
    clock[0] = 2.5
    writer.event(events[3])
    assert history.taken() == [written([(3, 0.375, 0.5), (4, 0.5, 0.5)], events[2:4], step=4)]
    clock[0] = 3.25
    writer.event(events[4])
    assert history.taken() == []
    end = {"weighting": "learned", "notes": {"a": 1}, "end": ("failed", "It broke.")}
    writer.end("failed", "learned", "It broke.")
    assert history.taken() == [written([(5, 0.625, 0.5)], events[4:], step=5, **end)]
    writer.end("stopped")
    end = {"weighting": None, "notes": {"a": 1}, "end": ("stopped", "")}
    assert history.taken() == [written(step=5, **end)]


def test_the_curve_leaves_pretraining_out_and_snapshots_that_are_kept_no_longer_are_dropped(history, writer):
    first, again, later = Step(1, phase="pretraining"), Step(1), Step(2)
    writer.event(first)
    writer.flush()
    writer.event(again)
    writer.flush()
    writer.event(later)
    writer.snapshots.kept = (later,)
    writer.flush()
    assert history.taken() == [
        written(snapshots=[first], step=1),
        written([(1, 0.125, 0.5)], [again], step=1),
        written([(2, 0.25, 0.5)], [later], [1], step=2),
    ]


def test_what_could_not_be_written_is_written_later_and_told_once(history, writer, caplog):
    history.error = sqlite3.OperationalError("database is locked by hand")
    for step in (1, 2):
        writer.event(Step(step))
        writer.flush()
        assert writer.problem == "database is locked by hand" and history.taken() == []
    assert caplog.messages == ["the history cannot be written: database is locked by hand"]
    history.error, kept = None, list(writer.snapshots.kept)
    writer.event(third := Step(3))
    writer.flush()
    points = [(1, 0.125, 0.5), (2, 0.25, 0.5), (3, 0.375, 0.5)]
    assert history.taken() == [written(points, [*kept, third], step=3)] and writer.problem == ""
    history.error = OSError(28, "No space left on device")
    writer.flush()
    assert writer.problem == "the disk is full; make room and try again" and len(caplog.messages) == 2


def test_a_run_is_entered_once_and_tried_again_until_it_is(history, writer):
    history.error = sqlite3.OperationalError("no")
    writer.enter("ann", "problem")
    history.error = None
    writer.start()
    begun = ("begin", ("ann", "problem"), {"token": "token"})
    assert history.taken() == [begun, ("start", ("token",), {})]
    writer.enter("bob", "problem")
    assert history.taken() == [("begin", ("bob", "problem"), {"token": "token"})]
    writer.start()
    assert history.taken() == [("start", ("token",), {})]

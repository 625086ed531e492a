"""What the server does for readers who are gone, and for the seeds that one reader trains side by side."""

import gc
import time
import weakref

import pytest

from ltw_core import process
from ltw_core.service.job_manager import manager, managers
from pages._ui import loading
from pages._ui.reader import owners
from pages._ui.training import start, upkeep
from tests.service.test_training_history import PARAMETERS
from tests.waiting import wait_for


def until_stopped(job):
    while not job.wait_while_paused():
        time.sleep(0.005)


def test_seeds_that_are_trained_together_pause_and_go_on_one_by_one(app, monkeypatch):
    monkeypatch.setattr(owners, "current_owner", lambda: "ann")
    task = loading.ask("synthetic").result().task("relevant")
    parameters = PARAMETERS | {"engine": "lockstep", "device": "cpu", "patience": 100}
    runs = start.start_all("synthetic", task, parameters, {}, [0, 1, 2], step=True)
    wait_for(lambda: all(run.paused for run in runs))
    assert [len(run.history) for run in runs] == [1, 1, 1]
    wait_for(lambda: manager().counts() == (0, 0))  # their slot is free for others
    manager().resume(runs[1].job)
    wait_for(lambda: not runs[1].active)
    assert (runs[1].status, len(runs[1].history)) == ("done", 6)
    assert [(run.paused, len(run.history)) for run in (runs[0], runs[2])] == [(True, 1), (True, 1)]
    manager().step(runs[0].job)
    wait_for(lambda: len(runs[0].history) == 2 and runs[0].paused)
    manager().cancel(runs[0].job)
    manager().resume(runs[2].job)
    wait_for(lambda: not any(run.active for run in runs))
    assert [(run.status, len(run.history)) for run in runs] == [("stopped", 2), ("done", 6), ("done", 6)]
    manager().forget_owner("ann")


def test_garbage_is_collected_seldom_but_by_the_upkeep(monkeypatch):
    looks = []

    class Told(Exception):
        pass

    def reap(_, meanwhile):
        meanwhile()
        raise Told

    monkeypatch.setattr(owners, "reap", reap)
    monkeypatch.setattr(upkeep, "_every", lambda seconds: lambda: seconds == upkeep.MINUTE)
    monkeypatch.setattr(upkeep.kept_tables, "purge", lambda _: looks.append("tables"))
    before = gc.get_threshold()
    try:
        process.collect_garbage_seldom()
        assert gc.get_threshold() == process.YOUNG
        garbage = Told()
        garbage.itself, held = garbage, weakref.ref(garbage)
        del garbage
        with pytest.raises(Told):
            upkeep.keep_up()
        assert held() is None and len(looks) == 2
    finally:
        gc.set_threshold(*before)


def test_the_work_of_a_reader_who_is_gone_ends_whoever_manages_it():
    jobs = [each.submit("bob", "some kind", "corn", until_stopped) for each in managers()]
    assert "bob" in owners.all_owners()
    upkeep.release("bob")
    wait_for(lambda: not any(job.active for job in jobs))
    upkeep.release("bob")  # as at the next look, now that they have ended
    assert "bob" not in owners.all_owners() and not any(each.of("bob") for each in managers())

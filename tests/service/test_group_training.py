"""Trainings side by side, each waited for by a job of its own."""

import functools
import threading
import time

import numpy as np
import pytest

from ltw_core.service.group_training import GroupTraining
from ltw_core.weighting import LearnedWeighting
from tests.waiting import PATIENCE, wait_for
from tests.weighting.learned.conftest import small_corpus

OPTIONS = dict(hidden=8, batch_size=16, check_every=20, max_steps=60)


def wait_all(group, names):
    found = {}

    def take(name):
        try:
            found[name] = group.wait(name)
        except ValueError as error:
            found[name] = str(error)

    threads = [threading.Thread(target=take, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    return found, threads


@pytest.mark.parametrize("engine", ["lockstep", "compiled"])
def test_each_gets_its_own_and_hears_its_own(engine):
    X, y = small_corpus()
    group, heard = GroupTraining((X, y), engine, "cpu"), {}
    found, threads = wait_all(group, "abc")  # the jobs may be quicker than the page
    for seed, name in enumerate("abc"):
        listener = lambda event, name=name: heard.setdefault(name, []).append(event.step) or name == "b"  # noqa: E731
        group.add(name, LearnedWeighting(**OPTIONS, random_state=seed), listener, lambda: False)
    assert not found
    group.close()
    for thread in threads:
        thread.join(30)
    assert heard == {"a": [20, 40, 60], "b": [20], "c": [20, 40, 60]}
    assert {name: weighting.stop_code_ for name, weighting in found.items()}["b"] == "stopped"
    for seed, name in enumerate("abc"):
        assert found[name].seed_ == seed and found[name].engine_ == engine
    single = LearnedWeighting(**OPTIONS, random_state=2).fit(X, y)
    np.testing.assert_allclose(found["c"].cd_, single.cd_, rtol=0.02, atol=0.02)


@pytest.mark.parametrize("engine", ["lockstep", "compiled"])
def test_one_that_is_paused_waits_and_the_others_go_on(engine):
    X, y = small_corpus()
    group, heard, paused = GroupTraining((X, y), engine, "cpu"), {}, set()
    found, threads = wait_all(group, "abcd")

    def listener(name, event):
        heard.setdefault(name, []).append(event.step)
        if name in "bd" and event.step == 20:
            paused.add(name)

    stopped = threading.Event()
    for seed, name in enumerate("abcd"):
        group.add(
            name,
            LearnedWeighting(**OPTIONS, random_state=seed),
            functools.partial(listener, name),
            lambda name=name: name == "d" and stopped.is_set(),
            lambda name=name: name in paused,
        )
    group.close()
    wait_for(lambda: set(found) == {"a", "c"})  # nobody waits for the others
    time.sleep(0.5)
    assert heard == {"a": [20, 40, 60], "b": [20], "c": [20, 40, 60], "d": [20]}
    paused.remove("b")
    wait_for(lambda: "b" in found)
    stopped.set()
    paused.discard("d" if engine == "compiled" else "")  # as whoever stops a job lets it go on
    for thread in threads:
        thread.join(PATIENCE)
    assert (heard["b"], heard["d"], found["d"].stop_code_) == ([20, 40, 60], [20], "stopped")
    for seed, name in enumerate("abc"):  # and it is the same training
        single = LearnedWeighting(**OPTIONS, random_state=seed).fit(X, y)
        np.testing.assert_allclose(found[name].cd_, single.cd_, rtol=0.02, atol=0.02)


def test_an_error_reaches_everybody():
    X, y = small_corpus()
    group = GroupTraining((X, y), "lockstep", "abacus")
    for name in "ab":
        group.add(name, LearnedWeighting(**OPTIONS), lambda event: False, lambda: False)
    group.close()
    found, threads = wait_all(group, "ab")
    for thread in threads:
        thread.join(30)
    assert all("device must be" in found[name] for name in "ab")

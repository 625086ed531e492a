"""A job without its manager: what it says of itself at each stage, and what the work asks of it."""

import threading
import time
from types import SimpleNamespace

import pytest

from ltw_core.service import job as module
from ltw_core.service.job import Job
from ltw_core.weighting.progress import Cancelled


def state(job):
    return job.status, job.active, job.yet_to_begin, job.paused, job.resuming, job.stepping, job.abandoned


def test_what_a_job_says_of_itself_from_its_first_to_its_last_moment(monkeypatch):
    clock, ended = [100.0], []
    monkeypatch.setattr(module.time, "time", lambda: clock[0])
    monkeypatch.setattr(module, "_lower_priority", lambda: ended.append("low"))
    work = lambda job: (job.emit("one"), job.emit("two"), (job.status, job.events))[-1]  # noqa: E731
    job = Job("ann", "train", "corn", work, {"a": 1}, on_end=lambda job, status: ended.append((job.status, status)))
    assert (len(job.id), job.owner, job.owners, job.shared) == (12, "ann", ("ann",), False)
    assert (job.events, job.last, job.result, job.error, job.leader) == (0, None, None, "", None)
    assert state(job) == ("queued", True, True, False, False, False, False)
    clock[0] = 107.5
    assert (job.submitted, job.started, job.finished, job.seconds) == (100.0, None, None, 0.0)
    job.leave_queue()
    assert state(job) == ("running", True, False, False, False, False, False) and job.seconds == 0.0
    clock[0] = 107.75
    assert (job.started, job.seconds) == (107.5, 0.25)
    job.hold()
    assert state(job) == ("running", True, False, True, False, False, False)
    job.enter_queue()
    assert state(job) == ("queued", True, False, False, True, False, False)
    clock[0] = 109.0
    job.leave_queue()
    job.proceed(1)
    assert state(job) == ("running", True, False, False, False, True, False)
    job.proceed()
    assert job.stepping and (job.started, job.seconds) == (107.5, 1.5)  # a resumed job has begun long ago
    job.run()
    clock[0] = 200.0
    assert state(job) == ("done", False, False, False, False, False, False)
    assert (job.finished, job.seconds, job.result, job.events, job.last) == (109.0, 1.5, ("running", 2), 2, "two")
    assert ended == ["low", ("running", "done")] and job._work is job._on_end is None
    clock[0] = 0.0  # a clock set back
    backwards = Job("ann", "train", "corn", None, {}, name="known", shared=True, leader=job)
    assert (backwards.id, backwards.shared, backwards.leader) == ("known", True, job)
    backwards.started = 5.0
    assert backwards.seconds == 0.0
    backwards.owners = ()
    assert backwards.owner == ""


def test_events_are_counted_and_the_last_of_a_step_pauses():
    job = Job("ann", "train", "corn", None, {})
    job.leave_queue()
    for number in range(3):
        job.emit(number)
    assert (job.events, job.last, job.paused) == (3, 2, False)
    job.pause_after(2)
    assert job.stepping and not job.paused
    job.emit(3)
    assert job.stepping and not job.paused
    job.emit(4)
    assert job.paused and not job.stepping
    job.proceed()
    job.emit(5)
    assert not job.paused and job.events == 6


@pytest.mark.parametrize(("low_from", "lowered"), [("start", [0]), ("first event", [1]), ("never", [])])
def test_since_when_pages_go_first(monkeypatch, low_from, lowered):
    told = []

    def work(job):
        for number in (1, 2):
            at.append(number)
            job.emit(number)

    at = []
    monkeypatch.setattr(module, "_lower_priority", lambda: told.append(len(at)))
    Job("ann", "train", "corn", work, {}, low_from=low_from).run()
    assert told == lowered


def test_a_paused_job_waits_until_it_may_go_on_or_must_end():
    waiting, asked = [], []
    job = Job("ann", "train", "corn", None, {})
    job.on_wait = waiting.append
    assert (job.shall_wait(), job.wait_while_paused(), job.stop_requested, waiting) == (False, False, False, [])
    assert job.raise_if_stopped() is None
    answers = iter([False, False, True])

    def wait(seconds):
        asked.append(seconds)
        return next(answers)

    job._go = SimpleNamespace(is_set=lambda: False, wait=wait)
    assert job.shall_wait() and waiting == [job]
    assert job.paused_seconds == 0
    assert not job.wait_while_paused() and asked == [0.2] * 3 and waiting == [job] * 2
    assert job.paused_seconds > 0
    job.request_stop()
    answers = iter([False])  # it looks once more
    assert job.wait_while_paused() and job.stop_requested
    answers = iter([False])
    with pytest.raises(Cancelled, match=r"^The job was stopped$"):
        job.raise_if_stopped()


def test_a_job_lets_others_go_first_for_a_moment_at_each_step(monkeypatch):
    job, looks = Job("ann", "f1", "corn", None, {}), []
    answers = iter([True, True, False])

    def others():
        looks.append(time.monotonic())
        return next(answers)

    job.others_first = others
    assert not job.wait_while_paused() and len(looks) == 3 and looks[2] - looks[0] >= 0.02
    monkeypatch.setattr(module, "WAY", 0.05)
    job.others_first = lambda: True
    began = time.monotonic()
    assert not job.wait_while_paused() and time.monotonic() - began >= 0.05  # and then it goes on
    monkeypatch.setattr(module, "WAY", 1e9)
    job.request_stop()
    assert job.wait_while_paused()


def test_a_job_rests_after_each_step_as_it_is_told(monkeypatch):
    now, steps, rests = [0.0], [], []

    def sleep(seconds):
        now[0] += seconds

    def rest(seconds):
        steps.append(seconds)
        return 3 * seconds

    def work(job):
        for seconds in (0.1, 0.2, 2.0):
            sleep(seconds)
            began = now[0]
            job.raise_if_stopped()
            rests.append(now[0] - began)

    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0], time=time.time, sleep=sleep))
    job = Job("ann", "f1", "corn", work, {})
    job.rest_after = rest
    job.run()
    assert (job.status, job.error) == ("done", "")
    assert steps == pytest.approx([0.1, 0.2, 2.0])  # each of its own step, without the rest before
    assert rests == pytest.approx([0.3, 0.6, module.WAY], abs=0.011)


def test_how_a_job_ends(caplog):
    def fails(error):
        def work(job):
            raise error

        return work

    broken = lambda job, status: 1 / 0  # noqa: E731
    for work, stopped, on_end, status, error in (
        (fails(Cancelled()), False, None, "stopped", ""),
        (lambda job: 1, True, broken, "stopped", ""),
        (fails(ValueError("no")), False, None, "failed", "no"),
    ):
        job = Job("ann", "train", "corn", work, {}, on_end=on_end, low_from="never")
        if stopped:
            job.request_stop()
        job.run()
        assert (job.status, job.error, job.result) == (status, error, 1 if stopped else None)
    assert caplog.messages == ["the end of job train (corn) could not be reported"]


@pytest.mark.parametrize(("platform", "before", "after"), [("linux", 0, 10), ("linux", 19, 19), ("darwin", 0, None)])
def test_only_linux_has_threads_of_low_priority(monkeypatch, platform, before, after):
    called = []
    monkeypatch.setattr(module.sys, "platform", platform)
    monkeypatch.setattr(module.os, "getpriority", lambda which, who: before)
    monkeypatch.setattr(module.os, "setpriority", lambda *values: called.append(values))
    module._lower_priority()
    me = threading.get_native_id()
    assert called == ([] if after is None else [(module.os.PRIO_PROCESS, me, after)])

import os
import random
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from ltw_core.service import job as module
from ltw_core.service import job_manager
from ltw_core.service.job import Job
from ltw_core.service.job_manager import (
    JobManager,
    manager,
    manager_of_idle_work,
    manager_of_short_work,
    managers,
)
from tests.waiting import PATIENCE, wait_for


# by hand --------------------------------------------------------------------------------------------------------------
@pytest.fixture
def by_hand(monkeypatch):
    """Makes a manager whose jobs have no threads: ``end(job)`` runs one to its end."""
    threads = {}

    class Thread:
        def __init__(self, *, target, args, name, daemon):
            (job,) = args
            self.start = lambda: threads.update({job: target})
            assert (name, daemon) == (f"job-{job.kind}", True)

    def end(job):
        threads.pop(job)(job)
        assert not job.active

    monkeypatch.setattr(job_manager, "threading", SimpleNamespace(RLock=threading.RLock, Thread=Thread))
    return JobManager, end


def submit(jobs, owner, key="", **options):
    return jobs.submit(owner, "train", key or owner, lambda job: key, **options)


def test_what_a_manager_and_its_jobs_are_without_being_told(by_hand):
    make, end = by_hand
    jobs, told = make(), {"class": "corn"}
    assert (jobs.limit, jobs.each, jobs.in_all) == (2, 20, 400)
    one, other = submit(jobs, "ann", meta=told), submit(jobs, "bob", name="known", urgent_start=True)
    assert (one.meta, other.meta, other.id, one.shared) == (told, {}, "known", False) and one.meta is not told
    assert (one._low_from, other._low_from) == ("start", "first event")
    assert submit(make(low_priority=False), "ann", urgent_start=True)._low_from == "never"
    assert (one.status, other.status, jobs.counts()) == ("running", "running", (2, 0))
    for number in range(19):
        submit(jobs, "ann", str(number))
    with pytest.raises(
        ValueError, match=r"^you have 20 jobs running or queued, the maximum: wait for one, or stop one$"
    ):
        submit(jobs, "ann", "19")
    end(one)
    assert submit(jobs, "ann", "19").status == "queued" and jobs.counts() == (2, 19)
    assert (jobs.of("ann", "evaluate"), len(jobs.of("ann", "train")), jobs.of("bob")) == ([], 21, [other])
    jobs.in_all = 21
    with pytest.raises(ValueError, match=r"^this server already has 21 jobs, the maximum; try again in a while$"):
        submit(jobs, "eve")
    first, short, idle = (each.__dict__ for each in managers())
    for made, low, after in ((short, False, None), (idle, True, manager())):
        assert [made[name] for name in ("limit", "each", "in_all", "_low_priority")] == [1, 20, 400, low]
        assert made["_after"] is after
    assert first["_low_priority"] and first["_after"] is None


def test_whose_turn_it_is(by_hand):
    """Who has fewer jobs running and before this one in the queue, who was served longer ago, who came first."""
    make, end = by_hand
    jobs = make(limit=1)
    end(submit(jobs, "ann"))
    end(submit(jobs, "bob"))
    busy = submit(jobs, "eve")
    queued = [submit(jobs, owner, key) for owner, key in (("bob", "b"), ("ann", "a"), ("new", "n"))]
    assert [jobs.position(job) for job in (busy, *queued)] == [0, 2, 1, 0]
    end(busy)
    assert [jobs.position(job) for job in queued] == [1, 0, 0] and queued[2].status == "running"

    for last, order in (("bob", "b1 a1 b2"), ("ann", "b1 b2 a1")):  # ann runs, and was served first, or last
        jobs = make(limit=2)
        running = submit(jobs, "ann", "a0") if last == "bob" else None
        end(submit(jobs, "bob", "b0"))
        running = running or submit(jobs, "ann", "a0")
        full = submit(jobs, "eve")
        queued = {key: submit(jobs, {"a": "ann", "b": "bob"}[key[0]], key) for key in ("a1", "b1", "b2")}
        assert " ".join(sorted(queued, key=lambda key: jobs.position(queued[key]))) == order
        assert running.active and full.active


def test_what_a_new_job_waits_for(by_hand):
    """With two slots it is the end of the job that ends first, and of each that is served before."""
    make, end = by_hand
    jobs = make(limit=2)
    long = submit(jobs, "ann", meta={"seconds": 60.0})
    assert jobs.before("new") == (0, 0.0)  # a slot is free
    submit(jobs, "bob", meta={"seconds": 1000.0})
    assert jobs.before("new") == (1, pytest.approx(60, abs=1))
    submit(jobs, "eve", meta={"seconds": 300.0})
    assert jobs.before("new") == (2, pytest.approx(360, abs=1))  # hers goes first, in ann's slot
    submit(jobs, "eve", "second", meta={"seconds": 300.0})
    assert jobs.before("new") == (2, pytest.approx(360, abs=1))  # her second one does not: it would be new's turn
    assert jobs.before("eve") == (3, pytest.approx(660, abs=1))
    submit(jobs, "dan")
    assert jobs.before("new") == (3, None)  # nobody knows how long that takes
    end(long)
    assert jobs.before("new") == (2, None)
    jobs = make(limit=1)
    first = submit(jobs, "ann", meta={"seconds": 60.0})
    submit(jobs, "ann", "of its group", leader=first, meta={"seconds": 60.0})
    assert jobs.before("new") == (1, pytest.approx(60, abs=1))
    first.started -= 100  # longer than was said
    assert first.left is None and jobs.before("new") == (1, None)


def test_how_many_that_have_ended_are_kept(by_hand):
    make, end = by_hand
    jobs = make()
    for number in range(15):
        end(submit(jobs, "ann", str(number)))
        kept = [job.key for job in jobs.of("ann")]
        assert kept == [str(number) for number in range(max(0, number - 12), number + 1)]
    jobs = make()
    for number in range(40):
        end(submit(jobs, f"reader {number}"))
        assert len(jobs._jobs) == min(17, number + 1) and jobs.owners() == {job.owner for job in jobs._jobs.values()}
    assert next(iter(jobs._jobs.values())).owner == "reader 23"


def test_a_job_is_abandoned_when_all_who_asked_have_gone(by_hand):
    make, end = by_hand
    jobs = make(limit=1)
    alone, both = submit(jobs, "ann", "alone"), submit(jobs, "ann", "both", shared=True)
    assert submit(jobs, "bob", "both", shared=True) is both
    jobs.forget_owner("ann")
    assert (alone.abandoned, alone.stop_requested, both.abandoned, both.stop_requested) == (True, True, False, False)
    assert both.owners == ("bob",) and submit(jobs, "ann", "alone") is not alone  # that one is about to stop
    end(alone)
    assert alone.status == "stopped"
    jobs.forget_owner("ann")
    assert jobs.get(alone.id) is None


def test_for_how_long_idle_work_waits(by_hand, monkeypatch):
    make, _ = by_hand
    clock, slept, waiting = [0.0], [], [1]

    def sleep(seconds):
        slept.append(seconds)
        clock[0] += 1.0

    monkeypatch.setattr(job_manager, "time", SimpleNamespace(monotonic=lambda: clock[0], sleep=sleep))
    after = SimpleNamespace(counts=lambda: (0, waiting[0]))
    for work_waits, stop, sleeps in ((1, False, 20), (0, False, 0), (1, True, 0)):
        jobs = make(after=after)
        job = submit(jobs, "ann")
        waiting[0] = work_waits
        if stop:
            job.request_stop()
        slept.clear()
        jobs._run(job)
        assert slept == [0.05] * sleeps and job.status == ("stopped" if stop else "done")
        assert jobs.counts() == (0, 0)


# with threads --------------------------------------------------------------------------------------------------------
def until_stopped(job):
    """Work that ends when the job is cancelled."""
    while not job.wait_while_paused():
        job.emit(job.events)
        time.sleep(0.005)
    return "told"


def test_events_and_result_come_back():
    jobs = JobManager()

    def work(job):
        for i in range(3):
            job.emit(i)
        return "ready"

    job = jobs.submit("ann", "train", "corn", work, {"class": "corn"})
    wait_for(lambda: not job.active)
    assert (job.status, job.result, job.events, job.last) == ("done", "ready", 3, 2)
    assert jobs.get(job.id) is job and jobs.of("ann") == [job] and jobs.of("bob") == []


def test_stop_keeps_the_result_of_work_that_ends_in_order():
    jobs = JobManager()
    job = jobs.submit("ann", "train", "corn", until_stopped)
    wait_for(lambda: job.last)
    jobs.cancel(job)
    wait_for(lambda: not job.active)
    assert (job.status, job.result) == ("stopped", "told")


def test_pause_holds_the_work_and_stop_ends_a_paused_job():
    jobs = JobManager()
    job = jobs.submit("ann", "train", "corn", until_stopped)
    wait_for(lambda: job.last)
    jobs.pause(job)
    time.sleep(0.1)
    seen = job.events
    time.sleep(0.1)
    assert job.paused and job.events == seen
    jobs.resume(job)
    wait_for(lambda: job.events > seen)
    jobs.pause(job)
    jobs.cancel(job)
    wait_for(lambda: job.status == "stopped")


def test_a_step_goes_on_to_the_next_event_and_pauses_there():
    jobs = JobManager()
    job = jobs.submit("ann", "train", "corn", until_stopped)
    wait_for(lambda: job.last)
    jobs.pause(job)
    time.sleep(0.1)
    seen = job.events
    jobs.step(job)
    wait_for(lambda: job.paused and not job.stepping)
    time.sleep(0.05)
    assert job.events == seen + 1
    jobs.step(job, 3)
    wait_for(lambda: job.paused and not job.stepping)
    time.sleep(0.05)
    assert job.events == seen + 4
    jobs.step(job, 10_000)
    jobs.resume(job)  # and no pause to come
    assert not job.stepping
    jobs.cancel(job)
    wait_for(lambda: job.status == "stopped")


def test_a_paused_job_frees_its_slot_and_goes_on_when_there_is_one_again():
    jobs = JobManager(limit=1)
    first = jobs.submit("ann", "train", "a", until_stopped)
    wait_for(lambda: first.last)
    second = jobs.submit("bob", "train", "b", until_stopped)
    assert second.status == "queued"
    jobs.pause(first)
    wait_for(lambda: second.last)
    assert first.paused and jobs.counts() == (1, 0)

    jobs.resume(first)  # bob works: ann's turn comes when he pauses or ends
    third = jobs.submit("bob", "train", "c", until_stopped)
    seen = first.events
    time.sleep(0.3)
    assert (first.status, first.paused, first.events) == ("queued", False, seen)
    assert jobs.counts() == (1, 2) and (jobs.position(first), jobs.position(third)) == (0, 1)
    jobs.pause(first)  # not yet
    assert first.paused and jobs.counts() == (1, 1)
    jobs.step(first)
    jobs.cancel(second)
    wait_for(lambda: first.paused and first.events == seen + 1)
    wait_for(lambda: third.last)  # and it freed its slot once more

    jobs.resume(first)
    assert first.status == "queued"
    jobs.cancel(first)  # a thread that waits ends, with what it has
    wait_for(lambda: first.status == "stopped")
    assert first.result == "told"
    jobs.cancel(third)
    wait_for(lambda: jobs.counts() == (0, 0))


def test_many_who_pause_and_go_on_at_random_never_work_at_once():
    jobs, chance = JobManager(limit=2, each=50), random.Random(0)
    at_work, most = set(), [0]

    def work(job):
        while not job.wait_while_paused():
            at_work.add(job.key)
            most[0] = max(most[0], len(at_work))
            job.emit(0)
            time.sleep(0.001)
            at_work.discard(job.key)

    all_of_them = [jobs.submit(f"reader {i % 4}", "train", str(i), work) for i in range(12)]
    for _ in range(1500):
        job = chance.choice(all_of_them)
        chance.choice([jobs.pause, jobs.resume, jobs.step])(job)
        time.sleep(0.0005)
    for job in all_of_them:
        jobs.resume(job)
    wait_for(lambda: jobs.counts() == (2, 10))
    for job in all_of_them:
        jobs.cancel(job)
    wait_for(lambda: all(job.status == "stopped" for job in all_of_them))
    assert most[0] == 2 and jobs.counts() == (0, 0)


def test_owners_take_turns_and_the_cap_holds():
    jobs, gate, order = JobManager(limit=1), threading.Event(), []

    def work(job):
        gate.wait(PATIENCE)
        order.append(job.key)

    first = jobs.submit("ann", "train", "a1", work)
    queued = [jobs.submit("ann", "train", k, work) for k in ("a2", "a3")] + [jobs.submit("bob", "train", "b1", work)]
    assert jobs.counts() == (1, 3)
    assert [jobs.position(j) for j in queued] == [1, 2, 0]  # bob came last and is next
    gate.set()
    wait_for(lambda: not any(j.active for j in [first, *queued]))
    assert order == ["a1", "b1", "a2", "a3"]


def test_a_double_click_starts_one_job():
    jobs = JobManager()
    one = jobs.submit("ann", "train", "corn", until_stopped)
    assert jobs.submit("ann", "train", "corn", until_stopped) is one
    assert jobs.submit("bob", "train", "corn", until_stopped) is not one
    jobs.forget_owner("ann")
    jobs.forget_owner("bob")


def test_a_queued_job_is_stopped_at_once():
    jobs = JobManager(limit=1)
    running = jobs.submit("ann", "train", "a", until_stopped)
    waiting = jobs.submit("ann", "train", "b", until_stopped)
    jobs.cancel(waiting)
    assert waiting.status == "stopped" and running.active
    jobs.forget_owner("ann")
    wait_for(lambda: not running.active)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("lr is -1; it must be positive"), "lr is -1; it must be positive"),
        (KeyError("x"), "It failed unexpectedly (KeyError); the server's log has details."),
        (MemoryError(), "There was not enough memory for this; try fewer terms or documents."),
    ],
)
def test_a_failure_is_a_sentence_and_frees_the_slot(error, sentence):
    jobs = JobManager(limit=1)

    def work(job):
        raise error

    job = jobs.submit("ann", "train", "a", work)
    wait_for(lambda: not job.active)
    assert (job.status, job.error) == ("failed", sentence)
    after = jobs.submit("ann", "train", "b", lambda job: 1)
    wait_for(lambda: after.status == "done")


def test_released_owners_and_old_jobs_are_forgotten():
    jobs = JobManager()
    ended = []
    for i in range(30):
        ended.append(jobs.submit("ann", "train", str(i), lambda job: 1))
        wait_for(lambda: not ended[-1].active)
    assert len(jobs.of("ann")) <= 21
    jobs.forget_owner("ann")
    assert jobs.owners() == set()


def test_the_same_is_done_once_for_all_who_ask_and_stops_when_all_have_withdrawn():
    jobs, ended = JobManager(), []
    one = jobs.submit("ann", "train", "corn", until_stopped, shared=True, on_end=lambda _, status: ended.append(status))
    assert jobs.submit("bob", "train", "corn", until_stopped, shared=True) is one
    assert one.owners == ("ann", "bob") and jobs.of("bob") == [one]
    assert not jobs.pause(one)  # bob would wait for nothing
    assert not jobs.cancel(one, "ann")
    time.sleep(0.05)
    assert one.active and jobs.of("ann") == [] and one.owner == "bob"
    assert jobs.pause(one)
    assert jobs.submit("ann", "train", "corn", until_stopped, shared=True) is one and not one.paused
    jobs.forget_owner("ann")
    assert jobs.cancel(one, "bob")
    wait_for(lambda: not one.active)
    assert ended == ["stopped"]
    assert jobs.submit("bob", "train", "corn", lambda job: 1, shared=True) is not one


def test_a_step_that_is_asked_for_while_the_work_goes_on_is_not_lost():
    jobs, go = JobManager(), threading.Event()

    def work(job):
        job.emit("first")
        go.wait(PATIENCE)
        until_stopped(job)

    job = jobs.submit("ann", "train", "corn", work)
    wait_for(lambda: job.last)
    with jobs._lock:  # another reader is about to start something
        asking = threading.Thread(target=jobs.step, args=(job,))
        asking.start()
        time.sleep(0.1)
        go.set()
        wait_for(lambda: job.last != "first")  # just now the work tells of something
    asking.join()
    until = time.monotonic() + 10
    while not job.paused:
        assert time.monotonic() < until, "it goes on for ever"
        time.sleep(0.01)
    jobs.forget_owner("ann")


def test_a_job_that_is_told_to_go_on_goes_on_whatever_its_work_tells_at_that_moment():
    """It is told so by a page while its work is about to pause: between its count and its gate."""
    job = Job("ann", "train", "corn", None, {})
    job.leave_queue()
    job.proceed(1)
    gate, told = job._go, threading.Thread(target=job.proceed, args=(0,))

    def clear():
        told.start()
        told.join(0.3)  # it waits until what the work began is done
        gate.clear()

    job._go = SimpleNamespace(clear=clear, set=gate.set, is_set=gate.is_set)
    job.emit(0)
    told.join(PATIENCE)
    assert not job.paused and not job.stepping


def test_nothing_is_kept_of_an_owner_who_is_gone():
    jobs = JobManager(limit=1)
    for number in range(20):
        job = jobs.submit(f"reader {number}", "train", "corn", lambda job: 1)
        wait_for(lambda job=job: not job.active)
        jobs.forget_owner(f"reader {number}")
    assert (jobs.owners(), jobs._jobs, jobs._served) == (set(), {}, {})


def test_a_manager_tells_its_jobs_who_goes_first():
    jobs, asked = JobManager(), []
    jobs.others_first, jobs.rest_after = lambda: asked.append("looked"), lambda seconds: asked.append("rested") or 0.0
    job = jobs.submit("ann", "f1", "corn", lambda job: job.wait_while_paused())
    wait_for(lambda: not job.active)
    assert asked == ["rested", "looked"] and JobManager().others_first() is False and JobManager().rest_after(1) == 0


def test_work_of_seconds_does_not_wait_for_that_of_minutes():
    long, short, idle = managers()
    assert (long, short, idle) == (manager(), manager_of_short_work(), manager_of_idle_work())
    assert len({long, short, idle}) == 3
    busy = [long.submit("ann", "train", str(i), until_stopped) for i in range(long.limit + 1)]
    job = short.submit("ann", "decide", "corn", lambda job: 1)
    wait_for(lambda: not job.active)
    assert job.result == 1 and busy[-1].status == "queued"
    for each in managers():
        each.forget_owner("ann")
    wait_for(lambda: not any(job.active for job in busy))


def test_what_nobody_waits_for_lets_what_was_asked_for_have_its_turn(monkeypatch):
    asked, began = JobManager(limit=1), threading.Event()
    idle = JobManager(limit=1, after=asked)
    busy = [asked.submit("ann", "train", str(i), until_stopped) for i in range(2)]
    job = idle.submit("ann", "nearest", "corn", lambda job: began.set())
    assert not began.wait(0.3) and job.status == "running"
    asked.cancel(busy[1])  # none waits for its turn any more
    assert began.wait(PATIENCE) and busy[0].active
    monkeypatch.setattr(job_manager, "TURNS", 0.1)  # and it does not wait for ever
    waiting = asked.submit("ann", "train", "2", until_stopped)
    job = idle.submit("ann", "nearest", "earn", lambda job: 1)
    wait_for(lambda: not job.active)
    assert job.result == 1 and waiting.status == "queued"
    asked.forget_owner("ann")
    wait_for(lambda: not any(each.active for each in (*busy, waiting)))


def test_a_job_that_is_withdrawn_from_is_seen_no_more_and_goes_on_for_others_only():
    manager = JobManager(limit=2)
    alone = manager.submit("a", "train", "alone", until_stopped)
    both = manager.submit("a", "train", "both", until_stopped, shared=True)
    assert manager.submit("b", "train", "both", until_stopped, shared=True) is both
    for job in (alone, both):
        manager.withdraw(job, "a")
    assert manager.of("a") == []
    wait_for(lambda: not alone.active)
    assert alone.status == "stopped" and both.active and manager.of("b") == [both]
    manager.withdraw(both, "a")  # it is theirs no longer
    assert both.active
    manager.cancel(both, "b")
    wait_for(lambda: not both.active)
    manager.withdraw(both, "b")
    assert manager.get(both.id) is None


def test_jobs_that_are_not_shared_are_not_found_by_others():
    jobs = JobManager()
    mine = jobs.submit("ann", "train", "corn", until_stopped)
    assert jobs.submit("bob", "train", "corn", until_stopped, shared=True) is not mine
    jobs.forget_owner("ann")
    jobs.forget_owner("bob")


def test_a_job_that_never_ran_tells_its_end_too():
    jobs, ended = JobManager(limit=1), []
    running = jobs.submit("ann", "train", "a", until_stopped)
    waiting = jobs.submit("ann", "train", "b", until_stopped, on_end=lambda j, status: ended.append((j.key, status)))
    jobs.cancel(waiting, "ann")
    assert ended == [("b", "stopped")]
    jobs.forget_owner("ann")
    wait_for(lambda: not running.active)


def test_too_many_jobs_are_a_sentence():
    jobs = JobManager(limit=1, each=2, in_all=3)
    for key in "ab":
        jobs.submit("ann", "train", key, until_stopped)
    with pytest.raises(ValueError, match="you have 2 jobs running or queued, the maximum"):
        jobs.submit("ann", "train", "c", until_stopped)
    jobs.submit("bob", "train", "c", until_stopped)
    with pytest.raises(ValueError, match="this server already has 3 jobs, the maximum"):
        jobs.submit("eve", "train", "d", until_stopped)
    for owner in ("ann", "bob"):
        jobs.forget_owner(owner)


def test_a_burst_is_served_by_turns():
    jobs, gate, order = JobManager(limit=2), threading.Event(), []

    def work(job):
        gate.wait(PATIENCE)
        order.append(job.owner)

    started = [jobs.submit(owner, "train", f"{owner}{i}", work) for owner in "abcdefghij" for i in range(3)]
    gate.set()
    wait_for(lambda: not any(job.active for job in started))
    rounds = [set(order[at : at + 10]) for at in (0, 10, 20)]
    # by turns: nobody's third before everybody's first (two slots: the order of neighbours is chance)
    firsts = {owner: order.index(owner) for owner in "abcdefghij"}
    thirds = {owner: len(order) - 1 - order[::-1].index(owner) for owner in "abcdefghij"}
    assert max(firsts.values()) < min(thirds.values()), rounds


def test_a_job_with_a_leader_starts_with_it_and_takes_no_slot():
    jobs = JobManager(limit=1)
    before = jobs.submit("ann", "train", "before", until_stopped)
    first = jobs.submit("bob", "train", "first", until_stopped)
    followers = [jobs.submit("bob", "train", f"follower {i}", until_stopped, leader=first) for i in range(3)]
    after = jobs.submit("eve", "train", "after", until_stopped)
    assert [job.status for job in (before, first, *followers, after)] == ["running", *["queued"] * 5]
    jobs.cancel(before)
    wait_for(lambda: first.last and all(job.last for job in followers))
    assert after.status == "queued"
    late = jobs.submit("bob", "train", "late", until_stopped, leader=first)
    wait_for(lambda: late.last)
    jobs.pause(first)
    wait_for(lambda: jobs.counts() == (4, 1))  # the others of its group are at work: it keeps its slot
    jobs.cancel(first)
    wait_for(lambda: not first.active)
    for job in followers:
        assert job.status == "running" and not job.paused
        jobs.pause(job)
    assert after.status == "queued"
    jobs.pause(late)
    wait_for(lambda: after.last)
    jobs.resume(late)
    assert late.status == "queued"
    jobs.cancel(after)
    wait_for(lambda: late.status == "running")
    jobs.resume(followers[0])  # with the slot that its group has
    assert followers[0].status == "running"
    for owner in ("bob", "eve"):
        jobs.forget_owner(owner)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives threads priorities")
def test_work_has_a_lower_priority_than_pages():
    def work(job):
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    jobs, mine = JobManager(), os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    job = jobs.submit("ann", "train", "corn", work)
    wait_for(lambda: not job.active)
    assert job.result == max(mine, module.NICE)
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == mine

    def work_to_be_looked_at(job):
        before = work(job)
        job.emit("first")
        return before, work(job)

    job = jobs.submit("ann", "train", "corn", work_to_be_looked_at, urgent_start=True)
    wait_for(lambda: not job.active)
    assert job.result == (mine, max(mine, module.NICE))

    as_pages = JobManager(low_priority=False)
    for urgent in (False, True):
        job = as_pages.submit("ann", "f1", str(urgent), work_to_be_looked_at, urgent_start=urgent)
        wait_for(lambda job=job: not job.active)
        assert job.result == (mine, mine)

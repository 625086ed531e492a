import threading
import time

import pytest

from ltw_core.experiments.jobs import JobManager


def wait(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            pytest.fail("waited too long")
        time.sleep(0.005)


def until_told(job):
    """Work that ends when the job is cancelled."""
    while not job.cancelled:
        job.emit(len(job.since()))
        time.sleep(0.005)
    return "told"


def test_events_and_result_come_back():
    jobs = JobManager()

    def work(job):
        for i in range(3):
            job.emit(i)
        return "ready"

    job = jobs.submit("ann", "train", "corn", work, {"class": "corn"})
    wait(lambda: not job.active)
    assert (job.status, job.result, job.since(1), job.last) == ("done", "ready", [1, 2], 2)
    assert jobs.get(job.id) is job and jobs.of("ann") == [job] and jobs.of("bob") == []


def test_stop_keeps_the_result_of_work_that_ends_in_order():
    jobs = JobManager()
    job = jobs.submit("ann", "train", "corn", until_told)
    wait(lambda: job.last)
    jobs.cancel(job)
    wait(lambda: not job.active)
    assert (job.status, job.result) == ("stopped", "told")


def test_pause_holds_the_work_and_stop_ends_a_paused_job():
    jobs = JobManager()
    job = jobs.submit("ann", "train", "corn", until_told)
    wait(lambda: job.last)
    job.pause()
    time.sleep(0.1)
    seen = len(job.since())
    time.sleep(0.1)
    assert job.paused and len(job.since()) == seen
    job.resume()
    wait(lambda: len(job.since()) > seen)
    job.pause()
    jobs.cancel(job)
    wait(lambda: job.status == "stopped")


def test_a_step_goes_on_to_the_next_event_and_pauses_there():
    jobs = JobManager()
    job = jobs.submit("ann", "train", "corn", until_told)
    wait(lambda: job.last)
    job.pause()
    time.sleep(0.1)
    seen = len(job.since())
    job.step()
    wait(lambda: job.paused and not job.stepping)
    time.sleep(0.05)
    assert len(job.since()) == seen + 1
    job.step(3)
    wait(lambda: job.paused and not job.stepping)
    time.sleep(0.05)
    assert len(job.since()) == seen + 4
    job.step(10_000)
    job.resume()  # and no pause to come
    assert not job.stepping
    jobs.cancel(job)
    wait(lambda: job.status == "stopped")


def test_owners_take_turns_and_the_cap_holds():
    jobs, gate, order = JobManager(limit=1), threading.Event(), []

    def work(job):
        gate.wait(5)
        order.append(job.key)

    first = jobs.submit("ann", "train", "a1", work)
    queued = [jobs.submit("ann", "train", k, work) for k in ("a2", "a3")] + [jobs.submit("bob", "train", "b1", work)]
    assert jobs.counts() == (1, 3)
    assert [jobs.position(j) for j in queued] == [1, 2, 0]  # bob came last and is next
    gate.set()
    wait(lambda: not any(j.active for j in [first, *queued]))
    assert order == ["a1", "b1", "a2", "a3"]


def test_a_double_click_starts_one_job():
    jobs = JobManager()
    one = jobs.submit("ann", "train", "corn", until_told)
    assert jobs.submit("ann", "train", "corn", until_told) is one
    assert jobs.submit("bob", "train", "corn", until_told) is not one
    jobs.release("ann")
    jobs.release("bob")


def test_a_queued_job_is_stopped_at_once():
    jobs = JobManager(limit=1)
    running = jobs.submit("ann", "train", "a", until_told)
    waiting = jobs.submit("ann", "train", "b", until_told)
    jobs.cancel(waiting)
    assert waiting.status == "stopped" and running.active
    jobs.release("ann")
    wait(lambda: not running.active)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("lr is -1; it must be positive"), "lr is -1; it must be positive"),
        (KeyError("x"), "It failed unexpectedly (KeyError); the server's log has details."),
        (MemoryError(), "There was not enough memory for this; try fewer terms or documents."),
    ],
)
def test_a_failure_is_a_sentence_and_frees_the_place(error, sentence):
    jobs = JobManager(limit=1)

    def work(job):
        raise error

    job = jobs.submit("ann", "train", "a", work)
    wait(lambda: not job.active)
    assert (job.status, job.error) == ("failed", sentence)
    after = jobs.submit("ann", "train", "b", lambda job: 1)
    wait(lambda: after.status == "done")


def test_released_owners_and_old_jobs_are_forgotten():
    jobs = JobManager()
    ended = []
    for i in range(30):
        ended.append(jobs.submit("ann", "train", str(i), lambda job: 1))
        wait(lambda: not ended[-1].active)
    assert len(jobs.of("ann")) <= 21
    jobs.release("ann")
    assert jobs.owners() == set()

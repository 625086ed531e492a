"""Work that outlives a page: background jobs in threads, with a cap, a fair queue, events, and a way to stop them.

For compiled loops that release the GIL. A job belongs to an owner (a browser), or to several who asked for the same:
then it is done once, and stops only when all have withdrawn. Owners take turns when there are more jobs than slots.
Nothing here is kept when the process ends, and nothing here knows of Streamlit.
"""

import functools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ltw_core.service.job import Job
from ltw_core.settings import jobs_at_a_time, jobs_each, jobs_in_all

FINISHED_KEPT_PER_OWNER = 12  # finished jobs that an owner can come back to
FINISHED_KEPT = 16  # of all, each with a megabyte of snapshots; the history keeps training runs longer
TURNS = 20.0  # seconds that work which nobody waits for waits for the turns of other work at most


class JobManager:
    """Runs at most ``limit`` jobs at a time; waiting owners take turns.

    Parameters
    ----------
    limit : int
        Slots: jobs at a time.
    each, in_all : int
        Jobs that one owner, and all together, may have running or waiting.
    after : JobManager, optional
        Whose jobs are waited for until each has had its turn, ``TURNS`` at most: what a reader asked for goes first.
    low_priority : bool
        Whether pages go first for the processor, too. Not for work that holds Python's lock for most of its time: it
        would wait for a processor with the lock, and all pages with it.

    Attributes
    ----------
    others_first : callable
        Whether somebody waits for what is done elsewhere, before which each job waits at its steps for a moment.
    rest_after : callable
        Seconds that each job rests after a step that took so many.
    """

    others_first: Callable[[], bool] = staticmethod(lambda: False)
    rest_after: Callable[[float], float] = staticmethod(lambda seconds: 0.0)

    def __init__(
        self,
        limit: int = 2,
        each: int = 20,
        in_all: int = 400,
        *,
        after: "JobManager | None" = None,
        low_priority: bool = True,
    ):
        self.limit, self.each, self.in_all = limit, each, in_all
        self._after, self._low_priority = after, low_priority
        self._lock = threading.RLock()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._queue: list[Job] = []
        self._running: set[Job] = set()
        self._served: dict[str, int] = {}  # owner -> number of the last start that was theirs
        self._starts = 0

    def submit(
        self,
        owner: str,
        kind: str,
        key: str,
        work: Callable[[Job], Any],
        meta: dict | None = None,
        *,
        shared: bool = False,
        name: str | None = None,
        urgent_start: bool = False,
        **options,
    ) -> Job:
        """Start or queue ``work(job)``. An active job with the same kind and key is returned instead, and shared.

        Parameters
        ----------
        shared : bool
            Whether another owner's job does as well.
        name : str, optional
            The job's id where a job is made.
        urgent_start : bool
            Whether somebody looks at the page for its first event: up to that it has a page's priority.
        **options
            Further ones of ``Job``:
        on_end : callable, optional
            Called with the job and its status to be, in the job's thread, when it is over, just before it says so.
        leader : Job, optional
            The first one of a group whose work one thread does: this one starts as soon as that has started, and all
            of them have one slot together, for as long as one of them is at work.

        Raises
        ------
        ValueError
            There are too many jobs already; the message says how many.
        """
        with self._lock:
            for job in self._jobs.values():
                alike = (job.kind, job.key) == (kind, key) and job.active and not job.stop_requested
                if alike and (owner in job.owners or (shared and job.shared)):
                    if owner not in job.owners:
                        job.owners += (owner,)
                        self.resume(job)  # nobody but its one owner waits for a paused job
                    return job
            self._check_limits(owner)
            low_from = ("first event" if urgent_start else "start") if self._low_priority else "never"
            options |= {"shared": shared, "name": name, "low_from": low_from}
            job = Job(owner, kind, key, work, dict(meta or {}), **options)
            job.on_wait = self._free_slot
            job.others_first, job.rest_after = self.others_first, self.rest_after
            self._jobs[job.id] = job
            self._queue.append(job)
            self._forget_old(owner)
            self._start_next()
        return job

    def _check_limits(self, owner: str) -> None:
        active = [job for job in self._jobs.values() if job.active]
        own = sum(owner in job.owners for job in active)
        if own >= self.each:
            raise ValueError(f"you have {own} jobs running or queued, the maximum: wait for one, or stop one")
        if len(active) >= self.in_all:
            raise ValueError(f"this server already has {len(active)} jobs, the maximum; try again in a while")

    # reading ------------------------------------------------------------------------------------------------------
    def get(self, job_id: str) -> Job | None:
        return self._jobs.get(job_id)

    def of(self, owner: str, kind: str | None = None) -> list[Job]:
        """An owner's jobs, oldest first."""
        with self._lock:
            return [j for j in self._jobs.values() if owner in j.owners and kind in (None, j.kind)]

    def owners(self) -> set[str]:
        with self._lock:
            return {owner for job in self._jobs.values() for owner in job.owners}

    def position(self, job: Job) -> int:
        """Jobs that start before this one does, 0 for the next in turn or one that has started."""
        with self._lock:
            order = self._order()
            return order.index(job) if job in order else 0

    def before(self, owner: str) -> tuple[int, float | None]:
        """How many jobs end before a new one of an owner starts, a group as one, and in about how many seconds; None
        where it is not known how long one of them takes."""
        with self._lock:
            new, at_work = Job(owner, "", "", None, {}), {job.leader or job for job in self._running}
            order = self._order(new)
            ahead = [job for job in order[: order.index(new)] if job.leader is None]
            number = max(0, len(at_work) + len(ahead) - self.limit + 1)
            left = [job.left for job in (*at_work, *ahead)]
        if not number or None in left:
            return number, None if number else 0.0
        ends = [0.0] * (self.limit - len(at_work)) + left[: len(at_work)]
        for seconds in left[len(at_work) :]:  # each has the slot that is free first
            ends.remove(first := min(ends))
            ends.append(first + seconds)
        return number, min(ends)

    def counts(self) -> tuple[int, int]:
        """Jobs at work, without those that are paused, and jobs waiting."""
        with self._lock:
            return len(self._running), len(self._queue)

    # stopping -----------------------------------------------------------------------------------------------------
    def cancel(self, job: Job, owner: str | None = None) -> bool:
        """Stop a job; one that still waits leaves the queue at once.

        Parameters
        ----------
        owner : str, optional
            Who wants it to stop: while others have asked for the job, it goes on for them.

        Returns
        -------
        bool
            Whether it stops.
        """
        with self._lock:
            others = tuple(other for other in job.owners if other != owner)
            if owner is not None and others:
                job.owners = others
                return False
            job.request_stop()
            waiting = job in self._queue
            if waiting:
                self._queue.remove(job)
            never_began = waiting and job.yet_to_begin
            if self._gave_up_slot(job):  # its thread is there, and ends by itself
                self._take_slot(job)
            job.proceed(0)
        if never_began:  # outside the lock: its end may be written to a disk
            job.end("stopped")
        return True

    def withdraw(self, job: Job, owner: str) -> None:
        """Make a job an owner's no longer, whether it has ended or not; it stops where nobody else has asked for it."""
        if job.active and owner in job.owners:
            self.cancel(job, owner)
        with self._lock:
            job.owners = tuple(other for other in job.owners if other != owner)
            self._forget_unowned([job])

    def forget_owner(self, owner: str) -> None:
        """Withdraw an owner who is gone from all jobs: those that nobody else has asked for are stopped."""
        for job in self.of(owner):
            if job.active:
                job.abandoned = job.owners == (owner,)
                self.cancel(job, owner)
        with self._lock:
            for job in self.of(owner):
                if not job.active:
                    job.owners = tuple(other for other in job.owners if other != owner)
            self._forget_unowned(list(self._jobs.values()))
            self._served.pop(owner, None)

    def _forget_unowned(self, jobs: list[Job]) -> None:
        for job in jobs:
            if not job.owners and not job.active:
                self._jobs.pop(job.id, None)

    def _forget_old(self, owner: str) -> None:
        ended = [j for j in self._jobs.values() if not j.active]
        own = [j for j in ended if j.owners == (owner,)]
        for job in own[: max(0, len(own) - FINISHED_KEPT_PER_OWNER)] + ended[: max(0, len(ended) - FINISHED_KEPT)]:
            self._jobs.pop(job.id, None)

    # pausing ------------------------------------------------------------------------------------------------------
    def pause(self, job: Job) -> bool:
        """Pause a job, unless several wait for it. Returns whether it is paused."""
        with self._lock:
            if len(job.owners) > 1:
                return False
            job.hold()
            if job.resuming:  # it would have gone on when its turn came
                self._queue.remove(job)
                job.leave_queue()
            return True

    def resume(self, job: Job) -> None:
        """Let a paused job go on: at once if it has its slot yet, else when its turn comes."""
        self.step(job, 0)

    def step(self, job: Job, events: int = 1) -> None:
        """Let a paused job go on for ``events`` events, then pause; for 0, without a pause."""
        with self._lock:
            if not self._gave_up_slot(job) or job.stop_requested:
                job.proceed(events)
                return
            job.pause_after(events)
            if job not in self._queue:
                job.enter_queue()
                self._queue.append(job)
                self._start_next()

    def _gave_up_slot(self, job: Job) -> bool:
        """Whether a job was paused, and another may have its slot."""
        return job.started is not None and job.active and job not in self._running

    def _free_slot(self, job: Job) -> None:
        """A paused job's thread begins to wait: its slot is free."""
        with self._lock:
            if job in self._running and job.paused:
                self._running.remove(job)
                self._start_next()

    def _take_slot(self, job: Job) -> None:
        job.leave_queue()
        self._running.add(job)

    # starting -----------------------------------------------------------------------------------------------------
    def _order(self, *more: Job) -> list[Job]:
        """The queue, and ``more`` behind it, as it will be served: by turns, owners with fewer jobs running or served
        longer ago first."""
        turns: dict[str, int] = {}
        for job in self._running:
            turns[job.owner] = turns.get(job.owner, 0) + 1
        ranked = []
        for arrival, job in enumerate((*self._queue, *more)):
            ranked.append((turns.get(job.owner, 0), self._served.get(job.owner, 0), arrival, job))
            turns[job.owner] = turns.get(job.owner, 0) + 1
        return [job for *_, job in sorted(ranked, key=lambda r: r[:3])]

    def _start_next(self) -> None:
        while ready := [job for job in self._order() if job.leader is None or not job.leader.yet_to_begin]:
            at_work = {job.leader or job for job in self._running}  # a group has one thread, and so one slot
            having_one = [job for job in ready if (job.leader or job) in at_work]
            if not having_one and len(at_work) >= self.limit:
                return
            self._begin((having_one or ready)[0])

    def _begin(self, job: Job) -> None:
        self._queue.remove(job)
        self._starts += 1
        self._served[job.owner] = self._starts
        resumes = job.resuming
        self._take_slot(job)
        if resumes:
            job.proceed()
        else:
            threading.Thread(target=self._run, args=(job,), name=f"job-{job.kind}", daemon=True).start()

    def _run(self, job: Job) -> None:
        until = time.monotonic() + TURNS
        while self._after is not None and self._after.counts()[1] and time.monotonic() < until:
            if job.stop_requested:
                break
            time.sleep(0.05)
        job.run()
        with self._lock:
            self._running.discard(job)
            self._start_next()


_making = threading.Lock()  # one of each, however many ask first


def manager() -> JobManager:
    """The manager of this process's training runs, evaluations and downloads."""
    return managers()[0]


def manager_of_short_work() -> JobManager:
    """The one of what takes seconds: a page that asks for it does not wait for a training run to end."""
    return managers()[1]


def manager_of_idle_work() -> JobManager:
    """The one of what takes seconds and nobody waits for: that of what readers asked for has its turn before."""
    return managers()[2]


def managers() -> tuple[JobManager, ...]:
    """All there are; an owner who is gone is forgotten by each."""
    with _making:
        return _managers()


@functools.cache
def _managers() -> tuple[JobManager, ...]:
    first = JobManager(jobs_at_a_time(), jobs_each(), jobs_in_all())
    return first, JobManager(1, low_priority=False), JobManager(1, after=first)

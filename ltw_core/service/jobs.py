"""Work that outlives a page: background jobs in threads, with a cap, a fair queue, events, and a way to stop them.

For compiled loops that release the GIL. A job belongs to an owner (a browser), or to several who asked for the same:
then it is done once, and stops only when all have let go of it. Owners take turns when there are more jobs than places.
Nothing here is kept when the process ends, and nothing here knows of Streamlit.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ltw_core.service.job import Ended, Job
from ltw_core.settings import jobs_at_a_time, jobs_each, jobs_in_all

KEPT_PER_OWNER = 12  # finished jobs that an owner can come back to
KEPT = 32  # of all, each with a megabyte of snapshots; the history has trainings for longer


class JobManager:
    """Runs at most ``limit`` jobs at a time; waiting owners take turns.

    Parameters
    ----------
    limit : int
        Jobs at a time.
    each, in_all : int
        Jobs that one owner, and all together, may have running or waiting.
    """

    def __init__(self, limit: int = 2, each: int = 20, in_all: int = 400):
        self.limit, self.each, self.in_all = limit, each, in_all
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
        name: Callable[[], str] | None = None,
        ended: Ended | None = None,
        beside: Job | None = None,
        prompt: bool = False,
    ) -> Job:
        """Start or queue ``work(job)``. An active job with the same kind and key is returned instead, and held.

        Parameters
        ----------
        shared : bool
            Whether another owner's job does as well.
        name : callable, optional
            Called for the job's id where a job is made.
        ended : callable, optional
            Called with the job and its status to be, in the job's thread, when it is over, just before it says so.
        beside : Job, optional
            One that does this one's work too: this one starts as soon as that has started, without a place of its own.
        prompt : bool
            Whether somebody looks at the page for its first event: up to that it has a page's priority.

        Raises
        ------
        ValueError
            There are too many jobs already; the message says how many.
        """
        with self._lock:
            for job in self._jobs.values():
                alike = (job.kind, job.key) == (kind, key) and job.active and not job.told_to_stop
                if alike and (owner in job.holders or (shared and job.shared)):
                    if owner not in job.holders:
                        job.holders.append(owner)
                        for one in self._together(job):  # nobody but its one owner waits for a paused job
                            one._steps = 0
                            self._go_on(one)
                    return job
            self._admit(owner)
            options = {"shared": shared, "name": name and name(), "ended": ended, "beside": beside, "prompt": prompt}
            job = Job(owner, kind, key, work, dict(meta or {}), places=self, **options)
            self._jobs[job.id] = job
            self._queue.append(job)
            self._forget(owner)
            self._start_next()
        return job

    def _admit(self, owner: str) -> None:
        active = [job for job in self._jobs.values() if job.active]
        mine = sum(owner in job.holders for job in active)
        if mine >= self.each:
            raise ValueError(f"you have {mine} at work or waiting, which is the most; wait for one, or stop one")
        if len(active) >= self.in_all:
            raise ValueError(f"{len(active)} jobs run or wait on this server, which is the most; try again in a while")

    def get(self, job_id: str) -> Job | None:
        return self._jobs.get(job_id)

    def of(self, owner: str, kind: str | None = None) -> list[Job]:
        """An owner's jobs, oldest first."""
        with self._lock:
            return [j for j in self._jobs.values() if owner in j.holders and kind in (None, j.kind)]

    def position(self, job: Job) -> int:
        """Jobs that start before this one does, 0 for the next in turn or one that has started."""
        with self._lock:
            order = self._order()
            return order.index(job) if job in order else 0

    def cancel(self, job: Job, owner: str | None = None) -> bool:
        """Stop a job; one that still waits leaves the queue at once.

        Parameters
        ----------
        owner : str, optional
            Who wants it to stop: while others hold the job, it goes on for them.

        Returns
        -------
        bool
            Whether it stops.
        """
        with self._lock:
            others = [holder for holder in job.holders if holder != owner]
            if owner is not None and others:
                job.holders = others
                return False
            job.cancel()
            waiting = job in self._queue
            if waiting:
                self._queue.remove(job)
            never_began = waiting and not job._away
            if job._away:  # its thread is there, and ends by itself
                self._comes_back(job)
            job._steps = 0
            job._go.set()
        if never_began:  # outside the lock: what is told of its end may be written to a disk
            job._end("stopped")
        return True

    def let_go(self, job: Job, owner: str) -> None:
        """An owner wants to see no more of a job: it is not theirs any longer, and stops where nobody else holds it."""
        if job.active and owner in job.holders:
            self.cancel(job, owner)
        with self._lock:
            job.holders = [holder for holder in job.holders if holder != owner]
            if not job.holders and not job.active:
                self._jobs.pop(job.id, None)

    def pause(self, job: Job) -> bool:
        """Pause a job, unless several wait for it or for one worked on with it. Returns whether it is paused."""
        with self._lock:
            if any(len(one.holders) > 1 for one in self._together(job)):
                return False
            job.pause()
            return True

    def _together(self, job: Job) -> list[Job]:
        """A job and those that one thread works on with it."""
        first = job.beside or job
        return [one for one in self._jobs.values() if one is job or (one.active and (one.beside or one) is first)]

    def leave(self, job: Job) -> None:
        """A paused job's thread begins to wait: its place is free."""
        with self._lock:
            if job in self._running and not job._go.is_set():
                self._running.remove(job)
                job._away = True
                self._start_next()

    def go_on(self, job: Job) -> None:
        """A paused job shall go on: at once if it has its place yet, else when its turn comes."""
        with self._lock:
            self._go_on(job)

    def _go_on(self, job: Job) -> None:
        if not job._away or job.told_to_stop:
            job._go.set()
        elif job not in self._queue:
            job.status = "queued"
            self._queue.append(job)
            self._start_next()

    def stay(self, job: Job) -> None:
        """A job that would have gone on when its turn came stays paused."""
        with self._lock:
            if job._away and job in self._queue:
                self._queue.remove(job)
                job.status = "running"

    def _comes_back(self, job: Job) -> None:
        job._away, job.status = False, "running"
        self._running.add(job)

    def release(self, owner: str) -> None:
        """Let go of all jobs of an owner who is gone: those that nobody else holds are stopped and forgotten."""
        for job in self.of(owner):
            if job.active:
                job.abandoned = job.holders == [owner]
                self.cancel(job, owner)
        with self._lock:
            for job in list(self._jobs.values()):
                if owner in job.holders and not job.active:
                    job.holders.remove(owner)
                if not job.holders and not job.active:
                    del self._jobs[job.id]
            self._served.pop(owner, None)

    def owners(self) -> set[str]:
        with self._lock:
            return {holder for job in self._jobs.values() for holder in job.holders}

    def counts(self) -> tuple[int, int]:
        """Jobs at work, without those that are paused, and jobs waiting."""
        with self._lock:
            return len(self._running), len(self._queue)

    def _order(self) -> list[Job]:
        """The queue as it will be served: by turns, owners with fewer jobs running or served longer ago first."""
        turns: dict[str, int] = {}
        for job in self._running:
            turns[job.owner] = turns.get(job.owner, 0) + 1
        ranked = []
        for arrival, job in enumerate(self._queue):
            ranked.append((turns.get(job.owner, 0), self._served.get(job.owner, 0), arrival, job))
            turns[job.owner] = turns.get(job.owner, 0) + 1
        return [job for *_, job in sorted(ranked, key=lambda r: r[:3])]

    def _start_next(self) -> None:
        while free := [job for job in self._order() if job.beside is None or job.beside.status != "queued"]:
            along = [job for job in free if job.beside is not None]
            if not along and sum(job.beside is None for job in self._running) >= self.limit:
                return
            self._begin((along or free)[0])

    def _begin(self, job: Job) -> None:
        self._queue.remove(job)
        self._starts += 1
        self._served[job.owner] = self._starts
        if job._away:
            self._comes_back(job)
            job._go.set()
            return
        self._running.add(job)
        job.status, job.started = "running", time.time()
        threading.Thread(target=self._work, args=(job,), name=f"job-{job.kind}", daemon=True).start()

    def _work(self, job: Job) -> None:
        job._run()
        with self._lock:
            self._running.discard(job)
            self._start_next()

    def _forget(self, owner: str) -> None:
        ended = [j for j in self._jobs.values() if not j.active]
        mine = [j for j in ended if j.holders == [owner]]
        for job in mine[: max(0, len(mine) - KEPT_PER_OWNER)] + ended[: max(0, len(ended) - KEPT)]:
            self._jobs.pop(job.id, None)


_manager = JobManager(jobs_at_a_time(), jobs_each(), jobs_in_all())


def manager() -> JobManager:
    """The one manager of this process."""
    return _manager

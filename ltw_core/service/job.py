"""One piece of background work: its events, its end, and what pauses and stops it.

Leaves out when it runs (``job_manager``).
"""

import logging
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from ltw_core.weighting.progress import Cancelled

log = logging.getLogger(__name__)

ACTIVE = ("queued", "running")
NICE = 10  # as a process is called nice
WAY = 1.0  # seconds at most that it lets others go first, at each of its steps

OnEnd = Callable[["Job", str], None]


class Job:
    """One piece of background work. Made by ``JobManager.submit``; read from any thread.

    Attributes
    ----------
    id : str
        A token that cannot be guessed.
    owners : tuple of str
        Who asked for it and has not withdrawn. The first one's turn it is in the queue.
    kind, key : str
        What it does ("train", "evaluate"), and what it works on: an owner has one active job a key.
    shared : bool
        Whether others who ask for the same kind and key get this job.
    leader : Job or None
        The first of the jobs whose work one thread does together with this one's.
    meta : dict
        What a page wants to say about it (corpus, class, settings). Not changed after submission.
    status : "queued", "running", "done", "stopped" or "failed"
    submitted, started, finished : float or None
        Seconds since 1970.
    events : int
        How many the work has published.
    last : object
        The latest of them; None before the first.
    result : object
        What the work returned.
    error : str
        A sentence, when it failed.
    abandoned : bool
        Whether it is stopped because all who asked for it have gone.
    on_wait : callable
        Called with the job when it begins to wait while it is paused.
    others_first : callable
        Whether somebody waits for what is done elsewhere: the work then lets it go first at its next step.
    rest_after : callable
        Seconds that the work rests after a step that took so many: on a server with much to do it takes only a share.
    """

    on_wait: Callable[["Job"], None] = staticmethod(lambda job: None)
    others_first: Callable[[], bool] = staticmethod(lambda: False)
    rest_after: Callable[[float], float] = staticmethod(lambda seconds: 0.0)

    def __init__(
        self,
        owner: str,
        kind: str,
        key: str,
        work: Callable[["Job"], Any] | None,
        meta: dict,
        *,
        shared: bool = False,
        name: str | None = None,
        on_end: OnEnd | None = None,
        leader: "Job | None" = None,
        low_from: str = "start",  # "first event", "never": since when pages go first for the processor
    ):
        self.id = name or secrets.token_urlsafe(9)
        self.owners, self.kind, self.key, self.meta, self.shared = (owner,), kind, key, meta, shared
        self.leader, self._low_from = leader, low_from
        self.status, self.result, self.error, self.abandoned = "queued", None, "", False
        self.submitted, self.started, self.finished = time.time(), None, None
        self.paused_seconds = 0.0  # of pauses that have ended
        self._work, self._on_end = work, on_end
        self.last, self.events = None, 0
        self._stop, self._go = threading.Event(), threading.Event()
        self._go.set()
        self._events_to_pause = 0  # 0 for never
        self._lock = threading.Lock()  # for the last two together: the work counts down, a page says from where
        self._step_began = time.monotonic()

    # what the work calls ------------------------------------------------------------------------------------------
    def emit(self, event) -> None:
        """Publish an event (any immutable object)."""
        if self._low_from == "first event" and not self.events:
            _lower_priority()
        with self._lock:
            self.last, self.events = event, self.events + 1
            if self._events_to_pause:
                self._events_to_pause -= 1
                if not self._events_to_pause:
                    self._go.clear()

    def shall_wait(self) -> bool:
        """Whether the job is paused, for work that does something else meanwhile; its slot is free for others then."""
        if self._go.is_set():
            return False
        self.on_wait(self)
        return True

    def wait_while_paused(self) -> bool:
        """Rest and let others go first where it is to, ``WAY`` seconds at most; wait as long as the job is paused, its
        slot free for others; return whether the work should end."""
        ended = time.monotonic()
        rested, until = ended + self.rest_after(ended - self._step_began), ended + WAY
        while time.monotonic() < until and not self._stop.is_set():
            if time.monotonic() >= rested and not self.others_first():
                break
            time.sleep(0.01)
        if self.shall_wait():
            paused = time.monotonic()
            while not self._go.wait(0.2):
                if self._stop.is_set():
                    break
            self.paused_seconds += time.monotonic() - paused
        self._step_began = time.monotonic()
        return self._stop.is_set()

    @property
    def stop_requested(self) -> bool:
        """Whether the work should end; does not wait."""
        return self._stop.is_set()

    def raise_if_stopped(self) -> None:
        """Raise ``Cancelled`` if the job is to stop; waits while it is paused."""
        if self.wait_while_paused():
            raise Cancelled("The job was stopped")

    def pause_after(self, events: int) -> None:
        """Pause after ``events`` more events; 0 for never."""
        with self._lock:
            self._events_to_pause = events

    # what a page reads --------------------------------------------------------------------------------------------
    @property
    def owner(self) -> str:
        """Whose turn it is when this starts; "" when all have withdrawn."""
        return next(iter(self.owners), "")

    @property
    def active(self) -> bool:
        return self.status in ACTIVE

    @property
    def yet_to_begin(self) -> bool:
        """Whether it waits for its first slot."""
        return self.status == "queued" and self.started is None

    @property
    def paused(self) -> bool:
        return self.active and not self._go.is_set() and not self.resuming

    @property
    def resuming(self) -> bool:
        """Whether it was paused and waits for a slot to go on."""
        return self.status == "queued" and self.started is not None

    @property
    def stepping(self) -> bool:
        """Whether it pauses by itself at one of its next events."""
        return self.active and self._events_to_pause > 0

    @property
    def left(self) -> float | None:
        """Seconds until it ends, by the ``seconds`` of its ``meta``; None where these are not there, or are over."""
        left = (self.meta.get("seconds") or 0.0) - self.seconds
        return left if left > 0 else None

    @property
    def seconds(self) -> float:
        """Time since it started running, up to its end."""
        return 0.0 if self.started is None else max(0.0, (self.finished or time.time()) - self.started)

    # what the manager calls ---------------------------------------------------------------------------------------
    def enter_queue(self) -> None:
        """Note that it waits for a slot."""
        self.status = "queued"

    def leave_queue(self) -> None:
        """Note that it has got a slot, or stays paused."""
        self.status, self.started = "running", self.started or time.time()

    def hold(self) -> None:
        """Have the work wait at its next ``wait_while_paused``."""
        with self._lock:
            self._go.clear()

    def proceed(self, events: int | None = None) -> None:
        """Let the work go on: for so many events, or as ``pause_after`` has said."""
        with self._lock:
            if events is not None:
                self._events_to_pause = events
            self._go.set()

    def request_stop(self) -> None:
        """Ask the work to end, also if it is paused."""
        self._stop.set()

    def run(self) -> None:
        """Do the work, in the thread that calls this."""
        if self._low_from == "start":
            _lower_priority()
        status, self._step_began = "done", time.monotonic()
        try:
            self.result = self._work(self)
            if self._stop.is_set():
                status = "stopped"
        except Cancelled:
            status = "stopped"
        except Exception as error:
            if not isinstance(error, (ValueError, MemoryError)):
                log.exception("job %s (%s) failed", self.kind, self.key)
            status, self.error = "failed", sentence_of(error)
        finally:
            self.end(status)

    def end(self, status: str) -> None:
        """End it: call ``on_end``, then set the status."""
        self.finished = time.time()
        if self._on_end is not None:
            try:
                self._on_end(self, status)
            except Exception:  # it must not keep the job's slot for ever, whatever it is
                log.exception("the end of job %s (%s) could not be reported", self.kind, self.key)
        self._work = self._on_end = None  # they may hold big arrays
        self.status = status


def sentence_of(error: Exception) -> str:
    """What a reader is told of a failure."""
    if isinstance(error, ValueError):  # the core's way of saying what is wrong
        return str(error)
    if isinstance(error, MemoryError):
        return "There was not enough memory for this; try fewer terms or documents."
    return f"It failed unexpectedly ({type(error).__name__}); the server's log has details."


def _lower_priority() -> None:
    """Lower the priority of this thread: pages are answered first. Only Linux gives threads priorities."""
    if sys.platform == "linux":
        me = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, me, max(NICE, os.getpriority(os.PRIO_PROCESS, me)))

"""One piece of work that outlives a page: its events, its end, and ways to hold, step and stop it. See ``jobs``."""

import logging
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ltw_core.service.jobs import JobManager

log = logging.getLogger(__name__)

ACTIVE = ("queued", "running")
NICE = 10  # as a process is called nice

Ended = Callable[["Job", str], None]


class Cancelled(Exception):
    """Raised by ``Job.check`` in the work of a job that was told to stop."""


class Job:
    """One piece of background work. Made by ``JobManager.submit``; read from any thread.

    Attributes
    ----------
    id : str
        A token that cannot be guessed.
    holders : list of str
        Whose it is: who asked for it and has not let go of it. The first one's turn it is in the queue.
    kind, key : str
        What it does ("train", "evaluate"), and what it works on: an owner has one active job a key.
    shared : bool
        Whether others who ask for the same kind and key get this job.
    meta : dict
        What a page wants to say about it (corpus, class, settings). Not changed after submission.
    status : "queued", "running", "done", "stopped" or "failed"
    result : object
        What the work returned.
    error : str
        A sentence, when it failed.
    abandoned : bool
        Whether it is stopped because all who asked for it have gone.
    """

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
        ended: Ended | None = None,
        beside: "Job | None" = None,
        prompt: bool = False,
        places: "JobManager | None" = None,
    ):
        self.beside, self._prompt, self._places = beside, prompt, places
        self.id = name or secrets.token_urlsafe(9)
        self.holders, self.kind, self.key, self.meta, self.shared = [owner], kind, key, meta, shared
        self.status, self.result, self.error = "queued", None, ""
        self.submitted, self.started, self.finished = time.time(), None, None
        self._work, self._ended = work, ended
        self._events: list = []
        self._stop, self._go = threading.Event(), threading.Event()
        self._go.set()
        self._steps = 0  # events until it pauses by itself; 0 for never
        self._away = False  # paused, and its place is another's
        self.abandoned = False

    # what the work calls ------------------------------------------------------------------------------------------
    def emit(self, event) -> None:
        """Publish an event (any immutable object)."""
        if self._prompt and not self._events:
            _step_back()
        self._events.append(event)
        if self._steps:
            self._steps -= 1
            if not self._steps:
                self._go.clear()

    @property
    def cancelled(self) -> bool:
        """Whether the work should end. Waits here while the job is paused, and leaves its place to others."""
        if self._places is not None and not self._go.is_set():
            self._places.leave(self)
        while not self._go.wait(0.2):
            if self._stop.is_set():
                break
        return self._stop.is_set()

    @property
    def told_to_stop(self) -> bool:
        """Whether the work should end; does not wait."""
        return self._stop.is_set()

    def check(self) -> None:
        """Raise ``Cancelled`` if the job was told to stop."""
        if self.cancelled:
            raise Cancelled

    # what a page calls --------------------------------------------------------------------------------------------
    @property
    def owner(self) -> str:
        """Whose turn it is when this starts; "" when all have let go."""
        return self.holders[0] if self.holders else ""

    @property
    def active(self) -> bool:
        return self.status in ACTIVE

    @property
    def paused(self) -> bool:
        return self.active and not self._go.is_set() and not self.returning

    @property
    def returning(self) -> bool:
        """Whether it was paused, shall go on, and waits for a place."""
        return self._away and self.status == "queued"

    @property
    def stepping(self) -> bool:
        """Whether it pauses by itself at one of its next events."""
        return self.active and self._steps > 0

    @property
    def seconds(self) -> float:
        """Time since it started running, up to its end."""
        return 0.0 if self.started is None else (self.finished or time.time()) - self.started

    def since(self, first: int = 0) -> list:
        """Events from the ``first`` on."""
        return self._events[first:]

    @property
    def last(self):
        """The latest event, or None."""
        return self._events[-1] if self._events else None

    def cancel(self) -> None:
        """Ask the work to end; a queued job ends at once."""
        self._stop.set()

    def pause(self) -> None:
        """Hold the work at its next look. Not for a job that several wait for: see ``JobManager.pause``."""
        self._go.clear()
        if self._places is not None:
            self._places.stay(self)

    def resume(self) -> None:
        """Go on: at once, or when there is a place again."""
        self.step(0)

    def step(self, events: int = 1) -> None:
        """Go on for so many events, then pause."""
        self._steps = events
        if self._places is None:
            self._go.set()
        else:
            self._places.go_on(self)

    def _run(self) -> None:
        if not self._prompt:
            _step_back()
        status = "done"
        try:
            self.result = self._work(self)
            if self._stop.is_set():
                status = "stopped"
        except Cancelled:
            status = "stopped"
        except ValueError as error:  # the core's way of saying what is wrong
            status, self.error = "failed", str(error)
        except MemoryError:
            status, self.error = "failed", "There was not enough memory for this; try fewer terms or documents."
        except Exception as error:
            log.exception("job %s (%s) failed", self.kind, self.key)
            status, self.error = (
                "failed",
                f"It failed unexpectedly ({type(error).__name__}); the server's log has details.",
            )
        finally:
            self._end(status)

    def _end(self, status: str) -> None:
        self.finished = time.time()
        if self._ended is not None:
            try:
                self._ended(self, status)
            except Exception:  # it must not keep the job's place for ever, whatever it is
                log.exception("the end of job %s (%s) could not be told", self.kind, self.key)
        self._work = self._ended = None  # they may hold big arrays
        self.status = status


def _step_back() -> None:
    """Lower the priority of this thread: pages are answered first. Only Linux gives threads priorities."""
    if sys.platform == "linux":
        me = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, me, max(NICE, os.getpriority(os.PRIO_PROCESS, me)))

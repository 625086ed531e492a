"""Pages are made one after the other, in the order in which they were asked for.

Streamlit runs all scripts at once, each in a thread, and one interpreter has them take turns of a millisecond: of
thirty readers' pages that begin in the same second all are ready only at its end, and the first reader waits as long as
the last. One after the other they take as long together, and most are ready sooner. What takes long, or waits for
something, lets the next one begin; and what repeats by itself, as a picture that follows a training run, gives way to
what somebody has clicked at each of its messages. A script waits before it takes what the reader has asked for: what is
clicked meanwhile is done in the same run, and no click is lost.
Seen in 1.67.0. To be deleted when ``tests/pages/test_turns.py`` finds that scripts do not overlap without it.
"""

import functools
import logging
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

log = logging.getLogger(__name__)

PARTS = ("__init__", "_run_script_thread", "_run_script")

# seconds after which the next one begins all the same: half of the pages take 17 to 42 ms, waits included, and need not
# wait for a long one. With 15 clicks a second and two training (tests.benchmarks.load, 2.5 minutes each, AMD EPYC,
# 2026-11-26) the 95th percentile was 160 and 179 ms with .25, 114 and 131 with .06, and 193 with .03: too many at once.
# When the machine was slower, with more to do than time, .06 was no better than .25
LONG = 0.06


# seconds that a run which nobody has asked for, of a fragment that repeats itself, lets others go first at most
PATIENT = 0.15


class Turns:
    """One thread at a time has the turn: until it leaves, or has had it for ``long`` seconds and another one waits.

    Threads get it in the order in which they ask, but that one which nobody waits for lets all others go first, for
    ``patient`` seconds in all: before it begins, and whenever it gives way.
    """

    SHORTEST = 0.002  # seconds; whoever waits looks again, for a turn that has lasted long ends by nothing else

    def __init__(self, long: float, patient: float = PATIENT):
        self.long, self.patient = long, patient
        self._lock = threading.Lock()
        # threads, and what tells each that it is its turn; of those that nobody waits for, until when others go first
        self._waiting: deque[tuple[int, threading.Event]] = deque()
        self._patient: dict[int, tuple[threading.Event, float]] = {}
        self._now: int | None = None  # the thread whose turn it is
        self._ends = 0.0
        self._own = threading.local()

    @contextmanager
    def turn(self, waited_for: bool = True) -> Iterator[None]:
        """Wait for the turn, and have it during the block; ``waited_for``: whether somebody waits for what is done."""
        self.waited_for(waited_for)
        self._take()
        try:
            yield
        finally:
            self.leave()

    def waited_for(self, is_so: bool) -> None:
        """Say whether somebody waits for what this thread does now."""
        self._own.until = None if is_so else time.monotonic() + self.patient

    def give_way(self) -> None:
        """Let those go first whom somebody waits for, from within a turn that nobody waits for."""
        until = getattr(self._own, "until", None)
        if until is not None and self._waiting and time.monotonic() < until:
            self.leave()
            self._take()

    def taken(self) -> bool:
        """Whether a thread has the turn or waits for it."""
        return self._now is not None or bool(self._waiting or self._patient)

    def leave(self) -> None:
        """Let the next one begin, if it is this thread's turn: before it waits for something."""
        with self._lock:
            if self._now == threading.get_ident():
                self._now = None
                self._next()

    def _take(self) -> None:
        told, me, until = threading.Event(), threading.get_ident(), self._own.until
        with self._lock:
            if until is None:
                self._waiting.append((me, told))
            else:
                self._patient[me] = told, until
            self._next()
        while not told.wait(max(self._ends - time.monotonic(), self.SHORTEST)):
            with self._lock:
                self._next()

    def _next(self) -> None:
        """Give the turn, if it is free, to whoever has waited longest. The caller holds the lock."""
        now = time.monotonic()
        if self._now is not None and now < self._ends:
            return
        first = next(iter(self._patient), None)
        if first is not None and (not self._waiting or now >= self._patient[first][1]):
            self._now, (told, _) = first, self._patient.pop(first)
        elif self._waiting:
            self._now, told = self._waiting.popleft()
        else:
            return
        self._ends = now + self.long
        told.set()


of_scripts = Turns(LONG)


def _wrap() -> None:
    make, thread, run = (getattr(ScriptRunner, name) for name in PARTS)
    enqueue = ScriptRunContext.enqueue

    @functools.wraps(make)
    def asked(runner: ScriptRunner, *given: Any, initial_rerun_data: RerunData, **more: Any) -> None:
        runner.ltw_waited_for = not initial_rerun_data.is_auto_rerun
        make(runner, *given, initial_rerun_data=initial_rerun_data, **more)

    @functools.wraps(thread)
    def in_turn(runner: ScriptRunner) -> None:
        with of_scripts.turn(runner.ltw_waited_for):
            thread(runner)

    @functools.wraps(run)
    def told(runner: ScriptRunner, request: RerunData) -> None:
        of_scripts.waited_for(not request.is_auto_rerun)  # of several that one thread runs one after the other
        run(runner, request)

    @functools.wraps(enqueue)
    def giving_way(context: ScriptRunContext, message: ForwardMsg) -> None:
        of_scripts.give_way()
        enqueue(context, message)

    for name, instead in zip(PARTS, (asked, in_turn, told), strict=True):
        setattr(ScriptRunner, name, instead)
    ScriptRunContext.enqueue = giving_way


if all(hasattr(ScriptRunner, name) for name in PARTS) and hasattr(ScriptRunContext, "enqueue"):
    _wrap()
else:
    log.warning("this version of Streamlit is not known; on a busy server pages may take longer than they need to")

"""Pages are made one after the other, in the order in which they were asked for; what repeats by itself a little later.

Streamlit runs all scripts at once, each in a thread, and one interpreter has them take turns of a millisecond: of
thirty readers' pages that begin in the same second all are ready only at its end, and the first reader waits as long as
the last. One after the other they take as long together, and most are ready sooner. What takes long, or waits for
something, lets the next one begin; and what repeats by itself, as a picture that follows a training run, gives way to
what somebody has clicked at each of its messages. A script waits before it takes what the reader has asked for: what is
clicked meanwhile is done in the same run, and no click is lost.
Seen in 1.67.0. To be deleted when ``tests/pages/test_turns.py`` finds that scripts do not overlap without it.
"""

import functools
import inspect
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

log = logging.getLogger(__name__)

PARTS, TOLD = ("__init__", "_run_script_thread", "_run_script", "request_rerun"), "initial_rerun_data"

# seconds after which the next one begins all the same: half of the pages take 17 to 42 ms, waits included, and need not
# wait for a long one. With 15 clicks a second and two training (tests.benchmarks.load, 2.5 minutes each, AMD EPYC,
# 2026-11-26) the 95th percentile was 160 and 179 ms with .25, 114 and 131 with .06, and 193 with .03: too many at once.
# When the machine was slower, with more to do than time, .06 was no better than .25
LONG = 0.06
# seconds that a run which repeats itself lets others go first at most
PATIENT = 0.15


class Turns:
    """One thread at a time has the turn: until it leaves, or has had it for ``long`` seconds and another one waits.

    Threads get it in the order in which they are due: when they ask; one which nobody waits for is due ``patient``
    seconds after it has first asked, and may give way until then.
    """

    SHORTEST = 0.002  # seconds; whoever waits looks again, for a turn that has lasted long ends by nothing else

    def __init__(self, long: float, patient: float = PATIENT):
        self.long, self.patient = long, patient
        self._lock = threading.Lock()
        # when it is due, the thread, and what tells it that it is its turn
        self._waiting: list[tuple[float, int, threading.Event]] = []
        self._until: dict[int, float] = {}  # of threads that nobody waits for, when they are due
        self._now: int | None = None  # the thread whose turn it is
        self._ends = 0.0

    @contextmanager
    def turn(self, waited_for: bool = True) -> Iterator[None]:
        """Wait for the turn, and have it during the block; ``waited_for``: whether somebody waits for what is done."""
        me = threading.get_ident()
        if not waited_for:
            self._until[me] = time.monotonic() + self.patient
        try:
            self._take()
            yield
        finally:
            self._until.pop(me, None)
            self.leave()

    def hurry(self, thread: int) -> None:
        """Say that somebody waits for what a thread does, or is about to do."""
        with self._lock:
            self._until.pop(thread, None)
            now = time.monotonic()
            self._waiting = [(min(due, now) if who == thread else due, who, told) for due, who, told in self._waiting]

    def give_way(self) -> None:
        """Let those go first who are due earlier, from within a turn that nobody waits for."""
        until = self._until.get(threading.get_ident(), 0.0)
        if self._waiting and time.monotonic() < until:
            with self._lock:
                gives = any(due < until for due, *_ in self._waiting)
            if gives:
                self.leave()
                self._take()

    def taken(self) -> bool:
        """Whether a thread has the turn or waits for it."""
        return self._now is not None or bool(self._waiting)

    def leave(self) -> None:
        """Let the next one begin, if it is this thread's turn: before it waits for something."""
        with self._lock:
            if self._now == threading.get_ident():
                self._now = None
                self._next()

    def _take(self) -> None:
        told, me = threading.Event(), threading.get_ident()
        with self._lock:
            self._waiting.append((self._until.get(me, time.monotonic()), me, told))
            self._next()
        while not told.wait(max(self._ends - time.monotonic(), self.SHORTEST)):
            with self._lock:
                self._next()

    def _next(self) -> None:
        """Give the turn, if it is free, to whoever is due first. The caller holds the lock."""
        now = time.monotonic()
        if self._waiting and (self._now is None or now >= self._ends):
            first = min(self._waiting, key=lambda each: each[0])  # of equals the one that has asked first
            self._waiting.remove(first)
            _, self._now, told = first
            self._ends = now + self.long
            told.set()


of_scripts = Turns(LONG)


def _wrap() -> None:
    make, thread, run, request = (getattr(ScriptRunner, name) for name in PARTS)
    enqueue = ScriptRunContext.enqueue
    # of one that is there already: the first reader's
    ScriptRunner.ltw_waited_for, ScriptRunner.ltw_thread = True, None

    @functools.wraps(make)
    def asked(runner: ScriptRunner, *given: Any, initial_rerun_data: RerunData, **more: Any) -> None:
        runner.ltw_waited_for, runner.ltw_thread = not initial_rerun_data.is_auto_rerun, None
        make(runner, *given, initial_rerun_data=initial_rerun_data, **more)

    @functools.wraps(thread)
    def in_turn(runner: ScriptRunner) -> None:
        runner.ltw_thread = threading.get_ident()
        with of_scripts.turn(runner.ltw_waited_for):
            thread(runner)

    @functools.wraps(request)
    def asked_too(runner: ScriptRunner, data: RerunData) -> bool:
        if not data.is_auto_rerun:  # a click in what goes on, or waits, or is about to
            runner.ltw_waited_for = True
            if runner.ltw_thread is not None:
                of_scripts.hurry(runner.ltw_thread)
        return request(runner, data)

    @functools.wraps(run)
    def hurried(runner: ScriptRunner, data: RerunData) -> None:
        if not data.is_auto_rerun:  # of several that one thread runs one after the other
            of_scripts.hurry(threading.get_ident())
        run(runner, data)

    @functools.wraps(enqueue)
    def giving_way(context: ScriptRunContext, message: ForwardMsg) -> None:
        of_scripts.give_way()
        enqueue(context, message)

    for name, instead in zip(PARTS, (asked, in_turn, hurried, asked_too), strict=True):
        setattr(ScriptRunner, name, instead)
    ScriptRunContext.enqueue = giving_way


known = all(hasattr(ScriptRunner, name) for name in PARTS) and hasattr(ScriptRunContext, "enqueue")
if known and TOLD in inspect.signature(ScriptRunner.__init__).parameters and hasattr(RerunData, "is_auto_rerun"):
    _wrap()
else:
    log.warning("this version of Streamlit is not known; on a busy server pages may take longer than they need to")

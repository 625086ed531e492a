"""Pages are made one after the other, in the order in which they were asked for.

Streamlit runs all scripts at once, each in a thread, and one interpreter has them take turns of a millisecond: of
thirty readers' pages that begin in the same second all are ready only at its end, and the first reader waits as long as
the last. One after the other they take as long together, and most are ready sooner. What takes long, or waits for
something, lets the next one begin. A script waits before it takes what the reader has asked for: what is clicked
meanwhile is done in the same run, and no click is lost.
Seen in 1.67.0. To be deleted when ``tests/pages/test_turns.py`` finds that scripts do not overlap without it.
"""

import functools
import logging
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner

log = logging.getLogger(__name__)

# seconds after which the next one begins all the same: half of the pages take 17 to 42 ms, waits included, and need not
# wait for a long one. With 15 clicks a second and two training (tests.benchmarks.load, 2.5 minutes each, AMD EPYC,
# 2026-11-26) the 95th percentile was 160 and 179 ms with .25, 114 and 131 with .06, and 193 with .03: too many at once.
# When the machine was slower, with more to do than time, .06 was no better than .25
LONG = 0.06


class Turns:
    """One thread at a time has the turn: until it leaves, or has had it for ``long`` seconds and another one waits.

    Threads get it in the order in which they ask.
    """

    SHORTEST = 0.002  # seconds; whoever waits looks again, for a turn that has lasted long ends by nothing else

    def __init__(self, long: float):
        self.long = long
        self._lock = threading.Lock()
        # threads, and what tells each that it is its turn
        self._waiting: deque[tuple[int, threading.Event]] = deque()
        self._now: int | None = None  # the thread whose turn it is
        self._ends = 0.0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn, and have it during the block."""
        told = threading.Event()
        with self._lock:
            self._waiting.append((threading.get_ident(), told))
            self._next()
        while not told.wait(max(self._ends - time.monotonic(), self.SHORTEST)):
            with self._lock:
                self._next()
        try:
            yield
        finally:
            self.leave()

    def taken(self) -> bool:
        """Whether a thread has the turn or waits for it."""
        return self._now is not None or bool(self._waiting)

    def leave(self) -> None:
        """Let the next one begin, if it is this thread's turn: before it waits for something."""
        with self._lock:
            if self._now == threading.get_ident():
                self._now = None
                self._next()

    def _next(self) -> None:
        """Give the turn, if it is free, to whoever has waited longest. The caller holds the lock."""
        now = time.monotonic()
        if self._waiting and (self._now is None or now >= self._ends):
            (self._now, told), self._ends = self._waiting.popleft(), now + self.long
            told.set()


of_scripts = Turns(LONG)


def _wrap() -> None:
    run = ScriptRunner._run_script_thread

    @functools.wraps(run)
    def in_turn(runner: ScriptRunner) -> None:
        with of_scripts.turn():
            run(runner)

    ScriptRunner._run_script_thread = in_turn


if hasattr(ScriptRunner, "_run_script_thread"):
    _wrap()
else:
    log.warning("this version of Streamlit is not known; on a busy server pages may take longer than they need to")

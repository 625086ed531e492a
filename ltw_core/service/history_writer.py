"""Writes a training run into the history while it goes on: about once a second, from the thread that trains.

Pages read what is in memory, so that nothing waits for the disk; the disk has what a killed server leaves behind. A
history that cannot be written (a full disk) is logged once and never fails a run.
"""

import logging
import sqlite3
import threading
import time
from typing import Any

from ltw_core.service.training_history import History
from ltw_core.storage.database import why
from ltw_core.weighting.learned.kept_snapshots import KeptSnapshots
from ltw_core.weighting.learned.protocol import Event
from ltw_core.weighting.learned.snapshots import Snapshot

log = logging.getLogger(__name__)

PROGRESS = ("seconds", "best_step", "best_f1", "engine", "device")
EVERY = 1.0  # seconds between two writings


class HistoryWriter:
    """Writes one training run into the history.

    Parameters
    ----------
    history : History
    token : str
        Of ``History.begin``.
    tpr, fpr : ndarray, shape (terms,)
    notes : dict
        What travels with the weighting's file.

    Attributes
    ----------
    snapshots : KeptSnapshots
    entering : lock
        Held by whoever enters the training into the history; nothing is written of it before it is there.
    """

    def __init__(self, history: History, token: str, tpr, fpr, notes: dict):
        self.snapshots, self.entering = KeptSnapshots(), threading.RLock()
        self._history, self._token = history, token
        self._rates, self._notes = (tpr, fpr), notes
        self._points: list[tuple[int, float, float]] = []
        self._written: dict[int, Snapshot] = {}
        self._progress: dict[str, Any] = {}
        self._to_enter: tuple = ()
        self._last, self.problem = 0.0, ""

    def enter(self, *asked) -> None:
        """Enter the training: with all but the token of ``History.begin``; tried again at each writing."""
        self._to_enter = asked
        self._try(lambda: None)

    def start(self) -> None:
        """The run has begun."""
        self._try(self._history.start, self._token)
        self._last = time.monotonic()

    def event(self, event: Event) -> None:
        """Keep what an ``Event`` tells, and write it if a second has passed since the last time."""
        self.snapshots.add(event.compact(*self._rates))
        if event.phase != "pretraining":
            self._points.append((event.step, event.loss, event.validation_f1))
        self._progress = {"steps": event.step} | {name: getattr(event, name) for name in PROGRESS}
        if time.monotonic() - self._last >= EVERY:
            self.flush()

    def flush(self, **more) -> None:
        """Write what is new now; with ``weighting`` and ``end`` of ``History.write`` also those."""
        points, self._points = self._points, []
        kept = {s.step: s for s in self.snapshots.kept}
        new = [s for step, s in kept.items() if self._written.get(step) is not s]
        dropped = [step for step in self._written if step not in kept]
        named = {"points": points, "snapshots": new, "dropped": dropped, "progress": self._progress}
        if self._try(self._history.write, self._token, **named, **more):
            self._written = kept
        else:  # they are written when there is room again
            self._points = points + self._points
        self._last = time.monotonic()

    def end(self, status: str, weighting=None, error: str = "") -> None:
        """It is over: "done", "stopped" or "failed"."""
        self.flush(weighting=weighting, notes=self._notes, end=(status, error))

    def _try(self, write, *values, **named) -> bool:
        try:
            with self.entering:
                if self._to_enter:
                    self._history.begin(*self._to_enter, token=self._token)
                    self._to_enter = ()
                write(*values, **named)
        except (sqlite3.Error, OSError) as error:
            if not self.problem:
                log.warning("the history cannot be written: %s", error)
            self.problem = why(error)
            return False
        self.problem = ""
        return True

"""How far cells that a reader waits for are computed, and how long the rest will take."""

import threading
from dataclasses import dataclass, field
from typing import Any

ENOUGH = 0.1  # of what was left: once so much is done, what is left is told by how long that took


@dataclass
class CellsProgress:
    """How far a computation is; written by its threads, read from any.

    Attributes
    ----------
    now : dict
        By thread what it computes, and how far it is in words.
    done, total : int
        Cells of this computation.
    left : float or None
        Seconds until all is done; None while anything alike to what is left was not measured, or too little is done.
    first : tuple of float, or None
        The time at which that was known first, and how many seconds of one core were left then.
    """

    total: int
    done: int = 0
    now: dict[int, tuple[Any, str]] = field(default_factory=dict)
    left: float | None = None
    first: tuple[float, float] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def say(self, item: Any, message: str) -> None:
        with self.lock:
            self.now[threading.get_ident()] = (item, message)

    def expect(self, left: float | None, workers: int, at: float) -> None:
        """Note at a time that ``left`` seconds of one core remain for several threads. Once enough is done, the rest is
        expected to go as fast as it went so far: not every core may be free."""
        with self.lock:
            if left is not None:
                self.first = self.first or (at, left)
                since, less = at - self.first[0], self.first[1] - left
                told = since > 0 and less > ENOUGH * self.first[1]
                left /= min(workers, less / since) if told else workers
            self.left = left

    def items_now(self) -> list[Any]:
        """What its threads compute."""
        with self.lock:
            return [item for item, _ in self.now.values()]

    def rest(self) -> None:
        with self.lock:
            self.now.pop(threading.get_ident(), None)

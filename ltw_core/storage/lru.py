"""What is kept in memory because it may be asked for again, within a number of bytes."""

import threading
from collections import OrderedDict
from typing import Any


class Shelf:
    """What was used last, as long as it fits into so many bytes. For several threads."""

    def __init__(self, most: int):
        self._most, self._bytes, self._lock = most, 0, threading.Lock()
        self._held: OrderedDict[str, tuple[Any, int]] = OrderedDict()

    def put(self, key: str, value: Any, size: int) -> None:
        with self._lock:
            self._bytes += size - self._held.pop(key, (None, 0))[1]
            self._held[key] = (value, size)
            while len(self._held) > 1 and self._bytes > self._most:
                self._bytes -= self._held.popitem(last=False)[1][1]

    def get(self, key: str) -> Any:
        with self._lock:
            if key not in self._held:
                return None
            self._held.move_to_end(key)
            return self._held[key][0]

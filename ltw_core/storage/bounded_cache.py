"""A cache in memory that is bounded by bytes: what was used last stays."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any


class BoundedCache:
    """The values that were used last, as long as they fit into ``most_bytes``. For several threads."""

    def __init__(self, most_bytes: int):
        self._most, self._lock = most_bytes, threading.Lock()
        self._kept, self._bytes = OrderedDict(), 0  # by key (value, size), what was used last at the end

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Keep a value of ``size`` bytes; one that is larger than the cache is kept alone."""
        with self._lock:
            self._bytes += size - self._kept.pop(key, (None, 0))[1]
            self._kept[key] = value, size
            while self._bytes > self._most and len(self._kept) > 1:
                self._bytes -= self._kept.popitem(last=False)[1][1]

    def get_or_make(self, key: Hashable, make: Callable[[], Any], size: Callable[[Any], int]) -> Any:
        """The value of a key, made and kept where it is not there; ``size`` gives its bytes."""
        found = self.get(key)
        if found is None:
            found = make()
            self.put(key, found, size(found))
        return found

    def get(self, key: Hashable) -> Any:
        """The value of a key; None where it is not kept."""
        with self._lock:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

"""A cache in memory that is bounded by bytes: what was used last stays."""

import threading
from collections.abc import Callable
from operator import itemgetter
from typing import Any

from cachetools import LRUCache


class BoundedCache:
    """The values that were used last, as long as they fit into ``most_bytes``. For several threads."""

    def __init__(self, most_bytes: int):
        self._most, self._lock = most_bytes, threading.Lock()
        self._kept = LRUCache(most_bytes, getsizeof=itemgetter(1))

    def put(self, key: str, value: Any, size: int) -> None:
        """Keep a value of ``size`` bytes; one that is larger than the cache is kept alone."""
        with self._lock:
            self._kept[key] = value, min(size, self._most)

    def get_or_make(self, key: str, make: Callable[[], Any], size: Callable[[Any], int]) -> Any:
        """The value of a key, made and kept where it is not there; ``size`` gives its bytes."""
        found = self.get(key)
        if found is None:
            found = make()
            self.put(key, found, size(found))
        return found

    def get(self, key: str) -> Any:
        """The value of a key; None where it is not kept."""
        with self._lock:
            return self._kept.get(key, (None,))[0]

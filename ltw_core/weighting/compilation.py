"""How loops are compiled: once for all, one thread, without the GIL.

Leaves out when kernels are compiled: ``preload`` does it for the learned weightings, else their first call does.
"""

import hashlib
from functools import cache
from pathlib import Path

from numba import njit

# Reordering sums, fusing and approximating divisions is welcome; NaN and infinity stay what they are. Numba's plain
# "fastmath=True" would also let the compiler assume that there are none, and drop the tests for them.
FAST = frozenset({"reassoc", "contract", "arcp", "nsz", "afn"})


def compiled(function):
    """``njit`` with a cache on disk, or without where no folder can be written.

    What a kernel calls is inlined: compiled by itself as well as within its callers, a function's sums are ordered in
    several ways, and which copy runs depends on what this process has compiled and what it read from the cache.

    Numba drops a cached function when its own file changes, not when one that it calls does. Here a change of any
    file in a function's folder drops them all.
    """
    options = dict(nogil=True, forceinline=True, fastmath=set(FAST), error_model="numpy")
    try:
        dispatcher = njit(cache=True, **options)(function)
    except RuntimeError:  # neither beside this file nor in the user's cache folder
        return njit(**options)(function)
    index = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if hasattr(index, "_source_stamp"):
        index._source_stamp = _stamp(Path(function.__code__.co_filename).parent)
    return dispatcher


@cache
def _stamp(folder: Path) -> str:
    """A digest of all source files of a folder and of this one."""
    sources = [*sorted(folder.glob("*.py")), Path(__file__)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()

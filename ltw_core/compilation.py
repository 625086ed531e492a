"""How loops are compiled: once for all, one thread, without the GIL; and how they ask the processor for memory early.

Leaves out when kernels are compiled: ``preload`` does it for the learned weightings, else their first call does.
"""

import hashlib
from functools import cache
from pathlib import Path

from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

# Reordering sums, fusing and approximating divisions is welcome; NaN and infinity stay what they are. Numba's plain
# "fastmath=True" would also let the compiler assume that there are none, and drop the tests for them.
FAST = frozenset({"reassoc", "contract", "arcp", "nsz", "afn"})
READ, SOON, DATA = 0, 3, 1  # operands of LLVM's prefetch: to be read, to be kept in all caches, no instructions


def compiled(function):
    """``njit`` with a cache on disk, or without where no folder can be written.

    What a kernel calls is inlined: compiled by itself as well as within its callers, a function's sums are ordered in
    several ways, and which copy runs depends on what this process has compiled and what it read from the cache.

    Numba drops a cached function when its own file changes, not when one that it calls does, and reads the old one to
    see that: it fails where that names a type that is gone. Here a change of any file in a function's folder drops them
    all unread, as another version of Numba would.
    """
    options = dict(nogil=True, forceinline=True, fastmath=set(FAST), error_model="numpy")
    try:
        dispatcher = njit(cache=True, **options)(function)
    except RuntimeError:  # neither beside this file nor in the user's cache folder
        return njit(**options)(function)
    index = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if hasattr(index, "_version"):
        index._version += " " + _stamp(Path(function.__code__.co_filename).parent)
    return dispatcher


@cache
def _stamp(folder: Path) -> str:
    """A digest of all source files of a folder and of this one."""
    sources = [*sorted(folder.glob("*.py")), Path(__file__)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()


@intrinsic
def prefetch(context, array, index):
    """Begin to read ``array[index]`` into the caches; changes nothing and waits for nothing. Any index is allowed."""

    def codegen(context, builder, signature, arguments):
        kind = signature.args[0]
        made = make_array(kind)(context, builder, arguments[0])
        place = cgutils.get_item_pointer(context, builder, kind, made, [arguments[1]], wraparound=False)
        i32, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        asked = ir.FunctionType(ir.VoidType(), [pointer, i32, i32, i32])
        function = cgutils.get_or_insert_function(builder.module, asked, "llvm.prefetch.p0")
        builder.call(function, [builder.bitcast(place, pointer), i32(READ), i32(SOON), i32(DATA)])
        return context.get_dummy_value()

    return types.none(array, types.intp), codegen

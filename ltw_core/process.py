"""What is set for a whole process, each with its reason; nothing else in the project sets anything of the kind.

Left out: what ``.streamlit/config.toml`` sets for the app.
"""

import ast
import contextlib
import csv
import ctypes
import gc
import sys
import threading
import warnings

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # of malloc.h
SWITCH = 0.001  # seconds
PARSES = 5  # attempts

_parsing = threading.Lock()
_lock = threading.Lock()
_inside = 0
_filters = None


def switch_threads_often() -> None:
    """Have a thread let others run after a millisecond and not after five: a page of the app gives way at each message
    that it sends, and waits as long for its next turn."""
    sys.setswitchinterval(SWITCH)


def share_heaps() -> None:
    """Have all threads allocate from two heaps: every run of a page is a thread, and glibc would give each one its own,
    and keep what is freed there."""
    with contextlib.suppress(OSError, AttributeError):  # another C library
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(M_ARENA_MAX, 2)
        mallopt(M_MMAP_THRESHOLD, 2**20)  # arrays are given back to the system when they are freed


def freeze_imported() -> None:
    """Take what is there now, modules above all, out of garbage collection: it stays as long as the process, and a
    collection that walks over it takes 50 to 200 ms of everybody's time."""
    gc.collect()
    gc.freeze()


def allow_long_csv_cells(characters: int) -> None:
    """Have ``csv`` read cells of so many characters; its limit is too low for long texts, and is only ever raised."""
    csv.field_size_limit(max(csv.field_size_limit(), characters))


def parse_python(source: str, mode: str = "exec") -> ast.AST:
    """``ast.parse``, one thread at a time, and again where it fails: Python 3.11 does now and then where two threads
    parse at once ("AST constructor recursion depth mismatch"), a corpus in the background and a formula on a page; and
    other parsers, such as Streamlit's, wait for no lock of ours.

    Raises
    ------
    SystemError
        It has failed ``PARSES`` times.
    """
    for left in reversed(range(PARSES)):
        try:
            with _parsing:
                return ast.parse(source, mode=mode)
        except SystemError:
            if not left:
                raise


@contextlib.contextmanager
def no_convergence_warnings():
    """Ignore scikit-learn's ``ConvergenceWarning`` in the block, from any number of threads at once.

    ``warnings.catch_warnings`` restores the filters it found, so that two threads leaving it in the wrong order undo
    each other; here the first one in sets the filter and the last one out removes it. What did not converge is read
    from ``n_iter_`` instead.
    """
    global _inside, _filters
    from sklearn.exceptions import ConvergenceWarning

    with _lock:
        if _inside == 0:
            _filters = warnings.catch_warnings()
            _filters.__enter__()
            warnings.simplefilter("ignore", ConvergenceWarning)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _filters.__exit__(None, None, None)

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
from collections.abc import Iterator
from contextlib import AbstractContextManager

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # of malloc.h
SWITCH = 0.001  # seconds
YOUNG = 10_000, 50, 100  # objects, and collections of the younger ones, before those of an age are collected
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


def give_back_freed() -> None:
    """Give memory that was freed back to the system, also where something that is in use lies behind it."""
    with contextlib.suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def freeze_imported() -> None:
    """Take what is there now, modules above all, out of garbage collection: it stays as long as the process, and a
    collection that walks over it takes 50 to 200 ms of everybody's time."""
    gc.collect()
    gc.freeze()


def allow_long_csv_cells(characters: int) -> None:
    """Have ``csv`` read cells of so many characters; its limit is too low for long texts, and is only ever raised."""
    csv.field_size_limit(max(csv.field_size_limit(), characters))


def collect_garbage_seldom() -> None:
    """Have garbage that refers to itself collected seldom while pages are made; ``collect_garbage`` does it between.

    With the 700 objects of Python 3.11 a class of thirty that clicks and trains has all of its objects looked at ten
    times a minute, for 130 ms each on average and 241 at most, in which nobody's page goes on (tests.benchmarks.load
    with two training, AMD EPYC beside other work, 2026-11-28), and its young ones 1,500 times.
    """
    gc.set_threshold(*YOUNG)


def collect_garbage() -> None:
    """Collect all garbage that refers to itself, as a session that has ended and the tables that it held do."""
    gc.collect()


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


def no_convergence_warnings() -> AbstractContextManager:
    """Ignore scikit-learn's ``ConvergenceWarning`` in the block; what did not converge is read from ``n_iter_``."""
    from sklearn.exceptions import ConvergenceWarning

    return _without(ConvergenceWarning)


@contextlib.contextmanager
def convergence_warnings() -> Iterator[list]:
    """Collect scikit-learn's ``ConvergenceWarning`` of the block instead of showing them, for classifiers that say so
    in no other way; others are shown at its end. For notebooks and scripts: two threads in it mix up their warnings."""
    from sklearn.exceptions import ConvergenceWarning

    found = []
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always", ConvergenceWarning)
        yield found
    for warning in given:
        if issubclass(warning.category, ConvergenceWarning):
            found.append(warning)
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)


def no_warnings_of_source() -> AbstractContextManager:
    """Ignore in the block what compiling other people's source files warns of, such as their escapes."""
    return _without(SyntaxWarning, DeprecationWarning)


def no_warm_start_warnings() -> AbstractContextManager:
    """Ignore in the block that balanced class weights are those of the documents of each call of ``fit``: right where
    the documents stay the same while a forest grows."""
    return _without(UserWarning, message="class_weight presets")


@contextlib.contextmanager
def _without(*categories: type[Warning], message: str = "") -> Iterator[None]:
    """Ignore some warnings in the block, from any number of threads at once: those that begin with ``message``.

    ``warnings.catch_warnings`` restores the filters it found, so that two threads leaving it in the wrong order undo
    each other; here the first one in keeps the filters and the last one out restores them.
    """
    global _inside, _filters
    with _lock:
        if _inside == 0:
            _filters = warnings.catch_warnings()
            _filters.__enter__()
        for category in categories:
            warnings.filterwarnings("ignore", message, category)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _filters.__exit__(None, None, None)

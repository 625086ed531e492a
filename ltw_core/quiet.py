"""Keeps liblinear's convergence warnings off the console, from any number of threads at once.

``warnings.catch_warnings`` restores the filters it found, so that two threads leaving it in the wrong order undo each
other; here the first one in sets the filter and the last one out removes it. What did not converge is read from
``n_iter_`` instead.
"""

import threading
import warnings
from contextlib import contextmanager

_lock = threading.Lock()
_inside = 0
_filters = None


@contextmanager
def no_convergence_warnings():
    """Ignore scikit-learn's ``ConvergenceWarning`` in the block."""
    from sklearn.exceptions import ConvergenceWarning

    global _inside, _filters
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

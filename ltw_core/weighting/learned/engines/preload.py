"""Loading or compiling the kernels, and importing what torch needs, before they are wanted.

The app does it in a background thread (``pages/_ui/warm.py``); without it, the first training waits for both.
"""

import threading
import time

import numpy as np
from scipy.sparse import csr_array

from ltw_core.weighting.learned.engines.engine_choice import make_engine
from ltw_core.weighting.learned.problem import Problem
from ltw_core.weighting.learned.settings import Settings

_lock = threading.Lock()
_seconds = None


def preload() -> float:
    """Bring all kernels of the compiled engine into memory; a second call returns at once.

    Returns
    -------
    float
        Seconds that it took: about a second from Numba's cache, more where it has to compile.
    """
    global _seconds
    with _lock:
        if _seconds is None:
            began = time.perf_counter()
            _run()
            _seconds = time.perf_counter() - began
    return _seconds


def preload_torch() -> None:
    """Bring what the reference engine needs into memory: torch's optimisers import for a second or two at first."""
    make_engine(_problem(), Settings(hidden=4), engine="reference", device="cpu").advance(1)


def _problem():
    counts = csr_array(np.array([[1, 2], [0, 1], [3, 0], [1, 1]]))
    return Problem.of(counts, [True, False, True, False], [False, False, True, True])


def _run():
    problem = _problem()
    for variant in ("LTW-L-I", "LTW-TF", "LTW-G-I"):
        engine = make_engine(problem, Settings(variant=variant, hidden=4, hidden_dd=3), engine="compiled")
        if variant == "LTW-L-I":
            engine.pretrain(lambda tpr, fpr: tpr, 1)
        engine.advance(1)
        engine.validation_logits()
        engine.cd()

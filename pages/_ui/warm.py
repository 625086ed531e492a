"""What takes seconds is done early and in one place: heavy imports, compilation, reading the default corpus.

What the first page needs is imported at once, the rest in a background thread, in a fixed order: packages with circular
imports (scikit-learn) break when two threads import them at the same time, so nobody goes on before it is done.
"""

import functools
import importlib
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

import streamlit as st

from ltw_core import process
from pages._ui.streamlit_fixes import turns

log = logging.getLogger(__name__)

FIRST = (
    "plotly.graph_objects",
    "ltw_core.corpora",
    "ltw_core.figures",
    "ltw_core.studies.examples",
    "pages._ui.plots.plot",
)
HEAVY = (
    "scipy.cluster.hierarchy",
    "scipy.stats",
    "scipy.interpolate",
    "sklearn.svm",
    "sklearn.linear_model",
    "sklearn.ensemble",
    "sklearn.neighbors",
    "sklearn.naive_bayes",
    "sklearn.decomposition",
    "sklearn.manifold",
    "sklearn.feature_selection",
    "sklearn.datasets",
    "sklearn.feature_extraction.text",
    "sklearn.metrics",
    "ltw_core.tasks",
    "ltw_core.weighting.classic",
    "ltw_core.weighting.global_weighting",
    "ltw_core.evaluation",
    "ltw_core.service.job_manager",
    "numba",
    "ltw_core.weighting.learned.learned_weighting",
)
COMPILE = """
import sys
from ltw_core.storage.processes import end_with
end_with(int(sys.argv[1]))
from ltw_core.weighting.learned import preload
preload()
"""
PROJECT = Path(__file__).parents[2]
_lock = threading.Lock()
_imported = threading.Event()
_started = False


def begin() -> None:
    """Import what the first page needs, and start the background thread; once a process."""
    global _started
    with _lock:
        if _started:
            return
        process.share_heaps()
        process.switch_threads_often()
        process.collect_garbage_seldom()
        for name in FIRST:
            importlib.import_module(name)
        threading.Thread(target=_warm, name="warm", daemon=True).start()
        _started = True


def begun() -> bool:
    """Whether what the first page needs is imported."""
    return _started


@functools.cache
def torch_engines() -> None:
    """Make torch's own engine ready in the background, for whoever chooses it; once a process."""
    from ltw_core.weighting.learned import preload_torch

    threading.Thread(target=preload_torch, name="warm-torch", daemon=True).start()


def wait() -> None:
    """Return when everything is imported; show that something happens, for a second or two after the server's start."""
    if not _imported.wait(0.05):
        turns.of_scripts.leave()
        with st.spinner("The server has just started; loading its libraries…"):
            _imported.wait()


def imported() -> None:
    """Wait, outside a page, until everything is imported."""
    _imported.wait()


def _warm() -> None:
    try:
        for name in HEAVY:
            try:
                importlib.import_module(name)
            except ImportError:
                log.exception("%s cannot be imported", name)
    finally:
        _imported.set()
    jobs = importlib.import_module("ltw_core.service.job_manager")
    idle, owners = jobs.manager_of_idle_work(), importlib.import_module("pages._ui.reader.owners")
    idle.others_first, idle.rest_after = turns.of_scripts.taken, owners.rest_after
    learned = importlib.import_module("ltw_core.weighting.learned")
    threading.Thread(target=learned.all_gpus, name="warm-gpus", daemon=True).start()  # seconds, where there is a driver
    try:
        # compiled in a process of its own the first time, or it would hold everybody's pages up for 20 seconds
        command = [sys.executable, "-c", COMPILE, str(os.getpid())]
        subprocess.run(command, cwd=PROJECT, check=False, capture_output=True, timeout=300)
        learned.preload()
    except Exception:  # whatever Numba may raise: there is more to do, and training runs compile for themselves
        log.exception("the engine could not be warmed up")
    try:
        # a second and a half, for the first readers of studies and of what a cell takes
        importlib.import_module("ltw_core.studies.estimate").prepare()
    except ValueError:
        log.exception("the shipped figures cannot be read")
    upkeep = importlib.import_module("pages._ui.training.upkeep")
    threading.Thread(target=upkeep.keep_up, name="upkeep", daemon=True).start()
    process.freeze_imported()
    process.give_back_freed()

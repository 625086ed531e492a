"""What is measured and where: time of steps, peak of memory, the machine. Linux only for the memory."""

import gc
import multiprocessing
import os
import platform
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numba
import numpy as np
import torch
from scipy.sparse import csr_array, vstack

from ltw_core.weighting.learned import Problem
from ltw_core.weighting.learned.inputs import PAPER


def machine(threads) -> dict:
    """Processor, cores, threads, versions and date, to stand beside every figure."""
    names = [line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    return {
        "processor": names[0] if names else platform.processor(), "cores": os.cpu_count(), "threads": threads,
        "torch": torch.__version__, "numba": numba.__version__, "python": platform.python_version(),
        "date": time.strftime("%Y-%m-%d"), "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip


def _lines(path):
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def milliseconds_a_step(engine, steps, repeats=3, warm=1) -> float:
    """Least of `repeats` means over `steps` steps: the least is what the machine's other work disturbs least."""
    engine.advance(warm)
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        engine.advance(steps)
        times.append((time.perf_counter() - began) / steps * 1e3)
    return min(times)


def peak_megabytes(work) -> float:
    """Most memory that `work()` held above what was held before, in MB; nan where the system does not tell."""
    gc.collect()
    try:
        Path("/proc/self/clear_refs").write_text("5")  # the mark of the highest use starts again from here
    except OSError:
        return float("nan")
    before = _status("VmRSS")
    work()
    return (_status("VmHWM") - before) / 1024


def resident_megabytes() -> float:
    """Memory of this process now."""
    return _status("VmRSS") / 1024


def in_a_fresh_process(function, *arguments):
    """Call a module's function where nothing else has used memory before."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def _status(name):
    return next(float(line.split()[1]) for line in _lines("/proc/self/status") if line.startswith(name))


def pairs_a_batch(problem, batches=50, size=100) -> float:
    """Distinct (tpr, fpr) in a batch, on average: the places at which a local variant's network is asked."""
    rng, (_, pair_of), train = np.random.default_rng(0), problem.pairs, problem.train
    found = []
    for _ in range(batches):
        rows = rng.integers(len(train), size=size)
        entries = np.concatenate([train.terms[train.starts[row] : train.starts[row + 1]] for row in rows])
        found.append(np.unique(pair_of[entries]).size)
    return float(np.mean(found))


def synthetic(documents, terms, length=40, seed=0, repeats=1, inputs=PAPER) -> Problem:
    """A problem of any size: `length` term draws a document with frequencies falling as 1/rank, a tenth positive.

    With `repeats`, each document that many times: more documents, and no term at another place.
    """
    rng = np.random.default_rng(seed)
    y = rng.random(documents) < 0.1
    share = 1 / np.arange(1, terms + 1)
    tilted = share * np.exp(rng.normal(0, 1, terms))
    drawn = np.empty((documents, length), dtype=np.int32)
    for label, weights in ((False, share), (True, tilted)):
        chosen = np.flatnonzero(y == label)
        drawn[chosen] = rng.choice(terms, size=(len(chosen), length), p=weights / weights.sum())
    rows = np.repeat(np.arange(documents), length)
    counts = csr_array((np.ones(rows.size), (rows, drawn.ravel())), shape=(documents, terms))
    counts, y = vstack([counts] * repeats, format="csr"), np.tile(y, repeats)
    validation = np.zeros(len(y), dtype=bool)
    validation[-min(1000, documents // 5) :] = True
    return Problem.of(counts, y, validation, inputs)

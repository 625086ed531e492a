"""How long some training runs would take on the CPU and on a GPU: what the automatic choice of a device compares.

But for START and LEARNED_DD both parts are fits to measurements: the CPU's on one core (``duration.py``), the GPU's on
an H100 (3.0 TB/s; torch 2.11, Triton 3.6, 2026-11-25) by ``tests/benchmarks/lockstep.py``: all 115 classes of
Reuters-21578 to their early stops, and steps by width. Another GPU will differ.
"""

from importlib.util import find_spec
from typing import NamedTuple

from ltw_core.weighting.learned.duration import step_seconds
from ltw_core.weighting.learned.engines.gpus import cuda_has_started
from ltw_core.weighting.learned.settings import Settings

STEPS, LONGEST = 3_500, 10_100  # of a run on average, and of the longest of very many
START = 4.0  # seconds until torch (some 2.7, not measured by itself) and CUDA have started and kernels are loaded (1.3)
HOST = 0.008  # seconds of each run's place, batches and validations, while the GPU waits
LAUNCHES = {True: 37e-6, False: 265e-6}  # seconds of a step however few go side by side; by whether it is fused
A_GATE = {True: 2.7e-12, False: 17.8e-12}  # seconds for a pair and a hidden unit of each
LEARNED_DD = 1.5  # of what an LTW-TF's pairs take; its launches are taken for LTW-L's; not measured
GLOBAL_LAUNCHES = {True: 26e-6, False: 310e-6}  # seconds of an LTW-G's step
A_WEIGHT = {True: 17e-12, False: 51e-12}  # and for each entry of the units that live: seven passes or fourteen
BUSY = 1.5  # times as long a step takes where other cores are at work: .30 for .20 ms on all 16 of a Xeon
LIVING = 0.25  # of an LTW-G's hidden units


class Work(NamedTuple):
    """What is to be done, apart from the settings; the sizes are those of a class of Reuters-21578.

    Attributes
    ----------
    problems : int
        Training runs.
    cores : int
        Of the CPU, that would share them.
    n_terms, n_pairs : int
        Of the largest: terms, and distinct (tpr, fpr).
    fused : bool
        Whether the GPU's fused kernels can be had (Triton).
    started : bool
        Whether CUDA has started in this process already.
    """

    problems: int = 1
    cores: int = 1
    n_terms: int = 2876
    n_pairs: int = 790
    fused: bool = True
    started: bool = False

    @classmethod
    def of(cls, problems, cores=1) -> "Work":
        """That of some problems, in this process as it is now."""
        largest = max(problems, key=lambda problem: problem.n_terms)
        sizes = largest.n_terms, len(largest.pairs[0])
        return cls(len(problems), cores, *sizes, find_spec("triton") is not None, cuda_has_started())


def cpu_seconds(settings: Settings, work: Work) -> float:
    """All runs by the compiled engine; a core has one at a time."""
    each = STEPS * step_seconds(settings, work.n_terms, work.n_pairs, "compiled")
    each *= BUSY if min(work.problems, work.cores) > 1 else 1
    return each * max(1.0, work.problems / work.cores)


def gpu_seconds(settings: Settings, work: Work) -> float:
    """All runs side by side. A step of all takes its launches and what each run adds; runs end one after the other,
    so that the longest has the device to itself at last."""
    hidden = settings.hidden_units(work.n_terms)
    if settings.network.local:
        launches = LAUNCHES[work.fused]
        each = A_GATE[work.fused] * work.n_pairs * hidden * (LEARNED_DD if settings.network.learned_dd else 1)
    else:
        launches, each = GLOBAL_LAUNCHES[work.fused], A_WEIGHT[work.fused] * work.n_terms * hidden * LIVING
    longest = min(LONGEST, STEPS * (1 + work.problems / 20), settings.max_steps)
    start = 0.0 if work.started else START
    return start + HOST * work.problems + launches * longest + each * min(STEPS, settings.max_steps) * work.problems

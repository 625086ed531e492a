"""The parts of ``tests.benchmarks.lockstep``: each takes a ``Bench`` and returns what it measured, as plain values."""

import importlib
import subprocess
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context

import numpy as np
import torch

from ltw_core.metrics import f1
from ltw_core.weighting.learned import LearnedWeighting, Problem, Settings, Training, make_engine
from ltw_core.weighting.learned.engines.lockstep import places
from ltw_core.weighting.learned.engines.lockstep.lockstep import Lockstep, learn_lockstep
from tests.benchmarks.dense import DenseEngine
from tests.benchmarks.measure import machine


class Bench:
    """What the parts work on: the device, and the problems of a dataset's classes."""

    def __init__(self, options):
        from ltw_core.corpora import load
        from ltw_core.tasks import vectorize

        name = options.device if options.device != "auto" else ("cuda" if torch.cuda.is_available() else "cpu")
        self.device, self.quick, self.options = torch.device(name), options.quick, options
        if self.device.type == "cuda" and self.device.index is None:
            self.device = torch.device("cuda", torch.cuda.current_device())
        vectorized = vectorize(load(options.dataset))
        names = options.classes.split(",") if options.classes else list(vectorized.class_names)
        some = [each for each in ("corn", "crude", "earn", "jobs", "ship", "wheat") if each in names] or names[:6]
        if options.quick and not options.classes:
            names = some
        self.tasks = {each: vectorized.task(each) for each in names}
        problems = {each: Problem.of(t.counts_train, t.y_train, t.validation) for each, t in self.tasks.items()}
        self.all, self.few = list(problems.values()), [problems[each] for each in some if each in problems]
        # Problems that go on: those without validation positives are perfect at their first check
        self.lasting = [problem for problem in self.all if problem.validation.y.sum() >= 2] or self.all
        most = {"max_steps": 200, "pretrain_steps": 1000} if options.quick else {}
        self.settings = Settings(variant=options.variant, **most)
        self.widths = (1, 3) if options.quick else [int(width) for width in options.widths.split(",")]

    def wait(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def peak(self):
        return torch.cuda.max_memory_allocated(self.device) / 2**20 if self.device.type == "cuda" else None

    def seconds(self, work, times=1):
        """Mean seconds of a call, all that it launched included."""
        self.wait()
        began = time.perf_counter()
        for _ in range(times):
            work()
        self.wait()
        return (time.perf_counter() - began) / times


def imported(name):
    """A package that may be missing; None where it is."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


@contextmanager
def fused(wanted):
    """Whether local variants take fused kernels; None for where they can."""
    before, places.FUSED = places.FUSED, wanted
    try:
        yield
    finally:
        places.FUSED = before


# ---- the machine


def about(bench):
    """Versions, and on a GPU what it is, its copying, and the least that a node of a graph takes."""
    found = machine(torch.get_num_threads()) | {"device": str(bench.device), "problems": len(bench.all)}
    found["triton"] = getattr(imported("triton"), "__version__", None)
    if bench.device.type != "cuda":
        return found
    found["gpu"] = torch.cuda.get_device_name(bench.device)
    here = torch.zeros(2**28, device=bench.device)  # 1 GB
    there = torch.empty_like(here)
    there.copy_(here)
    found["gb_a_second"] = 2 * here.nbytes / bench.seconds(lambda: there.copy_(here), 20) / 1e9
    small, graph, nodes = here[:32], torch.cuda.CUDAGraph(), 1000
    stream = torch.cuda.Stream(bench.device)
    with torch.cuda.stream(stream), torch.cuda.graph(graph, stream=stream):
        for _ in range(nodes):
            small.add_(1)
    graph.replay()
    found["us_a_node"] = 1e6 * bench.seconds(graph.replay, 10) / nodes
    return found


def tests(bench):
    """The tests that are skipped where there is no GPU; the last line of what pytest says."""
    if imported("pytest") is None:
        return {"said": "pytest is not installed"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "on_a_gpu or full_gpu"]
    command += ["tests/weighting/learned/engines/lockstep"]
    said = subprocess.run(command, capture_output=True, text=True)
    print(said.stdout[-3000:], said.stderr[-1000:], flush=True)
    return {"returned": said.returncode, "said": said.stdout.strip().split("\n")[-1]}


# ---- all classes


@contextmanager
def apart():
    """Seconds that locksteps spend making places, launching steps, and taking in what was learned: waiting for it, and
    in that reporting it."""
    names = "fill", "_advance", "_take", "_report"
    spent, own = defaultdict(float), {name: getattr(Lockstep, name) for name in names}

    def timed(name):
        def call(self, *rest):
            began = time.perf_counter()
            try:
                return own[name](self, *rest)
            finally:
                spent[name.strip("_")] += time.perf_counter() - began

        return call

    for name in own:
        setattr(Lockstep, name, timed(name))
    try:
        yield spent
    finally:
        for name, method in own.items():
            setattr(Lockstep, name, method)


def to_the_end(bench, problems, settings, seeds=1):
    """Every problem with every seed to its early stop; returns what was measured, and the results."""
    together = [problem for problem in problems for _ in range(seeds)]
    settings = [replace(settings, seed=seed) for _ in problems for seed in range(seeds)]
    if bench.device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(bench.device)
    with apart() as spent:
        kept = []
        took = bench.seconds(
            lambda: kept.extend(learn_lockstep(together, settings, str(bench.device), bench.options.width))
        )
    steps = [result.step for result in kept]
    return {
        "trainings": len(kept), "seconds": took, "apart": dict(spent), "steps": sum(steps), "longest": max(steps),
        "ends": Counter(r.stop_code for r in kept), "mean_validation_f1": float(np.mean([r.best.f1 for r in kept])),
        "validation_f1": [r.best.f1 for r in kept], "steps_of_each": steps, "peak_mb": bench.peak(),
        "notes": list(kept[0].notes),
    }, kept  # fmt: skip


def plain_to_the_end(bench):
    with fused(False):
        return to_the_end(bench, bench.all, bench.settings, bench.options.seeds)[0]


def fused_to_the_end(bench):
    """Twice: the first time kernels are compiled. Whether both are the same bits, and those of a class alone."""
    with fused(None if bench.device.type == "cuda" else False):
        first, one = to_the_end(bench, bench.all, bench.settings, bench.options.seeds)
        second, other = to_the_end(bench, bench.all, bench.settings, bench.options.seeds)
        alone = to_the_end(bench, bench.all[:1], bench.settings)[1][0]
    same = all(np.array_equal(a.best.cd, b.best.cd) and a.history == b.history for a, b in zip(one, other, strict=True))
    found = second | {"first_seconds": first["seconds"], "same_bits": same}
    found["same_bits_alone"] = bool(np.array_equal(alone.best.cd, other[0].best.cd))
    if bench.options.seeds == 1:
        found["svm"] = test_f1(bench.tasks.values(), other)
    return found


def test_f1(tasks, results):
    """Macro and micro F1 of an SVM (quick grid) on the test documents, a result a task; and seconds."""
    from ltw_core.evaluation import evaluate

    began, found = time.perf_counter(), []
    for task, result in zip(tasks, results, strict=True):
        weighting = LearnedWeighting(variant=result.settings.variant)
        weighting.problem(task.counts_train, task.y_train, task.validation)  # notes classes and features
        weighting.adopt(result)
        found.append(evaluate(task, weighting, learner="SVM", grid="quick"))
    tp, fp, fn = (sum(getattr(each, name) for each in found) for name in ("tp", "fp", "fn"))
    return {"macro": float(np.mean([each.f1 for each in found])), "micro": f1(tp, fp, fn),
            "seconds": time.perf_counter() - began}  # fmt: skip


# ---- beside it


def _learn_compiled(task):
    problem, settings = task
    began = time.perf_counter()
    step = Training(problem, settings, make_engine(problem, settings, "compiled")).run().step
    return step, time.perf_counter() - began


def compiled(bench):
    """The compiled engine on all cores: seconds of all classes (of some, where it takes long, and what all would)."""
    cores, some = bench.options.cores or 1, bench.all if not bench.quick else bench.few[:2]
    with ProcessPoolExecutor(cores, get_context("spawn"), _one_thread) as pool:  # a fork would take CUDA along
        list(pool.map(_learn_compiled, [(bench.few[0], replace(bench.settings, max_steps=100))] * 2 * cores))  # compile
        began = time.perf_counter()
        found = list(pool.map(_learn_compiled, [(problem, bench.settings) for problem in some]))
    steps, seconds = zip(*found, strict=True)
    return {"cores": cores, "trainings": len(some), "seconds": time.perf_counter() - began, "steps": sum(steps),
            "ms_a_step": 1e3 * sum(seconds) / sum(steps)}  # fmt: skip


def _one_thread():
    torch.set_num_threads(1)


def variants(bench):
    """LTW-TF, pre-training and LTW-G-I on six classes, to their ends; ten seeds of the first."""
    most = {"max_steps": bench.settings.max_steps, "pretrain_steps": bench.settings.pretrain_steps}
    kinds = {"LTW-TF": {"variant": "LTW-TF"}, "pretrained": {"pretrain": "IG"}, "LTW-G-I": {"variant": "LTW-G-I"}}
    found = {name: to_the_end(bench, bench.few, Settings(**kind, **most))[0] for name, kind in kinds.items()}
    found["ten_seeds"] = to_the_end(bench, bench.few[:1], bench.settings, 2 if bench.quick else 10)[0]
    return found


def dense(bench):
    """The dense port: milliseconds of a step, and one class to its end."""
    engine = DenseEngine(bench.lasting[0], bench.settings, str(bench.device))
    engine.advance(3)
    steps = 5 if bench.quick else 200
    each = bench.seconds(lambda: engine.advance(steps)) / steps
    settings = replace(bench.settings, max_steps=10) if bench.quick else bench.settings
    training = Training(bench.few[0], settings, DenseEngine(bench.few[0], settings, str(bench.device)))
    return {"ms_a_step": 1e3 * each, "to_the_end": bench.seconds(training.run), "steps": training.step}


def newsgroups(bench):
    """LTW-G-I on 20 Newsgroups: milliseconds a step of all twenty classes."""
    from ltw_core.corpora import load
    from ltw_core.tasks import vectorize

    if bench.quick:
        return {"said": "left out of the quick run"}
    vectorized = vectorize(load("20newsgroups"))
    tasks = [vectorized.task(name) for name in vectorized.class_names]
    problems = [Problem.of(task.counts_train, task.y_train, task.validation) for task in tasks]
    settings = Settings(variant="LTW-G-I", max_steps=300, patience=10**6)
    found, _ = to_the_end(bench, problems, settings)
    return {"ms_a_step": 1e3 * found["seconds"] / 300, **found}

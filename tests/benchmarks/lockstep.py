"""The lockstep: all classes of a dataset to their early stops, time of a class's step by width, and the dense port's.

python -m tests.benchmarks.lockstep --device cuda --json lockstep.json      on a GPU, all of it: some minutes
python -m tests.benchmarks.lockstep --device cuda --pytest                  the tests that need a GPU as well
python -m tests.benchmarks.lockstep --device cuda --widths 1,8,32,115       chosen widths
python -m tests.benchmarks.lockstep --quick                                 a few classes and steps: does it work?
python -m tests.benchmarks.lockstep --seeds 10 --classes corn               all seeds of a class

On a machine that has nothing but a copy of this folder: put the corpus's archive into a folder of it that git ignores
(``mkdir .corpora && cp …/reuters21578.tar.gz .corpora/``; 8 MB), let it travel along, and call

    LTW_DATA=$PWD/.corpora LTW_STATE=/tmp/state python -m tests.benchmarks.lockstep --device cuda --pytest \\
        --json $OUT/lockstep.json

It needs numpy, scipy, scikit-learn, torch, numba, safetensors and pytest. In this order, each part told and written to
the file as soon as it is measured: the tests that need a GPU, all classes to their ends (twice: the first time
libraries are loaded), LTW-TF, pre-training and LTW-G-I on six classes, LTW-G-I's step by width and the compiled
engine's on one core, the dense port's step and one class of it to the end, a class's step by width with graphs and
without, and the test F1 of all classes. No part begins after ``--minutes``.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace

import numpy as np
import torch

from ltw_core.corpora import load
from ltw_core.evaluation import evaluate
from ltw_core.metrics import f1
from ltw_core.tasks import vectorize
from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned import Problem, Settings, Training, make_engine
from ltw_core.weighting.learned.engines.lockstep.lockstep import learn_lockstep
from tests.benchmarks.dense import DenseEngine
from tests.benchmarks.measure import machine

WARM, TIMED = 100, 200  # steps of a run for time: the first hundred make arrays and graphs


def wait(device):
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def dense_step(problem, settings, device, steps):
    """Milliseconds of a step of the dense port."""
    engine = DenseEngine(problem, settings, str(device))
    engine.advance(3)
    wait(device)
    began = time.perf_counter()
    engine.advance(steps)
    wait(device)
    return 1e3 * (time.perf_counter() - began) / steps


def compiled_step(problem, settings, steps):
    """Milliseconds of a step of the compiled engine on one core of this machine, after the first ones."""
    engine = make_engine(problem, settings, "compiled")
    engine.advance(steps)
    began = time.perf_counter()
    engine.advance(steps)
    took = 1e3 * (time.perf_counter() - began) / steps
    print(f"{settings.variant}, compiled engine on one core: {took:.3f} ms a step", flush=True)
    return took


def step_at_width(problems, variant, width, device, steps, graphs):
    """Milliseconds of a round's step, all problems together, without the first hundred steps."""
    together = [problems[i % len(problems)] for i in range(width)]
    settings = [
        Settings(variant=variant, seed=i // len(problems), max_steps=WARM + steps, patience=10**6) for i in range(width)
    ]
    at = {}

    def seen(_, event):
        at[event.step] = time.perf_counter()

    results = learn_lockstep(together, settings, str(device), width, seen, graphs=graphs)
    if min(result.step for result in results) < WARM + steps:
        # classes without validation positives are perfect at their first check
        raise ValueError("a class ended before its time was taken; choose classes that last")
    return 1e3 * (at[WARM + steps] - at[WARM]) / steps, results[0].notes


def lasting(problems):
    """Problems that go on: at least two positives to validate on."""
    return [problem for problem in problems if problem.validation.y.sum() >= 2]


def to_the_end(problems, settings, seeds, width, device):
    """Every problem with every seed, to its early stop; returns what was measured, and the results."""
    together = [problem for problem in problems for _ in range(seeds)]
    settings = [replace(settings, seed=seed) for _ in problems for seed in range(seeds)]
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    wait(device)
    began = time.perf_counter()
    results = learn_lockstep(together, settings, str(device), width)
    wait(device)
    seconds = time.perf_counter() - began
    steps = [result.step for result in results]
    report = {
        "trainings": len(results), "seconds": seconds, "steps": sum(steps), "longest": max(steps),
        "ms_a_step_of_a_class": 1e3 * seconds / sum(steps), "ends": Counter(r.stop_code for r in results),
        "mean_validation_f1": float(np.mean([result.best.f1 for result in results])),
        "validation_f1": [result.best.f1 for result in results], "steps_of_each": steps,
        "peak_mb": torch.cuda.max_memory_allocated(device) / 2**20 if device.type == "cuda" else None,
        "notes": list(results[0].notes),
    }  # fmt: skip
    print(
        f"{settings[0].variant}, {len(results)} trainings to the end: {seconds:.2f} s, {sum(steps)} steps, the longest "
        f"{max(steps)}, {report['ms_a_step_of_a_class']:.4f} ms a step of one; mean validation F1 "
        f"{report['mean_validation_f1']:.3f}; ends {dict(report['ends'])}; peak {report['peak_mb'] or np.nan:.0f} MB",
        *report["notes"],
        flush=True,
    )
    return report, results


def dense_to_the_end(problem, settings, device):
    """The dense port's training of one class."""
    began = time.perf_counter()
    training = Training(problem, settings, DenseEngine(problem, settings, str(device))).run()
    wait(device)
    seconds = time.perf_counter() - began
    print(f"dense port to the end: {seconds:.1f} s, {training.step} steps, validation F1 {training.best.f1:.3f}")
    return {"seconds": seconds, "steps": training.step, "validation_f1": training.best.f1}


def test_f1(tasks, results):
    """Macro and micro F1 of an SVM (quick grid) on the test documents, a result a task; and seconds."""
    began, found = time.perf_counter(), []
    for task, result in zip(tasks, results, strict=True):
        weighting = LearnedWeighting(variant=result.settings.variant)
        weighting.problem(task.counts_train, task.y_train, task.validation)  # notes classes and features
        weighting.adopt(result)
        found.append(evaluate(task, weighting, learner="SVM", grid="quick"))
    tp, fp, fn = (sum(getattr(each, name) for each in found) for name in ("tp", "fp", "fn"))
    report = {"macro": float(np.mean([each.f1 for each in found])), "micro": f1(tp, fp, fn)}
    report |= {"each": [each.f1 for each in found], "seconds": time.perf_counter() - began}
    print(f"SVM on the test documents: macro F1 {report['macro']:.3f}, micro F1 {report['micro']:.3f}", flush=True)
    return report


def gpu_tests():
    """The tests that are skipped where there is no GPU; the last line of what pytest says."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "gpu", "tests/weighting/learned"]
    said = subprocess.run(command, capture_output=True, text=True)
    print(said.stdout[-3000:], said.stderr[-1000:], flush=True)
    return {"returned": said.returncode, "said": said.stdout.strip().split("\n")[-1]}


def by_width(problems, variant, widths, device, quick):
    """Milliseconds a step at each width, with graphs and without."""
    found = {}
    for width in widths:
        found[width] = {}
        for graphs in (True, False) if device.type == "cuda" else (False,):
            took, notes = step_at_width(problems, variant, width, device, 100 if quick else TIMED, graphs)
            name = "graphs" if graphs else "plain"
            found[width][name] = took
            print(
                f"{variant}, width {width:>4}, {name:>6}: {took:8.3f} ms a step of all, {took / width:7.4f} ms of one",
                *notes,
                flush=True,
            )
    return found


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--dataset", default="reuters21578")
    parser.add_argument("--classes", help="comma-separated; default all")
    parser.add_argument("--variant", default="LTW-L-I")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--width", type=int, help="most trainings side by side; default what fits")
    parser.add_argument("--widths", default="1,4,16,64,115", help="widths whose steps are timed")
    parser.add_argument("--minutes", type=float, default=6.5, help="begin no part after so many")
    parser.add_argument("--pytest", action="store_true", help="run the tests that need a GPU first")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args(arguments)
    name = options.device if options.device != "auto" else ("cuda" if torch.cuda.is_available() else "cpu")
    device, quick, began = torch.device(name), options.quick, time.perf_counter()
    report = {"machine": machine(torch.get_num_threads()), "device": name, "dataset": options.dataset}
    if device.type == "cuda":
        report["gpu"] = torch.cuda.get_device_name(device)
    print(json.dumps(report), flush=True)

    vectorized = vectorize(load(options.dataset))
    names = options.classes.split(",") if options.classes else list(vectorized.class_names)
    some = [each for each in ("corn", "crude", "earn", "jobs", "ship", "wheat") if each in names] or names[:6]
    names = some if quick and not options.classes else names
    tasks = {each: vectorized.task(each) for each in names}
    problems = {each: Problem.of(task.counts_train, task.y_train, task.validation) for each, task in tasks.items()}
    all_problems, few = list(problems.values()), [problems[each] for each in some if each in problems]
    print(
        f"{len(problems)} problems of {all_problems[0].n_terms} terms: {time.perf_counter() - began:.1f} s", flush=True
    )
    most = {"max_steps": 200, "pretrain_steps": 1000} if quick else {}
    settings = Settings(variant=options.variant, **most)
    fitted = replace(settings, variant="LTW-L-I", pretrain="IG")
    factor, whole_input = Settings(variant="LTW-TF", **most), Settings(variant="LTW-G-I", **most)
    alone = replace(settings, max_steps=10) if quick else settings
    widths = (1, 3) if quick else [int(width) for width in options.widths.split(",")]
    kept = {}

    def whole(problems=all_problems, settings=settings):
        measured, kept["results"] = to_the_end(problems, settings, options.seeds, options.width, device)
        return measured

    parts = {
        "tests": gpu_tests if options.pytest else None,
        "to_the_end_first": whole,
        "to_the_end": None if quick else whole,
        "test_f1": (lambda: test_f1(tasks.values(), kept["results"])) if quick else None,
        "learned_dd": lambda: to_the_end(few, factor, 1, options.width, device)[0],
        "pretrained": lambda: to_the_end(few, fitted, 1, options.width, device)[0],
        "global": lambda: to_the_end(few, whole_input, 1, options.width, device)[0],
        "global_widths": lambda: by_width(lasting(all_problems), "LTW-G-I", widths, device, quick),
        "global_compiled_ms_a_step": lambda: compiled_step(lasting(all_problems)[0], whole_input, 50 if quick else 500),
        "dense_ms_a_step": lambda: dense_step(lasting(all_problems)[0], settings, device, 5 if quick else 200),
        "dense_to_the_end": lambda: dense_to_the_end(few[0], alone, device),
        "widths": lambda: by_width(lasting(all_problems), settings.variant, widths, device, quick),
        "test_f1_of_all": None if quick or options.seeds > 1 else (lambda: test_f1(tasks.values(), kept["results"])),
    }  # fmt: skip
    for part, work in parts.items():
        if work is None:
            continue
        if time.perf_counter() - began > 60 * options.minutes:
            print(f"{part} is left out: it would begin after {options.minutes} minutes", flush=True)
            continue
        report[part] = work()
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(report, file, indent=1)
    print(f"dense port on {name}: {report.get('dense_ms_a_step', np.nan):.3f} ms a step", flush=True)
    return report


if __name__ == "__main__":
    main()

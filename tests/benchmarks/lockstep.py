"""The lockstep: all classes of a dataset to their early stops, time of a class's step by width, the dense port beside.

python -m tests.benchmarks.lockstep --device cuda --json lockstep.json      on a GPU, all of it: some minutes
python -m tests.benchmarks.lockstep --device cuda --widths 1,8,32,115       chosen widths
python -m tests.benchmarks.lockstep --quick                                 a few classes and steps: does it work?
python -m tests.benchmarks.lockstep --seeds 10 --classes corn               all seeds of a class
"""

import argparse
import json
import time
from collections import Counter

import numpy as np
import torch

from ltw_core.corpora import load
from ltw_core.tasks import vectorize
from ltw_core.weighting.learned import Problem, Settings
from ltw_core.weighting.learned.lockstep import learn_lockstep
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
    if min(result.training.step for result in results) < WARM + steps:
        # classes without validation positives are perfect at their first check
        raise ValueError("a class ended before its time was taken; choose classes that last")
    return 1e3 * (at[WARM + steps] - at[WARM]) / steps, results[0].notes


def lasting(problems):
    """Problems that go on: at least two positives to validate on."""
    return [problem for problem in problems if problem.validation.y.sum() >= 2]


def to_the_end(problems, variant, seeds, width, device, max_steps):
    """Every problem with every seed, to its early stop."""
    together = [problem for problem in problems for _ in range(seeds)]
    settings = [Settings(variant=variant, seed=seed, max_steps=max_steps) for _ in problems for seed in range(seeds)]
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
    wait(device)
    began = time.perf_counter()
    results = learn_lockstep(together, settings, str(device), width)
    wait(device)
    seconds = time.perf_counter() - began
    steps = [result.training.step for result in results]
    return {
        "trainings": len(results), "seconds": seconds, "steps": sum(steps), "longest": max(steps),
        "ms_a_step_of_a_class": 1e3 * seconds / sum(steps), "ends": Counter(r.training.stop_code for r in results),
        "mean_validation_f1": float(np.mean([result.training.best.f1 for result in results])),
        "peak_mb": torch.cuda.max_memory_allocated(device) / 2**20 if device.type == "cuda" else None,
        "notes": list(results[0].notes),
    }  # fmt: skip


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--dataset", default="reuters21578")
    parser.add_argument("--classes", help="comma-separated; default all")
    parser.add_argument("--variant", default="LTW-L-I")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--width", type=int, help="most trainings side by side; default what fits")
    parser.add_argument("--widths", default="1,4,16,64,115", help="widths whose steps are timed")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args(arguments)
    name = options.device if options.device != "auto" else ("cuda" if torch.cuda.is_available() else "cpu")
    device = torch.device(name)
    quick = options.quick
    report = {"machine": machine(torch.get_num_threads()), "device": name, "dataset": options.dataset}
    if device.type == "cuda":
        report["gpu"] = torch.cuda.get_device_name(device)
    print(json.dumps(report))

    vectorized = vectorize(load(options.dataset))
    names = options.classes.split(",") if options.classes else list(vectorized.class_names)
    if quick and not options.classes:
        names = [each for each in ("corn", "crude", "earn", "jobs", "ship", "wheat") if each in names] or names[:6]
    began = time.perf_counter()
    problems = []
    for each in names:
        task = vectorized.task(each)
        problems.append(Problem.of(task.counts_train, task.y_train, task.validation))
    print(f"{len(problems)} problems of {problems[0].n_terms} terms made in {time.perf_counter() - began:.1f} s")

    settings = Settings(variant=options.variant)
    dense = dense_step(lasting(problems)[0], settings, device, 5 if quick else 200)
    report["dense_ms_a_step"] = dense
    print(f"dense port on {name}: {dense:.3f} ms a step")

    report["widths"] = {}
    for width in (1, 3) if quick else [int(width) for width in options.widths.split(",")]:
        row = {}
        for graphs in (True, False) if device.type == "cuda" else (False,):
            took, notes = step_at_width(
                lasting(problems), options.variant, width, device, 100 if quick else TIMED, graphs
            )
            row["graphs" if graphs else "plain"] = took
            say = f"width {width:>4}, {'graphs' if graphs else 'plain ':>6}: {took:8.3f} ms a step of all, "
            print(say + f"{took / width:7.4f} ms of one, dense / one = {dense * width / took:.1f}", *notes)
        report["widths"][width] = row

    end = to_the_end(problems, options.variant, options.seeds, options.width, device, 200 if quick else 100_000)
    report["to_the_end"] = end
    print(
        f"{end['trainings']} trainings to the end: {end['seconds']:.2f} s, {end['steps']} steps, the longest "
        f"{end['longest']}, {end['ms_a_step_of_a_class']:.4f} ms a step of one; mean validation F1 "
        f"{end['mean_validation_f1']:.3f}; ends {dict(end['ends'])}; peak {end['peak_mb'] or float('nan'):.0f} MB"
    )
    print(*end["notes"], sep="\n", end="")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()

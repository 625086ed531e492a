"""The learning engine and the dense port: time of a step and to the end, F1, memory, and how a step's cost grows.

python -m tests.benchmarks.engine                        the three Reuters classes, both engines to the end
python -m tests.benchmarks.engine --quick                the same, the dense port timed over a few steps only
python -m tests.benchmarks.engine --classes corn,crude,ship --seeds 5 --f1    paired seeds, SVM test F1 of both
python -m tests.benchmarks.engine --variant LTW-G-I      the global variant
python -m tests.benchmarks.engine --growth               vocabulary, documents, hidden units, inputs
python -m tests.benchmarks.engine --all --jobs 2         every class of the dataset, to its early stop
"""

import argparse
import json
import sys
import time

import numpy as np
import torch
from joblib import Parallel, delayed

from ltw_core.corpora import load
from ltw_core.evaluation import evaluate
from ltw_core.tasks import vectorize
from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned import Problem, Settings, Training, make_engine, preload
from ltw_core.weighting.learned.inputs import INPUTS, PAPER
from tests.benchmarks.dense import DenseEngine
from tests.benchmarks.measure import (
    in_a_fresh_process,
    machine,
    milliseconds_a_step,
    pairs_a_batch,
    peak_megabytes,
    synthetic,
)

CLASSES = {"reuters21578": "earn,corn,jobs", "20newsgroups": "misc.forsale", "ohsumed": "C08"}
DENSE_STEPS, DENSE_STEPS_QUICK, COMPILED_STEPS = 50, 15, 500
CD_QUANTILES = (0, 0.05, 0.5, 0.95, 1)  # of a run's cd over the terms: a sigmoid that saturates shows here


def make(name, problem, settings):
    return DenseEngine(problem, settings) if name == "dense" else make_engine(problem, settings)


def to_the_end(name, problem, settings):
    """A whole training; returns it, its seconds and its processor's seconds, the engine's making included."""
    began, busy = time.perf_counter(), time.process_time()
    training = Training(problem, settings, make(name, problem, settings)).run()
    return training, time.perf_counter() - began, time.process_time() - busy


def compare(task, variant, seeds, quick, with_f1, say):
    """One class: both engines on the same problem with the same seeds."""
    problem = Problem.of(task.counts_train, task.y_train, task.validation)
    settings = Settings(variant=variant)
    row = {"class": task.class_name, "variant": variant, "documents": len(problem.train), "terms": problem.n_terms}
    for name, steps in (("compiled", COMPILED_STEPS), ("dense", DENSE_STEPS_QUICK if quick else DENSE_STEPS)):
        peak = in_a_fresh_process(_peak, name, task.counts_train, task.y_train, task.validation, settings)
        row[name] = {"ms_a_step": milliseconds_a_step(make(name, problem, settings), steps), "peak_mb": peak}
        if quick and name == "dense":
            continue
        row[name]["runs"] = []
        for seed in seeds:
            run = _run(name, task, problem, Settings(variant=variant, seed=seed), with_f1)
            row[name]["runs"].append(run)
            say(f"  {name} {_sentence(run)}")
    row["ratio_of_steps"] = row["dense"]["ms_a_step"] / row["compiled"]["ms_a_step"]
    if not quick:
        row["ratio_to_the_end"] = _seconds(row["dense"]) / _seconds(row["compiled"])
    return row


def _peak(name, counts, y, validation, settings):
    """Most memory above the counts: the problem, the engine, some steps and a validation; kernels loaded before."""
    torch.set_num_threads(1)
    preload()

    def work():
        engine = make(name, Problem.of(counts, y, validation), settings)
        engine.advance(20)
        engine.validation_logits()

    return peak_megabytes(work)


def _run(name, task, problem, settings, with_f1):
    training, seconds, busy = to_the_end(name, problem, settings)
    run = {"seed": settings.seed, "seconds": seconds, "cpu_seconds": busy, "steps": training.step}
    run |= {"validation_f1": training.best.f1, "cd_quantiles": np.quantile(training.best.cd, CD_QUANTILES).tolist()}
    if with_f1:
        weighting = LearnedWeighting(variant=settings.variant, random_state=settings.seed, max_steps=1)
        weighting.fit(task.counts_train, task.y_train, validation=task.validation)
        weighting.cd_, weighting.parameters_ = training.best.cd, training.best.parameters
        run["test_f1"] = evaluate(task, weighting, learner="SVM", grid="full").f1
    return run


def _sentence(run):
    test = f", test F1 {run['test_f1']:.3f}" if "test_f1" in run else ""
    seconds = f"{run['seconds']:.2f} s ({run['cpu_seconds']:.2f} of a processor)"
    end = f"{seconds}, {run['steps']} steps, validation F1 {run['validation_f1']:.3f}{test}"
    return f"seed {run['seed']}: {end}"


def paired(rows, say):
    """95 % interval of the mean difference of test F1, compiled - dense, over classes and seeds (t, n - 1)."""
    from scipy.stats import t

    pairs = [
        (ours["test_f1"], theirs["test_f1"])
        for row in rows
        if "runs" in row["dense"]
        for ours, theirs in zip(row["compiled"]["runs"], row["dense"]["runs"], strict=True)
        if "test_f1" in ours
    ]
    if len(pairs) < 2:
        return None
    ours, theirs = np.array(pairs).T
    difference = ours - theirs
    half = t.ppf(0.975, len(pairs) - 1) * difference.std(ddof=1) / np.sqrt(len(pairs))
    say(
        f"test F1 over {len(pairs)} pairs: compiled {ours.mean():.3f}, dense {theirs.mean():.3f}, "
        f"difference {difference.mean():+.3f} ± {half:.3f}"
    )
    means = {"compiled": ours.mean(), "dense": theirs.mean(), "difference": difference.mean()}
    return {"pairs": len(pairs), "half_interval": half} | means


def growth(variant, say):
    """Milliseconds a step on synthetic problems, one size changed at a time."""
    rows = []

    def add(what, factor, problem, hidden=None, inputs=PAPER):
        engine = make_engine(problem, Settings(variant=variant, hidden=hidden, inputs=inputs))
        row = {"what": what, "factor": factor, "documents": len(problem.train), "terms": problem.n_terms,
               "hidden": engine.hidden, "pairs_a_batch": pairs_a_batch(problem),
               "ms_a_step": milliseconds_a_step(engine, 300)}  # fmt: skip
        rows.append(row)
        say(
            f"  {what:15} ×{factor:<5} {row['documents']:7} documents {row['terms']:6} terms {row['hidden']:5} hidden "
            f"{row['pairs_a_batch']:6.0f} pairs a batch  {row['ms_a_step']:.3f} ms a step"
        )

    local = variant.startswith("LTW-L") or variant == "LTW-TF"
    for factor in (1, 4, 16) if local else (1, 4):
        add("vocabulary", factor, synthetic(9_600, 2_900 * factor))
    for factor in (1, 10, 100):
        add("documents", factor, synthetic(9_600 * factor, 2_900))
    for factor in (1, 10, 100):  # as many documents, and the terms at the places where they were
        add("documents again", factor, synthetic(9_600, 2_900, repeats=factor))
    problem = synthetic(9_600, 2_900)
    for factor in (0.25, 1, 4):
        add("hidden units", factor, problem, int(factor * (1000 if local else 1450)))
    for number in (1, 2, 3, 5, 8) if local else ():
        inputs = tuple(INPUTS)[2 : 2 + number]
        add("inputs", number, synthetic(9_600, 2_900, inputs=inputs), inputs=inputs)
    return rows


def every_class(corpus, variant, jobs, say):
    """All classes to their early stop, over processes of one thread each; wall seconds."""
    names = list(corpus.class_names)
    tasks = {name: corpus.task(name) for name in names}
    with Parallel(n_jobs=jobs) as parallel:
        parallel(delayed(_warm_up)() for _ in range(2 * jobs))
        began = time.perf_counter()
        runs = parallel(
            delayed(_one_class)(task.counts_train, task.y_train, task.validation, variant) for task in tasks.values()
        )
        seconds = time.perf_counter() - began
    steps, busy = np.array(runs).T
    say(
        f"  {len(names)} classes, {variant}, {jobs} processes: {seconds:.1f} s ({busy.sum():.1f} of one core), "
        f"{steps.mean():.0f} steps on average, {1e3 * busy.sum() / steps.sum():.3f} ms a step"
    )
    found = {"classes": len(names), "variant": variant, "jobs": jobs, "seconds": seconds}
    return found | {"core_seconds": busy.sum(), "mean_steps": steps.mean()}


def _warm_up():
    torch.set_num_threads(1)
    return preload()


def _one_class(counts, y, validation, variant):
    began = time.process_time()
    weighting = LearnedWeighting(variant=variant).fit(counts, y, validation=validation)
    return weighting.steps_, time.process_time() - began


def _seconds(part):
    """Mean processor seconds to the end: other work on the machine does not count, nor does waiting for it."""
    return np.mean([run["cpu_seconds"] for run in part["runs"]])


def table(rows) -> str:
    """The comparison as a Markdown table."""
    heads = "class|variant|ms/step|dense ms/step|ratio|CPU s to the end|dense CPU s|ratio|peak MB|dense peak MB"
    lines = [f"|{heads}|", "|" + "---|" * (heads.count("|") + 1)]
    for row in rows:
        ours, theirs = row["compiled"], row["dense"]
        cells = [row["class"], row["variant"], f"{ours['ms_a_step']:.3f}", f"{theirs['ms_a_step']:.1f}"]
        cells += [f"{row['ratio_of_steps']:.0f}", f"{_seconds(ours):.2f}"]
        cells += [f"{_seconds(theirs):.0f}", f"{row['ratio_to_the_end']:.0f}"] if "runs" in theirs else ["–", "–"]
        lines.append("|" + "|".join([*cells, f"{ours['peak_mb']:.0f}", f"{theirs['peak_mb']:.0f}"]) + "|")
    return "\n".join(lines)


def write(found, name):
    if name:
        with open(name, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1, default=float)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.engine", description=__doc__.split("\n")[0])
    parser.add_argument("--dataset", default="reuters21578")
    parser.add_argument("--classes", help="comma-separated; default: some of the dataset")
    parser.add_argument("--variant", default="LTW-L-I")
    parser.add_argument("--seeds", type=int, default=3, help="how many")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="of the dense port; the compiled engine has one")
    parser.add_argument("--quick", action="store_true", help="time the dense port over a few steps only")
    parser.add_argument("--f1", action="store_true", help="test F1 with an SVM, full grid")
    parser.add_argument("--growth", action="store_true", help="how a step's cost grows, and nothing else")
    parser.add_argument("--all", action="store_true", help="every class of the dataset, and nothing else")
    parser.add_argument("--jobs", type=int, default=2, help="processes for --all")
    parser.add_argument("--json", metavar="FILE", help="write all figures there")
    options = parser.parse_args(arguments)

    def say(line):
        print(line, flush=True)

    torch.set_num_threads(options.threads)
    found = {"command": "python -m tests.benchmarks.engine " + " ".join(arguments or sys.argv[1:])}
    found["machine"] = machine(options.threads)
    say(json.dumps(found["machine"]))
    preload()
    if options.growth:
        found["growth"] = growth(options.variant, say)
    else:
        corpus = vectorize(load(options.dataset))
        if options.all:
            found["all"] = every_class(corpus, options.variant, options.jobs, say)
        else:
            names = (options.classes or CLASSES.get(options.dataset) or corpus.class_names[0]).split(",")
            seeds = range(options.first_seed, options.first_seed + options.seeds)
            found["rows"] = []
            for name in names:
                say(name)
                task = corpus.task(name)
                found["rows"].append(compare(task, options.variant, seeds, options.quick, options.f1, say))
                write(found, options.json)  # after each class: hours may lie between two
            say(table(found["rows"]))
            found["paired"] = paired(found["rows"], say)
    write(found, options.json)


if __name__ == "__main__":
    main()

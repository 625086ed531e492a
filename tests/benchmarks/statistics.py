"""Seconds for tpr, fpr and every cd function of all classes × all terms, beside the plain evaluation of every cell.

    python -m tests.benchmarks.statistics [--dataset reuters21578] [--repeats 5] [--json FILE]

Wall-clock seconds are what a user waits; CPU seconds do not suffer from other programs on a busy machine. Both are the
least of the repeats. Terms grow by copies of the vocabulary whose documents are shuffled: each has its own contingency.
"""

import argparse
import json
import os
import platform
import time
from datetime import UTC, datetime

import numpy as np
from scipy import sparse

from ltw_core.corpora import load
from ltw_core.tasks import Contingency, vectorize
from ltw_core.weighting import CD
from ltw_core.weighting.all_classes import AllClasses


def fast(counts, labels):
    """All of it: contingency, rates, functions. Returns what the user holds in the end."""
    tables = AllClasses(Contingency.of(counts, labels))
    return [tables.tpr, tables.fpr, *(tables.weights(function) for function in CD.values())]


def dense(counts, labels):
    """The same at every cell."""
    contingency = Contingency.of(counts, labels)
    tpr, fpr, prevalence = contingency.dense_rates()
    return [tpr, fpr, *(function(tpr, fpr, prevalence, contingency.n_documents) for function in CD.values())]


def least(work, repeats):
    """The least (wall, CPU) seconds of `repeats` runs."""
    found = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - wall, time.process_time() - cpu))
    return np.min(found, axis=0).tolist()


def by_function(contingency, repeats):
    """CPU seconds of each function, fast and dense."""
    tables = AllClasses(contingency)
    tpr, fpr, prevalence = contingency.dense_rates()
    n = contingency.n_documents
    return {
        name: (
            least(lambda f=function: tables.weights(f), repeats)[1],
            least(lambda f=function: f(tpr, fpr, prevalence, n), repeats)[1],
        )
        for name, function in CD.items()
    }


def grown(counts, times, seed=0):
    """The counts beside times - 1 copies of themselves with shuffled documents."""
    rng = np.random.default_rng(seed)
    copies = [counts, *(counts[rng.permutation(counts.shape[0])] for _ in range(times - 1))]
    return sparse.csr_array(sparse.hstack(copies))


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", default="reuters21578")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args(arguments)
    vectorized = vectorize(load(options.dataset))
    counts, labels = vectorized.counts_train, vectorized.labels_train
    (wall, cpu), plain = least(lambda: fast(counts, labels), options.repeats), least(lambda: dense(counts, labels), 2)
    contingency = vectorized.contingency()
    cells, tables = contingency.tp.shape[0] * contingency.tp.shape[1], AllClasses(contingency).n_tables
    print(
        f"{options.dataset}: {labels.shape[1]} classes × {counts.shape[1]} terms = {cells:,} cells, {tables:,} tables"
    )
    print(f"{'tpr, fpr and all cd':<22}{wall:7.3f} s   CPU {cpu:6.3f} s")
    print(f"{'the same, every cell':<22}{plain[0]:7.3f} s   CPU {plain[1]:6.3f} s   ratio {plain[1] / cpu:.1f} (CPU)")
    functions = by_function(contingency, options.repeats)
    for name, (quick, slow) in functions.items():
        print(f"  {name:<20}{quick:7.4f} s   every cell {slow:6.3f} s   ratio {slow / quick:5.1f} (CPU)")
    growth = {}
    for times in (1, 4):
        more = grown(counts, times)
        growth[times] = least(lambda counts=more: fast(counts, labels), 3)
    for times, (seconds, cpu_seconds) in growth.items():
        print(f"terms ×{times}: {seconds:.3f} s, CPU {cpu_seconds:.3f} s")
    if options.json:
        report = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, one thread",
            "dataset": options.dataset, "classes": labels.shape[1], "terms": counts.shape[1], "tables": tables,
            "seconds": wall, "cpu_seconds": cpu, "dense_seconds": plain[0], "dense_cpu_seconds": plain[1],
            "functions_cpu_seconds": functions, "growth": growth,
        }  # fmt: skip
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()

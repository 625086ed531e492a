"""Seconds for tpr, fpr and every cd function of all classes × all terms.

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
from ltw_core.tasks import TermStatistics, document_frequency, presence, vectorize
from ltw_core.weighting import CD


def rates_of_all(counts, labels):
    """Rates of every term with each class in turn."""
    held, labels = presence(counts), labels.astype(np.int32)
    frequency, positives = document_frequency(held), labels.sum(axis=0)
    tp = sparse.csr_array(labels.T @ held)  # one product for all classes
    return [
        TermStatistics(None, one, frequency - one, int(n), held.shape[0])
        for one, n in ((tp[[index]].toarray().ravel(), n) for index, n in enumerate(positives))
    ]


def weights(rates, function):
    """A function's weight of every term for each class."""
    return [function(r.tpr, r.fpr, r.prevalence, r.n_documents) for r in rates]


def everything(counts, labels):
    """All of it: contingency, rates, functions. Returns what the user holds in the end."""
    rates = rates_of_all(counts, labels)
    return rates, [weights(rates, function) for function in CD.values()]


def least(work, repeats):
    """The least (wall, CPU) seconds of `repeats` runs."""
    found = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - wall, time.process_time() - cpu))
    return np.min(found, axis=0).tolist()


def grown(counts, times, seed=0):
    """The counts and times - 1 copies of them with shuffled documents."""
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
    print(f"{options.dataset}: {labels.shape[1]} classes × {counts.shape[1]} terms")
    wall, cpu = least(lambda: everything(counts, labels), options.repeats)
    print(f"{'tpr, fpr and all cd':<22}{wall:7.3f} s   CPU {cpu:6.3f} s")
    rates = rates_of_all(counts, labels)
    functions = {name: least(lambda f=function: weights(rates, f), options.repeats)[1] for name, function in CD.items()}
    for name, seconds in functions.items():
        print(f"  {name:<20}{seconds:7.4f} s (CPU)")
    growth = {}
    for times in (1, 4):
        more = grown(counts, times)
        growth[times] = least(lambda counts=more: everything(counts, labels), 2)
    for times, (seconds, cpu_seconds) in growth.items():
        print(f"terms ×{times}: {seconds:.3f} s, CPU {cpu_seconds:.3f} s")
    if options.json:
        report = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores, one thread",
            "dataset": options.dataset, "classes": labels.shape[1], "terms": counts.shape[1],
            "seconds": wall, "cpu_seconds": cpu, "functions_cpu_seconds": functions, "growth": growth,
        }  # fmt: skip
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()

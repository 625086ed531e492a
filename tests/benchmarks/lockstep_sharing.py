"""The parts of ``tests.benchmarks.lockstep`` that share a device: two threads, two processes, and one that is full."""

import csv
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from ltw_core.weighting.learned import LearnedWeighting
from ltw_core.weighting.learned.engines.lockstep.lockstep import learn_lockstep
from tests.benchmarks.lockstep_parts import fused

STUDY = "LTW-L-I,LTW-TF"


def two_threads(bench):
    """Two users at once: seconds of each, of one alone, and whether each learned what it learns alone."""
    settings, problems = replace(bench.settings, max_steps=400), bench.lasting[:8]
    alone, seconds, found = [], [0.0, 0.0], [None, None]
    took = bench.seconds(lambda: alone.extend(learn_lockstep(problems, settings, str(bench.device))))

    def work(index):
        began = time.perf_counter()
        found[index] = learn_lockstep(problems, settings, str(bench.device))
        seconds[index] = time.perf_counter() - began

    threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same = [all(np.array_equal(a.best.cd, b.best.cd) for a, b in zip(own, alone, strict=True)) for own in found]
    return {"alone": took, "each": seconds, "same_bits": same, "notes": [list(own[0].notes) for own in found]}


def little_memory(bench):
    """Whether a lockstep that may plan for much and is given little goes on in halves, and what is left behind."""
    if bench.device.type != "cuda":
        return {"said": "for a GPU alone"}
    torch.cuda.empty_cache()
    settings, problems = replace(bench.settings, max_steps=200), bench.lasting[:32]
    torch.cuda.set_per_process_memory_fraction(0.01, bench.device)
    try:
        with fused(False):
            results = learn_lockstep(problems, settings, str(bench.device), len(problems), memory=2**34)
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0, bench.device)
    return {"notes": list(results[0].notes), "left_mb": torch.cuda.memory_reserved(bench.device) / 2**20}


def two_processes(bench):
    """A server's training runs beside a study, each a process: whether both learn what they learn alone, and seconds.

    The study's cells are those of all classes and three weightings; the server learns eight seeds of a class again and
    again until the study's process has ended. Then both once more with a tenth of the device's memory.
    """
    if bench.quick:
        return {"said": "left out of the quick run"}
    one = _groups(bench, lambda learned: len(learned) == 3)
    study, took, _ = _study(bench)
    found = {"seconds of a group alone": one["seconds"], "seconds of the study alone": took, "cells": len(study)}
    for name, share in (("beside", 1.0), ("with a tenth of the memory", 0.1)):
        hog = _taken(bench, share)
        cells, took, server = _study(bench, one["learned"])
        del hog
        server["seconds of the study"], server["cells alike"] = took, sum(study[key] == cells.get(key) for key in study)
        found[name] = {key: value for key, value in server.items() if key != "learned"}
    return found


def _taken(bench, share):
    """Memory that is held so that a share of the device's is free; None where that is all of it."""
    if share == 1 or bench.device.type != "cuda":
        return None
    torch.cuda.empty_cache()
    free, total = torch.cuda.mem_get_info(bench.device)
    return torch.empty(max(0, int(free - share * total)), dtype=torch.uint8, device=bench.device)


def _study(bench, as_before=None):
    """A study in a process of its own: counts of its cells by class and weighting, and seconds. With `as_before`,
    groups are learned here for as long as it goes on: what ``_groups`` says of them."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, open(Path(folder) / "log", "w+", encoding="utf-8") as log:
        module, store = [sys.executable, "-m", "ltw_core.studies"], ["--store", f"{folder}/study.sqlite"]
        run = ["--dataset", bench.options.dataset, "--weightings", STUDY, "--learners", "MNB", "--grid", "quick"]
        run += ["--classes", bench.options.classes] if bench.options.classes else []
        process = subprocess.Popen(
            [*module, "run", *store, *run, "--device", str(bench.device)], stdout=log, stderr=subprocess.STDOUT
        )
        server = as_before and _groups(bench, lambda learned: process.poll() is not None, as_before)
        if process.wait():
            log.seek(0)
            raise RuntimeError(f"the study ended with {process.returncode}: {log.read()[-2000:]}")
        took = time.perf_counter() - began
        export = [*module, "export", *store, "--format", "csv", "--level", "cells"]
        lines = subprocess.run(export, check=True, capture_output=True, text=True).stdout.splitlines()
    names = ("tp", "fp", "fn", "tn", "validation_f1")
    cells = {(row["class_name"], row["weighting"]): [row[name] for name in names] for row in csv.DictReader(lines)}
    return cells, took, server


def _groups(bench, ended, as_before=None):
    """Groups of eight training runs as a server starts them, until it has `ended`: number, median and most seconds, how
    many learned what `as_before` did, and what was said of memory."""
    from ltw_core.service.group_training import GroupTraining

    task = next(iter(bench.tasks.values())) if "corn" not in bench.tasks else bench.tasks["corn"]
    learned, seconds, messages = [], [], set()
    while not ended(learned):
        began = time.perf_counter()
        group = GroupTraining((task.counts_train, task.y_train, task.validation), "lockstep", str(bench.device))
        for seed in range(8):
            weighting = LearnedWeighting(variant="LTW-L-I", random_state=seed)
            group.add(seed, weighting, lambda event: messages.add(event.message), lambda: False)
        group.close()
        fitted = [group.wait(seed) for seed in range(8)]
        seconds.append(time.perf_counter() - began)
        learned.append([each.cd_ for each in fitted])
    first = as_before or learned
    alike = [all(map(np.array_equal, group, first[0])) for group in learned]
    said = sorted(message for message in messages if "memory" in message)
    return {"learned": learned, "groups": len(learned), "alike": sum(alike), "said": said,
            "seconds": [float(np.median(seconds)), max(seconds)]}  # fmt: skip

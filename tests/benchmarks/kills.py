"""Killed at any moment, nothing is lost, done twice or left running: ``python -m tests.benchmarks.kills``.

    python -m tests.benchmarks.kills [--study 50] [--server 20] [--seed 0] [--json FILE]

A study's process, with one or two workers, is started as the app starts it, killed (SIGKILL) at a random moment, from
its imports on, and started again, so many times, and then runs to its end: what was done stays as it was, every cell
is computed once, and no process of it outlives it. The app's server is killed while a training run goes on, and
started again on the same state: every training run that had ended is there with its curve, snapshots and weighting, the
one that was cut off is marked as died and shows what had been saved, and no process is left. Linux only.

Leaves out power cuts, in which the system's own caches are lost too.
"""

import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import random
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ltw_core.service import study_process
from ltw_core.service.training_history import History
from ltw_core.storage.processes import is_alive, process_of
from ltw_core.studies.store import Store
from tests.benchmarks.load import on_train, server
from tests.benchmarks.tab import Tab

STUDY = {
    "datasets": ("synthetic",),
    "weightings": ("UTW", "STW", "LTW-L-I", "LTW-L-sigma"),
    "learners": ("SVM", "LR", "MNB"),
}
EARLY, BEGINNING = 0.2, 4.0  # share of kills of a study within so many seconds of its start: mostly imports
AT_ONCE = 5  # training runs that the server is asked for
KEPT_IN = {
    "training": "id",
    "point": "training",
    "snapshot": "training",
    "weighting": "training",
}  # and by which column
PATIENCE = 120.0


def descendants(pid: int) -> list:
    """All processes that a process has started, and those that they have."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    found, known = [], {pid}
    while more := {child for child, parent in parents.items() if parent in known} - known:
        known |= more
        found += [process_of(child) for child in more]
    return [process for process in found if process.born]


def all_end(processes: list, patience: float = 10.0) -> bool:
    """Whether all of some processes end in so many seconds."""
    until = time.monotonic() + patience
    while any(is_alive(process) for process in processes):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def wait_for(least: int, count: Callable[[], int]) -> None:
    """Wait until there are so many, which comes if nothing is broken."""
    until = time.monotonic() + PATIENCE
    while count() < least and time.monotonic() < until:
        time.sleep(0.02)


def finished_cells(path: Path) -> dict[str, float]:
    """When each finished cell of a store was finished, by key."""
    if not path.exists():
        return {}
    with Store(path) as store:
        return {record.cell.key: record.finished for record in store.records()}


def is_sound(path: Path) -> bool:
    """Whether SQLite finds nothing wrong with a file."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        return db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def claimed(path: Path) -> int:
    """Cells of a store that a process has taken."""
    if not path.exists():
        return 0
    with Store(path) as store:
        return store.counts()["claimed"]


def kill_studies(kills: int, dice: random.Random, folder: Path, seeds: int = 20, most: int = 8) -> dict:
    """Kill a study's process so often, mostly after it has done up to ``most`` cells, then let it run to its end."""
    path = folder / "study.sqlite"
    lost, again, left, amid = 0, 0, 0, 0
    for _ in range(kills):
        request = study_process.Request(**STUDY, seeds=seeds, workers=dice.choice((1, 2)))
        study = study_process.start(request, path, folder)
        if dice.random() < EARLY:
            time.sleep(BEGINNING * dice.random())
        else:
            least = len(finished_cells(path)) + dice.randrange(most)
            wait_for(1, lambda: claimed(path))
            wait_for(least, lambda: len(finished_cells(path)))
            time.sleep(0.3 * dice.random())
        workers = descendants(study.process.pid)
        before = finished_cells(path)
        amid += study_process.current(folder).running
        with contextlib.suppress(ProcessLookupError):
            os.kill(study.process.pid, signal.SIGKILL)
        left += not all_end([study.process, *workers])
        after = finished_cells(path)
        lost += len(before.keys() - after.keys())
        again += sum(after.get(key, moment) != moment for key, moment in before.items())
    request = study_process.Request(**STUDY, seeds=seeds, workers=2)
    before = finished_cells(path)
    study_process.start(request, path, folder)
    while (study := study_process.current(folder)).running:
        time.sleep(0.1)
    after = finished_cells(path)
    with Store(path) as store:
        counts = store.counts()
    return {
        "kills": kills,
        "amid_the_run": amid,
        "cells": sum(counts.values()),
        "done": counts["done"],
        "done_before_the_last_run": len(before),
        "lost": lost + len(before.keys() - after.keys()),
        "done_again": again + sum(after.get(key, moment) != moment for key, moment in before.items()),
        "kills_with_processes_left": left,
        "end": study.state,
        "met": study.state == "finished"
        and counts["done"] == len(after) == sum(counts.values())
        and not (lost or again or left)
        and before.items() <= after.items()
        and is_sound(path),
    }


def trainings(path: Path) -> dict[str, tuple[str, str]]:
    """Status of every training run in a history's file, and a digest of all that is kept of it, by token."""
    if not path.exists():
        return {}
    found = {}
    with contextlib.closing(sqlite3.connect(path)) as db:
        for key, token, status in db.execute("SELECT id, token, status FROM training").fetchall():
            digest = hashlib.sha256()
            for table, column in (
                ("training", "id"),
                ("point", "training"),
                ("snapshot", "training"),
                ("weighting", "training"),
            ):
                for row in db.execute(f"SELECT * FROM {table} WHERE {column} = ? ORDER BY 1, 2", (key,)):
                    digest.update(repr(row).encode())
            found[token] = status, digest.hexdigest()
    return found


async def train_at(address: str, dataset: str, seed: int, seeds: int, path: Path) -> None:
    """Ask a server for training runs; until its history has them, as one that has just started may still be reading."""
    asked = len(trainings(path)) + seeds
    tab = Tab(address, f"dataset={dataset}")
    await tab.open()
    while not tab.pages:
        await tab.run()
    await on_train(tab)
    tab.number("Seed", seed)
    if ("number_input", "Seeds at once") in tab.widgets:
        tab.number("Seeds at once", seeds)
    while len(trainings(path)) < asked:  # the same one asked for again is the same one
        await tab.run(press="Train")


def kill_servers(kills: int, dice: random.Random, state: Path, dataset: str) -> dict:
    """Kill the app's server so often while it trains; what came of it."""
    path, known = state / "history.sqlite", {}
    lost, changed, left, amid = 0, 0, 0, 0
    for turn in range(kills):
        with server(state) as (process, address):
            asyncio.run(asyncio.wait_for(train_at(address, dataset, 100 * turn, AT_ONCE, path), PATIENCE))
            least = len(known) + dice.randrange(AT_ONCE)
            wait_for(least, lambda: [status for status, _ in trainings(path).values()].count("done"))
            time.sleep(0.3 * dice.random())
            own = [process_of(process.pid), *descendants(process.pid)]
            process.kill()
            process.wait()
        left += not all_end(own, 30)
        now = trainings(path)
        amid += any(status in ("queued", "running") for status, _ in now.values())
        ended = {token: digest for token, (status, digest) in now.items() if status == "done"}
        lost += len(known.keys() - ended.keys())
        changed += sum(ended.get(token, digest) != digest for token, digest in known.items())
        known = ended
    with History(path) as history:
        history.mark_dead()
        broken = 0
        for token, (status, _) in trainings(path).items():
            record, curve = history.find(token), history.curve(token)
            broken += status not in ("done", "died") or (curve[-1][0] if curve else 0) != record.steps
            broken += (status == "done") != (history.weighting(token) is not None)
        states = [status for status, _ in trainings(path).values()]
    return {
        "kills": kills,
        "amid_a_training": amid,
        "trainings": len(states),
        "done": states.count("done"),
        "died": states.count("died"),
        "lost": lost,
        "changed": changed,
        "broken": broken,
        "kills_with_processes_left": left,
        "met": is_sound(path) and not (lost or changed or broken or left) and len(states) == AT_ONCE * kills,
    }


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.kills", description=__doc__.partition("\n")[0])
    parser.add_argument("--study", type=int, default=50, help="kills of a study's process (default: 50)")
    parser.add_argument("--server", type=int, default=20, help="kills of the server (default: 20)")
    parser.add_argument("--dataset", default="reuters21578", help="what the server trains on (default: reuters21578)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--json", type=Path, help="also write the report there")
    options = parser.parse_args(arguments)
    report, dice = {"seed": options.seed}, random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LTW_STATE"] = folder
        if options.study:
            report["study"] = kill_studies(options.study, dice, Path(folder) / "study")
        if options.server:
            report["server"] = kill_servers(options.server, dice, Path(folder), options.dataset)
    text = json.dumps(report, indent=2)
    if options.json:
        options.json.write_text(text + "\n")
    print(text)
    return 0 if all(part["met"] for part in report.values() if isinstance(part, dict)) else 1


if __name__ == "__main__":
    sys.exit(main())

"""A class of thirty: the real server under clients that click while others train.

    python -m tests.benchmarks.load --clients 30 --trainings 2 [--phases 3:3] [--json FILE]
    python -m tests.benchmarks.load --phases 60:7.5 10:15    # an hour at 7.5 clicks a second, then ten minutes at 15

Starts the server as ``streamlit run`` would, with fresh state, and talks to it as browsers do (``tab.py``). After the
corpora are read it measures, in this order: phases of clicking while ``--trainings`` clients train without a pause; a
burst, in which every client asks for a training at the same moment and the first one for five; and five clients that
ask for the same training. Times are those of a client: from the click to the end of the run of the script. The clients
share the machine with the server, unlike browsers. Leaves out what browsers do with what they get.

A phase says how many minutes it takes and how many clicks a second all clients make together. Three from thirty: a
reader clicks each ten seconds, having looked at what the last click brought. A class that clicks without looking asks
for more than one interpreter has: a rerun takes it 30 to 40 ms.
"""

import argparse
import asyncio
import contextlib
import json
import math
import os
import random
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import stats

from tests.benchmarks.measure import machine
from tests.benchmarks.tab import Tab

ROOT = Path(__file__).resolve().parents[2]
CORPORA = ("reuters21578", "20newsgroups")
PAGES = ("Start", "Data", "Workbench", "Classifiers")
CLASSES = 6  # of a corpus that the class looks at
GREEDY = 5
TARGET_MS, TARGET_MB = 200, 1000
FLAT_MB, FLAT_AFTER = 0.5, 10  # MB a minute, over the last two thirds of so many minutes at least: caches fill before


class Phase(NamedTuple):
    """Minutes of clicking, and the clicks a second that all clients make together."""

    minutes: float
    clicks: float


def phase_of(text: str) -> Phase:
    """A phase as it is written in the command: "60:7.5"."""
    try:
        minutes, clicks = map(float, text.split(":"))
        if not (minutes > 0 and clicks > 0):
            raise ValueError
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no phase: write minutes, a colon and clicks a second, such as 60:7.5"
        ) from None
    return Phase(minutes, clicks)


@contextlib.contextmanager
def server(state: Path, root: Path = ROOT):
    """The app of a checkout on a free port of this machine; gives its process and address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", address.rpartition(":")[2]]
    with (state / "log.txt").open("w") as log:
        process = subprocess.Popen(
            command, cwd=root, stdout=log, stderr=log, env={**os.environ, "LTW_STATE": str(state)}
        )
    try:
        for _ in range(600):
            with contextlib.suppress(OSError):
                urllib.request.urlopen(f"http://{address}/_stcore/health", timeout=1)
                break
            time.sleep(0.1)
        yield process, address
    finally:
        process.terminate()
        process.wait(20)


def memory(process) -> float:
    """Resident memory of the server in MB, without what it runs in processes of their own."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def opened(address: str, number: int) -> Tab:
    """A tab on one of the corpora, when that is there."""
    tab = Tab(address, f"dataset={CORPORA[number % len(CORPORA)]}")
    await tab.open()
    until = time.monotonic() + 600
    while ("selectbox", "Class") not in tab.widgets or not tab.pages:
        await tab.run()
        if time.monotonic() > until:
            raise TimeoutError("the corpora were not read in ten minutes")
        await asyncio.sleep(1)
    return tab


async def clicks(tab: Tab, dice: random.Random, until: float, times: list, every: float) -> None:
    """Click about once in `every` seconds: another page, another class, or something on the page."""
    await asyncio.sleep(every * dice.random())
    classes = list(tab.widgets["selectbox", "Class"].options)
    offered = dice.sample(classes[:20], CLASSES)
    while time.monotonic() < until:
        what, page = dice.random(), None
        if what < 0.4:
            page = dice.choice(PAGES)
        elif what < 0.6:
            tab.choose("Class", dice.choice(offered))
        seconds = await tab.run(page)
        kind = "another page" if page else "another class" if what < 0.6 else "the same page"
        times.append((tab.title, kind, seconds, time.monotonic()))
        await asyncio.sleep(max(0, every * dice.uniform(0.5, 1.5) - seconds))


async def on_train(tab: Tab) -> None:
    """Open the train page; until its corpus is there it has no controls yet."""
    for _ in range(120):
        await tab.run("Workbench")
        if ("number_input", "Seed") in tab.widgets:
            return
        await asyncio.sleep(0.5)
    raise TimeoutError(f"the train page has no seed after a minute; it shows {sorted(tab.widgets)}")


async def trains(tab: Tab, dice: random.Random, until: float, times: list) -> None:
    """Train one after the other, and look on."""
    while time.monotonic() < until:
        await on_train(tab)  # a training's end runs the page again, and its controls come anew
        tab.number("Seed", dice.randrange(1, 10**6))
        times.append(("Workbench", "Train pressed", await tab.run(press="Train")))
        # what is found out of it afterwards, when nobody waits, is not looked at
        while tab.busy and ("button", "Stop") in tab.widgets and time.monotonic() < until:
            await asyncio.sleep(0.1)


async def remembers(process, until: float, seen: list, taken: list) -> None:
    """Note the server's memory, and what the host has taken from this machine, over the seconds since the beginning."""
    began, before = time.monotonic(), stolen()
    while time.monotonic() < until:
        seen.append((time.monotonic() - began, memory(process)))
        taken.append((time.monotonic() - began, stolen() - before))
        await asyncio.sleep(2)


def minute_by_minute(times: list, taken: list, began: float, minutes: float) -> list[dict]:
    """Percentiles of each minute, and the cores that the host took meanwhile: it may take them for half a minute."""
    found = []
    for minute in range(math.ceil(minutes)):
        within = [s for *_, s, at in times if minute <= (at - began) / 60 < minute + 1]
        ends = np.interp((60 * minute, 60 * (minute + 1)), *zip(*taken, strict=True))
        seconds = min(60, 60 * minutes - 60 * minute)
        found.append(percentiles(within) | {"stolen_cores": round(float(ends[1] - ends[0]) / seconds, 2)})
    return found


async def burst(tabs: list[Tab], dice: random.Random, state: Path) -> dict:
    """Everybody asks for a training at once, the first for five; how they were served."""
    await asyncio.gather(*(on_train(tab) for tab in tabs))
    before = rows(state, "SELECT coalesce(max(id), 0) FROM training")[0][0]
    first = dice.randrange(10**6, 10**8)
    for number, tab in enumerate(tabs):
        tab.number("Seed", first + 100 * number)
    if ("number_input", "Seeds at once") in tabs[0].widgets:
        tabs[0].number("Seeds at once", GREEDY)
    began = time.monotonic()
    await asyncio.gather(*(tab.run(press="Train") for tab in tabs))
    found = await ended(state, before)
    seconds = time.monotonic() - began
    asked = min(row["asked"] for row in found)
    order = [row["owner"] for row in sorted(found, key=lambda row: row["started"])]
    waits = [row["started"] - asked for row in found]
    greedy = max(set(order), key=order.count)
    positions = [place for place, owner in enumerate(order) if owner == greedy]
    firsts = [order.index(owner) for owner in set(order)]
    return {
        "trainings": len(found),
        "done": sum(row["status"] == "done" for row in found),
        "seconds_to_the_last": round(seconds, 1),
        "wait_p50_s": round(float(np.percentile(waits, 50)), 1),
        "wait_max_s": round(max(waits), 1),
        # fair: whoever asks for five gets a second one after everybody's first, but for two that run at once
        "last_first_turn": max(firsts),
        "turns_of_who_asked_for_more": positions,
    }


async def same(tabs: list[Tab], dice: random.Random, state: Path) -> dict:
    """Several ask for the same training: how often it was computed, and for how many."""
    before = rows(state, "SELECT coalesce(max(id), 0) FROM training")[0][0]
    seed = dice.randrange(10**8, 10**9)
    for tab in tabs:
        classes = list(tab.widgets["selectbox", "Class"].options)
        tab.choose("Class", classes[0])
        await tab.run("Workbench")
        tab.number("Seed", seed)
        if ("number_input", "Seeds at once") in tab.widgets:
            tab.number("Seeds at once", 1)
    await asyncio.gather(*(tab.run(press="Train") for tab in tabs))
    found = await ended(state, before)
    return {"asked": len(tabs), "computed": len({row["id"] for row in found}), "held_by": len(found)}


async def ended(state: Path, before: int) -> list:
    """The trainings that were asked for since, a row a holder, when all have ended."""
    query = "SELECT training.*, owner FROM training JOIN holding ON training = id WHERE id > ? ORDER BY id"
    until = time.monotonic() + 900
    while True:
        await asyncio.sleep(0.5)
        found = rows(state, query, (before,))
        if found and all(row["finished"] is not None for row in found):
            return found
        if time.monotonic() > until:
            raise TimeoutError(f"{sum(row['finished'] is None for row in found)} trainings did not end in 15 minutes")


def rows(state: Path, query: str, values=()) -> list:
    with contextlib.closing(sqlite3.connect(state / "history.sqlite", timeout=30)) as db:
        db.row_factory = sqlite3.Row
        return db.execute(query, values).fetchall()


def percentiles(seconds: list[float]) -> dict:
    """How many, and their percentiles in milliseconds."""
    if not seconds:
        return {"runs": 0}
    return {"runs": len(seconds)} | {f"p{q}_ms": round(1000 * float(np.percentile(seconds, q))) for q in (50, 95, 99)}


def remembered(seen: list[tuple[float, float]]) -> dict:
    """Memory of the server: at the beginning, most, at the end, and its slope over the last two thirds."""
    slope, margin = slope_with_margin([point for point in seen if point[0] > seen[-1][0] / 3])
    return {
        "begin_mb": round(seen[0][1]),
        "most_mb": round(max(mb for _, mb in seen)),
        "end_mb": round(seen[-1][1]),
        "slope_mb_a_minute": round(slope, 2),
        "slope_95_percent": [round(slope - margin, 2), round(slope + margin, 2)],
        "course": [(round(at), round(mb)) for at, mb in seen[:: max(1, len(seen) // 60)]],
    }


def slope_with_margin(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Slope of values over seconds, a minute, and half of its 95 % confidence interval; nan where there are too few.

    What is held now was mostly held two seconds ago: the standard error of least squares counts only so many points as
    are independent by the correlation of neighbouring residuals (Santer et al., J. Geophys. Res. 105:7337, 2000).
    """
    if len(points) < 5:
        return math.nan, math.nan
    minutes, values = np.array(points).T / [[60], [1]]
    slope, constant = np.polyfit(minutes, values, 1)
    residuals = values - slope * minutes - constant
    squares = residuals @ residuals
    correlation = max(0.0, residuals[1:] @ residuals[:-1] / squares) if squares > 1e-12 else 0.0
    independent = len(points) * (1 - correlation) / (1 + correlation)
    if independent <= 3:
        return float(slope), math.nan
    error = math.sqrt(squares / (independent - 2) / ((minutes - minutes.mean()) ** 2).sum())
    return float(slope), float(stats.t.ppf(0.975, independent - 2)) * error


async def measured(phase: Phase, process, clicking: list[Tab], training: list[Tab], dice: random.Random) -> dict:
    """What a phase of clicking and training shows."""
    times, presses, seen, taken = [], [], [], []
    for tab in training:
        tab.ticks.clear()
    used, own, began = cpu(process), time.process_time(), time.monotonic()
    until = began + 60 * phase.minutes
    await asyncio.gather(
        remembers(process, until, seen, taken),
        *(clicks(tab, dice, until, times, len(clicking) / phase.clicks) for tab in clicking),
        *(trains(tab, dice, until, presses) for tab in training),
    )
    seconds = time.monotonic() - began
    used, own = (cpu(process) - used) / seconds, (time.process_time() - own) / seconds
    return {
        "minutes": phase.minutes,
        "clicks_a_second_wanted": phase.clicks,
        "clicks_a_second": round(len(times) / seconds, 1),
        "rerun": percentiles([seconds for _, _, seconds, _ in times]),
        "by_page": {page: percentiles([s for at, _, s, _ in times if at == page]) for page in PAGES},
        "by_minute": minute_by_minute(times, taken, began, phase.minutes),
        "by_kind": {
            kind: percentiles([s for _, k, s, _ in times if k == kind])
            for kind in ("another page", "another class", "the same page")
        },
        "train_pressed": percentiles([seconds for *_, seconds in presses]),
        "live_ticks": percentiles([seconds for tab in training for seconds in tab.ticks]),
        "server_cores": round(used, 2),
        "client_cores": round(own, 2),
        # by other machines on the same host, while something wanted to run here
        "stolen_cores": round(taken[-1][1] / taken[-1][0], 2),
        "server_ms_a_click": round(1000 * used * seconds / max(len(times), 1), 1),  # trainings included
        "memory": remembered(seen),
    }


async def measure(options, process, address: str, state: Path) -> dict:
    dice = random.Random(options.seed)
    tabs = await asyncio.gather(*(opened(address, number) for number in range(len(CORPORA))))
    tabs += await asyncio.gather(
        *(opened(address, number) for number in range(len(CORPORA), options.clients + options.trainings))
    )
    print(f"{len(tabs)} clients are there; the server holds {memory(process):.0f} MB", file=sys.stderr)
    training, clicking = tabs[: options.trainings], tabs[options.trainings :]
    for number, tab in enumerate(training):
        tab.choose("Class", list(tab.widgets["selectbox", "Class"].options)[number])
    warm = time.monotonic() + options.warm
    await asyncio.gather(*(clicks(tab, dice, warm, [], 1) for tab in clicking))
    report = {
        "machine": machine(os.cpu_count()),
        "clients": options.clients,
        "trainings": options.trainings,
        "phases": [],
    }
    for phase in options.phases:
        found = await measured(phase, process, clicking, training, dice)
        report["phases"].append(found)
        brief = {name: found[name] for name in ("minutes", "clicks_a_second", "rerun", "stolen_cores")}
        kept = {name: value for name, value in found["memory"].items() if name != "course"}
        print(json.dumps(brief | {"memory": kept}), file=sys.stderr)
    report["most_mb"] = max(found["memory"]["most_mb"] for found in report["phases"])
    report["trained_meanwhile"] = rows(state, "SELECT count(*) FROM training WHERE finished IS NOT NULL")[0][0]
    print("the burst", file=sys.stderr)
    report["burst"] = await burst(clicking, dice, state)
    report["same"] = await same(clicking[:: len(CORPORA)][:5], dice, state)
    report["after_the_burst_mb"] = round(memory(process))
    report["errors"] = sorted({error for tab in tabs for error in tab.errors})
    for tab in tabs:
        await tab.close()
    report["traceback_in_log"] = "Traceback" in (state / "log.txt").read_text()
    report["met"] = {
        f"p95 under {TARGET_MS} ms": all(found["rerun"]["p95_ms"] < TARGET_MS for found in report["phases"]),
        f"memory under {TARGET_MB} MB": report["most_mb"] < TARGET_MB,
        "memory flat": all(
            found["minutes"] < FLAT_AFTER or found["memory"]["slope_mb_a_minute"] < FLAT_MB
            for found in report["phases"]
        ),
        "burst in turns": report["burst"]["last_first_turn"] < options.clients + options.trainings,
        "burst finished": report["burst"]["done"] == report["burst"]["trainings"],
        "the same computed once": report["same"]["computed"] == 1,
        "no errors": not report["errors"] and not report["traceback_in_log"],
    }
    return report


def cpu(process) -> float:
    """Processor time that the server has used, in seconds, trainings included."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stolen() -> float:
    """Processor time that this machine wanted and its host gave to others, in seconds."""
    return int(Path("/proc/stat").read_text().split()[8]) / os.sysconf("SC_CLK_TCK")


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clients", type=int, default=30, help="who click (default: 30)")
    parser.add_argument("--trainings", type=int, default=2, help="further clients who train without a pause")
    parser.add_argument(
        "--phases",
        type=phase_of,
        nargs="+",
        default=[Phase(3, 3)],
        metavar="MINUTES:CLICKS",
        help="minutes, and clicks a second of all clients together, one after the other (default: 3:3)",
    )
    parser.add_argument("--warm", type=float, default=30, help="seconds of clicking before that, not measured")
    parser.add_argument("--seed", type=int, default=0, help="of the clicks")
    parser.add_argument("--json", type=Path, help="also write the report there")
    parser.add_argument("--state", type=Path, help="state folder with the corpora's caches (default: a fresh one)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        state = options.state or Path(folder)
        state.mkdir(parents=True, exist_ok=True)
        with server(state) as (process, address):
            report = asyncio.run(measure(options, process, address, state))
    text = json.dumps(report, indent=2)
    if options.json:
        options.json.write_text(text + "\n")
    print(text)
    return 0 if all(report["met"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())

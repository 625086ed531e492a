"""What a click costs the server: processor time of a rerun by page, one client, also against another checkout.

    python -m tests.benchmarks.rerun [--times 20] [--against CHECKOUT] [--json FILE]

Starts the server as ``streamlit run`` would and talks to it as a browser does (``tab.py``), one click at a time: what
the load benchmark clicks, and its kinds of clicks. "the same page" is a rerun that changes nothing, "another class" one
of a few classes, "another page" the way to the page from the others. Each was made once before and is measured when it
comes again, as in a class that looks at the same things. Times are the server's processor time and not the clock's, so
that they hold on a busy machine; with ``--against`` the two servers take turns, click by click. Linux only. Leaves out
the browser, and what clicks cost that wait for others (``load.py``).
"""

import argparse
import asyncio
import contextlib
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np

from tests.benchmarks.load import CLASSES, CORPORA, PAGES, ROOT, memory, opened, server
from tests.benchmarks.measure import machine
from tests.benchmarks.tab import Tab

SETTLE = 3  # seconds for what a server does after its start
TRAIL = 0.03  # seconds for what it does after a run's end
KINDS = ("the same page", "another class", "another page")


class Visit:
    """A client of a server of its own, and what its clicks cost by page and kind."""

    def __init__(self, process, address: str, dataset: str):
        self.process, self.address, self.dataset = process, address, dataset
        self.found: dict[tuple[str, str], list[float]] = defaultdict(list)

    async def open(self) -> None:
        """A tab on the dataset, with every page and class seen once."""
        self.tab: Tab = await opened(self.address, CORPORA.index(self.dataset))
        self.classes = list(self.tab.widgets["selectbox", "Class"].options)[:CLASSES]
        for page in PAGES:
            for name in self.classes:
                self.tab.choose("Class", name)
                await self.tab.run(page)
                await self.tab.run()
        await asyncio.sleep(SETTLE)

    async def click(self, page: str, kind: str, number: int) -> None:
        """One click that is measured, and before one to another page those that lead away from it."""
        if kind == "another page":
            others = [other for other in PAGES if other != page]
            await self.tab.run(others[number % len(others)])
            await asyncio.sleep(TRAIL)
        elif kind == "another class":
            self.tab.choose("Class", self.classes[number % len(self.classes)])
        began = self.used()
        await self.tab.run(page)
        await asyncio.sleep(TRAIL)
        self.found[page, kind].append(1000 * (self.used() - began))

    def used(self) -> float:
        """Processor time of the server, in seconds; its clock ticks in nanoseconds."""
        return time.clock_gettime((~self.process.pid << 3) | 2)  # clock_getcpuclockid(3)


async def measure(visits: list[Visit], times: int) -> None:
    """Make every click so many times, in turn on each server."""
    for visit in visits:
        await visit.open()
    for page in PAGES:
        for kind in KINDS:
            for visit in visits:  # what changed on the way here is none of it
                await visit.tab.run(page)
                await visit.tab.run(page)
            for number in range(times):
                for visit in visits if number % 2 else reversed(visits):
                    await visit.click(page, kind, number)


@contextlib.asynccontextmanager
async def visits(roots: list[Path], dataset: str) -> AsyncIterator[list[Visit]]:
    """A visit to a server of each checkout."""
    with contextlib.ExitStack() as stack:
        found = []
        for root in roots:
            state = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            found.append(Visit(*stack.enter_context(server(state, root)), dataset))
        yield found
        for visit in found:
            await visit.tab.close()


async def report(options) -> dict:
    roots = [ROOT, *([options.against.resolve()] if options.against else [])]
    async with visits(roots, options.dataset) as found:
        await measure(found, options.times)
        here, *before = found
        rows = []
        for page in PAGES:
            row = {"page": page}
            for kind in KINDS:
                row[kind] = middle(here.found[page, kind])
                if before:
                    row[f"{kind}, ratio"] = row[kind] / middle(before[0].found[page, kind])
            rows.append(row)
        errors = sorted({error for visit in found for error in visit.tab.errors})
        held = [round(memory(visit.process)) for visit in found]
    return {
        "machine": machine(os.cpu_count()),
        "dataset": options.dataset,
        "times": options.times,
        "rows": rows,
        "all": {kind: {"ms": mean(rows, kind), "ratio": mean(rows, f"{kind}, ratio")} for kind in KINDS},
        "memory_mb": held,
        "errors": errors,
    }


def middle(values: list[float]) -> float:
    """Mean of the middle half: neither a collection of garbage nor another thread's work decides it."""
    ordered, quarter = np.sort(values), len(values) // 4
    return float(ordered[quarter : len(ordered) - quarter].mean())


def mean(rows: list[dict], column: str) -> float | None:
    values = [row[column] for row in rows if column in row]
    return float(np.mean(values)) if values else None


def lines(found: dict) -> list[str]:
    """The table."""
    rows = [f"{'ms of processor a rerun':24}" + "".join(f"{kind:>22}" for kind in KINDS)]
    for row in found["rows"]:
        rows.append(f"{row['page']:24}" + "".join(cell(row[kind], row.get(f"{kind}, ratio")) for kind in KINDS))
    rows.append(f"{'mean':24}" + "".join(cell(found["all"][kind]["ms"], found["all"][kind]["ratio"]) for kind in KINDS))
    return rows


def cell(value: float, ratio: float | None) -> str:
    return f"{f'{value:.1f}' + (f'  × {ratio:.2f}' if ratio else ''):>22}"


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=20, help="clicks of each page and kind (default: 20)")
    parser.add_argument("--dataset", choices=CORPORA, default=CORPORA[0])
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="another checkout, in turn with this one")
    parser.add_argument("--json", type=Path, help="also write the report there")
    options = parser.parse_args(arguments)
    found = asyncio.run(report(options))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")
    print("\n".join(lines(found)))
    print(f"memory of the server: {' and '.join(map(str, found['memory_mb']))} MB")
    for error in found["errors"]:
        print(f"failed: {error}")
    return 1 if found["errors"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""Time and memory of a user's table, from its bytes to counts: ``python -m tests.benchmarks.tables [CASE …]``.

Each case runs in a process of its own, reads the table as the Data page does, counts its words, and makes the task of
a class. Memory is what the process grows by, over the file itself. ``--growth`` sets the processor time of tables of 1,
4 and 16 times the rows side by side.
"""

import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

FULL = 50 * 2**20  # bytes: the largest upload, see server.maxUploadSize


def _words(count, different):
    return " ".join(_word(random.randrange(different)) for _ in range(count))


def _word(n):
    return f"{n * 2654435761 % 2**32:07x}"


CASES = {
    "a million short rows": (1_000_000, lambda n: f"a{n},{'xy'[n % 2]}"),
    "a million rows of a word": (1_000_000, lambda n: f"{n % 1000:06},{'xy'[n % 2]}"),
    "100,000 classes": (1_000_000, lambda n: f"some text {n},class {n % 100_000}"),
    "five labels a row": (300_000, lambda n: f"t{n},{'|'.join(map(str, random.sample(range(40), 5)))}"),
    "ten huge cells": (10, lambda n: f"{'word ' * 800_000}{n},{'xy'[n % 2]}"),
    "characters of four bytes": (20, lambda n: f"{'😀 ' * 500_000}{n},{'xy'[n % 2]}"),
    "ordinary texts": (40_000, lambda n: f"{'lorem ipsum dolor sit amet consectetur ' * 20}{n},{'abc'[n % 3]}"),
    "10 MB of distinct words": (62_500, lambda n: f"{' '.join(_word(20 * n + i) for i in range(20))},{'xy'[n % 2]}"),
    "50 MB, two million rows": (2_000_000, lambda n: f"{_words(2, 1_400_000)} {n % 900:03},{'abc'[n % 3]}"),
    "50 MB, most words": (250_000, lambda n: f"{_words(25, 1_400_000)},{'abc'[n % 3]}"),
    "50 MB, one word a row": (250_000, lambda n: f"{' '.join(_word(25 * n + i) for i in range(25))},{'abc'[n % 3]}"),
    "50 MB, shortest words": (
        50_000,
        lambda n: f"{' '.join(chr(97 + i // 26 % 26) + chr(97 + i % 26) for i in range(n, n + 345))},{'abc'[n % 3]}",
    ),
}
GROWING = {
    "short rows": (60_000, CASES["a million short rows"][1]),
    "ordinary texts": (2_000, CASES["ordinary texts"][1]),
    "25 words of 1,400,000": (2_000, CASES["50 MB, most words"][1]),
}


def _bytes(rows, cell) -> bytes:
    random.seed(0)
    return ("text,label\n" + "".join(f"{cell(n)}\n" for n in range(rows))).encode()[:FULL].rpartition(b"\n")[0]


def peak_mb() -> float:
    """The most memory this process has had, in MB; ``ru_maxrss`` begins with that of the process that forked it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def measure(rows: int, cell, warm: bool = True) -> dict:
    """Read and count one table in this process; seconds of processor time, megabytes it grew by."""
    from ltw_core.corpora import CorpusError, read_table
    from ltw_core.tasks import vectorize
    from ltw_core.tasks.vectorizing import TERM_LIMIT

    if warm:  # imports and first calls are no matter of the table
        measure(200, CASES["ordinary texts"][1], warm=False)
    data = _bytes(rows, cell)
    found = {"file_mb": len(data) / 2**20, "rows": rows}
    before, started = _resident(), time.process_time()

    def note(what):
        found[f"{what}_seconds"] = time.process_time() - started
        found[f"{what}_mb"] = peak_mb() - before

    try:
        corpus = read_table(data, separator="|")
        note("read")
        vectorized = vectorize(corpus, cache=False, max_terms=TERM_LIMIT)
        note("counted")
        found["said"] = f"{vectorized.vocabulary.size:,} terms, {vectorized.counts_train.nnz:,} counts, {corpus!r}"
        vectorized.task(corpus.class_names[0])
        note("task")
    except (CorpusError, ValueError) as error:
        note("said")
        found["said"] = str(error)
    return found


def _resident() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def _apart(table: str, case: str, times: int = 1) -> dict:
    command = [sys.executable, "-m", "tests.benchmarks.tables", "--one", table, case, str(times)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        rows, cell = {"cases": CASES, "growing": GROWING}[sys.argv[2]][sys.argv[3]]
        print(json.dumps(measure(rows * int(sys.argv[4]), cell)))
        return
    if sys.argv[1:2] == ["--growth"]:
        for case in GROWING:
            seconds = [_apart("growing", case, times)["counted_seconds"] for times in (1, 4, 16)]
            print(f"{case:26} {'  '.join(f'{s:6.2f} s ({s / seconds[0]:4.1f})' for s in seconds)}")
        return
    for case in sys.argv[1:] or CASES:
        found = _apart("cases", case)
        print(f"{case:26} {found['file_mb']:5.1f} MB", end="")
        for what in ("read", "counted", "task", "said"):
            if f"{what}_mb" in found:
                mb, seconds = found[f"{what}_mb"], found[f"{what}_seconds"]
                print(f"  {what} {mb:5.0f} MB ({mb / found['file_mb']:4.1f}×) {seconds:5.1f} s", end="")
        print(f"  {found['said'][:90]}", flush=True)


if __name__ == "__main__":
    main()

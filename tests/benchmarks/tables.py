"""Time and memory of reading a user's table: ``python -m tests.benchmarks.tables [CASE …]``, a process a case.

Memory is what the process grows by, over the file itself. Leaves out counting words.
"""

import json
import random
import resource
import subprocess
import sys
import time

CASES = {
    "a million short rows": (1_000_000, lambda n: f"a{n},{'xy'[n % 2]}"),
    "100,000 classes": (1_000_000, lambda n: f"some text {n},class {n % 100_000}"),
    "five labels a row": (300_000, lambda n: f"t{n},{'|'.join(map(str, random.sample(range(40), 5)))}"),
    "ten huge cells": (10, lambda n: f"{'word ' * 800_000}{n},{'xy'[n % 2]}"),
    "characters of four bytes": (20, lambda n: f"{'😀 ' * 500_000}{n},{'xy'[n % 2]}"),
    "ordinary texts": (40_000, lambda n: f"{'lorem ipsum dolor sit amet consectetur ' * 20}{n},{'abc'[n % 3]}"),
}


def measure(case: str) -> dict:
    """Read one case in this process."""
    from ltw_core.corpora import CorpusError, read_table

    rows, cell = CASES[case]
    random.seed(0)
    data = ("text,label\n" + "".join(f"{cell(n)}\n" for n in range(rows))).encode()
    before = _resident()
    started = time.perf_counter()
    try:
        said = repr(read_table(data, separator="|"))
    except CorpusError as error:
        said = str(error)
    seconds = time.perf_counter() - started
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    return {"case": case, "file_mb": len(data) / 2**20, "seconds": seconds, "grown_mb": grown, "said": said}


def _resident() -> float:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measure(sys.argv[2])))
        return
    for case in sys.argv[1:] or CASES:
        command = [sys.executable, "-m", "tests.benchmarks.tables", "--one", case]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        times = found["grown_mb"] / found["file_mb"]
        print(
            f"{case:26} {found['file_mb']:6.1f} MB  {found['seconds']:5.1f} s  {found['grown_mb']:6.0f} MB "
            f"({times:4.1f} times the file)  {found['said'][:70]}"
        )


if __name__ == "__main__":
    main()

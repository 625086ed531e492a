"""The lockstep, measured on a GPU within nine minutes: whether it is right there, how long it takes, and where.

python -m tests.benchmarks.lockstep --device cuda --pytest --json lockstep.json      all of it
python -m tests.benchmarks.lockstep --device cuda --only fused,profile               some parts
python -m tests.benchmarks.lockstep --quick                                          on a CPU: does it work?
python -m tests.benchmarks.lockstep --seeds 10 --classes corn --only fused           all seeds of a class

On a machine that has nothing but a copy of this folder: put the corpora's archives into a folder of it that git ignores
(``mkdir .corpora && cp …/reuters21578.tar.gz .corpora/``; 8 MB), let it travel along, and call

    LTW_DATA=$PWD/.corpora LTW_STATE=/tmp/state python -m tests.benchmarks.lockstep --device cuda --pytest \\
        --json $OUT/lockstep.json

It imports torch (2.11 or later), numpy, scipy, scikit-learn and numba alone, and for the study of ``two_processes``
also stop-words; Triton comes with torch, pytest is used where it is. The parts (``lockstep_parts.py``,
``lockstep_sharing.py``, ``lockstep_steps.py``) are made by a process of its own, in this order. A part that takes
longer than its seconds, or kills that process, as an illegal access does, is noted and the others go on in a new one;
what was measured is told and written to the file at once. ``PREDICTED`` was written before anything had run on a GPU.
"""

import argparse
import json
import os
import queue
import subprocess
import sys
import time
from threading import Thread

PARTS = {  # seconds that each may take; by 540 s no other begins
    "about": 90,  # corpus, context and imports included
    "tests": 90,
    "fused": 120,
    "plain": 60,
    "widths": 90,
    "profile": 60,
    "kernels": 45,
    "compiled": 60,
    "two_threads": 30,
    "little_memory": 30,
    "variants": 60,
    "global_widths": 45,
    "dense": 45,
    "newsgroups": 60,
    "tiles": 90,
    "two_processes": 240,
}
FUNCTIONS = {"fused": "fused_to_the_end", "plain": "plain_to_the_end", "kernels": "kernels_checked"}
PREDICTED = {
    # of an H200 and of all 115 classes of Reuters-21578 with LTW-L-I, seed 0, by operator counts, traffic and a
    # simulation: (path in the results, least, most)
    "us a node of a graph": (("about", "us_a_node"), 1.0, 2.0),
    "GB a second, copying": (("about", "gb_a_second"), 3500, 4500),
    "ms a step at 115, torch's operators in a graph": (("widths", "115", "graph"), 1.5, 1.9),
    "ms a step at 4, torch's operators in a graph": (("widths", "4", "graph"), 0.15, 0.35),
    "ms a step at 115, fused": (("widths", "115", "fused, graph"), 0.15, 0.5),
    "ms a step at 4, fused": (("widths", "4", "fused, graph"), 0.02, 0.08),
    "s to the end, torch's operators": (("plain", "seconds"), 9.0, 11.0),
    "s to the end, fused": (("fused", "seconds"), 2.0, 5.0),
    "s of places, fused": (("fused", "apart", "fill"), 0.3, 1.5),
    "s of what is taken in, fused": (("fused", "apart", "report"), 0.5, 1.5),
    "steps of all": (("fused", "steps"), 380_000, 425_000),
    "mean validation F1": (("fused", "mean_validation_f1"), 0.55, 0.75),
    # a step's kernels as counted under fake tensors, and a twentieth of those that prepare a block of 20 steps
    "kernels a step of LTW-L-I at 115, torch's": (("profile", "LocalGroup, 115", "launches a step"), 100, 120),
    "kernels a step of LTW-L-I at 115, fused": (("profile", "FusedLocalGroup, 115", "launches a step"), 7, 11),
    "kernels a step of LTW-G-I at 16, fused": (("profile", "FusedGlobalGroup, 16", "launches a step"), 7, 11),
    "the same bits twice": (("fused", "same_bits"), 1, 1),
    "the same bits alone": (("fused", "same_bits_alone"), 1, 1),
    "theta in float64, of torch's": (("kernels", "float64", "theta"), 0, 1e-9),
    "theta in float32, of torch's": (("kernels", "float32", "theta"), 0, 1e-3),
    "us, layer forward at 115, fused": (("kernels", "us", "forward, fused"), 25, 80),
    "us, layer backward at 115, fused": (("kernels", "us", "backward, fused"), 70, 200),
    "us, layer forward at 115, torch": (("kernels", "us", "forward, torch"), 500, 800),
    "s of the compiled engine, 16 cores": (("compiled", "seconds"), 4.5, 8.0),
    "MB at most, fused": (("fused", "peak_mb"), 500, 2500),
    # of LTW-G-I, written with its kernels: F × H/2 entries of W2 a problem (2 million of Reuters), 28 bytes each and
    # step, at 4.3 TB/s, and seven nodes; torch's operators 56 bytes and 134 nodes
    "ms a step of LTW-G-I at 1, fused": (("global_widths", "1", "fused, graph"), 0.02, 0.06),
    "ms a step of LTW-G-I at 16, fused": (("global_widths", "16", "fused, graph"), 0.15, 0.4),
    "ms a step of LTW-G-I at 115, fused": (("global_widths", "115", "fused, graph"), 0.9, 2.6),
    "ms a step of LTW-G-I at 16, torch's operators in a graph": (("global_widths", "16", "graph"), 0.45, 0.9),
    "ms a step of LTW-G-I, 20 Newsgroups, start included": (("newsgroups", "ms_a_step"), 1.0, 6.0),
    "W2 of LTW-G-I in float64, of torch's": (("kernels", "LTW-G-I, float64", "weights"), 0, 1e-9),
    "W2 of LTW-G-I in float32, of torch's": (("kernels", "LTW-G-I, float32", "weights"), 0, 1e-3),
    "ms a step of the dense port": (("dense", "ms_a_step"), 0.8, 3.0),
}


def work(options):
    """What the process of the parts does: a line of JSON on its standard output for each part that begins or ends."""
    told = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what else is printed goes to the log
    from tests.benchmarks import lockstep_parts, lockstep_sharing, lockstep_steps

    tell = lambda **said: told.write(json.dumps(said) + "\n")  # noqa: E731
    tell(begun=options.parts[0])
    bench = lockstep_parts.Bench(options)
    for part in options.parts:
        tell(begun=part)
        name = FUNCTIONS.get(part, part)
        made = (vars(module).get(name) for module in (lockstep_parts, lockstep_sharing, lockstep_steps))
        tell(ended=part, found=next(filter(None, made))(bench))


def _read(stream, lines):
    """Put each line into a queue as it comes, and at the end an empty one."""
    for line in stream:
        lines.put(line)
    lines.put("")


def measured(parts, arguments, until):
    """Yield (part, result) as they are there; a result is a dict with "failed" where a part did not end."""
    left = list(parts)
    while left and time.monotonic() < until:
        command = [sys.executable, "-m", "tests.benchmarks.lockstep", *arguments, "--parts", ",".join(left)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        lines, part = queue.Queue(), left[0]
        Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
        limit = min(until + 30, time.monotonic() + PARTS["about"])
        why = ""
        while left:
            try:
                line = lines.get(timeout=max(0.0, limit - time.monotonic()))
            except queue.Empty:
                why = "it took too long"
                break
            if not line:
                why = f"its process ended with {process.wait()}"
                break
            said = json.loads(line)
            if "begun" in said:
                part = said["begun"]
                limit = min(until + 30, time.monotonic() + PARTS[part] + PARTS["about"] * (part == parts[0]))
            else:
                left.remove(said["ended"])
                yield said["ended"], said["found"]
        process.kill()
        process.wait()
        if left:
            left.remove(part)
            yield part, {"failed": why}
    for part in left:
        yield part, {"failed": "it would have begun too late"}


def compared(report):
    """Each prediction beside what was measured, and whether it held; None where it was not measured."""
    found = {}
    for name, (path, least, most) in PREDICTED.items():
        value = report
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        found[name] = [value, least, most, None if value is None else bool(least <= value <= most)]
    return found


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--dataset", default="reuters21578")
    parser.add_argument("--classes", help="comma-separated; default all")
    parser.add_argument("--variant", default="LTW-L-I", help="of the parts of all classes and of the widths")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--width", type=int, help="most trainings side by side; default what fits")
    parser.add_argument("--widths", default="1,4,16,64,115", help="widths whose steps are timed")
    parser.add_argument("--cores", type=int, default=os.cpu_count(), help="of the compiled engine")
    parser.add_argument("--minutes", type=float, default=8.5, help="begin no part after so many")
    parser.add_argument("--only", help="parts, comma-separated")
    parser.add_argument("--pytest", action="store_true", help="run the tests that need a GPU as well")
    parser.add_argument("--quick", action="store_true", help="a few classes and steps")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--parts", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.parts:
        options.parts = options.parts.split(",")
        return work(options)
    parts = options.only.split(",") if options.only else [part for part in PARTS if part != "tests" or options.pytest]
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]}; choose from {', '.join(PARTS)}")
    began = time.monotonic()
    report = {"arguments": arguments, "predicted": {name: values[1:] for name, values in PREDICTED.items()}}
    for part, found in measured(parts, arguments, began + 60 * options.minutes):
        report[part] = found
        report["compared"] = compared(report)
        shown = {name: value for name, value in found.items() if not isinstance(value, list) or len(value) < 10}
        print(f"{time.monotonic() - began:5.0f} s  {part}: {json.dumps(shown)}", flush=True)
        if options.json:
            with open(options.json, "w", encoding="utf-8") as file:
                json.dump(report, file, indent=1)
    for name, (value, least, most, held) in report["compared"].items():
        if held is not None:
            print(f"{'held  ' if held else 'MISSED'}  {name}: {value:.4g} (predicted {least:g} to {most:g})")
    return report


if __name__ == "__main__":
    main()

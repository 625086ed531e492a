"""Hostile files, tables, archives, formulas and addresses, and what became of each.

    python -m tests.fuzz --examples 10000        (about ten minutes; in the tests some of each kind)

Prints how many of each kind were read, and how many refused with a sentence. Anything else is a failure, shown with its
input, and the exit status is 1.
"""

import argparse
import logging
import os
import re
import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter

from hypothesis import HealthCheck, Phase, given, seed, settings

READ, REFUSED, NOT_MADE = "read", "refused with a sentence", "cannot be made"


def outcome(kind, value) -> tuple[str, str]:
    """What becomes of an input: one of the above, or a failure with its traceback."""
    from tests.fuzz.kind import NotMade

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kind.read(value)
    except NotMade:
        return NOT_MADE, ""
    except kind.refusal as error:
        text = str(error)
        whole = (
            text.strip() and len(text) < 700 and "Traceback" not in text and not re.search(r"/(tmp|root|home)/", text)
        )
        return (REFUSED, "") if whole else ("no sentence", text)
    except Exception as error:
        return type(error).__name__, traceback.format_exc()
    return READ, ""


def run(name: str, examples: int, number: int = 0) -> tuple[Counter, list[str]]:
    """Try some inputs of a kind; returns how often each outcome came about, and the failures in words."""
    from tests.fuzz.kinds import KINDS

    kind, found, failures = KINDS[name], Counter(), []

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(kind.inputs)
    def attempt(value):
        what, why = outcome(kind, value)
        found[what] += 1
        if why:
            failures.append(f"{name}: {what}\n{why}\n{repr(value)[:2_000]}")

    attempt()
    return found, failures


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__.split("\n")[0])
    parser.add_argument("--examples", type=int, default=10_000, help="in all, over all kinds")
    parser.add_argument("--kind", help="one kind alone")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LTW_STATE"] = folder
        from tests.fuzz.kinds import KINDS

        names = [options.kind] if options.kind else list(KINDS)
        total, failed = Counter(), []
        print(f"{'':20}{READ:>8}{REFUSED:>25}{NOT_MADE:>16}{'failed':>8}{'seconds':>9}")
        for name in names:
            examples = options.examples if options.kind else round(options.examples * KINDS[name].share / 100)
            began = time.perf_counter()
            found, failures = run(name, examples, options.seed)
            failed += failures
            total += found
            row = (found[READ], found[REFUSED], found[NOT_MADE], len(failures), time.perf_counter() - began)
            print("{:20}{:8,}{:25,}{:16,}{:8,}{:9.0f}".format(name, *row), flush=True)
        row = (total[READ], total[REFUSED], total[NOT_MADE], len(failed))
        print("{:20}{:8,}{:25,}{:16,}{:8,}".format("all", *row))
    print(f"memory at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")
    for failure in failed[:20]:
        print(f"\n{failure}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

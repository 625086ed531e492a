"""Command line: ``python -m ltw_core.corpora list`` and ``python -m ltw_core.corpora fetch NAME …``."""

import argparse
import sys

from ltw_core import settings
from ltw_core.corpora import CorpusError, catalogue, fetch


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m ltw_core.corpora", description="The corpora of LTW Lab.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="what there is, and what is missing")
    fetching = commands.add_parser("fetch", help="download published archives into the data folder")
    fetching.add_argument("names", nargs="+", metavar="NAME", help="a name that `list` shows")
    options = parser.parse_args(arguments)
    try:
        settings.check()
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    if options.command == "list":
        return _list()
    try:
        return max(_fetch(name) for name in dict.fromkeys(options.names))
    except KeyboardInterrupt:
        sys.stderr.write("\nStopped. The same command goes on from here.\n")
        return 130


def _list() -> int:
    sys.stdout.write(f"Archives are looked for in {settings.data_dir()}\n\n")
    for entry in catalogue():
        classes = f"{entry.n_classes} classes" if entry.n_classes else ""
        state = "here" if entry.available else "not here"
        sys.stdout.write(f"{entry.name:<14}{state:<10}{classes:<13}{entry.title}\n{'':<14}{entry.summary}\n")
        if entry.needs:
            sys.stdout.write(f"{'':<14}{entry.needs}\n")
    return 0


def _fetch(name: str) -> int:
    interactive = sys.stderr.isatty()

    def show(done: int, total: int | None):
        if interactive:
            share = f"{done / total:4.0%} of {total / 1e6:.1f} MB" if total else f"{done / 1e6:.1f} MB"
            sys.stderr.write(f"\r{name}: {share} ")
            sys.stderr.flush()

    try:
        path = fetch(name, show)
    except CorpusError as error:
        sys.stderr.write(("\n" if interactive else "") + f"{error}\n")
        return 1
    sys.stdout.write(("\n" if interactive else "") + f"{name} is at {path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Command line: ``python -m ltw_core.studies run | status | export``; the README shows how."""

import argparse
import logging
import os
import signal
import sys
import threading
from pathlib import Path

from ltw_core.evaluation import GRIDS
from ltw_core.settings import results_dir, state_dir
from ltw_core.studies import plan as planning
from ltw_core.studies import results, shared_cells
from ltw_core.studies.averages import figures
from ltw_core.studies.estimate import duration, forecast
from ltw_core.studies.export import LEVELS, to_csv, to_latex
from ltw_core.studies.progress_file import ProgressFile
from ltw_core.studies.runner import StudyProgress, run
from ltw_core.studies.store import STATES, Store

INTERRUPTED = "Stopped. The same command goes on from here.\n"


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    try:
        status = options.command(options)
        sys.stdout.flush()
        return status
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except BrokenPipeError:  # `status | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains once more at its end
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\n" + INTERRUPTED)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ltw_core.studies", description="Studies over whole corpora.")
    commands = parser.add_subparsers(required=True, metavar="run | status | export")
    store = argparse.ArgumentParser(add_help=False)
    store.add_argument("--store", type=Path, default=state_dir() / "studies.sqlite", metavar="FILE", help="SQLite file")

    running = commands.add_parser("run", parents=[store], help="compute what is not done yet")
    running.add_argument("--dataset", required=True, metavar="NAME", help="of the catalogue; several with commas")
    running.add_argument("--classes", default="all", metavar="A,B", help="names, or all (default)")
    running.add_argument("--weightings", default="all", metavar="X,Y", help="names or families (UTW, STW, LTW), or all")
    running.add_argument("--learners", default="all", metavar="SVM,…", help="names, or all (default)")
    running.add_argument("--grid", default="quick", choices=GRIDS)
    running.add_argument("--seeds", type=int, default=1, metavar="N", help="of learned weightings and forests")
    running.add_argument("--workers", type=int, metavar="N", help="processes (default 1; on a cluster all it has)")
    running.add_argument("--scheduler", metavar="ADDRESS", help="of Dask, such as tcp://host:8786")
    running.add_argument(
        "--device", default="auto", metavar="NAME", help="where weightings are learned: auto (default), cpu, cuda"
    )
    running.add_argument("--retry-failed", action="store_true", help="compute again what failed")
    running.add_argument(
        "--dry-run", action="store_true", help="count the cells and estimate the time; compute nothing"
    )
    running.add_argument(
        "--progress", type=Path, metavar="FILE", help="keep writing how far it is as JSON (for the app)"
    )
    running.set_defaults(command=_run)

    status = commands.add_parser("status", parents=[store], help="what is done, failed and waiting")
    status.set_defaults(command=_status)

    exporting = commands.add_parser(
        "export", parents=[store], help="write the tables to the standard output, or the cells into a folder of results"
    )
    exporting.add_argument("--format", required=True, choices=("csv", "latex", "results"))
    exporting.add_argument(
        "--to", type=Path, default=results_dir(), metavar="FOLDER", help="of results (default: what the project ships)"
    )
    exporting.add_argument("--hardware", metavar="TEXT", help="of results: what computed them (default: this machine)")
    exporting.add_argument("--level", default="table", choices=LEVELS, help="of a CSV (default: the paper's layout)")
    exporting.add_argument("--classes", default="all", metavar="A,B", help="average over these only")
    exporting.set_defaults(command=_export)
    return parser


def _run(options) -> int:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _interrupt)
    with ProgressFile(options.progress) as file:
        return _plan_and_run(options, file)


def _interrupt(*_) -> None:
    """A polite end is like Ctrl-C: claims are given back."""
    raise KeyboardInterrupt


def _plan_and_run(options, progress_file: ProgressFile) -> int:
    cells = planning.plan(
        planning.names_of(options.dataset),
        classes=options.classes,
        weightings=options.weightings,
        learner_names=options.learners,
        grid=options.grid,
        seeds=options.seeds,
    )
    workers = options.workers if options.workers is not None else 0 if options.scheduler else 1
    if options.dry_run:
        return _dry_run(cells, options.store, workers)
    show = _Line()

    def on_progress(progress: StudyProgress) -> None:
        show(progress)
        progress_file(progress)

    with Store(options.store) as store:
        try:
            end = run(
                cells,
                store,
                workers=workers,
                scheduler=options.scheduler,
                retry_failed=options.retry_failed,
                on_progress=on_progress,
                computed_before=shared_cells.lookup_for(options.store),
                device=options.device,
            )
        finally:
            show.end()
        if end.elsewhere:
            sys.stderr.write(f"{end.elsewhere} cells are being computed by another run of this store.\n")
        if end.failed:
            sys.stderr.write(f"{end.failed} cells failed; `status --store {options.store}` says why.\n")
    return 1 if end.failed else 0


def _dry_run(cells, path: Path, workers: int) -> int:
    rest, out = forecast(cells, path), sys.stdout.write
    out(f"{rest.cells} cells: {rest.new} new, {rest.done} done, {rest.failed} failed, {rest.to_compute} to compute\n")
    if rest.measured:
        seconds = rest.seconds / max(workers, 1)
        out(f"about {seconds / 3600:.2f} hours ({duration(seconds)}) with {max(workers, 1)} worker")
        out(f"{'s' * (workers > 1)}, from cells measured before\n")
    if rest.not_measured:
        out(f"{rest.not_measured} cells are not in this estimate: nothing alike has been measured in this store\n")
    return 0


def _status(options) -> int:
    out = sys.stdout.write
    with Store(options.store, create=False) as store:
        counts = store.counts()
        out(", ".join(f"{counts[state]} {state}" for state in STATES) + "\n\n")
        rows = {}
        for row in store.overview():
            rows.setdefault((row["corpus"], row["grid"], row["weighting"], row["learner"]), {})[row["state"]] = row
        out(f"{'corpus':<16}{'grid':<7}{'weighting':<14}{'learner':<9}")
        out(f"{'done':>6}{'of':>6}{'failed':>8}{'s a cell':>10}\n")
        for (corpus, grid, weighting, learner), states in rows.items():
            number = {state: states[state]["cells"] if state in states else 0 for state in STATES}
            seconds = f"{states['done']['seconds']:.2f}" if number["done"] else ""
            out(f"{corpus:<16}{grid:<7}{weighting:<14}{learner:<9}{number['done']:>6}{sum(number.values()):>6}")
            out(f"{number['failed'] or '':>8}{seconds:>10}\n")
        for cell, error in store.failures():
            out(f"\nfailed: {cell}\n  " + error.replace("\n", "\n  ") + "\n")
    return 0


def _export(options) -> int:
    with Store(options.store, create=False) as store:
        if options.format == "results":
            rows = results.write(store, options.to, computed_on=options.hardware)
            sys.stdout.write("".join(f"{corpus}: {n} cells\n" for corpus, n in rows.items()))
            return 0
        classes = None if options.classes == "all" else planning.names_of(options.classes)
        found = figures(store, classes=classes)
        if not found:
            raise ValueError(f"{options.store} has no cells" + (" of these classes" if classes else ""))
        sys.stdout.write(to_latex(found) if options.format == "latex" else to_csv(store, found, options.level))
    missing = sum(not figure.averages for figure in found)
    if missing:
        sys.stderr.write(f"{missing} of {len(found)} figures are missing: not all their classes are done\n")
    return 0


class _Line:
    """Progress on the standard error: one line that changes on a terminal, else a line a minute."""

    def __init__(self):
        self._terminal, self._last, self._text = sys.stderr.isatty(), None, ""

    def __call__(self, progress: StudyProgress) -> None:
        finished = progress.done + progress.failed
        parts = [f"{finished} of {progress.total} cells"]
        if progress.failed:
            parts.append(f"{progress.failed} failed")
        parts.append(f"{duration(progress.elapsed)} so far")
        if finished < progress.total:
            more = f" and {progress.unknown} cells not measured yet" if progress.unknown else ""
            parts.append(
                "time left unknown" if progress.left is None else f"about {duration(progress.left)}{more} left"
            )
        text = ", ".join(parts)
        if self._terminal:
            sys.stderr.write("\r" + text.ljust(len(self._text)))
        elif text != self._text and (
            self._last is None or progress.elapsed - self._last >= 60 or finished == progress.total
        ):
            sys.stderr.write(text + "\n")
            self._last = progress.elapsed
        self._text = text
        sys.stderr.flush()

    def end(self) -> None:
        if self._terminal:
            sys.stderr.write("\n")


if __name__ == "__main__":
    sys.exit(main())

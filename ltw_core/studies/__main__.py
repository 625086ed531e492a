"""Command line: ``python -m ltw_core.studies run | curve | status | export | ties``; the README shows how."""

import argparse
import logging
import os
import signal
import sqlite3
import sys
import threading
from pathlib import Path

from ltw_core import settings
from ltw_core.evaluation import GRIDS
from ltw_core.storage.database import why
from ltw_core.studies import curve_command, option_flags, results, shared_cells, ties
from ltw_core.studies import plan as planning
from ltw_core.studies.averages import averaged_cells
from ltw_core.studies.dataset_options import add_dataset, datasets
from ltw_core.studies.estimate import duration, forecast
from ltw_core.studies.export import LEVELS, to_csv, to_latex
from ltw_core.studies.progress_file import ProgressFile
from ltw_core.studies.runner import StudyProgress, run
from ltw_core.studies.status import status_lines
from ltw_core.studies.store import STATES, Store
from ltw_core.tasks import DOCUMENTS

INTERRUPTED = "Stopped. The same command goes on from here.\n"


def main(arguments: list[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    try:
        settings.check()
        options = _parser().parse_args(arguments)
        status = options.command(options)
        sys.stdout.flush()
        return status
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except sqlite3.Error as error:
        sys.stderr.write(f"The store {options.store} failed: {why(error)}. What is done stays.\n")
        return 1
    except BrokenPipeError:  # `status | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains once more at its end
        return 1
    except OSError as error:
        sys.stderr.write(f"This could not be written or read: {why(error)}. What is done stays.\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("\n" + INTERRUPTED)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m ltw_core.studies", description="Studies over whole corpora.")
    commands = parser.add_subparsers(required=True, metavar="run | curve | status | export | ties")
    store = _storing(settings.state_dir() / "studies.sqlite")

    running = commands.add_parser("run", parents=[store], help="compute what is not done yet")
    add_dataset(running, several=True)
    running.add_argument("--classes", default="all", metavar="A,B", help="names, or all (default)")
    running.add_argument(
        "--class",
        action="append",
        dest="single_classes",
        metavar="NAME",
        help="a class whose name may hold commas; may be given several times",
    )
    option_flags.add_weightings(running, "all", "names or families (UTW, STW, LTW), or all (default)")
    running.add_argument("--learners", default="all", metavar="SVM,…", help="names, or all (default)")
    running.add_argument("--grid", default="quick", choices=GRIDS)
    running.add_argument(
        "--grid-sample",
        type=int,
        metavar="N",
        help="choose each setting on so many training documents, then train on all (default: all choose)",
    )
    running.add_argument("--seeds", type=int, default=1, metavar="N", help="of learned weightings and forests")
    running.add_argument(
        "--documents",
        choices=DOCUMENTS,
        help="test documents that count: all, or with_terms, which drops those without a known term (default: "
        "with_terms on the paper's corpora, as it was published, all on others)",
    )
    option_flags.add_protocol(running)
    option_flags.add_arguments(running)
    running.add_argument("--workers", type=int, metavar="N", help="processes (default 1; on a cluster all it has)")
    running.add_argument("--scheduler", metavar="ADDRESS", help="of Dask, such as tcp://host:8786")
    running.add_argument(
        "--device", default="auto", metavar="NAME", help="where weightings are learned: auto (default), cpu, cuda"
    )
    running.add_argument(
        "--missing", action="store_true", help="leave out cells whose figures ship with the project: go on from there"
    )
    running.add_argument("--retry-failed", action="store_true", help="compute again what failed")
    running.add_argument(
        "--dry-run", action="store_true", help="count the cells and estimate the time; compute nothing"
    )
    running.add_argument(
        "--progress", type=Path, metavar="FILE", help="keep writing how far it is as JSON (for the app)"
    )
    running.set_defaults(command=_run)

    curves = _storing(shared_cells.curve_store())
    curve = commands.add_parser("curve", parents=[curves], help="a learning curve: F1 by number of labelled documents")
    curve_command.add_arguments(curve)
    curve.set_defaults(command=_curve)

    status = commands.add_parser("status", parents=[store], help="what is done, failed and waiting")
    status.set_defaults(command=_status)

    ties.add_arguments(commands.add_parser("ties", help="how much of a macro F1 hangs on ties in validation F1"))

    exporting = commands.add_parser(
        "export", parents=[store], help="write the tables to the standard output, or the cells into a folder of results"
    )
    exporting.add_argument("--format", required=True, choices=("csv", "latex", "results"))
    exporting.add_argument(
        "--to",
        type=Path,
        default=settings.results_dir(),
        metavar="FOLDER",
        help="of results (default: what the project ships)",
    )
    exporting.add_argument("--hardware", metavar="TEXT", help="of results: what computed them (default: this machine)")
    exporting.add_argument("--level", default="table", choices=LEVELS, help="of a CSV (default: the paper's layout)")
    exporting.add_argument("--classes", default="all", metavar="A,B", help="average over these only")
    exporting.set_defaults(command=_export)
    return parser


def _storing(default: Path) -> argparse.ArgumentParser:
    """The flag that names a store. One for each default: commands share the very flags of a parser that they have as a
    parent, and so what ``set_defaults`` makes of them."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--store", type=Path, default=default, metavar="FILE", help="SQLite file")
    return parser


def _run(options) -> int:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _interrupt)
    with ProgressFile(options.progress) as file:
        return _plan_and_run(options, file)


def _interrupt(*_) -> None:
    """Treat SIGTERM as Ctrl-C, so that claims are given back."""
    raise KeyboardInterrupt


def _plan_and_run(options, progress_file: ProgressFile) -> int:
    cells = planning.plan(
        datasets(options),
        classes=options.single_classes or options.classes,
        weightings=option_flags.weightings(options),
        learner_names=options.learners,
        grid=options.grid,
        seeds=options.seeds,
        documents=options.documents,
        grid_sample=options.grid_sample,
        protocol=options.protocol,
        ratio=option_flags.ratio(options),
        **option_flags.chosen(options),
    )
    if options.missing:
        cells = _not_shipped(cells)
    workers = options.workers if options.workers is not None else 0 if options.scheduler else 1
    _tell_of_other_content(cells, options.store)
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


def _not_shipped(cells: list) -> list:
    """Those of planned cells without a figure in the folder of results, and a sentence with their number."""
    there = results.shipped().by_key
    rest = [cell for cell in cells if cell.key not in there]
    sys.stderr.write(f"Left out, since they ship with the project: {len(cells) - len(rest)} of {len(cells)} cells.\n")
    return rest


def _tell_of_other_content(cells, path: Path) -> None:
    """A sentence for each table that a store has with another content than it has now."""
    now = {cell.corpus: cell.fingerprint for cell in cells if cell.source is not None}
    if not now or not path.is_file():
        return
    with Store(path, read_only=True) as store:
        there = {(cell.corpus, cell.fingerprint) for cell, *_ in store.cells() if cell.corpus in now}
    for corpus in sorted({corpus for corpus, fingerprint in there if fingerprint != now[corpus]}):
        sys.stderr.write(
            f"{path} has cells of {corpus} with another content: the table or the options by which it is read have "
            "changed since. They stay; what is asked for now are other cells.\n"
        )


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


def _curve(options) -> int:
    show = _Line()
    try:
        return curve_command.curve(options, show)
    finally:
        show.end()


def _status(options) -> int:
    with Store(options.store, read_only=True) as store:
        _warn(store)
        counts = store.counts()
        sys.stdout.write(", ".join(f"{counts[state]} {state}" for state in STATES) + "\n\n")
        sys.stdout.write("".join(f"{line}\n" for line in status_lines(store)))
        for cell, error in store.failures():
            sys.stdout.write(f"\nfailed: {cell}\n  " + error.replace("\n", "\n  ") + "\n")
    return 0


def _warn(store: Store) -> None:
    if missing := store.perhaps_missing():
        sys.stderr.write(f"{missing}.\n")


def _export(options) -> int:
    with Store(options.store, read_only=True) as store:
        _warn(store)
        if options.format == "results":
            rows = results.write(store, options.to, computed_on=options.hardware)
            sys.stdout.write("".join(f"{corpus}: {n} cells\n" for corpus, n in rows.items()))
            return 0
        classes = None if options.classes == "all" else planning.names_of(options.classes)
        found = averaged_cells(store, classes=classes)
        if not found:
            raise ValueError(f"{options.store} has no cells" + (" of these classes" if classes else ""))
        sys.stdout.write(to_latex(found) if options.format == "latex" else to_csv(store, found, options.level))
    missing = sum(not averaged.averages for averaged in found)
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

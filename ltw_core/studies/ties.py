"""How much of a macro F1 hangs on ties in validation F1: figures of a run of its own, ``data/results/ties.csv``.

A row is a class of a place of the tables: its F1 with the first setting of those that tie, which is the one of the
tables, with the last, and the lowest and highest. They are shown beside a figure only where the first is that of the
figure's own cell, so that a figure computed anew never stands beside the ties of an older one.

Run by ``python -m ltw_core.studies ties --dataset reuters21578 --protocol authors --learners SVM``.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ltw_core.evaluation import GRIDS
from ltw_core.evaluation.ties import LEARNERS, Ties, ties
from ltw_core.protocol import ONE, protocol
from ltw_core.settings import results_dir
from ltw_core.studies import option_flags
from ltw_core.studies import plan as planning
from ltw_core.studies.averages import COUNTING, AveragedCells
from ltw_core.studies.cell import Cell
from ltw_core.studies.compute import vectors_of
from ltw_core.studies.result_files import read_rows, readable, typed, write_rows

FILE = "ties.csv"
PLACE = ("corpus", "protocol", "grid", "weighting", "learner")
COLUMNS = (*PLACE, "class_name", *Ties._fields)
SAME = 6e-5  # F1 in the file has four digits


class OnTies(NamedTuple):
    """Macro F1 with other choices among settings of equal validation F1.

    Attributes
    ----------
    classes : int
        In which several settings tie with different F1 on the test documents.
    last, lowest, highest : float
        Macro F1 if the last of them were chosen in every class, the worst, or the best.
    """

    classes: int
    last: float
    lowest: float
    highest: float


def on_ties(averaged: AveragedCells, measure: str = "macro_f1") -> OnTies | None:
    """What ties are worth in a macro F1 of one seed; None where that was not run for these very cells."""
    rows = read().get(_place(averaged.example))
    scores = averaged.scores(measure)
    if not rows or measure not in COUNTING or averaged.seeds != 1 or not scores:
        return None
    if any(name not in rows or abs(rows[name].first - averaged.by_class[name].f1) > SAME for name in scores):
        return None
    counted = {name: rows[name] for name in scores}
    if COUNTING[measure] == ONE:
        counted = {n: _one(row) if averaged.by_class[n].untested else row for n, row in counted.items()}
    mean = lambda which: sum(getattr(row, which) for row in counted.values()) / len(counted)  # noqa: E731
    differing = sum(row.highest - row.lowest > SAME for row in counted.values())
    return OnTies(differing, mean("last"), mean("lowest"), mean("highest"))


def _one(row: Ties) -> Ties:
    return row._replace(first=1.0, last=1.0, lowest=1.0, highest=1.0)


def _place(cell: Cell) -> tuple[str, ...]:
    return (cell.corpus, cell.how.name, cell.grid, cell.weighting, cell.learner)


def read() -> dict[tuple[str, ...], dict[str, Ties]]:
    """The shipped file: by place and class; empty where there is none. Shared: not to be changed.

    Raises
    ------
    ValueError
        It is damaged.
    """
    path = results_dir() / FILE
    return _read(path, path.stat().st_mtime_ns) if path.is_file() else {}


@lru_cache(maxsize=2)
def _read(path: Path, _changed: int) -> dict[tuple[str, ...], dict[str, Ties]]:
    found: dict[tuple[str, ...], dict[str, Ties]] = defaultdict(dict)
    with readable(f"{FILE} among the results"):
        for row in read_rows(path):
            row["protocol"] = protocol(row["protocol"]).name  # as it is called today
            found[tuple(row[name] for name in PLACE)][row["class_name"]] = typed(row, Ties)
    return dict(found)


def run(cells: Sequence[Cell], folder: Path | None = None, tell: Callable[[str], object] = lambda line: None) -> int:
    """Count the ties of cells and add them to the file, class by class, those that it has left out; how many were new.

    Parameters
    ----------
    cells : list of Cell
        As ``plan.plan`` makes them; of learned weightings those of seed 0 count.
    folder : path, optional
        Of the results; default: the project's.
    tell : called with a line a class.
    """
    path = Path(folder or results_dir()) / FILE
    done = _read(path, path.stat().st_mtime_ns) if path.is_file() else {}
    todo = [c for c in cells if c.seed == 0 and c.class_name not in done.get(_place(c), {})]
    todo.sort(key=lambda c: (c.weighting, c.class_name, c.learner))
    vectors, key = None, ""
    for cell in todo:
        if cell.vectors_key != key:
            vectors, key = vectors_of(cell), cell.vectors_key
        found = ties(vectors, cell.learner, cell.grid, cell.seed)
        row = (*_place(cell), cell.class_name, *found[:2], *(f"{value:.4f}" for value in found[2:]))
        write_rows(path, COLUMNS, [row], "a")
        tell(f"{cell.weighting}, {cell.learner}, {cell.class_name}: {found.tied} of {found.settings} settings")
    return len(todo)


def add_arguments(command) -> None:
    """What the command takes."""
    command.add_argument("--dataset", required=True, metavar="NAME", help="of the catalogue")
    command.add_argument("--classes", default="all", metavar="A,B", help="names, or all (default)")
    option_flags.add_weightings(command, "UTW,STW", "names or families (default: UTW,STW)")
    command.add_argument("--learners", default="SVM,LR,MNB", metavar="X,Y", help="of SVM, LR and MNB (default: all)")
    command.add_argument("--grid", default="full", choices=GRIDS)
    option_flags.add_protocol(command)
    command.add_argument("--to", type=Path, default=results_dir(), metavar="FOLDER", help="of results")
    command.set_defaults(command=_command)


def _command(options) -> int:
    names = planning.names_of(options.learners)
    if unknown := [name for name in names if name not in LEARNERS]:
        raise ValueError(f"ties are counted with {', '.join(LEARNERS)}, not with {', '.join(unknown)}")
    cells = planning.plan(
        [options.dataset],
        classes=options.classes,
        weightings=option_flags.weightings(options),
        learner_names=names,
        grid=options.grid,
        protocol=options.protocol,
    )
    new = run(cells, options.to, lambda line: sys.stderr.write(f"{line}\n"))
    sys.stdout.write(f"{new} of {len(cells)} classes are new\n")
    return 0

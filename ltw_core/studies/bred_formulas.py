"""The formulas that CCA bred, a file of the shipped results: one row per class, whichever classifiers used it."""

from collections.abc import Iterable
from pathlib import Path

from ltw_core.storage.file_schema import Fields, Number, Whole
from ltw_core.studies.record import Record
from ltw_core.studies.result_files import read_rows, typed, write_rows
from ltw_core.weighting.genetic.found_formula import FoundFormula, formula_in

FILE = "formulas.csv"
AT = ("corpus", "class_name", "weighting", "seed", "run")
RULES = Fields({"depth": Whole(0, 10_000), "tried": Whole(0, 10**9), "validation_f1": Number(0, 1)})
COLUMNS = (*AT, *FoundFormula._fields)


def write(folder: Path, records: Iterable[tuple[Record, int]]) -> None:
    """Write the formulas of some records, each with the number of its run; no file where there is none."""
    rows = {}
    for record, run in records:
        if (found := formula_in(record.warnings)) is not None:
            cell = record.cell
            rows[cell.corpus, cell.class_name, cell.weighting, str(cell.seed), str(run)] = found
    if not rows:
        (folder / FILE).unlink(missing_ok=True)
        return
    lines = ((*at, *rows[at]._replace(validation_f1=f"{rows[at].validation_f1:.3f}")) for at in sorted(rows))
    write_rows(folder / FILE, COLUMNS, lines)


def read(folder: Path) -> dict[tuple[str, ...], str]:
    """Sentences by corpus, class, weighting, seed and number of the run, all as text."""
    return {tuple(row[name] for name in AT): _bred(row).sentence for row in read_rows(folder / FILE)}


def _bred(row: dict[str, str]) -> FoundFormula:
    found = typed(row, FoundFormula)
    RULES.check({name: getattr(found, name) for name in RULES.rules}, FILE)
    return found

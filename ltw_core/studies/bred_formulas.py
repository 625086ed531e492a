"""The formulas that CCA bred, a file of the shipped results: one row per class, whichever classifiers used it."""

import csv
from collections.abc import Iterable
from pathlib import Path

from ltw_core.storage.file_schema import Fields, Number, Whole
from ltw_core.studies.record import Record
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
    with (folder / FILE).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(
            (*at, *rows[at]._replace(validation_f1=f"{rows[at].validation_f1:.3f}")) for at in sorted(rows)
        )


def read(folder: Path) -> dict[tuple[str, ...], str]:
    """Sentences by corpus, class, weighting, seed and number of the run, all as text."""
    if not (folder / FILE).is_file():
        return {}
    with (folder / FILE).open(encoding="utf-8", newline="") as file:
        return {tuple(row[name] for name in AT): _bred(row).sentence for row in csv.DictReader(file)}


def _bred(row: dict[str, str]) -> FoundFormula:
    numbers = {"depth": int(row["depth"]), "tried": int(row["tried"]), "validation_f1": float(row["validation_f1"])}
    RULES.check(numbers, FILE)
    return FoundFormula(**numbers, **{name: row[name] for name in ("text", "latex", "legend")})

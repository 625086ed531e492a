"""The result of a finished cell, how it is written down and read again. Leaves out where (``store``, ``results``)."""

import json
import sqlite3
from dataclasses import dataclass

from ltw_core.evaluation import Result
from ltw_core.metrics import Counts
from ltw_core.storage.file_schema import Anything, Fields, Many, Number, Text, Truth, Whole, read_json
from ltw_core.studies import predicted_rows
from ltw_core.studies.cell import Cell
from ltw_core.tasks import WithoutTerms

FIGURES = ("tp", "fp", "fn", "tn", "validation_f1", "seconds", "weighting_seconds")
WITHOUT_TERMS, PREDICTED = "without_terms", "predicted"
ADDED = (WITHOUT_TERMS, PREDICTED)  # columns that stores of earlier versions lack: texts, empty where nothing is known


@dataclass(frozen=True, repr=False, kw_only=True)
class Record(Result):
    """The result of a finished cell.

    Attributes
    ----------
    cell : Cell
    finished : float
        Seconds since 1970.
    host : str
    """

    cell: Cell
    finished: float
    host: str

    @classmethod
    def of(cls, cell: Cell, **figures) -> "Record":
        """The record of a cell from its figures, and where and when they were recorded."""
        place = {name: getattr(cell, name) for name in ("weighting", "learner", "grid", "seed")}
        place |= {"grid_sample": cell.grid_sample or None, "protocol": cell.how.name}
        return cls(cell=cell, **place, **figures)


COUNT = Whole(0, 2**31 - 1)  # of documents; the largest table here has two million rows
SECONDS = Number(0, 10**9)  # thirty years
JSON_LIMIT = 2**20  # characters of the settings that were chosen, or of a cell's remarks: formulas of CCA among them
RULES = Fields(
    {
        **dict.fromkeys(("tp", "fp", "fn", "tn"), COUNT),
        "validation_f1": Number(0, 1),
        "parameters": Fields({}, others=Anything()),
        "warnings": Many(Text(JSON_LIMIT), 1_000),
        "seconds": SECONDS,
        "weighting_seconds": SECONDS,
        "finished": Number(0, 2.5e11),  # seconds since 1970, up to the year 9999
        "host": Text(1_000),
    }
)
"""What the figures of a finished cell may be, in a store and in a file of results."""
WITHOUT_RULES = Fields({name: Truth() if name == "scored" else COUNT for name in WithoutTerms._fields})


def row_of(result: Result) -> dict:
    """What is written down of a result, by column."""
    row = {name: getattr(result, name) for name in FIGURES}
    row |= {name: json.dumps(getattr(result, name), ensure_ascii=False) for name in ("parameters", "warnings")}
    empty = result.without_terms
    row[WITHOUT_TERMS] = "" if empty is None else json.dumps(empty._asdict())
    row[PREDICTED] = predicted_rows.written(result.predicted)
    return row


def record_of(row: sqlite3.Row) -> Record:
    """The record of a row of a store: of the table of results, with the cell's ``json`` and ``finished``."""
    figures = {name: row[name] for name in (*FIGURES, "finished", "host")}
    figures |= {name: read_json(row[name], name, JSON_LIMIT) for name in ("parameters", "warnings")}
    RULES.check(figures, "a result")
    figures |= {"warnings": tuple(figures["warnings"]), "without_terms": _without_terms(row)}
    figures["predicted"] = predicted_rows.read(_added(row, PREDICTED), Counts(*(row[n] for n in Counts._fields)))
    return Record.of(Cell.from_json(row["json"]), **figures)


def _without_terms(row: sqlite3.Row) -> WithoutTerms | None:
    """None where it was not written down."""
    text = _added(row, WITHOUT_TERMS)
    if not text:
        return None
    found = read_json(text, WITHOUT_TERMS, JSON_LIMIT)
    WITHOUT_RULES.check(found, WITHOUT_TERMS)
    return WithoutTerms(**found)


def _added(row: sqlite3.Row, name: str) -> str:
    """A column of ``ADDED``; empty where there is no place for it in a store of an earlier version."""
    return row[name] if name in row.keys() else ""  # noqa: SIM118 - of a row, not of a dict

"""What a study has computed: stores of cells, and folders of results."""

import csv
import functools
import io
import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from ltw_core.studies import averages, results
from ltw_core.studies import tables as tables_of_studies
from ltw_core.studies.export import to_csv, to_latex
from ltw_core.studies.store import Store
from pages._ui.evaluate.study_tables import f1_table
from tests.fuzz.hostile import HOSTILE, TEXTS, changed_bytes, changed_json
from tests.fuzz.kind import OLD, NotMade

STORE = (OLD / "study.sqlite").read_bytes()
CHANGES = {
    "cell": ("json", "class_name", "weighting", "learner", "seed", "settings", "state", "finished", "error"),
    "result": (
        "tp",
        "fp",
        "fn",
        "tn",
        "validation_f1",
        "parameters",
        "warnings",
        "seconds",
        "weighting_seconds",
        "host",
    ),
}
SCHEMAS = (
    "DROP TABLE result",
    "ALTER TABLE cell RENAME TO cells",
    "ALTER TABLE result ADD COLUMN more TEXT",
    "DROP TABLE result; CREATE VIEW result AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) "
    "SELECT i FROM n",
    "DROP TABLE result; CREATE TABLE result (key, tp, fp, fn, tn, validation_f1, parameters, warnings, seconds, "
    "weighting_seconds, host)",
    "PRAGMA user_version = 9",
    "DELETE FROM cell",
)


@functools.cache
def a_cell() -> dict:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        path.write_bytes(STORE)
        with closing(sqlite3.connect(path)) as db:
            return json.loads(db.execute("SELECT json FROM cell WHERE state = 'done'").fetchone()[0])


@st.composite
def stores(draw):
    """A change of the bytes, of the tables, or of one value of one row."""
    what = draw(st.sampled_from(["value"] * 5 + ["cell"] * 3 + ["tables", "bytes"]))
    if what == "bytes":
        return draw(changed_bytes(STORE))
    if what == "tables":
        return draw(st.sampled_from(SCHEMAS)), ()
    table, column = "cell", "json"
    value = draw(changed_json(a_cell())) if what == "cell" else None
    if what == "value":
        table = draw(st.sampled_from(sorted(CHANGES)))
        column = draw(st.sampled_from(CHANGES[table]))
        value = draw(st.one_of(SQLITE, HOSTILE.map(json.dumps)))
    if isinstance(value, str):
        value = value.encode("utf-8", "replace").decode()
    return f"UPDATE {table} SET {column} = ? WHERE key IN (SELECT key FROM result LIMIT 1)", (value,)


SQLITE = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=9),
    st.binary(max_size=9),
    st.sampled_from([1e308, float("inf"), "", "x" * 20_000]),
)


def read_store(change: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.sqlite"
        path.write_bytes(change if isinstance(change, bytes) else STORE)
        if not isinstance(change, bytes):
            alter(path, *change)
        with Store(path, read_only=True) as store:
            found = results.merge(store)
            store.counts(), store.failures(), store.overview()
        look_at(found)


def alter(path: Path, statement: str, values: tuple) -> None:
    """Change a store in ways that its own rules forbid, where SQLite lets one."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("PRAGMA ignore_check_constraints = ON")
        try:
            db.execute(statement, values) if values else db.executescript(statement)
        except (sqlite3.Error, OverflowError) as error:
            raise NotMade(str(error)) from error


def look_at(found: results.Results) -> None:
    """What the study page asks of results."""
    cells = averages.averaged_cells(found)
    for cell in cells:
        assert all(0 <= average.value <= 1 for average in cell.averages.values())
    for record in found.records():
        assert 0 <= record.f1 <= 1 and record.finished < 1e12 and record.seconds >= 0
    assert (
        f1_table(tables_of_studies.table(cells, "macro_f1")) and to_csv(found, cells, "cells") and to_csv(found, cells)
    )
    to_latex(cells)


RESULTS = {name: (OLD / "results" / name).read_text(encoding="utf-8") for name in ("provenance.json", "synthetic.csv")}


@st.composite
def result_folders(draw):
    files = dict(RESULTS)
    what = draw(st.sampled_from(("provenance", "provenance", "cell", "cell", "bytes")))
    if what == "provenance":
        files["provenance.json"] = draw(changed_json(json.loads(files["provenance.json"])))
    elif what == "cell":
        lines = list(csv.reader(io.StringIO(files["synthetic.csv"])))
        line = draw(st.sampled_from(lines))
        line[draw(st.integers(0, len(line) - 1))] = draw(st.one_of(st.sampled_from(TEXTS), SQLITE.map(str)))
        stream = io.StringIO()
        csv.writer(stream, lineterminator="\n").writerows(lines)
        files["synthetic.csv"] = stream.getvalue()
    else:
        name = draw(st.sampled_from(sorted(files)))
        return {**files, name: draw(changed_bytes(files[name].encode()))}
    return files


def read_results(files: dict) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else content.encode("utf-8", "replace")
            (Path(folder) / name).write_bytes(data)
        look_at(results.read(folder))

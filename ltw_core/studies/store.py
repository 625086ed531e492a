"""The store of studies: cells and their results in one SQLite file, safe for several runners and for being killed.

Cells are claimed by one atomic update, and finished by their claimant only; a result and its cell's state are written
in one transaction. Nothing is pickled. The tables are explained in ``schema.sql``. Leaves out computing (``compute``),
driving (``runner``) and averages (``averages``).
"""

import json
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ltw_core.evaluation import Result
from ltw_core.storage.database import Database, insert
from ltw_core.storage.processes import this_process
from ltw_core.studies.cell import PARTS, Cell, digest
from ltw_core.studies.compute import CellOutcome

STALE_SECONDS = 120  # a claim of a runner whose process cannot be looked at lives as long after its last heartbeat
FIGURES = ("tp", "fp", "fn", "tn", "validation_f1", "seconds", "weighting_seconds")
ASKED = ("corpus", "class_name", "weighting", "learner", "grid", "seed")  # parts of a cell that are columns
STATES = ("waiting", "claimed", "done", "failed")
NOT_SETTINGS = ("class_name", "weighting", "weighting_parameters", "learner", "seed", "versions")


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
        return cls(cell=cell, **place, **figures)


class Store(Database):
    """A store file; made where there is none. May be used from several threads.

    Parameters
    ----------
    path : str or path
    create : bool
        Make the file where there is none.

    Raises
    ------
    ValueError
        There is no such file (``create=False``), or it is something else.
    """

    schema, version, called = Path(__file__).with_name("schema.sql"), 1, "a store"
    processes, patience = "runner", STALE_SECONDS

    def __init__(self, path, *, create: bool = True):
        if not create and not Path(path).is_file():
            raise ValueError(f"there is no store {path}; `run` makes one")
        super().__init__(path)

    def _open(self):
        super()._open()
        self._db.execute("CREATE TEMP TABLE wanted (key TEXT PRIMARY KEY)")  # this connection's study

    @classmethod
    def copy_in_memory(cls, path) -> "Store":
        """A store in memory with what a file holds; empty where there is no file. Changes reach no file."""
        store = cls(":memory:")
        if Path(path).is_file():
            with cls(path) as source:
                source.copy_into(store)
        return store

    # planning -----------------------------------------------------------------------------------------------------
    def add(self, cells: Iterable[Cell]) -> int:
        """Plan cells; those that are here already stay as they are. Returns how many are new."""
        rows = [
            {"key": cell.key, "share": cell.vectors_key, "json": cell.json(), "settings": settings_of(cell)}
            | {name: getattr(cell, name) for name in ASKED}
            for cell in cells
        ]
        with self.transaction() as db:
            before = db.total_changes
            for row in rows:
                insert(db, "cell", row, "ON CONFLICT (key) DO NOTHING")
            return db.total_changes - before

    def want(self, keys: Iterable[str]) -> None:
        """Confine ``claim`` and ``counts`` of this connection to some cells."""
        with self.transaction() as db:
            db.execute("DELETE FROM wanted")
            db.executemany("INSERT OR IGNORE INTO wanted VALUES (?)", ((key,) for key in keys))

    def retry_failed(self) -> int:
        """Let the wanted cells that failed wait again. Returns how many."""
        with self.transaction() as db:
            return db.execute(
                "UPDATE cell SET state = 'waiting', error = '', finished = NULL, deaths = 0 "
                "WHERE state = 'failed' AND key IN wanted"
            ).rowcount

    # claiming -----------------------------------------------------------------------------------------------------
    def claim(self, runner: int, *, suspect: bool = False) -> list[Cell]:
        """Claim the next wanted cells that share their vectors, for a runner; [] where none waits.

        Parameters
        ----------
        runner : int
        suspect : bool
            Instead claim one cell that was being computed when a worker died, by itself: if it is to blame, it shall
            take no other cell with it.
        """
        with self.transaction() as db:
            first = db.execute(
                "SELECT key, share FROM cell WHERE state = 'waiting' AND (deaths > 0) = ? AND key IN wanted "
                "ORDER BY deaths, position LIMIT 1",
                (int(suspect),),
            ).fetchone()
            if first is None:
                return []
            if suspect:
                where, values = "key = ?", (first["key"],)
            else:
                where, values = "share = ? AND deaths = 0 AND key IN wanted", (first["share"],)
            rows = db.execute(
                f"UPDATE cell SET state = 'claimed', runner = ?, claimed = ? WHERE state = 'waiting' AND {where} "
                "RETURNING position, json",
                (runner, time.time(), *values),
            ).fetchall()
        return [Cell.from_json(row["json"]) for row in sorted(rows, key=lambda row: row["position"])]

    def finish(self, runner: int, key: str, result: Result) -> bool:
        """Record a result. False, and nothing recorded, where the runner's claim is no longer its own."""
        with self.transaction() as db:
            if not self._end(db, runner, key, "done"):
                return False
            row = {name: getattr(result, name) for name in FIGURES}
            row |= {name: json.dumps(getattr(result, name), ensure_ascii=False) for name in ("parameters", "warnings")}
            insert(db, "result", {"key": key, **row, "host": this_process().host})
            return True

    def fail(self, runner: int, key: str, error: str) -> bool:
        """Record that a cell failed, and why. False where the runner's claim is no longer its own."""
        with self.transaction() as db:
            return self._end(db, runner, key, "failed", error or "no reason was given")

    @staticmethod
    def _end(db, runner, key, state, error="") -> bool:
        return bool(
            db.execute(
                "UPDATE cell SET state = ?, error = ?, runner = NULL, finished = ? "
                "WHERE key = ? AND state = 'claimed' AND runner = ?",
                (state, error, time.time(), key, runner),
            ).rowcount
        )

    def record(self, runner: int, outcome: CellOutcome) -> bool:
        """Record what became of a cell. False where the runner's claim is no longer its own."""
        if outcome.result is not None:
            return self.finish(runner, outcome.key, outcome.result)
        return self.fail(runner, outcome.key, outcome.error)

    def release(self, runner: int, *, died: bool = False) -> int:
        """Give back all cells that a runner has claimed; ``died``: because a worker process of it did."""
        with self.transaction() as db:
            return db.execute(
                "UPDATE cell SET state = 'waiting', runner = NULL, claimed = NULL, deaths = deaths + ? "
                "WHERE runner = ?",
                (int(died), runner),
            ).rowcount

    def fail_deadly(self, deaths: int) -> int:
        """Give up wanted cells with which workers died that often. Returns how many."""
        with self.transaction() as db:
            return db.execute(
                "UPDATE cell SET state = 'failed', finished = ?, error = 'The worker process died ' || deaths || "
                "' times over this cell (out of memory?).' WHERE state = 'waiting' AND deaths >= ? AND key IN wanted",
                (time.time(), deaths),
            ).rowcount

    def release_stale(self) -> int:
        """Give back the claims of runners that are dead: their process is gone, or they have been silent for long."""
        return sum(map(self.release, self._gone("id IN (SELECT runner FROM cell WHERE runner IS NOT NULL)")))

    # reading ------------------------------------------------------------------------------------------------------
    def counts(self, *, wanted: bool = False) -> dict[str, int]:
        """Number of cells in each state; ``wanted``: of this connection's study only."""
        only = "WHERE key IN wanted" if wanted else ""
        found = dict(tuple(row) for row in self._rows(f"SELECT state, count(*) FROM cell {only} GROUP BY state"))
        return {state: found.get(state, 0) for state in STATES}

    def claimed_elsewhere(self, runner: int) -> int:
        """Number of wanted cells that other runners have claimed."""
        query = "SELECT count(*) FROM cell WHERE state = 'claimed' AND runner <> ? AND key IN wanted"
        return self._rows(query, (runner,))[0][0]

    def overview(self) -> list[sqlite3.Row]:
        """Cells by corpus, weighting, learner, grid and state: rows with ``cells`` and, where done, mean seconds."""
        return self._rows(
            "SELECT corpus, weighting, learner, grid, state, count(*) AS cells, avg(seconds) AS seconds, "
            "avg(weighting_seconds) AS weighting_seconds FROM cell LEFT JOIN result USING (key) "
            "GROUP BY corpus, weighting, learner, grid, state ORDER BY min(position)"
        )

    def remaining(self) -> tuple[list[sqlite3.Row], list[sqlite3.Row]]:
        """What is not finished of the wanted cells.

        Returns
        -------
        list of rows
            corpus, weighting, learner, grid and the number of ``cells``.
        list of rows
            corpus, weighting and the number of ``vectors`` to be made for them.
        """
        where = "FROM cell WHERE state IN ('waiting', 'claimed') AND key IN wanted GROUP BY corpus, weighting"
        return (
            self._rows(f"SELECT corpus, weighting, learner, grid, count(*) AS cells {where}, learner, grid"),
            self._rows(f"SELECT corpus, weighting, count(DISTINCT share) AS vectors {where}"),
        )

    def failures(self) -> list[tuple[Cell, str]]:
        """Failed cells and why."""
        rows = self._rows("SELECT json, error FROM cell WHERE state = 'failed' ORDER BY position")
        return [(Cell.from_json(row["json"]), row["error"]) for row in rows]

    def cells(self) -> list[tuple[Cell, str, str]]:
        """All cells, with their state and the digest of their settings."""
        rows = self._rows("SELECT json, state, settings FROM cell ORDER BY position")
        return [(Cell.from_json(row["json"]), row["state"], row["settings"]) for row in rows]

    def records(self) -> list[Record]:
        """All finished cells with their figures, in the order of planning."""
        return [_record(row) for row in self._rows(f"{_RECORDS} ORDER BY position")]

    def find(self, keys: Iterable[str]) -> dict[str, Record]:
        """Those of some cells that are finished, by key."""
        rows = self._rows(f"{_RECORDS} WHERE key IN (SELECT value FROM json_each(?))", (json.dumps(list(keys)),))
        return {row["key"]: _record(row) for row in rows}

    def errors(self, keys: Iterable[str]) -> dict[str, str]:
        """Why those of some cells failed that did, by key."""
        query = "SELECT key, error FROM cell WHERE state = 'failed' AND key IN (SELECT value FROM json_each(?))"
        return dict(tuple(row) for row in self._rows(query, (json.dumps(list(keys)),)))


_RECORDS = "SELECT cell.json, cell.finished, result.* FROM cell JOIN result USING (key)"


def _record(row: sqlite3.Row) -> Record:
    return Record.of(
        Cell.from_json(row["json"]),
        parameters=json.loads(row["parameters"]),
        warnings=tuple(json.loads(row["warnings"])),
        **{name: row[name] for name in (*FIGURES, "finished", "host")},
    )


def settings_of(cell: Cell) -> str:
    """Digest of what the figures of one table have in common: all of a cell but its place in the table and versions."""
    return digest({name: getattr(cell, name) for name in PARTS if name not in NOT_SETTINGS})

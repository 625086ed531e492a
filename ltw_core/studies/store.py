"""The store of studies: cells and their results in one SQLite file, safe for several runners and for being killed.

Cells are claimed by one atomic update, and finished by their claimant only; a result and its cell's state are written
in one transaction. Nothing is pickled. The tables are explained in ``schema.sql``. Leaves out computing (``compute``),
driving (``runner``) and averages (``averages``).
"""

import json
import sqlite3
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ltw_core.evaluation import Result
from ltw_core.storage.database import Database, NotThere, insert, why
from ltw_core.storage.file_schema import FileError
from ltw_core.storage.processes import this_process
from ltw_core.studies.cell import Cell, digest
from ltw_core.studies.compute import CellOutcome
from ltw_core.studies.record import ADDED, Record, record_of, row_of

STALE_SECONDS = 120  # a claim of a runner whose process cannot be looked at lives as long after its last heartbeat
ASKED = ("corpus", "class_name", "weighting", "learner", "grid", "seed")  # parts of a cell that are columns
STATES = ("waiting", "claimed", "done", "failed")
NOT_SETTINGS = ("class_name", "weighting", "weighting_parameters", "learner", "seed", "versions")


class Store(Database):
    """A store file; made where there is none. May be used from several threads.

    Parameters
    ----------
    path : str or path
    create : bool
        Make the file where there is none.
    read_only : bool
        See ``Database``.

    Raises
    ------
    NotThere
        There is no such file, or it is just being made (``create=False``, ``read_only``).
    ValueError
        It is something else.
    """

    schema, version, called = Path(__file__).with_name("schema.sql"), 1, "a store"
    processes, patience = "runner", STALE_SECONDS

    def __init__(self, path, *, create: bool = True, read_only: bool = False):
        if (read_only or not create) and not Path(path).is_file():
            name = Path(path).name
            why = f"{name} is a folder; a store is a file" if Path(path).is_dir() else f"there is no store {name}"
            raise NotThere(f"{why}; `run` makes one")
        super().__init__(path, read_only=read_only)

    def _open(self):
        super()._open()
        if not self._read_only:
            self._add_columns()
        self._db.execute("CREATE TEMP TABLE wanted (key TEXT PRIMARY KEY)")  # this connection's study

    def _add_columns(self):
        """What stores of earlier versions lack; their programs read and write a store that has it, too."""
        if self._lacking():  # looked at before any waiting for a writer
            with self.transaction() as db:
                for name in self._lacking():  # another process may have been faster
                    db.execute(f"ALTER TABLE result ADD COLUMN {name} TEXT NOT NULL DEFAULT ''")

    def _lacking(self) -> list[str]:
        there = {row["name"] for row in self._rows("PRAGMA table_info(result)")}
        return [name for name in ADDED if name not in there]

    @classmethod
    def copy_in_memory(cls, path) -> "Store":
        """A store in memory with what a file holds; empty where there is no file. Changes reach no file."""
        store = cls(":memory:")
        with suppress(NotThere), cls(path, read_only=True) as source:
            source.copy_into(store)
            store._add_columns()
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
            insert(db, "result", {"key": key, **row_of(result), "host": this_process().host})
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
        found = dict(self._rows(f"SELECT state, count(*) FROM cell {only} GROUP BY state"))
        return {state: found.get(state, 0) for state in STATES}

    def perhaps_missing(self) -> str:
        """What may be missing from a copy that was made without the log; "" where nothing tells of that.

        The log is beside the file as long as a runner has it open, and one that ends gives back what it has claimed.
        So claims without a log are those of a copy, or of a process that was killed on a machine that lost the log. A
        copy from before the first claim was written to the file itself, whole but older, looks like any other.
        """
        claimed = self.counts()["claimed"]
        if self.had_log or not claimed:
            return ""
        name = self.path.name
        return (
            f"{name} seems to be a copy of a store in use, made without the log beside it ({name}-wal): by its own "
            f"account {claimed:,} {'cell is' if claimed == 1 else 'cells are'} being computed, though nobody has it "
            "open. The last results may be missing; copy it again with its log, or when the study has ended"
        )

    def claimed_elsewhere(self, runner: int) -> int:
        """Number of wanted cells that other runners have claimed."""
        query = "SELECT count(*) FROM cell WHERE state = 'claimed' AND runner <> ? AND key IN wanted"
        return self._rows(query, (runner,))[0][0]

    def overview(self, *, by_settings: bool = False) -> list[sqlite3.Row]:
        """Cells by corpus, weighting, learner, grid and state: rows with ``cells`` and, where done, mean seconds.

        ``by_settings`` tells cells of other settings apart: rows have their ``settings`` and the ``json`` of a cell.
        """
        more, example = (", settings", ", settings, cell.json, min(position)") if by_settings else ("", "")
        return self._rows(
            "SELECT corpus, weighting, learner, grid, state, count(*) AS cells, avg(seconds) AS seconds, "
            f"avg(weighting_seconds) AS weighting_seconds{example} FROM cell LEFT JOIN result USING (key) "
            f"GROUP BY corpus, weighting, learner, grid, state{more} ORDER BY min(position)"
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
        return [record_of(row) for row in self._rows(f"{_RECORDS} ORDER BY position")]

    def find(self, keys: Iterable[str]) -> dict[str, Record]:
        """Those of some cells that are finished, by key."""
        rows = self._rows(f"{_RECORDS} WHERE key IN (SELECT value FROM json_each(?))", (json.dumps(list(keys)),))
        return {row["key"]: record_of(row) for row in rows}

    def errors(self, keys: Iterable[str]) -> dict[str, str]:
        """Why those of some cells failed that did, by key."""
        query = "SELECT key, error FROM cell WHERE state = 'failed' AND key IN (SELECT value FROM json_each(?))"
        return dict(self._rows(query, (json.dumps(list(keys)),)))

    def _rows(self, query, values=()) -> list[sqlite3.Row]:
        try:
            return super()._rows(query, values)
        except sqlite3.IntegrityError:  # of what is written
            raise
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise FileError(f"the store {self.path.name} cannot be read: {why(error)}") from error


_RECORDS = "SELECT cell.json, cell.finished, result.* FROM cell JOIN result USING (key)"


def settings_of(cell: Cell) -> str:
    """Digest of what the figures of one table have in common: all of a cell but its place in the table and versions."""
    return digest({name: value for name, value in cell.parts().items() if name not in NOT_SETTINGS})

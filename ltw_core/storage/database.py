"""A SQLite file of ours: made from a commented schema, in WAL mode, for several threads and processes at once.

What all our databases share; what is in one, its own module says. Nothing is pickled.
"""

import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from ltw_core.storage.processes import Process, is_gone, this_process

PATIENCE = 60.0  # seconds that a connection waits for others


class Database:
    """A database file; made where there is none. May be used from several threads.

    A class of it says where its schema is (``schema``, a file) and which version that is (``version``), and which of
    its tables has the processes that use it (``processes``), whose silence it bears for so many seconds (``patience``).

    Parameters
    ----------
    path : str or path
        ":memory:" for one that ends with the process.

    Raises
    ------
    ValueError
        The file cannot be used: it is something else, or its folder cannot be written.
    """

    schema: ClassVar[Path]
    version: ClassVar[int]
    called: ClassVar[str] = "a database"
    processes: ClassVar[str]
    patience: ClassVar[float]

    def __init__(self, path):
        self.path = Path(path)
        self._lock = threading.RLock()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = self._connect()
            self._open()
        except (OSError, sqlite3.Error) as error:
            raise ValueError(f"{self.path} cannot be used as {self.called}: {error}") from error

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        return connection

    def _open(self):
        self._db.execute("PRAGMA foreign_keys = ON")
        self._write_ahead()
        self._db.execute("PRAGMA synchronous = NORMAL")  # WAL: a power cut may lose the last results, never the file
        with self.transaction() as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    raise sqlite3.DatabaseError("it is the database of something else")
                for statement in _statements(self.schema):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {self.version}")
            elif version != self.version:
                raise sqlite3.DatabaseError(f"its schema is version {version}, this program's is {self.version}")

    def _write_ahead(self) -> None:
        """WAL mode. For the change to it SQLite needs the file for itself, and there it does not wait for others."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                    raise
            time.sleep(0.01)

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @contextmanager
    def transaction(self):
        """The connection inside a transaction that holds the write lock from its start."""
        with self._lock:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:  # whatever ends it, Ctrl-C and a thread's exit too: half of it must not be committed
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def copy_into(self, other: "Database") -> None:
        """Overwrite another database with what this one holds."""
        with self._lock, other._lock:
            self._db.backup(other._db)

    def register(self, process: Process | None = None) -> int:
        """Enter a process that uses the file; returns its number."""
        now = time.time()
        with self.transaction() as db:
            entry = (process or this_process())._asdict() | {"started": now, "heartbeat": now}
            return insert(db, self.processes, entry)

    def beat(self, number: int) -> None:
        """Say that a process lives."""
        with self.transaction() as db:
            db.execute(f"UPDATE {self.processes} SET heartbeat = ? WHERE id = ?", (time.time(), number))

    def _gone(self, where: str) -> list[int]:
        """Numbers of the processes that are gone, of those that a condition is true for."""
        rows = self._rows(f"SELECT * FROM {self.processes} WHERE {where}")
        return [
            row["id"]
            for row in rows
            if is_gone(Process(row["host"], row["pid"], row["born"]), row["heartbeat"], self.patience)
        ]

    def _rows(self, query: str, values: Sequence = ()) -> list[sqlite3.Row]:
        with self._lock:
            return self._db.execute(query, values).fetchall()


def insert(db: sqlite3.Connection, table: str, values: dict[str, Any], conflict: str = "") -> int:
    """Insert a row by its columns' names; returns its number."""
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks}) {conflict}"
    return db.execute(statement, tuple(values.values())).lastrowid


def _statements(schema: Path) -> list[str]:
    """The statements of a schema, apart, because ``executescript`` would end the transaction."""
    text = schema.read_text(encoding="utf-8")
    lines = (line.partition("--")[0].rstrip() for line in text.splitlines())
    return [statement.strip() for statement in "\n".join(filter(None, lines)).split(";") if statement.strip()]

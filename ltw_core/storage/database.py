"""A SQLite file of ours: made from a commented schema, in WAL mode, for several threads and processes at once.

What all our databases share; what is in one, its own module says. Nothing is pickled.

Readers wait for nobody. Opening takes no lock, but where the file is made: that is rare, and for writers only. In WAL
mode a writer holds up other writers alone (https://sqlite.org/wal.html); a reader waits while another process mends
what a killed one left, or tidies up as the last one to close the file, and that takes milliseconds.
"""

import errno
import functools
import sqlite3
import threading
import time
from collections.abc import Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

from ltw_core.storage.file_schema import FileError
from ltw_core.storage.processes import Process, is_gone, this_process

PATIENCE = 60.0  # seconds that a connection waits for others
OF_THE_DISK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CORRUPT)
DAMAGED = (
    "the file is damaged, or a copy of one that was being written: copy it while nobody writes, or with the files "
    "beside it that begin with its name"
)
PATIENCE_READING = 5.0  # one that reads: somebody looks at the page


class NotThere(ValueError):
    """There is no such database, or it is only just being made."""


class Database:
    """A database file; made where there is none. May be used from several threads.

    A class of it says where its schema is (``schema``, a file) and which version that is (``version``), and which of
    its tables has the processes that use it (``processes``), whose silence it bears for so many seconds (``patience``).

    Parameters
    ----------
    path : str or path
        ":memory:" for one that ends with the process.
    read_only : bool
        Only read: nothing is made, and nobody is waited for who writes.

    Attributes
    ----------
    had_log : bool
        Whether a log lay beside the file when it was opened, as it does while anybody has it open who has written.

    Raises
    ------
    NotThere
        There is nothing to be read, or not yet (``read_only``).
    FileError
        A ``ValueError``: the file cannot be used: it is something else, or its folder cannot be written.
    """

    schema: ClassVar[Path]
    version: ClassVar[int]
    called: ClassVar[str] = "a database"
    processes: ClassVar[str]
    patience: ClassVar[float]

    def __init__(self, path, *, read_only: bool = False):
        self.path, self._read_only = Path(path), read_only
        self._lock = threading.RLock()
        wal = self.path.with_name(f"{self.path.name}-wal")
        self.had_log = wal.is_file() and wal.stat().st_size > 0  # an empty one is left by whoever only read
        if read_only and not self.path.is_file():
            what = "is a folder, where a file is wanted" if self.path.is_dir() else "is not there"
            raise NotThere(f"{self.path.name} {what}")
        try:
            if not read_only:
                self.path.parent.mkdir(parents=True, exist_ok=True)
            self._db = self._connect_to_read() if read_only else self._connect(self.path, PATIENCE)
            self._open()
        except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
            code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
            told = why(error) if code in OF_THE_DISK else error
            raise FileError(f"{self.path.name} cannot be used as {self.called}: {told}") from error

    @staticmethod
    def _connect(where: str | Path, patience: float) -> sqlite3.Connection:
        """A connection to a path or an address ("file:…")."""
        as_address = str(where).startswith("file:")
        connection = sqlite3.connect(
            where, timeout=patience, isolation_level=None, check_same_thread=False, uri=as_address
        )
        connection.row_factory = sqlite3.Row
        return connection

    def _connect_to_read(self) -> sqlite3.Connection:
        """A connection that cannot write."""
        address = f"{self.path.absolute().as_uri()}?mode=ro"
        connection = self._connect(address, PATIENCE_READING)
        try:
            connection.execute("PRAGMA user_version").fetchone()
        except sqlite3.OperationalError:
            # In a folder that may not be written SQLite cannot make the log's index, which readers share with a writer.
            # Without a log nobody has the file open: it is read as one that does not change.
            if self.path.with_name(f"{self.path.name}-wal").exists():
                raise
            connection.close()
            connection = self._connect(f"{address}&immutable=1", PATIENCE_READING)
        return connection

    def _open(self):
        self._db.execute("PRAGMA foreign_keys = ON")
        self._db.execute("PRAGMA synchronous = NORMAL")  # WAL: a power cut may lose the last results, never the file
        with self._transaction("BEGIN") as db:  # reads both at one moment
            there = self._is_there(db)
        if not there and self._read_only:
            raise NotThere(f"{self.path.name} is only just being made; try again in a moment")
        if not self._read_only:
            self._write_ahead()
        if not there:
            self._make()

    def _is_there(self, db: sqlite3.Connection) -> bool:
        """Whether a file has our tables: raises an error where it has others."""
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version == 0 and db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise sqlite3.DatabaseError("it is the database of something else")
        if version not in (0, self.version):
            raise sqlite3.DatabaseError(f"its schema is version {version}, this program's is {self.version}")
        if version:
            for table, columns in _columns_of(self.schema).items():  # a file of an earlier version may lack some
                here = _columns(db, table)
                if here[0] != columns[0] or not set(here) <= set(columns):
                    raise sqlite3.DatabaseError(f"its table {table} is not as this program makes it")
        return version > 0

    def _make(self) -> None:
        """Make the tables, unless another process just did."""
        with self.transaction() as db:
            if not self._is_there(db):
                for statement in _statements(self.schema):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {self.version}")

    def _write_ahead(self) -> None:
        """WAL mode, where it is not on. For that SQLite needs the file for itself, and there it waits for nobody."""
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

    def transaction(self):
        """The connection inside a transaction that holds the write lock from its start."""
        return self._transaction("BEGIN IMMEDIATE")

    @contextmanager
    def _transaction(self, begin: str):
        with self._lock:
            self._db.execute(begin)
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


class ReadApart(Database):
    """A database that is read by a connection of its own, so that a reader waits for nobody who writes, nor for another
    thread of this process that waits to write."""

    def _open(self):
        super()._open()
        alone = self._read_only or str(self.path) == ":memory:"  # of the latter there is no second connection
        self._reader = self._db if alone else self._connect_to_read()
        self._read_lock = self._lock if self._reader is self._db else threading.RLock()

    def close(self) -> None:
        with self._read_lock:
            self._reader.close()
        super().close()

    def _rows(self, query, values=()) -> list[sqlite3.Row]:
        with self._read_lock:
            return self._reader.execute(query, values).fetchall()

    def _version(self) -> tuple[int, int]:
        """Differs whenever anything was written since it was asked last, by this process or another one."""
        with self._read_lock:  # the first says what other connections have written, the second what this one has
            return self._reader.execute("PRAGMA data_version").fetchone()[0], self._reader.total_changes


def why(error: sqlite3.Error | OSError) -> str:
    """Why something could not be written or read, in words for a reader: without a path, and with what to do."""
    if isinstance(error, OSError):
        full, read_only = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG), error.errno == errno.EROFS
        other = error.strerror or type(error).__name__
    else:
        code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
        full, read_only = code == sqlite3.SQLITE_FULL, code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
        other = str(error)
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return DAMAGED
        if code == sqlite3.SQLITE_IOERR:  # also where the index of the log does not fit any more
            return "the disk is full, or it fails; make room and try again"
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return "somebody else is writing there; try again in a moment"
    if full:
        return "the disk is full; make room and try again"
    return "the folder cannot be written" if read_only else other


def insert(db: sqlite3.Connection, table: str, values: dict[str, Any], conflict: str = "") -> int:
    """Insert a row by its columns' names; returns its number."""
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    statement = f"INSERT INTO {table} ({names}) VALUES ({marks}) {conflict}"
    return db.execute(statement, tuple(values.values())).lastrowid


@functools.cache
def _columns_of(schema: Path) -> dict[str, list[tuple]]:
    """The columns of a schema's tables, as SQLite tells them."""
    db = sqlite3.connect(":memory:")
    for statement in _statements(schema):
        db.execute(statement)
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {table: _columns(db, table) for table in tables}


def _columns(db: sqlite3.Connection, table: str) -> list[tuple]:
    """Name, type, whether it may be null, and kind (0: stored as such) of each column, and before them whether it is a
    table of strict types at all: a view of the same name could compute for ever."""
    kind = db.execute("SELECT type, strict FROM pragma_table_list(?) WHERE schema = 'main'", (table,)).fetchone()
    columns = db.execute('SELECT name, type, "notnull", hidden FROM pragma_table_xinfo(?)', (table,)).fetchall()
    return [tuple(row) for row in (kind or (), *columns)]


def _statements(schema: Path) -> list[str]:
    """The statements of a schema, apart, because ``executescript`` would end the transaction."""
    text = schema.read_text(encoding="utf-8")
    lines = (line.partition("--")[0].rstrip() for line in text.splitlines())
    return [statement.strip() for statement in "\n".join(filter(None, lines)).split(";") if statement.strip()]

"""Readers wait for nobody: opening to read takes no lock, whatever state the file is in."""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from ltw_core.storage import database
from ltw_core.storage.database import Database, NotThere
from tests.writing import AT_ONCE, least_seconds, written_to

SCHEMA = "CREATE TABLE process (id INTEGER PRIMARY KEY); -- a remark; and more\nCREATE TABLE word (text TEXT) STRICT;"


@pytest.fixture
def words(tmp_path):
    """A class of databases with two tables."""
    (tmp_path / "words.sql").write_text(SCHEMA)

    class Words(Database):
        schema, version, called, processes = tmp_path / "words.sql", 1, "a list of words", "process"

        def add(self, text):
            with self.transaction() as db:
                db.execute("INSERT INTO word VALUES (?)", (text,))

        def all(self):
            return [row["text"] for row in self._rows("SELECT text FROM word")]

    return Words


def opened_and_read(words, path):
    with words(path, read_only=True) as reader:
        return reader.all()


def test_opening_takes_no_lock(words, tmp_path):
    path = tmp_path / "a.sqlite"
    with words(path) as writer:
        writer.add("wheat")
        with written_to(path):
            assert opened_and_read(words, path) == ["wheat"]
            assert least_seconds(lambda: opened_and_read(words, path)) < AT_ONCE
            assert least_seconds(lambda: words(path).close()) < AT_ONCE  # to write, too: writing itself waits


def test_a_reader_sees_what_was_written_since_and_cannot_write(words, tmp_path):
    with words(tmp_path / "a.sqlite") as writer, words(tmp_path / "a.sqlite", read_only=True) as reader:
        assert reader.all() == []
        writer.add("corn")
        assert reader.all() == ["corn"]
        with pytest.raises(sqlite3.OperationalError, match="readonly database"):
            reader.add("oats")


def test_what_is_not_there_or_only_just_being_made(words, tmp_path):
    path = tmp_path / "a.sqlite"
    with pytest.raises(NotThere, match=r"a\.sqlite is not there"):
        words(path, read_only=True)
    with pytest.raises(NotThere, match="is a folder, where a file is wanted"):
        words(tmp_path, read_only=True)
    assert os.listdir(tmp_path) == ["words.sql"]
    with sqlite3.connect(path, isolation_level=None) as maker:  # another process
        maker.execute("PRAGMA journal_mode = WAL")
        maker.execute("BEGIN IMMEDIATE")
        maker.execute("CREATE TABLE word (text TEXT)")
        with pytest.raises(NotThere, match=r"a\.sqlite is only just being made; try again in a moment"):
            words(path, read_only=True)
        maker.execute("ROLLBACK")
    words(path).close()  # a maker that was killed leaves an empty file: the next one makes it
    assert opened_and_read(words, path) == []


def test_what_is_something_else(words, tmp_path):
    (tmp_path / "text").write_text("not a database, however long it may be" * 100)
    with sqlite3.connect(tmp_path / "other") as other:
        other.execute("CREATE TABLE other (x)")
    words(tmp_path / "newer").close()
    with sqlite3.connect(tmp_path / "newer") as newer:
        newer.execute("PRAGMA user_version = 99")
    for read_only in (False, True):
        for name, why in (
            ("text", "file is not a database"),
            ("other", "it is the database of something else"),
            ("newer", "its schema is version 99, this program's is 1"),
        ):
            with pytest.raises(ValueError, match=f"^{name} cannot be used as a list of words: {why}$"):
                words(tmp_path / name, read_only=read_only)
    with sqlite3.connect(tmp_path / "other") as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("delete",)  # it is left as it is


def test_a_file_without_a_log_is_read_as_it_is_and_gets_one_when_it_is_opened_to_be_written(words, tmp_path):
    path = tmp_path / "a.sqlite"
    with words(path) as writer:
        writer.add("wheat")
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA journal_mode = DELETE")

    def mode():
        with sqlite3.connect(path) as other:
            return other.execute("PRAGMA journal_mode").fetchone()[0]

    assert (opened_and_read(words, path), mode()) == (["wheat"], "delete")
    words(path).close()
    assert (opened_and_read(words, path), mode()) == (["wheat"], "wal")


KILLED = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("INSERT INTO word VALUES ('corn')")
os._exit(1)
"""


def test_what_a_killed_process_wrote_is_read(words, tmp_path):
    path = tmp_path / "a.sqlite"
    words(path).close()
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    assert (tmp_path / "a.sqlite-wal").stat().st_size > 0
    assert opened_and_read(words, path) == ["corn"]


READ = """
import os, sqlite3, sys
from pathlib import Path
from ltw_core.storage.database import Database
if os.getuid() == 0:  # who may write everywhere
    os.setuid(65534)
class Words(Database):
    schema, version, called, processes = Path(sys.argv[1], "words.sql"), 1, "a list of words", "process"
try:
    print([row["text"] for row in Words(Path(sys.argv[1], "a.sqlite"), read_only=True)._rows("SELECT text FROM word")])
except ValueError as error:
    print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="folders are closed in another way there")
def test_a_folder_that_may_not_be_written(words, tmp_path, request):
    folder = Path(tempfile.mkdtemp())  # pytest's own can be looked into by nobody else
    request.addfinalizer(lambda: shutil.rmtree(folder))
    path = folder / "a.sqlite"
    (folder / "words.sql").write_text(SCHEMA)

    def read():
        folder.chmod(0o555)
        command = [sys.executable, "-c", READ, str(folder)]
        try:
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        finally:
            folder.chmod(0o755)

    with words(path) as writer:
        writer.add("wheat")
        assert read() == "['wheat']"  # together with who writes
    assert read() == "['wheat']"  # nobody has it open
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    (folder / "a.sqlite-shm").unlink()
    assert read() == f"{path.name} cannot be used as a list of words: unable to open database file"


def test_a_reader_bears_a_file_that_somebody_has_for_themselves_for_some_seconds_only(words, tmp_path, monkeypatch):
    monkeypatch.setattr(database, "PATIENCE_READING", 0.2)
    path = tmp_path / "a.sqlite"
    words(path).close()
    with sqlite3.connect(path, isolation_level=None) as alone:
        alone.execute("PRAGMA locking_mode = EXCLUSIVE")
        alone.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        with pytest.raises(ValueError, match="cannot be used as a list of words: database is locked"):
            words(path, read_only=True)
        assert time.monotonic() - began >= 0.2
        alone.execute("COMMIT")
    alone.close()
    assert opened_and_read(words, path) == []

"""Tables that readers of the app brought, on disk for a day, so that a reload finds them and a study can read them.

A reader's tables lie together under a token of 128 random bits, which only the reader's address holds: the folder is
called by a digest of it. Each table has a folder with its file, what is needed to read it again, and whatever studies
of it leave. It is open to this user of the machine alone. A token works in the browser that the table came from; in any
where that one takes no cookies.

Leaves out reading and counting a table, and who is asking (``pages/_ui/reader``).
"""

import hashlib
import logging
import os
import re
import secrets
import shutil
import threading
import time
from collections.abc import Container, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from ltw_core.corpora.tables.source import OPTIONS, TableSource
from ltw_core.settings import state_dir, uploads_each, uploads_in_all
from ltw_core.storage.database import why
from ltw_core.storage.file_schema import AnyOf, Fields, FileError, Optional, Text, Truth, read_json
from ltw_core.studies.progress_file import write_json

log = logging.getLogger(__name__)

KEPT = 24 * 3600.0  # seconds since a table was brought or a study of it last wrote
HIDDEN = 600.0  # seconds for which one that was deleted can be brought back
ABOUT, STORE, BESIDE = "about.json", "studies.sqlite", ".deleted"
TOKEN = re.compile(r"[0-9a-f]{32}")
ABOUT_LIMIT = 20_000  # characters
RULES = Fields(
    {
        "file": Text(100, least=1),
        "browser": Text(100),
        "options": Fields({name: Optional(AnyOf((Text(5_000), Truth()))) for name in OPTIONS}, optional=OPTIONS),
    }
)
_lock = threading.RLock()


class KeptTable(NamedTuple):
    """A table on disk: its reader's identifier of it, its folder, the browser it came from, and how it is read."""

    key: str
    folder: Path
    browser: str
    source: TableSource

    @property
    def store(self) -> Path:
        """Where studies of it are kept: apart from the server's, and no longer than the table."""
        return self.folder / STORE

    @property
    def n_bytes(self) -> int:
        """Size of its file."""
        return os.path.getsize(self.source.path)


def new_token() -> str:
    """A token that nobody guesses: 128 random bits in hexadecimal digits."""
    return secrets.token_hex(16)


def find(token: str | None, browser: str | None) -> list[KeptTable]:
    """The tables of a token, oldest first; none where it is wrong, its day is over, or another browser's."""
    if not TOKEN.fullmatch(token or ""):
        return []
    found = [table for folder in _folders(_shelf(token)) if (table := _table(folder)) and not _expired(folder, KEPT)]
    mine = [table for table in found if table.browser in ("", browser)]
    return sorted(mine, key=lambda table: (table.folder / ABOUT).stat().st_mtime)


def keep(token: str, browser: str | None, key: str, content: bytes, source: TableSource) -> KeptTable:
    """Write a table under a token, whole or not at all; one of the same identifier takes the other's place.

    Parameters
    ----------
    token : str
        As of ``new_token``.
    browser : str or None
        Digest of the browser's secret, where it has one.
    key : str
        The reader's identifier of the table.
    content : bytes
        The file.
    source : TableSource
        How it is read; its path counts for nothing.

    Raises
    ------
    ValueError
        There is no room for it, or the disk refuses.
    """
    folder = _shelf(token) / key
    name = f"table-{hashlib.sha256(content).hexdigest()[:16]}"
    options = {name: value for name, value in asdict(source).items() if name != "path"}
    with _lock:
        _check_room(len(content), folder, browser or "")
        try:
            for made in (_root(), folder.parent, folder):
                made.mkdir(mode=0o700, parents=True, exist_ok=True)
                made.chmod(0o700)
            part = folder / f"{name}.part"
            try:
                part.write_bytes(content)
                part.replace(folder / name)
                write_json(folder / ABOUT, {"file": name, "browser": browser or "", "options": options})
            finally:
                part.unlink(missing_ok=True)
            for other in set(folder.glob("table-*")) - {folder / name}:
                other.unlink()
        except OSError as error:
            raise ValueError(f"this server's disk refuses it: {why(error)}") from error
    return _table(folder)


def hide(table: KeptTable) -> None:
    """Delete a table in such a way that ``bring_back`` finds it for a few minutes."""
    aside = table.folder.with_name(table.key + BESIDE)
    with _lock:
        _remove(aside)
        try:
            table.folder.rename(aside)
            os.utime(aside)
        except OSError as error:
            log.warning("an uploaded table could not be set aside: %s", why(error))
            _remove(table.folder)


def bring_back(table: KeptTable) -> bool:
    """Undo ``hide``; whether it was still there."""
    with _lock:
        try:
            table.folder.with_name(table.key + BESIDE).rename(table.folder)
        except OSError:
            return False
    return True


def purge(spared: Container[Path] = ()) -> None:
    """Remove what is kept no longer, but for folders of tables that are being studied."""
    with _lock:
        for shelf in _folders(_root()):
            for folder in _folders(shelf):
                hidden = folder.name.endswith(BESIDE)
                gone = _expired(folder, HIDDEN if hidden else KEPT)
                if gone and folder not in spared:
                    _remove(folder)
            if not any(shelf.iterdir()):
                shelf.rmdir()


def n_bytes() -> int:
    """What all tables take on disk, in bytes, with what studies of them left."""
    return sum(_size(folder) for shelf in _folders(_root()) for folder in _folders(shelf))


def folders() -> list[Path]:
    """Folders of all readers' tables, but for those that were deleted."""
    found = (folder for shelf in _folders(_root()) for folder in _folders(shelf))
    return [folder for folder in found if not folder.name.endswith(BESIDE)]


def _root() -> Path:
    return state_dir() / "uploads"


def _shelf(token: str) -> Path:
    return _root() / hashlib.sha256(f"ltw upload {token}".encode()).hexdigest()[:32]


def _folders(path: Path) -> Iterator[Path]:
    try:
        yield from [entry for entry in path.iterdir() if entry.is_dir() and not entry.is_symlink()]
    except OSError:
        return


def _files(folder: Path) -> Iterator[os.stat_result]:
    for path in folder.rglob("*"):
        try:
            if not path.is_dir():
                yield path.lstat()
        except OSError:  # it has gone meanwhile
            continue


def _size(folder: Path) -> int:
    return sum(file.st_size for file in _files(folder))


def _expired(folder: Path, seconds: float) -> bool:
    """Whether nothing was written for so long; a time in the future is one from before the clock was set back."""
    if folder.name.endswith(BESIDE):
        times = [folder.stat().st_mtime]
    else:
        times = [file.st_mtime for file in _files(folder)] or [folder.stat().st_mtime]
    return min(abs(time.time() - when) for when in times) > seconds


def _table(folder: Path) -> KeptTable | None:
    """The table of a folder; None where there is none, or none that can be read."""
    if folder.name.endswith(BESIDE):
        return None
    try:
        said = read_json((folder / ABOUT).read_bytes(), "an uploaded table", ABOUT_LIMIT)
        RULES.check(said, "an uploaded table")
        path = folder / Path(said["file"]).name
        if not path.is_file():
            return None
    except FileNotFoundError:
        return None
    except (OSError, FileError) as error:
        log.warning("an uploaded table is passed over: %s", error)
        return None
    return KeptTable(folder.name, folder, said["browser"], TableSource(str(path), **said["options"]))


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _check_room(needed: int, folder: Path, browser: str) -> None:
    """Raise where a table of so many bytes has no room beside the others on disk."""
    mine = everyone = needed
    for shelf in _folders(_root()):
        for other in _folders(shelf):
            if other == folder:
                continue
            size = _size(other)
            everyone += size
            about = _table(other)
            if shelf == folder.parent or (browser and about is not None and about.browser == browser):
                mine += size
    for taken, most, whose in ((mine, uploads_each(), "your"), (everyone, uploads_in_all(), "all readers'")):
        if taken > most:
            rest = (
                f"{most / 2**20:,.0f} MB on this server's disk, of which {(taken - needed) / 2**20:,.1f} MB are taken"
            )
            raise ValueError(f"it needs {needed / 2**20:,.1f} MB, and {whose} tables may take {rest}")

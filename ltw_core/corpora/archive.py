"""Reading published archives safely: a ``.tar.gz`` or its unpacked folder, as names and bytes, by the same code.

Nothing is ever written to disk. An archive is refused with a sentence when a name points outside of it, when it holds
links or devices, or when it is larger, unpacked, than any corpus here. Which members make a corpus is for the readers
to say.
"""

import gzip
import hashlib
import os
import tarfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from ltw_core.corpora.corpus import CorpusError

MEMBER_LIMIT = 64 * 2**20  # bytes of one file; the largest real one is 1.4 MB
TOTAL_LIMIT = 2**29  # bytes unpacked, tar headers included; the largest real archive is near 120 MB
COUNT_LIMIT = 200_000  # files; the largest real archive has 57,000

ARCHIVE_ENDINGS = (".tar.gz", ".tgz", ".tar")

Accept = Callable[[str], bool]


def locate(folder: Path, stem: str, *parts: str) -> tuple[Path, ...]:
    """Find an archive by its name without ending, packed or unpacked.

    Parameters
    ----------
    folder : Path
        Where to look.
    stem : str
        Name of the archive without its ending, which is also a name of a folder to look for.
    *parts : str
        Folders that the archive unpacks to where they do not have its name; all must be there.

    Returns
    -------
    tuple of Path
        What to hand to :func:`members`; empty if there is nothing.
    """
    there = os.fspath(folder)  # pages ask on every run: paths as text take a fifth of the time
    for ending in ARCHIVE_ENDINGS:
        if os.path.isfile(os.path.join(there, f"{stem}{ending}")):
            return (folder / f"{stem}{ending}",)
    if os.path.isdir(os.path.join(there, stem)):
        return (folder / stem,)
    if parts and all((folder / part).is_dir() for part in parts):
        return tuple(folder / part for part in parts)
    return ()


def identity(paths: tuple[Path, ...]) -> str:
    """A string that changes when the archive does: names, sizes and times of change, not the content."""
    digest = hashlib.sha256()
    for path in paths:
        try:
            files = [("", path)] if path.is_file() else _walk(path)
            for name, file in files:
                status = file.stat()
                text = f"{path.name}\0{name}\0{status.st_size}\0{status.st_mtime_ns}\n"
                digest.update(text.encode("utf-8", "surrogateescape"))
        except OSError as error:
            raise CorpusError(f"{path} can't be read: {error.strerror or error}.") from error
    return digest.hexdigest()


def members(paths: tuple[Path, ...], accept: Accept = lambda name: True) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content) of the files in archives or folders, in the order in which they lie there.

    Parameters
    ----------
    paths : tuple of Path
        Archives or folders, as found by :func:`locate`.
    accept : callable
        Takes a name (with ``/``, relative, without ``./``) and says whether its content is wanted.

    Raises
    ------
    CorpusError
        If an archive is broken, too large, or holds links, devices, the same name twice or names that lead outside.
    """
    guard = _Guard()
    for path in paths:
        if path.is_dir():
            yield from _folder_members(path, accept, guard)
        else:
            yield from _tar_members(path, accept, guard)


class _Guard:
    """Counts what has been seen over all archives of a corpus and refuses what is out of bounds."""

    def __init__(self):
        self.total = 0
        self.names: set[str] = set()

    def admit(self, source: Path, raw_name: str, size: int) -> str:
        """Check one file's name and size before it is read; returns the tidied name."""
        name = safe_name(raw_name)
        if name is None:
            raise CorpusError(f"{source.name} was refused: its member {raw_name!r} lies outside of the archive.")
        if name in self.names:
            raise CorpusError(f"{source.name} was refused: it holds {name!r} twice.")
        self.names.add(name)
        if len(self.names) > COUNT_LIMIT:
            raise CorpusError(f"{source.name} was refused: it holds more than {COUNT_LIMIT:,} files.")
        if size > MEMBER_LIMIT:
            raise CorpusError(
                f"{source.name} was refused: its member {name!r} has {size:,} bytes, more than the {MEMBER_LIMIT:,} "
                "allowed."
            )
        self.total += size
        if self.total > TOTAL_LIMIT:
            raise CorpusError(f"{source.name} was refused: unpacked it has more than {TOTAL_LIMIT:,} bytes.")
        return name


def safe_name(raw: str) -> str | None:
    """The name without ``./``, or None if it is absolute or leads outside (``..``, drive letters, back slashes)."""
    name = PurePosixPath(raw)
    if not raw or raw.startswith(("/", "~")) or "\\" in raw or "\0" in raw or ".." in name.parts:
        return None
    if name.parts and len(name.parts[0]) > 1 and name.parts[0][1] == ":":
        return None
    return str(name)


def _walk(folder: Path) -> Iterator[tuple[str, os.DirEntry]]:
    """Yield (relative name, entry) of all files below a folder, sorted; links are refused."""
    waiting = [("", str(folder))]
    while waiting:
        prefix, path = waiting.pop()
        with os.scandir(path) as entries:
            ordered = sorted(entries, key=lambda entry: entry.name)
        for entry in ordered:
            if entry.is_symlink():
                raise CorpusError(
                    f"{folder.name} was refused: it holds a link, {entry.name!r}, and links are not followed."
                )
            if entry.is_dir(follow_symlinks=False):
                waiting.append((f"{prefix}{entry.name}/", entry.path))
            elif entry.is_file(follow_symlinks=False):
                yield prefix + entry.name, entry
            else:
                raise CorpusError(f"{folder.name} was refused: {entry.name!r} is neither a file nor a folder.")


def _folder_members(folder: Path, accept: Accept, guard: _Guard) -> Iterator[tuple[str, bytes]]:
    try:
        for relative, entry in _walk(folder):
            name = guard.admit(folder, f"{folder.name}/{relative}", entry.stat().st_size)
            if accept(name):
                with open(entry.path, "rb") as stream:
                    content = stream.read(MEMBER_LIMIT)
                yield name, content
    except OSError as error:
        raise CorpusError(f"{error.filename or folder} can't be read: {error.strerror or error}.") from error


class _BoundedStream:
    """A stream that refuses to give more than ``limit`` bytes: headers, too, can unpack to more than memory holds."""

    def __init__(self, stream, limit: int, source: Path):
        self._stream, self._left, self._source = stream, limit, source

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise CorpusError(f"{self._source.name} was refused: unpacked it is larger than any corpus here.")
        return data


def _tar_members(path: Path, accept: Accept, guard: _Guard) -> Iterator[tuple[str, bytes]]:
    # tar pads each file to 512 bytes and adds a header of 512, so small files weigh more packed than alone
    limit = TOTAL_LIMIT * 2
    try:
        with open(path, "rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            stream = gzip.GzipFile(fileobj=raw) if packed else raw
            with tarfile.open(fileobj=_BoundedStream(stream, limit, path), mode="r|") as tar:
                for member in tar:
                    if member.isdir():
                        if safe_name(member.name) is None:
                            guard.admit(path, member.name, 0)
                        continue
                    if not member.isreg() or member.issparse():
                        raise CorpusError(
                            f"{path.name} was refused: its member {member.name!r} is a link, a device or the like."
                        )
                    name = guard.admit(path, member.name, member.size)
                    if accept(name):
                        content = tar.extractfile(member).read()
                        if len(content) != member.size:
                            raise tarfile.ReadError("unexpected end of data")
                        yield name, content
                    tar.members.clear()  # a stream keeps every header otherwise
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(
            f"{path.name} is not a whole .tar.gz archive ({error}); if it was downloaded, delete it and fetch it again."
        ) from error
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror or error}.") from error

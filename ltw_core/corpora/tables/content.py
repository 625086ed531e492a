"""A table's file as bytes, within bounds: read from a path or an open file, and unpacked."""

import gzip
import io
import logging
import os
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

from ltw_core.corpora.corpus import CorpusError
from ltw_core.corpora.tables.limits import NO_LIMITS, Limits

GZIP = b"\x1f\x8b"
LARGE = 2 * 10**9  # bytes from which reading says what it will take
TIMES = 3  # as much memory as the file has bytes: its bytes, its texts, and its texts in their order

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Content:
    """The bytes of a file; :func:`ltw_core.corpora.read_table` takes one where it must not read any amount.

    Attributes
    ----------
    data : bytes
    name : str
        Of the file, for sentences; its ending decides where the content leaves a choice.
    limits : Limits
        The most that is read of it.
    """

    data: bytes
    name: str = "the table"
    limits: Limits = NO_LIMITS

    def unpacked(self) -> "Content":
        """What gzip has compressed; itself if gzip has not.

        Raises
        ------
        CorpusError
            It is damaged, or larger than its limit.
        """
        limit = self.limits.n_bytes
        _check_size(self.name, "is larger", len(self.data), limit)
        if not self.data.startswith(GZIP):
            return self
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(self.data)) as file:
                data = file.read(-1 if limit is None else limit + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise CorpusError(f"{self.name} is compressed with gzip and damaged; make it or fetch it again.") from error
        _check_size(self.name, "unpacks to more", len(data), limit)
        tell_if_large(self.name, len(data))
        return replace(self, data=data)


def content_of(path_or_file) -> Content:
    """The whole content of a path, of bytes, or of an open file, which is read from its beginning.

    Raises
    ------
    CorpusError
        It cannot be read.
    """
    if isinstance(path_or_file, Content):
        return path_or_file
    if isinstance(path_or_file, bytes | bytearray | memoryview):
        return Content(bytes(path_or_file))
    if isinstance(path_or_file, str | os.PathLike):
        path = Path(path_or_file)
        try:
            if not path.is_file():
                raise CorpusError(f"There is no file {path}.")
            tell_if_large(path.name, path.stat().st_size)
            with open(path, "rb") as file:
                return content_of(file)
        except CorpusError:
            raise
        except (OSError, ValueError) as error:
            raise CorpusError(f"{path} can't be read: {getattr(error, 'strerror', None) or error}.") from error
    if not hasattr(path_or_file, "read"):
        raise CorpusError(f"A table is a path, bytes or an open file, not {type(path_or_file).__name__}.")
    source = getattr(path_or_file, "name", None)
    source = Path(source).name if isinstance(source, str) and source else "the table"
    try:
        if getattr(path_or_file, "seekable", lambda: False)():
            path_or_file.seek(0)
        data = path_or_file.read()
    except UnicodeDecodeError as error:
        raise CorpusError(
            f"{source} isn't {error.encoding}; open it in binary mode, or with another encoding."
        ) from error
    except (OSError, ValueError) as error:
        raise CorpusError(f"{source} can't be read: {error}.") from error
    return Content(data.encode("utf-8", "replace") if isinstance(data, str) else bytes(data), source)


def tell_if_large(source: str, n_bytes: int):
    """Log what memory reading will take, from 2 GB on."""
    if n_bytes >= LARGE:
        log.warning("%s has %.1f GB; reading it takes about %d times as much memory.", source, n_bytes / 10**9, TIMES)


def _check_size(source: str, what: str, n_bytes: int, limit: int | None):
    if limit is not None and n_bytes > limit:
        raise CorpusError(
            f"{source} {what} than {limit // 2**20:,} MB, the most that is read here; take a sample of it, or read it "
            "with Python, where memory is the limit."
        )

"""Fetching a published archive into the data folder: checked, resumable, and whole or not there at all.

The transfer goes to a hidden ``….part`` file next to its destination, which is renamed when checksum or content are
right. A transfer that breaks off is taken up where it stopped, in the same call and in a later one; the server is asked
with ``If-Range`` whether it still has the same file. Left out: parallel transfers, anything but HTTP(S).
"""

import hashlib
import http.client
import json
import logging
import os
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from ltw_core.corpora.catalogue import catalogue
from ltw_core.corpora.corpus import CorpusError
from ltw_core.corpora.reader import Address, ArchiveReader
from ltw_core.settings import data_dir

log = logging.getLogger(__name__)

Progress = Callable[[int, int | None], None]

TIMEOUT = 30  # seconds without a byte
ATTEMPTS = 4  # at one address
PAUSE = 1.0  # seconds before the second attempt, doubled each time
_BLOCK = 2**17
_PROGRESS_EVERY = 0.1  # seconds
_one_at_a_time = threading.Lock()


def fetch(name: str, progress: Progress | None = None) -> Path:
    """Download the archive of a corpus into the data folder, unless it is there.

    Parameters
    ----------
    name : str
        A corpus of :func:`ltw_core.corpora.catalogue` that is downloadable.
    progress : callable, optional
        Called with the bytes so far and in all (None where the server doesn't say) some times a second. What it raises
        stops the transfer and passes through; the next call goes on from there.

    Returns
    -------
    Path
        The archive, or the folder where it lies unpacked.

    Raises
    ------
    CorpusError
        If there is no such archive, the data folder can't be written, no address can be reached, or what they send is
        not the published archive.
    """
    readers = {reader.name: reader for reader in catalogue() if reader.downloadable}
    if name not in readers:
        raise CorpusError(f"{name!r} is not a corpus that can be fetched; these can: {', '.join(readers)}.")
    folder = data_dir()
    with _one_at_a_time:
        found = readers[name].find_published(folder)
        return found[0] if found else download(readers[name], folder, progress)


def download(reader: ArchiveReader, folder: Path, progress: Progress | None = None) -> Path:
    """Download a reader's archive into a folder, from the first address that gives it.

    Parameters
    ----------
    reader : ArchiveReader
    folder : Path
        Made if it does not exist.
    progress : callable, optional
        As in :func:`fetch`.

    Raises
    ------
    CorpusError
        See :func:`fetch`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f".{reader.archive}.part"
        with open(part, "ab"):
            pass
    except OSError as error:
        raise CorpusError(
            f"{reader.title} can't be downloaded to {folder} ({error.strerror}). Set LTW_DATA to a folder that can be "
            "written."
        ) from error
    failures = []
    for address in reader.addresses:
        try:
            _bring(reader, address, part, progress)
            os.replace(part, folder / reader.archive)
            _memory(part).unlink(missing_ok=True)
            return folder / reader.archive
        except _FailureError as failure:
            log.info("%s: %s", address.url, failure)
            failures.append(f"{urlsplit(address.url).hostname}: {failure}")
        except OSError as error:
            raise CorpusError(f"{reader.title} can't be written to {folder}: {error.strerror or error}.") from error
    if part.exists() and not part.stat().st_size:
        _discard(part)
    raise CorpusError(
        f"{reader.title} could not be downloaded ({'; '.join(failures)}). Check the network and try again, or get "
        f"{reader.archive} elsewhere and put it into {folder}."
    )


class _FailureError(Exception):
    """One address doesn't give the archive; the message says why in a few words."""


class _BrokenOffError(Exception):
    """A transfer ended early or the server can't be reached now; worth another attempt."""


def _memory(part: Path) -> Path:
    """Beside the part: from where it came, and what the server calls that state of the file."""
    return part.with_name(part.name + ".json")


def _discard(part: Path):
    part.unlink(missing_ok=True)
    _memory(part).unlink(missing_ok=True)


def _bring(reader: ArchiveReader, address: Address, part: Path, progress: Progress | None):
    """Transfer and verify; a file pieced together from two transfers is transferred once more in one piece."""
    pieced = _transfer(address.url, part, reader.size_limit, progress)
    try:
        _verify(reader, address, part)
    except _FailureError as failure:
        if not pieced:
            raise
        log.info("%s, pieced together: %s; once more from the start", address.url, failure)
        _transfer(address.url, part, reader.size_limit, progress)
        _verify(reader, address, part)


def _transfer(url: str, part: Path, limit: int, progress: Progress | None) -> bool:
    """Bring the whole file into ``part``; True if it was taken up from an earlier, broken transfer."""
    for attempt in range(ATTEMPTS):
        try:
            return _attempt(url, part, limit, progress)
        except _BrokenOffError as error:
            if attempt + 1 == ATTEMPTS:
                raise _FailureError(str(error)) from error
            log.info("%s, attempt %d: %s", url, attempt + 1, error)
            time.sleep(PAUSE * 2**attempt)


def _attempt(url: str, part: Path, limit: int, progress: Progress | None) -> bool:
    have, validator = _resumable(url, part)
    headers = {"User-Agent": "ltw-lab", "Accept-Encoding": "identity"}
    if have:
        headers |= {"Range": f"bytes={have}-", "If-Range": validator}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=TIMEOUT) as response:
            start = have if response.status == 206 and _range_start(response) == have else 0
            if response.status == 206 and start != have:
                _discard(part)
                raise _BrokenOffError("the server sent another part than asked for")
            _receive(response, url, part, start, limit, progress)
            return start > 0
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416:  # nothing lies beyond what we have: start again rather than guess
            _discard(part)
        if error.code in (408, 416, 429) or error.code >= 500:
            raise _BrokenOffError(f"the server answers {error.code} {error.reason}") from error
        raise _FailureError(f"the server answers {error.code} {error.reason}") from error
    except urllib.error.URLError as error:
        # no network or no server there: waiting would not help
        if isinstance(error.reason, socket.gaierror | ConnectionRefusedError):
            raise _FailureError(f"not reached ({_cause(error.reason)})") from error
        raise _BrokenOffError(f"not reached ({_cause(error.reason)})") from error
    except (http.client.HTTPException, ConnectionError, TimeoutError) as error:
        raise _BrokenOffError(f"the transfer broke off ({_cause(error)})") from error


def _cause(error: object) -> str:
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def _resumable(url: str, part: Path) -> tuple[int, str]:
    """Bytes that are there from the same address and the validator to ask with; (0, "") to start from the beginning."""
    try:
        memory = json.loads(_memory(part).read_text(encoding="utf-8"))
        if memory["url"] == url and isinstance(memory["validator"], str) and memory["validator"]:
            return part.stat().st_size, memory["validator"]
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return 0, ""


def _range_start(response) -> int | None:
    """The first byte of ``Content-Range: bytes 100-199/200``."""
    unit, _, rest = response.headers.get("Content-Range", "").partition(" ")
    first = rest.partition("-")[0]
    return int(first) if unit == "bytes" and first.isdecimal() else None


def _receive(response, url: str, part: Path, start: int, limit: int, progress: Progress | None):
    length = response.headers.get("Content-Length", "")
    total = start + int(length) if length.isdecimal() else None
    if total is not None and total > limit:
        raise _FailureError(f"the file there has {total:,} bytes, more than the {limit:,} that are taken")
    done, reported = start, 0.0
    with open(part, "ab") as file:
        file.truncate(start)
        validator = response.headers.get("ETag", "")
        if not validator or validator.startswith("W/"):  # a weak tag does not promise the same bytes
            validator = response.headers.get("Last-Modified", "")
        _memory(part).write_text(json.dumps({"url": url, "validator": validator}), encoding="utf-8")
        while block := _block(response):
            done += len(block)
            if done > limit:
                raise _FailureError(f"the file there has more than the {limit:,} bytes that are taken")
            file.write(block)
            if progress is not None and time.monotonic() - reported > _PROGRESS_EVERY:
                reported = time.monotonic()
                progress(done, total)
    if total is not None and done < total:
        raise _BrokenOffError(f"the transfer broke off after {done:,} of {total:,} bytes")
    if progress is not None:
        progress(done, total)


def _block(response) -> bytes:
    try:
        return response.read(_BLOCK)
    except (http.client.HTTPException, OSError) as error:  # told apart here from errors of writing
        raise _BrokenOffError(f"the transfer broke off ({_cause(error)})") from error


def _verify(reader: ArchiveReader, address: Address, part: Path):
    """Compare the checksum where it is known, the content otherwise; what is wrong is deleted."""
    if address.sha256 is not None:
        with open(part, "rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        problem = "" if found == address.sha256 else f"its SHA-256 is {found} instead of {address.sha256}"
    else:
        try:
            problem = reader.problem(reader.parse((part,)))
        except CorpusError as error:
            problem = str(error)
    if problem:
        _discard(part)
        raise _FailureError(f"what came is not the published archive ({problem.rstrip('.')})")

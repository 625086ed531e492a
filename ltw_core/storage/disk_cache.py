"""Arrays on disk, by content: what was computed from the same texts and options is read back instead of computed.

A cache file is a plain ``.npz`` without pickled objects, written under a temporary name and renamed. Anything wrong
with one (cut short, written by something else) and the file counts as absent.

Arrays in it are neither compressed nor moved from where memory may begin, so that those of a large file are mapped into
memory, read-only: they are there at once, processes share them, and the system may drop what nobody reads. Small files
are read as they are, and so are those of earlier versions, whose arrays begin anywhere.
"""

import logging
import os
import struct
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from scipy import sparse

log = logging.getLogger(__name__)

MAPPED_FROM = 16 * 2**20  # bytes of an array; reading less takes milliseconds, and its checksum is looked at
_ALIGNED = 64
_LOCAL = struct.Struct("<26xHH")  # of a member's local header: lengths of its name and of its extra field
_PADDING = 0x4C57  # names an extra field that nobody reads
_ZIP64 = 20  # bytes that ``zipfile`` adds to an extra field


def read_arrays(path: Path, unpack: Callable[[dict[str, np.ndarray]], Any] = dict) -> Any:
    """The arrays of a cache file, or what they are unpacked to; None where there are none that can be read."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            mapped = _mapped(path, archive.zip)
            return unpack({name: mapped[name] if name in mapped else archive[name] for name in archive.files})
    except (FileNotFoundError, NotADirectoryError):
        return None
    except Exception as error:  # whatever a damaged file makes the libraries raise
        log.warning("cache file %s is unusable and will be written again: %s", path.name, error)
        return None


def write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write a cache file whole or not at all. A full or read-only disk is logged, not raised."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                _write(file, arrays)
            os.replace(temporary, path)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except OSError as error:
        log.warning("cache file %s could not be written: %s", path.name, error)


def _write(file: BinaryIO, arrays: dict[str, np.ndarray]) -> None:
    """What ``np.savez`` writes, each array where memory may begin."""
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy")
            begins = file.tell() + _LOCAL.size + len(member.filename.encode()) + _ZIP64 + 4
            padding = -begins % _ALIGNED
            member.extra = struct.pack("<HH", _PADDING, padding) + bytes(padding)
            with archive.open(member, "w", force_zip64=True) as target:
                np.lib.format.write_array(target, np.asanyarray(array), allow_pickle=False)


def _mapped(path: Path, archive: zipfile.ZipFile) -> dict[str, np.ndarray]:
    """The large arrays of a file that can be mapped into memory, read-only; the file may be replaced meanwhile."""
    found = {}
    for member in archive.infolist():
        if member.file_size < MAPPED_FROM or member.compress_type != zipfile.ZIP_STORED:
            continue
        with open(path, "rb") as file:
            file.seek(member.header_offset)
            file.seek(sum(_LOCAL.unpack(file.read(_LOCAL.size))), os.SEEK_CUR)
            end = file.tell() + member.file_size
            version = np.lib.format.read_magic(file)
            if version != (1, 0) or end > os.fstat(file.fileno()).st_size:
                continue
            shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
            size = int(np.prod(shape)) * dtype.itemsize
            if dtype.hasobject or fortran or file.tell() % dtype.alignment or file.tell() + size != end:
                continue
            mapped = np.memmap(file, dtype, "r", file.tell(), shape)
        found[member.filename.removesuffix(".npy")] = mapped.view(np.ndarray)
    return found


def pack_csr(prefix: str, matrix: sparse.csr_array) -> dict[str, np.ndarray]:
    """A sparse matrix as named arrays."""
    return {
        f"{prefix}.data": matrix.data,
        f"{prefix}.indices": matrix.indices,
        f"{prefix}.indptr": matrix.indptr,
        f"{prefix}.shape": np.array(matrix.shape),
    }


def unpack_csr(prefix: str, arrays: dict[str, np.ndarray]) -> sparse.csr_array:
    """Inverse of ``pack_csr``."""
    parts = tuple(arrays[f"{prefix}.{part}"] for part in ("data", "indices", "indptr"))
    return sparse.csr_array(parts, shape=tuple(int(n) for n in arrays[f"{prefix}.shape"]))


def pack_text(texts) -> np.ndarray:
    """Strings without line breaks (terms) as bytes."""
    return np.frombuffer("\n".join(texts).encode("utf-8"), dtype=np.uint8)


def unpack_text(packed: np.ndarray) -> list[str]:
    """Inverse of ``pack_text``."""
    text = packed.tobytes().decode("utf-8")
    return text.split("\n") if text else []

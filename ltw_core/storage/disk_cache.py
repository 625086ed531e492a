"""Arrays on disk, by content: what was computed from the same texts and options is read back instead of computed.

A cache file is a plain ``.npz`` without pickled objects, written under a temporary name and renamed. Anything wrong
with one (cut short, written by something else) makes it as good as absent.
"""

import logging
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

log = logging.getLogger(__name__)


def read_arrays(path: Path, unpack: Callable[[dict[str, np.ndarray]], Any] = dict) -> Any:
    """The arrays of a cache file, or what they are unpacked to; None where there are none that can be read."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            return unpack({name: archive[name] for name in archive.files})
    except (FileNotFoundError, NotADirectoryError):
        return None
    except Exception as error:  # whatever a damaged file makes the libraries raise
        log.warning("cache file %s is unusable and will be made anew: %s", path.name, error)
        return None


def write_arrays(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """Write a cache file whole or not at all. A full or read-only disk is logged, not raised."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez(file, **arrays)
            os.replace(temporary, path)
        finally:
            Path(temporary).unlink(missing_ok=True)
    except OSError as error:
        log.warning("cache file %s could not be written: %s", path.name, error)


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

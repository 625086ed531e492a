"""Arrays and plain values in one safetensors file, without pickle. What they mean is the caller's business.

The file is read as what a stranger may hand in. Its header is bounded and no name stands in it twice; where the caller
says what the file holds (``Layout``), every value, and the shape and kind of every array, is looked at before an array
is read. Anything wrong is a ``FileError`` with a sentence.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ltw_core.storage.array_schema import Array
from ltw_core.storage.file_schema import Fields, FileError, read_json, shown

KEY = "ltw"
MOST_HEADER = 2**24  # bytes, 16 MB: a million terms by name; reading it takes about 15 times that at worst
MOST_BYTES = 2**28  # of a file with a layout, 256 MB: two million terms with all that is known of each take 80
MOST_SAID = 240  # characters of what a library says of a file
KINDS = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "I64": np.int64, "I32": np.int32}


class Layout(NamedTuple):
    """What a kind of file holds.

    Attributes
    ----------
    called : str
        What it is a file of.
    values : Fields
    arrays : callable
        Takes values that fit and gives the rule of every array by name.
    """

    called: str
    values: Fields
    arrays: Callable[[dict], dict[str, Array]]


def write(path, kind, arrays, values):
    """Write arrays and JSON values under a kind ("weighting", "checkpoint") to `path`, whole or not at all.

    Raises
    ------
    FileError
        The values are more than ``read`` takes.
    """
    from safetensors.numpy import save_file  # late: what learns and writes nothing does without it

    path = Path(path)
    header = json.dumps({"kind": kind, "version": 1, "values": values}, allow_nan=True)
    if len(json.dumps(header)) > MOST_HEADER - 2**16:  # the rest is for the arrays' names
        raise FileError(f"the values and notes have {len(header):,} characters of JSON; at most 16 million are kept")
    part = path.with_name(path.name + ".part")
    try:
        ordered = {name: np.asarray(value, order="C") for name, value in arrays.items()}
        save_file(ordered, part, metadata={KEY: header})
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def read(path, kind, layout: Layout | None = None):
    """Read (arrays, values) of a kind from `path`.

    Parameters
    ----------
    path : str or path
    kind : str
    layout : Layout, optional
        What the file must hold; without it, whatever it holds is read.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    FileError
        The file is not one that `write` made, is of another kind, or holds something else than the layout says.
    """
    from safetensors import SafetensorError, safe_open

    path = Path(path)
    if not path.is_file():
        folder = f"{path} is a folder; a saved weighting is a file"
        raise FileNotFoundError(folder if path.is_dir() else f"there is no file {path}")
    called = layout.called if layout is not None else "a learned weighting"
    if layout is not None and path.stat().st_size > MOST_BYTES:
        raise FileError(f"{path.name} has {path.stat().st_size:,} bytes; at most {MOST_BYTES:,} are read")
    try:
        outer = _header(path)
        with safe_open(path, framework="numpy") as file:
            if outer is None:
                raise FileError(f"{path.name} is a safetensors file, but not of {called}")
            found, values = _values(outer, path.name, called)
            if found != kind:
                raise FileError(f"{path.name} holds a {found}, not a {kind}")
            return _arrays(file, values, layout, path.name), values
    except (SafetensorError, AttributeError, TypeError, ValueError, OSError) as error:
        if isinstance(error, FileError):
            raise
        raise FileError(f"{path.name} is not a file of {called}: {_plain(error, path)}") from error


def _header(path: Path) -> str | None:
    """What `write` put into a file's header; None where there is nothing of ours."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > MOST_HEADER:
            raise ValueError(f"its header has {size:,} bytes, more than the {MOST_HEADER:,} that are read")
        header = file.read(size)
    if len(header) < size or not header.startswith(b"{"):
        return None  # for the library to say what is wrong with it
    try:
        metadata = read_json(header, "its header", MOST_HEADER).get("__metadata__", {})
    except FileError as error:
        raise ValueError(str(error)) from error
    return metadata.get(KEY) if isinstance(metadata, dict) else None


def _values(text: str, name: str, called: str) -> tuple[str, dict]:
    try:
        content = read_json(text, "what it says of itself", MOST_HEADER)
    except FileError as error:
        raise FileError(f"{name} is not a file of {called}: {error}") from error
    found, values = (content.get("kind"), content.get("values")) if isinstance(content, dict) else (None, None)
    if not isinstance(found, str) or not isinstance(values, dict):
        raise FileError(f"{name} is a safetensors file, but not of {called}")
    return shown(found).strip("'"), values


def _arrays(file, values: dict, layout: Layout | None, name: str) -> dict[str, np.ndarray]:
    there = list(file.keys())
    if layout is None:
        return {key: file.get_tensor(key) for key in there}
    try:
        layout.values.check(values, "")
        rules = layout.arrays(values)
        for key in sorted(rules.keys() ^ set(there)):
            what = f"has no array {key}" if key in rules else f"has an array {shown(key)}"
            raise FileError(f"it {what}; it must have {', '.join(sorted(rules))}")
        arrays = {}
        for key, rule in rules.items():
            part = file.get_slice(key)
            shape, dtype = tuple(part.get_shape()), np.dtype(KINDS.get(part.get_dtype(), np.void))
            if not rule.holds(shape, dtype):
                raise FileError(f"{key} is an array of shape {shape} of {part.get_dtype()}; it must be {rule.expected}")
            arrays[key] = file.get_tensor(key)
            rule.check(arrays[key], key)
    except FileError as error:
        raise FileError(f"{name} is a damaged file of {layout.called}: {error}") from error
    return arrays


def _plain(error: Exception, path: Path) -> str:
    """What a library says, without the file's folder; of what it repeats of the file, the beginning and the end."""
    said = str(error).replace(f"{path.parent}{os.sep}", "")
    return said if len(said) <= MOST_SAID else f"{said[: MOST_SAID // 2]}…{said[-MOST_SAID // 2 :]}"


def under(prefix, arrays):
    """The arrays whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): value for name, value in arrays.items() if name.startswith(prefix)}

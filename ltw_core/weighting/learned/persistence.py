"""Arrays and plain values in one safetensors file, without pickle. What they mean is the caller's business.

The file is read as what a stranger may hand in: anything wrong with it is a ValueError with a sentence.
"""

import json
import os
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

KEY = "ltw"


def write(path, kind, arrays, values):
    """Write arrays and JSON values under a kind ("weighting", "checkpoint") to `path`, whole or not at all."""
    path = Path(path)
    header = {KEY: json.dumps({"kind": kind, "version": 1, "values": values}, allow_nan=True)}
    part = path.with_name(path.name + ".part")
    try:
        save_file({name: np.asarray(value, order="C") for name, value in arrays.items()}, part, metadata=header)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def read(path, kind):
    """Read (arrays, values) of a kind from `path`.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    ValueError
        The file is not one that `write` made, or is of another kind.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    try:
        with safe_open(path, framework="numpy") as file:
            header = (file.metadata() or {}).get(KEY)
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
        content = json.loads(header) if header else {}
        found, values = content.get("kind"), content.get("values")
    except (SafetensorError, ValueError, AttributeError, TypeError, OSError) as error:
        raise ValueError(f"{path.name} is not a file of a learned weighting: {error}") from error
    if found is None or not isinstance(values, dict):
        raise ValueError(f"{path.name} is a safetensors file, but not of a learned weighting")
    if found != kind:
        raise ValueError(f"{path.name} holds a {found}, not a {kind}")
    return arrays, values


def under(prefix, arrays):
    """The arrays whose names begin with a prefix, without it."""
    return {name.removeprefix(prefix): value for name, value in arrays.items() if name.startswith(prefix)}

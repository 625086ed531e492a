"""How far a run of the command line is, as a JSON file that the app reads while the study's process writes it."""

import json
import logging
import time
from dataclasses import asdict
from pathlib import Path

from ltw_core.storage import file_schema
from ltw_core.storage.file_schema import INTEGER, Fields, FileError, Number, OneOf, Optional, Text, Whole

log = logging.getLogger(__name__)

LIMIT = 2**22  # bytes of a file: of what was asked for, the names of classes are most
MOMENT = Number(0, 1e11)  # seconds since 1970
COUNT = Whole(0, INTEGER)
STATES = ("running", "finished", "stopped", "failed")
PROGRESS = Fields(
    {
        "state": OneOf(STATES),
        "error": Text(100_000),
        "time": MOMENT,
        **dict.fromkeys(("done", "failed", "total", "elsewhere", "unknown"), COUNT),
        "elapsed": Number(0, 1e11),
        "left": Optional(Number(0, 1e15)),
    },
    optional=("error", "time", "done", "failed", "total", "elsewhere", "unknown", "elapsed", "left"),
)


class ProgressFile:
    """Writes a run's progress, and how it ended when the block ends that it is entered for.

    Parameters
    ----------
    path : path, optional
        Without, nothing is written.
    """

    def __init__(self, path: Path | None):
        self._path, self._last = path, {}

    def __call__(self, progress) -> None:
        self._last = asdict(progress)
        self._write("running")

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        failed = kind is not None and kind is not KeyboardInterrupt
        self._write("failed" if failed else "stopped" if kind else "finished", str(error) if failed else "")

    def _write(self, state: str, error: str = "") -> None:
        if self._path is None:
            return
        try:
            write_json(self._path, self._last | {"state": state, "error": error, "time": time.time()})
        except OSError as problem:  # the study goes on, and the store has all that matters
            log.warning("the progress cannot be written: %s", problem)


def write_json(path: Path, values: dict) -> None:
    """Write a file whole: readers see the old one or the new one."""
    part = path.with_suffix(".part")
    try:
        part.write_text(json.dumps(values), encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def read_json(path: Path, rule: Fields) -> dict | None:
    """What ``write_json`` wrote; None where there is nothing.

    Raises
    ------
    FileError
        It cannot be read, or is not as the rule says.
    """
    try:
        with path.open("rb") as file:
            content = file.read(LIMIT + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileError(f"{path.name} cannot be read: {error.strerror}") from error
    found = file_schema.read_json(content, path.name, LIMIT)
    if not isinstance(found, dict):
        raise FileError(f"{path.name} is {file_schema.shown(found)}; it must be {rule.expected}")
    try:
        rule.check(found, "")
    except FileError as error:
        raise FileError(f"{path.name} is damaged: {error}") from error
    return found

"""How far a run of the command line is, as a JSON file that the app reads while the study's process writes it."""

import json
import time
from dataclasses import asdict
from pathlib import Path


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
        if self._path is not None:
            write_json(self._path, self._last | {"state": state, "error": error, "time": time.time()})


def write_json(path: Path, values: dict) -> None:
    """Write a file whole: readers see the old one or the new one."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(values), encoding="utf-8")
    part.replace(path)


def read_json(path: Path) -> dict | None:
    """What ``write_json`` wrote; None where there is nothing that can be read."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None

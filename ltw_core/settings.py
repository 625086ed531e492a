"""Where the project reads archives and keeps what it computes, and what a server's owner allows.

Environment variables, nothing else:

``LTW_DATA``           folder of corpus archives, may be read-only (default: ``data/`` of the project's folder)
``LTW_STATE``          folder of caches and of the store, writable (default: ``data/state/`` of the project's folder)
``LTW_SHARE_UPLOADS``  ``1`` lets readers of the app share the tables that they bring with all others (default: no)
``LTW_STUDY_WORKERS``  most processes of a study that is started from the app (default: the cores); 0 forbids studies
``LTW_JOBS``           background jobs (trainings, evaluations) that run at a time (default: 2)
``LTW_JOBS_EACH``      jobs that one browser may have running or waiting (default: 20)
``LTW_JOBS_ALL``       jobs that may run or wait in all (default: 400)
``LTW_GRACE``          seconds after which the work of a browser that is gone ends (default: 45); a reload takes less

Where the package is installed alone, outside of the project's folder, ``~/ltw-lab`` takes the place of ``data/``; the
examples and results that ship with the project are not there.
"""

import os
from pathlib import Path
from typing import Any

PROJECT_DATA = Path(__file__).resolve().parent.parent / "data"
IN_PROJECT = (PROJECT_DATA / "README.md").is_file()
DEFAULT_DATA = PROJECT_DATA if IN_PROJECT else Path("~/ltw-lab")


def data_dir() -> Path:
    """Folder in which archives are looked for and to which they are downloaded. It may not exist."""
    return Path(os.environ.get("LTW_DATA") or DEFAULT_DATA).expanduser()


def state_dir() -> Path:
    """Folder of caches and of the store. Whoever writes into it makes it."""
    return Path(os.environ.get("LTW_STATE") or DEFAULT_DATA / "state").expanduser()


def examples_dir() -> Path:
    """Folder of the learned weightings that ship with the project (read-only)."""
    return PROJECT_DATA / "examples"


def results_dir() -> Path:
    """Folder of the studies' figures that ship with the project, and of the paper's."""
    return PROJECT_DATA / "results"


def why_not_shipped() -> str:
    """For errors: why examples and results are not there, in a sentence; empty in the project's folder."""
    return "" if IN_PROJECT else f"; they ship with the project's folder, and {PROJECT_DATA.parent} is another one"


def share_uploads() -> bool:
    """Whether a corpus that one reader of the app uploads may be shown to the others."""
    return os.environ.get("LTW_SHARE_UPLOADS", "").strip().lower() in ("1", "true", "yes", "on")


def study_workers() -> int:
    """Most worker processes of a study that is started from the app; 0 where none may be.

    Raises
    ------
    ValueError
        The setting is no whole number from 0.
    """
    return _number("LTW_STUDY_WORKERS", os.cpu_count() or 1, 0)


def jobs_at_a_time() -> int:
    """Background jobs that run at a time."""
    return _number("LTW_JOBS", 2, 1)


def jobs_each() -> int:
    """Jobs that one browser may have running or waiting."""
    return _number("LTW_JOBS_EACH", 20, 1)


def jobs_in_all() -> int:
    """Jobs that may run or wait in all."""
    return _number("LTW_JOBS_ALL", 400, 1)


def grace_seconds() -> float:
    """Time after which the work of a browser that is gone ends."""
    return _number("LTW_GRACE", 45.0, 1)


def _number(name: str, default: Any, least: int) -> Any:
    """A number of the default's kind."""
    text = os.environ.get(name, "").strip() or str(default)
    try:
        value = type(default)(text)
    except ValueError:
        value = float("nan")
    if not value >= least:  # "not a number" is not, either
        kind = "whole number" if isinstance(default, int) else "number"
        raise ValueError(f"{name} is {text!r}; it must be a {kind} of at least {least}")
    return value

"""Where the project reads archives and keeps what it computes, and what a server's owner allows.

Environment variables, nothing else:

``LTW_DATA``           folder of corpus archives, may be read-only (default: ``data/`` of the project's folder)
``LTW_STATE``          folder of caches and of the store, writable (default: ``data/state/`` of the project's folder)
``LTW_SHARE_UPLOADS``  ``1`` lets readers of the app share the tables that they bring with all others (default: no)
``LTW_UPLOADS_EACH``   megabytes of memory that the tables of one session may take (default: 400)
``LTW_UPLOADS_ALL``    megabytes that the tables of all sessions may take together (default: 1,500)
``LTW_TABLE``          megabytes that an uploaded table may have or unpack to (default: 100); reading takes three times
                       as many. Python and the command line read what memory holds
``LTW_STUDY_WORKERS``  most processes of a study that is started from the app (default: the cores); 0 forbids studies
``LTW_JOBS``           background jobs (training runs, evaluations) that run at a time (default: 2), and most processes
                       that count the terms of a large corpus, of which one is counted at a time
``LTW_JOBS_EACH``      jobs that one browser may have running or waiting (default: 20)
``LTW_JOBS_ALL``       jobs that may run or wait in all (default: 400)
``LTW_GRACE``          seconds after which the work of a browser that is gone ends (default: 45); a reload takes less

``check`` says in a sentence which of them are wrong; programs ask it as they start, and no import fails for one.

Where the package is installed alone, outside of the project's folder, ``~/ltw-lab`` takes the place of ``data/``; the
examples and results that ship with the project are not there.
"""

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

PROJECT_DATA = Path(__file__).resolve().parent.parent / "data"
YES, NO = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")
IN_PROJECT = (PROJECT_DATA / "README.md").is_file()
DEFAULT_DATA = PROJECT_DATA if IN_PROJECT else Path("~/ltw-lab")


def data_dir() -> Path:
    """Folder in which archives are looked for and to which they are downloaded. It may not exist."""
    return _folder("LTW_DATA", DEFAULT_DATA)


def state_dir() -> Path:
    """Folder of caches and of the store. Whoever writes into it makes it."""
    return _folder("LTW_STATE", DEFAULT_DATA / "state")


def environment_in(folder: Path) -> dict[str, str]:
    """The environment of a process that keeps what it computes in another folder."""
    return os.environ | {"LTW_STATE": str(folder)}


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
    text = os.environ.get("LTW_SHARE_UPLOADS", "").strip()
    if text.lower() not in (*YES, *NO):
        raise ValueError(f"LTW_SHARE_UPLOADS is {text!r}; it must be 1 (yes) or 0 (no)")
    return text.lower() in YES


def uploads_each() -> int:
    """Bytes of memory that the tables of one session may take."""
    return _number("LTW_UPLOADS_EACH", 400, 1) * 2**20


def uploads_in_all() -> int:
    """Bytes of memory that the tables of all sessions may take together."""
    return _number("LTW_UPLOADS_ALL", 1500, 1) * 2**20


def table_bytes() -> int:
    """Bytes of the largest table that the app reads, and of what it unpacks to."""
    return _number("LTW_TABLE", 100, 1) * 2**20


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


def check() -> None:
    """See that every setting can be used.

    Raises
    ------
    ValueError
        Some cannot; a clause for each.
    """
    wrong = []
    for read in CHECKED:
        try:
            read()
        except ValueError as error:
            wrong.append(str(error))
    if wrong:
        raise ValueError("; ".join(wrong))


CHECKED = (
    *(data_dir, state_dir, share_uploads, uploads_each, uploads_in_all, table_bytes),
    *(study_workers, jobs_at_a_time, jobs_each, jobs_in_all, grace_seconds),
)


def _folder(name: str, default: Path) -> Path:
    return _checked_folder(name, os.environ.get(name) or str(default))


@lru_cache(maxsize=16)  # pages ask several times a run
def _checked_folder(name: str, text: str) -> Path:
    try:
        folder = Path(text).expanduser()
    except RuntimeError as error:  # ~somebody
        raise ValueError(f"{name} is {text!r}; there is no such home folder") from error
    if folder.is_file():
        raise ValueError(f"{name} is {text!r}; it must be a folder, and that is a file")
    return folder


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

"""Where the project reads archives and keeps what it computes, and what a server's owner allows.

Environment variables, nothing else:

``LTW_DATA``           folder of corpus archives, may be read-only (default: ``data/`` beside this package)
``LTW_STATE``          folder of caches and of the store, writable (default: ``data/state/`` beside this package)
``LTW_SHARE_UPLOADS``  ``1`` lets readers of the app share the tables that they bring with all others (default: no)
``LTW_STUDY_WORKERS``  most processes of a study that is started from the app (default: the cores); 0 forbids studies
"""

import os
from pathlib import Path

PROJECT_DATA = Path(__file__).resolve().parent.parent / "data"


def data_dir() -> Path:
    """Folder in which archives are looked for and to which they are downloaded. It may not exist."""
    return Path(os.environ.get("LTW_DATA") or PROJECT_DATA).expanduser()


def state_dir() -> Path:
    """Folder of caches and of the store. Whoever writes into it makes it."""
    return Path(os.environ.get("LTW_STATE") or PROJECT_DATA / "state").expanduser()


def examples_dir() -> Path:
    """Folder of the learned weightings that ship with the project (read-only)."""
    return PROJECT_DATA / "examples"


def results_dir() -> Path:
    """Folder of the studies' figures that ship with the project, and of the paper's."""
    return PROJECT_DATA / "results"


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
    text = os.environ.get("LTW_STUDY_WORKERS", "").strip()
    if not text:
        return os.cpu_count() or 1
    if not text.isdecimal():
        raise ValueError(f"LTW_STUDY_WORKERS is {text!r}; it must be a whole number, 0 to forbid studies")
    return int(text)

"""Where the project reads archives and keeps what it computes, and what a server's owner allows.

Three environment variables, nothing else.

``LTW_DATA``   folder of corpus archives, may be read-only (default: ``data/`` beside this package)
``LTW_STATE``  folder of caches and of the store, must be writable (default: ``data/state/`` beside this package)
``LTW_SHARE_UPLOADS``  ``1`` lets readers of the app share the tables that they bring with all others (default: no)
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

"""Corpora that readers brought: each in its own session, and for everyone where reader and server's owner both say so.

Whether readers may share at all is the owner's setting ``LTW_SHARE_UPLOADS``. What is shared is kept in memory until
its reader takes it back, newer ones push it out, or the server ends.
"""

import threading
from typing import Any

import streamlit as st

from ltw_core.settings import share_uploads

PREFIX = "own-"
LIMIT = 8  # shared by all sessions together; each may take hundreds of megabytes

_lock = threading.Lock()
_shared: dict[str, Any] = {}


def own() -> dict[str, Any]:
    """This session's own vectorised corpora by identifier."""
    return st.session_state.setdefault("own_corpora", {})


def visible() -> dict[str, Any]:
    """Those that this session sees: its own, then what others share."""
    return {**own(), **{key: value for key, value in shared().items() if key not in own()}}


def shared() -> dict[str, Any]:
    """What is shared, oldest first; nothing where the owner does not allow it."""
    if not share_uploads():
        return {}
    with _lock:
        return dict(_shared)


def keep(source: Any, with_all: bool) -> str:
    """Keep a vectorised corpus in this session, for everyone if asked and allowed; returns its identifier."""
    key = PREFIX + source.corpus.fingerprint[:8]
    own()[key] = source
    if with_all and share_uploads():
        with _lock:
            _shared.pop(key, None)
            _shared[key] = source
            while len(_shared) > LIMIT:
                del _shared[next(iter(_shared))]
    return key


def stop_sharing(key: str) -> None:
    """Share one of this session's no longer; in callbacks."""
    if key in own():
        with _lock:
            _shared.pop(key, None)


def title(key: str) -> str:
    """How a corpus is listed."""
    if key in own():
        return f"{own()[key].corpus.title} (yours{', shared' if key in shared() else ''})"
    return f"{shared()[key].corpus.title} (shared by a visitor)"

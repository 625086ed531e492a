"""The file of classes, which all server processes with the same ``LTW_STATE`` share, and who is asking for one."""

import functools
import threading
from pathlib import Path

import streamlit as st

from ltw_core.service.classrooms import Classrooms
from ltw_core.settings import state_dir
from pages._ui.reader import introduction, owners

_lock = threading.Lock()


def rooms() -> Classrooms:
    """The classes of this server; a ``ValueError`` says why there can be none."""
    with _lock:
        return _open(state_dir() / "classes.sqlite")


@functools.lru_cache(maxsize=4)
def _open(path: Path) -> Classrooms:
    return Classrooms(path)


def teacher() -> str:
    """Who leads a class: this browser, by the digest of its secret; one without cookies until it is reloaded."""
    return introduction.browser() or owners.session()


def visitor() -> str:
    """What a visitor's wrong codes are counted by: their machine, where the connection tells, else their browser."""
    return str(st.context.ip_address or introduction.browser() or owners.session())

"""Where training runs are kept: a file for those on the catalogue's corpora, memory for those on a reader's own."""

import functools
import logging
import sqlite3
import threading
from pathlib import Path

from ltw_core.service.training_history import History
from ltw_core.settings import state_dir
from pages._ui.reader import uploads

MEMORY = ":memory:"
PATIENCE = 0.04  # seconds that the first page waits for what died to be called so; nobody waits for another's writing
_lock = threading.Lock()  # one of each, however many ask first
log = logging.getLogger(__name__)


def store_of(dataset: str) -> History:
    """The history for training runs on a corpus. What is learned of a reader's own texts never reaches the disk."""
    return private() if dataset.startswith(uploads.PREFIX) else lasting()


def lasting() -> History:
    """The history that outlives this process."""
    with _lock:
        return _open(state_dir() / "history.sqlite")


def lasts() -> bool:
    """Whether what is trained outlives this process: not where the history's file cannot be used."""
    return str(lasting().path) != MEMORY


@functools.cache
def private() -> History:
    """The history of training runs on own corpora; each goes with its session."""
    return History(MEMORY)


@functools.cache
def _open(path: Path) -> History:
    try:
        store = History(path)
    except ValueError as error:
        log.error("%s; training runs are remembered until this server ends", error)
        return History(MEMORY)
    tidying = threading.Thread(target=_tidy, args=(store,), name="history", daemon=True)
    tidying.start()
    tidying.join(PATIENCE)
    return store


def _tidy(store: History) -> None:
    """Mark what died with another process, and remove what is kept no longer."""
    try:
        store.mark_dead()
        store.purge()
    except sqlite3.Error as error:  # it is tried again within the hour
        log.warning("the history could not be tidied up: %s", error)

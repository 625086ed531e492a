"""Cells that have been computed, wherever on this server: by the app, by a study, or before the project was shipped.

A cell is found by its key, so that nothing computed with other settings, texts or versions can take its place.
Leaves out computing (``service.cells_on_demand``) and cells of a reader's own, which stay with the reader.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from ltw_core.settings import state_dir
from ltw_core.storage.database import NotThere
from ltw_core.studies import results
from ltw_core.studies.record import Record
from ltw_core.studies.store import Store

log = logging.getLogger(__name__)

STUDIES = "stud*.sqlite"  # stores of studies in the state folder


class SharedCell(NamedTuple):
    """A finished cell; ``origin`` is "here" (computed by the app), "study" or "shipped"."""

    record: Record
    origin: str


def app_store() -> Path:
    """The file in which the app keeps its cells."""
    return state_dir() / "cells.sqlite"


def curve_store() -> Path:
    """The file of what was computed for learning curves: most of it from small samples, which would spoil estimates of
    how long a cell takes."""
    return state_dir() / "curves.sqlite"


def find(keys: Iterable[str]) -> dict[str, SharedCell]:
    """Those of some cells that have been computed, by key.

    Parameters
    ----------
    keys : iterable of str
        ``Cell.key``.
    """
    wanted = list(dict.fromkeys(keys))
    found = find_here(wanted)
    shipped = _shipped()
    return found | {key: SharedCell(shipped[key], "shipped") for key in wanted if key in shipped and key not in found}


def find_here(keys: Iterable[str]) -> dict[str, SharedCell]:
    """As ``find``, of what was computed on this server only."""
    wanted = list(dict.fromkeys(keys))
    found: dict[str, SharedCell] = {}
    for path, origin in [
        (app_store(), "here"),
        (curve_store(), "here"),
        *((p, "study") for p in sorted(state_dir().glob(STUDIES))),
    ]:
        rest = [key for key in wanted if key not in found]
        if rest:
            found |= {key: SharedCell(record, origin) for key, record in _ask(path, Store.find, rest).items()}
    return found


def lookup_for(store: Path) -> Callable[[list[str]], dict[str, Record]] | None:
    """What ``runner.run`` takes as ``computed_before`` for a store: in the state folder, all that was computed there.

    A store elsewhere stands alone (None), and shipped figures are never taken over: a study is there to compute them
    again.
    """
    if store.absolute().parent != state_dir().absolute():
        return None
    return lambda keys: {key: found.record for key, found in find_here(keys).items()}


def errors_here(keys: Iterable[str], store: Path | None = None) -> dict[str, str]:
    """Why those of some cells failed that the app tried to compute, by key; ``store``: where, if not in its own."""
    return _ask(store or app_store(), Store.errors, keys)


def _ask(path: Path, question: Callable[[Store, Iterable[str]], dict], keys: Iterable[str]) -> dict:
    """What a store knows of some cells; nothing where there is none, or none that can be read."""
    try:
        return question(_opened(path, _number(path)), keys)
    except NotThere:
        return {}
    except (ValueError, sqlite3.Error) as error:
        log.warning("%s is passed over: %s", path.name, error)
        return {}


@lru_cache(maxsize=16)
def _opened(path: Path, _file: int) -> Store:
    """A store that stays open for reading."""
    return Store(path, read_only=True)


def _shipped() -> dict[str, Record]:
    try:
        return results.shipped().by_key
    except ValueError as error:
        log.warning("the shipped results are passed over: %s", error)
        return {}


def _number(path: Path) -> int:
    """A file's number: another file may come to lie at the same place. 0 where there is none."""
    try:
        return path.stat().st_ino
    except OSError:
        return 0

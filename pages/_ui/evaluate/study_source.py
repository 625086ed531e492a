"""Where the study page's figures come from: those that ship with the project, a store on this server, or both."""

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from ltw_core.corpora import catalogue
from ltw_core.settings import results_dir, state_dir
from ltw_core.studies import results
from ltw_core.studies.averages import figures
from ltw_core.studies.store import Store
from pages._ui import words
from pages._ui.controls import choose_one
from pages._ui.guard import plain

SOURCES = {"both": "Both", "shipped": "Shipped", "server": "This server's"}
STORE = "studies.sqlite"
FRESH = 10  # seconds for which a store that is being written is not read again


@dataclass(frozen=True)
class Found:
    """Cells and records of a source, their averages, and which of them were shipped."""

    source: str
    results: results.Results
    figures: list[Any]
    shipped: frozenset[str]  # keys of cells


def store_path() -> Path:
    """The store of the studies that are run from this page; also the command line's default."""
    return state_dir() / STORE


def titles() -> dict[str, str]:
    """Corpora in words."""
    return {entry.name: entry.title for entry in catalogue()}


def choose() -> str:
    """The control; a key of ``SOURCES``."""
    return choose_one("source", SOURCES, "both")


def load(source: str, classes: tuple[str, ...] | None = None) -> Found:
    """What a source has, averaged over some classes or all; read once a change of its files."""
    return _found(source, classes, _changed(results_dir() / results.PROVENANCE), str(store_path()), _store_changed())


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _store_changed() -> float:
    """When the store was last written, coarsely, since a running study writes all the time."""
    path = store_path()
    last = max(_changed(path), _changed(path.with_name(path.name + "-wal")))
    return last if time.time() - last > FRESH else last // FRESH


@st.cache_resource(max_entries=6, show_spinner="Reading the figures…")
def _found(
    source: str, classes: tuple[str, ...] | None, shipped_at: float, server_path: str, server_at: float
) -> Found:
    empty = results.Results([], [])
    shipped = empty if source == "server" else results.shipped()
    server = empty
    if source != "shipped" and Path(server_path).is_file():
        with Store(server_path, create=False) as store:
            server = results.merge(store)  # into memory: the file is closed again
    both = results.merge(shipped, server)
    keys = {r.cell.key for r in shipped.records()} - {r.cell.key for r in server.records()}
    return Found(source, both, figures(both, classes=classes), frozenset(keys))


def provenance(found: Found) -> str:
    """Where the figures come from, in a sentence or two."""
    records = found.results.records()
    if not records:
        return "None of our figures are here yet: run a study, or look at the paper's."
    shipped = [r for r in records if r.cell.key in found.shipped]
    parts = [
        _of(some, what)
        for what, some in (
            ("shipped with LTW Lab", shipped),
            ("computed on this server", [r for r in records if r.cell.key not in found.shipped]),
        )
        if some
    ]
    machines = sorted({record.host for record in shipped})
    return f"Ours: {'; '.join(parts)}." + (f" Shipped ones ran on: {plain('; '.join(machines))}." if machines else "")


def _of(records: list[Any], what: str) -> str:
    days = sorted({time.strftime("%Y-%m-%d", time.gmtime(r.finished)) for r in records})
    grids = Counter(r.cell.grid for r in records)
    seeds = len({r.cell.seed for r in records})
    return (
        f"{words.count(len(records), 'cell')} {what} ({days[0]}{f' to {days[-1]}' if days[1:] else ''}; "
        f"{' and '.join(f'{grid} grid' for grid in grids)}; {words.count(seeds, 'seed')})"
    )

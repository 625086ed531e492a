"""Where the study page's figures come from: those that ship with the project, a store on this server, or both; or the
studies of a table that the reader brought, which nobody else sees."""

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ltw_core.corpora import catalogue
from ltw_core.service.kept_tables import KeptTable
from ltw_core.settings import results_dir, state_dir
from ltw_core.storage.database import NotThere
from ltw_core.studies import paper, results
from ltw_core.studies.averages import AveragedCells, averaged_cells
from ltw_core.studies.store import Store
from ltw_core.studies.tables import apart
from pages._ui import words
from pages._ui.controls import choose_one
from pages._ui.guard import plain
from pages._ui.reader import selection, table_results, tables_on_disk, uploads
from pages._ui.result_cache import kept

SOURCES = {"both": "Both", "shipped": "With the app", "server": "This server’s"}
STORE = "studies.sqlite"
FRESH = 10  # seconds for which a store that is being written is not read again


@dataclass(frozen=True)
class StudyData:
    """Cells and records of a source, their averages, which of them were shipped, and what may be missing."""

    source: str
    results: results.Results
    averaged: list[AveragedCells]
    shipped: frozenset[str]  # keys of cells
    missing: str = ""  # a sentence
    hidden: frozenset[str] = frozenset()  # groups of settings beside those that are shown
    counted: str = ""  # in words, where a corpus was counted in several ways

    def over(self, classes: tuple[str, ...]) -> list[AveragedCells]:
        """The averages over some classes."""
        return [f for f in load(self.source, classes).averaged if f.group not in self.hidden]

    @property
    def key(self) -> tuple:
        """Tells these figures from others, for what is made of them once (``kept``)."""
        records = self.results.records()
        groups = tuple(sorted({f.group for f in self.averaged}))
        return self.source, groups, len(records), max((record.finished for record in records), default=0.0)

    def class_of(self, corpus: str) -> str | None:
        """The class that the sidebar has, where it is one of a corpus of these figures."""
        return selection.class_name() if selection.dataset() in (corpus, self.source) else None

    @property
    def of_table(self) -> bool:
        """Whether these are figures of a table of the reader's own, of which the paper has none."""
        return self.source.startswith(uploads.PREFIX)


def store_path() -> Path:
    """The store of the studies that are run from this page; also the command line's default."""
    return state_dir() / STORE


def own_tables() -> dict[str, KeptTable]:
    """The reader's tables that a study can read, by identifier: those on this server's disk."""
    return {key: table for key, table in tables_on_disk.tables().items() if key in uploads.own()}


def titles() -> dict[str, str]:
    """Corpora in words, by the names that cells have."""
    own = {table.source.name: table.source.called for table in own_tables().values()}
    return own | {entry.name: entry.title for entry in catalogue()}


def short_titles() -> dict[str, str]:
    """Titles for a row of controls, without what follows in parentheses."""
    return titles() | {entry.name: entry.title.partition(" (")[0] for entry in catalogue()}


def in_order(corpora: Iterable[str]) -> list[str]:
    """Corpora once each, the paper's first and in its order."""
    order = {name: place for place, name in enumerate(paper.DATASETS)}
    return sorted(dict.fromkeys(corpora), key=lambda name: order.get(name, len(order)))


def choose() -> str:
    """The control; a key of ``SOURCES``, or a table of the reader's that has been studied."""
    own = studied()
    return choose_one("source", SOURCES | own, "both", always=bool(own), formerly={"Shipped": "shipped"})


def studied() -> dict[str, str]:
    """The reader's tables that have been studied: what each is called, by identifier."""
    return {key: table.source.called for key, table in own_tables().items() if table.store.exists()}


def load(source: str, classes: tuple[str, ...] | None = None) -> StudyData:
    """What a source has, averaged over some classes or all; read again only after its files have changed."""
    if source.startswith(uploads.PREFIX):
        store = own_tables()[source].store
        make = lambda: _read(source, classes, str(store))  # noqa: E731
        return table_results.of(uploads.own()[source], "study", (classes, _store_changed(store)), make)
    store = store_path()
    return _found(source, classes, _changed(results_dir() / results.PROVENANCE), str(store), _store_changed(store))


def one_way(data: StudyData) -> StudyData:
    """The figures of one way of counting, where a corpus was studied in several under one grid and protocol."""
    ways = _ways(data.averaged)
    names = list(dict.fromkeys(name for of in ways for name in of))
    if not names:
        return data
    done = {name: max(sum(f.done for f in of.get(name, ())) for of in ways) for name in names}
    names.sort(key=done.get, reverse=True)
    chosen = choose_one("study_terms", {name: name[:1].upper() + name[1:] for name in names}, names[0])
    hidden = set()
    for of in ways:
        shown = chosen if chosen in of else max(of, key=lambda name: sum(f.done for f in of[name]))
        hidden |= {f.group for name, some in of.items() if name != shown for f in some}
    keys = {cell.key for cell, _, group in data.results.cells() if group not in hidden}
    return replace(
        data,
        results=results.Results(
            [entry for entry in data.results.cells() if entry[2] not in hidden],
            [record for record in data.results.records() if record.cell.key in keys],
        ),
        averaged=[f for f in data.averaged if f.group not in hidden],
        hidden=frozenset(hidden),
        counted=chosen,
    )


def _ways(averaged: list[AveragedCells]) -> list[dict[str, list[AveragedCells]]]:
    """Of each corpus, grid and protocol with several groups of settings: the figures of each, by what it is called."""
    places: dict[tuple, dict[str, list[AveragedCells]]] = {}
    for f in averaged:
        cell = f.example
        places.setdefault((cell.corpus, cell.grid, cell.protocol), {}).setdefault(f.group, []).append(f)
    several = [groups for groups in places.values() if len(groups) > 1]
    found = []
    for groups in several:
        examples = {group: of[0].example for group, of in groups.items()}
        named = {group: ", ".join(apart(cell, examples.values())) or "as usual" for group, cell in examples.items()}
        twice = [name for name in named.values() if list(named.values()).count(name) > 1]
        named = {group: f"{name}, settings {group[:6]}" if name in twice else name for group, name in named.items()}
        found.append({named[group]: of for group, of in groups.items()})
    return found


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _store_changed(path: Path) -> float:
    """When a store was last written, coarsely, since a running study writes all the time."""
    last = max(_changed(path), _changed(path.with_name(path.name + "-wal")))
    return last if time.time() - last > FRESH else last // FRESH


@kept(6, "Reading the figures…")
def _found(
    source: str, classes: tuple[str, ...] | None, shipped_at: float, server_path: str, server_at: float
) -> StudyData:
    return _read(source, classes, server_path)


def _read(source: str, classes: tuple[str, ...] | None, path: str) -> StudyData:
    empty = results.Results([], [])
    shipped = results.shipped() if source in ("both", "shipped") else empty
    server, missing = empty, ""
    if source != "shipped":
        with suppress(NotThere), Store(path, read_only=True) as store:
            server, missing = results.merge(store), store.perhaps_missing()  # into memory: the file is closed again
    both = results.merge(shipped, server)
    keys = {r.cell.key for r in shipped.records()} - {r.cell.key for r in server.records()}
    return StudyData(source, both, averaged_cells(both, classes=classes), frozenset(keys), missing)


def provenance(data: StudyData) -> tuple[str, str]:
    """Where the figures come from, in a sentence or two, and what is counted, and computed on which machines."""
    records = data.results.records()
    if not records and data.of_table:
        return "None of its F1 scores has been computed yet.", ""
    if not records:
        return "None of our results are here yet: start a study under *Run a study*, or look at the paper’s.", ""
    shipped = [r for r in records if r.cell.key in data.shipped]
    parts = [
        _of(some, what)
        for what, some in (
            ("that come with the app", shipped),
            ("computed on this server", [r for r in records if r.cell.key not in data.shipped]),
        )
        if some
    ]
    machines = sorted({record.host for record in shipped})
    missing = f" {plain(data.missing)}." if data.missing else ""
    counted = "An F1 score here is that of one class with one weighting, classifier, grid and seed."
    ran = f" Those that come with the app were computed on: {plain('; '.join(machines))}." if machines else ""
    return f"Ours: {'; '.join(parts)}.{missing}", counted + ran


def _of(records: list[Any], what: str) -> str:
    days = sorted({time.strftime("%Y-%m-%d", time.gmtime(r.finished)) for r in records})
    grids = dict.fromkeys(_grid(r.cell) for r in records)
    seeds = len({r.cell.seed for r in records})
    return (
        f"{words.count(len(records), 'F1 score')} {what} ({days[0]}{f' to {days[-1]}' if days[1:] else ''}; "
        f"{' and '.join(grids)}; {words.count(seeds, 'seed')})"
    )


def _grid(cell: Any) -> str:
    return f"{cell.grid} grid" + (f" on {cell.grid_sample:,} training documents" if cell.grid_sample else "")

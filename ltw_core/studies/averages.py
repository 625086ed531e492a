"""Averages of a study: macro and micro F1 of each place of the paper's tables, a ⟨weighting, corpus, learner⟩.

A figure is an average over classes, so there is one only where all classes of the table are done; what is missing is
counted, not averaged over. With several seeds, averages are taken for each and then their mean and standard deviation.

Leaves out their layout as a table (``tables``).
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, mean, stdev
from typing import NamedTuple, Protocol

from ltw_core.evaluation import LEARNERS, macro_f1, micro_f1, with_test_positives
from ltw_core.studies.cell import Cell
from ltw_core.studies.store import Record
from ltw_core.weighting import methods, paper_settings

MEASURES = {
    "macro_f1": "Macro F1",
    "micro_f1": "Micro F1",
    "macro_f1_with_test_positives": "Macro F1 over the classes with test documents",
}


class Average(NamedTuple):
    """Mean over seeds, and the standard deviation of a sample (n - 1); None with one seed."""

    value: float
    sd: float | None


@dataclass(frozen=True)
class Figure:
    """A place of the tables: one weighting with one learner on one corpus.

    Attributes
    ----------
    group : str
        Column group: names the corpus and all settings.
    example : Cell
        Its first cell, for the settings.
    weighting, learner : str
        ``weighting`` with its parameters where they differ from the paper's.
    averages : dict of str to Average
        By ``MEASURES``; empty while classes are missing.
    seeds : int
        Seeds with all classes done.
    classes, classes_with_positives : int
        Of the table; the second among the classes that are done.
    done, failed, planned : int
        Cells.
    seconds, weighting_seconds : float
        Mean over cells.
    versions : tuple of str
        What computed it; more than one where versions changed in between.
    first, last : float
        When its cells were finished, in seconds since 1970; 0 where none is.
    """

    group: str
    example: Cell
    weighting: str
    learner: str
    averages: dict[str, Average]
    seeds: int
    classes: int
    classes_with_positives: int
    done: int
    failed: int
    planned: int
    seconds: float
    weighting_seconds: float
    versions: tuple[str, ...]
    first: float
    last: float

    def value(self, measure: str) -> float | None:
        """The mean of a measure, or None while classes are missing."""
        average = self.averages.get(measure)
        return average.value if average else None


class Source(Protocol):
    """Where cells and records come from: a ``Store``, or ``results.Results``."""

    def cells(self) -> list[tuple[Cell, str, str]]: ...

    def records(self) -> list[Record]: ...


def figures(store: Source, *, classes: Iterable[str] | None = None) -> list[Figure]:
    """All places of the tables that the store has cells for.

    Parameters
    ----------
    store : Store or Results
    classes : names, optional
        Average over these classes only. Without, over all that were planned with the same settings, by any weighting.
    """
    wanted = None if classes is None else set(classes)
    latest: dict[tuple, tuple[Cell, str]] = {}  # a cell planned again under other versions replaces the older
    planned_classes = defaultdict(dict)
    for cell, state, group in store.cells():
        if wanted is None or cell.class_name in wanted:
            place = (group, label(cell), cell.learner)
            at = (*place, cell.class_name, cell.seed)
            if at not in latest or latest[at][1] != "done" or state == "done":
                latest[at] = (cell, state)
            planned_classes[group][cell.class_name] = None
    records = {record.cell.key: record for record in store.records()}
    places = defaultdict(list)
    for (group, weighting, learner, *_), cell_and_state in latest.items():
        places[group, weighting, learner].append(cell_and_state)
    found = [_figure(place, cells, planned_classes[place[0]], records) for place, cells in places.items()]
    rows, columns = {name: i for i, name in enumerate(methods())}, {name: i for i, name in enumerate(LEARNERS)}
    groups = {group: i for i, group in enumerate(planned_classes)}
    return sorted(
        found, key=lambda f: (groups[f.group], rows[f.example.weighting], f.weighting, columns.get(f.learner, 99))
    )


def label(cell: Cell) -> str:
    """A weighting's name, with parameters that are not the paper's."""
    if not cell.weighting_parameters:
        return cell.weighting
    usual = paper_settings(cell.weighting, cell.corpus).items()
    parameters = ", ".join(
        f"{name} = {value}" for name, value in cell.weighting_parameters if (name, value) not in usual
    )
    return f"{cell.weighting} ({parameters})" if parameters else cell.weighting


def _figure(place, cells, classes, records: dict[str, Record]) -> Figure:
    done = [records[cell.key] for cell, state in cells if state == "done"]
    by_seed = defaultdict(dict)
    for record in done:
        by_seed[record.cell.seed][record.cell.class_name] = record
    complete = [list(seed.values()) for seed in by_seed.values() if len(seed) == len(classes)]
    positives = {record.cell.class_name for record in with_test_positives(done)}
    averages = {}
    if complete:
        averages = {"macro_f1": _over_seeds(macro_f1, complete), "micro_f1": _over_seeds(micro_f1, complete)}
        if positives:
            some = [with_test_positives(seed) for seed in complete]
            averages["macro_f1_with_test_positives"] = _over_seeds(macro_f1, some)
    versions = {record.cell.versions for record in done}
    times = [record.finished for record in done]
    return Figure(
        *(place[0], cells[0][0], *place[1:], averages),
        seeds=len(complete),
        classes=len(classes),
        classes_with_positives=len(positives),
        done=len(done),
        failed=sum(state == "failed" for _, state in cells),
        planned=len(cells),
        seconds=fmean([record.seconds for record in done] or [0.0]),
        weighting_seconds=fmean([record.weighting_seconds for record in done] or [0.0]),
        versions=tuple(sorted(" ".join(f"{name} {version}" for name, version in some) for some in versions)),
        first=min(times, default=0.0),
        last=max(times, default=0.0),
    )


def _over_seeds(average, seeds: list[list[Record]]) -> Average:
    values = [average(results) for results in seeds]
    return Average(mean(values), stdev(values) if len(values) > 1 else None)


def one_a_corpus(found: Iterable[Figure], grid: str) -> list[Figure]:
    """Figures of one group of settings a corpus: that with the most finished cells of a grid."""
    groups: dict[str, dict[str, list[Figure]]] = defaultdict(lambda: defaultdict(list))
    for figure in found:
        if figure.example.grid == grid:
            groups[figure.example.corpus][figure.group].append(figure)
    return [
        figure
        for by_group in groups.values()
        for figure in max(by_group.values(), key=lambda figures: sum(f.done for f in figures))
    ]


def shared_classes(records: Iterable[Record], corpus: str, grid: str) -> list[str]:
    """Classes of a corpus that every ⟨weighting, learner⟩ has finished that has finished any, with seed 0."""
    done: dict[tuple, dict[str, None]] = defaultdict(dict)
    for record in records:
        cell = record.cell
        if (cell.corpus, cell.grid, cell.seed) == (corpus, grid, 0):
            done[cell.weighting, cell.weighting_parameters, cell.learner][cell.class_name] = None
    return [name for name in max(done.values(), key=len, default={}) if all(name in each for each in done.values())]

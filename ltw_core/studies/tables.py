"""The paper's tables from a store: macro and micro F1 by weighting × ⟨corpus, learner⟩, and their significance.

A figure is an average over classes, so there is one only where all classes of the table are done; what is missing is
counted, not averaged over. With several seeds, averages are taken for each and then their mean and standard deviation.

Leaves out how a table is written (``table_text``).
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, mean, stdev
from typing import NamedTuple, Protocol

from ltw_core.corpora import catalogue
from ltw_core.evaluation import LEARNERS, dagger, macro_f1, micro_f1, p_value, with_test_positives
from ltw_core.studies.cell import Cell
from ltw_core.studies.store import Record
from ltw_core.weighting import family, methods, paper_settings

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
        Of the table; the second as far as is known.
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


@dataclass(frozen=True)
class Table:
    """A measure in the paper's layout.

    Attributes
    ----------
    measure : str
    rows : list of (family, weighting)
    columns : list of (group, learner)
    titles : dict of str
        The column groups in words.
    cells : dict of ((weighting, group, learner) to Figure)
        Places that were planned.
    """

    measure: str
    rows: list[tuple[str, str]]
    columns: list[tuple[str, str]]
    titles: dict[str, str]
    cells: dict[tuple[str, str, str], Figure]

    def value(self, weighting: str, column: tuple[str, str]) -> float | None:
        figure = self.cells.get((weighting, *column))
        return figure.value(self.measure) if figure else None

    def best(self, column: tuple[str, str]) -> set[str]:
        """The weightings with the column's highest value."""
        return best(self._column(column))

    def beats_baselines(self, weighting: str, column: tuple[str, str]) -> bool:
        """Whether a learned weighting is better than all others that are there."""
        return weighting in beating(self._column(column))

    def _column(self, column: tuple[str, str]) -> dict[str, float]:
        values = ((name, self.value(name, column)) for _, name in self.rows)
        return {name: value for name, value in values if value is not None}


def best(values: Mapping[str, float]) -> set[str]:
    """Of values by weighting the names of the highest, to three digits as shown; none of a single one."""
    shown = {name: round(value, 3) for name, value in values.items()}
    return {name for name, value in shown.items() if value == max(shown.values())} if len(shown) > 1 else set()


def beating(values: Mapping[str, float]) -> set[str]:
    """Names of learned weightings with a higher value than all others that are there, to three digits as shown."""
    shown = {name: round(value, 3) for name, value in values.items()}
    others = [value for name, value in shown.items() if family_of(name) != "LTW"]
    return {name for name, value in shown.items() if others and family_of(name) == "LTW" and value > max(others)}


def table(found: Sequence[Figure], measure: str) -> Table:
    """Figures as a table of one measure."""
    if measure not in MEASURES:
        raise ValueError(f"measure is {measure!r}; it must be one of {', '.join(MEASURES)}")
    order = {name: i for i, name in enumerate(methods())}
    rows = {(family(f.example.weighting), f.weighting): order[f.example.weighting] for f in found}
    return Table(
        measure=measure,
        rows=sorted(rows, key=lambda row: (rows[row], row[1])),
        columns=list(dict.fromkeys((f.group, f.learner) for f in found)),
        titles=_titles(found),
        cells={(f.weighting, f.group, f.learner): f for f in found},
    )


def _titles(found: Sequence[Figure]) -> dict[str, str]:
    """Column groups by the corpus's title, and what tells them apart where a corpus has several."""
    titles = {entry.name: entry.title for entry in catalogue()}
    groups = {f.group: f.example for f in found}
    named = {group: titles.get(cell.corpus, cell.corpus) for group, cell in groups.items()}
    for group, cell in groups.items():
        same = [other for other in groups.values() if other.corpus == cell.corpus]
        if len({other.grid for other in same}) > 1:
            named[group] += f", {cell.grid} grid"
    twice = [title for title in named.values() if list(named.values()).count(title) > 1]
    return {group: f"{title}, settings {group[:6]}" if title in twice else title for group, title in named.items()}


class Comparison(NamedTuple):
    """Two weightings over the ⟨corpus, learner⟩ pairs that both have."""

    one: str
    other: str
    mark: str  # "††", "†" or "": where ``one`` is better
    p: float | None  # None without pairs
    pairs: int


def scores(found: Sequence[Figure], measure: str) -> dict[str, dict[tuple[str, str], float]]:
    """Values by weighting and column, of the places that have one."""
    values: dict[str, dict] = {name: {} for _, name in table(found, measure).rows}
    for figure in found:
        if (value := figure.value(measure)) is not None:
            values[figure.weighting][figure.group, figure.learner] = value
    return values


def significance(found: Sequence[Figure], measure: str) -> list[Comparison]:
    """Wilcoxon's signed-rank test of each learned weighting against every other one, as in the paper's table."""
    return compare(scores(found, measure))


def compare(values: Mapping[str, Mapping[tuple, float]]) -> list[Comparison]:
    """The tests of ``significance`` from values by weighting and ⟨corpus, learner⟩, such as the paper's own."""
    comparisons = []
    for one in (name for name in values if family_of(name) == "LTW"):
        for other in (name for name in values if name != one):
            shared = [column for column in values[one] if column in values[other]]
            pairs = [[values[name][column] for column in shared] for name in (one, other)]
            mark, p = (dagger(*pairs), p_value(*pairs)) if shared else ("", None)
            comparisons.append(Comparison(one, other, mark, p, len(shared)))
    return comparisons


def family_of(name: str) -> str:
    """Family of a weighting as it is named in tables, with parameters or of the paper alone."""
    plain = name.partition(" (")[0]
    if plain in methods():
        return family(plain)
    return "LTW" if plain.startswith("LTW") else "STW"

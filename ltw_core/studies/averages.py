"""Averages of a study: macro and micro F1 of each place of the paper's tables, a ⟨weighting, corpus, learner⟩.

A figure is an average over classes, so there is one only where all classes of the table are done; what is missing is
counted, not averaged over. With several seeds, averages are taken for each and then their mean and standard deviation.

Leaves out their layout as a table (``tables``).
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from statistics import fmean, mean, stdev
from typing import NamedTuple, Protocol

from ltw_core.evaluation import LEARNERS, macro_f1, micro_f1, with_test_positives
from ltw_core.protocol import LEFT_OUT, ONE, PAPER, PREDICTED
from ltw_core.studies.cell import Cell
from ltw_core.studies.record import Record
from ltw_core.weighting import paper_settings
from ltw_core.weighting.methods import METHODS, is_beyond

MEASURES = {
    "macro_f1": "Macro F1",
    "micro_f1": "Micro F1",
    "macro_f1_with_test_positives": "Macro F1 over the classes with test documents",
    "macro_f1_untested_one": "Macro F1, 1 in the classes without test documents",
}
MACRO = {PREDICTED: "macro_f1", ONE: "macro_f1_untested_one", LEFT_OUT: "macro_f1_with_test_positives"}
"""Measures of macro F1 by how they count the classes without test documents (``ltw_core.protocol.UNTESTED``)."""
COUNTING = {measure: untested for untested, measure in MACRO.items()}


class Average(NamedTuple):
    """Mean over seeds, and the standard deviation of a sample (n - 1); None with one seed."""

    value: float
    sd: float | None


class ClassScore(NamedTuple):
    """F1 and counts of a class, means over seeds."""

    f1: float
    tp: float
    fp: float
    fn: float

    @property
    def untested(self) -> bool:
        """Whether no test document has the class."""
        return not self.tp + self.fn


class OnUntested(NamedTuple):
    """What of a macro F1 hangs on the classes without test documents.

    Attributes
    ----------
    classes : int
        That no test document has.
    predicted : float
        Of these, in how many some document is predicted; a mean over seeds.
    lost : float
        What macro F1 loses by that: (1 - F1) / classes of the table, summed over them.
    """

    classes: int
    predicted: float
    lost: float


@dataclass(frozen=True)
class AveragedCells:
    """The cells of one weighting with one learner on one corpus, averaged over classes: a place of the tables.

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
    by_class : dict of str to ClassScore
        By class the mean over seeds that have all classes; empty while there is none.
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
    by_class: dict[str, ClassScore] = field(default_factory=dict)

    def value(self, measure: str) -> float | None:
        """The mean of a measure, or None while classes are missing."""
        average = self.averages.get(measure)
        return average.value if average else None

    def scores(self, measure: str) -> dict[str, float]:
        """F1 of each class that takes part in a measure as it counts there; of micro F1 as of macro F1."""
        counting = COUNTING.get(measure, PREDICTED)
        if counting == PREDICTED:
            return {name: score.f1 for name, score in self.by_class.items()}
        kept = {name: s for name, s in self.by_class.items() if counting == ONE or not s.untested}
        return {name: 1.0 if score.untested else score.f1 for name, score in kept.items()}

    @property
    def on_untested(self) -> OnUntested | None:
        """What of its macro F1 hangs on classes without test documents; None while classes are missing."""
        if not self.by_class:
            return None
        lost = [1 - score.f1 for score in self.by_class.values() if score.untested]
        return OnUntested(len(lost), sum(lost), sum(lost) / len(self.by_class))


def shared_scores(several: Sequence[AveragedCells], measure: str) -> dict[str, tuple[float, ...]]:
    """F1 of the classes that all of several places have, a number a place; as ``AveragedCells.scores`` counts it."""
    sides = [averaged.scores(measure) for averaged in several]
    first = sides[0] if sides else {}
    return {name: tuple(side[name] for side in sides) for name in first if all(name in side for side in sides)}


class Source(Protocol):
    """Where cells and records come from: a ``Store``, or ``results.Results``."""

    def cells(self) -> list[tuple[Cell, str, str]]: ...

    def records(self) -> list[Record]: ...


def averaged_cells(store: Source, *, classes: Iterable[str] | None = None) -> list[AveragedCells]:
    """Averages for every place of the tables that a store has cells for.

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
    found = [_averaged(place, cells, planned_classes[place[0]], records) for place, cells in places.items()]
    rows, columns = {name: i for i, name in enumerate(METHODS)}, {name: i for i, name in enumerate(LEARNERS)}
    groups = {group: i for i, group in enumerate(planned_classes)}
    last = len(rows)  # for what is registered elsewhere alone
    return sorted(
        found,
        key=lambda f: (groups[f.group], rows.get(f.example.weighting, last), f.weighting, columns.get(f.learner, 99)),
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


def _averaged(place, cells, classes, records: dict[str, Record]) -> AveragedCells:
    done = [records[cell.key] for cell, state in cells if state == "done" and cell.key in records]
    by_seed = defaultdict(dict)
    for record in done:
        by_seed[record.cell.seed][record.cell.class_name] = record
    complete = [list(seed.values()) for seed in by_seed.values() if len(seed) == len(classes)]
    positives = {record.cell.class_name for record in with_test_positives(done)}
    averages = {}
    if complete:
        averages = {"macro_f1": _over_seeds(macro_f1, complete), "micro_f1": _over_seeds(micro_f1, complete)}
        for untested, measure in list(MACRO.items())[1:] if positives else ():
            averages[measure] = _over_seeds(partial(macro_f1, untested=untested), complete)
    versions = {record.cell.versions for record in done}
    times = [record.finished for record in done]
    return AveragedCells(
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
        by_class=_by_class([seed for seed in by_seed.values() if len(seed) == len(classes)]),
    )


def _by_class(seeds: list[dict[str, Record]]) -> dict[str, ClassScore]:
    scores = [{name: ClassScore(r.f1, r.tp, r.fp, r.fn) for name, r in seed.items()} for seed in seeds]
    if len(scores) == 1:
        return scores[0]
    return {
        name: ClassScore(*map(fmean, zip(*(seed[name] for seed in scores), strict=True)))
        for name in (scores[0] if scores else ())
    }


def _over_seeds(average, seeds: list[list[Record]]) -> Average:
    values = [average(results) for results in seeds]
    return Average(mean(values), stdev(values) if len(values) > 1 else None)


def one_a_corpus(found: Iterable[AveragedCells], grid: str, protocol: str = PAPER) -> list[AveragedCells]:
    """Averages of one group of settings a corpus: that with the most finished cells of a grid under a protocol."""
    groups: dict[str, dict[str, list[AveragedCells]]] = defaultdict(lambda: defaultdict(list))
    for averaged in found:
        if averaged.example.grid == grid and averaged.example.how.name == protocol:
            groups[averaged.example.corpus][averaged.group].append(averaged)
    return [
        averaged
        for by_group in groups.values()
        for averaged in max(by_group.values(), key=lambda some: sum(each.done for each in some))
    ]


def fullest(found: Sequence[AveragedCells], protocol: str = PAPER) -> list[AveragedCells]:
    """Averages of the full grid for each ⟨corpus, learner⟩ where it has every figure that the quick grid has there of
    the paper's weightings, and of the quick grid for the others: figures of one column are of one grid, so that they
    can be compared."""
    quick, full = (one_a_corpus(found, grid, protocol) for grid in ("quick", "full"))
    place = lambda f: (f.example.corpus, f.learner, f.weighting)  # noqa: E731
    there = {place(f) for f in full if f.averages}
    lacking = {
        (f.example.corpus, f.learner)
        for f in quick
        if f.averages and not is_beyond(f.example.weighting) and place(f) not in there
    }
    only_quick = {(f.example.corpus, f.learner) for f in quick} - {(corpus, learner) for corpus, learner, _ in there}
    of_quick = lacking | only_quick
    kept = [f for f in quick if (f.example.corpus, f.learner) in of_quick]
    return kept + [f for f in full if (f.example.corpus, f.learner) not in of_quick]


def shared_classes(records: Iterable[Record], corpus: str, grid: str, protocol: str = PAPER) -> list[str]:
    """Classes of a corpus that are done, with seed 0, for every ⟨weighting, learner⟩ with any class done."""
    done: dict[tuple, dict[str, None]] = defaultdict(dict)
    for record in records:
        cell = record.cell
        if (cell.corpus, cell.grid, cell.seed, cell.how.name) == (corpus, grid, 0, protocol):
            done[cell.weighting, cell.weighting_parameters, cell.learner][cell.class_name] = None
    return [name for name in max(done.values(), key=len, default={}) if all(name in each for each in done.values())]

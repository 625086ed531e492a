"""Our figures beside the paper's, place by place, and where they lie apart.

A place is a ⟨weighting, corpus, learner⟩. Of each corpus one group of settings takes part, that with the most finished
cells of a grid. Leaves out why figures lie apart, which a reader of the tables must say.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ltw_core.evaluation import learners
from ltw_core.studies import paper
from ltw_core.studies.store import Record
from ltw_core.studies.tables import Average, Figure, beating, best, family_of
from ltw_core.weighting import FAMILIES, methods

OURS, PAPERS = "ours", "paper"
FAR = 0.02


@dataclass(frozen=True)
class Place:
    """One place of a table.

    Attributes
    ----------
    weighting, corpus, learner : str
    figure : Figure or None
        None where nothing was planned.
    average : Average or None
        Ours; None while classes are missing.
    paper : float or None
    """

    weighting: str
    corpus: str
    learner: str
    figure: Figure | None
    average: Average | None
    paper: float | None

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's, to the three digits that both are given in."""
        if self.average is None or self.paper is None:
            return None
        return round(round(self.average.value, 3) - self.paper, 3)

    @property
    def comparable(self) -> bool:
        """Whether both figures are there, of the same documents as far as is known."""
        return self.difference is not None and self.figure.example.fingerprint not in paper.OTHERS

    def value(self, whose: str) -> float | None:
        if whose == PAPERS:
            return self.paper
        return None if self.average is None else self.average.value


@dataclass(frozen=True)
class Beside:
    """A measure's table: ours and the paper's figures.

    Attributes
    ----------
    measure : str
    rows : list of (family, weighting)
    columns : list of (corpus, learner)
    places : dict of (weighting, corpus, learner) to Place
    """

    measure: str
    rows: list[tuple[str, str]]
    columns: list[tuple[str, str]]
    places: dict[tuple[str, str, str], Place]

    def place(self, weighting: str, column: tuple[str, str]) -> Place:
        return self.places[(weighting, *column)]

    def column(self, column: tuple[str, str], whose: str) -> dict[str, float]:
        """Values of a column by weighting; missing ones left out."""
        values = ((name, self.place(name, column).value(whose)) for _, name in self.rows)
        return {name: value for name, value in values if value is not None}

    def best(self, column: tuple[str, str], whose: str) -> set[str]:
        return best(self.column(column, whose))

    def beating(self, column: tuple[str, str], whose: str) -> set[str]:
        """Learned weightings that are better than all others of the column."""
        return beating(self.column(column, whose))

    def scores(self, whose: str) -> dict[str, dict[tuple[str, str], float]]:
        """Values by weighting and ⟨corpus, learner⟩, of the weightings that have any."""
        found: dict[str, dict] = defaultdict(dict)
        for (name, *column), place in self.places.items():
            if (value := place.value(whose)) is not None:
                found[name][tuple(column)] = value
        return {name: found[name] for _, name in self.rows if name in found}

    def far(self, limit: float = FAR) -> list[Place]:
        """Places where ours and the paper's lie more than ``limit`` apart, the furthest first."""
        found = [p for p in self.places.values() if p.difference is not None and abs(p.difference) > limit]
        return sorted(found, key=lambda p: -abs(p.difference))

    def both(self) -> list[Place]:
        """Places that have a figure of ours and one of the paper's, of the same documents or not."""
        return [place for place in self.places.values() if place.difference is not None]


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


def beside(
    found: Sequence[Figure], measure: str, *, corpora: Sequence[str] | None = None, with_paper: bool = True
) -> Beside:
    """Figures of ``one_a_corpus`` beside the paper's.

    Parameters
    ----------
    found : list of Figure
    measure : str
        Of ``tables.MEASURES``; the paper has macro and micro F1.
    corpora : list of str, optional
        Default: the paper's, and what else there are figures of.
    with_paper : bool
        False where the figures are of other classes than the paper's.
    """
    papers = paper.values().get(measure, {}) if with_paper else {}
    ours = {(f.weighting, f.example.corpus, f.learner): f for f in found}
    theirs = {(name, *column): value for name, of in papers.items() for column, value in of.items()}
    if corpora is None:
        corpora = list(dict.fromkeys([*paper.DATASETS, *(corpus for _, corpus, _ in ours)]))
    keys = [key for key in (*ours, *theirs) if key[1] in corpora]
    order = learners("Dense")  # with its own FT
    columns = {(corpus, learner) for _, corpus, learner in keys}
    places = {}
    rows = _rows([name for name, _, _ in keys])
    columns = sorted(columns, key=lambda column: (corpora.index(column[0]), _at(order, column[1])))
    for _, name in rows:
        for column in columns:
            figure = ours.get((name, *column))
            average = figure.averages.get(measure) if figure else None
            places[(name, *column)] = Place(name, *column, figure, average, theirs.get((name, *column)))
    return Beside(measure, rows, columns, places)


def shared_classes(records: Iterable[Record], corpus: str, grid: str) -> list[str]:
    """Classes of a corpus that every ⟨weighting, learner⟩ has finished that has finished any, with seed 0."""
    done: dict[tuple, dict[str, None]] = defaultdict(dict)
    for record in records:
        cell = record.cell
        if (cell.corpus, cell.grid, cell.seed) == (corpus, grid, 0):
            done[cell.weighting, cell.weighting_parameters, cell.learner][cell.class_name] = None
    shared = set.intersection(*map(set, done.values())) if done else set()
    return [name for name in max(done.values(), key=len, default={}) if name in shared]


def complete(values: Mapping[str, Mapping[tuple, float]], names: Sequence[str]) -> list[tuple]:
    """⟨Corpus, learner⟩ pairs for which all of some weightings have a value."""
    pairs = [set(values.get(name, ())) for name in names]
    shared = set.intersection(*pairs) if pairs else set()
    first = values.get(names[0], {}) if names else {}
    return [pair for pair in first if pair in shared]


def _rows(names: Iterable[str]) -> list[tuple[str, str]]:
    families, order = list(FAMILIES), [*methods(), *paper.weightings()]
    rows = {(family_of(name), name) for name in names}
    return sorted(rows, key=lambda row: (families.index(row[0]), _at(order, row[1].partition(" (")[0]), row[1]))


def _at(order: Sequence[str], name: str) -> int:
    return order.index(name) if name in order else len(order)

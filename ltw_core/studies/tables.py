"""The paper's layout: weighting × ⟨corpus, learner⟩, with our figures and the paper's, and where they differ.

A column is either a corpus, of which one group of settings takes part, with the paper's figures (``paper_table``), or a
group of settings of a store, without them (``table``). Leaves out how a table is written (``export``) and why figures
differ (``reasons``).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ltw_core.corpora import catalogue
from ltw_core.corpora.corpus import with_note
from ltw_core.evaluation import learners
from ltw_core.studies import paper
from ltw_core.studies.averages import COUNTING, MEASURES, Average, AveragedCells
from ltw_core.studies.cell import Cell
from ltw_core.studies.findings import other_documents
from ltw_core.studies.over_classes import difference
from ltw_core.tasks.without_terms import WITH_TERMS
from ltw_core.weighting import FAMILIES, family
from ltw_core.weighting.methods import METHODS, is_beyond

OURS, PAPERS = "ours", "paper"
FAR = 0.02
RATIO = 0.1  # share of the terms that the paper keeps


@dataclass(frozen=True)
class Place:
    """One place of a table.

    Attributes
    ----------
    weighting, corpus, learner : str
    averaged : AveragedCells or None
        Our cells, averaged over classes; None where nothing was planned.
    average : Average or None
        Theirs in the table's measure; None while classes are missing.
    paper : float or None
    """

    weighting: str
    corpus: str
    learner: str
    averaged: AveragedCells | None
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
        """Whether both figures are there, not known to be of other documents or of other terms."""
        return self.difference is not None and not self.differs

    @property
    def of_other_documents(self) -> bool:
        """Whether ours is known to be of other documents than the paper's."""
        if self.averaged is None:
            return False
        cell = self.averaged.example
        return cell.documents != WITH_TERMS or cell.fingerprint in other_documents()

    @property
    def differs(self) -> str:
        """What ours is computed from and the paper's is not, in words; "" where nothing is known to differ."""
        parts = ["other documents"] * self.of_other_documents
        if self.averaged is not None:
            cell = self.averaged.example
            kept = f"{100 * cell.ratio:g} % of the terms" if cell.ratio != RATIO else ""
            if told := ", ".join(filter(None, (cell.options.told(), kept))):
                parts.append(f"other terms: {told}")
        return "; ".join(parts)

    def value(self, whose: str = OURS) -> float | None:
        if whose == PAPERS:
            return self.paper
        return None if self.average is None else self.average.value


@dataclass(frozen=True)
class ResultTable:
    """A measure in the paper's layout.

    Attributes
    ----------
    measure : str
        Of ``averages.MEASURES``.
    rows : list of (family, weighting)
    columns : list of (group, learner)
        A group is a corpus or a corpus with its settings.
    titles : dict of str
        The groups in words.
    places : dict of (weighting, group, learner) to Place
    """

    measure: str
    rows: list[tuple[str, str]]
    columns: list[tuple[str, str]]
    titles: dict[str, str]
    places: dict[tuple[str, str, str], Place]

    def place(self, weighting: str, column: tuple[str, str]) -> Place:
        return self.places[(weighting, *column)]

    def scores(self, whose: str = OURS) -> dict[str, dict[tuple[str, str], float]]:
        """Values by weighting and column; missing ones left out."""
        found: dict[str, dict] = {name: {} for _, name in self.rows}
        for (name, *column), place in self.places.items():
            if (value := place.value(whose)) is not None:
                found[name][tuple(column)] = value
        return found

    def best(self, column: tuple[str, str], whose: str = OURS) -> set[str]:
        """The column's weightings with the highest value; none where there is a single one."""
        shown = self._shown(column, whose)
        return {name for name, value in shown.items() if value == max(shown.values())} if len(shown) > 1 else set()

    def alike(self, column: tuple[str, str]) -> set[str]:
        """The column's weightings of ours that are not distinguishable from its best one, and that one.

        The interval of their paired difference over the classes holds 0 (``over_classes``).
        """
        averaged = {name: self.place(name, column).averaged for _, name in self.rows}
        values = {name: a.value(self.measure) for name, a in averaged.items() if a is not None and a.by_class}
        values = {name: value for name, value in values.items() if value is not None}
        if len(values) < 2:
            return set()
        best = max(values, key=values.get)
        less = {name: difference(averaged[best], averaged[name], self.measure) for name in values}
        return {name for name, found in less.items() if found is not None and found.sign == 0}

    def beating(self, column: tuple[str, str], whose: str = OURS) -> set[str]:
        """Learned weightings that are better than all others of the column."""
        shown = self._shown(column, whose)
        others = [value for name, value in shown.items() if family_of(name) != "LTW"]
        return {name for name, value in shown.items() if others and family_of(name) == "LTW" and value > max(others)}

    def _shown(self, column: tuple[str, str], whose: str) -> dict[str, float]:
        """Values of a column by weighting, to three digits as shown."""
        values = ((name, self.place(name, column).value(whose)) for _, name in self.rows)
        return {name: round(value, 3) for name, value in values if value is not None}

    def with_both(self) -> list[Place]:
        """Places that have a figure of ours and one of the paper's, of the same documents or not."""
        return [place for place in self.places.values() if place.difference is not None]

    def far(self, limit: float = FAR) -> list[Place]:
        """Places where ours and the paper's differ by more than ``limit``, the largest difference first."""
        return sorted((p for p in self.with_both() if abs(p.difference) > limit), key=lambda p: -abs(p.difference))


def table(found: Sequence[AveragedCells], measure: str) -> ResultTable:
    """Figures as a table of one measure, without the paper's; a column is a learner under a group of settings."""
    if measure not in MEASURES:
        raise ValueError(f"measure is {measure!r}; it must be one of {', '.join(MEASURES)}")
    ours = {(f.weighting, f.group, f.learner): f for f in found}
    columns = list(dict.fromkeys((f.group, f.learner) for f in found))
    return _table(measure, columns, _titles(found), ours, {})


def paper_table(
    found: Sequence[AveragedCells], measure: str, *, corpora: Sequence[str] | None = None, with_paper: bool = True
) -> ResultTable:
    """Figures of ``averages.one_a_corpus`` with the paper's; a column is a learner on a corpus.

    Parameters
    ----------
    found : list of AveragedCells
    measure : str
        Of ``averages.MEASURES``; the paper has macro and micro F1, and does not say which of the macro ones.
    corpora : list of str, optional
        Default: the paper's, and what else there are figures of.
    with_paper : bool
        False where the figures are of other classes than the paper's. With it, weightings that are none of
        the paper's (``Method.beyond``) are left out.
    """
    if with_paper:
        found = [f for f in found if not is_beyond(f.example.weighting)]
    papers = paper.values().get("macro_f1" if measure in COUNTING else measure, {}) if with_paper else {}
    ours = {(f.weighting, f.example.corpus, f.learner): f for f in found}
    theirs = {(name, *column): value for name, of in papers.items() for column, value in of.items()}
    if corpora is None:
        corpora = list(dict.fromkeys([*paper.DATASETS, *(corpus for _, corpus, _ in ours)]))
    ours, theirs = ({key: value for key, value in of.items() if key[1] in corpora} for of in (ours, theirs))
    order = learners("Dense")  # with its own FT
    columns = {(corpus, learner) for _, corpus, learner in (*ours, *theirs)}
    columns = sorted(columns, key=lambda column: (corpora.index(column[0]), _at(order, column[1])))
    found = _table(measure, columns, {entry.name: entry.title for entry in catalogue()}, ours, theirs)
    differing = {
        (p.corpus, p.differs): None for p in found.with_both() if not p.comparable and p.corpus in found.titles
    }
    for corpus, differs in differing:
        found.titles[corpus] = with_note(found.titles[corpus], f"not the paper’s: {differs}")
    return found


def _table(
    measure: str, columns: list, titles: dict, ours: Mapping[tuple, AveragedCells], theirs: Mapping
) -> ResultTable:
    papers = paper.weightings() if theirs else []
    order, families = [*METHODS, *papers], list(FAMILIES)
    rows = {(family_of(name), name) for name, *_ in (*ours, *theirs)}
    rows = sorted(rows, key=lambda row: (families.index(row[0]), _at(order, row[1].partition(" (")[0]), row[1]))
    places = {}
    for _, name in rows:
        for group, learner in columns:
            key = (name, group, learner)
            averaged = ours.get(key)
            average = averaged.averages.get(measure) if averaged else None
            corpus = averaged.example.corpus if averaged else group
            places[key] = Place(name, corpus, learner, averaged, average, theirs.get(key))
    return ResultTable(measure, rows, columns, titles, places)


def _titles(found: Sequence[AveragedCells]) -> dict[str, str]:
    """Column groups by the corpus's title, and what distinguishes them where a corpus has several."""
    titles = {entry.name: entry.title for entry in catalogue()}
    groups = {f.group: f.example for f in found}
    named = {group: titles.get(cell.corpus, cell.corpus) for group, cell in groups.items()}
    for group, cell in groups.items():
        same = [other for other in groups.values() if other.corpus == cell.corpus]
        grid = [f"{cell.grid} grid"] if len({other.grid for other in same}) > 1 else []
        how = [cell.how.told] if cell.protocol else []
        named[group] = ", ".join([named[group], *grid, *apart(cell, same), *how])
    twice = [title for title in named.values() if list(named.values()).count(title) > 1]
    return {group: f"{title}, settings {group[:6]}" if title in twice else title for group, title in named.items()}


def apart(cell: Cell, same: Collection[Cell]) -> list[str]:
    """What tells a cell's settings from those of its corpus's others, besides grid and protocol, part by part.

    Parameters
    ----------
    same : an example of each of the corpus's settings.
    """
    parts, several = [], lambda name: len({getattr(other, name) for other in same}) > 1
    if several("fingerprint"):
        parts.append(f"content {cell.fingerprint[:8]}")
    if several("documents"):
        parts.append("test documents with a term" if cell.documents == WITH_TERMS else "all test documents")
    if several("ratio"):
        parts.append(f"{100 * cell.ratio:g} % of the terms")
    if told := cell.options.told("" if several("stop_words") else cell.stop_words):
        parts.append(told)
    if cell.grid_sample:
        parts.append(f"settings chosen on {cell.grid_sample:,} training documents")
    if cell.sample:
        parts.append(f"{cell.sample:,} training documents")
    return parts


def family_of(name: str) -> str:
    """Family of a weighting as it is named in tables, with parameters or of the paper alone."""
    plain = name.partition(" (")[0]
    if plain in METHODS:
        return family(plain)
    return "LTW" if plain.startswith("LTW") else "STW"


def _at(order: Sequence[str], name: str) -> int:
    return order.index(name) if name in order else len(order)

"""Two weightings of a study compared class by class: the difference of macro F1 with its interval over classes."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean
from typing import NamedTuple

from ltw_core.evaluation import macro_f1, micro_f1
from ltw_core.evaluation.paired import Difference, difference_over_classes
from ltw_core.protocol import PAPER
from ltw_core.studies.record import Record


class ClassDifference(NamedTuple):
    """Two weightings with one learner on one corpus, over the classes that both have.

    Attributes
    ----------
    corpus, learner, one, other : str
    macro, micro : (float, float)
        F1 of the first and of the second; means over seeds.
    difference : Difference
        Of macro F1, the first less the second.
    seeds : (int, int)
    """

    corpus: str
    learner: str
    one: str
    other: str
    macro: tuple[float, float]
    micro: tuple[float, float]
    difference: Difference
    seeds: tuple[int, int]


def class_differences(
    records: Iterable[Record], pairs: Iterable[tuple[str, str]], *, grid: str = "full", protocol: str = PAPER
) -> list[ClassDifference]:
    """Compare pairs of weightings wherever both have results of the same classes.

    Parameters
    ----------
    records : iterable of Record
    pairs : iterable of (str, str)
        Names of weightings, with their usual settings.
    grid : {"quick", "full"}
    protocol : str
        Name of a protocol.
    """
    pairs = list(pairs)
    asked = {name for pair in pairs for name in pair}
    found: dict[tuple, dict[str, dict[int, Record]]] = defaultdict(lambda: defaultdict(dict))
    for record in records:
        cell = record.cell
        if cell.weighting in asked and cell.grid == grid and cell.how.name == protocol:
            found[cell.corpus, cell.learner, cell.weighting][cell.class_name][cell.seed] = record
    columns = dict.fromkeys((corpus, learner) for corpus, learner, _ in found)
    compared = []
    for corpus, learner in columns:
        for names in pairs:
            sides = [found.get((corpus, learner, name), {}) for name in names]
            classes = [name for name in sides[0] if name in sides[1]]
            if not classes:
                continue
            seeds = [_common(side[name] for name in classes) for side in sides]
            if not all(seeds):
                continue
            f1 = [
                [fmean(side[name][seed].f1 for seed in own) for name in classes]
                for side, own in zip(sides, seeds, strict=True)
            ]
            averages = (
                tuple(
                    fmean(of(side[name][seed] for name in classes) for seed in own)
                    for side, own in zip(sides, seeds, strict=True)
                )
                for of in (macro_f1, micro_f1)
            )
            numbers = tuple(map(len, seeds))
            compared.append(ClassDifference(corpus, learner, *names, *averages, difference_over_classes(*f1), numbers))
    return compared


def _common(classes: Iterable[dict[int, Record]]) -> list[int]:
    """Seeds that each class has."""
    return sorted(set.intersection(*(set(seeds) for seeds in classes)))

"""Two places of the tables compared class by class: where the difference of their macro F1 comes from.

Leaves out the documents behind a class (``differing_documents``) and whether a difference is sure (``over_classes``).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from ltw_core.evaluation import Difference, difference_over_classes
from ltw_core.studies.averages import AveragedCells, ClassScore, shared_scores

SIZES = (0, 1, 3, 10, 30, 100)
"""Fewest test documents of each group of classes of like size."""


@dataclass(frozen=True)
class ClassGap:
    """A class under two settings.

    Attributes
    ----------
    class_name : str
    positives : int
        Test documents that have it, by the first.
    f1 : (float, float)
        Of the first and the second, as the measure counts it.
    share : float
        What the class adds to the difference of macro F1: first less second, divided by the number of classes.
    counts : (ClassScore, ClassScore)
    """

    class_name: str
    positives: int
    f1: tuple[float, float]
    share: float
    counts: tuple[ClassScore, ClassScore]

    @property
    def difference(self) -> float:
        return self.f1[0] - self.f1[1]


class SizeGroup(NamedTuple):
    """Classes with ``low`` to ``high`` test documents (None: and more), the mean F1 of each setting in them, and of two
    settings and several classes the paired difference, first less second, with its interval over the classes."""

    low: int
    high: int | None
    classes: int
    f1: tuple[float, ...]
    difference: Difference | None

    @property
    def told(self) -> str:
        if self.high is None:
            return f"{self.low} and more"
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"


def class_gaps(one: AveragedCells, other: AveragedCells, measure: str = "macro_f1") -> list[ClassGap]:
    """The classes that both have, those with the largest difference first; their shares add up to the difference.

    Parameters
    ----------
    one, other : AveragedCells
        Of one corpus.
    measure : str
        Of ``averages.MEASURES``: how classes without test documents count.
    """
    shared = shared_scores((one, other), measure)
    gaps = [
        ClassGap(
            name,
            round(one.by_class[name].tp + one.by_class[name].fn),
            (first, second),
            (first - second) / len(shared),
            (one.by_class[name], other.by_class[name]),
        )
        for name, (first, second) in shared.items()
    ]
    return sorted(gaps, key=lambda gap: -abs(gap.difference))


def by_size(averaged: Sequence[AveragedCells], measure: str = "macro_f1") -> list[SizeGroup]:
    """Mean F1 of several settings of one corpus over classes of like size; of the classes that all have.

    Parameters
    ----------
    averaged : list of AveragedCells
    measure : str
        As in ``class_gaps``.
    """
    shared = shared_scores(averaged, measure)
    sizes = {name: round(averaged[0].by_class[name].tp + averaged[0].by_class[name].fn) for name in shared}
    found = []
    for low, after in zip(SIZES, (*SIZES[1:], None), strict=True):
        names = [name for name in shared if sizes[name] >= low and (after is None or sizes[name] < after)]
        if names:
            each = list(zip(*(shared[name] for name in names), strict=True))
            difference = difference_over_classes(*each) if len(each) == 2 <= len(names) else None
            high = None if after is None else after - 1
            found.append(SizeGroup(low, high, len(names), tuple(map(fmean, each)), difference))
    return found


def total(gaps: Iterable[ClassGap]) -> float:
    """The difference of macro F1 that the shares add up to."""
    return sum(gap.share for gap in gaps)

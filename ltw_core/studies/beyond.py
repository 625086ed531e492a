"""Beyond the paper: weightings that it has not beside some that it has, each against TFRF, with intervals over classes.

These figures stand in none of the paper's tables. Of every place only what has all its classes counts. Leaves out which
figures take part (``averages.one_a_corpus``, ``averages.fullest``) and the study of averaging runs (``members``).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from ltw_core.evaluation import Difference, Interval, difference_over_classes, interval_over_classes
from ltw_core.studies.averages import AveragedCells
from ltw_core.studies.class_scores import on_shared_classes
from ltw_core.studies.members import MemberScore
from ltw_core.studies.over_classes import difference, interval
from ltw_core.weighting.methods import RF_BEFORE, is_beyond

AGAINST, LEARNED = "TFRF", "LTW-L-I"
BESIDE = (AGAINST, "LogTFIDF", "TFCHI", "TFGR", LEARNED)
MEASURE = "macro_f1"
PAIRS = {  # of ``members.WAYS``: what each is compared with
    "mean of 2": "one",
    "mean of 3": "one",
    "mean of 5": "one",
    "median of 5": "mean of 5",
    "by validation": "mean of 5",
    "after σ": "one, σ",
    "before σ": "after σ",
    "mean, one surface": "one surface",
    "mean, one classifier": "one classifier",
}


@dataclass(frozen=True)
class BeyondRow:
    """A weighting on a corpus under a learner.

    Attributes
    ----------
    averaged : AveragedCells
    macro_f1 : float
        Over classes, a mean over seeds.
    interval : Interval or None
        Of it, over classes.
    less : Difference or None
        What it has more than ``AGAINST``; None of that itself, and where that is missing.
    more : Difference or None
        The same of ``LEARNED``, the paper's.
    """

    averaged: AveragedCells
    macro_f1: float
    interval: Interval | None
    less: Difference | None
    more: Difference | None

    @property
    def weighting(self) -> str:
        return self.averaged.weighting

    @property
    def beyond(self) -> bool:
        return is_beyond(self.averaged.example.weighting)


def beyond(found: Sequence[AveragedCells]) -> dict[tuple[str, str], list[BeyondRow]]:
    """Rows by (corpus, learner), for those that have a weighting beyond the paper with all its classes.

    Parameters
    ----------
    found : list of AveragedCells
        One a place, as of ``averages.one_a_corpus``.
    """
    whole = [f for f in found if f.averages and (f.weighting in BESIDE or is_beyond(f.example.weighting))]
    whole = [f for f in whole if f.weighting != RF_BEFORE]  # a fault of the authors' code, and no idea of anybody's
    place = lambda f: (f.example.corpus, f.learner)  # noqa: E731
    rows = {}
    for key, some in groupby(sorted(whole, key=place), place):
        of = list(some)
        if not any(is_beyond(f.example.weighting) for f in of):
            continue
        bases = [next((f for f in of if f.weighting == name), None) for name in (AGAINST, LEARNED)]
        made = [_row(f, *bases) for f in of]
        rows[key] = sorted(made, key=lambda row: -row.macro_f1)
    return rows


def _row(f: AveragedCells, *bases: AveragedCells | None) -> BeyondRow:
    less = [None if base is None or base is f else difference(f, base, MEASURE) for base in bases]
    return BeyondRow(f, f.value(MEASURE), interval(f, MEASURE), *less)


@dataclass(frozen=True)
class MembersRow:
    """One way of averaging training runs, on the classes that all ways have.

    Attributes
    ----------
    way : str
    runs, classes : int
    macro_f1 : float
    interval : Interval or None
        Over classes.
    less : Difference or None
        What it has more than what ``PAIRS`` compares it with.
    alike : float
        Mean over classes of how alike two of its runs are.
    """

    way: str
    runs: int
    classes: int
    macro_f1: float
    interval: Interval | None
    less: Difference | None
    alike: float


def by_members(scores: Sequence[MemberScore]) -> dict[str, list[MembersRow]]:
    """Rows by corpus, in the order of the ways."""
    found = {}
    for corpus, by_way in on_shared_classes(scores, lambda score: score.way).items():
        f1 = {way: np.array([score.f1 for score in of]) for way, of in by_way.items()}
        found[corpus] = [
            MembersRow(
                way,
                of[0].runs,
                len(of),
                float(f1[way].mean()),
                interval_over_classes(f1[way]),
                difference_over_classes(f1[way], f1[PAIRS[way]]) if PAIRS.get(way) in f1 else None,
                float(np.mean([score.alike for score in of])),
            )
            for way, of in by_way.items()
            if of
        ]
    return found

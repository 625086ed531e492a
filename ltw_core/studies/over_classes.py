"""How certain a table's averages are: bootstrap over the classes that they are averages of, and paired differences.

What is drawn again are classes, as if the corpus had others of the same kind; each keeps its own F1, whose own
uncertainty (its test documents, its seeds) takes part as far as classes differ by it. Leaves out single classes
(``evaluation``) and tests over ⟨corpus, learner⟩ pairs (``comparison``).
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ltw_core.evaluation import (
    Difference,
    Interval,
    difference_of_pooled,
    difference_over_classes,
    interval_over_classes,
)
from ltw_core.evaluation.paired import class_draws
from ltw_core.evaluation.uncertainty import LEVEL, f1_of, tails_of
from ltw_core.studies.averages import AveragedCells, ClassScore, shared_scores

MICRO = "micro_f1"


class ComparedPair(NamedTuple):
    """Two weightings with one learner on one corpus, and what the first has more than the second."""

    one: AveragedCells
    other: AveragedCells
    difference: Difference


def compared_pairs(
    found: Sequence[AveragedCells], pairs: Iterable[tuple[str, str]], measure: str = "macro_f1"
) -> list[ComparedPair]:
    """Compare pairs of weightings in every ⟨corpus, learner⟩ where both have all their classes.

    Parameters
    ----------
    found : list of AveragedCells
        One a place, as of ``averages.one_a_corpus``.
    pairs : iterable of (str, str)
        Names, as in ``AveragedCells.weighting``.
    measure : str
        Of ``averages.MEASURES``.
    """
    of = {(f.example.corpus, f.learner, f.weighting): f for f in found if f.averages}
    places, pairs = dict.fromkeys((corpus, learner) for corpus, learner, _ in of), list(pairs)
    sides = [[of.get((*place, name)) for name in pair] for place in places for pair in pairs]
    return [ComparedPair(*pair, difference(*pair, measure)) for pair in sides if None not in pair]


def difference(one: AveragedCells, other: AveragedCells, measure: str) -> Difference | None:
    """What the first has more than the second in a measure, over the classes that both have; None without any.

    Parameters
    ----------
    one, other : AveragedCells
        Of one corpus and the same settings.
    measure : str
        Of ``averages.MEASURES``.
    """
    shared = shared_scores((one, other), measure)
    if not shared:
        return None
    if measure == MICRO:
        return difference_of_pooled(*(_counts([a.by_class[name] for name in shared]) for a in (one, other)))
    return difference_over_classes(*zip(*shared.values(), strict=True))


def interval(averaged: AveragedCells, measure: str) -> Interval | None:
    """95% interval of an average: what other classes of the same kind would change. None with fewer than two."""
    if measure != MICRO:
        return interval_over_classes(list(averaged.scores(measure).values()))
    scores = list(averaged.by_class.values())
    if len(scores) < 2:
        return None
    tp, fp, fn = (class_draws(len(scores)) @ _counts(scores)).T
    values = f1_of(tp, fp, tp + fn)
    return Interval(*map(float, np.quantile(values, tails_of(LEVEL))))


def _counts(scores: list[ClassScore]) -> np.ndarray:
    return np.array([[score.tp, score.fp, score.fn] for score in scores])

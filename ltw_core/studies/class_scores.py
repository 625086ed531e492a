"""How weightings decide the test documents of classes, one row each, and their comparison over classes.

For studies of weightings that have no place in the store of cells.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from ltw_core.evaluation import Difference, difference_over_classes, evaluate


class ClassScore(NamedTuple):
    """What an SVM (quick grid, seed 0) decides of a class's test documents under a weighting."""

    corpus: str
    class_name: str
    weighting: str
    f1: float
    tp: int
    fp: int
    fn: int
    tn: int


def score_of(task, called: str, weighting) -> ClassScore:
    """The score of a weighting, which is called something, on a task."""
    found = evaluate(task, weighting, "SVM", "quick", 0)
    counts = map(int, (found.tp, found.fp, found.fn, found.tn))
    return ClassScore(task.vectorized.corpus.name, task.class_name, called, found.f1, *counts)


class Compared(NamedTuple):
    """A weighting on a corpus: macro F1 over classes, and how much more that is than another weighting's (paired; None
    of that one itself)."""

    corpus: str
    weighting: str
    classes: int
    macro_f1: float
    more: Difference | None


def compared(scores: Sequence[ClassScore], against: str) -> list[Compared]:
    """Each weighting on each corpus, over the classes that all of a corpus's weightings have, and compared with one of
    them; the best first. Nothing of a corpus that lacks the one."""
    rows = []
    for corpus, of in on_shared_classes(scores, lambda score: score.weighting).items():
        each = {weighting: np.array([score.f1 for score in some]) for weighting, some in of.items()}
        if against not in each or not each[against].size:
            continue
        base = each[against]
        made = [
            Compared(
                corpus,
                weighting,
                base.size,
                float(values.mean()),
                None if weighting == against else difference_over_classes(values, base),
            )
            for weighting, values in each.items()
        ]
        rows += sorted(made, key=lambda row: -row.macro_f1)
    return rows


Score = TypeVar("Score")  # has a ``corpus`` and a ``class_name``


def on_shared_classes(scores: Sequence[Score], way_of: Callable[[Score], str]) -> dict[str, dict[str, list[Score]]]:
    """By corpus and by way, the scores of those classes that all ways of a corpus have, in one order."""
    found = {}
    for corpus in dict.fromkeys(score.corpus for score in scores):
        by_way: dict[str, dict[str, Score]] = {}
        for score in scores:
            if score.corpus == corpus:
                by_way.setdefault(way_of(score), {})[score.class_name] = score
        shared = [name for name in next(iter(by_way.values())) if all(name in of for of in by_way.values())]
        found[corpus] = {way: [of[name] for name in shared] for way, of in by_way.items()}
    return found

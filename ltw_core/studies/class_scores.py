"""How weightings decide the test documents of classes, one row each, and their comparison over classes.

For studies of weightings that have no place in the store of cells.
"""

from collections.abc import Sequence
from typing import NamedTuple

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
    for corpus in dict.fromkeys(score.corpus for score in scores):
        f1: dict[str, dict[str, float]] = {}
        for score in scores:
            if score.corpus == corpus:
                f1.setdefault(score.weighting, {})[score.class_name] = score.f1
        shared = [name for name in next(iter(f1.values())) if all(name in of for of in f1.values())]
        if against not in f1 or not shared:
            continue
        each = {weighting: np.array([of[name] for name in shared]) for weighting, of in f1.items()}
        base = each[against]
        made = [
            Compared(
                corpus,
                weighting,
                len(shared),
                float(values.mean()),
                None if weighting == against else difference_over_classes(values, base),
            )
            for weighting, values in each.items()
        ]
        rows += sorted(made, key=lambda row: -row.macro_f1)
    return rows

"""How weightings decide the test documents of classes, one row each, and their comparison over classes.

For studies of weightings that have no place in the store of cells.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

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
        base = each.get(against, np.zeros(0))
        if not base.size:
            continue
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


def on_shared_classes(scores: Sequence[Any], way: Callable[[Any], str]) -> dict[str, dict[str, list[Any]]]:
    """By corpus and by ``way``, the scores of those classes that all ways of a corpus have, in one order.

    ``scores`` have a ``corpus`` and a ``class_name``.
    """
    found = {}
    for corpus in dict.fromkeys(score.corpus for score in scores):
        by_way: dict[str, dict[str, Any]] = {}
        for score in scores:
            if score.corpus == corpus:
                by_way.setdefault(way(score), {})[score.class_name] = score
        shared = [name for name in next(iter(by_way.values())) if all(name in of for of in by_way.values())]
        found[corpus] = {key: [of[name] for name in shared] for key, of in by_way.items()}
    return found

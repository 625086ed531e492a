"""Which of several weightings are best: those that are not distinguishable from the one with the highest F1.

Leaves out the comparison of two (``paired``) and what is said of it (``verdicts``).
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ltw_core.evaluation.paired import Difference, difference, difference_of_counts
from ltw_core.evaluation.result import Result


def compared(one: Sequence[Result], other: Sequence[Result], y=None) -> Difference:
    """Difference of two weightings' F1 from their results, one a seed.

    Paired where each result has its decisions and these fit the labels, else of counts alone; ``rests_on`` says which.

    Parameters
    ----------
    one, other : sequences of Result
        Of the same class and test documents.
    y : array_like of bool, shape (test documents,), optional
    """
    decided = [] if y is None else [_decided(part, np.asarray(y, dtype=bool)) for part in (one, other)]
    if len(decided) == 2 and all(part is not None for part in decided):
        return difference(*decided, y)
    return difference_of_counts(one, other)


def behind_best(results: Mapping[str, Sequence[Result]], y=None) -> dict[str, Difference]:
    """By name how far each weighting is behind the one with the highest F1, which comes first and is 0 behind itself.

    Those whose ``sign`` is 0 are best: that the first has the highest F1 may be chance.

    Parameters
    ----------
    results : mapping of str to sequence of Result
        A weighting's seeds.
    y : see ``compared``
    """
    if not results:
        return {}
    mean = {name: float(np.mean([result.f1 for result in some])) for name, some in results.items()}
    order = sorted(results, key=lambda name: -mean[name])
    return {name: compared(results[order[0]], results[name], y) for name in order}


def _decided(results: Sequence[Result], y: np.ndarray) -> np.ndarray | None:
    """Predicted positive, shape (seeds, documents); None where that is not known, or of other documents."""
    masks = []
    for result in results:
        rows = result.predicted
        if rows is None or result.tp + result.fp + result.fn + result.tn != y.size:
            return None
        mask = np.zeros(y.size, dtype=bool)
        mask[rows] = True
        if int((mask & y).sum()) != result.tp or int(y.sum()) != result.tp + result.fn:
            return None
        masks.append(mask)
    return np.array(masks)

"""Settings with equal validation F1: how many of a grid, and what F1 on the test documents each would have had.

The first in the grid's order is chosen (``tuning``), by nothing but its place. Looks at the test documents' labels: it
says how much of a figure is chance and must not choose anything.
"""

from typing import NamedTuple

import numpy as np

from ltw_core.evaluation.tuning import asked_for, validated
from ltw_core.evaluation.vectors import Vectors
from ltw_core.metrics import contingency

LEARNERS = ("SVM", "LR", "MNB")
"""Those that decide on every document and train in a moment: each setting is tried twice."""


class Ties(NamedTuple):
    """The settings that share the highest validation F1.

    Attributes
    ----------
    settings, tied : int
        That could be trained, and of these with the highest validation F1: at least one.
    first, last, lowest, highest : float
        F1 on the test documents of the first of them in the grid's order, which is the one that is chosen, of the last,
        and the extremes.
    """

    settings: int
    tied: int
    first: float
    last: float
    lowest: float
    highest: float


def ties(vectors: Vectors, learner: str = "SVM", grid: str = "full", seed: int = 0) -> Ties:
    """Train every setting on the training part, and those that tie on all training documents.

    Parameters
    ----------
    vectors : Vectors
    learner : {"SVM", "LR", "MNB"}
    grid : {"quick", "full"}
    seed : int

    Raises
    ------
    ValueError
        Another learner, or no setting could be trained.
    """
    if learner not in LEARNERS:
        raise ValueError(f"ties are counted with {', '.join(LEARNERS)}, not with {str(learner)[:40]!r}")
    asked, grid = asked_for(learner, grid)
    method = asked.suited_to(vectors)
    train, test, _ = method.prepare(vectors.train, vectors.test)
    y, validation = vectors.y_train, vectors.validation
    points = method.grid(grid, int(np.count_nonzero(~validation)), train.shape[1])
    scores = np.ones(len(points))  # without validation documents: F1 of nothing, which tells none apart
    if validation.any():
        for outcome, score in validated(method, points, train, y, validation, seed, vectors.protocol.empty_validation):
            scores[outcome.index] = score
    if np.isneginf(scores).all():
        raise ValueError(f"No setting of {method.name} could be trained")
    equal = np.flatnonzero(scores == scores.max())
    found = {}  # by place among the equal ones
    for outcome in method.predictions([points[i] for i in equal], train, y, test, seed):
        if outcome.predicted is not None:
            found[outcome.index] = contingency(vectors.y_test, outcome.predicted).f1
    values = [found[i] for i in sorted(found)]
    return Ties(int(np.isfinite(scores).sum()), len(values), values[0], values[-1], min(values), max(values))

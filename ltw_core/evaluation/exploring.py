"""How good a weighting is while it is still being tried out: F1 on training documents that it was not fitted on.

Test documents are for one look at the end; a formula that is changed until their F1 is high has been fitted to them. So
here a class's validation part stands in for them, and where that holds too few documents of the class, every training
document in turn (cross-validation). The weighting itself is fitted without the documents it is scored on, and the
classifier's setting is chosen within what is left. Leaves out the test documents (``tuning``).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ltw_core.evaluation.tuning import evaluate_vectors
from ltw_core.evaluation.uncertainty import Measured
from ltw_core.evaluation.vectors import Vectors, ready_vectors
from ltw_core.metrics import contingency
from ltw_core.tasks import validation_mask

LEAST = 10  # documents of the class among those that validate: with fewer all are used in turn
FOLDS = 5
INNER = 0.2  # of what is left, to choose the classifier's setting on


@dataclass(frozen=True)
class Explored(Measured):
    """F1 of a weighting on training documents.

    Attributes
    ----------
    tp, fp, fn, tn : int
        Of documents that neither the weighting nor the classifier was fitted on.
    folds : int
        1: of the validation part; more: of all training documents in turn.
    predicted : ndarray of int
        Rows, among these documents, that were predicted positive.
    seconds : float
    """

    tp: int
    fp: int
    fn: int
    tn: int
    folds: int
    predicted: np.ndarray
    seconds: float

    @property
    def how(self) -> str:
        """On which documents, in words."""
        positives, all_of_them = self.tp + self.fn, self.tp + self.fp + self.fn + self.tn
        where = "validation documents"
        if self.folds > 1:
            where = f"training documents, each held out in one of {self.folds} parts"
        return f"{all_of_them:,} {where}, {positives:,} of them of the class"


def explore(
    task, weighting, learner: str = "SVM", grid: str = "quick", seed: int = 0, on_event: Callable | None = None
) -> Explored:
    """Score a weighting without a look at the test documents.

    Parameters
    ----------
    task : BinaryTask
    weighting : estimator
        Not learned: it is fitted again on each part.
    learner, grid, seed, on_event : as of ``evaluate``

    Raises
    ------
    ValueError
        The class has fewer than two training documents, or is all of them.
    """
    from sklearn.base import clone

    y = np.asarray(task.y_train, dtype=bool)
    if min(y.sum(), (~y).sum()) < 2:
        raise ValueError("This class has too few training documents to hold some of them out: choose another class.")
    counts = task.counts_train.tocsr()
    parts = list(_parts(y, np.asarray(task.validation, dtype=bool)))
    predicted, held, seconds = np.zeros(y.size, dtype=bool), np.zeros(y.size, dtype=bool), 0.0
    for out in parts:
        fitted = clone(weighting).fit(counts[~out], y[~out])
        train, test = (ready_vectors(fitted.transform(counts[rows])) for rows in (~out, out))
        inner = validation_mask(y[~out], INNER)
        vectors = Vectors(train, test, y[~out], y[out], inner, "")
        result = evaluate_vectors(vectors, learner, grid, seed, on_event)
        predicted[np.flatnonzero(out)[result.predicted]] = True
        held, seconds = held | out, seconds + result.seconds
    found = contingency(y[held], predicted[held])
    return Explored(*found, len(parts), np.flatnonzero(predicted[held]), seconds)


def _parts(y: np.ndarray, validation: np.ndarray) -> Iterator[np.ndarray]:
    """Masks of the documents to hold out, one a time."""
    if y[validation].sum() >= LEAST:
        yield validation
        return
    folds = int(min(FOLDS, y.sum(), (~y).sum()))
    place = np.empty(y.size, dtype=int)
    for label in (True, False):
        rows = np.flatnonzero(y == label)
        place[rows] = np.arange(rows.size) % folds  # in the corpus's order, as every split here
    for k in range(folds):
        yield place == k

"""What a final classifier decides of each test document, and what follows from it: other thresholds, and why.

Everything here looks at the test documents' labels: it explains a result and must not be used to choose anything.
Leaves out making the decisions (``tuning``) and comparing two classifiers (``disagreement``).
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ltw_core.metrics import Counts, contingency


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions of a classifier that was refitted on all training documents.

    Attributes
    ----------
    scores : ndarray of float64, shape (test documents,)
        How strongly each document is held to be of the class; ``unit`` says what they are.
    threshold : float
        Documents with a higher score are predicted positive.
    predicted, y : ndarray of bool, shape (test documents,)
        What was decided, and the labels.
    unit : str
        "distance from the hyperplane", "log odds", …
    test : csr matrix or array, shape (test documents, terms)
        The documents' vectors as the learner took them; of Dense an ndarray, shape (test documents, dimensions).
    coefficients : ndarray of float64, shape (terms,), or None
        Where the score is ``test @ coefficients + intercept``.
    intercept : float
    """

    scores: np.ndarray
    threshold: float
    predicted: np.ndarray
    y: np.ndarray
    unit: str
    test: sparse.csr_array | np.ndarray
    coefficients: np.ndarray | None = None
    intercept: float = 0.0

    @property
    def counts(self) -> Counts:
        """tp, fp, fn and tn as decided."""
        return contingency(self.y, self.predicted)

    @property
    def linear(self) -> bool:
        """Whether a document's score is a sum over its terms."""
        return self.coefficients is not None

    @property
    def bytes(self) -> int:
        """What they take in memory, about."""
        vectors = (self.test.data, self.test.indices, self.test.indptr) if sparse.issparse(self.test) else (self.test,)
        return sum(array.nbytes for array in (self.scores, self.predicted, self.y, *vectors))

    def counts_at(self, threshold: float) -> Counts:
        """tp, fp, fn and tn if documents with a score above ``threshold`` were predicted positive."""
        return contingency(self.y, self.scores > threshold)

    def contributions(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """What each term of a document adds to its score: columns and w_t · x_t; the intercept comes on top.

        Raises
        ------
        ValueError
            The learner's score is no sum over terms.
        """
        if self.coefficients is None:
            raise ValueError("this classifier's score is no sum over the terms of a document")
        start, end = self.test.indptr[row : row + 2]
        columns = self.test.indices[start:end]
        return columns, self.test.data[start:end] * self.coefficients[columns]


class PrecisionRecallCurve(NamedTuple):
    """Precision and recall at every threshold that separates documents, from the highest threshold down."""

    threshold: np.ndarray
    precision: np.ndarray
    recall: np.ndarray
    average_precision: float


def precision_recall(decisions: Decisions) -> PrecisionRecallCurve:
    """Precision and recall where all documents with at least a score are predicted positive, for every score there is.

    ``average_precision`` is AP = Σ (R_n - R_{n-1}) P_n over these points (scikit-learn's
    ``average_precision_score``), without interpolation.

    Raises
    ------
    ValueError
        No test document has the class: recall is not defined.
    """
    from sklearn.metrics import average_precision_score, precision_recall_curve

    if not decisions.y.any():
        raise ValueError("no test document has this class, so that there is no recall to draw")
    precision, recall, threshold = precision_recall_curve(decisions.y, decisions.scores)
    average = float(average_precision_score(decisions.y, decisions.scores))
    # the last point, precision 1 at recall 0, belongs to no threshold
    return PrecisionRecallCurve(threshold[::-1], precision[-2::-1], recall[-2::-1], average)

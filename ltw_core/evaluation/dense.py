"""Learners for dense vectors: the RBF kernel of the paper's rows "Dense", and fastText's own classifier.

The other learners of ``classifiers`` and ``knn`` take dense vectors as they are.
"""

from itertools import product

import numpy as np
from sklearn.svm import SVC

from ltw_core.evaluation.classifiers import C_DOWN, EstimatorLearner, Learner, Outcome


class RBF(EstimatorLearner):
    """Support vector machine with the RBF kernel: C from 10⁴ down, γ = 1 / (dimensions · variance)."""

    name, title, score = "SVM", "Support vector machine", "distance from the surface, in margins"
    note = "On dense vectors it has an RBF kernel, as in the paper, with scikit-learn's default γ."

    def grid(self, size, n_documents, n_terms):
        values = (100.0, 10.0, 1.0, 0.1) if size == "quick" else C_DOWN
        return [{"C": C, "kernel": kernel} for C, kernel in product(values, ("rbf",))]

    def estimator(self, point, seed, n_terms):
        return SVC(**point, gamma="scale", cache_size=500, random_state=seed)


class FT(Learner):
    """What fastText's model says itself; nothing is tuned or trained.

    Parameters
    ----------
    readout : ndarray, shape (dimensions,)
        Output vector of the class less that of the rest.
    """

    name, title, score = "FT", "fastText", "log odds"
    note = "The classifier learned together with fastText's word vectors: nothing is tuned, and only Dense has it."

    def __init__(self, readout=None):
        self.readout = readout

    def grid(self, size, n_documents, n_terms):
        return [{}]

    def predictions(self, points, X, y, X_new, seed):
        """As ``Learner.predictions``."""
        scores = X_new @ self.readout.astype(np.float64)
        for index in range(len(points)):
            yield Outcome(index, scores > self.threshold, scores=scores)

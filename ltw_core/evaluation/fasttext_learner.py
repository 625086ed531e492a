"""fastText's own classifier, which goes with the vectors of Dense alone; other learners say how they take these."""

import numpy as np

from ltw_core.evaluation.base_learner import Learner, Prediction


class FT(Learner):
    """What fastText's model says itself; nothing is tuned or trained.

    Parameters
    ----------
    readout : ndarray, shape (dimensions,)
        Output vector of the class minus that of the rest.
    """

    name, title, score = "FT", "fastText", "log odds"
    note = "The classifier learned together with fastText's word vectors: nothing is tuned, and only Dense has it."
    weighting = "Dense"

    def __init__(self, readout=None):
        self.readout = readout

    def suited_to(self, vectors):
        if vectors.readout is None:
            raise ValueError(f"FT is fastText's own classifier: it goes with Dense, not with {vectors.weighting}")
        return FT(vectors.readout)

    def grid(self, size, n_documents, n_terms):
        return [{}]

    def predictions(self, points, X, y, X_new, seed):
        """As ``Learner.predictions``."""
        scores = X_new @ self.readout.astype(np.float64)
        for index in range(len(points)):
            yield Prediction(index, scores > self.threshold, scores=scores)

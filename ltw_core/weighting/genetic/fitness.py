"""How good a formula is: the validation F1 of a logistic regression on the documents that it weighs."""

import numpy as np
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

from ltw_core.metrics import contingency
from ltw_core.process import no_convergence_warnings
from ltw_core.weighting.genetic import formula as formulas
from ltw_core.weighting.genetic.terminals import PIVOTED, Statistics, pivoted, terminals

SLOPES = tuple(round(0.1 * tenth, 1) for tenth in range(1, 11))
SLOPE_C = 1000.0  # as in the authors' code: "some normalization functions work bad with C=1"


class Fitness:
    """Scores formulas on one split; may be called from several threads.

    Parameters
    ----------
    counts : csr_array of float64, entries above 0, shape (documents, terms)
    positive, validation : ndarray of bool, shape (documents,)

    Attributes
    ----------
    slopes : dict
        Slope of each pivoted normalisation, with the highest F1 of occurrences so normalised; of equals the lowest.
    """

    def __init__(self, counts: csr_array, positive: np.ndarray, validation: np.ndarray):
        fitting = ~validation
        self._parts = counts[fitting], counts[validation]
        self._y, self._y_validation = positive[fitting], positive[validation]
        statistics = Statistics.of(self._parts[0])
        self.slopes = {name: self._slope(name, statistics) for name in PIVOTED}
        self._values = [terminals(part, statistics, self.slopes) for part in self._parts]

    def __call__(self, formula) -> float:
        """Validation F1; 0 where a weight is not finite."""
        weights = [formulas.weights(formula, values) for values in self._values]
        if not all(np.isfinite(part).all() for part in weights):
            return 0.0
        return self._f1(weights, C=1.0)

    def _slope(self, name, statistics) -> float:
        def score(slope):
            factors = (pivoted(name, part, statistics, slope) for part in self._parts)
            entries = zip(self._parts, factors, strict=True)
            return self._f1([part.data * np.repeat(factor, np.diff(part.indptr)) for part, factor in entries], SLOPE_C)

        return max(SLOPES, key=score)

    def _f1(self, weights, C) -> float:
        """F1 of a logistic regression whose documents have these weights at their entries."""
        train, new = (
            csr_array((numbers, part.indices, part.indptr), shape=part.shape)
            for numbers, part in zip(weights, self._parts, strict=True)
        )
        with no_convergence_warnings():
            model = LogisticRegression(C=C, solver="liblinear").fit(train, self._y)
        return contingency(self._y_validation, model.decision_function(new) > 0).f1

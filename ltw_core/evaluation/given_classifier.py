"""A classifier that the caller brings: any of scikit-learn, or any class with its contract.

It is cloned and fitted on weighted documents, with its own parameters or tuned over a grid that comes with it. Leaves
out the paper's learners (``scikit_learners``) and choosing a setting (``tuning``).
"""

import inspect
import math
from collections.abc import Mapping
from itertools import product

import numpy as np

from ltw_core.evaluation.base_learner import Learner, Prediction
from ltw_core.evaluation.learner_table import LEARNERS
from ltw_core.process import convergence_warnings

MOST = 1_000  # settings of a grid


class GivenClassifier(Learner):
    """A scikit-learn classifier as a learner.

    Parameters
    ----------
    classifier : estimator
        With ``fit``, ``predict`` and ``get_params``; it is cloned and stays as it is. Scores of documents are those of
        its ``decision_function``, else its ``predict_proba`` of the class, else what it predicts as 0 and 1. Where a
        ``random_state`` of its own, or of one of its parts, is None, it is set to the seed.
    values : mapping of str to list, optional
        Its grid: values by parameter, all combinations, the last parameter fastest. Without one there is one setting,
        the classifier's own.

    Raises
    ------
    ValueError
        It is no classifier, or the grid has unknown parameters or no values.
    """

    note = "Brought by the caller."
    seeded = True

    def __init__(self, classifier, values: Mapping | None = None):
        self.name = self.title = type(classifier).__name__
        self._classifier, self._values = _checked(classifier), {}
        for name, column in (values or {}).items():
            self._values[name] = self._column(name, column)
        if math.prod(map(len, self._values.values())) > MOST:
            raise ValueError(f"grid has more than {MOST:,} combinations of values for {self.name}; take fewer")
        self.score, self.threshold = "what it predicts", 0.5
        if hasattr(classifier, "decision_function"):
            self.score, self.threshold = "decision function", 0.0
        elif hasattr(classifier, "predict_proba"):
            self.score = "probability of the class"

    def _column(self, name, column) -> list:
        known = sorted(self._classifier.get_params())
        if name not in known:
            raise ValueError(f"grid names {name!r}, which {self.name} has not; it has {', '.join(known)}")
        if isinstance(column, str) or not np.iterable(column) or not len(found := list(column)):
            raise ValueError(f"grid has {column!r} for {name}; it must be a list of at least one value")
        return found

    def grid(self, size, n_documents, n_terms):
        """The settings; ``size`` says nothing here."""
        own = self._own()
        return [own | dict(zip(self._values, values, strict=True)) for values in product(*self._values.values())]

    def _own(self) -> dict:
        """Its parameters that are plain values and no defaults: what one must know to make it again."""
        usual = {name: p.default for name, p in inspect.signature(type(self._classifier)).parameters.items()}
        given = self._classifier.get_params(deep=False)
        plain = {name: value for name, value in given.items() if isinstance(value, str | bool | int | float)}
        return {name: value for name, value in plain.items() if value != usual.get(name, inspect.Parameter.empty)}

    def predictions(self, points, X, y, X_new, seed):
        """As ``Learner.predictions``; a setting that cannot be trained does not end the search."""
        for index, point in enumerate(points):
            try:
                yield self._prediction(index, point, X, y, X_new, seed)
            except Exception as error:  # whatever somebody else's class raises
                yield Prediction(index, None, self._told(error))

    def _prediction(self, index, point, X, y, X_new, seed) -> Prediction:
        from sklearn.base import clone

        fitted = clone(self._classifier)
        drawn = {name: seed for name, value in fitted.get_params().items() if _is_seed(name) and value is None}
        fitted.set_params(**{**drawn, **point})
        with convergence_warnings() as slow:  # not every class that can be slow says so in ``n_iter_``
            fitted.fit(X, y)
        predicted = np.asarray(fitted.predict(X_new)).astype(bool)
        scores = predicted.astype(float)
        if hasattr(fitted, "decision_function"):
            scores = np.ravel(fitted.decision_function(X_new))
        elif hasattr(fitted, "predict_proba"):
            scores = fitted.predict_proba(X_new)[:, 1]
        return Prediction(index, predicted, "not converged" if slow else "", scores)

    def _told(self, error: Exception) -> str:
        sentence = " ".join(str(error).split()) or type(error).__name__
        if "dense" in sentence.lower():  # scikit-learn's words are about arrays, and there is none in sight here
            return (
                f"{self.name} takes no sparse vectors. Put a step before it that makes them dense: "
                "make_pipeline(FunctionTransformer(lambda X: X.toarray(), accept_sparse=True), …)"
            )
        return sentence


def _is_seed(name: str) -> bool:
    return name.rpartition("__")[2] == "random_state"


def _checked(classifier):
    from sklearn.base import is_classifier

    shown = " ".join(repr(classifier).split())
    allowed = f"it must be one of {', '.join(LEARNERS)}, or a classifier of scikit-learn such as LinearSVC(C=1)"
    if isinstance(classifier, type):
        raise ValueError(f"learner is the class {classifier.__name__}; make one of it: {classifier.__name__}()")
    if not all(callable(getattr(classifier, name, None)) for name in ("fit", "predict", "get_params", "set_params")):
        raise ValueError(f"learner is {shown}; {allowed}")
    if hasattr(classifier, "__sklearn_tags__") and not is_classifier(classifier):
        raise ValueError(f"learner is {shown}, which is no classifier; {allowed}")
    return classifier

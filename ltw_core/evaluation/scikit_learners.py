"""The paper's learners that are a scikit-learn estimator a setting, with their grids.

Each grid is in the order in which ties in validation F1 are resolved. k nearest neighbours are in ``knn``, fastText's
classifier in ``fasttext_learner``.
"""

from abc import abstractmethod
from collections.abc import Iterator
from itertools import product

import numpy as np

from ltw_core.evaluation.base_learner import Learner, Prediction, grouped, labels_of
from ltw_core.process import no_convergence_warnings, no_warm_start_warnings

C_DOWN = tuple(10.0**e for e in range(4, -5, -1))


class EstimatorLearner(Learner):
    """A learner that is one scikit-learn estimator a setting."""

    @abstractmethod
    def estimator(self, point: dict, seed: int, n_terms: int):
        """A fresh scikit-learn estimator with the settings of ``point``."""

    def predictions(self, points, X, y, X_new, seed) -> Iterator[Prediction]:
        """As ``Learner.predictions``; a setting that cannot be trained does not end the search."""
        for index, point in enumerate(points):
            try:
                with no_convergence_warnings():
                    fitted = self.estimator(point, seed, X.shape[1]).fit(X, y)
                scores = self.scores(fitted, X_new)
            except ValueError as error:
                yield Prediction(index, None, str(error))
            else:
                problem = "" if _converged(fitted) else "not converged"
                yield Prediction(index, scores > self.threshold, problem, scores, *self.line(fitted))

    def scores(self, fitted, X_new) -> np.ndarray:
        """Scores of documents: the decision function, as ``predict`` has it."""
        return fitted.decision_function(X_new)

    def line(self, fitted) -> tuple[np.ndarray | None, float]:
        """Coefficients and intercept where the score is linear, else None and 0."""
        coefficients = getattr(fitted, "coef_", None)
        return (None, 0.0) if coefficients is None else (coefficients.ravel(), float(np.ravel(fitted.intercept_)[0]))


def _converged(estimator) -> bool:
    steps = getattr(estimator, "n_iter_", None)
    return steps is None or not 0 < estimator.max_iter <= np.max(steps)  # -1 is no limit


class SVM(EstimatorLearner):
    """Linear support vector machine (liblinear): C from 10⁴ down, hinge before squared hinge, primal before dual."""

    name, title, score = "SVM", "Support vector machine", "distance from the hyperplane"
    note = "Linear; liblinear has no primal form of the plain hinge loss, so that combination is left out."

    def grid(self, size, n_documents, n_terms):
        if size == "quick":
            return [{"C": C, "loss": "squared_hinge", "dual": False} for C in (100.0, 10.0, 1.0, 0.1)]
        kinds = (("hinge", True), ("squared_hinge", False), ("squared_hinge", True))
        return [{"C": C, "loss": loss, "dual": dual} for C, (loss, dual) in product(C_DOWN, kinds)]

    def suited_to(self, vectors):
        return RBF() if isinstance(vectors.train, np.ndarray) else self

    def estimator(self, point, seed, n_terms):
        from sklearn.svm import LinearSVC

        return LinearSVC(**point, random_state=seed)


class RBF(EstimatorLearner):
    """Support vector machine with the RBF kernel: C from 10⁴ down, γ = 1 / (dimensions · variance)."""

    name, title, score = "SVM", "Support vector machine", "distance from the surface, in margins"
    note = "On dense vectors it has an RBF kernel, as in the paper, with scikit-learn's default γ."

    def grid(self, size, n_documents, n_terms):
        values = (100.0, 10.0, 1.0, 0.1) if size == "quick" else C_DOWN
        return [{"C": C, "kernel": kernel} for C, kernel in product(values, ("rbf",))]

    def estimator(self, point, seed, n_terms):
        from sklearn.svm import SVC

        return SVC(**point, gamma="scale", cache_size=500, random_state=seed)


class LR(EstimatorLearner):
    """Logistic regression (liblinear): C from 10⁴ down, L2 before L1, primal before dual."""

    name, title, score = "LR", "Logistic regression", "log odds"
    note = "liblinear has no dual form of the L1 penalty, so that combination is left out."

    def grid(self, size, n_documents, n_terms):
        if size == "quick":
            return [{"C": C, "penalty": "l2", "dual": False} for C in (1000.0, 100.0, 10.0, 1.0)]
        kinds = (("l2", False), ("l2", True), ("l1", False))
        return [{"C": C, "penalty": penalty, "dual": dual} for C, (penalty, dual) in product(C_DOWN, kinds)]

    def estimator(self, point, seed, n_terms):
        ratio = {"l2": 0.0, "l1": 1.0}[point["penalty"]]
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(
            C=point["C"], l1_ratio=ratio, dual=point["dual"], solver="liblinear", random_state=seed
        )


class MNB(EstimatorLearner):
    """Multinomial naive Bayes: α from 1 down. Without negative weights; ``negatives``: see ``ltw_core.protocol``."""

    name, title, score = "MNB", "Multinomial naive Bayes", "log odds"
    native = ("single",)
    note = (
        "It takes no negative weights: if most are negative all signs are turned, and those that still are negative "
        "are dropped. α = 0 stands for 1e-10."
    )

    def __init__(self, negatives: str = "dropped"):
        self.negatives = negatives

    def suited_to(self, vectors):
        negatives = vectors.protocol.negatives
        return self if negatives == self.negatives else MNB(negatives)

    def grid(self, size, n_documents, n_terms):
        alphas = (1.0, 0.1, 0.01) if size == "quick" else (1.0, 0.1, 0.05, 0.01, 0.001, 0.0)
        return [{"alpha": alpha} for alpha in alphas]

    def prepare(self, train, test):
        """Vectors without negative weights, by the protocol's ``negatives`` (the paper does not say how)."""
        weights, new = _weights(train), _weights(test)
        negative = np.count_nonzero(weights < 0)
        if not negative and not (new < 0).any():
            return train, test, ()
        total = max(np.count_nonzero(weights), 1)
        if self.negatives == "absolute":
            sentence = f"MNB takes no negative weights: {negative / total:.1%} of the training weights lost their sign."
            return abs(train), abs(test), (sentence,)
        turned = negative > np.count_nonzero(weights > 0)
        sign = -1 if turned else 1
        dropped = np.count_nonzero(sign * weights < 0) / total
        sentence = f"MNB takes no negative weights: {dropped:.1%} of the training weights were dropped"
        if turned:
            sentence += f", after all signs were turned because {negative / total:.1%} were negative"
        return _non_negative(train, sign), _non_negative(test, sign), (sentence + ".",)

    def estimator(self, point, seed, n_terms):
        # scikit-learn's own substitute for 0 (force_alpha=False), without its warning
        from sklearn.naive_bayes import MultinomialNB

        return MultinomialNB(alpha=max(point["alpha"], 1e-10), force_alpha=True)

    def scores(self, fitted, X_new):
        """Logarithm of the odds of the class."""
        other, wanted = fitted.predict_joint_log_proba(X_new).T
        return wanted - other

    def class_predictions(self, points, X, Y, X_new, seed, single):
        """As ``Learner.class_predictions``: scores are the logarithms of a class's joint probability."""
        y = labels_of(Y)
        for index, point in enumerate(points):
            try:
                fitted = self.estimator(point, seed, X.shape[1]).fit(X, y)
                scores = np.full((X_new.shape[0], Y.shape[1]), -np.inf)
                scores[:, fitted.classes_] = fitted.predict_joint_log_proba(X_new)
            except ValueError as error:
                yield Prediction(index, None, str(error))
            else:
                lines = np.zeros((Y.shape[1], X.shape[1]))
                lines[fitted.classes_] = fitted.feature_log_prob_
                yield Prediction(index, scores > self.threshold, scores=scores, coefficients=lines)

    def line(self, fitted):
        """Naive Bayes is linear in the log odds."""
        other, wanted = fitted.feature_log_prob_
        return wanted - other, float(np.subtract(*fitted.class_log_prior_[::-1]))


def _weights(vectors):
    return vectors if isinstance(vectors, np.ndarray) else vectors.data


def _non_negative(vectors, sign):
    if isinstance(vectors, np.ndarray):
        return np.maximum(sign * vectors, 0)
    vectors = vectors.copy()
    vectors.data = np.maximum(sign * vectors.data, 0)
    vectors.eliminate_zeros()
    return vectors


class RF(EstimatorLearner):
    """Random forest: trees up, Gini before entropy, √F before log₂ F before 1000 terms a split.

    With ``classes="tuned"``, as in the authors' code, then balanced class weights before those balanced by each tree's
    sample before none.
    """

    name, title, score, threshold = "RF", "Random forest", "share of the trees' votes", 0.5
    seeded = True
    native = ("single", "multi")
    note = "Its trees do not mind how a term is scaled, so weightings differ little under it."

    def __init__(self, classes: str = "equal"):
        self.classes = classes

    def suited_to(self, vectors):
        classes = vectors.protocol.forest_classes
        return self if classes == self.classes else RF(classes)

    def grid(self, size, n_documents, n_terms):
        full = (10, 25, 50, 100), ("gini", "entropy"), ("sqrt", "log2", 1000)
        axes = ((10, 25), ("gini",), ("sqrt",)) if size == "quick" else full
        names = ("trees", "criterion", "max_features")
        if self.classes == "tuned":
            axes, names = (*axes, ("balanced", "balanced_subsample", None)), (*names, "class_weight")
        return [dict(zip(names, values, strict=True)) for values in product(*axes)]

    def estimator(self, point, seed, n_terms):
        features = point["max_features"]
        from sklearn.ensemble import RandomForestClassifier

        return RandomForestClassifier(
            n_estimators=point["trees"],
            criterion=point["criterion"],
            max_features=features if isinstance(features, str) else min(features, n_terms),
            class_weight=point.get("class_weight"),
            random_state=seed,
        )

    def predictions(self, points, X, y, X_new, seed):
        """As ``Learner.predictions``; settings that differ only in the trees share one forest that grows.

        scikit-learn draws the seeds of trees one after the other, so the grown forest is the one that would have been
        planted at once.
        """
        for index, forest in self._forests(points, X, y, seed):
            other, wanted = forest.predict_proba(X_new).T
            # the two add up to 1 but for rounding; so divided, what wins by a hair is above a half
            yield Prediction(index, wanted > other, scores=wanted / (wanted + other))

    def class_predictions(self, points, X, Y, X_new, seed, single):
        """As ``Learner.class_predictions``: the trees of one forest decide on all classes."""
        for index, forest in self._forests(points, X, labels_of(Y) if single else Y, seed):
            scores = np.zeros((X_new.shape[0], Y.shape[1]))
            if single:
                scores[:, forest.classes_] = forest.predict_proba(X_new)
            else:
                shares = forest.predict_proba(X_new)
                for j, (share, classes) in enumerate(zip(shares, forest.classes_, strict=True)):
                    scores[:, j] = share @ classes.astype(float)
            yield Prediction(index, scores > self.threshold, scores=scores)

    def _forests(self, points, X, y, seed):
        """The index of each setting with its forest, which grows on afterwards."""
        X = X if isinstance(X, np.ndarray) else X.tocsc()  # what trees are built from; converted once
        names = ("criterion", "max_features", *(("class_weight",) if "class_weight" in points[0] else ()))
        for indices in grouped(points, *names).values():
            forest = None
            for index in sorted(indices, key=lambda i: points[i]["trees"]):
                if forest is None:
                    forest = self.estimator(points[index], seed, X.shape[1]).set_params(warm_start=True)
                with no_warm_start_warnings():
                    forest.set_params(n_estimators=points[index]["trees"]).fit(X, y)
                yield index, forest

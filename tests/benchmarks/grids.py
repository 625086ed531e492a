"""Full grids beside scikit-learn's ``GridSearchCV`` on the same cells: ``python -m tests.benchmarks.grids``.

Both tune on the same validation part (``PredefinedSplit``), refit on all training documents and decide the test
documents. The plain grid is exhaustive: impossible liblinear combinations fail in it and every KNN and forest setting
starts from nothing. Seconds are those of the processor, so that other work on the machine does not count; set
OMP_NUM_THREADS=1. Leaves out the weighting, which both are given.
"""

import argparse
import time
import warnings

import numpy as np
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from ltw_core.corpora import load
from ltw_core.evaluation import evaluate_vectors, learners, weigh
from ltw_core.evaluation.classifiers import C_DOWN
from ltw_core.evaluation.knn import COMPONENTS, KS, TOP_TERMS
from ltw_core.tasks import vectorize
from tests.benchmarks.measure import machine

SCORER = make_scorer(f1_score, zero_division=1.0)


def absolute_chi2(X, y):
    """χ² of the absolute weights, as in ``ltw_core.evaluation.knn``."""
    return np.nan_to_num(chi2(abs(X), y)[0], nan=-1.0)


def plain(name: str, n_terms: int):
    """scikit-learn's estimator and grid for a learner: all combinations of the paper's values."""
    if name == "SVM":
        return LinearSVC(random_state=0), {"C": C_DOWN, "loss": ["hinge", "squared_hinge"], "dual": [False, True]}
    if name == "LR":
        model = LogisticRegression(solver="liblinear", random_state=0)
        return model, {"C": C_DOWN, "l1_ratio": [0.0, 1.0], "dual": [False, True]}
    if name == "MNB":
        return MultinomialNB(force_alpha=True), {"alpha": [1.0, 0.1, 0.05, 0.01, 0.001, 1e-10]}
    if name == "KNN":
        steps = [SelectKBest(absolute_chi2, k=top) for top in TOP_TERMS if top < n_terms]
        steps += [PCA(size, svd_solver="arpack", random_state=0) for size in COMPONENTS]
        model = Pipeline([("reduce", "passthrough"), ("knn", KNeighborsClassifier(algorithm="brute"))])
        return model, {"reduce": ["passthrough", *steps], "knn__n_neighbors": KS}
    axes = {"criterion": ["gini", "entropy"], "max_features": ["sqrt", "log2", min(1000, n_terms)]}
    return RandomForestClassifier(random_state=0), {"n_estimators": [10, 25, 50, 100], **axes}


def exhaustive(name: str, vectors) -> tuple[float, float]:
    """Best validation F1 and test F1 of ``GridSearchCV``."""
    model, grid = plain(name, vectors.train.shape[1])
    split = PredefinedSplit(np.where(vectors.validation, 0, -1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = GridSearchCV(model, grid, scoring=SCORER, cv=split).fit(vectors.train, vectors.y_train)
        scores = search.cv_results_["mean_test_score"]
    test = f1_score(vectors.y_test, search.predict(vectors.test), zero_division=1.0)
    return float(np.nanmax(scores)), float(test)


def timed(call):
    """What a call returns, and the processor's seconds it took."""
    began = time.process_time()
    found = call()
    return found, time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--dataset", default="reuters21578")
    parser.add_argument("--classes", default="corn,crude,ship")
    parser.add_argument("--weighting", default="TFRF")
    parser.add_argument("--learners", default=",".join(learners()))
    options = parser.parse_args()
    print(machine(1))
    corpus = load(options.dataset)
    vectorized = vectorize(corpus, stop_words=corpus.language)
    print("class         learner  plain s  ours s   ratio   validation F1, plain and ours   test F1, plain and ours")
    for class_name in options.classes.split(","):
        vectors = weigh(vectorized.task(class_name), options.weighting)
        for name in options.learners.split(","):
            evaluate_vectors(vectors, name, "quick")  # imports and first calls
            ours, fast = timed(lambda v=vectors, n=name: evaluate_vectors(v, n, "full"))
            (validation, test), slow = timed(lambda v=vectors, n=name: exhaustive(n, v))
            equal = "" if np.isclose(validation, ours.validation_f1) else " (unequal)"
            times = f"{slow:8.1f}{fast:8.1f}{slow / fast:8.1f}"
            tuned = f"{validation:.4f} and {ours.validation_f1:.4f}{equal}"
            print(f"{class_name:14}{name:8}{times}   {tuned}   {test:.4f} and {ours.f1:.4f}", flush=True)


if __name__ == "__main__":
    main()

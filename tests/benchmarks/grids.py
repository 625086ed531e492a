"""Grids beside scikit-learn's ``GridSearchCV`` on the same cells: ``python -m tests.benchmarks.grids``.

Of each learner, and of all five together.

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
from ltw_core.evaluation.knn import COMPONENTS, KS, TOP_TERMS
from ltw_core.evaluation.scikit_learners import C_DOWN
from ltw_core.tasks import vectorize
from tests.benchmarks.measure import machine

QUICK_TOP = 100  # terms of nearest neighbours in the quick grid
SCORER = make_scorer(f1_score, zero_division=1.0)


def absolute_chi2(X, y):
    """χ² of the absolute weights, as in ``ltw_core.evaluation.knn``."""
    return np.nan_to_num(chi2(abs(X), y)[0], nan=-1.0)


def plain(name: str, size: str, n_terms: int):
    """scikit-learn's estimator and grid for a learner: the paper's values in all combinations, or the quick ones."""
    quick = size == "quick"
    if name == "SVM":
        axes = {"C": C_DOWN, "loss": ["hinge", "squared_hinge"], "dual": [False, True]}
        return LinearSVC(random_state=0), {"C": [100.0, 10.0, 1.0, 0.1], "dual": [False]} if quick else axes
    if name == "LR":
        model = LogisticRegression(solver="liblinear", random_state=0)
        axes = {"C": C_DOWN, "l1_ratio": [0.0, 1.0], "dual": [False, True]}
        return model, {"C": [1000.0, 100.0, 10.0, 1.0]} if quick else axes
    if name == "MNB":
        alphas = [1.0, 0.1, 0.01] if quick else [1.0, 0.1, 0.05, 0.01, 0.001, 1e-10]
        return MultinomialNB(force_alpha=True), {"alpha": alphas}
    if name == "KNN":
        tops = [QUICK_TOP] if quick else [top for top in TOP_TERMS if top < n_terms]
        steps = [SelectKBest(absolute_chi2, k=top) for top in tops]
        steps += [] if quick else [PCA(size, svd_solver="arpack", random_state=0) for size in COMPONENTS]
        model = Pipeline([("reduce", "passthrough"), ("knn", KNeighborsClassifier(algorithm="brute"))])
        return model, {"reduce": ["passthrough", *steps], "knn__n_neighbors": KS}
    axes = {"criterion": ["gini", "entropy"], "max_features": ["sqrt", "log2", min(1000, n_terms)]}
    trees = {"n_estimators": [10, 25]} if quick else {"n_estimators": [10, 25, 50, 100], **axes}
    return RandomForestClassifier(random_state=0), trees


def exhaustive(name: str, size: str, vectors) -> tuple[float, float]:
    """Best validation F1 and test F1 of ``GridSearchCV``."""
    model, grid = plain(name, size, vectors.train.shape[1])
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
    parser.add_argument("--grids", default="full,quick")
    options = parser.parse_args()
    print(machine(1))
    corpus = load(options.dataset)
    vectorized = vectorize(corpus, stop_words=corpus.language)
    for size in options.grids.split(","):
        print(f"{size} grid")
        print(
            "class         learner  plain s  ours s   ratio   validation F1, plain and ours   test F1, plain and ours"
        )
        for class_name in options.classes.split(","):
            compare(
                class_name, size, weigh(vectorized.task(class_name), options.weighting), options.learners.split(",")
            )


def compare(class_name: str, size: str, vectors, names: list[str]) -> None:
    """Print a row a learner, and one of their sums."""
    both = np.zeros(2)
    for name in names:
        evaluate_vectors(vectors, name, "quick")  # imports and first calls
        ours, fast = timed(lambda n=name: evaluate_vectors(vectors, n, size))
        (validation, test), slow = timed(lambda n=name: exhaustive(n, size, vectors))
        both += slow, fast
        equal = "" if np.isclose(validation, ours.validation_f1) else " (unequal)"
        tuned = f"{validation:.4f} and {ours.validation_f1:.4f}{equal}"
        print(f"{class_name:14}{name:8}{times(slow, fast)}   {tuned}   {test:.4f} and {ours.f1:.4f}", flush=True)
    print(f"{class_name:14}{'all':8}{times(*both)}", flush=True)


def times(slow: float, fast: float) -> str:
    """Two durations and their ratio, in columns."""
    return f"{slow:8.2f}{fast:8.2f}{slow / fast:8.1f}"


if __name__ == "__main__":
    main()

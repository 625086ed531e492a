"""Weightings by name for looking at documents: classic ones, the reader's own, and what was trained in this session.

Fitted once for a class and shared, with a linear SVM on their vectors that says how documents would be labelled.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ltw_core.insight import canonical
from ltw_core.process import no_convergence_warnings
from ltw_core.studies.examples import examples
from ltw_core.weighting import CD, DD, TermWeighting, display, method, methods
from pages._ui.reader import own_weightings
from pages._ui.reader.table_results import kept_of_corpus
from pages._ui.training import lookup
from pages._ui.weightings import estimators
from pages._ui.weightings.reference import SHIPPED, Reference

# the methods that weigh terms by formula
CLASSIC = tuple(name for name in methods() if method(name).cd is not None)


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted weighting, the vectors it gives, and what a linear SVM (C = 1) on them decides.

    ``decisions`` are distances from the hyperplane for train and test; None if the class cannot be learned.
    """

    estimator: Any
    vectors: dict[str, Any]
    decisions: dict[str, np.ndarray] | None
    sign: float


def listed(dataset: str, task: Any) -> dict[str, str]:
    """Weightings that there are for a class over such a share of its terms: reference and name."""
    found = estimators.trained(dataset, task).items()
    trained = {option: f"{run.label} ({lookup.ownership(run)})" for option, run in found}
    shipped = {
        str(Reference(SHIPPED, info.name)): f"{display(info.variant)} (example)"
        for info in examples()
        if (info.corpus, info.class_name, 0.1) == (dataset, task.class_name, task.ratio)
    }
    classic = {name: display(name) for name in CLASSIC}
    others = {name: CD[name].symbol for name in CD if shading(name) == name}  # formulas of no method of the table
    return {**trained, **shipped, **own_weightings.options(), **classic, **others}


def shading(name: str) -> str:
    """What ``listed`` calls the weighting by a cd function: the method that documents are weighted by it in, if any."""
    return next((of for of in reversed(CLASSIC) if method(of).cd == name), name)


def fitted(option: str, task: Any) -> Fitted:
    """A weighting of ``listed``, fitted to a class."""
    of = TermWeighting(dd="1+log", cd=option) if option in CD else estimators.estimator(option, task)
    return _fitted(task.fingerprint, option, task, of)


@kept_of_corpus(12, "Weighting the documents…")
def _fitted(fingerprint: str, option: str, _task: Any, _estimator: Any) -> Fitted:
    from sklearn.svm import LinearSVC

    if not estimators.is_fitted(option):
        _estimator.fit(_task.counts_train, _task.y_train)
    vectors = {"train": _estimator.transform(_task.counts_train), "test": _estimator.transform(_task.counts_test)}
    decisions = None
    if _task.y_train.any() and not _task.y_train.all():
        with no_convergence_warnings():  # on vectors that are not normalised it is stopped early, and near enough
            svm = LinearSVC(C=1, random_state=0, max_iter=200).fit(vectors["train"], _task.y_train)
        decisions = {part: svm.decision_function(v) if v.shape[0] else np.zeros(0) for part, v in vectors.items()}
    sign = np.sign(canonical(_estimator.cd_, _task.tpr, _task.fpr, _task.document_frequency))
    return Fitted(_estimator, vectors, decisions, float(sign))


@dataclass(frozen=True, eq=False)
class Words:
    """The terms of one document: column, frequency, and both factors and their normalised product."""

    columns: np.ndarray
    frequency: np.ndarray
    dd: np.ndarray
    cd: np.ndarray
    both: np.ndarray


def words_of(chosen: Fitted, task: Any, part: str, row: int) -> Words:
    """What a weighting makes of one document. Signs are those of the canonical form."""
    counts = {"train": task.counts_train, "test": task.counts_test}[part][[row]]
    columns, frequency = counts.indices, counts.data.astype(float)
    weights = np.asarray(chosen.vectors[part][[row]].toarray()).ravel()[columns]
    estimator = chosen.estimator
    learned = getattr(estimator, "dd_", None)
    if learned is not None:
        dd = np.asarray(learned)[np.minimum(frequency.astype(int), len(learned) - 1)]
    else:
        name = getattr(estimator, "dd", "log(1+f/dl)")
        length = np.full(frequency.shape, frequency.sum())
        options = {"k1": estimator.k1, "b": estimator.b} if name == "bm25" else {}
        dd = DD[name](frequency, length, getattr(estimator, "mean_length_", 1.0), **options)
    return Words(columns, frequency, np.asarray(dd), chosen.sign * estimator.cd_[columns], chosen.sign * weights)

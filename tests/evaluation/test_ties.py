"""Settings with equal validation F1 against trying each by itself."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score
from sklearn.naive_bayes import MultinomialNB

from ltw_core.evaluation import evaluate_vectors, learner, weigh
from ltw_core.evaluation.ties import ties
from ltw_core.protocol import Protocol


def test_ties_against_trying_every_setting(task_maker):
    vectors = weigh(task_maker(positives=12, negatives=60, seed=3), "LogTF")
    y, held = vectors.y_train, vectors.validation

    def model(point):
        return MultinomialNB(alpha=max(point["alpha"], 1e-10), force_alpha=True)

    points = learner("MNB").grid("full", 10, 30)
    scores, tests = [], []
    for point in points:
        part = model(point).fit(vectors.train[~held], y[~held])
        scores.append(f1_score(y[held], part.predict(vectors.train[held]), zero_division=1.0))
        whole = model(point).fit(vectors.train, y)
        tests.append(f1_score(vectors.y_test, whole.predict(vectors.test), zero_division=1.0))
    best = [k for k, score in enumerate(scores) if np.isclose(score, max(scores))]
    found = ties(vectors, "MNB")
    values = [tests[k] for k in best]
    assert (found.settings, found.tied) == (len(points), len(best)) and 1 < len(best) < len(points)
    assert found[2:] == pytest.approx((values[0], values[-1], min(values), max(values)))
    assert found.first == pytest.approx(evaluate_vectors(vectors, "MNB", "full").f1)  # the one that is chosen
    with pytest.raises(ValueError, match="with SVM, LR, MNB, not with 'KNN'"):
        ties(vectors, "KNN")


def test_without_validation_documents_all_settings_tie(task_maker):
    task = task_maker()
    vectors = weigh(SimpleNamespace(**vars(task) | {"validation": np.zeros(task.y_train.size, bool)}), "LogTF")
    assert sparse.issparse(vectors.train)
    found = ties(vectors, "MNB", "quick")
    assert found.tied == found.settings == 3


def test_ties_are_those_of_the_protocol(task_maker):
    """No validation document has the class, so that from 12 to 25 December 2016 all settings tied."""
    vectors = weigh(task_maker(positives=20, negatives=60, seed=2), "LogTF")
    y, validation = vectors.y_train.copy(), np.zeros(vectors.y_train.size, bool)
    alike = np.flatnonzero(y)[:2]  # of the class but for their label, so that some settings predict them
    y[alike], validation[alike] = False, True
    validation[np.flatnonzero(~y)[-1]] = True  # and one that none predicts
    vectors = replace(vectors, y_train=y, validation=validation)
    assert ties(vectors, "MNB").tied < 6
    vectors = replace(vectors, protocol=Protocol(empty_validation="one"))
    found = ties(vectors, "MNB")
    assert found.tied == found.settings == 6
    assert found.first == pytest.approx(evaluate_vectors(vectors, "MNB", "full").f1)

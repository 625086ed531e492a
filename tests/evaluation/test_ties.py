"""Settings with equal validation F1 against trying each by itself."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score
from sklearn.naive_bayes import MultinomialNB

from ltw_core.evaluation import evaluate_vectors, learner, learner_table, weigh
from ltw_core.evaluation.base_learner import Learner, Prediction
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
    for name in ("KNN", "R" * 50, 1234):
        with pytest.raises(ValueError, match=rf"^ties are counted with SVM, LR, MNB, not with '{str(name)[:40]}'$"):
            ties(vectors, name)


class Told(Learner):
    """Settings that find as many of four validation documents, and of four test documents, as told; None: it fails."""

    name = "Told"

    def __init__(self, validation, test):
        self.found = validation, test

    def grid(self, size, n_documents, n_terms):
        self.asked = size, n_documents, n_terms
        return [{"setting": k} for k in range(len(self.found[0]))]

    def predictions(self, points, X, y, X_new, seed):
        found, self.seed = self.found[X.shape[0] == 12], seed
        for k in reversed(range(len(points))):  # predictions may come in any order
            right = found[points[k]["setting"]]
            yield Prediction(k, None if right is None else np.arange(X_new.shape[0]) < right)


@pytest.mark.parametrize(
    ("validation", "test", "expected"),
    [  # F1 of finding 1, 2, 3, 4 of four: .4, 2/3, 6/7, 1
        ([1, 3, 3, 2, 3, None, 3], [4, 2, 1, 4, 4, 4, 3], (6, 4, 2, 3, 1, 4)),
        ([0, None, 0], [3, 1, 1], (2, 2, 3, 1, 1, 3)),
        ([2, 2, 2], [4, None, 1], (3, 2, 4, 1, 1, 4)),  # one cannot be trained on all documents
        ([4], [3], (1, 1, 3, 3, 3, 3)),
    ],
)
def test_of_the_settings_that_tie_first_last_and_extremes(monkeypatch, validation, test, expected):
    wanted = np.array([True] * 4 + [False] * 4)
    vectors = SimpleNamespace(
        train=np.zeros((12, 3)),
        test=np.zeros((8, 3)),
        y_train=np.r_[wanted, True, False, True, False],
        y_test=wanted,
        validation=np.arange(12) < 8,
        protocol=Protocol(),
    )
    monkeypatch.setitem(learner_table.LEARNERS, "MNB", told := Told(validation, test))
    found = ties(vectors, "MNB")
    settings, tied, *scores = expected
    assert found == (settings, tied, *(2 * right / (right + 4) for right in scores))
    assert [type(value) for value in found] == [int, int, float, float, float, float] and told.asked == ("full", 4, 3)
    assert type(told.asked[1]) is int and told.seed == 0
    assert ties(vectors, "MNB", "quick", 5) == found and (told.asked[0], told.seed) == ("quick", 5)
    monkeypatch.setitem(learner_table.LEARNERS, "MNB", Told([None, None], test))
    with pytest.raises(ValueError, match=r"^No setting of Told could be trained$"):
        ties(vectors, "MNB")


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

"""Decisions by hand and against scikit-learn: scores, thresholds, curves, contributions, two classifiers compared."""

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import binomtest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import precision_recall_curve
from sklearn.naive_bayes import MultinomialNB

from ltw_core.evaluation import (
    Decisions,
    decide,
    disagreement,
    evaluate_vectors,
    learner,
    learners,
    precision_recall,
    term_differences,
    weigh,
)


@pytest.fixture
def vectors(task):
    return weigh(task, "TFRF")


def made(scores, y, threshold=0.0, test=None, coefficients=None):
    scores, y = np.asarray(scores, float), np.asarray(y, bool)
    test = sparse.csr_array((scores.size, 1)) if test is None else test
    return Decisions(scores, threshold, scores > threshold, y, "score", test, coefficients)


@pytest.mark.parametrize("name", learners())
def test_a_known_setting_decides_again_what_was_counted(name, vectors):
    result = evaluate_vectors(vectors, name, keep_decisions=True)
    again = decide(vectors, name, result.parameters, result.seed)
    assert again.counts == (result.tp, result.fp, result.fn, result.tn) == result.decisions.counts
    np.testing.assert_array_equal(again.scores, result.decisions.scores)
    np.testing.assert_array_equal(again.predicted, again.scores > again.threshold)
    assert again.counts_at(again.threshold) == again.counts
    assert again.unit == learner(name).score != ""


def test_decisions_are_kept_only_if_asked_for(vectors):
    assert evaluate_vectors(vectors, "SVM").decisions is None


@pytest.mark.parametrize(
    ("name", "point", "estimator"),
    [
        ("LR", {"C": 1.0, "penalty": "l2", "dual": False}, LogisticRegression(solver="liblinear", random_state=0)),
        ("MNB", {"alpha": 0.1}, MultinomialNB(alpha=0.1)),
    ],
)
def test_log_odds_are_scikit_learns(name, point, estimator, vectors):
    odds = estimator.fit(vectors.train, vectors.y_train).predict_log_proba(vectors.test)
    found = decide(vectors, name, point)
    np.testing.assert_allclose(found.scores, odds[:, 1] - odds[:, 0], atol=1e-8)


def test_votes_are_scikit_learns(vectors):
    forest = RandomForestClassifier(10, random_state=0).fit(vectors.train, vectors.y_train)
    found = decide(vectors, "RF", {"trees": 10, "criterion": "gini", "max_features": "sqrt"})
    np.testing.assert_allclose(found.scores, forest.predict_proba(vectors.test)[:, 1], atol=1e-12)


@pytest.mark.parametrize("name", ["SVM", "LR", "MNB"])
def test_contributions_of_terms_add_up_to_the_score(name, vectors):
    found = evaluate_vectors(vectors, name, keep_decisions=True).decisions
    assert found.linear
    for row in (0, 5, 17):
        columns, parts = found.contributions(row)
        assert set(columns) == set(found.test[[row]].nonzero()[1])
        assert parts.sum() + found.intercept == pytest.approx(found.scores[row])


def test_learners_that_add_nothing_up_say_so(vectors):
    found = evaluate_vectors(vectors, "KNN", keep_decisions=True).decisions
    assert not found.linear
    with pytest.raises(ValueError, match="no sum over the terms"):
        found.contributions(0)
    with pytest.raises(ValueError, match="SVM, LR and MNB only"):
        term_differences(found, found)


def test_a_curve_by_hand():
    #                        1st     2nd and 3rd tie   4th
    curve = precision_recall(made([0.9, 0.5, 0.5, -1.0], [True, True, False, True]))
    assert curve.threshold.tolist() == [0.9, 0.5, -1.0]
    assert curve.precision == pytest.approx([1, 2 / 3, 3 / 4])
    assert curve.recall == pytest.approx([1 / 3, 2 / 3, 1])
    assert curve.average_precision == pytest.approx((1 + 2 / 3 + 3 / 4) / 3)


def test_curves_are_scikit_learns(vectors):
    found = evaluate_vectors(vectors, "KNN", keep_decisions=True).decisions  # scores with many ties
    curve = precision_recall(found)
    precision, recall, thresholds = precision_recall_curve(found.y, found.scores)
    np.testing.assert_allclose(curve.threshold[::-1], thresholds)
    np.testing.assert_allclose(curve.precision[::-1], precision[:-1])
    np.testing.assert_allclose(curve.recall[::-1], recall[:-1])


def test_no_curve_without_test_positives():
    with pytest.raises(ValueError, match="no test document has this class"):
        precision_recall(made([1.0, -1.0], [False, False]))


def test_disagreement_by_hand():
    y = [True, True, True, False, False, False]
    one = made([1, 1, -1, -1, 1, 1], y)  # right about 0, 1 and 3
    other = made([1, -1, -1, -1, -1, 1], y)  # right about 0, 3 and 4
    found = disagreement(one, other)
    assert [np.flatnonzero(m).tolist() for m in (found.both, found.first, found.second, found.neither)] == [
        [0, 3],
        [1],
        [4],
        [2, 5],
    ]
    assert found.differ.tolist() == [False, True, False, False, True, False]
    assert found.p_value == pytest.approx(binomtest(1, 2).pvalue)
    assert disagreement(one, one).p_value == 1.0


def test_only_classifiers_of_the_same_documents_are_compared():
    with pytest.raises(ValueError, match="not tested on the same documents"):
        disagreement(made([1.0], [True]), made([1.0], [False]))


def test_terms_that_made_the_difference(task):
    one, other = (
        evaluate_vectors(weigh(task, name), "SVM", keep_decisions=True).decisions for name in ("TFRF", "LogTFIDF")
    )
    rows = np.array([3, 1])
    found = term_differences(one, other, rows)
    constant = one.intercept / one.scores.std() - other.intercept / other.scores.std()
    standardised = one.scores / one.scores.std() - other.scores / other.scores.std()
    np.testing.assert_allclose(found.sum(axis=1) + constant, standardised[rows])
    with pytest.raises(ValueError, match="different entries"):
        term_differences(one, made([0.0], [True], test=sparse.csr_array((1, 2)), coefficients=np.zeros(2)))

"""Any scikit-learn classifier as a learner: cloned, taken as it is or tuned, and refused in a sentence."""

import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron, SGDClassifier
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler
from sklearn.svm import LinearSVC

from ltw_core.evaluation import evaluate, evaluate_vectors, results_frame, weigh
from ltw_core.evaluation.given_classifier import GivenClassifier
from ltw_core.metrics import contingency, f1
from ltw_core.tasks import WithoutTerms


class Presence(ClassifierMixin, BaseEstimator):
    """Positive where the first term is in the document; it has ``predict`` alone."""

    def fit(self, X, y):
        warnings.warn("told to whoever fits it", UserWarning, stacklevel=2)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.ravel(X[:, [0]].toarray()) > 0


def test_it_is_cloned_fitted_on_weighted_documents_and_named_after_its_class(task):
    given = LinearSVC(C=3)
    result = evaluate(task, "TFRF", given)
    assert not hasattr(given, "coef_") and given.random_state is None
    vectors = weigh(task, "TFRF")
    fitted = LinearSVC(C=3, random_state=0).fit(vectors.train, vectors.y_train)
    assert (result.tp, result.fp, result.fn, result.tn) == contingency(task.y_test, fitted.predict(vectors.test))
    fitted.fit(vectors.train[~task.validation], task.y_train[~task.validation])
    counts = contingency(task.y_train[task.validation], fitted.predict(vectors.train[task.validation]))
    assert result.validation_f1 == f1(counts.tp, counts.fp, counts.fn)
    assert (result.learner, result.grid, result.parameters) == ("LinearSVC", "no", {"C": 3})
    assert "LinearSVC (C = 3; no grid, seed 0)" in repr(result)
    assert "(its defaults; no grid, seed 0)" in repr(evaluate(task, "TF", MultinomialNB()))


def test_a_grid_of_ones_own_is_tuned_on_the_validation_part(task):
    """scikit-learn's own search with the same split, whose ties also go to the first, is the oracle."""
    values = {"alpha": [100.0, 1.0, 0.01], "fit_prior": [True, False]}
    result = evaluate(task, "LogTF", MultinomialNB(), values)
    vectors = weigh(task, "LogTF")
    split = PredefinedSplit(np.where(task.validation, 0, -1))
    search = GridSearchCV(MultinomialNB(), values, scoring="f1", cv=split).fit(vectors.train, vectors.y_train)
    assert result.validation_f1 == pytest.approx(search.best_score_)
    assert (result.parameters, result.grid) == (search.best_params_, "own")
    assert (result.tp, result.fp, result.fn, result.tn) == contingency(task.y_test, search.predict(vectors.test))


@pytest.mark.parametrize(
    ("classifier", "unit", "threshold"),
    [
        (Perceptron(), "decision function", 0),
        (KNeighborsClassifier(), "probability of the class", 0.5),
        (Presence(), "what it predicts", 0.5),
        (make_pipeline(MaxAbsScaler(), LogisticRegression()), "decision function", 0),
    ],
)
@pytest.mark.filterwarnings("ignore:told")
def test_scores_are_what_the_class_has(task, classifier, unit, threshold):
    decisions = evaluate_vectors(weigh(task, "LogTF"), classifier, keep_decisions=True).decisions
    assert (decisions.unit, decisions.threshold) == (unit, threshold)
    np.testing.assert_array_equal(decisions.predicted, decisions.scores > threshold)
    assert 0 < decisions.predicted.sum() < 160


def test_the_seed_is_set_where_none_is_given(task):
    def figures(classifier, seed):
        result = evaluate(task, "TF", classifier, seed=seed)
        return result.tp, result.fp, result.validation_f1

    noisy, fixed = SGDClassifier(max_iter=5, tol=None), SGDClassifier(max_iter=5, tol=None, random_state=1)
    assert figures(noisy, 1) == figures(noisy, 1) == figures(fixed, 2)
    assert len({figures(noisy, seed) for seed in range(4)}) > 1 == len({figures(fixed, seed) for seed in range(4)})


def test_what_does_not_converge_is_told_and_other_warnings_are_passed_on(task):
    slow = evaluate(task, "TF", LogisticRegression(max_iter=1))
    assert slow.warnings[-1] == "The final classifier stopped at the limit of iterations before converging."
    assert evaluate(task, "TF", LogisticRegression()).warnings == ()
    with pytest.warns(UserWarning, match="told to whoever fits it"):
        evaluate(task, "TF", Presence())


def test_dense_vectors_where_a_step_makes_them(task):
    with pytest.raises(ValueError, match=r"GaussianNB takes no sparse vectors\. Put a step before it"):
        evaluate(task, "TF", GaussianNB())
    dense = FunctionTransformer(lambda X: X.toarray(), accept_sparse=True)
    assert evaluate(task, "LogTF", make_pipeline(dense, GaussianNB())).f1 > 0.5


@pytest.mark.parametrize(
    ("learner", "grid", "sentence"),
    [
        (LinearSVC, "quick", r"learner is the class LinearSVC; make one of it: LinearSVC\(\)"),
        (LinearRegression(), "quick", "which is no classifier; it must be one of SVM, LR"),
        (7, "quick", r"learner is 7; it must be one of SVM, .* a classifier of scikit-learn such as LinearSVC\(C=1\)"),
        (LinearSVC(), "full", "LinearSVC has no full grid; give a grid such as {'C': "),
        (LinearSVC(), {"c": [1]}, "grid names 'c', which LinearSVC has not; it has C, class_weight"),
        (LinearSVC(), {"C": []}, r"grid has \[\] for C; it must be a list of at least one value"),
        (LinearSVC(), {"loss": "hinge"}, "grid has 'hinge' for loss"),
        (LinearSVC(), {"C": range(1, 2000)}, "more than 1,000 combinations"),
        ("SVM", {"C": [1]}, "SVM has grids of its own: quick, full. A dict goes with a classifier"),
        (LinearSVC(C=-1), "quick", "No setting of LinearSVC could be trained: The 'C' parameter"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(task, learner, grid, sentence):
    with pytest.raises(ValueError, match=sentence):
        evaluate(task, "TF", learner, grid)


def test_a_setting_that_fails_is_told_and_the_others_are_tried(task):
    result = evaluate(task, "TF", LinearSVC(), {"C": [-1, 1]})
    assert result.parameters == {"C": 1} and "1 of 2 settings failed" in result.warnings[0]


def test_only_plain_values_that_are_no_defaults_are_written_down():
    svc = LinearSVC(C=2, dual="auto", class_weight={True: 2}, tol=1e-4)
    assert GivenClassifier(svc).grid("no", 1, 1) == [{"C": 2}]
    assert GivenClassifier(svc, {"C": np.array([1, 5])}).grid("own", 1, 1) == [{"C": 1}, {"C": 5}]


def test_a_result_shows_itself_as_a_small_table(task):
    class Odd(LinearSVC):
        pass

    Odd.__name__ = "<script>"
    html = evaluate(task, "TFRF", Odd())._repr_html_()
    assert "&lt;script&gt;" in html and "<script>" not in html
    result = evaluate(task, "TFRF")
    assert f">{result.f1:.3f}<" in result._repr_html_() and f">{result.tn:,}<" in result._repr_html_()
    low, high = result.estimate.both
    assert f">{low:.3f} – {high:.3f}<" in result._repr_html_() and low <= result.f1 <= high and low < high
    assert f"F1 {result.f1:.3f} [{low:.3f}, {high:.3f}]" in repr(result)
    assert "<small>" not in result._repr_html_()
    object.__setattr__(result, "without_terms", WithoutTerms(3, 1, 2, 1, True))
    assert "scored like any other" in result._repr_html_()


def test_results_as_a_frame_have_a_row_each(task):
    results = [evaluate(task, "TFRF"), evaluate(task, "TFRF", LinearSVC(C=1e3))]
    frame = results_frame(results)
    assert frame["f1"].tolist() == [result.f1 for result in results]
    assert frame["parameters"].tolist() == [results[0].setting.split(";")[0], "C = 1000"]
    assert results_frame([]).columns.tolist() == frame.columns.tolist()

"""The protocol: tuning on validation only, ties, refit, one test; progress, cancelling, and degenerate problems."""

import dataclasses
import re

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.neighbors import NearestCentroid
from sklearn.svm import LinearSVC

from ltw_core.evaluation import (
    Cancelled,
    Result,
    describe,
    evaluate,
    evaluate_vectors,
    learner,
    learner_table,
    learners,
    register,
    weigh,
)
from ltw_core.evaluation.base_learner import Learner, Prediction
from ltw_core.evaluation.scikit_learners import EstimatorLearner
from ltw_core.metrics import contingency, f1
from ltw_core.studies.plan import plan
from ltw_core.tasks.split import stratified_sample
from ltw_core.weighting import LearnedWeighting, TermWeighting, make


@pytest.mark.parametrize("name", learners())
def test_every_learner_gives_a_result(name, task):
    result = evaluate(task, "TFRF", name)
    assert isinstance(result, Result)
    assert result.tp + result.fp + result.fn + result.tn == 160
    assert result.f1 == pytest.approx(2 * result.tp / (2 * result.tp + result.fp + result.fn))
    assert (result.weighting, result.learner, result.grid, result.seed) == ("TFRF", name, "quick", 0)
    assert result.f1 > 0.5  # a quarter are positive: .4 by predicting all, 0 by none
    assert result.validation_f1 == _on_validation(weigh(task, "TFRF"), name, result.parameters)
    assert result.seconds >= result.weighting_seconds > 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.f1 = 1.0


@pytest.mark.filterwarnings("ignore:Liblinear failed")
def test_the_protocol_step_by_step(task):
    """Grid on train → validation, refit on both, test once, written out."""
    result = evaluate(task, "LogTFIDF", "SVM", "full", seed=7)
    weighting = make("LogTFIDF").fit(task.counts_train, task.y_train)
    train, test = weighting.transform(task.counts_train), weighting.transform(task.counts_test)
    fitting, y = ~task.validation, task.y_train
    best, chosen = -1.0, None
    for point in learner("SVM").grid("full", *train.shape):
        svm = LinearSVC(**point, random_state=7).fit(train[fitting], y[fitting])
        counts = contingency(y[~fitting], svm.predict(train[~fitting]))
        score = 2 * counts.tp / max(2 * counts.tp + counts.fp + counts.fn, 1)
        if score > best:
            best, chosen = score, point
    final = LinearSVC(**chosen, random_state=7).fit(train, y)
    assert (result.parameters, result.validation_f1) == (chosen, pytest.approx(best))
    assert (result.tp, result.fp, result.fn, result.tn) == contingency(task.y_test, final.predict(test))


def test_the_test_set_takes_no_part_in_any_choice(task):
    one = evaluate(task, "TFCHI", "LR")
    task.counts_test, task.y_test = task.counts_test[:50], ~task.y_test[:50]
    other = evaluate(task, "TFCHI", "LR")
    assert (one.parameters, one.validation_f1) == (other.parameters, other.validation_f1)


class Scripted(Learner):
    """Predicts on validation as told, and records what it is trained on."""

    name = "Scripted"

    def __init__(self, script, order):
        self.script, self.calls, self.tried = script, [], []
        self.order = reversed(range(len(script))) if order is None else order

    def grid(self, size, n_documents, n_terms):
        return [{"setting": index} for index in range(len(self.script))]

    def predictions(self, points, X, y, X_new, seed):
        self.calls.append((len(points), X.shape[0], X_new.shape[0]))
        if len(points) == 1:
            yield Prediction(0, np.zeros(X_new.shape[0], bool))
            return
        for index in self.order:  # predictions may come in any order
            self.tried.append(index)
            right = self.script[index]
            predicted = None if right is None else np.arange(X_new.shape[0]) < right
            yield Prediction(index, predicted, "no luck" if right is None else "")


class Centroid(EstimatorLearner):
    """A learner from outside: one file, registered in one place."""

    name, title, score = "NC", "Nearest centroid", "how much nearer the class's centroid is"

    def grid(self, size, n_documents, n_terms):
        return [{"shrink_threshold": value} for value in (None, 0.1)]

    def estimator(self, point, seed, n_terms):
        return NearestCentroid(**point)

    def scores(self, fitted, X_new):
        other, wanted = euclidean_distances(fitted.centroids_, X_new)
        return other - wanted


def test_a_learner_from_outside_is_one_of_all(task, monkeypatch):
    for name in list(learner_table.LEARNERS):  # the table is put back as it was
        monkeypatch.setitem(learner_table.LEARNERS, name, learner_table.LEARNERS[name])
    monkeypatch.setitem(learner_table.LEARNERS, "NC", None)
    register(Centroid())
    assert learners()[-1] == "NC" and learner("NC").title == "Nearest centroid"
    result = evaluate(task, "TFRF", "NC", "full")
    assert result.learner == "NC" and result.f1 > 0.5 and set(result.parameters) == {"shrink_threshold"}
    cells = plan(["synthetic"], weightings="TFRF", learner_names="all", classes="relevant", seeds=2)
    assert [cell.seed for cell in cells if cell.learner == "NC"] == [0]  # it depends on no seed


def test_a_result_is_shown_in_two_lines(task):
    shown = repr(evaluate(task, "TFRF", "SVM"))
    assert re.fullmatch(
        r"TFRF with SVM \(C = .*; quick grid, seed 0\): F1 \d\.\d{3} \[\d\.\d{3}, \d\.\d{3}\], "
        r"precision \d\.\d{3}, recall \d\.\d{3}\n"
        r"tp \d+, fp \d+, fn \d+, tn \d+; validation F1 \d\.\d{3}; [\d.e-]+ s",
        shown,
    )


@pytest.fixture
def scripted(monkeypatch, task):
    """Validation documents sorted, so that predicting the first n gives n of 8 positives."""
    order = np.argsort(np.where(task.validation, 1 + ~task.y_train, 0), kind="stable")
    task.counts_train, task.y_train, task.validation = (
        task.counts_train[order],
        task.y_train[order],
        task.validation[order],
    )

    def run(script, order=None):
        method = Scripted(script, order)
        monkeypatch.setitem(learner_table.LEARNERS, "Scripted", method)
        return method, evaluate(task, "TF", "Scripted")

    return run


def test_of_equal_settings_the_first_wins(scripted):
    method, result = scripted([3, 5, 5, 2, 5])
    assert result.parameters == {"setting": 1}
    assert result.validation_f1 == pytest.approx(2 * 5 / 13)
    # 128 documents train and 32 validate; then 160 train and 160 test
    assert method.calls == [(5, 128, 32), (1, 160, 160)]


@pytest.mark.parametrize(
    ("script", "chosen", "last_tried"),
    [
        # outcomes come from the last setting to the first; all 8 positives found is an F1 of 1
        ([3, 5, 8, 2, 8], 2, 0),
        ([8, 5, 8, 2, 8], 0, 0),
    ],
)
def test_a_perfect_setting_wins_only_when_those_before_it_are_known(scripted, script, chosen, last_tried):
    method, result = scripted(script)
    assert (result.parameters, result.validation_f1) == ({"setting": chosen}, 1.0)
    assert method.tried[-1] == last_tried


def test_after_a_perfect_setting_the_rest_of_the_grid_is_left(scripted):
    method, result = scripted([3, 8, None, 8], order=[0, 1, 2, 3])
    assert (result.parameters, method.tried) == ({"setting": 1}, [0, 1])
    assert not result.warnings
    method, result = scripted([3, 8, 4, 8], order=[3, 1, 0, 2])
    assert (result.parameters, method.tried) == ({"setting": 1}, [3, 1, 0])


def test_failed_settings_are_told_and_passed_over(scripted):
    _, result = scripted([None, 4, None])
    assert result.parameters == {"setting": 1}
    assert result.warnings == ("2 of 3 settings failed: no luck",)


def test_when_every_setting_fails_that_is_a_sentence(scripted):
    with pytest.raises(ValueError, match="No setting of Scripted could be trained: no luck"):
        scripted([None, None])


def test_progress_is_reported_in_order(task):
    seen = []
    result = evaluate(task, "TFIDF", "MNB", "full", on_event=seen.append)
    assert [(event.stage, event.done, event.total) for event in seen] == [
        *(("grid", done, 6) for done in range(1, 7)),
        ("refit", 6, 6),
    ]
    assert seen[0].message.startswith("1 of 6: alpha = 1, validation F1 0.")
    assert seen[-1].parameters == result.parameters
    assert max(event.validation_f1 for event in seen) == result.validation_f1


@pytest.mark.parametrize("after", [1, 3])
def test_returning_true_cancels(task, after):
    seen = []

    def stop(event):
        seen.append(event)
        return len(seen) == after

    with pytest.raises(Cancelled):
        evaluate(task, "TFIDF", "SVM", on_event=stop)
    assert len(seen) == after


def tiny():
    return LearnedWeighting(variant="LTW-L-I", hidden=8, max_steps=200, batch_size=20)


def test_a_learned_weighting_is_told_what_validates_and_reports(task):
    seen = []
    result = evaluate(task, tiny(), "LR", on_event=seen.append)
    learning = [event for event in seen if event.stage == "weighting"]
    assert learning and learning[0].total is None and "step 100" in learning[0].message
    assert result.weighting == "LTW-L-I"
    expected = tiny().fit(task.counts_train, task.y_train, validation=task.validation)
    vectors = weigh(task, tiny())
    np.testing.assert_allclose(vectors.train.toarray(), expected.transform(task.counts_train).toarray())


def test_cancelling_while_the_weighting_is_learned(task):
    with pytest.raises(Cancelled, match="weighting"):
        weigh(task, tiny(), on_event=lambda event: True)


def test_a_fitted_weighting_is_used_as_it_is_and_an_unfitted_one_is_left_unfitted(task):
    fitted = TermWeighting(cd="RF", norm=None).fit(task.counts_train, task.y_train)
    fitted.cd_ = fitted.cd_ * 2
    np.testing.assert_array_equal(weigh(task, fitted).train.toarray(), fitted.transform(task.counts_train).toarray())
    fresh = clone(fitted)
    weigh(task, fresh)
    assert not hasattr(fresh, "cd_")


def test_one_weighting_serves_several_learners(task):
    vectors = weigh(task, "TFGR")
    for name in ("SVM", "MNB"):
        shared, alone = evaluate_vectors(vectors, name), evaluate(task, "TFGR", name)
        assert dataclasses.replace(shared, seconds=0, weighting_seconds=0) == dataclasses.replace(
            alone, seconds=0, weighting_seconds=0
        )


def _on_validation(vectors, name, parameters):
    """F1 on the validation part of a setting that is trained on the rest."""
    method, part = learner(name), vectors.validation
    train, _, _ = method.prepare(vectors.train, vectors.test)
    (found,) = method.predictions([parameters], train[~part], vectors.y_train[~part], train[part], 0)
    counts = contingency(vectors.y_train[part], found.predicted)
    return f1(counts.tp, counts.fp, counts.fn)


def test_negative_weights_under_naive_bayes_are_told(task):
    result = evaluate(task, TermWeighting(cd="OR"), "MNB")
    assert result.warnings[0].startswith("MNB takes no negative weights")


def test_without_positives_in_validation_the_first_tie_wins_and_it_is_said(task_maker):
    result = evaluate(task_maker(positives=4, negatives=60), "LogTF", "SVM")
    assert result.validation_f1 in (0.0, 1.0)
    assert any("No document of the class is left for validation" in sentence for sentence in result.warnings)


def test_without_any_validation_the_first_setting_is_taken(task):
    task.validation = np.zeros(160, bool)
    result = evaluate(task, "LogTF", "MNB", "full")
    assert (result.parameters, result.validation_f1) == ({"alpha": 1.0}, 1.0)
    assert "without validation" in result.warnings[0]


@pytest.mark.parametrize("name", learners())
def test_the_smallest_problem_works(task_maker, name):
    result = evaluate(task_maker(positives=1, negatives=2, terms=12), "TFIDF", name, "full")
    assert (result.tp + result.fn, result.fp + result.tn) == (1, 2)
    assert result.validation_f1 == 1  # of nothing: both parts of the split are too small to give a document up
    assert any("No document is left for validation" in sentence for sentence in result.warnings)


@pytest.mark.parametrize("weighting", ["TF", "TFRF"])
def test_one_class_is_answered_with_a_sentence(task, weighting):
    task.y_train = np.zeros(160, bool)
    with pytest.raises(ValueError, match="The training set has no document of the class"):
        evaluate(task, weighting)
    task.y_train = ~task.y_train
    with pytest.raises(ValueError, match="The training set has only documents of the class"):
        evaluate(task, weighting)


def test_a_training_part_of_one_class_is_answered_with_a_sentence(task):
    task.validation = task.y_train.copy()
    with pytest.raises(ValueError, match="Its training part has no document of the class"):
        evaluate(task, "TF")


def test_without_test_documents_there_is_nothing_to_evaluate(task):
    task.counts_test, task.y_test = task.counts_test[:0], task.y_test[:0]
    with pytest.raises(ValueError, match="no test documents"):
        weigh(task, "TF")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"weighting": "TFX"}, "weighting is 'TFX'"),
        ({"weighting": "BNS"}, r"weighting is 'BNS', which is a cd function alone: give TermWeighting\(cd='BNS'\)"),
        ({"learner": "NN"}, "learner is 'NN'; it must be one of SVM"),
        ({"grid": "big"}, "grid is 'big'; it must be one of quick, full"),
    ],
)
def test_unknown_names_are_answered_with_the_known_ones(task, settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        evaluate(task, **{"weighting": "TF", **settings})


def test_settings_in_words():
    assert describe({"C": 1e4, "loss": "hinge", "dual": True}) == "C = 10000, loss = hinge, dual = yes"


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "expected"), [("corn", 0.87), ("crude", 0.88), ("ship", 0.82), ("interest", 0.70)])
def test_reuters_gives_the_known_figures(real_corpus, name, expected):
    from ltw_core.tasks import vectorize

    reuters = vectorize(real_corpus("reuters21578"))
    result = evaluate(reuters.task(name), "LogTFIDF", "SVM", "full")
    assert result.f1 == pytest.approx(expected, abs=0.015)


def test_a_sample_chooses_and_all_documents_train(task):
    """The grid written out on the sample; what is counted is of the classifier trained on all."""
    vectors = weigh(task, "LogTFIDF")
    found = evaluate_vectors(vectors, "SVM", "quick", grid_sample=120)
    rows = stratified_sample(vectors.y_train + 2 * vectors.validation, 120)
    held = vectors.validation[rows]
    fitting, holding = rows[~held], rows[held]
    scores = []
    for point in learner("SVM").grid("quick", fitting.size, vectors.train.shape[1]):
        svm = LinearSVC(**point, random_state=0).fit(vectors.train[fitting], vectors.y_train[fitting])
        counts = contingency(vectors.y_train[holding], svm.predict(vectors.train[holding]))
        scores.append((2 * counts.tp / max(2 * counts.tp + counts.fp + counts.fn, 1), point))
    best = max(score for score, _ in scores)
    assert found.validation_f1 == pytest.approx(best)
    assert found.parameters == next(point for score, point in scores if score == best)
    final = LinearSVC(**found.parameters, random_state=0).fit(vectors.train, vectors.y_train).predict(vectors.test)
    assert (found.tp, found.fp, found.fn, found.tn) == contingency(vectors.y_test, final)
    assert found.grid_sample == rows.size
    assert f"chosen on {rows.size} of the {len(vectors.y_train)} training documents" in found.warnings[0]
    assert f"quick grid on {rows.size} training documents, seed 0" in repr(found)


def test_what_is_evaluated_is_what_its_vectors_are(task):
    """The same choice on the same sample, and the time of weighing beside it."""
    found, vectors = evaluate(task, "TFRF", grid_sample=120), weigh(task, "TFRF")
    expected = evaluate_vectors(vectors, "SVM", "quick", grid_sample=120)
    assert (found.grid_sample, found.parameters, found.f1) == (expected.grid_sample, expected.parameters, expected.f1)
    assert found.grid_sample is not None and found.seconds > found.weighting_seconds > 0


def test_a_sample_of_more_documents_than_there_are_is_none(task):
    whole, same = (evaluate(task, "TFRF", grid_sample=size) for size in (None, 10_000))
    assert same.grid_sample is None and "sample" not in " ".join(same.warnings)
    assert (same.tp, same.validation_f1, same.parameters) == (whole.tp, whole.validation_f1, whole.parameters)


@pytest.mark.parametrize("size", [99, 0, -1, 1000.0, True, "all"])
def test_a_sample_that_cannot_be_is_a_sentence(task, size):
    with pytest.raises(ValueError, match=rf"^grid_sample is {size!r}; it must be a whole number of at least 100 doc"):
        evaluate(task, "TFRF", grid_sample=size)

"""The protocol: tuning on validation only, ties, refit, one test; progress, cancelling, and degenerate problems."""

import dataclasses
import re

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.neighbors import NearestCentroid
from sklearn.svm import LinearSVC

from ltw_core.evaluation import (
    Cancelled,
    Result,
    decide,
    describe,
    evaluate,
    evaluate_vectors,
    learner,
    learner_table,
    learners,
    register,
    tuning,
    weigh,
)
from ltw_core.evaluation.base_learner import Learner, Prediction
from ltw_core.evaluation.scikit_learners import EstimatorLearner
from ltw_core.evaluation.tuning import NOT_VALIDATED, asked_for, check_grid_sample, told_problems
from ltw_core.evaluation.vectors import Vectors
from ltw_core.metrics import contingency, f1
from ltw_core.protocol import Protocol
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
    task.protocol = Protocol(negatives="absolute")
    unsigned = evaluate(task, TermWeighting(cd="OR"), "MNB")
    assert unsigned.warnings[0].endswith("lost their sign.") and unsigned.protocol == "negatives=absolute"
    assert unsigned.validation_f1 != result.validation_f1


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


# What is reported, word for word -----------------------------------------------------------------------------------


class Told(Learner):
    """Of four validation documents of the class and four others each setting finds the first so many; None: it fails.

    A setting's problem may be told too, and what is found of the test documents with the chosen one.
    """

    name, threshold, decides_on_nothing = "Told", 0.5, False

    def __init__(self, script, problems=None, final=(3, ""), order=None):
        self.script, self.problems = script, problems or ["no luck" if right is None else "" for right in script]
        self.final, self.order, self.calls = final, order or range(len(script)), []

    def grid(self, size, n_documents, n_terms):
        self.calls.append((size, n_documents, n_terms))
        return [{"setting": k} for k in range(len(self.script))]

    def prepare(self, train, test):
        return 2 * train, 3 * test, ("Prepared.",)

    def predictions(self, points, X, y, X_new, seed):
        self.calls.append((points, X.shape[0], X[0, 0], y.sum(), X_new.shape[0], seed))
        choosing = len(points) == len(self.script) > 1
        for k in self.order if choosing else [0]:
            right, problem = (self.script[k], self.problems[k]) if choosing else self.final
            predicted = None if right is None else np.arange(X_new.shape[0]) < right
            scores = None if right is None else np.linspace(1, 0, X_new.shape[0])
            yield Prediction(k, predicted, problem, scores, np.arange(3.0), 0.25)


def told(monkeypatch, script, y=None, validation=range(8), **about):
    """A learner that is told what to find, and vectors of 12 training documents and 8 that test."""
    wanted = np.arange(8) < 4
    vectors = Vectors(
        train=sparse.csr_array(np.ones((12, 3))),
        test=sparse.csr_array(np.ones((8, 3))),
        y_train=np.r_[wanted, True, False, True, False] if y is None else np.array(y, bool),
        y_test=wanted,
        validation=np.isin(np.arange(12), validation),
        weighting="W",
        **{name: about.pop(name) for name in ("empty_test", "protocol", "remarks", "seconds") if name in about},
    )
    monkeypatch.setitem(learner_table.LEARNERS, "Told", method := Told(script, **about))
    return method, vectors


def test_every_setting_and_the_refit_are_reported(monkeypatch):
    method, vectors = told(monkeypatch, [2, None, 3, 1], order=[0, 3, 1, 2])
    seen = []
    result = evaluate_vectors(vectors, "Told", "full", 7, seen.append)
    assert [repr(event) for event in seen] == [
        f"Progress(stage={stage!r}, done={done}, total=4, parameters={{'setting': {k}}}, "
        f"validation_f1={f1}, message={m!r})"
        for stage, done, k, f1, m in (
            ("grid", 1, 0, 4 / 6, "1 of 4: setting = 0, validation F1 0.667"),
            ("grid", 2, 3, 2 / 5, "2 of 4: setting = 3, validation F1 0.400"),
            ("grid", 3, 1, "nan", "3 of 4: setting = 1, failed"),
            ("grid", 4, 2, 6 / 7, "4 of 4: setting = 2, validation F1 0.857"),
            ("refit", 4, 2, 6 / 7, "Refitting on all training documents with setting = 2"),
        )
    ]
    points = [{"setting": k} for k in range(4)]
    # 4 train and 8 validate, then 12 train and 8 test; what was prepared is what is trained on
    assert method.calls == [("full", 4, 3), (points, 4, 2, 2, 8, 7), (points[2:3], 12, 2, 6, 8, 7)]
    assert type(method.calls[0][1]) is int
    assert (result.counts, result.validation_f1, result.parameters) == ((3, 0, 1, 4), 6 / 7, {"setting": 2})
    assert type(result.validation_f1) is float and {type(count) for count in result.counts} == {int}
    assert (result.weighting, result.learner, result.grid, result.seed) == ("W", "Told", "full", 7)
    assert (result.weighting_seconds, result.decisions, result.without_terms, result.grid_sample) == (
        0,
        None,
        None,
        None,
    )
    assert 0 < result.seconds < 100 and result.predicted.tolist() == [0, 1, 2] and result.protocol == "paper"
    assert result.warnings == ("Prepared.", "1 of 4 settings failed: no luck")
    decisions = evaluate_vectors(vectors, "Told", keep_decisions=True).decisions
    assert (decisions.threshold, decisions.intercept, decisions.unit) == (0.5, 0.25, "")
    assert decisions.coefficients.tolist() == [0, 1, 2] and decisions.test[0, 0] == 3 and decisions.scores[0] == 1


@pytest.mark.parametrize(
    ("about", "sentences"),
    [
        ({}, []),
        (
            {"problems": ["not converged", "", ""]},
            ["1 of 3 settings stopped at the limit of iterations before converging."],
        ),
        (
            {"problems": ["not converged", "bad", "not converged"], "final": (3, "not converged")},
            [
                "2 of 3 settings stopped at the limit of iterations before converging.",
                "The final classifier stopped at the limit of iterations before converging.",
                "1 of 3 settings failed: bad",
            ],
        ),
        ({"validation": []}, [NOT_VALIDATED]),
        (
            {"validation": [4, 5, 6, 7]},
            [
                "No document of the class is left for validation: every setting that predicts none there scores 1, and "
                "the first of them was chosen."
            ],
        ),
        ({"empty_test": np.arange(8) > 9}, []),
        (
            {"empty_test": np.arange(8) == 1, "remarks": ("Remarkable.",)},
            ["1 test document holds no known term; Told cannot decide on an empty vector: predicted negative."],
        ),
        (
            {"empty_test": np.arange(8) != 1},
            ["7 test documents hold no known term; Told cannot decide on an empty vector: predicted negative."],
        ),
    ],
)
def test_what_to_know_is_said_in_sentences(monkeypatch, about, sentences):
    _, vectors = told(monkeypatch, [1, 2, 1], **about)
    result = evaluate_vectors(vectors, "Told", keep_decisions=True)
    assert result.warnings == (*vectors.remarks, "Prepared.", *sentences)
    silent = about.get("empty_test", np.zeros(8, bool))
    assert result.predicted.tolist() == [k for k in range(3) if not silent[k]]
    assert result.decisions.scores.tolist() == np.where(silent, 0, np.linspace(1, 0, 8)).tolist()
    dense = dataclasses.replace(vectors, test=vectors.test.toarray())  # an empty document's vector is one like others
    found = evaluate_vectors(dense, "Told", keep_decisions=True)
    assert found.predicted.tolist() == [0, 1, 2] and found.decisions.coefficients is None
    assert not any("empty vector" in sentence for sentence in found.warnings)


@pytest.mark.parametrize(
    ("rule", "validation", "script", "score"),
    [
        # three of the four others are found; of the class there is none to validate
        ("none", [4, 5, 6, 7], [3, 3], 0),
        ("one", [4, 5, 6, 7], [3, 3], 1),  # one of the others is told right
        ("one", [4, 5, 6, 7], [4, 4], 0),  # none is
        ("one", range(8), [2, 2], 4 / 6),  # as many found as missed
        ("one", range(8), [6, 6], 8 / 10),  # and where there is one of the class F1 is F1
        ("one", [0, 1], [0, 0], 0),
    ],
)
def test_f1_without_a_validation_document_of_the_class(monkeypatch, rule, validation, script, score):
    protocol = Protocol() if rule == "none" else Protocol(empty_validation=rule)
    _, vectors = told(monkeypatch, script, validation=validation, protocol=protocol)
    result = evaluate_vectors(vectors, "Told")
    assert result.validation_f1 == score and result.protocol == protocol.name


def test_what_failed_is_told_with_its_setting(monkeypatch):
    _, vectors = told(monkeypatch, [1, 2], final=(None, "out of luck"))
    for attempt in (lambda: evaluate_vectors(vectors, "Told"), lambda: decide(vectors, "Told", {"setting": 1})):
        with pytest.raises(ValueError, match=r"^Told with setting = 1 could not be trained: out of luck$"):
            attempt()
    _, vectors = told(monkeypatch, [None, None], problems=["", "bad"])
    with pytest.raises(ValueError, match=r"^No setting of Told could be trained: bad$"):
        evaluate_vectors(vectors, "Told")
    with pytest.raises(Cancelled, match=r"^The evaluation was cancelled$"):
        evaluate_vectors(vectors, "Told", on_event=lambda event: event.done == 2)
    _, vectors = told(monkeypatch, [1, 2])
    nothing = dataclasses.replace(vectors, y_test=vectors.y_test[:0])
    with pytest.raises(ValueError, match=r"^There are no test documents to evaluate on$"):
        evaluate_vectors(nothing, "Told")
    for part, y in (("The training set", [0] * 12), ("Its training part", [1, 1, 1, 1, *[0] * 8])):
        _, vectors = told(monkeypatch, [1, 2], y=y)
        with pytest.raises(ValueError, match=f"^{part} has no document of the class: "):
            evaluate_vectors(vectors, "Told")


def test_deciding_again_trains_on_everything_with_a_seed(monkeypatch):
    method, vectors = told(monkeypatch, [1, 2])
    for seed, found in ((0, decide(vectors, "Told", {"setting": 1})), (5, decide(vectors, "Told", {"setting": 1}, 5))):
        assert found.counts == (3, 0, 1, 4) and found.scores[0] == 1
        assert method.calls.pop(0) == ([{"setting": 1}], 12, 2, 6, 8, seed)


def test_weighing_and_evaluating_get_what_was_asked_and_their_times_add_up(monkeypatch):
    method, vectors = told(monkeypatch, [1, 2], seconds=1_000.0)
    asked = []
    monkeypatch.setattr(tuning, "weigh", lambda *arguments: asked.append(arguments) or vectors)

    def listener(event):
        asked.append(event.stage)

    result = evaluate("task", "W", "Told", "full", 3, listener, protocol="authors")
    assert asked == [("task", "W", 3, listener), "grid", "grid", "refit"]
    assert result.weighting_seconds == 1_000 and 1_000 < result.seconds < 1_100
    assert (result.grid, result.seed, method.calls[-1][-1]) == ("full", 3, 3)

    class Task:
        def under(self, protocol):
            return f"under {protocol}"

    for protocol, given in (("authors", "under authors"), (None, task := Task())):
        assert evaluate(task, "W", "Told", protocol=protocol).weighting == "W" and asked[-1][0] == given


def test_a_sample_is_said_and_only_where_it_leaves_something_out(monkeypatch):
    monkeypatch.setattr(tuning, "GRID_SAMPLE_LEAST", 4)
    method, vectors = told(monkeypatch, [1, 2])
    for size in (12, np.int64(13)):
        assert evaluate_vectors(vectors, "Told", grid_sample=size).grid_sample is None
    result = evaluate_vectors(vectors, "Told", grid_sample=np.int32(6))
    assert result.grid_sample == method.calls[-2][1] + method.calls[-2][4] == 6
    assert method.calls[-3] == ("quick", method.calls[-2][1], 3) and method.calls[-1][1:] == (12, 2, 6, 8, 0)
    assert result.warnings[1] == (
        "The setting was chosen on 6 of the 12 training documents, a sample with the same shares of the class and of "
        "validation; the classifier was then trained on all."
    )
    check_grid_sample(None)
    check_grid_sample(4)
    told_whole = "^grid_sample is 3; it must be a whole number of at least 4 documents, or None for all$"
    with pytest.raises(ValueError, match=told_whole):
        check_grid_sample(3)


def test_what_a_learner_and_its_grid_are_called():
    own = {"C": [0.1, 1.0]}
    assert [name for _, name in (asked_for("SVM", "quick"), asked_for("SVM", "full"))] == ["quick", "full"]
    (given, name), (plain, none) = asked_for(LinearSVC(), own), asked_for(LinearSVC(), "quick")
    assert (name, none) == ("own", "no")
    assert (given.grid("own", 9, 9), plain.grid("no", 9, 9)) == ([{"C": 0.1}, {"C": 1.0}], [{}])
    for learner_, grid, sentence in (
        ("SVM", "big", r"^grid is 'big'; it must be one of quick, full$"),
        ("SVM", own, r"^SVM has grids of its own: quick, full\. A dict goes with a classifier$"),
        (LinearSVC(), "full", r"^LinearSVC has no full grid; give a grid such as \{'C': \[0\.1, 1, 10\]\}$"),
    ):
        with pytest.raises(ValueError, match=sentence):
            asked_for(learner_, grid)
    assert list(told_problems(["bad", "", "bad", "worse"], "", ", for one")) == [
        "2 of 4 settings failed: bad",
        "1 of 4 settings failed: worse",
    ]
    assert list(told_problems(["not converged"], "not converged", ", for one")) == [
        "1 of 1 settings stopped at the limit of iterations before converging, for one.",
        "The final classifier stopped at the limit of iterations before converging, for one.",
    ]

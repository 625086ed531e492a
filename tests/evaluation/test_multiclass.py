"""All classes at once: scikit-learn's own classifiers and measures as the oracle, several classes a document, edges."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import accuracy_score, confusion_matrix, f1_score, multilabel_confusion_matrix
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from ltw_core.corpora.corpus import assemble
from ltw_core.evaluation import (
    Cancelled,
    decide_multiclass,
    describe,
    evaluate,
    evaluate_multiclass,
    multiclass,
    results_frame,
    weigh_classes,
)
from ltw_core.evaluation import learner as learner_named
from ltw_core.evaluation.multiclass import confusion, macro_f1, task_of
from ltw_core.evaluation.tuning import NOT_VALIDATED
from ltw_core.tasks import vectorize
from ltw_core.weighting import GlobalWeighting, LearnedWeighting, TermWeighting

WORDS = ("alpha", "beta", "gamma", "delta")


def corpus(several=False, classes=3, documents=240, seed=0, empty=False):
    """Documents of noise and of their classes' own words; every third one tests."""
    rng = np.random.default_rng(seed)
    texts, label_sets = [], []
    for i in range(documents):
        labels = {int(rng.integers(classes))}
        if several and i % 5 == 0:
            labels = set() if i % 10 else {0, 1}
        words = [f"{WORDS[c]}{rng.integers(8)}" for c in labels for _ in range(2)]
        words += [f"{WORDS[rng.integers(classes)]}{rng.integers(8)}" for _ in range(2)]
        texts.append(" ".join(words + [f"noise{rng.integers(30)}" for _ in range(4)]))
        label_sets.append({f"c{c}" for c in labels})
    train = np.arange(documents) % 3 > 0
    if empty:
        texts[0], label_sets[0] = "unheardof", {"c1"}
    return assemble(name="made", title="Made", documents=texts, label_sets=label_sets, train=train, origin="made")


@pytest.fixture(scope="module")
def single():
    return vectorize(corpus(), cache=False).multiclass_task(ratio=1.0)


@pytest.fixture(scope="module")
def multi():
    return vectorize(corpus(several=True), cache=False).multiclass_task(ratio=1.0)


def labels(task):
    return task.labels_train.toarray().argmax(axis=1), task.labels_test.toarray().argmax(axis=1)


@pytest.mark.parametrize(
    ("learner", "how", "make"),
    [
        ("SVM", "one-vs-rest", lambda C, loss, dual: LinearSVC(C=C, loss=loss, dual=dual, random_state=0)),
        ("MNB", "native", lambda alpha: MultinomialNB(alpha=alpha)),
        ("KNN", "native", None),
        ("RF", "native", lambda trees, criterion, max_features: RandomForestClassifier(trees, random_state=0)),
    ],
)
def test_it_decides_as_scikit_learns_own(single, learner, how, make):
    result = evaluate_multiclass(single, "TFRF", learner, keep_decisions=True)
    y_train, y_test = labels(single)
    train, test = weigh_classes(single, "TFRF").shared()
    if learner == "KNN":
        made = KNeighborsClassifier(result.parameters["k"])
        assert result.parameters["reduction"] == "all"
    else:
        made = make(**result.parameters)
    theirs, ours = made.fit(train, y_train).predict(test), result.decisions.predicted.argmax(axis=1)
    assert (theirs == ours).mean() > (0.9 if learner == "KNN" else 0.999)  # ties of votes go elsewhere there
    assert result.how == how and result.single_label and result.accuracy > 0.6
    assert result.accuracy == pytest.approx(accuracy_score(y_test, ours))
    assert result.macro_f1 == pytest.approx(f1_score(y_test, ours, average="macro"))
    assert result.micro_f1 == pytest.approx(result.accuracy)
    assert result.confusion.tolist() == confusion_matrix(y_test, ours).tolist()
    assert (result.n_train, result.n_test, result.n_validation) == (160, 80, single.validation.sum())
    assert result.train_sizes.sum() == 160 and result.tn.sum() == 2 * 80 - result.fp.sum()


@pytest.mark.parametrize("learner", ["SVM", "LR", "MNB", "KNN", "RF"])
def test_several_classes_a_document(multi, learner):
    result = evaluate_multiclass(multi, "TFRF", learner, keep_decisions=True)
    y, predicted = multi.labels_test.toarray().astype(bool), result.decisions.predicted
    assert not result.single_label and result.confusion.shape == (3, 2, 2)
    assert result.confusion.tolist() == multilabel_confusion_matrix(y, predicted).tolist()
    assert result.accuracy == pytest.approx(accuracy_score(y, predicted))
    assert result.macro_f1 == pytest.approx(f1_score(y, predicted, average="macro"))
    assert result.micro_f1 == pytest.approx(f1_score(y, predicted, average="micro"))
    assert result.macro_f1 > 0.5
    said = " ".join(result.warnings)
    assert "several classes and" in said and "each class is decided for itself" in said
    assert "each class for itself" in repr(result) and len(repr(result).splitlines()) == 2


def test_the_best_setting_is_that_of_the_highest_macro_f1(single):
    seen = []
    result = evaluate_multiclass(single, "LogTFIDF", "MNB", on_event=lambda p: seen.append(p.stage))
    y, mask = single.labels_train.toarray().astype(bool), single.validation
    train, _ = weigh_classes(single, "LogTFIDF").shared()
    scores = []
    for alpha in (1.0, 0.1, 0.01):
        predicted = MultinomialNB(alpha=alpha).fit(train[~mask], y[~mask].argmax(axis=1)).predict(train[mask])
        scores.append(f1_score(y[mask].argmax(axis=1), predicted, average="macro"))
    assert result.validation_macro_f1 == pytest.approx(max(scores))
    assert result.parameters == {"alpha": (1.0, 0.1, 0.01)[int(np.argmax(scores))]}
    assert seen == ["grid"] * 3 + ["refit"]
    assert result.policy == ""  # no class is looked at


@pytest.mark.parametrize("of", ["single", "multi"])
@pytest.mark.parametrize(("learner", "settings"), [("SVM", 4), ("MNB", 3), ("KNN", 4)])
def test_every_setting_is_reported(request, of, learner, settings):
    """A class at a time, or all at once where the learner knows several."""
    task, seen = request.getfixturevalue(of), []
    result = evaluate_multiclass(task, "TFRF", learner, on_event=seen.append)
    points = learner_named(learner).grid("quick", 128, len(task.terms))
    chosen, settings = describe(result.parameters), [describe(point) for point in points]
    if result.how == "native":
        of_all = [[f"Tuning: {setting}" for setting in settings], [f"Refitting: {chosen}"]]
    else:
        of_all = [
            [f"{verb}: {name} against the rest, {setting}" for name in ("c0", "c1", "c2") for setting in those]
            for verb, those in (("Tuning", settings), ("Refitting", [chosen]))
        ]
    assert [(event.stage, event.done, event.total) for event in seen] == [
        (stage, done, len(messages))
        for stage, messages in zip(("grid", "refit"), of_all, strict=True)
        for done in range(1, len(messages) + 1)
    ]
    assert [event.message for event in seen if event.stage == "refit"] == of_all[1]
    assert sorted(event.message for event in seen if event.stage == "grid") == sorted(of_all[0])
    assert (result.how == "native") == (learner == "KNN" or (learner, of) == ("MNB", "single"))


def test_times_and_seeds_are_those_of_all_that_was_done(single, monkeypatch):
    seeds = []

    def slow(task, weighting, policy, seed, on_event):
        seeds.append(seed)
        return replace(weigh_classes(task, weighting, policy, seed, on_event), seconds=1_000.0)

    monkeypatch.setattr(multiclass, "weigh_classes", slow)
    result = evaluate_multiclass(single, "TFRF", "MNB", "quick", 5)
    assert (result.weighting_seconds, result.seed, seeds) == (1_000, 5, [5]) and 0 < result.seconds < 100
    assert (result.grid, result.weighting, result.learner, result.policy) == ("quick", "TFRF", "MNB", "max")
    for value in (result.n_train, result.n_validation, result.n_test, result.exact):
        assert type(value) is int
    assert type(result.validation_macro_f1) is float and result.decisions is None
    assert result.class_names == ("c0", "c1", "c2") and result.train_sizes.sum() == 160
    decide_multiclass(single, "TFRF", "MNB", result.parameters, 6)
    assert seeds == [5, 6]


def test_without_validation_documents_the_first_setting_is_taken(single):
    nobody = replace(single, validation=np.zeros(160, bool))
    result = evaluate_multiclass(nobody, "TFRF", "MNB")
    assert np.isnan(result.validation_macro_f1) and result.parameters == {"alpha": 1.0}
    assert NOT_VALIDATED in result.warnings


def test_local_gives_each_class_its_own_vectors(single):
    vectors = weigh_classes(single, "TFRF", "local")
    y = single.labels_train.toarray().astype(bool)
    for j, train, _ in vectors.of_classes():
        binary = TermWeighting(dd="1+log", cd="RF").fit(single.counts_train, y[:, j])
        np.testing.assert_allclose(train.toarray(), binary.transform(single.counts_train).toarray())
    result = evaluate_multiclass(single, "TFRF", "MNB", policy="local", keep_decisions=True)
    assert (result.policy, result.how) == ("local", "one-vs-rest") and result.accuracy > 0.6
    assert result.decisions.test is None and result.decisions.contributions(0, 1)[0].size == 0
    assert weigh_classes(single, "TFIGM", "local").policy == ""  # one weight a term whatever the policy


def test_contributions_add_up_to_differences_of_scores(single):
    made = evaluate_multiclass(single, "TFRF", "SVM", keep_decisions=True).decisions
    sums = [[made.contributions(row, 1, 0)[1].sum() for row in (0, 7)]]
    gaps = made.scores[[0, 7], 1] - made.scores[[0, 7], 0]
    assert np.ptp(gaps - sums) == pytest.approx(0, abs=1e-9)  # but for the difference of the constants


def test_what_takes_the_place_of_a_name(single):
    named = evaluate_multiclass(single, "TFRF", policy="mean")
    for other in (TermWeighting(cd="RF"), GlobalWeighting("RF", policy="mean"), "RF"):
        found = evaluate_multiclass(single, other, policy="mean")
        assert found.macro_f1 == named.macro_f1 and found.policy == "mean"
    fitted = GlobalWeighting("TFIGM").fit(single.counts_train, single.labels_train)
    assert evaluate_multiclass(single, fitted).weighting == "TFIGM"
    own = evaluate_multiclass(single, "TFRF", LinearSVC(C=1.0), {"C": [1.0]}, policy="mean")
    assert (own.learner, own.how) == ("LinearSVC", "one-vs-rest") and own.accuracy > 0.6
    learned = LearnedWeighting(hidden=4, max_steps=20, check_every=10, batch_size=8)
    assert evaluate_multiclass(single, learned, "MNB").weighting == "LTW-L-I"


def test_it_takes_a_corpus_and_scores_documents_without_a_known_term():
    made = corpus(empty=True)
    result = evaluate_multiclass(made, "LogTFIDF", "KNN", ratio=1.0, keep_decisions=True)
    assert result.without_terms.test == 1 and result.n_test == 80
    commonest = int(result.train_sizes.argmax())
    assert result.decisions.predicted[0].nonzero()[0].tolist() == [commonest]
    assert any(f"gets the commonest class, c{commonest}" in warning for warning in result.warnings)
    said = repr(result).splitlines()[2]
    assert said.startswith("1 test document holds no known term: it is scored like any other, by what a classifier")
    assert "(KNN cannot: the commonest class)." in said
    assert not any("KNN cannot: negative" in sentence for sentence in result.warnings)
    shown = result._repr_html_()
    assert shown.startswith("<div><b>LogTFIDF</b> with <b>KNN</b> (") and f"{result.macro_f1:.3f}</td>" in shown
    assert "95% interval" in shown and "holds no known term: it is scored like any other" in shown
    assert task_of(made, 0.5).terms.size == task_of(made).terms.size // 2  # of a small corpus all terms are kept


def test_of_several_classes_an_undecided_document_gets_none():
    result = evaluate_multiclass(corpus(several=True, empty=True), "LogTFIDF", "KNN", ratio=1.0, keep_decisions=True)
    assert not result.decisions.predicted[0].any() and result.decisions.predicted[1:].any(axis=1).mean() > 0.5
    told = "1 test documents hold no known term; KNN cannot decide on an empty vector: each gets no class."
    assert told in result.warnings
    svm = evaluate_multiclass(corpus(several=True, empty=True), "LogTFIDF", "SVM", ratio=1.0)
    assert told.replace("KNN", "SVM") not in svm.warnings


def test_what_went_wrong_is_said(single):
    hasty = evaluate_multiclass(single, "TF", LinearSVC(max_iter=1), keep_decisions=True)
    assert hasty.warnings[-2:] == (
        "1 of 1 settings stopped at the limit of iterations before converging, for one class at least.",
        "The final classifier stopped at the limit of iterations before converging, for one class at least.",
    )
    for grid, told in (("quick", "1 of 1"), ({"C": [-1.0, 1.0]}, "1 of 2")):
        failing = LinearSVC(C=-1.0)
        if grid == "quick":
            with pytest.raises(ValueError, match=r"^No setting of LinearSVC could be trained: .*'C'"):
                evaluate_multiclass(single, "TF", failing)
        else:
            result = evaluate_multiclass(single, "TF", failing, grid)
            assert result.parameters == {"C": 1.0} and result.warnings[-1].startswith(f"{told} settings failed: ")
    with pytest.raises(ValueError, match=r"^SVM with C = -1, loss = hinge, dual = yes could not be trained: .*'C'"):
        decide_multiclass(single, "TF", "SVM", {"C": -1.0, "loss": "hinge", "dual": True})


def test_without_test_documents_there_is_nothing_to_evaluate():
    made = corpus()
    unknown = assemble(
        name="made",
        title="Made",
        documents=[text if train else "?" for text, train in zip(made.documents, made.train, strict=True)],
        label_sets=[{made.class_names[c] for c in made.labels[[i]].indices} for i in range(240)],
        train=made.train,
        origin="made",
    )
    with pytest.raises(ValueError, match=r"^There are no test documents to evaluate on$"):
        evaluate_multiclass(vectorize(unknown, documents="with_terms", cache=False), "TF", "MNB")


# ---- a search by hand ------------------------------------------------------------------------------------------------
def outcome(index, scores, problem="", coefficients=None):
    predicted = None if scores is None else [score > 0 for score in scores]
    return SimpleNamespace(index=index, problem=problem, predicted=predicted, scores=scores, coefficients=coefficients)


@pytest.fixture
def search():
    """Of two settings on five training documents (two validate) and three test documents of four classes, of which no
    training document has the second and every one the third."""
    made = object.__new__(multiclass._Search)
    made.Y = np.array([[1, 0, 1, 0], [0, 0, 1, 1], [1, 0, 1, 1], [0, 0, 1, 0], [1, 0, 1, 1]], dtype=bool)
    made.Y_test = np.zeros((3, 4), dtype=bool)
    made.validation = np.array([0, 0, 0, 1, 1], dtype=bool)
    made.vectors, made.native, made.seed = SimpleNamespace(local=False), False, 7
    made.task = SimpleNamespace(class_titles=["A", "B", "C", "D"], terms=["x", "y"], single_label=False)
    made.points, made.notes, made.problems, made.events = [{"C": 1.0}, {"C": 2.0}], [], [], []
    made.on_event = lambda event: made.events.append((event.stage, event.done, event.total, event.message))
    made._vectors = np.arange(10).reshape(5, 2), -np.arange(6).reshape(3, 2)
    return made


def test_each_class_against_the_rest_by_hand(search):
    asked = []

    def predictions(points, X, y, new, seed):
        asked.append((points, X.tolist(), y.tolist(), new.tolist(), seed))
        first = len(asked) == 1
        yield outcome(1, [1.0, 2.0], "" if first else "late", [3.0, 4.0])
        yield outcome(0, [5.0, 6.0] if first else None, "not converged" if first else "failed", [7.0, 8.0])

    search.method = SimpleNamespace(predictions=predictions)
    train, new = search._vectors[0][:3].tolist(), search._vectors[0][3:].tolist()
    scores, problems, lines = search._scores(search.points, ~search.validation, search.validation, "grid")
    assert asked == [(search.points, train, y, new, 7) for y in ([True, False, True], [False, True, True])]
    inf = np.inf
    assert scores.tolist() == [
        [[5.0, -inf, inf, -inf], [6.0, -inf, inf, -inf]],
        [[1.0, -inf, inf, 1.0], [2.0, -inf, inf, 2.0]],
    ]
    assert problems == ["failed", "late"] and search.notes == []
    assert lines.tolist() == [[7.0, 8.0], [0.0, 0.0], [0.0, 0.0], [3.0, 4.0]]  # of each class the last
    assert search.events == [
        ("grid", 1, 8, "Tuning: A against the rest, C = 2"),
        ("grid", 2, 8, "Tuning: A against the rest, C = 1"),
        ("grid", 7, 8, "Tuning: D against the rest, C = 2"),
        ("grid", 8, 8, "Tuning: D against the rest, C = 1"),
    ]


def test_a_problem_of_one_class_is_kept_and_what_is_not_learned_is_said(search):
    told = iter(["failed", "", "", "not converged"])

    def predictions(points, X, y, new, seed):
        for k in range(2):
            yield outcome(k, [0.5] * len(new), next(told), [1.0, 1.0] if k else None)

    search.method = SimpleNamespace(predictions=predictions)
    everything = np.ones(5, dtype=bool)
    scores, problems, lines = search._scores(search.points, everything, None, "refit")
    assert scores.shape == (2, 3, 4) and problems == ["failed", "not converged"] and lines.shape == (4, 2)
    assert [event[:2] for event in search.events] == [("refit", k) for k in (1, 2, 7, 8)]
    assert search.events[0][3] == "Refitting: A against the rest, C = 1"
    assert search.notes == [
        "Nothing could be learned about 1 of 4 classes, for which there is no training document with a known term to "
        "learn from: they are not predicted.",
        "Nothing could be learned about 1 of 4 classes, which every training document with a known term has: they are "
        "predicted for every test document.",
    ]
    search.method = SimpleNamespace(predictions=lambda points, X, y, new, seed: [outcome(0, [0.5] * 3)])
    assert search._scores(search.points[:1], everything, None, "grid")[2] is None  # a learner without coefficients
    search.Y[:] = False
    assert search._scores(search.points[:1], everything, None, "grid")[2] is None and len(search.notes) == 2
    search.Y[:, :2] = True
    search._scores(search.points[:1], everything, None, "refit")
    assert [note.split(",")[0] for note in search.notes[2:]] == ["Nothing could be learned about 2 of 4 classes"] * 2


def test_all_classes_at_once_by_hand(search):
    asked = []

    def class_predictions(points, X, Y, new, seed, single):
        asked.append((X.tolist(), Y.tolist(), new.tolist(), seed, single))
        yield outcome(1, np.full((len(new), 4), 0.5), "not converged", "lines")
        yield outcome(0, None, "failed", "none")

    search.native, search.method = True, SimpleNamespace(class_predictions=class_predictions)
    train, test = search._vectors
    scores, problems, lines = search._scores(search.points, ~search.validation, search.validation, "grid")
    assert (problems, lines) == (["failed", "not converged"], "lines")
    assert np.isneginf(scores[0]).all() and (scores[1] == 0.5).all() and scores.shape == (2, 2, 4)
    assert search._scores(search.points, ~search.validation, None, "refit")[0].shape == (2, 3, 4)
    assert asked == [(train[:3].tolist(), search.Y[:3].tolist(), new.tolist(), 7, False) for new in (train[3:], test)]
    assert search.events[:2] == [("grid", 1, 2, "Tuning: C = 2"), ("grid", 2, 2, "Tuning: C = 1")]


def test_the_first_of_the_best_settings_that_could_be_trained(search):
    search.Y = np.array([[1, 0], [0, 1], [1, 0], [1, 0], [0, 1]], dtype=bool)
    search.method = SimpleNamespace(threshold=0.5, name="SVM")
    right, wrong = [[0.6, 0.5], [0.5, 0.6]], [[0.4, 0.6], [0.6, 0.6]]
    for scores, problems, best in (
        ([wrong, right, right], ["", "not converged", ""], (1, 1.0)),
        ([right, wrong, wrong], ["failed", "", ""], (1, 1 / 3)),
    ):
        asked_for = []

        def of_settings(*about, found=scores, problems=problems, noted=asked_for):
            noted += about
            return np.array(found), problems, None

        search._scores = of_settings
        assert search.best() == (best[0], pytest.approx(best[1])) and search.problems == problems
        points, fitting, asked, stage = asked_for
        assert points is search.points and stage == "grid"
        assert fitting.tolist() == [True] * 3 + [False] * 2 and asked.tolist() == [False] * 3 + [True] * 2
    search._scores = lambda *_: (np.zeros((2, 2, 2)), ["one", "other"], None)
    with pytest.raises(ValueError, match=r"^No setting of SVM could be trained: one$"):
        search.best()
    assert search._decided(np.array([[0.5, 0.7]])).tolist() == [[False, True]]
    search.task.single_label = True
    decided = search._decided(np.array([[0.1, 0.3], [0.3, 0.3]]))
    assert decided.tolist() == [[False, True], [True, False]] and decided.dtype == bool


def test_what_a_learner_says_of_vectors_is_said_once(search):
    search.notes = ["told"]
    search.method = SimpleNamespace(prepare=lambda train, test: (f"{train}!", f"{test}!", ["told", "new"]))
    assert search._prepared("train", "test") == ("train!", "test!") and search.notes == ["told", "new"]


def test_the_grid_is_that_of_the_documents_that_do_not_validate(single, monkeypatch):
    asked, learner = [], type(learner_named("KNN"))
    grid = learner.grid
    monkeypatch.setattr(learner, "grid", lambda self, *about: asked.append(about) or grid(self, *about))
    evaluate_multiclass(single, "TF", "KNN")
    assert asked == [("quick", 160 - single.validation.sum(), len(single.terms))]


def test_a_corpus_is_counted_and_its_terms_selected(single):
    for ratio, kept in ((None, single.vectorized.multiclass_task()), (0.1, single.vectorized.multiclass_task(0.1))):
        task = task_of(single.vectorized, ratio)
        assert task.terms.tolist() == kept.terms.tolist()
        result = evaluate_multiclass(single.vectorized, "TF", "SVM", ratio=ratio, keep_decisions=True)
        assert result.decisions.coefficients.shape == (3, kept.terms.size)
        again = decide_multiclass(single.vectorized, "TF", "SVM", result.parameters, ratio=ratio)
        assert again.coefficients.shape == (3, kept.terms.size)
    assert task_of(single) is single
    with pytest.raises(ValueError, match=r"^this is the task of one class; give its corpus, or vectorize"):
        task_of(single.vectorized.task("c0"))


def test_the_mean_of_the_classes_counts_those_without_test_documents():
    y = np.array([[1, 0, 0], [0, 1, 0]], dtype=bool)
    assert type(macro_f1(y, y)) is float
    assert macro_f1(y, y) == 1.0  # the third class: nothing to find, nothing found
    assert macro_f1(y, np.array([[1, 0, 0], [0, 0, 1]], dtype=bool)) == pytest.approx(1 / 3)
    assert confusion(y, y, True).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"learner": "FT"}, "goes with Dense only"),
        ({"learner": "XX"}, "learner is 'XX'"),
        ({"policy": "least"}, "policy is 'least'; it must be one of max, mean, sum, weighted, local"),
        ({"weighting": "Dense"}, "no weight for each term"),
        ({"grid": "huge"}, "grid is 'huge'"),
        ({"weighting": GlobalWeighting("IDF").fit([[1, 2]])}, "fitted on 2 terms"),
    ],
)
def test_what_is_refused(single, arguments, message):
    with pytest.raises(ValueError, match=message):
        evaluate_multiclass(single, **arguments)


def test_it_can_be_cancelled(single):
    for learner in ("SVM", "MNB"):
        with pytest.raises(Cancelled):
            evaluate_multiclass(single, "TFRF", learner, on_event=lambda progress: True)
    with pytest.raises(Cancelled):
        evaluate_multiclass(single, "LTW-L-I", on_event=lambda progress: progress.stage == "weighting")


@pytest.mark.parametrize("learner", ["SVM", "MNB", "KNN", "RF"])
@pytest.mark.parametrize("policy", ["mean", "local"])
@pytest.mark.parametrize("of", ["single", "multi"])
def test_deciding_again_decides_what_was_counted(request, of, policy, learner):
    task, seen = request.getfixturevalue(of), []
    result = evaluate_multiclass(task, "TFRF", learner, policy=policy, keep_decisions=True)
    again = decide_multiclass(task, "TFRF", learner, result.parameters, on_event=seen.append, policy=policy)
    np.testing.assert_array_equal(again.predicted, result.decisions.predicted)
    np.testing.assert_allclose(again.scores, result.decisions.scores)
    assert {progress.stage for progress in seen} == {"refit"}
    with pytest.raises(Cancelled):
        decide_multiclass(task, "TFRF", learner, result.parameters, on_event=lambda p: True, policy=policy)


def test_classes_of_no_and_of_every_training_document_are_told_apart():
    made = corpus(several=True)
    label_sets = [{made.class_names[c] for c in made.labels[[i]].indices} | {"every"} for i in range(240)]
    for i in np.flatnonzero(~made.train):
        label_sets[i] = {"late"} if i % 2 else label_sets[i]
    texts, last = list(made.documents), np.flatnonzero(made.train)[-1]
    texts[last], label_sets[last] = "?", {"late", "every"}  # without a term nothing is learned from it
    made = assemble(
        name="made",
        title="Made",
        documents=texts,
        label_sets=label_sets,
        train=made.train,
        origin="made",
    )
    result = evaluate_multiclass(made, "TFRF", "SVM", ratio=1.0, keep_decisions=True)
    predicted = dict(zip(result.class_names, result.decisions.predicted.T, strict=True))
    assert predicted["every"].all() and not predicted["late"].any()
    said = [warning for warning in result.warnings if warning.startswith("Nothing could be learned about 1 of 5")]
    assert len(said) == 2
    assert said[0].endswith("to learn from: they are not predicted.")
    assert said[1].endswith("has: they are predicted for every test document.")


def test_results_have_a_frame_of_their_own(single):
    of_all = [
        evaluate_multiclass(single, name, "MNB", policy=policy) for name, policy in (("TFRF", "mean"), ("TF", "max"))
    ]
    frame = results_frame(of_all)
    assert frame["weighting"].tolist() == ["TFRF", "TF"] and frame["policy"].tolist() == ["mean", ""]
    assert frame["macro_f1"].tolist() == [result.macro_f1 for result in of_all]
    assert frame["accuracy"].tolist() == [result.accuracy for result in of_all]
    assert set(frame["classes"]) == {3} and set(frame["n_test"]) == {of_all[0].n_test}
    one = evaluate(single.vectorized.task("c0"), "TF", "MNB")
    with pytest.raises(ValueError, match="results of one class and of all classes have no columns in common"):
        results_frame([one, *of_all])

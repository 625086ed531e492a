"""Grids against the paper's text, tie order, and shared work against scikit-learn one setting at a time."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from ltw_core.evaluation import LEARNERS, learner, learners
from ltw_core.evaluation.knn import KNN
from ltw_core.evaluation.scikit_learners import MNB, RF, SVM
from ltw_core.process import no_convergence_warnings


@pytest.fixture
def data(task_maker):
    """80 documents to train on and 40 new ones, with distances and weights that do not tie."""
    task = task_maker(positives=30, negatives=90)
    rng = np.random.default_rng(1)
    vectors = task.counts_train.astype(np.float64)
    vectors.data *= rng.uniform(0.5, 1.5, vectors.nnz)
    return vectors[:80], task.y_train[:80], vectors[80:]


def predictions(method, points, data, seed=0):
    X, y, X_new = data
    outcomes = list(method.predictions(points, X, y, X_new, seed))
    assert sorted(outcome.index for outcome in outcomes) == list(range(len(points)))
    return [outcome.predicted for outcome in sorted(outcomes, key=lambda outcome: outcome.index)]


@pytest.mark.parametrize(
    ("name", "size", "first", "last"),
    [
        # 9 values of C; liblinear knows 3 of the 4 combinations
        ("SVM", 27, {"C": 1e4, "loss": "hinge", "dual": True}, {"C": 1e-4, "loss": "squared_hinge", "dual": True}),
        ("LR", 27, {"C": 1e4, "penalty": "l2", "dual": False}, {"C": 1e-4, "penalty": "l1", "dual": False}),
        ("MNB", 6, {"alpha": 1.0}, {"alpha": 0.0}),
        # 5 values of k under 9 reductions
        ("KNN", 45, {"k": 1, "reduction": "all"}, {"k": 30, "reduction": "pca-256"}),
        (
            "RF",
            24,
            {"trees": 10, "criterion": "gini", "max_features": "sqrt"},
            {"trees": 100, "criterion": "entropy", "max_features": 1000},
        ),
    ],
)
def test_full_grids_are_the_papers_in_tie_order(name, size, first, last):
    points = learner(name).grid("full", 5000, 3000)
    assert (len(points), points[0], points[-1]) == (size, first, last)
    assert len({tuple(point.items()) for point in points}) == size


def test_svm_ties_go_to_hinge_before_squared_and_primal_before_dual():
    order = [(point["loss"], point["dual"]) for point in SVM().grid("full", 10, 10)[:4]]
    assert order == [("hinge", True), ("squared_hinge", False), ("squared_hinge", True), ("hinge", True)]


@pytest.mark.parametrize("name", learners())
def test_quick_grids_are_few_points_of_the_full_ones_in_its_order(name):
    full, quick = (learner(name).grid(size, 5000, 3000) for size in ("full", "quick"))
    places = [full.index(point) for point in quick]
    assert places == sorted(places)
    assert len(quick) <= 10


def test_knn_leaves_out_what_the_data_cannot_give():
    points = KNN().grid("full", 12, 60)
    assert {point["k"] for point in points} == {1, 3, 5}
    assert {point["reduction"] for point in points} == {"all", "chi2-25", "chi2-50"}


@pytest.mark.parametrize("name", learners())
def test_every_setting_trains_and_repeats_with_its_seed(name, data):
    method = learner(name)
    X, _, _ = data
    points = method.grid("quick", *X.shape)
    one, other = (predictions(method, points, data, seed=3) for _ in range(2))
    for first, second in zip(one, other, strict=True):
        assert first.dtype == bool and first.shape == (40,)
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("k", [1, 3, 5, 15, 30])
def test_knn_votes_as_scikit_learn_does(k, data):
    X, y, X_new = data
    theirs = KNeighborsClassifier(k, algorithm="brute").fit(X, y).predict(X_new)
    points = [{"k": one, "reduction": "all"} for one in (1, 3, 5, 15, 30)]
    np.testing.assert_array_equal(predictions(KNN(), points, data)[[1, 3, 5, 15, 30].index(k)], theirs)


def test_equal_documents_have_the_neighbours_that_scikit_learn_finds(data, monkeypatch):
    """On one and two terms most are equal or empty: they are looked up once, and ties of distance go as they would."""
    X, y, _ = data
    few = sparse.csr_array(np.floor(X[:, :2].toarray()))
    new = sparse.csr_array(np.vstack([few.toarray()[::-1], np.zeros((3, 2)), few.toarray()[:40]]))
    looked_up = []
    whole = NearestNeighbors.kneighbors
    monkeypatch.setattr(NearestNeighbors, "kneighbors", lambda self, X: looked_up.append(X.shape[0]) or whole(self, X))
    found = predictions(KNN(), [{"k": k, "reduction": "all"} for k in (1, 3, 5, 15, 30)], (few, y, new))
    assert looked_up[0] == len(np.unique(new.toarray(), axis=0)) < new.shape[0] / 3
    for k, predicted in zip((1, 3, 5, 15, 30), found, strict=True):
        theirs = KNeighborsClassifier(k, algorithm="brute").fit(few, y)
        np.testing.assert_array_equal(predicted, theirs.predict(new))


def test_fewer_components_are_the_first_of_more(data):
    X, y, X_new = data
    points = [{"k": 3, "reduction": "pca-4"}, {"k": 3, "reduction": "pca-12"}]
    pca = PCA(4, svd_solver="full").fit(X.toarray())
    theirs = KNeighborsClassifier(3).fit(pca.transform(X.toarray()), y).predict(pca.transform(X_new.toarray()))
    np.testing.assert_array_equal(predictions(KNN(), points, data)[0], theirs)


def test_knn_selects_terms_of_either_sign():
    # term 1 tells the class, and is negative; term 0 is noise
    X = sparse.csr_array([[0.5, -1.0], [0.1, -1.0], [0.5, 0.0], [0.1, 0.0], [0.4, 0.0]])
    y = np.array([True, True, False, False, False])
    found = predictions(KNN(), [{"k": 1, "reduction": "chi2-1"}], (X, y, sparse.csr_array([[0.4, -1.0]])))
    assert found[0].tolist() == [True]


def test_a_grown_forest_is_the_one_planted_at_once(data):
    X, y, X_new = data
    points = [p for p in RF().grid("full", *X.shape) if p["trees"] in (10, 25)]
    for point, found in zip(points, predictions(RF(), points, data, seed=5), strict=True):
        features = point["max_features"]
        forest = RandomForestClassifier(
            point["trees"],
            criterion=point["criterion"],
            max_features=features if isinstance(features, str) else X.shape[1],
            random_state=5,
        )
        np.testing.assert_array_equal(found, forest.fit(X, y).predict(X_new))


def test_naive_bayes_without_smoothing_is_scikit_learns(data):
    X, y, X_new = data
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = MultinomialNB(alpha=0, force_alpha=False).fit(X, y).predict(X_new)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = predictions(MNB(), [{"alpha": 0.0}], data)[0]
    np.testing.assert_array_equal(found, theirs)


def test_naive_bayes_turns_signs_and_drops_the_rest():
    train, test = sparse.csr_array([[-1.0, -2.0, 0.5], [-3.0, 0.0, 0.0]]), sparse.csr_array([[-1.0, 1.0, 0.0]])
    turned, turned_test, notes = MNB().prepare(train, test)
    assert turned.toarray().tolist() == [[1, 2, 0], [3, 0, 0]]
    assert turned_test.toarray().tolist() == [[1, 0, 0]]
    assert notes == (
        "MNB takes no negative weights: 25.0% of the training weights were dropped, after all signs were turned "
        "because 75.0% were negative.",
    )
    assert train.data.min() == -3


def test_naive_bayes_leaves_positive_weights_alone_and_keeps_the_sign_of_most():
    train = sparse.csr_array([[1.0, 2.0]])
    assert MNB().prepare(train, train) == (train, train, ())
    kept, _, notes = MNB().prepare(sparse.csr_array([[1.0, 2.0, -1.0]]), train)
    assert kept.toarray().tolist() == [[1, 2, 0]]
    assert "signs" not in notes[0]


def test_what_does_not_converge_is_told_and_not_printed(data):
    X, y, X_new = data
    y = np.arange(y.size) % 3 == 0  # labels that no line separates
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (outcome,) = SVM().predictions([{"C": 1e4, "loss": "hinge", "dual": True}], X, y, X_new, 0)
    assert outcome.problem == "not converged"
    assert outcome.predicted is not None


def test_a_setting_that_fails_does_not_end_the_search(data):
    X, y, X_new = data
    points = [{"C": -1.0, "loss": "hinge", "dual": True}, {"C": 1.0, "loss": "squared_hinge", "dual": False}]
    failed, fine = SVM().predictions(points, X, y, X_new, 0)
    assert failed.predicted is None and "'C'" in failed.problem
    assert fine.predicted is not None and fine.problem == ""


def test_warning_filters_survive_threads():
    before = list(warnings.filters)

    def enter(_):
        with no_convergence_warnings():
            pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(enter, range(200)))
    assert list(warnings.filters) == before


def test_learners_can_be_shown_and_looked_up():
    assert learners() == learners("TFRF") == ["SVM", "LR", "MNB", "KNN", "RF"]
    assert learners("Dense") == list(LEARNERS) == ["SVM", "LR", "MNB", "KNN", "RF", "FT"]
    assert all(learner(name).title and learner(name).note.endswith(".") for name in LEARNERS)
    with pytest.raises(ValueError, match="'svm'; it must be one of SVM, LR"):
        learner("svm")

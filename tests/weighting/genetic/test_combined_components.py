"""CCA on a small problem: what it finds, says, falls back to, and how it is ended."""

import threading
import time

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from ltw_core.metrics import contingency, f1
from ltw_core.tasks import validation_mask
from ltw_core.weighting import make
from ltw_core.weighting.genetic import combined_components as module
from ltw_core.weighting.genetic import fitness as scoring
from ltw_core.weighting.genetic.combined_components import CombinedComponents
from ltw_core.weighting.genetic.fitness import SLOPES, Fitness
from ltw_core.weighting.genetic.found_formula import FoundFormula, formula_in
from ltw_core.weighting.genetic.search import Evolution
from ltw_core.weighting.genetic.terminals import PIVOTED, Statistics, pivoted, terminals
from tests.waiting import PATIENCE


@pytest.fixture
def problem():
    """150 documents over 30 terms, a third of the class; ten terms speak for it."""
    rng = np.random.default_rng(0)
    y = np.arange(150) % 3 == 0
    means = np.full((150, 30), 0.3)
    means[y, :10] = 0.8
    return sparse.csr_array(rng.poisson(means).astype(float)), y


def small(**settings):
    return CombinedComponents(**{"population": 20, "generations": 3, "n_jobs": 2, **settings})


def test_a_score_is_the_validation_f1_of_a_logistic_regression(problem):
    X, y = problem
    mask = validation_mask(y)
    fitness = Fitness(X, y, mask)
    model = LogisticRegression(C=1, solver="liblinear").fit(X[~mask].log1p(), y[~mask])
    counts = contingency(y[mask], model.predict(X[mask].log1p()))
    log1p = ("log", ("+", "tf", 1.0))
    assert fitness(log1p) == pytest.approx(f1(counts.tp, counts.fp, counts.fn))
    assert fitness(("*", "tf", ("*", 1e200, 1e200))) == 0  # not finite
    assert set(fitness.slopes) == set(PIVOTED) and set(fitness.slopes.values()) <= set(SLOPES)


def test_it_finds_a_formula_and_weights_with_it(problem):
    X, y = problem
    found = small().fit(X, y)
    assert found.best_f1_ == max(best for _, best, _, _ in found.history_) > 0.5
    assert [generation for generation, *_ in found.history_] == [0, 1, 2, 3]
    assert found.formula_.depth >= 1 and found.formula_.text and found.formula_.legend
    (remark,) = found.remarks_
    assert remark.startswith(f"CCA's formula, of depth {found.formula_.depth}, best of")
    told = formula_in(["Something else.", remark])
    assert (told.depth, told.text, told.latex) == (found.formula_.depth, found.formula_.text, found.formula_.latex)
    assert told.validation_f1 == round(found.best_f1_, 3) and told.sentence == remark
    assert told.legend.split("; ") == [": ".join(pair) for pair in found.formula_.legend]
    weighted = found.transform(X)
    assert not ((weighted != 0).astype(int) - (X != 0).astype(int) > 0).nnz
    mask = validation_mask(y)
    assert Fitness(X, y, mask)(found.formula_.tree) == found.best_f1_


def test_threads_and_seeds(problem):
    one, same, other = (small(n_jobs=jobs, random_state=seed).fit(*problem) for jobs, seed in ((1, 0), (3, 0), (1, 8)))
    assert one.formula_ == same.formula_ and one.history_ == same.history_
    assert one.history_ != other.history_


def test_with_fewer_than_four_positives_tfidf_stands_in_and_it_says_so(problem):
    X, _ = problem
    few = np.zeros(150, dtype=bool)
    few[[0, 3, 6, 9, 12, 15, 18]] = True  # six train, one validates
    found = small().fit(X, few)
    assert found.formula_ is None and "TFIDF stands in" in found.remarks_[0] and formula_in(found.remarks_) is None
    expected = make("TFIDF").fit(X, few).transform(X)
    np.testing.assert_allclose(found.transform(X).toarray(), expected.toarray())


def test_it_is_told_what_validates(problem):
    X, y = problem
    mask = np.arange(150) % 5 < 2
    assert small().fit(X, y, validation=mask).history_ != small().fit(X, y).history_
    with pytest.raises(ValueError, match="validation must be a bool mask"):
        small().fit(X, y, validation=mask.astype(int))
    with pytest.raises(ValueError, match="marks every document"):
        small().fit(X, y, validation=np.ones(150, dtype=bool))


def test_it_reports_and_can_be_ended(problem):
    seen = []
    found = small(n_jobs=1).fit(*problem, on_event=lambda step: seen.append(step) or len(seen) == 5)
    assert len(seen) == 5 and seen[0].total == 80
    assert seen[-1].message.startswith("Generation 0 of 3, validation F1 ")
    assert found.history_[0][3] == 5 and found.formula_ is not None

    def fail(step):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        small().fit(*problem, on_event=fail)


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"population": 1}, "population is 1; it must be at least 2"), ({"generations": -1}, "generations is -1")],
)
def test_a_wrong_setting_is_a_sentence(problem, settings, message):
    with pytest.raises(ValueError, match=message):
        CombinedComponents(**settings).fit(*problem)


def test_a_sentence_gives_its_formula_back():
    found = FoundFormula(3, 12_345, 0.625, "f / (½)", r"\\frac{f}{2}", "f: of a word (in it); P₂: a length")
    assert formula_in(["Nothing.", found.sentence]) == found
    assert [type(value) for value in formula_in([found.sentence])[:3]] == [int, int, float]


# ---- the score, with a classifier that notes what it is given --------------------------------------------------------


@pytest.fixture
def classifier(monkeypatch):
    """Decides 1 for every document, or what ``decided`` says."""
    fitted = []

    class Classifier:
        decided = None

        def __init__(self, **options):
            self.options = options

        def fit(self, X, y):
            fitted.append((self.options, X, y))
            return self

        def decision_function(self, X):
            fitted[-1] += (X,)
            return np.ones(X.shape[0]) if Classifier.decided is None else np.array(Classifier.decided)

    monkeypatch.setattr(scoring, "LogisticRegression", Classifier)
    return Classifier, fitted


COUNTS = sparse.csr_array(
    np.array([[1.0, 2, 0, 0], [0, 0, 3, 0], [1, 0, 1, 0], [0, 1, 1, 0], [2, 0, 0, 0], [0, 1, 0, 0]])
)
NEW = np.arange(6) >= 2
POSITIVE = np.array([1, 0, 1, 0, 1, 0], dtype=bool)


def test_what_a_score_is_made_of(classifier, monkeypatch):
    made, fitted = classifier
    assert SLOPES == (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    fitness = Fitness(COUNTS, POSITIVE, NEW)
    train, new, statistics = COUNTS[~NEW], COUNTS[NEW], Statistics.of(COUNTS[~NEW])
    assert fitness.slopes == dict.fromkeys(PIVOTED, 0.1) and len(fitted) == 30  # all alike: the lowest
    for (options, X, y, other), (name, slope) in zip(fitted, [(n, s) for n in PIVOTED for s in SLOPES], strict=True):
        assert options == {"C": 1000.0, "solver": "liblinear"} and y.tolist() == [True, False]
        for part, found in ((train, X), (new, other)):
            factor = pivoted(name, part, statistics, slope)
            np.testing.assert_allclose(found.toarray(), part.toarray() * factor[:, None])
    for part, values in zip((train, new), fitness._values, strict=True):
        expected = terminals(part, statistics, fitness.slopes)
        assert {name: value.numbers.tolist() for name, value in values.items()} == {
            name: value.numbers.tolist() for name, value in expected.items()
        }
    fitted.clear()
    made.decided = [-0.5, 0.0, 0.5, 1.5]  # of documents of which the first and the third are of the class
    assert fitness(("log", ("+", "tf", 1.0))) == 0.5
    ((options, X, y, other),) = fitted
    assert options == {"C": 1.0, "solver": "liblinear"}
    np.testing.assert_allclose(X.toarray(), train.log1p().toarray())
    np.testing.assert_allclose(other.toarray(), new.log1p().toarray())
    for weights in (([1.0], [1.0, np.nan]), ([np.nan, 1.0], [1.0])):
        given = iter(map(np.array, weights))
        monkeypatch.setattr(scoring.formulas, "weights", lambda *_, given=given: next(given))
        assert fitness("tf") == 0.0 and len(fitted) == 1


def test_a_slope_is_that_of_the_highest_score_and_of_these_the_lowest(classifier, monkeypatch):
    scores = iter([0.1, 0.3, 0.5, 0.4, 0.5, 0, 0, 0, 0, 0, *[0] * 9, 1, *[0.5, 0.4, *[0] * 8]])
    monkeypatch.setattr(Fitness, "_f1", lambda *_: next(scores))
    assert Fitness(COUNTS, POSITIVE, NEW).slopes == dict(zip(PIVOTED, (0.3, 1.0, 0.1), strict=True))


# ---- the search, with scores by hand ---------------------------------------------------------------------------------


class Scores:
    """Stands for a ``Fitness``; notes the threads that ask."""

    slopes = {"pivot_unique": 0.2, "pivot_length": 0.4, "pivot_cosine": 0.6}
    asked, gate = [], None

    def __init__(self, X, positive, validation):
        pass

    def __call__(self, formula):
        Scores.asked.append(threading.current_thread().name)
        if self.gate is not None and len(Scores.asked) > 1:
            self.gate.wait(PATIENCE)
            time.sleep(0.01)  # whoever opened it has the time to end the search
        return 1 / (1 + abs(len(repr(formula)) - 60))


@pytest.fixture
def scores(monkeypatch):
    monkeypatch.setattr(module, "Fitness", Scores)
    Scores.asked, Scores.gate = [], None
    return Scores


def test_a_search_by_hand(problem, scores, monkeypatch):
    X, y = problem
    seen, score = [], Scores(None, None, None)
    found = CombinedComponents(population=8, generations=2, n_jobs=3).fit(X, y, on_event=seen.append)
    evolution, history, told = Evolution(209_652_396, 8), [], []  # the first number of a random state of seed 0
    for generation in range(3):
        if generation:
            evolution.advance()
        new = evolution.unscored()
        evolution.scores |= {formula: score(formula) for formula in new}
        mean = float(np.mean([evolution.scores[formula] for formula in evolution.formulas()]))
        history.append((generation, evolution.best()[1], mean, len(evolution.scores)))
        told += [(8 * generation + round(8 * (at + 1) / len(new)), 24) for at in range(len(new))]
    assert found.history_ == history and type(found.history_[0][2]) is float
    assert [(step.done, step.total) for step in seen] == told and all(type(step.done) is int for step in seen)
    (tree, best), tried = evolution.best(), len(evolution.scores)
    message = f"Generation 2 of 2, validation F1 {best:.3f}, {tried} formulas tried"
    assert (seen[-1].message, seen[-1].validation_f1) == (message, best) == (message, found.best_f1_)
    assert (found.formula_.tree, list(found.formula_.slopes)) == (tree, sorted(found.formula_.slopes))
    assert formula_in(found.remarks_).tried == tried
    assert {name[:3] for name in scores.asked} == {"cca", threading.current_thread().name[:3]}
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("cca")]
    assert CombinedComponents(population=2, generations=0).fit(X, y).history_[0][0] == 0


def test_what_is_not_begun_when_a_search_is_ended_is_left(problem, scores):
    scores.gate = threading.Event()  # the second one waits until the first was told of
    small(population=200, n_jobs=1).fit(*problem, on_event=lambda step: scores.gate.set() or True)
    assert 1 <= len(scores.asked) < 100
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("cca")]


def test_settings_and_how_few_are_too_few(problem, monkeypatch):
    assert CombinedComponents().get_params() == {
        **{"population": 200, "generations": 30, "n_jobs": -1, "random_state": 0, "validation_fraction": 0.2}
    }
    X, searched = problem[0], []
    monkeypatch.setattr(CombinedComponents, "_search", lambda *about: searched.append(about))
    mask = np.arange(150) >= 75
    for in_training, in_validation, enough in ((4, 4, True), (3, 9, False), (9, 3, False)):
        y = np.zeros(150, dtype=bool)
        y[:in_training] = y[75 : 75 + in_validation] = True
        searched.clear()
        found = small().fit(X, y, validation=mask)
        assert (len(searched) == 1) == enough
        if not enough:
            assert np.isnan(found.best_f1_) and found.history_ == []
            assert found.remarks_ == (
                "CCA needs 4 documents of the class in training and 4 in validation; there are fewer, so TFIDF stands "
                "in for it.",
            )


def test_weights_are_only_where_there_is_a_number(problem, scores, monkeypatch):
    X = problem[0].copy()
    X.data[::7] = 0  # stored
    stored = X.nnz
    found = small().fit(X, problem[1])
    assert X.nnz == stored
    values = np.ones(np.count_nonzero(X.data))
    values[:3] = [np.nan, 0.0, 2.0]
    monkeypatch.setattr(module.formulas, "weights", lambda *_: values)
    weighted = found.weigh(X)
    assert weighted.nnz == values.size - 2 and weighted.data[:2].tolist() == [2.0, 1.0] and X.nnz == stored
    last = sparse.csr_array(([3.0], [0], [0, 1]), shape=(1, 30))
    monkeypatch.setattr(module.formulas, "weights", lambda *_: np.ones(1))
    assert found.weigh(last).shape == (1, 30)


@parametrize_with_checks([CombinedComponents(population=4, generations=1, n_jobs=1)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)

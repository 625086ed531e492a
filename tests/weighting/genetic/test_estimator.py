"""CCA on a small problem: what it finds, says, falls back to, and how it is ended."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from ltw_core.metrics import contingency, f1
from ltw_core.tasks import validation_mask
from ltw_core.weighting import make
from ltw_core.weighting.genetic.estimator import CombinedComponents
from ltw_core.weighting.genetic.fitness import SLOPES, Fitness
from ltw_core.weighting.genetic.found_formula import formula_in
from ltw_core.weighting.genetic.terminals import PIVOTED


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
    assert seen[-1].message.startswith("Breeding formulas: generation 0 of 3, 5 tried, validation F1 ")
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


@parametrize_with_checks([CombinedComponents(population=4, generations=1, n_jobs=1)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)

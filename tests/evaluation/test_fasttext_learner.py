"""Dense vectors through the whole protocol: the RBF kernel, naive Bayes' rule, and fastText's own classifier."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC

from ltw_core.evaluation import evaluate, evaluate_vectors, learners, weigh
from ltw_core.evaluation.scikit_learners import MNB, RBF
from ltw_core.metrics import contingency
from ltw_core.weighting.dense.fasttext import FastText


@pytest.fixture
def vectors(task):
    return weigh(task, FastText(dimensions=20, epochs=20))


def counts_of(result):
    return result.tp, result.fp, result.fn, result.tn


ALL = [(name, "quick") for name in learners("Dense")] + [(name, "full") for name in ("SVM", "LR", "KNN", "FT")]


@pytest.mark.parametrize(("name", "grid"), ALL)
def test_every_learner_takes_dense_vectors(name, grid, vectors):
    result = evaluate_vectors(vectors, name, grid)
    assert sum(counts_of(result)) == 160 and 0.4 < result.f1 <= 1
    assert "learned from all training documents" in result.warnings[0]
    assert replace(result, seconds=0) == replace(evaluate_vectors(vectors, name, grid), seconds=0)


def test_the_svm_has_an_rbf_kernel_on_dense_vectors(vectors):
    result = evaluate_vectors(vectors, "SVM")
    assert result.parameters["kernel"] == "rbf"
    assert not any("limit of iterations" in sentence for sentence in result.warnings)  # it has none
    svm = SVC(C=result.parameters["C"], kernel="rbf", gamma="scale").fit(vectors.train, vectors.y_train)
    assert counts_of(result) == contingency(vectors.y_test, svm.predict(vectors.test))


def test_its_grid_is_that_of_c():
    values = [point["C"] for point in RBF().grid("full", 100, 100)]
    assert values == [10.0**e for e in range(4, -5, -1)]
    assert [point["C"] for point in RBF().grid("quick", 100, 100)] == [100, 10, 1, 0.1]


def test_ft_is_the_models_own_classifier(task):
    model = FastText(dimensions=20, epochs=20).fit(task.counts_train, task.y_train)
    result = evaluate(task, model, "FT")
    assert counts_of(result) == contingency(task.y_test, model.decision_function(task.counts_test) > 0)
    assert result.parameters == {}


def test_ft_goes_with_dense_only(task):
    with pytest.raises(ValueError, match="FT is fastText's own classifier: it goes with Dense, not with TFRF"):
        evaluate(task, "TFRF", "FT")


def test_naive_bayes_turns_signs_and_drops_the_rest_of_dense_vectors():
    train, test = np.array([[-1.0, -2.0, 0.5], [-3.0, 0.0, 0.0]]), np.array([[-1.0, 1.0, 0.0]])
    turned, turned_test, notes = MNB().prepare(train, test)
    assert turned.tolist() == [[1, 2, 0], [3, 0, 0]]
    assert turned_test.tolist() == [[1, 0, 0]]
    assert "25.0% of the training weights were dropped" in notes[0] and "75.0% were negative" in notes[0]


def test_progress_while_word_vectors_are_learned(task):
    seen = []
    evaluate(task, FastText(epochs=20), "FT", on_event=seen.append)
    assert [(e.done, e.total, e.stage) for e in seen[:2]] == [(10, 20, "weighting"), (20, 20, "weighting")]
    assert seen[-1].message == "Refitting on all training documents with nothing to set"

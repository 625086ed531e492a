"""A cd function at all cells of a corpus: equal to the plain evaluation of every cell."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from ltw_core.tasks import Contingency
from ltw_core.weighting import CD, power
from ltw_core.weighting.all_classes import AllClasses, weights_of_all_classes


def corpus(documents=300, terms=500, classes=9, seed=0):
    """Rare and frequent terms, some of which classes attract; the last class has one document, the first most."""
    rng = np.random.default_rng(seed)
    labels = rng.random((documents, classes)) < np.linspace(0.9, 0.02, classes)
    labels[:, -1] = np.arange(documents) == 5
    attraction = rng.random((classes, terms)) < 0.05
    chance = 0.6 * rng.random(terms) ** 4 + 0.2 * (labels @ attraction > 0)
    counts = rng.poisson(chance)
    counts[:, :2] = [0, 1]  # a term of no document and one of all
    return Contingency.of(csr_array(counts), csr_array(labels.astype(int)))


@pytest.fixture(scope="module")
def contingency():
    return corpus()


def dense(contingency, function):
    tpr, fpr, prevalence = contingency.dense_rates()
    return function(tpr, fpr, prevalence, contingency.n_documents)


@pytest.mark.parametrize("function", [*CD.values(), power("IG", 1 / 3)], ids=lambda function: function.name)
def test_equal_to_the_dense_evaluation(contingency, function):
    found = weights_of_all_classes(contingency, function)
    assert found.shape == (9, 500) and found.dtype == np.float64
    np.testing.assert_array_equal(found, dense(contingency, function))


def test_rates_and_single_classes(contingency):
    tables = AllClasses(contingency)
    tpr, fpr, _ = contingency.dense_rates()
    np.testing.assert_array_equal(tables.tpr, tpr)
    np.testing.assert_array_equal(tables.fpr, fpr)
    one = contingency.rates(3)
    np.testing.assert_array_equal(
        tables.weights("CHI2")[3], CD["CHI2"](one.tpr, one.fpr, one.prevalence, one.n_documents)
    )


def test_by_hand():
    # term 0 lies in both documents of class 0 and in no other, term 1 in one of each class, term 2 in one other
    counts = csr_array(np.array([[1, 0, 0], [2, 1, 0], [0, 3, 0], [0, 0, 1]]))
    labels = csr_array(np.array([[1, 0], [1, 0], [0, 1], [0, 1]]))
    tables = AllClasses(Contingency.of(counts, labels))
    np.testing.assert_array_equal(tables.tpr, [[1, 0.5, 0], [0, 0.5, 0.5]])
    np.testing.assert_array_equal(tables.fpr, [[0, 0.5, 0.5], [1, 0.5, 0]])
    np.testing.assert_allclose(tables.weights("RF")[0], [2, np.log2(3), 1])


def test_a_class_without_documents_and_a_term_of_all_others():
    # class 1 has no document; class 0 has all: then fpr has no documents to be a share of
    labels = csr_array(np.array([[1, 0], [1, 0], [1, 0]]))
    contingency = Contingency.of(csr_array(np.array([[1, 0], [1, 1], [1, 0]])), labels)
    for function in CD.values():
        np.testing.assert_array_equal(weights_of_all_classes(contingency, function), dense(contingency, function))


def test_far_fewer_evaluations_than_cells():
    contingency = corpus(documents=500, terms=5000)
    assert AllClasses(contingency).n_tables < 0.5 * contingency.tp.shape[0] * contingency.tp.shape[1]


def test_unknown_function(contingency):
    with pytest.raises(ValueError, match="cd is 'CHI'"):
        weights_of_all_classes(contingency, "CHI")


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["ConfWeight", "GR"])
def test_reuters(real_corpus, name):
    from ltw_core.tasks import vectorize

    contingency = vectorize(real_corpus("reuters21578")).contingency()
    tables = AllClasses(contingency)
    assert tables.shape == (115, 28_761)
    assert tables.n_tables < 150_000  # of 3.3 million cells
    np.testing.assert_array_equal(tables.weights(name), dense(contingency, CD[name]))

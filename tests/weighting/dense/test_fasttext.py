"""fastText's model against torch's autograd, step by step, and as a scikit-learn transformer."""

import numpy as np
import pytest
import torch
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from ltw_core.weighting import make
from ltw_core.weighting.dense.fasttext import FastText
from ltw_core.weighting.dense.word_vectors import Documents, Model, pass_over

# columns: the class's term, a common term, the rest's term; the third document has no term at all
COUNTS = sparse.csr_array([[2, 1, 0], [0, 1, 1], [0, 0, 0], [1, 3, 0], [0, 2, 2]])
Y = np.array([True, False, False, True, False])


@pytest.fixture
def problem():
    """60 documents over 12 terms: the first four speak for the class, the next four against it."""
    rng = np.random.default_rng(0)
    y = np.arange(60) % 3 == 0
    means = np.where(y[:, None], [1.5] * 4 + [0.1] * 4 + [0.5] * 4, [0.1] * 4 + [1.5] * 4 + [0.5] * 4)
    return sparse.csr_array(rng.poisson(means)), y


def with_autograd(counts, y, vectors, outputs, order, rate, decay):
    """One epoch as the model is defined: a softmax over two outputs, the gradient of each document's loss."""
    bag = torch.nn.EmbeddingBag.from_pretrained(torch.tensor(vectors), freeze=False, mode="mean")
    outputs = torch.tensor(outputs, requires_grad=True)
    dense, losses = counts.toarray(), []
    for row in order:
        tokens = torch.tensor([*np.repeat(np.arange(3), dense[row]), 3])  # the last one ends the document
        loss = torch.nn.functional.cross_entropy(outputs @ bag(tokens[None])[0], torch.tensor(int(y[row])))
        for_vectors, for_outputs = torch.autograd.grad(loss, (bag.weight, outputs))
        with torch.no_grad():
            bag.weight -= rate * for_vectors
            outputs -= rate * for_outputs
        rate -= decay * len(tokens)
        losses.append(loss.item())
    return bag.weight.detach().numpy(), outputs.detach().numpy(), rate, sum(losses)


def test_an_epoch_is_that_of_autograd():
    rng = np.random.default_rng(1)
    vectors = rng.uniform(-0.5, 0.5, (4, 6)).astype(np.float32)
    half = rng.uniform(-0.5, 0.5, 6).astype(np.float32)
    order, rate, decay = np.array([3, 0, 4, 1, 2]), 0.5, 0.02
    expected, outputs, last_rate, loss = with_autograd(COUNTS, Y, vectors, np.stack([-half, half]), order, rate, decay)
    found, output = vectors.copy(), 2 * half
    share = (1 / (COUNTS.sum(axis=1) + 1)).astype(np.float32)
    room = np.zeros(6, np.float32)
    counts, y = COUNTS.data.astype(np.float32), Y.astype(np.float32)
    documents = Documents(COUNTS.indptr, COUNTS.indices, counts, share, y)
    got_rate, got_loss = pass_over(documents, Model(found, output, room, room.copy()), order, rate, decay)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(output, outputs[1] - outputs[0], rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(outputs[0], -outputs[1], rtol=1e-5, atol=1e-6)  # each other's negative at every step
    assert (got_rate, got_loss) == (pytest.approx(last_rate, abs=1e-6), pytest.approx(loss, rel=1e-5))


def test_the_learning_rate_falls_linearly_to_nothing(monkeypatch):
    from ltw_core.weighting.dense import word_vectors

    rates = [0.1]

    def watched(*arguments):
        rate, loss = pass_over(*arguments)
        assert arguments[-2] == rates[-1]
        rates.append(rate)
        return rate, loss

    monkeypatch.setattr(word_vectors, "pass_over", watched)
    FastText(dimensions=4, epochs=4).fit(COUNTS, Y)
    np.testing.assert_allclose(rates, [0.1, 0.075, 0.05, 0.025, 0], atol=1e-8)


def test_a_vector_is_the_mean_of_the_terms_occurrences_and_the_end():
    model = FastText(dimensions=4, epochs=2).fit(COUNTS, Y)
    a, b, _, end = model.word_vectors_.astype(float)
    vectors = model.transform(COUNTS)
    assert isinstance(vectors, np.ndarray) and vectors.shape == (5, 4)
    np.testing.assert_allclose(vectors[0], (2 * a + b + end) / 4)
    np.testing.assert_allclose(vectors[2], end)
    np.testing.assert_allclose(model.decision_function(COUNTS), vectors @ model.output_.astype(float))


def test_it_learns_the_class_and_repeats_with_its_seed(problem):
    X, y = problem
    one, same, other = (FastText(epochs=30, random_state=seed).fit(X, y) for seed in (3, 3, 4))
    assert ((one.decision_function(X) > 0) == y).mean() > 0.95
    assert one.loss_[-1] < one.loss_[0]
    np.testing.assert_array_equal(one.word_vectors_, same.word_vectors_)
    assert not np.array_equal(one.word_vectors_, other.word_vectors_)
    assert clone(one).get_params() == one.get_params()


def test_it_reports_and_can_be_ended(problem):
    seen = []
    ended = FastText(epochs=100).fit(*problem, on_event=lambda step: seen.append(step) or len(seen) == 2)
    assert [(step.done, step.total) for step in seen] == [(10, 100), (20, 100)]
    assert seen[0].message.startswith("Learning word vectors: pass 10 of 100, mean loss 0.")
    assert ended.loss_.shape == (20,)


def test_the_papers_settings():
    assert make("Dense", random_state=7).get_params() == {
        "dimensions": 100,
        "learning_rate": 0.1,
        "epochs": 100,
        "random_state": 7,
    }


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dimensions": 0}, "dimensions is 0; it must be at least 1"),
        ({"epochs": 0}, "epochs is 0; it must be at least 1"),
        ({"learning_rate": 0}, "learning_rate is 0; it must be positive"),
        ({"learning_rate": 1e30}, "learning_rate 1e[+]30 is too high"),
    ],
)
def test_a_wrong_setting_is_a_sentence(problem, settings, message):
    with pytest.raises(ValueError, match=message):
        FastText(**settings).fit(*problem)


def test_labels_of_other_than_two_classes_are_a_sentence(problem):
    X, _ = problem
    with pytest.raises(ValueError, match="y has one class only"):
        FastText().fit(X, np.ones(60))
    with pytest.raises(ValueError, match="Only binary classification is supported: y has 3 classes"):
        FastText().fit(X, np.arange(60) % 3)


@parametrize_with_checks([FastText(dimensions=5, epochs=5)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)

"""The compiled engines against the torch reference: gradients, and 500 steps in float64, on the same draws."""

import dataclasses

import numpy as np
import pytest
import torch

from ltw_core.weighting.learned import Settings, make_engine
from ltw_core.weighting.learned.engines.compiled import global_engine
from ltw_core.weighting.learned.engines.reference import ReferenceEngine
from ltw_core.weighting.learned.network import learned_dd, local_cd

LOCAL = [(name, form) for name in ("LTW-L-I", "LTW-L-sigma", "LTW-TF") for form in ("gaussian", "bernoulli")]
GLOBAL = [(name, "bernoulli") for name in ("LTW-G-I", "LTW-G-sigma")]


def engines(problem, variant, form, **more):
    """The two engines with equal parameters, in float64. (With seeds 0–2, LTW-TF's last ReLU starts dead.)"""
    more = dict(seed=3, dtype="float64", batch_size=16, hidden_dd=10) | more
    settings = Settings(variant=variant, dropout_form=form, **more)
    reference = ReferenceEngine(problem, settings)
    compiled = make_engine(problem, settings, engine="compiled")
    compiled.load_parameters(reference.parameters())
    return reference, compiled


def largest_difference(a, b):
    return np.max([np.abs(np.ravel(a[name]) - np.ravel(b[name])).max() for name in a])  # NaN where one is


def gradients(reference):
    rows = torch.as_tensor(reference.random.rows(reference.step)[0])
    reference.loss(rows)
    return {name: value.grad.numpy().copy() for name, value in reference.p.items()}


@pytest.mark.parametrize(("variant", "form"), LOCAL + GLOBAL)
@pytest.mark.parametrize("dropout", [0.0, 0.2])
def test_gradients_are_those_of_autograd(problem, variant, form, dropout):
    # After one step from rest Adam's first moment is .1 · gradient
    reference, compiled = engines(problem, variant, form, hidden=12, dropout=dropout)
    expected = gradients(reference)
    compiled.advance(1)
    moments = {name: compiled.first[place] for name, place in compiled.slices.items()}
    if not compiled.network.local:
        moments["W2"] = np.zeros(compiled.weights.shape)  # the rows of units that are never positive have no moments
        layer = compiled._settled()
        moments["W2"][layer.units] = layer.first.T
        # W1 acts through z alone: its row i has s_i times z's gradient, b1 has z's
        moments["b1"] = moments["z"]
        statistics = np.concatenate([problem.tpr, problem.fpr])
        moments["W1"] = np.outer(statistics, moments["z"])
    for name, gradient in expected.items():
        np.testing.assert_allclose(np.ravel(moments[name]) / 0.1, gradient.ravel(), rtol=1e-9, atol=1e-13, err_msg=name)
    assert np.abs(expected["W2"]).max() > 0


@pytest.mark.parametrize(("variant", "form"), LOCAL + GLOBAL)
def test_trajectories_of_500_steps(problem, variant, form):
    # A ReLU that two roundings put on two sides of 0 would part the trajectories: this problem and seed have none.
    reference, compiled = engines(problem, variant, form, hidden=12)
    losses = [(reference.advance(20), compiled.advance(20)) for _ in range(25)]
    np.testing.assert_allclose(*np.array(losses).T, rtol=1e-10 if compiled.network.local else 1e-7)
    assert losses[-1][0] < losses[0][0] - 0.2
    limit = 1e-10 if compiled.network.local else 1e-7  # of LTW-G's first layer only the sum is kept, interpolated
    assert largest_difference(compiled.parameters(), reference.parameters()) < limit
    np.testing.assert_allclose(compiled.cd(), reference.cd(), atol=limit)
    np.testing.assert_allclose(compiled.validation_logits(), reference.validation_logits(), atol=10 * limit)


@pytest.mark.parametrize(("variant", "form"), LOCAL + GLOBAL)
def test_pieces_of_any_size_come_to_the_same(problem, variant, form):
    settings = Settings(variant=variant, dropout_form=form, batch_size=16, learning_rate=0.05)
    whole, pieces = (make_engine(problem, settings, engine="compiled") for _ in range(2))
    whole.advance(300)
    for steps in (1, 1, 7, 50, 100, 141):
        pieces.advance(steps)
    for name, value in whole.state().items():
        assert np.array_equal(value, pieces.state()[name]), name


@pytest.mark.parametrize("variant", ["LTW-G-I", "LTW-G-sigma"])
@pytest.mark.parametrize(("beta1", "epsilon"), [(0.9, 1e-8), (0.6, 1e-8), (0.6, 1e-24)])
def test_steps_made_at_once_are_within_rounding(problem, variant, beta1, epsilon):
    # few terms a batch: in float32 most steps without a gradient are made at once, but not with so small an ε; in
    # float64 each is made by itself
    settings = dict(variant=variant, hidden=40, batch_size=1, beta1=beta1, epsilon=epsilon)
    engines = [make_engine(problem, Settings(dtype=kind, **settings)) for kind in ("float32", "float64")]
    for engine in engines:
        engine.advance(300)
    assert largest_difference(*(engine.parameters() for engine in engines)) < 5e-6
    assert largest_difference(engines[0].parameters(), make_engine(problem, Settings(**settings)).parameters()) > 0.01


@pytest.mark.parametrize("variant", ["LTW-G-I", "LTW-G-sigma"])
def test_looking_at_rows_that_are_behind_changes_nothing(problem, variant):
    settings = Settings(variant=variant, hidden=40, batch_size=4)
    alone, watched = (make_engine(problem, settings, engine="compiled") for _ in range(2))
    alone.advance(230)
    for steps in (3, 97, 20, 110):
        watched.advance(steps)
        watched.cd(), watched.parameters(), watched.finite()
        again = make_engine(problem, settings, engine="compiled")
        again.restore_state(watched.state())
        watched = again
    for name, value in alone.state().items():
        assert np.array_equal(value, watched.state()[name]), name


@pytest.mark.parametrize("variant", ["LTW-G-I", "LTW-G-sigma"])
def test_a_state_of_an_earlier_version_goes_on(problem, variant):
    # all rows were up to date in it, and nothing said what a row is behind by
    settings = Settings(variant=variant, hidden=40, batch_size=4)
    going_on, again = (make_engine(problem, settings, engine="compiled") for _ in range(2))
    going_on.advance(230)
    going_on.layer = going_on._settled()
    again.restore_state({name: value for name, value in going_on.state().items() if name not in global_engine.BEHIND})
    for engine in (going_on, again):
        engine.advance(200)
    for name, value in going_on.state().items():
        assert np.array_equal(value, again.state()[name]), name


@pytest.mark.parametrize("variant", ["LTW-G-I", "LTW-G-sigma"])
def test_units_that_have_come_to_rest_are_left_out(problem, variant, monkeypatch):
    settings = Settings(variant=variant, hidden=40, batch_size=16, seed=3)
    all_kept, left_out = (make_engine(problem, settings, engine="compiled") for _ in range(2))
    left_out.advance(900)
    monkeypatch.setattr(global_engine, "FEWEST_GONE", 1)
    all_kept.advance(900)
    assert len(left_out.layer.units) < len(all_kept.layer.units)
    gone = np.setdiff1d(all_kept.layer.units, left_out.layer.units)
    assert (left_out._part("z")[gone] <= 0).all()
    for name, value in all_kept.parameters().items():
        np.testing.assert_allclose(left_out.parameters()[name], value, rtol=1e-3, atol=1e-4, err_msg=name)
    assert np.abs(left_out.parameters()["W2"][gone] - make_engine(problem, settings).weights[gone]).max() > 0.01


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-TF", "LTW-G-I"])
def test_adam_of_ones_own(problem, variant):
    # the paper prints ε as 1e-0.8
    own = dict(hidden=12, beta1=0.6, beta2=0.95, epsilon=10**-0.8)
    reference, compiled = engines(problem, variant, "gaussian", **own)
    losses = np.array([(reference.advance(20), compiled.advance(20)) for _ in range(10)])
    np.testing.assert_allclose(*losses.T, rtol=1e-8)
    assert largest_difference(compiled.parameters(), reference.parameters()) < 1e-8
    usual = engines(problem, variant, "gaussian", hidden=12)[1]
    usual.advance(200)
    assert largest_difference(compiled.parameters(), usual.parameters()) > 0.01


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-L-sigma", "LTW-TF"])
def test_pretraining_and_classifier_phase(problem, variant):
    reference, compiled = engines(problem, variant, "gaussian", hidden=12, pretrain="CHI2")

    def target(tpr, fpr):
        return np.abs(tpr - fpr)

    steps = 2 * compiled.piece + 50
    assert compiled.pretrain(target, steps) == pytest.approx(reference.pretrain(target, steps), rel=1e-10)
    for engine in (reference, compiled):
        asked = iter([False, True])
        assert engine.pretrain(target, 1000, lambda asked=asked: next(asked)) is None  # stopped in the middle
        assert 0 < engine.pretrained - steps <= compiled.piece
    reference, compiled = engines(problem, variant, "gaussian", hidden=12, pretrain="CHI2")
    for engine in (reference, compiled):
        engine.pretrain(target, 50)
        engine.restart_optimiser()
    before = compiled.parameters()
    losses = [engine.advance(30, head_only=True) for engine in (reference, compiled)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-10)
    after = compiled.parameters()
    assert largest_difference(after, reference.parameters()) < 1e-9
    for name in after:
        assert np.array_equal(before[name], after[name]) == (name not in ("W3", "b3")), name


@pytest.mark.parametrize("variant", ["LTW-G-I", "LTW-G-sigma"])
def test_collapsed_first_layer_trains_as_the_whole_one(problem, variant):
    # In float32, with gradients of W1 that are no larger than Adam's ε: statistics of one in thousands
    counts = sparse_statistics(problem)
    settings = Settings(variant=variant, batch_size=16)
    whole, collapsed = ReferenceEngine(counts, settings), make_engine(counts, settings, engine="compiled")
    assert whole.p["W1"].shape == (2 * problem.n_terms, problem.n_terms // 2)
    collapsed.load_parameters(whole.parameters())
    losses = np.array([(whole.advance(10), collapsed.advance(10)) for _ in range(20)])
    assert np.abs(losses[:, 0] - losses[:, 1]).max() < 1e-4
    assert losses[-1, 0] < losses[0, 0] - 0.1


def sparse_statistics(problem):
    return dataclasses.replace(problem, tpr=problem.tpr * 1e-4, fpr=problem.fpr * 1e-4)


@pytest.mark.parametrize(("variant", "form"), LOCAL + GLOBAL)
def test_untouched_parameters_move_as_well(problem, variant, form):
    # Momentum moves W3 of a term that the second batch does not hold
    compiled = engines(problem, variant, form, hidden=12, batch_size=4)[1]
    rows = [set(compiled.random.rows(step)[0].tolist()) for step in (0, 1)]
    held = [terms_of(problem.train, part) for part in rows]
    only_first = sorted(held[0] - held[1])
    compiled.advance(1)
    before = compiled.parameters()["W3"][only_first]
    moving = compiled.first[compiled.slices["W3"]][only_first] != 0
    assert moving.any()
    compiled.advance(1)
    np.testing.assert_array_equal(compiled.parameters()["W3"][only_first] != before, moving)


def terms_of(documents, rows):
    return {int(t) for row in rows for t in documents.terms[documents.starts[row] : documents.starts[row + 1]]}


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-TF", "LTW-G-sigma"])
def test_same_seed_same_numbers(problem, engine, variant):
    settings = Settings(variant=variant, hidden=8, batch_size=16, seed=5)
    first, second = (make_engine(problem, settings, engine=engine) for _ in range(2))
    assert [first.advance(7), first.advance(3)] == [second.advance(7), second.advance(3)]
    np.testing.assert_array_equal(first.cd(), second.cd())
    other = make_engine(problem, Settings(variant=variant, hidden=8, batch_size=16, seed=6), engine=engine)
    other.advance(10)
    assert not np.array_equal(first.cd(), other.cd())


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-TF", "LTW-G-I"])
def test_how_steps_are_divided_into_calls_does_not_matter(problem, variant):
    settings = Settings(variant=variant, hidden=8, batch_size=16)
    whole, parts = (make_engine(problem, settings, engine="compiled") for _ in range(2))
    whole.advance(30)
    for steps in (1, 9, 20):
        parts.advance(steps)
    np.testing.assert_allclose(parts.cd(), whole.cd(), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-L-sigma", "LTW-TF"])
def test_forward_pass_is_that_of_the_published_parameters(problem, variant):
    engine = make_engine(problem, Settings(variant=variant, hidden=20, dtype="float64"), engine="compiled")
    engine.advance(20)
    parameters = engine.parameters()
    expected = local_cd(parameters, problem.tpr, problem.fpr, squash=variant == "LTW-L-sigma")
    np.testing.assert_allclose(engine.cd(), expected, rtol=1e-9, atol=1e-12)
    if variant == "LTW-TF":
        # dd is 0 at f = 0, whatever the biases say
        assert learned_dd(parameters | {"b5": np.array([3.0])}, [0, 1])[0] == 0


def test_gaussian_dropout_has_the_moments_of_the_masks(problem):
    # Mean and variance of a step's loss over many seeds agree between the two forms of dropout, and with the reference
    def losses(form, engine, seeds):
        return [
            make_engine(problem, Settings(hidden=100, dropout_form=form, seed=seed), engine=engine).advance(15)
            for seed in range(seeds)
        ]

    gaussian, masks = np.array(losses("gaussian", "compiled", 120)), np.array(losses("bernoulli", "compiled", 120))
    reference = np.array(losses("bernoulli", "reference", 25))
    error = np.sqrt((gaussian.var() + masks.var()) / 120)
    assert abs(gaussian.mean() - masks.mean()) < 4 * error
    assert abs(reference.mean() - masks.mean()) < 4 * np.sqrt(masks.var() / 25)
    assert 0.6 < gaussian.std() / masks.std() < 1.6


def test_float32_follows_float64_for_a_while(problem):
    single, double = (
        make_engine(problem, Settings(hidden=50, batch_size=16, dtype=dtype), engine="compiled")
        for dtype in ("float32", "float64")
    )
    assert single.advance(50) == pytest.approx(double.advance(50), rel=1e-4)


def test_too_large_a_global_network_is_a_sentence(problem):
    settings = Settings(variant="LTW-G-I", hidden=10**9)
    with pytest.raises(ValueError, match=r"30 terms and 1000000000 hidden units .* select fewer terms"):
        make_engine(problem, settings)

"""The global variants side by side: steps against autograd and the compiled engine, and whole trainings, on a CPU."""

import numpy as np
import pytest
import torch

from ltw_core.weighting.learned import LearnedWeighting, Problem, Settings, fit_many
from ltw_core.weighting.learned.engines.compiled.global_engine import CompiledGlobalEngine
from ltw_core.weighting.learned.engines.lockstep import group as group_module
from ltw_core.weighting.learned.engines.lockstep.global_group import GlobalGroup, GlobalState
from ltw_core.weighting.learned.engines.lockstep.lockstep import Lockstep, learn_lockstep
from ltw_core.weighting.learned.engines.lockstep.recorded_engine import ProblemArrays, SharedWeights
from ltw_core.weighting.learned.engines.lockstep.replay import Replay
from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers
from ltw_core.weighting.learned.engines.reference import ReferenceEngine
from ltw_core.weighting.learned.network import initial_parameters
from tests.weighting.learned.conftest import small_corpus, small_problem
from tests.weighting.learned.engines.lockstep.lockstep_cases import (
    HARDER,
    Allocator,
    Replayed,
    alone,
    assert_same,
    room_for_three_of_the_largest,
    settings_of,
    three_problems,
)

CPU = torch.device("cpu")
VARIANTS = ["LTW-G-I", "LTW-G-sigma"]
OWN = {"hidden": None}  # F/2, so that the problems differ in it


def group_of(problems, settings, parameters, device=CPU, block_memory=2**20):
    arrays = [ProblemArrays(problem, each) for problem, each in zip(problems, settings, strict=True)]
    states = [GlobalState.of(*each) for each in zip(parameters, arrays, strict=True)]
    return GlobalGroup(arrays, states, settings[0], device, block_memory, False)


def with_compiled(variant, **more):
    """A group, and engines of the same parameters and random numbers."""
    problems, settings = three_problems(), settings_of(variant, **(OWN | more))
    engines = [CompiledGlobalEngine(*each) for each in zip(problems, settings, strict=True)]
    return group_of(problems, settings, [engine.parameters() for engine in engines]), engines


def assert_equal(group, engine, row, atol):
    state, wanted = group.state(row), engine.parameters()
    found = state.parameters(group.arrays[row])
    for name, value in found.items():
        expected = wanted[name][state.units] if name in ("z", "W2") else wanted[name]
        np.testing.assert_allclose(value, expected, atol=atol, err_msg=name)
    gone = np.setdiff1d(np.arange(engine.hidden), state.units)
    assert (wanted["z"][gone] <= 0).all() and len(gone) > 0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dropout", [0.0, 0.2])
def test_gradients_are_those_of_autograd(variant, dropout):
    problems, settings = three_problems(), settings_of(variant, dropout=dropout, **OWN)
    references = [ReferenceEngine(*each) for each in zip(problems, settings, strict=True)]
    group = group_of(problems, settings, [reference.parameters() for reference in references])
    group.advance([reference.random for reference in references], [0, 0, 0], 1)
    for row, reference in enumerate(references):
        loss = reference.loss(torch.as_tensor(reference.random.rows(0)[0]))
        assert group.loss[row].item() == pytest.approx(loss.item(), rel=1e-12)
        state, gradient = group.state(row), {name: value.grad.numpy() for name, value in reference.p.items()}
        state.theta, state.weights = state.first, state.first_weights  # the first moment from rest
        for name, value in state.parameters(group.arrays[row]).items():
            # z's gradient is that of b1
            expected = gradient["b1" if name == "z" else name]
            expected = expected[state.units] if name in ("z", "W2") else expected
            np.testing.assert_allclose(value / 0.1, expected, rtol=1e-9, atol=1e-13, err_msg=name)
        assert np.abs(state.weights).max() > 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_trajectories_of_500_steps(variant, monkeypatch):
    monkeypatch.setattr(group_module, "TERMS", 8)  # several tiles a problem
    group, engines = with_compiled(variant)
    made = 0
    # A document of one rare term has the sign of its cd for a vector: near 0 roundings grow
    for steps, limit in ((1, 1e-12), (19, 1e-12), (80, 1e-11), (100, 1e-11), (300, 1e-7)):
        group.advance([engine.random for engine in engines], [made] * 3, steps)
        expected = [engine.advance(steps) for engine in engines]
        np.testing.assert_allclose(group.loss.numpy() / steps, expected, rtol=limit)
        made += steps
        for row, engine in enumerate(engines):
            assert_equal(group, engine, row, limit)
    values, logits = group.read(), np.split(group.look()[1].numpy(), group.validation.ends)
    for row, engine in enumerate(engines):
        np.testing.assert_allclose(values.cd[row], engine.cd(), atol=1e-7)
        np.testing.assert_allclose(logits[row], engine.validation_logits(), atol=1e-6)


def test_it_trains_as_the_network_that_is_not_collapsed():
    problems, settings = three_problems(), settings_of("LTW-G-I", **OWN)
    references = [ReferenceEngine(*each) for each in zip(problems, settings, strict=True)]
    group = group_of(problems, settings, [reference.parameters() for reference in references])
    group.advance([reference.random for reference in references], [0, 0, 0], 200)
    np.testing.assert_allclose(group.loss.numpy() / 200, [r.advance(200) for r in references], rtol=1e-7)
    for row, reference in enumerate(references):
        np.testing.assert_allclose(group.read().cd[row], reference.cd(), atol=1e-6)


def test_adam_of_ones_own():
    # the paper prints ε as 1e-0.8
    group, engines = with_compiled("LTW-G-I", beta1=0.6, beta2=0.95, epsilon=10**-0.8)
    group.advance([engine.random for engine in engines], [0] * 3, 100)
    np.testing.assert_allclose(group.loss.numpy() / 100, [engine.advance(100) for engine in engines], rtol=1e-10)


def test_how_steps_are_prepared_does_not_matter():
    settings = settings_of("LTW-G-sigma", **OWN)
    parameters = [CompiledGlobalEngine(*each).parameters() for each in zip(three_problems(), settings, strict=True)]
    whole = group_of(three_problems(), settings, parameters)
    parts = group_of(three_problems(), settings, parameters, block_memory=1)  # a block of one step
    for group in (whole, parts):
        group.advance([RandomNumbers(0, 0, len(p.problem.train), 16) for p in group.arrays], [0, 0, 0], 30)
    for row in range(3):
        np.testing.assert_array_equal(whole.state(row).theta, parts.state(row).theta)
        np.testing.assert_array_equal(whole.state(row).weights, parts.state(row).weights)


def test_steps_ask_nothing_of_the_host():
    # The meta device knows shapes only: reading a value there, or mixing in a tensor of the host, is an error
    problems, settings = three_problems(), settings_of("LTW-G-sigma", **OWN)
    parameters = [CompiledGlobalEngine(*each).parameters() for each in zip(problems, settings, strict=True)]
    group = group_of(problems, settings, parameters, torch.device("meta"))
    group.advance([RandomNumbers(0, 0, len(problem.train), 16) for problem in problems], [0, 0, 0], 40)
    with pytest.raises(RuntimeError, match="meta"):
        group.loss.sum().item()


def test_units_that_never_move_again_are_let_go():
    # With β1 = .05 momentum is gone in some hundred steps
    group, engines = with_compiled("LTW-G-I", beta1=0.05, hidden=40)
    rooms, made = [group.rooms.total], 0
    for _ in range(4):
        group.advance([engine.random for engine in engines], [made] * 3, 100)
        expected = [engine.advance(100) for engine in engines]
        np.testing.assert_allclose(group.loss.numpy() / 100, expected, rtol=1e-11)
        made += 100
        group.compact([True] * 3)
        rooms.append(group.rooms.total)
    assert rooms[-1] < rooms[0] / 2 and rooms == sorted(rooms, reverse=True)
    for row, engine in enumerate(engines):
        assert_equal(group, engine, row, 1e-10)
    again = GlobalGroup(group.arrays, [group.state(row) for row in range(3)], group.settings, CPU, 2**20, False)
    for each in (group, again):
        each.advance([engine.random for engine in engines], [made] * 3, 20)
    np.testing.assert_allclose(again.loss, group.loss, rtol=1e-12)


def test_initial_weights_are_those_of_the_other_engines():
    problems, settings, shared = three_problems(), settings_of("LTW-G-I", **OWN), SharedWeights()
    for attempt in (0, 1):
        for problem in (*problems, problems[1]):
            random = RandomNumbers(3, attempt, len(problem.train), 16)
            hidden = settings[0].hidden_units(problem.n_terms)
            found = shared.of(settings[0], problem, random, np.float32)
            wanted = initial_parameters(settings[0].network, problem.inputs, hidden, 0, random.initial(), np.float32)
            np.testing.assert_allclose(found.pop("z"), wanted.pop("z"), rtol=1e-14)
            assert sorted(found) == sorted(wanted)
            for name, value in wanted.items():
                np.testing.assert_array_equal(found[name], value)


# ---- whole trainings


@pytest.fixture(scope="module")
def many():
    """Six trainings of the two variants each, with ends of their own, and each of them alone."""
    problems = three_problems() * 2
    settings = {name: settings_of(name, 6, max_steps=250, learning_rate=0.002, **OWN) for name in VARIANTS}
    expected = {name: [alone(*pair) for pair in zip(problems, settings[name], strict=True)] for name in VARIANTS}
    return problems, settings, expected


@pytest.mark.parametrize(("variant", "width"), [("LTW-G-I", None), ("LTW-G-I", 2), ("LTW-G-sigma", 4)])
def test_each_stops_where_it_stops_alone(many, variant, width):
    problems, settings, expected = (part[variant] if isinstance(part, dict) else part for part in many)
    assert len({training.step for training in expected}) > 2
    loop = Lockstep(problems, settings, CPU, width, None, None, None)
    for result, training in zip(loop.run(), expected, strict=True):
        assert_same(result, training)
        assert (result.engine.name, result.engine.weighting_parameters()) == ("lockstep", {})
    assert len(loop.widths) > 1 and loop.widths[0] == (width or 6)


def test_same_seed_same_numbers(many):
    settings = [Settings(variant="LTW-G-I", batch_size=16, check_every=20, patience=2, seed=i) for i in range(6)]
    first, second = (learn_lockstep(many[0], settings, "cpu") for _ in range(2))
    for a, b in zip(first, second, strict=True):
        assert a.history == b.history
        np.testing.assert_array_equal(a.best.cd, b.best.cd)
    assert first[0].history != first[3].history  # the same problem under another seed


def test_new_weights_that_need_more_room_get_it(monkeypatch):
    # Validation's positives are empty documents, which the bias alone decides: none is ever found
    problems = []
    for seed in range(3):
        counts, y = small_corpus(160, 20 + 5 * seed, seed, **HARDER)
        counts = counts.toarray()
        counts[(np.arange(160) >= 120) & y] = 0
        problems.append(Problem.of(counts, y, np.arange(160) >= 120))
    settings = settings_of("LTW-G-I", 3, restart_before=250, max_steps=290)
    resize, sizes = GlobalGroup._resize, []
    monkeypatch.setattr(GlobalGroup, "_resize", lambda group, own: sizes.append(list(own)) or resize(group, own))
    loop = Lockstep(problems, settings, CPU, None, None, None, None)
    results = loop.run()
    for result, *own in zip(results, problems, settings, strict=True):
        assert result.attempt == 3
        assert_same(result, alone(*own))

    def positive(seed, attempt, problem):
        random = RandomNumbers(seed, attempt, 1, 1).initial()
        z = initial_parameters(settings[0].network, problem.inputs, 12, 0, random)["z"]
        return np.count_nonzero(z > 0)

    needed = np.array([[positive(s.seed, a, p) for s, p in zip(settings, problems, strict=True)] for a in range(4)])
    assert (needed[1:] > needed[0]).any() and loop.widths == [3] and sizes


def test_out_of_memory_splits_and_says_so(many, monkeypatch):
    problems, settings, expected = (part["LTW-G-I"] if isinstance(part, dict) else part for part in many)
    step = GlobalGroup._step

    def too_large(group, batch):
        if group.size > 3 and group.moment_steps[0] > 30:  # amid the second round, with half a step made
            group.theta += 1
            group.weights += 1
            raise torch.OutOfMemoryError("CUDA out of memory. (a test)")
        step(group, batch)

    monkeypatch.setattr(GlobalGroup, "_step", too_large)
    results = learn_lockstep(problems, settings, "cpu")
    for result, training in zip(results, expected, strict=True):
        assert_same(result, training)
    assert results[0].notes == ("Out of memory with 6 problems side by side: going on with 3.",)


def test_memory_plans_the_width(many):
    problems, settings, expected = (part["LTW-G-I"] if isinstance(part, dict) else part for part in many)
    loop = Lockstep(problems, settings, CPU, None, None, room_for_three_of_the_largest(problems, settings[0]), None)
    assert_same(loop.run()[5], expected[5])
    assert loop.widths[0] == 3


@pytest.mark.parametrize("variant", ["LTW-G-I", "LTW-L-I", "LTW-TF"])
def test_the_estimate_of_memory_holds(variant):
    """Each problem by its own size, of which these have different ones, and the batches with them."""
    problems = [small_problem(300, terms, terms) for terms in (300, 800, 1500)]
    settings = settings_of(variant, 3, hidden=1000, hidden_dd=400, max_steps=10)
    with Allocator() as allocator:
        loop = Lockstep(problems, settings, CPU, 3, None, 2**28, None)
        loop.run()
    *_, estimate = loop._needed(loop.engines)
    assert loop.widths == [3]
    assert allocator.peak < estimate < 1.45 * allocator.peak


def test_graphs_read_from_fixed_places(monkeypatch):
    # Among units some go; then what a graph has captured is there no more
    problems, settings = three_problems(), settings_of("LTW-G-I", beta1=0.05, hidden=40, max_steps=320, patience=99)
    rooms = []

    def capture(replay, step):
        rooms.append(step.__self__.rooms.total)
        return Replayed(replay, step)

    monkeypatch.setattr(Replay, "capture", capture)
    for result, *own in zip(learn_lockstep(problems, settings, "cpu", graphs=True), problems, settings, strict=True):
        assert_same(result, alone(*own))
    assert len(rooms) > 1 and rooms == sorted(set(rooms), reverse=True)


def test_one_that_diverges_leaves_the_others_alone(many):
    problems, settings, expected = (part["LTW-G-I"] if isinstance(part, dict) else part for part in many)
    poisoned = Problem.of(*small_corpus(**HARDER), np.arange(160) >= 120)
    poisoned.train.dd[:] = np.nan
    results = learn_lockstep([problems[0], poisoned, problems[2]], settings[:3], "cpu")
    assert results[1].stop_code == "diverged"
    assert_same(results[0], expected[0])
    assert_same(results[2], expected[2])


def test_fits_estimators(corpus, tmp_path):
    X, y = corpus
    options = dict(variant="LTW-G-I", batch_size=16, check_every=20, patience=2)
    together = [LearnedWeighting(**options, random_state=seed) for seed in range(3)]
    fit_many(together, [(X, y)], "lockstep", "cpu")
    for seed, weighting in enumerate(together):
        single = LearnedWeighting(**options, random_state=seed).fit(X, y)
        assert (weighting.engine_, weighting.best_step_) == ("lockstep", single.best_step_)
        np.testing.assert_allclose(weighting.cd_, single.cd_, rtol=0.02, atol=0.02)  # float32 both
    together[0].save(tmp_path / "w.safetensors")
    np.testing.assert_array_equal(LearnedWeighting.load(tmp_path / "w.safetensors").cd_, together[0].cd_)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
@pytest.mark.parametrize("variant", VARIANTS)
def test_on_a_gpu(many, variant):
    problems, settings, expected = (part[variant] if isinstance(part, dict) else part for part in many)
    plain, graphs, again = (learn_lockstep(problems, settings, "cuda", graphs=graph) for graph in (False, True, True))
    for results in (plain, graphs):
        for result, training in zip(results, expected, strict=True):
            assert result.notes == ()  # graphs work, where they are wanted
            assert_same(result, training)
    for one, other in zip(graphs, again, strict=True):
        assert one.history == other.history
        np.testing.assert_array_equal(one.best.cd, other.best.cd)

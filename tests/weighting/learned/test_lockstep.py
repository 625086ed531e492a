"""Trainings side by side, each against itself alone: ends, seats, memory, graphs, estimators. On a CPU."""

import logging

import numpy as np
import pytest
import torch

from ltw_core.weighting.learned import LearnedWeighting, Problem, Settings
from ltw_core.weighting.learned import lockstep as module
from ltw_core.weighting.learned.lockstep import Lockstep, fit_lockstep, learn_lockstep
from ltw_core.weighting.learned.lockstep_group import Group
from ltw_core.weighting.learned.lockstep_seat import Packed
from ltw_core.weighting.learned.reference import ReferenceEngine
from tests.weighting.learned.conftest import small_corpus, small_problem
from tests.weighting.learned.lockstep_cases import HARDER, alone, settings_of, three_problems

CPU = torch.device("cpu")


def assert_same(found, expected):
    assert [(step, score) for step, _, score in found.history] == [(s, f) for s, _, f in expected.history]
    np.testing.assert_allclose([h[1] for h in found.history], [h[1] for h in expected.history], rtol=1e-9)
    assert (found.stop_code, found.stop_reason) == (expected.stop_code, expected.stop_reason)
    assert (found.best.step, found.best.f1, found.attempt) == (expected.best.step, expected.best.f1, expected.attempt)
    np.testing.assert_allclose(found.best.cd, expected.best.cd, rtol=1e-8, atol=1e-9)
    for name, value in expected.best.parameters.items():
        np.testing.assert_allclose(found.best.parameters[name], value, rtol=1e-8, atol=1e-9, err_msg=name)


@pytest.fixture(scope="module")
def many():
    """Nine trainings with ends of their own, and each of them alone."""
    problems = three_problems() * 3
    settings = settings_of("LTW-L-I", 9, max_steps=250, learning_rate=0.002)
    return problems, settings, [alone(*pair) for pair in zip(problems, settings, strict=True)]


@pytest.mark.parametrize("width", [None, 4, 1])
def test_each_stops_where_it_stops_alone(many, width):
    problems, settings, expected = many
    assert len({training.step for training in expected}) > 3
    seen = []
    results = learn_lockstep(problems, settings, "cpu", width, lambda i, event: seen.append((i, event.step)))
    for result, training in zip(results, expected, strict=True):
        assert_same(result.training, training)
        assert (result.engine.name, result.engine.device, result.notes) == ("lockstep", "cpu", ())
        assert result.training.seconds > 0
    for i, training in enumerate(expected):
        assert [step for index, step in seen if index == i] == [step for step, _, _ in training.history]


def test_those_that_ended_are_dropped_and_others_take_their_places(many):
    problems, settings, _ = many
    steps, loops = [], {}
    for width in (9, 4):
        loops[width] = Lockstep(problems, settings, CPU, width, None, None, None)
        loops[width].run()
        steps.append(sum(result.training.step for result in loops[width].seats))
    assert steps[0] == steps[1]
    assert loops[9].widths[0] == 9 and loops[9].widths == sorted(loops[9].widths, reverse=True)
    assert len(loops[9].widths) > 2 and loops[9].widths[-1] <= 3
    assert loops[4].widths[0] == 4 and loops[4].widths.count(4) > 1


def test_restarts_and_max_steps():
    # Validation's positives are empty documents, which the bias alone decides: none is ever found
    problems = []
    for seed in range(3):
        counts, y = small_corpus(160, 20 + 5 * seed, seed, **HARDER)
        validation = np.arange(160) >= 120
        counts = counts.toarray()
        counts[validation & y] = 0
        problems.append(Problem.of(counts, y, validation))
    settings = settings_of("LTW-L-sigma", 3, restart_before=250, max_steps=290)
    expected = [alone(*pair) for pair in zip(problems, settings, strict=True)]
    assert [training.attempt for training in expected] == [3, 3, 3]
    events = []
    results = learn_lockstep(problems, settings, on_event=lambda i, event: events.append((i, event)))
    for result, training in zip(results, expected, strict=True):
        assert_same(result.training, training)
    i, restart = next(pair for pair in events if "starting again" in pair[1].message)
    fresh = ReferenceEngine(problems[i], settings[i])
    fresh.reset(1)
    np.testing.assert_allclose(restart.cd, fresh.cd(), atol=1e-12)


def test_same_seed_same_numbers(many):
    problems, settings, _ = many
    settings = [Settings(hidden=20, batch_size=16, check_every=20, patience=2, seed=each.seed) for each in settings]
    first, second = (learn_lockstep(problems, settings, "cpu") for _ in range(2))
    for a, b in zip(first, second, strict=True):
        assert a.training.history == b.training.history
        np.testing.assert_array_equal(a.training.best.cd, b.training.best.cd)
    assert first[0].training.history != first[3].training.history  # the same problem under another seed


def test_out_of_memory_splits_and_says_so(many, monkeypatch, caplog):
    problems, settings, expected = many
    step = Group._step

    def too_large(group, batch):
        if group.size > 2 and group.moment_steps[0] > 30:  # amid the second round, with half a step made
            group.theta += 1
            raise torch.OutOfMemoryError("CUDA out of memory. (a test)")
        step(group, batch)

    monkeypatch.setattr(Group, "_step", too_large)
    events = []
    with caplog.at_level(logging.WARNING):
        results = learn_lockstep(problems, settings, "cpu", on_event=lambda i, event: events.append(event))
    for result, training in zip(results, expected, strict=True):
        assert_same(result.training, training)
    assert results[0].notes[0] == "Out of memory with 9 problems side by side: going on with 4."
    assert results[0].notes[1] == "Out of memory with 4 problems side by side: going on with 2."
    assert "Out of memory with 9" in caplog.text
    assert any(event.message.startswith("Out of memory with 4") for event in events)


def test_out_of_memory_while_the_arrays_are_made(many, monkeypatch):
    problems, settings, expected = many
    make = Group.__init__

    look = Group.look
    monkeypatch.setattr(Group, "look", lambda group: look(group) if group.size != 2 else _no_memory())

    def too_large(group, packed, *rest):
        if len(packed) > 3:
            raise RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory")
        make(group, packed, *rest)

    monkeypatch.setattr(Group, "__init__", too_large)
    results = learn_lockstep(problems, settings, "cpu")
    assert_same(results[4].training, expected[4])
    assert [note[-2] for note in results[0].notes] == ["4", "2", "1"]
    monkeypatch.setattr(Group, "__init__", lambda *_: _no_memory())
    with pytest.raises(MemoryError, match=r"cpu has too little memory for a problem of \d+ terms"):
        learn_lockstep(problems, settings, "cpu")


def _no_memory():
    raise torch.OutOfMemoryError("none at all")


def test_other_errors_are_not_taken_for_memory(many, monkeypatch):
    monkeypatch.setattr(Group, "_step", lambda *_: (_ for _ in ()).throw(RuntimeError("something else")))
    with pytest.raises(RuntimeError, match="something else"):
        learn_lockstep(many[0], many[1], "cpu")


def test_memory_plans_the_width(many):
    problems, settings, expected = many
    one = max(module._bytes(Packed(problem, "float64"), settings[0]) for problem in problems)
    loop = Lockstep(problems, settings, CPU, None, None, int(3.5 * one / (1 - module.BLOCK_SHARE)), None)
    results = loop.run()
    assert max(loop.widths) == 3
    assert_same(results[8].training, expected[8])


class Replayed:
    """What a CUDA graph does, on a CPU."""

    def __init__(self, group):
        self.replay = group._step_of_graph


def test_graphs_read_from_fixed_places(many, monkeypatch):
    problems, settings, expected = many
    captured = []

    def capture(group):
        captured.append(group.size)
        return Replayed(group)

    monkeypatch.setattr(Group, "_capture", capture)
    results = learn_lockstep(problems, settings, "cpu", graphs=True)
    assert captured[0] == 9
    for result, training in zip(results, expected, strict=True):
        assert_same(result.training, training)


def test_without_graphs_it_goes_on_plainly(many):
    # a CPU has no graphs: capturing one fails as it may on a GPU
    results = learn_lockstep(many[0], many[1], "cpu", graphs=True)
    for result, training in zip(results, many[2], strict=True):
        assert_same(result.training, training)
    assert results[0].notes == ("CUDA graphs do not work here; every step is launched operator by operator.",)


def test_a_listener_ends_one_training(many):
    problems, settings, expected = many
    results = learn_lockstep(problems, settings, "cpu", on_event=lambda i, event: i == 2 and event.step == 40)
    assert (results[2].training.stop_code, results[2].training.step) == ("stopped", 40)
    assert_same(results[3].training, expected[3])


def test_one_that_diverges_leaves_the_others_alone(many):
    problems, settings, expected = many
    poisoned = Problem.of(*small_corpus(**HARDER), np.arange(160) >= 120)
    poisoned.train.dd[:] = np.nan
    more = [*settings[:2], settings[2]]
    results = learn_lockstep([problems[0], poisoned, problems[2]], more, "cpu")
    assert results[1].training.stop_code == "diverged"
    assert_same(results[0].training, expected[0])
    assert_same(results[2].training, expected[2])


def test_documents_without_terms_and_few_documents():
    counts, y = small_corpus(40, 12, **HARDER)
    counts = counts.toarray()
    counts[:20] = 0
    problem = Problem.of(counts, y, np.arange(40) >= 20)
    settings = settings_of("LTW-L-I", 1, batch_size=100)
    found = learn_lockstep([problem, small_problem(**HARDER)], [settings[0]] * 2, "cpu")
    assert_same(found[0].training, alone(problem, settings[0]))


def test_fits_estimators(corpus, tmp_path):
    X, y = corpus
    options = dict(hidden=20, batch_size=16, check_every=20, patience=2)
    together = [LearnedWeighting(**options, random_state=seed) for seed in range(3)]
    assert fit_lockstep(together, [(X, y)]) == together
    for seed, weighting in enumerate(together):
        single = LearnedWeighting(**options, random_state=seed).fit(X, y)
        assert weighting.engine_ == "lockstep" and weighting.best_step_ == single.best_step_
        np.testing.assert_allclose(weighting.cd_, single.cd_, rtol=0.02, atol=0.02)  # float32 both
        assert weighting.transform(X).shape == X.shape
    together[0].save(tmp_path / "w.safetensors")
    np.testing.assert_array_equal(LearnedWeighting.load(tmp_path / "w.safetensors").cd_, together[0].cd_)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (Settings(variant="LTW-G-I"), "learns LTW-L-sigma and LTW-L-I, not LTW-G-I"),
        (Settings(variant="LTW-TF"), "not LTW-TF"),
        (Settings(pretrain="CHI2"), "pretrain must be None"),
        (Settings(dropout_form="bernoulli"), "must be 'gaussian'"),
        ([Settings(), Settings(hidden=3)], "their seed alone, not in hidden"),
        ([Settings()], "2 problems and 1 settings"),
    ],
)
def test_what_it_cannot_do(problem, settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        learn_lockstep([problem, problem], settings)


def test_bad_arguments(problem, corpus):
    with pytest.raises(ValueError, match="width must be at least 1"):
        learn_lockstep([problem], Settings(), width=0)
    with pytest.raises(ValueError, match="device must be"):
        learn_lockstep([problem], Settings(), device="abacus")
    with pytest.raises(ValueError, match="2 weightings and 3 data sets"):
        fit_lockstep([LearnedWeighting(), LearnedWeighting()], [corpus] * 3)
    assert learn_lockstep([], Settings()) == []


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
def test_on_a_gpu(many):
    problems, settings, expected = many
    plain, graphs, again = (learn_lockstep(problems, settings, "cuda", graphs=graph) for graph in (False, True, True))
    for results in (plain, graphs):
        for result, training in zip(results, expected, strict=True):
            assert result.notes == ()  # graphs work, where they are wanted
            assert_same(result.training, training)
    for one, other in zip(graphs, again, strict=True):
        assert one.training.history == other.training.history
        np.testing.assert_array_equal(one.training.best.cd, other.training.best.cd)

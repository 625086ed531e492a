"""Trainings side by side, each against itself alone: ends, seats, memory, graphs, estimators. On a CPU."""

import itertools
import logging

import numpy as np
import pytest
import torch

from ltw_core.weighting.learned import LearnedWeighting, Problem, Settings, fit_many, protocol
from ltw_core.weighting.learned.engines.lockstep import lockstep as rounds
from ltw_core.weighting.learned.engines.lockstep import places as module
from ltw_core.weighting.learned.engines.lockstep.group import Group
from ltw_core.weighting.learned.engines.lockstep.lockstep import Lockstep, learn_lockstep
from ltw_core.weighting.learned.engines.lockstep.replay import Replay
from ltw_core.weighting.learned.engines.reference import ReferenceEngine
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


@pytest.fixture(scope="module")
def many():
    """Nine trainings with ends of their own, and each of them alone."""
    problems = three_problems() * 3
    settings = settings_of("LTW-L-I", 9, max_steps=250, learning_rate=0.002, beta1=0.85, beta2=0.99, epsilon=1e-6)
    return problems, settings, [alone(*pair) for pair in zip(problems, settings, strict=True)]


@pytest.mark.parametrize(("width", "ahead"), [(None, False), (4, True), (1, False)])
def test_each_stops_where_it_stops_alone(many, width, ahead, monkeypatch):
    monkeypatch.setattr(rounds, "AHEAD", ahead)
    problems, settings, expected = many
    assert len({training.step for training in expected}) > 3
    seen = []
    results = learn_lockstep(problems, settings, "cpu", width, lambda i, event: seen.append((i, event.step)))
    for result, training in zip(results, expected, strict=True):
        assert_same(result, training)
        assert (result.engine.name, result.engine.device, result.notes) == ("lockstep", "cpu", ())
        assert result.seconds > 0
    for i, training in enumerate(expected):
        assert [step for index, step in seen if index == i] == [step for step, _, _ in training.history]


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-TF", "LTW-G-I"])
def test_one_is_stopped_between_validations_and_the_others_do_not_notice(variant):
    problems, settings = three_problems(), settings_of(variant, check_every=100, max_steps=200)
    expected, asked, ended = [alone(*pair) for pair in zip(problems, settings, strict=True)], [], []

    def told(index):
        asked.append(index)
        return index == 1 and asked.count(1) > 3

    results = learn_lockstep(problems, settings, "cpu", on_end=lambda i, _: ended.append(i), should_stop=told)
    stopped = results[1]
    assert stopped.stop_code == "stopped" and 0 < stopped.step <= 100 and np.isfinite(stopped.best.cd).all()
    assert not stopped.history and ended[0] == 1 and sorted(ended) == [0, 1, 2]
    for i in (0, 2):
        assert_same(results[i], expected[i])


def test_pretraining_is_left_when_all_are_told_to_stop():
    problems, settings = three_problems(), settings_of("LTW-L-I", pretrain="CHI2")
    asked = []
    results = learn_lockstep(problems, settings, "cpu", should_stop=lambda i: asked.append(i) or len(asked) > 30)
    for result in results:
        assert (result.stop_code, result.pretrain_steps) == ("stopped", 0)


def test_those_that_ended_are_dropped_and_others_take_their_places(many):
    problems, settings, _ = many
    steps, loops = [], {}
    for width in (9, 4):
        loops[width] = Lockstep(problems, settings, CPU, width, None, None, None)
        loops[width].run()
        steps.append(sum(each.training.step for each in loops[width].engines))
    assert steps[0] == steps[1]
    assert loops[9].widths[0] == 9 and loops[9].widths == sorted(loops[9].widths, reverse=True)
    assert len(loops[9].widths) > 2 and loops[9].widths[-1] <= 3
    assert loops[4].widths[0] == 4 and loops[4].widths.count(4) > 1


@pytest.mark.parametrize("ahead", [False, True])
def test_restarts_and_max_steps(ahead, monkeypatch):
    monkeypatch.setattr(rounds, "AHEAD", ahead)
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
        assert_same(result, training)
    i, restart = next(pair for pair in events if "starting again" in pair[1].message)
    fresh = ReferenceEngine(problems[i], settings[i])
    fresh.reset(1)
    np.testing.assert_allclose(restart.cd, fresh.cd(), atol=1e-12)


@pytest.mark.parametrize("width", [None, 2])
def test_learned_factor_of_the_frequency(width):
    problems, settings = three_problems() * 2, settings_of("LTW-TF", 6)
    expected = [alone(*pair) for pair in zip(problems, settings, strict=True)]
    assert len({training.step for training in expected}) > 1
    assert all(training.best.f1 > 0 for training in expected)
    results = learn_lockstep(problems, settings, "cpu", width)
    for result, training in zip(results, expected, strict=True):
        assert_same(result, training)
        assert sorted(result.best.parameters) == ["W1", "W2", "W4", "W5", "b1", "b2", "b4", "b5"]


@pytest.mark.parametrize(
    ("variant", "head_steps"),
    [("LTW-L-I", 50), ("LTW-L-sigma", 50), ("LTW-TF", 50), ("LTW-L-I", 60), ("LTW-L-I", 0)],
)
def test_pretraining_then_classifier_then_all(variant, head_steps, monkeypatch):
    # One starts again, and is fitted again. 50 steps of W3 and b3 alone end amid a round of 20,
    # where the moments are forgotten.
    monkeypatch.setattr(protocol, "PRETRAIN_BLOCK", 40)
    problems = three_problems()
    seen = problems[1].validation  # its one positive has no weight, so that it is never found
    seen.y[:] = np.arange(len(seen)) == 7
    seen.dd[seen.starts[7] : seen.starts[8]] = 0
    fit = {"pretrain": "tpr - fpr", "pretrain_error": 0.2, "pretrain_steps": 200, "head_steps": head_steps}
    settings = settings_of(variant, **fit, restart_before=150, max_steps=300)
    expected, said, events = [], [], []
    for pair in zip(problems, settings, strict=True):
        expected.append(alone(*pair, said))
    assert variant == "LTW-TF" or expected[1].attempt > 0
    results = learn_lockstep(problems, settings, "cpu", on_event=lambda i, event: events.append((i, event)))
    for result, training in zip(results, expected, strict=True):
        assert_same(result, training)
        assert result.pretrain_steps == training.pretrain_steps
    for i, wanted in enumerate(said):
        found = [event for index, event in events if index == i]
        assert [(e.phase, e.step, e.pretrain_steps) for e in found] == [
            (e.phase, e.step, e.pretrain_steps) for e in wanted
        ]
        np.testing.assert_allclose([e.loss for e in found], [e.loss for e in wanted], rtol=1e-8)
    phases = {event.phase for _, event in events}
    assert phases == ({"pretraining", "training"} if head_steps == 0 else {"pretraining", "classifier", "training"})


@pytest.mark.parametrize(("width", "ahead"), [(None, False), (1, True)])
def test_same_seed_same_numbers(many, width, ahead, monkeypatch):
    """To the bit; also where rounds are launched before the last is taken in (one at a time: torch's operators round by
    who is side by side, and places are made anew a round later then)."""
    problems, settings, _ = many
    settings = [Settings(hidden=20, batch_size=16, check_every=20, patience=2, seed=each.seed) for each in settings]
    results, events, order = [], [], []
    for name in ("_advance", "_take"):
        own = getattr(Lockstep, name)
        monkeypatch.setattr(Lockstep, name, lambda *each, own=own, name=name: order[-1].append(name) or own(*each))
    for before_it_is_taken_in in (False, ahead):
        monkeypatch.setattr(rounds, "AHEAD", before_it_is_taken_in)
        for each in (events, order):
            each.append([])
        results.append(learn_lockstep(problems, settings, "cpu", width, lambda i, e: events[-1].append((i, e.step))))
    first, second = results
    assert events[0] == events[1]
    assert [("_advance", "_advance") in itertools.pairwise(calls) for calls in order] == [False, ahead]
    for a, b in zip(first, second, strict=True):
        assert a.history == b.history
        np.testing.assert_array_equal(a.best.cd, b.best.cd)
    assert first[0].history != first[3].history  # the same problem under another seed


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
        assert_same(result, training)
    assert results[0].notes[0] == "Out of memory with 9 problems side by side: going on with 4."
    assert results[0].notes[1] == "Out of memory with 4 problems side by side: going on with 2."
    assert "Out of memory with 9" in caplog.text
    assert any(event.message.startswith("Out of memory with 4") for event in events)


@pytest.mark.parametrize(("variant", "own"), [("LTW-L-I", {}), ("LTW-TF", {}), ("LTW-G-I", {"hidden": None})])
def test_too_little_memory_wherever_it_runs_out(variant, own):
    problems, settings = three_problems() * 2, settings_of(variant, 6, max_steps=40 if own else 20, **own)
    peaks = {}
    for width in (6, 3):
        with Allocator() as allocator:
            expected = learn_lockstep(problems, settings, "cpu", width, memory=2**24)
        peaks[width] = allocator.peak
    for limit in np.linspace(peaks[3], peaks[6], 4)[1:-1]:
        with Allocator(limit):
            results = learn_lockstep(problems, settings, "cpu", memory=2**24)
        assert results[0].notes == ("Out of memory with 6 problems side by side: going on with 3.",)
        for result, other in zip(results, expected, strict=True):
            assert_same(result, other)
    with Allocator(peaks[3] / 20), pytest.raises(MemoryError, match="cpu has too little memory for a problem of"):
        learn_lockstep(problems, settings, "cpu", memory=2**24)


def test_out_of_memory_while_the_arrays_are_made(many, monkeypatch):
    problems, settings, expected = many
    make = Group.__init__

    read = Group.read
    monkeypatch.setattr(Group, "read", lambda group: read(group) if group.size != 2 else _no_memory())

    def too_large(group, arrays, *rest):
        if len(arrays) > 3:
            raise RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: can't allocate memory")
        make(group, arrays, *rest)

    monkeypatch.setattr(Group, "__init__", too_large)
    results = learn_lockstep(problems, settings, "cpu")
    assert_same(results[4], expected[4])
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
    loop = Lockstep(problems, settings, CPU, None, None, room_for_three_of_the_largest(problems, settings[0]), None)
    results = loop.run()
    assert loop.widths[0] == 3
    assert_same(results[8], expected[8])


def test_graphs_read_from_fixed_places(many, monkeypatch):
    problems, settings, expected = many
    captured = []

    def capture(replay, step):
        captured.append(replay)
        return Replayed(replay, step)

    monkeypatch.setattr(Replay, "capture", capture)
    results = learn_lockstep(problems, settings, "cpu", graphs=True)
    assert captured
    for result, training in zip(results, expected, strict=True):
        assert_same(result, training)


def test_without_graphs_it_goes_on_plainly(many):
    # a CPU has no graphs: capturing one fails as it may on a GPU
    results = learn_lockstep(many[0], many[1], "cpu", graphs=True)
    for result, training in zip(results, many[2], strict=True):
        assert_same(result, training)
    assert results[0].notes == ("CUDA graphs do not work here; every step is launched operator by operator.",)


def test_a_listener_ends_one_training(many):
    problems, settings, expected = many
    results = learn_lockstep(problems, settings, "cpu", on_event=lambda i, event: i == 2 and event.step == 40)
    assert (results[2].stop_code, results[2].step) == ("stopped", 40)
    assert_same(results[3], expected[3])


def test_one_that_diverges_leaves_the_others_alone(many):
    problems, settings, expected = many
    poisoned = Problem.of(*small_corpus(**HARDER), np.arange(160) >= 120)
    poisoned.train.dd[:] = np.nan
    more = [*settings[:2], settings[2]]
    results = learn_lockstep([problems[0], poisoned, problems[2]], more, "cpu")
    assert results[1].stop_code == "diverged"
    assert_same(results[0], expected[0])
    assert_same(results[2], expected[2])


def test_documents_without_terms_and_few_documents():
    counts, y = small_corpus(40, 12, **HARDER)
    counts = counts.toarray()
    counts[:20] = 0
    problem = Problem.of(counts, y, np.arange(40) >= 20)
    settings = settings_of("LTW-L-I", 1, batch_size=100)
    found = learn_lockstep([problem, small_problem(**HARDER)], [settings[0]] * 2, "cpu")
    assert_same(found[0], alone(problem, settings[0]))


def test_fits_estimators(corpus, tmp_path):
    X, y = corpus
    options = dict(hidden=20, batch_size=16, check_every=20, patience=2)
    together = [LearnedWeighting(**options, random_state=seed) for seed in range(3)]
    ended = []
    assert fit_many(together, [(X, y)], "lockstep", "cpu", on_end=lambda i, w: ended.append((i, w))) == together
    assert sorted(i for i, _ in ended) == [0, 1, 2] and all(together[i] is w for i, w in ended)
    for seed, weighting in enumerate(together):
        single = LearnedWeighting(**options, random_state=seed).fit(X, y)
        assert weighting.engine_ == "lockstep" and weighting.best_step_ == single.best_step_
        np.testing.assert_allclose(weighting.cd_, single.cd_, rtol=0.02, atol=0.02)  # float32 both
        assert weighting.transform(X).shape == X.shape
    together[0].save(tmp_path / "w.safetensors")
    np.testing.assert_array_equal(LearnedWeighting.load(tmp_path / "w.safetensors").cd_, together[0].cd_)


def test_fits_estimators_one_after_the_other(corpus):
    X, y = corpus
    options = dict(hidden=20, batch_size=16, check_every=20, patience=2, variant="LTW-G-I")
    seen, together = [], [LearnedWeighting(**options, random_state=seed) for seed in range(2)]
    fit_many(together, [(X, y)] * 2, on_event=lambda i, event: seen.append(i) or len(seen) == 1)
    assert [weighting.engine_ for weighting in together] == ["compiled", "compiled"]
    assert together[0].stop_code_ == "stopped" and seen == [0] + [1] * len(together[1].history_)
    single = LearnedWeighting(**options, random_state=1).fit(X, y)
    np.testing.assert_array_equal(together[1].cd_, single.cd_)


def test_an_estimator_by_itself(corpus):
    X, y = corpus
    options = dict(hidden=20, batch_size=16, check_every=20, patience=2, pretrain="tpr - fpr", max_steps=60)
    found = LearnedWeighting(**options, engine="lockstep").fit(X, y)
    assert (found.engine_, found.device_) == ("lockstep", "cpu")
    np.testing.assert_allclose(found.cd_, LearnedWeighting(**options).fit(X, y).cd_, rtol=0.02, atol=0.02)
    stopped = LearnedWeighting(**options, engine="lockstep").fit(X, y, should_stop=lambda: True)
    assert stopped.stop_code_ == "stopped"
    with pytest.raises(ValueError, match="no checkpoints to go on from"):
        LearnedWeighting(**options, engine="lockstep").fit(X, y, resume=({}, {}))


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (Settings(variant="LTW-G-I", hidden=10**9), r"30 terms and 1000000000 hidden units .* select fewer terms"),
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
        fit_many([LearnedWeighting(), LearnedWeighting()], [corpus] * 3)
    assert learn_lockstep([], Settings()) == []


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
@pytest.mark.parametrize(
    ("variant", "more"), [("LTW-L-I", {}), ("LTW-L-sigma", {}), ("LTW-TF", {}), ("LTW-L-I", {"pretrain": "tpr - fpr"})]
)
def test_on_a_gpu(variant, more, monkeypatch):
    more = more | {"pretrain_steps": 2000, "head_steps": 50, "max_steps": 200}
    problems, settings = three_problems() * 3, settings_of(variant, 9, **more)
    expected = [alone(*pair) for pair in zip(problems, settings, strict=True)]
    found = []
    for fused, graph in ((False, False), (False, True), (None, False), (None, True), (None, True)):
        monkeypatch.setattr(module, "FUSED", fused)
        found.append(learn_lockstep(problems, settings, "cuda", graphs=graph))
    graphs, again = found[-2:]
    for results in found:
        for result, training in zip(results, expected, strict=True):
            assert result.notes == ()  # graphs work, where they are wanted
            assert_same(result, training)
    for one, other in zip(graphs, again, strict=True):
        assert one.history == other.history
        np.testing.assert_array_equal(one.best.cd, other.best.cd)
    for i in (0, 4):  # and the same bits as alone
        (single,) = learn_lockstep([problems[i]], [settings[i]], "cuda")
        np.testing.assert_array_equal(single.best.cd, graphs[i].best.cd)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU here")
def test_a_full_gpu_splits(monkeypatch):
    monkeypatch.setattr(module, "FUSED", False)  # the fused ones take too little
    problems = [small_problem(600, 1500, seed, **HARDER) for seed in range(8)]
    settings = settings_of("LTW-L-I", 8, hidden=1000, max_steps=40)
    peaks, expected = {}, None
    for width in (4, 8):
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        expected = learn_lockstep(problems, settings, "cuda", width, memory=2**30, graphs=False)
        peaks[width] = torch.cuda.max_memory_reserved()
    torch.cuda.empty_cache()
    limit = (peaks[4] + peaks[8]) / 2 / torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(limit)  # from here the allocator itself says no
    try:
        results = learn_lockstep(problems, settings, "cuda", 8, memory=2**30, graphs=False)
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    assert results[0].notes[0] == "Out of memory with 8 problems side by side: going on with 4."
    for result, other in zip(results, expected, strict=True):
        assert_same(result, other)

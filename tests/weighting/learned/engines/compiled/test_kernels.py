"""Compiled loops one by one against NumPy, how they are cached, and several of them at once."""

import importlib
import math
import pickle
import threading
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from ltw_core import compilation
from ltw_core.weighting.learned import Settings, make_engine, preload
from ltw_core.weighting.learned.engines.compiled import kernels as kernels_package
from ltw_core.weighting.learned.engines.compiled.kernels import global_steps
from ltw_core.weighting.learned.engines.compiled.kernels.adam import Parameters, adam, constants, reach, reach_table
from ltw_core.weighting.learned.engines.compiled.kernels.documents import (
    Documents,
    Entries,
    Terms,
    ask_for,
    classify,
    gather,
    squashed,
)
from ltw_core.weighting.learned.engines.compiled.kernels.layer import Points, Units, backward, forward, make_room

rng = np.random.default_rng(0)
# units that are positive at all points, at none, and at some of the points in [.2, .4] × [0, .1]
WX, WY = np.array([1.0, -1.0, 2.0, 0.5, -3.0]), np.array([0.5, -1.0, -9.0, 0.0, 2.0])
B, W = np.array([0.1, -0.1, -0.2, 0.0, 0.9]), np.array([1.0, 5.0, -2.0, 0.3, 1.5])
UNITS = Units(WX, WY, None, B, W)
X, Y = rng.uniform(0.2, 0.4, 7), rng.uniform(0, 0.1, 7)


def hidden(x, y):
    return np.maximum(np.outer(x, WX) + np.outer(y, WY) + B, 0)


def run_forward(x, y):
    mean, square, room = np.empty(len(x)), np.empty(len(x)), make_room(5, None, X)
    changing = forward(Points(x, y, None), None, len(x), UNITS, room, mean, square)
    return mean, square, room, changing


def test_forward_with_all_three_kinds_of_units():
    mean, square, room, changing = run_forward(X, Y)
    np.testing.assert_allclose(mean, hidden(X, Y) @ W)
    np.testing.assert_allclose(square, (hidden(X, Y) * W) ** 2 @ np.ones(5))
    assert room.box.tolist() == [X.min(), X.max(), Y.min(), Y.max()]
    assert changing == 2  # units 2 and 4 are positive at some of the points only


def test_backward_by_differences():
    gm, gv = rng.normal(size=7), rng.normal(size=7)
    gradient = Units(np.zeros(5), np.zeros(5), None, np.zeros(5), np.zeros(5))
    backward(Points(X, Y, None), None, 7, UNITS, run_forward(X, Y)[2], gm, gv, gradient)
    for name in ("wx", "wy", "b", "w"):
        parameter, found = getattr(UNITS, name), getattr(gradient, name)
        for j in range(5):
            values = []
            for step in (1e-6, -1e-6):
                parameter[j] += step
                mean, square, *_ = run_forward(X, Y)
                values.append(gm @ mean + gv @ square)
                parameter[j] -= step
            assert found[j] == pytest.approx((values[0] - values[1]) / 2e-6, rel=1e-5, abs=1e-8)


def test_forward_without_points():
    assert run_forward(np.empty(0), np.empty(0))[3] == 0


def test_more_coordinates():
    """A third and a fourth: unit 1 is negative all over the box, and the gradient agrees with differences."""
    more, at = Units(WX, WY, rng.normal(0, 0.1, (2, 5)), B, W), Points(X, Y, rng.uniform(0, 0.5, (2, 7)))
    values, room = np.empty((2, 7)), make_room(5, at.more, X)
    whole = lambda: np.maximum(  # noqa: E731
        sum(np.outer(x, w) for x, w in zip((at.x, at.y, *at.more), (more.wx, more.wy, *more.more), strict=True)) + B, 0
    )
    assert forward(at, at.more, 7, more, room, *values) == 4 and not whole()[:, 1].any()
    np.testing.assert_allclose(values, [whole() @ W, (whole() * W) ** 2 @ np.ones(5)])
    gm, gv = rng.normal(size=(2, 7))
    gradient = Units(*map(np.zeros_like, more))
    backward(at, at.more, 7, more, room, gm, gv, gradient)
    for parameter, found in zip(more, gradient, strict=True):
        for place in np.ndindex(parameter.shape):
            sums = []
            for step in (1e-6, -1e-6):
                parameter[place] += step
                sums.append(gm @ (whole() @ W) + gv @ ((whole() * W) ** 2 @ np.ones(5)))
                parameter[place] -= step
            assert found[place] == pytest.approx((sums[0] - sums[1]) / 2e-6, rel=1e-5, abs=1e-8)
    assert forward(at, at.more, 0, more, room, *values) == 0


def test_a_document_by_hand():
    # terms 0 and 1 with dd 3 and 4 and cd 1: the vector is (.6, .8); head (1, 0) makes the logit .6 + bias .4 = 1
    g_cd, g_head, g_dd = np.zeros(2), np.zeros(2), np.zeros(2)
    slot, dd = np.array([0, 1], dtype=np.int32), np.array([3.0, 4.0])
    cd, head = np.ones(2), np.array([1.0, 0.0])
    loss, g = classify(Entries(slot, dd, g_dd), 0, 2, Terms(cd, head, g_cd, g_head), 0.4, 1.0, 0.5, True)
    probability = 1 / (1 + math.exp(-1))
    assert loss == pytest.approx(-math.log(probability))
    assert g == pytest.approx((probability - 1) / 2)
    np.testing.assert_allclose(g_head, g * np.array([0.6, 0.8]))
    # derivative of v0/|v| by v0 is v1²/|v|³ = .128, by v1 it is -v0·v1/|v|³ = -.096
    np.testing.assert_allclose(g_cd, g * np.array([0.128 * 3, -0.096 * 4]))
    np.testing.assert_allclose(g_dd, g * np.array([0.128, -0.096]))


@pytest.mark.parametrize("length", [0, 2])
def test_a_document_without_weight_has_the_bias_for_a_logit(length):
    g_cd, g_head = np.zeros(2), np.zeros(2)
    entries = Entries(np.array([0, 1], dtype=np.int32), np.ones(2), np.zeros(2))
    loss, _ = classify(entries, 0, length, Terms(np.zeros(2), np.ones(2), g_cd, g_head), 0.3, 0.0, 1.0, True)
    assert loss == pytest.approx(math.log1p(math.exp(0.3)))
    assert np.all(np.isfinite(g_cd)) and np.all(g_head == 0)


def test_extreme_logits():
    assert squashed(1000.0) == 1 and squashed(-1000.0) == 0
    slot, one = np.zeros(1, dtype=np.int32), np.ones(1)
    terms = Terms(one, one, np.zeros(1), np.zeros(1))
    loss, _ = classify(Entries(slot, one, np.zeros(1)), 0, 1, terms, 999.0, 0.0, 1.0, False)
    assert loss == 1000


def test_distinct_terms_of_a_batch():
    # documents: 0 holds terms 2, 0; 1 is empty; 2 holds term 2. The batch is documents 2, 1, 0.
    starts, terms = np.array([0, 2, 2, 3]), np.array([2, 0, 2], dtype=np.int32)
    documents = Documents(starts, terms, np.ones(3), np.zeros(1, np.int32), np.ones(3))
    batch, slot, entry = np.empty(3, np.int32), np.empty(3, np.int32), np.empty(3, np.int64)
    place, stamp = np.empty(3, np.int32), np.full(3, -1, np.int32)
    assert gather(documents, np.array([2, 1, 0]), batch, slot, entry, place, stamp, 0) == (2, 3)
    assert (batch[:2].tolist(), slot.tolist(), entry.tolist()) == ([2, 0], [0, 0, 1], [2, 0, 1])


def test_what_a_kernel_calls_is_part_of_it():
    # else the process that compiles computes other sums than those that read the cache: the same seed, other weights
    names = [path.stem for path in Path(kernels_package.__file__).parent.glob("*.py") if path.stem != "__init__"]
    modules = [importlib.import_module(f"{kernels_package.__name__}.{name}") for name in names]
    kernels = {value for module in modules for value in vars(module).values() if isinstance(value, Dispatcher)}
    assert len(kernels) > 20
    assert all(kernel.targetoptions["forceinline"] for kernel in kernels)


def test_numbers_near_the_smallest_become_zero():
    theta, first = np.ones(3, np.float32), np.array([1e-38, 1e-3, 0], np.float32)
    second, gradient = np.array([1e-38, 1e-3, 0], np.float32), np.array([1e-25, 0, 1e-16], np.float32)
    adam(Parameters(theta, first, second, gradient), 0, 3, 10, Settings().adam())
    assert first[0] == second[0] == 0 and first[1] > 0 and first[2] > 0
    assert np.all(gradient == 0)
    assert theta[0] == 1


ROOTS = [0.0, 1e-20, 1e-16, 3e-12, 2e-9, 1e-8, 7e-6, 0.04, 1.0]


@pytest.mark.parametrize(
    ("root", "epsilon"), [*((root, 1e-8) for root in [*ROOTS, 990.0]), *((r, 0.158) for r in ROOTS)]
)
def test_steps_of_a_collapsed_layer_are_summed(root, epsilon):
    inputs = np.array([0.0, 1e-4, 2e-4, 2e-4, 0.03, 0.7, 1.0])
    expected = np.sum(inputs**2 / (inputs * root + epsilon))
    limit = 1e-7 if root < 1e-15 else 1e-9 if epsilon == 1e-8 else 1e-8
    assert reach(reach_table(inputs, epsilon), root) == pytest.approx(expected, rel=limit)


def test_where_no_cache_can_be_written(monkeypatch):
    calls = []

    def njit(**options):
        calls.append(options.get("cache", False))
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    monkeypatch.setattr(compilation, "njit", njit)
    assert compilation.compiled(len) is len
    assert calls == [True, False]


def test_a_change_of_any_kernel_drops_the_caches_of_all_unread(tmp_path, monkeypatch):
    ours = adam._cache._cache_file
    assert ours._version == forward._cache._cache_file._version != numba.__version__
    index = tmp_path / "index.nbi"
    monkeypatch.setattr(ours, "_index_path", str(index))
    gone = b"cltw_core.compilation\nGone\n."  # a pickle that names what there is no more
    index.write_bytes(pickle.dumps(ours._version) + gone)
    with pytest.raises(AttributeError):
        ours.load("any")
    index.write_bytes(pickle.dumps("of other sources") + gone)
    assert ours.load("any") is None


def test_nan_is_not_optimised_away(problem):
    engine = make_engine(problem, Settings(hidden=8, batch_size=16))
    engine.theta[-1] = np.nan  # b3
    assert not math.isfinite(engine.advance(1))
    assert not engine.finite()


def test_warming_twice_is_warming_once():
    assert preload() == preload()


def test_trainings_in_threads_do_not_disturb_each_other(problem):
    def train(seed, out):
        engine = make_engine(problem, Settings(hidden=64, batch_size=16, seed=seed))
        engine.advance(400)
        out[seed] = engine.cd()

    alone, together = {}, {}
    for seed in range(4):
        train(seed, alone)
    threads = [threading.Thread(target=train, args=(seed, together)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(4):
        np.testing.assert_array_equal(alone[seed], together[seed])


def test_steps_of_a_collapsed_layer_beyond_the_table():
    inputs = np.array([1e-4, 0.03, 1.0])
    assert reach(reach_table(inputs, 1e-8), 1e5) == pytest.approx(np.sum(inputs) / 1e5, rel=1e-9)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("learned", [False, True])
def test_asking_for_documents_changes_nothing(kind, learned):
    """Also where documents are empty, the first and the last among them, whose entries are not there at all."""
    starts, rows = np.array([0, 0, 3, 40, 40]), np.array([3, 0, 2, 1, 3])
    terms, count_of = np.arange(40, dtype=np.int32), np.arange(40, dtype=np.int32)
    value, y = np.arange(40).astype(kind), np.arange(4).astype(kind)
    ask_for(Documents(starts, terms, value, count_of, y), rows, learned)
    for held, length in ((terms, 40), (count_of, 40), (value, 40), (y, 4)):
        np.testing.assert_array_equal(held, np.arange(length))


FLOAT32 = float(np.finfo(np.float32).eps)


@pytest.mark.parametrize("beta1", [0.9, 0.7, 0.5, 0.01])
@pytest.mark.parametrize(("start", "steps"), [(400, 3), (403, 17), (450, 50), (496, 3), (2_000, 100), (20_001, 99)])
def test_steps_without_a_gradient_at_once_are_those_steps_one_by_one(start, steps, beta1):
    rng, own = np.random.default_rng(start), Settings(beta1=beta1).adam()
    w, first = rng.normal(0, 0.1, 500), rng.normal(0, 1e-4, 500)
    root = np.concatenate([[0, 0], 10 ** rng.uniform(-12, 0, 498)])  # from far below ε to far above it
    c = constants(own, 1, w)
    clock = global_steps.clock_of(start // 100 * 100, own, w)
    at = start - clock.begin
    whole, may = global_steps.sum_of(clock, at, at + steps, own, FLOAT32)
    assert may
    once, single = (w.copy(), first.copy(), root.copy()), (w.copy(), first.copy(), root.copy())
    global_steps.row_coast(*once, whole, clock.decays[steps], clock.shrinks[steps], c, 0.0)
    for s in range(at, at + steps):
        size, correction = clock.sizes[s], clock.corrections[s]
        global_steps.row_drift(*single, size, correction, np.sqrt(own.beta2), 0.0, c)
    moved = np.abs(single[0] - w)
    assert (np.abs(once[0] - single[0]) <= FLOAT32 * moved + 1e-16).all()
    np.testing.assert_allclose(once[1:], single[1:], rtol=1e-12)


def test_few_or_early_steps_are_made_one_by_one():
    own, like = Settings().adam(), np.zeros(1)
    for begin, start, end in ((2_000, 10, 12), (0, 0, 20), (0, 10, 100)):
        clock = global_steps.clock_of(begin, own, like)
        assert not global_steps.sum_of(clock, start, end, own, FLOAT32)[1]

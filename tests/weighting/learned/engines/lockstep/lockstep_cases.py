"""Trainings side by side: small problems for the tests of the lockstep engine, and what they are held against."""

import weakref

import numpy as np
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from ltw_core.weighting.learned import Settings, Training
from ltw_core.weighting.learned.engines.compiled.global_engine import CompiledGlobalEngine
from ltw_core.weighting.learned.engines.lockstep.global_group import GlobalState
from ltw_core.weighting.learned.engines.lockstep.local_group import LocalState
from ltw_core.weighting.learned.engines.lockstep.places import BLOCK_SHARE
from ltw_core.weighting.learned.engines.lockstep.recorded_engine import ProblemArrays
from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers
from ltw_core.weighting.learned.engines.reference import ReferenceEngine
from tests.weighting.learned.conftest import small_problem

SMALL = dict(
    hidden=12, hidden_dd=10, batch_size=16, dtype="float64", check_every=20, patience=4, restart_before=0, max_steps=400
)
ALIVE = [4, 4, 9, 14, 5, 15, 16, 8, 16]  # of LTW-TF: seeds whose last ReLU is not dead, for `three_problems` in turn
HARDER = {"inside": 0.5, "outside": 0.4}  # so that trainings end at steps of their own


def three_problems():
    """Of different sizes in terms, pairs and documents; the last batch of an epoch is smaller in each."""
    return [small_problem(*size, **HARDER) for size in ((160, 30, 0), (120, 18, 1), (140, 41, 2))]


def settings_of(variant, count=3, **more):
    seeds = ALIVE if variant == "LTW-TF" else range(3, 3 + count)
    return [Settings(variant=variant, seed=seed, **(SMALL | more)) for seed in seeds[:count]]


def alone(problem, settings, said=None):
    """The training by itself, its events go to `said` as a list. With the reference engine; a global variant with the
    compiled one, which has its first layer collapsed and so begins with the same weights."""
    kind = ReferenceEngine if settings.network.local else CompiledGlobalEngine
    training = Training(problem, settings, kind(problem, settings))
    events = list(training.events())
    if said is not None:
        said.append(events)
    return training


def assert_same(found, expected):
    assert [(step, score) for step, _, score in found.history] == [(s, f) for s, _, f in expected.history]
    np.testing.assert_allclose([h[1] for h in found.history], [h[1] for h in expected.history], rtol=1e-9)
    assert (found.stop_code, found.stop_reason) == (expected.stop_code, expected.stop_reason)
    assert (found.best.step, found.best.f1, found.attempt) == (expected.best.step, expected.best.f1, expected.attempt)
    np.testing.assert_allclose(found.best.cd, expected.best.cd, rtol=1e-8, atol=1e-9)
    for name, value in expected.best.parameters.items():
        np.testing.assert_allclose(found.best.parameters[name], value, rtol=1e-8, atol=1e-9, err_msg=name)


def room_for_three_of_the_largest(problems, settings):
    """Memory that is planned for three seeds of the largest problem, and half of another."""
    arrays = max((ProblemArrays(problem, settings) for problem in problems), key=lambda each: each.extent)
    needed = arrays.document_bytes() + 3.5 * arrays.device_bytes(settings)
    return int(needed / (1 - BLOCK_SHARE))


class Allocator(TorchDispatchMode):
    """Counts the bytes of all tensors that live, and says no as a GPU's allocator does."""

    def __init__(self, limit=float("inf")):
        super().__init__()
        self.limit, self.used, self.peak, self.sharing = limit, 0, 0, {}

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        out = function(*args, **(kwargs or {}))
        for tensor in tree_leaves(out):
            if isinstance(tensor, torch.Tensor) and not hasattr(tensor, "counted"):
                tensor.counted = True
                place, size = tensor.untyped_storage().data_ptr(), tensor.untyped_storage().nbytes()
                self.sharing[place] = self.sharing.get(place, 0) + 1
                self.used += size if self.sharing[place] == 1 else 0
                weakref.finalize(tensor, self.free, place, size)
        self.peak = max(self.peak, self.used)
        if self.used > self.limit:
            raise torch.OutOfMemoryError("CUDA out of memory. (said by a test)")
        return out

    def free(self, place, size):
        self.sharing[place] -= 1
        self.used -= size if self.sharing[place] == 0 else 0


class Replayed:
    """What a CUDA graph does, on a CPU."""

    def __init__(self, replay, step):
        self.replay = lambda: replay.one(step)


def group_of(kind, problems, settings, graphs=False):
    """A group of new problems on the CPU."""
    arrays = [ProblemArrays(problem, each) for problem, each in zip(problems, settings, strict=True)]
    state, engine = (LocalState, ReferenceEngine) if arrays[0].n_pairs else (GlobalState, CompiledGlobalEngine)
    states = [
        state.of(engine(problem, own).parameters(), each)
        for problem, own, each in zip(problems, settings, arrays, strict=True)
    ]
    return kind(arrays, states, settings[0], torch.device("cpu"), 2**20, graphs)


def advanced(group, problems, settings, steps, begin=0):
    """The group after some steps."""
    random = [
        RandomNumbers(own.seed, 0, len(p.train), own.batch_size) for p, own in zip(problems, settings, strict=True)
    ]
    group.advance(random, [begin] * len(problems), steps)
    return group

"""The whole lockstep on a GPU that is not there: every operand on its device, no value read in a step, few launches."""

import threading

import numpy as np
import pytest
import torch
from torch._subclasses import FakeTensorMode

from ltw_core.weighting.learned import protocol
from ltw_core.weighting.learned.engines.lockstep import places
from ltw_core.weighting.learned.engines.lockstep.batches import Batches
from ltw_core.weighting.learned.engines.lockstep.group import Group
from ltw_core.weighting.learned.engines.lockstep.local_group import Pretraining
from ltw_core.weighting.learned.engines.lockstep.lockstep import learn_lockstep
from ltw_core.weighting.learned.engines.lockstep.replay import Replay
from tests.weighting.learned.engines.lockstep.fake_cuda import Launches, fake_cuda
from tests.weighting.learned.engines.lockstep.lockstep_cases import Replayed, settings_of, three_problems

MOST_KERNELS = {"LTW-L-I": 108, "LTW-L-sigma": 112, "LTW-TF": 177, "LTW-G-I": 149, "LTW-G-sigma": 153}
"""A step of three problems by torch's operators; of LTW-G seven of them are each problem's own, else all problems share
them."""


@pytest.mark.parametrize(
    ("variant", "more", "graphs"),
    [
        *((variant, {}, variant[-1] != "a") for variant in MOST_KERNELS),
        ("LTW-L-I", {}, False),
        ("LTW-L-sigma", {"pretrain": "tpr - fpr"}, True),
        ("LTW-L-I", {"pretrain": "tpr - fpr"}, False),
    ],
)
def test_a_whole_lockstep(variant, more, graphs, monkeypatch):
    monkeypatch.setattr(places, "FUSED", False)
    monkeypatch.setattr(protocol, "PRETRAIN_BLOCK", 5)
    monkeypatch.setattr(Replay, "capture", lambda *each: Replayed(*each))
    more = more | {"pretrain_steps": 10, "head_steps": 7, "check_every": 5, "max_steps": 15, "dtype": "float32"}
    problems, settings = three_problems(), settings_of(variant, **more)
    step, pretraining, counted, looks = Group._step, Pretraining._step, [], []

    def quiet(own):
        def made(group, parts):
            before = len(gpu.reads), gpu.uploads
            with Launches() as launches:
                own(group, parts)
            assert (len(gpu.reads), gpu.uploads) == before  # nothing is read, nothing brought
            counted.append(launches)

        return made

    leave, advance = Group.leave, Group.advance

    def looked(group):
        before = len(gpu.reads)
        values = leave(group)
        looks.append(len(gpu.reads) - before)
        return values

    def advanced(group, random, first_steps, *rest):
        gpu.order.append(f"step {first_steps[0]}")
        return advance(group, random, first_steps, *rest)

    monkeypatch.setattr(Group, "_step", quiet(step))
    monkeypatch.setattr(Pretraining, "_step", quiet(pretraining))
    monkeypatch.setattr(Group, "leave", looked)
    monkeypatch.setattr(Group, "advance", advanced)
    with fake_cuda(monkeypatch) as gpu:
        results = learn_lockstep(problems, settings, "cuda:1", graphs=graphs)
    assert {(result.stop_code, result.step) for result in results} == {("max_steps", 15)}
    assert all(result.notes == () for result in results)
    assert max(looks) == (2 if "G" in variant else 3)  # what was counted, cd, and what a surface is drawn from
    if "pretrain" not in more:  # what one looks at leaves while the next steps are made; LTW-G lets go of units first
        ahead = "step 0 left, step 5 left, waited, step 10 left, waited, waited"
        plain = "step 0 left, waited, step 5 left, waited, step 10 left, waited"
        wanted = plain if "G" in variant else ahead
        assert gpu.order == ["left", "waited", *wanted.replace(" l", ",l").replace(", ", ",").split(",")]
    largest = max(counted, key=lambda each: each.kernels.total())
    assert largest.kernels.total() <= MOST_KERNELS[variant] + ("pretrain" in more), largest.kernels
    assert all(each.copies == 0 for each in counted)
    assert set(gpu.devices) == {"cuda:1"}
    assert gpu.given_back


@pytest.mark.parametrize(
    ("variant", "more", "launched", "graphs"),
    [
        ("LTW-L-sigma", {}, 7, False),
        ("LTW-L-I", {}, 7, True),
        ("LTW-TF", {}, 11, True),
        ("LTW-L-I", {"pretrain": "tpr - fpr"}, 7, True),
        ("LTW-G-I", {}, 7, True),
        ("LTW-G-sigma", {}, 7, False),
    ],
)
def test_a_whole_lockstep_of_fused_kernels(variant, more, launched, graphs, monkeypatch):
    """What is launched is on the device, in so many kernels a step and nothing else beside them."""
    jit = pytest.importorskip("triton.runtime.jit", reason="Triton is not installed")
    from ltw_core.weighting.learned.engines.lockstep.fused_group import FusedGroup

    monkeypatch.setattr(protocol, "PRETRAIN_BLOCK", 5)
    monkeypatch.setattr(Replay, "capture", lambda *each: Replayed(*each))
    more = more | {"pretrain_steps": 10, "head_steps": 7, "check_every": 5, "max_steps": 15, "dtype": "float32"}
    kernels, counted, step = [], [], FusedGroup._step

    def launch(kernel, *arguments, grid, warmup, num_warps=4, **constants):
        given = dict(zip(kernel.arg_names, arguments, strict=False)) | constants
        assert set(given) == set(kernel.arg_names) and all(size > 0 for size in grid)
        for name, value in given.items():
            kind = str(value.device) if isinstance(value, torch.Tensor) else type(value).__name__
            assert kind in ("cuda:1", "int", "bool"), f"{kernel.__name__}: {name} is {kind}"
        kernels.append(kernel.__name__)

    def quiet(group, parts):
        before = len(kernels), len(gpu.reads), gpu.uploads
        with Launches() as launches:
            step(group, parts)
        counted.append((len(kernels) - before[0], launches.kernels.total()))
        assert (len(gpu.reads), gpu.uploads) == before[1:]

    events, rounds, orders, advance = [], [], Batches.orders, FusedGroup.advance

    def prepared(batches, random, first_steps, steps):
        rounds.append((first_steps[0], len(counted), len(gpu.reads)))
        return orders(batches, random, first_steps, steps)

    def advanced(group, random, first_steps, steps, *rest):
        before, reads = len(counted), len(gpu.reads)
        made = advance(group, random, first_steps, steps, *rest)
        assert rounds[-1] == (first_steps[0] + steps, before + steps, reads)  # all is launched, nothing waited for
        return made

    monkeypatch.setattr(jit.JITFunction, "run", launch)
    monkeypatch.setattr(FusedGroup, "_step", quiet)
    monkeypatch.setattr(Batches, "orders", prepared)
    monkeypatch.setattr(FusedGroup, "advance", advanced)
    with fake_cuda(monkeypatch) as gpu:
        results = learn_lockstep(
            three_problems(), settings_of(variant, **more), "cuda:1", None, lambda _, event: events.append(event),
            graphs=graphs,
        )  # fmt: skip
    first = [step for step, *_ in rounds]
    assert "pretrain" in more or first == [0, 5, 10, 15]  # what was made ready ahead is what was taken
    shown = [event.step for event in events if event.phase != "pretraining"]
    assert shown == [step for step in (5, 10, 15) for _ in range(3)]  # every validation of each, as on a CPU
    assert all(isinstance(event.weights, np.ndarray) for event in events)
    assert {(result.stop_code, result.step, result.notes) for result in results} == {("max_steps", 15, ())}
    assert set(counted) == {(launched, 0)}


@pytest.mark.parametrize("devices", [("cuda:0", "cuda:1"), ("cuda:0", "cuda:0")])
def test_two_users_at_once(devices, monkeypatch):
    """Two threads, both amid a step at the same moment: each launches on its own device and stream, graphs are captured
    one after the other, and each is told of its own trainings."""
    monkeypatch.setattr(places, "FUSED", False)
    meeting, at_work, found, errors = threading.Barrier(2, timeout=60), [], {}, []
    step, capture = Group._step, Replay.capture

    def both_in_a_step(group, parts):
        if not hasattr(group, "met"):
            group.met = meeting.wait()
            at_work.append(str(group.device))
        with Launches() as launches:
            step(group, parts)
        assert launches.devices == {str(group.device)} and launches.copies == 0

    def captured(replay, own):
        made = replay.counted
        capture(replay, own)
        replay.counted = made  # a capture runs nothing
        return Replayed(replay, own)

    monkeypatch.setattr(Group, "_step", both_in_a_step)
    monkeypatch.setattr(Replay, "capture", captured)
    settings = settings_of("LTW-L-I", check_every=5, max_steps=10, dtype="float32")

    def user(name, where):
        seen = []
        try:
            with FakeTensorMode():
                results = learn_lockstep(
                    three_problems(), settings, where, on_event=lambda i, event: seen.append((i, event.device))
                )
            found[name] = sorted(seen), {(each.stop_code, each.step, each.notes) for each in results}
        except BaseException as error:
            errors.append(error)
            meeting.abort()

    with fake_cuda(monkeypatch) as gpu:
        threads = [
            threading.Thread(target=user, args=(name, where), name=name)
            for name, where in zip("ab", devices, strict=True)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not errors, errors
    assert sorted(at_work) == sorted(devices)
    for name, where in zip("ab", devices, strict=True):
        assert found[name] == (sorted([(i, where) for i in range(3)] * 2), {("max_steps", 10, ())})
    assert len({stream for _, stream, _ in gpu.captured}) == 2
    assert all(stream.startswith(where) and mode == "thread_local" for where, stream, mode in gpu.captured)

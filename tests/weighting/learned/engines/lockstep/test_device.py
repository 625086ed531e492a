"""Working on a GPU without one: its current device and stream, graphs of several threads, memory, and what fails."""

import json
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from ltw_core.weighting.learned import LearnedWeighting, fit_many, protocol
from ltw_core.weighting.learned.engines import engine_choice, gpus
from ltw_core.weighting.learned.engines.engine_choice import Choice, UnusableDevice, choose
from ltw_core.weighting.learned.engines.lockstep import device, lockstep
from ltw_core.weighting.learned.engines.lockstep.batches import Batch
from ltw_core.weighting.learned.engines.lockstep.group import Group
from ltw_core.weighting.learned.engines.lockstep.lockstep import learn_lockstep
from ltw_core.weighting.learned.engines.lockstep.replay import Replay
from ltw_core.weighting.learned.settings import Settings
from tests.weighting.learned.conftest import small_corpus
from tests.weighting.learned.engines.lockstep import shared_device
from tests.weighting.learned.engines.lockstep.lockstep_cases import (
    Allocator,
    Replayed,
    alone,
    assert_same,
    settings_of,
    three_problems,
)
from tests.weighting.learned.engines.lockstep.shared_device import SERVER, SharedMemory, trained

CPU, SECOND = torch.device("cpu"), torch.device("cuda:1")
NOT_WORKING = "CUDA driver version is insufficient for CUDA runtime version\nSome advice."


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 GiB."), True),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"), True),
        (RuntimeError("CUDA error: out of memory\nCUDA kernel errors might be reported"), True),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), True),
        (MemoryError(), True),
        (RuntimeError("CUDA error: an illegal memory access was encountered"), False),
        (RuntimeError("CUDA error: CUBLAS_STATUS_EXECUTION_FAILED"), False),
    ],
)
def test_words_for_no_memory(error, expected):
    assert device.is_out_of_memory(error) == expected


def test_the_words_of_cuda_split_a_lockstep(monkeypatch):
    problems, settings = three_problems(), settings_of("LTW-L-I", max_steps=40)
    step = Group._step

    def full(group, batch):
        if group.size > 1:
            raise RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`")
        step(group, batch)

    monkeypatch.setattr(Group, "_step", full)
    results = learn_lockstep(problems, settings, "cpu")
    assert results[0].notes == ("Out of memory with 3 problems side by side: going on with 1.",)
    for result, *own in zip(results, problems, settings, strict=True):
        assert_same(result, alone(*own))


def test_a_graph_with_nothing_in_it_is_refused(monkeypatch):
    class Empty:
        def __init__(self, *_):
            pass

        def replay(self):
            pass

    problems, settings = three_problems(), settings_of("LTW-L-I", max_steps=40)
    monkeypatch.setattr(Replay, "capture", lambda *_: Empty())
    results = learn_lockstep(problems, settings, "cpu", graphs=True)
    for result, *own in zip(results, problems, settings, strict=True):
        assert_same(result, alone(*own))
    assert results[0].notes == ("CUDA graphs do not work here; every step is launched operator by operator.",)


def test_no_memory_while_a_graph_is_captured_splits(monkeypatch):
    def full(replay, step):
        if Batch(*replay.held).y.shape[1] > 1:
            raise RuntimeError("CUDA error: out of memory")
        return Replayed(replay, step)

    problems, settings = three_problems(), settings_of("LTW-L-I", max_steps=40)
    monkeypatch.setattr(Replay, "capture", full)
    results = learn_lockstep(problems, settings, "cpu", graphs=True)
    assert results[0].notes == ("Out of memory with 3 problems side by side: going on with 1.",)
    for result, *own in zip(results, problems, settings, strict=True):
        assert_same(result, alone(*own))


# ---- a device that does not work


def no_driver(*_, **__):
    raise RuntimeError(NOT_WORKING)


def test_one_that_does_not_work_is_a_sentence(monkeypatch):
    with pytest.raises(UnusableDevice, match=r"^cuda:1 does not work \("):
        learn_lockstep(three_problems(), settings_of("LTW-L-I"), "cuda:1")  # no such device
    plain = torch.zeros
    monkeypatch.setattr(torch, "zeros", lambda *shape, device=None: plain(*shape))
    monkeypatch.setattr(torch.cuda, "device", no_driver)
    with pytest.raises(UnusableDevice) as said, device.working_on(SECOND):
        pass
    assert str(said.value) == ("cuda:1 does not work (CUDA driver version is insufficient for CUDA runtime version)")


def test_one_whose_memory_others_have_is_a_sentence(monkeypatch):
    def full(*_, **__):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2 MiB.")

    monkeypatch.setattr(torch, "zeros", full)
    with pytest.raises(MemoryError, match=r"^cuda:1 has no memory left$"):
        learn_lockstep(three_problems(), settings_of("LTW-L-I"), "cuda:1")


def test_where_nobody_asked_for_the_gpu_the_cpu_learns(monkeypatch):
    X, y = small_corpus()
    options = dict(hidden=20, batch_size=16, check_every=20, patience=2)
    module = sys.modules["ltw_core.weighting.learned.fit_many"]

    def chosen(settings, problems, engine="auto", device="auto", work=None):
        return choose(settings, problems, engine, device) if device == "cpu" else Choice("lockstep", "cuda:1", "")

    monkeypatch.setattr(module, "choose", chosen)
    together = [LearnedWeighting(**options, random_state=seed) for seed in range(2)]
    events = []
    fit_many(together, [(X, y)], on_event=lambda index, event: events.append((index, event.message)))
    for seed, weighting in enumerate(together):
        assert (weighting.engine_, weighting.device_) == ("compiled", "cpu")
        first = next(message for index, message in events if index == seed)
        assert first.startswith("Learned on the CPU: cuda:1 does not work (")
        single = LearnedWeighting(**options, random_state=seed, device="cpu")  # else a GPU at work may be taken
        np.testing.assert_array_equal(weighting.cd_, single.fit(X, y).cd_)
    with pytest.raises(UnusableDevice):
        fit_many(together, [(X, y)], device="cuda:1")

    def full(*_, **__):
        raise MemoryError("cuda:1 has too little memory for a problem of 30 terms")

    monkeypatch.setattr(lockstep, "learn_lockstep", full)
    fit_many(together[:1], [(X, y)], on_event=lambda index, event: events.append((index, event.message)))
    assert any("CPU: cuda:1 has too little memory" in message for _, message in events)
    with pytest.raises(MemoryError):
        fit_many(together[:1], [(X, y)], device="cuda:1")


FAKE_TORCH = """
class Properties:
    name, total_memory = "Abacus 3000", 2**34
class cuda:
    device_count = staticmethod(lambda: 3)
    get_device_properties = staticmethod(lambda index: Properties)
class Number:
    def __add__(self, _): return self
    def item(self): return 1
def zeros(_, device):
    if device == "cuda:1": raise RuntimeError("CUDA error: the driver is too old\\nadvice")
    if device == "cuda:2": raise RuntimeError("CUDA out of memory. Tried to allocate")
    return Number()
"""


@pytest.fixture
def three_gpus(monkeypatch, tmp_path):
    """A machine with a driver whose torch counts three; the second does not work, the third has no memory left."""
    (tmp_path / "torch.py").write_text(FAKE_TORCH)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(gpus, "DRIVERS", ("/dev/null",))
    monkeypatch.setattr(gpus, "_found", None)


@pytest.mark.skipif(sys.platform != "linux", reason="a driver is a file on Linux")
def test_gpus_are_asked_in_a_process_of_their_own_whether_they_work(three_gpus):
    assert engine_choice.gpus() == ["cuda:0", "cuda:2"]
    first, second, _ = gpus.all_gpus()
    assert (first.model, first.memory, first.problem) == ("Abacus 3000", 2**34, "")
    assert second.problem == "CUDA error: the driver is too old"


def test_reasons_name_a_gpu_that_does_not_work(monkeypatch):
    monkeypatch.setattr(gpus, "_found", (gpus.GPU("cuda:0", problem="no driver"),))
    assert choose(Settings(), 10)[:2] == ("compiled", "cpu")
    assert choose(Settings(), 10).reason == "CPU: the GPU does not work here (no driver)"


# ---- pauses


@pytest.mark.parametrize(
    ("variant", "paused_at", "ahead"),
    [("LTW-L-I", 40, False), ("LTW-L-I", 40, True), ("LTW-G-I", 40, False), ("LTW-L-I", 0, False)],
)
def test_a_pause_costs_the_others_no_step_and_no_new_places(variant, paused_at, ahead, monkeypatch):
    """One rests from step 40 (0: while it is pre-trained) until the others are at step 100; nobody makes a step twice
    or waits, and no arrays are made anew for it. Where the next round is under way already it takes that in first."""
    monkeypatch.setattr(lockstep, "AHEAD", ahead)
    monkeypatch.setattr(protocol, "PRETRAIN_BLOCK", 20)
    more = {"max_steps": 140, "patience": 99, "pretrain_steps": 40, "head_steps": 20}
    settings = settings_of(variant, **more, **{"pretrain": "tpr - fpr"} if paused_at == 0 else {})
    problems, paused, order = three_problems(), set(), []

    def seen(index, event):
        order.append((index, event.step))
        if (index, event.step) == (1, paused_at) and order.count((1, paused_at)) == 1:
            paused.add(1)
        if event.step == 100:
            paused.discard(1)

    loop = lockstep.Lockstep(
        problems, settings, CPU, None, seen, None, None, is_paused=lambda index: index in paused
    )  # fmt: skip
    results = loop.run()
    assert loop.widths == [3, 1]  # at last the one that rested is alone
    assert order.index((1, paused_at + 20 * (1 + ahead))) > order.index((0, 100))
    assert [step for index, step in order if index == 0 and step] == [20, 40, 60, 80, 100, 120, 140]
    for result, *own in zip(results, problems, settings, strict=True):
        assert_same(result, alone(*own))


def test_places_of_those_that_are_paused_go_to_those_that_wait():
    """Six problems, three places: all of the first three rest at once; the others learn, then the first go on."""
    problems, settings = three_problems() * 2, settings_of("LTW-L-I", 6, max_steps=60, patience=99)
    paused, ended = set(), []

    def seen(index, event):
        if event.step == 20 and len(ended) < 3:
            paused.update({index} if len(paused) < 3 else ())

    def over(index, _):
        ended.append(index)
        if len(ended) == 3:
            paused.clear()

    results = learn_lockstep(problems, settings, "cpu", 3, seen, over, is_paused=lambda index: index in paused)
    for result, *own in zip(results, problems, settings, strict=True):
        assert_same(result, alone(*own))


# ---- memory


def test_a_second_lockstep_plans_for_what_the_first_does_not_take(monkeypatch):
    taken = [0]
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda _: (10_000 - taken[0], 10_000))
    monkeypatch.setattr(torch.cuda, "memory_reserved", lambda _: taken[0])
    monkeypatch.setattr(device, "_promised", {})
    planned = []
    monkeypatch.setattr(
        device, "threading", SimpleNamespace(get_ident=lambda: len(planned))
    )  # one thread after another

    def plan(where=SECOND, most=10**9):
        planned.append(device.memory_to_plan_for(where, most))
        return planned[-1]

    assert plan() == 8000
    assert plan() == 1600  # of 2,000 that were not promised
    taken[0] = 5000  # of the 9,600: 4,600 are still to come, 400 of those that are free are nobody's
    assert plan() == 320
    assert plan(torch.device("cuda:0")) == 4000  # another device: nothing promised there
    device._promised.clear()
    assert plan(most=300) == 300  # it could use no more
    assert plan() == int(0.8 * 5000)  # which it has


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-TF", "LTW-G-I"])
def test_results_hold_nothing_on_the_device(variant):
    with Allocator() as allocator:
        results = learn_lockstep(three_problems(), settings_of(variant, max_steps=40), "cpu")
        assert allocator.peak > 0 and allocator.used == 0
    assert all(result.best.cd is not None for result in results)


def test_while_all_are_paused_nothing_is_held(monkeypatch):
    held, released = [], []
    problems, settings = three_problems(), settings_of("LTW-L-I", max_steps=80)
    paused = set()
    clock = SimpleNamespace(perf_counter=time.perf_counter, sleep=lambda _: waited())
    monkeypatch.setattr(lockstep, "time", clock)  # not the module's own sleep: other threads wait with it

    def waited():
        held.append(allocator.used)
        paused.clear()

    monkeypatch.setattr(lockstep.Lockstep, "release", _noting(lockstep.Lockstep.release, released))

    def seen(index, event):
        if event.step == 40:
            paused.add(index)

    with Allocator() as allocator:
        results = learn_lockstep(problems, settings, "cpu", on_event=seen, is_paused=lambda index: index in paused)
    assert held == [0] and len(released) == 2  # once while all wait, and at the end
    for result, *own in zip(results, problems, settings, strict=True):
        assert_same(result, alone(*own))


def _noting(method, calls):
    def noted(self):
        calls.append(1)
        return method(self)

    return noted


def test_a_server_and_a_study_share_a_device(monkeypatch, tmp_path):
    """Two processes: while the study trains, the server plans for what is free at that moment; where both plan at the
    same moment for all, the later one runs out, takes turns, and learns the same."""
    file = tmp_path / "memory"
    np.zeros(4, np.int64).tofile(file)
    held, large = [], 2**40
    alone = SharedMemory(file, SERVER, large)
    loop, expected = trained(alone, monkeypatch.setattr, lambda *_: held.append(alone.used))
    assert loop.widths[0] == 3
    total = held[0] + int(0.75 * alone.peak)  # what the study holds, and not enough for the same again
    command = [sys.executable, "-m", shared_device.__name__, str(file), str(total), str(loop.memory)]
    study = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    memory = SharedMemory(file, SERVER, total)
    memory.wait_for(shared_device.STUDY_TRAINS)
    before = memory.free_now()
    careful, results = trained(memory, monkeypatch.setattr)
    assert 0 < before < total and careful.memory < 0.8 * before + 1
    assert careful.widths[0] < 3 and careful.notes == []
    hasty, again = trained(memory, monkeypatch.setattr, planned=loop.memory)
    assert hasty.notes[0] == "Out of memory with 3 problems side by side: going on with 1."
    memory.numbers[shared_device.SERVER_ENDED] = 1
    said = json.loads(study.communicate()[0])
    assert said["notes"] == [] and memory.free_now() == total  # both gave all back
    for first, *others in zip(expected, results, again, strict=True):
        for other in others:
            assert_same(other, first)
    for found, first in zip(said["histories"], expected, strict=True):
        np.testing.assert_allclose(found, first.history, rtol=1e-9)

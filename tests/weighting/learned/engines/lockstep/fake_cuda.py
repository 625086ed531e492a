"""A GPU that is not there: tensors that know their shape, type and device, and no values.

``FakeTensorMode`` refuses an operand on another device and a value that is read. A torch without CUDA lacks, for such
tensors, ``as_tensor`` of an array, indexing, and copies from the host; these are made here of operators that it has.
What the host reads (``device.leaving``) is counted and answered with zeros. Neither cuBLAS nor the capture of graphs is
tested so.
"""

import threading
import time
from collections import Counter
from contextlib import ExitStack, contextmanager

import numpy as np
import torch
from torch._subclasses import FakeTensorMode
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode

from ltw_core.weighting.learned.engines.lockstep import (
    batches,
    device,
    global_group,
    group,
    local_group,
    recorded_engine,
    replay,
)

MODULES = [batches, device, global_group, group, local_group, recorded_engine, replay]
try:
    from ltw_core.weighting.learned.engines.lockstep import fused_global_group, fused_group, fused_local_group

    MODULES += [fused_global_group, fused_group, fused_local_group]
except ImportError:  # no Triton here
    pass

ATEN = torch.ops.aten
FREE = ("empty", "detach", "alias", "lift_fresh", "is_same_size", "device")  # operators that launch nothing


class Launches(TorchDispatchMode):
    """Counts operators, those that launch a kernel (all but views and empty tensors), and those of two devices."""

    def __init__(self):
        super().__init__()
        self.operators, self.kernels, self.copies, self.devices = Counter(), Counter(), 0, set()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        name = function.overloadpacket.__name__
        self.operators[name] += 1
        view = any(each.alias_info and not each.alias_info.is_write for each in function._schema.returns)
        if not view and not name.startswith(FREE):
            self.kernels[name] += 1
        self.copies += len({each.device.type for each in args if isinstance(each, torch.Tensor)}) > 1
        out = function(*args, **(kwargs or {}))
        self.devices |= {str(each.device) for each in (*args, out) if isinstance(each, torch.Tensor)}
        return out


class FakeCuda:
    """What the lockstep sees of a GPU while ``with fake_cuda() as gpu`` lasts.

    Attributes
    ----------
    reads : list of tuple
        Shapes of what the host read, in order.
    order : list of str
        "left" and "waited" of each look, and what a test adds.
    uploads : int
        Arrays that came from the host.
    devices : list of str
        Devices that were made the current one.
    captured : list of (str, str, str)
        Of each graph the thread's current device and stream, and the mode for errors.
    given_back : int
        How often memory was.
    """

    def __init__(self):
        self.reads, self.uploads, self.devices, self.given_back, self.captured = [], 0, [], 0, []
        self.order = []
        self._own, self._capturing = threading.local(), 0

    @contextmanager
    def device(self, which):
        """As torch.cuda.device: of this thread."""
        before, self._own.device = getattr(self._own, "device", None), str(which)
        self.devices.append(str(which))
        yield
        self._own.device = before

    @contextmanager
    def stream(self, which):
        self._own.stream = which
        yield
        self._own.stream = None

    def current_stream(self, _):
        return self._own.stream

    @contextmanager
    def graph(self, graph, stream, capture_error_mode):
        assert not self._capturing, "two threads capture at once"
        self._capturing += 1
        time.sleep(0.01)  # another thread would come between
        self.captured.append((self._own.device, stream, capture_error_mode))
        yield
        self._capturing -= 1

    def empty_cache(self):
        assert not self._capturing, "memory is given back while another thread captures"
        self.given_back += 1

    def leaving(self, *tensors):
        self.order.append("left")
        found = self.to_host(*tensors)
        return lambda: self.order.append("waited") or found

    def to_host(self, *tensors):
        self.reads += [tuple(tensor.shape) for tensor in tensors]
        return [np.zeros(tuple(tensor.shape), str(tensor.dtype)[6:]) for tensor in tensors]


def _parts(tensor, index):
    """The basic part of an index applied, and the tensors of it by their dimension."""
    index = index if isinstance(index, tuple) else (index,)
    at = next((i for i, each in enumerate(index) if each is Ellipsis), None)
    if at is not None:
        rest = tensor.dim() - sum(each is not None and each is not Ellipsis for each in index)
        index = (*index[:at], *[slice(None)] * rest, *index[at + 1 :])
    dim, found = 0, {}
    for each in index:
        if each is None:
            tensor = ATEN.unsqueeze(tensor, dim)
            dim += 1
        elif isinstance(each, slice):
            if each != slice(None):
                tensor = ATEN.slice(tensor, dim, each.start, each.stop, each.step or 1)
            dim += 1
        elif isinstance(each, torch.Tensor):
            if each.dtype == torch.bool:
                raise AssertionError("a boolean index asks the host how many there are")
            found[dim] = each
            dim += 1
        else:
            tensor = ATEN.select(tensor, dim, int(each))
    return tensor, [found.get(i) for i in range(max(found, default=-1) + 1)]


def _get(tensor, index):
    tensor, tensors = _parts(tensor, index)
    return ATEN.index(tensor, tensors) if tensors else tensor


def _set(tensor, index, value):
    tensor, tensors = _parts(tensor, index)
    if not isinstance(value, torch.Tensor):
        value = torch.full((), value, dtype=tensor.dtype, device=tensor.device)
    if tensors:
        ATEN.index_put_(tensor, tensors, value.to(tensor.dtype))
    else:
        ATEN.copy_(tensor, value)


@contextmanager
def fake_cuda(monkeypatch, memory=2**33):
    """Make "cuda" a device of which there is nothing but shapes; another thread enters its own ``FakeTensorMode``."""
    gpu = FakeCuda()
    plain_tensor, plain_get, plain_set = torch.as_tensor, torch.Tensor.__getitem__, torch.Tensor.__setitem__
    plain_copy = torch.Tensor.copy_

    def as_tensor(data, dtype=None, device=None):
        if isinstance(data, FakeTensor):
            return data if dtype is None else data.to(dtype)
        if torch.device(device or "cpu").type != "cuda":
            return plain_tensor(data, dtype=dtype, device=device)
        gpu.uploads += 1
        if dtype is None:
            dtype = getattr(torch, np.asarray(data).dtype.name)
        return torch.zeros(np.shape(data), dtype=dtype, device=device)

    one, take = replay.Replay.one, replay.Replay._take

    def counted_one(own, step):
        one(own, step)
        own.counted += 1

    def taken(own, *block):
        take(own, *block)
        own.counted = 0  # the device's counter has no value

    def on_fake(fake, plain):
        return lambda tensor, *rest: (fake if isinstance(tensor, FakeTensor) else plain)(tensor, *rest)

    with monkeypatch.context() as patch, ExitStack() as stack:
        patch.setattr(torch, "as_tensor", as_tensor)
        patch.setattr(FakeTensor, "__getitem__", on_fake(_get, plain_get), raising=False)
        patch.setattr(FakeTensor, "__setitem__", on_fake(_set, plain_set), raising=False)
        patch.setattr(FakeTensor, "copy_", on_fake(lambda a, b: ATEN.copy_(a, b), plain_copy), raising=False)
        for module in MODULES:
            for name in {"to_host", "leaving"} & set(vars(module)):
                patch.setattr(module, name, getattr(gpu, name))
            if hasattr(module, "from_host"):
                patch.setattr(module, "from_host", lambda array, device: as_tensor(array, device=device))
        patch.setattr(replay.Replay, "one", counted_one)
        patch.setattr(replay.Replay, "_take", taken)
        patch.setattr(replay.Replay, "_made", lambda own: own.counted)
        patch.setattr(torch.cuda, "Stream", lambda which: f"{which} of {threading.get_ident()}")
        patch.setattr(torch.cuda, "CUDAGraph", object)
        for name in ("device", "stream", "current_stream", "graph", "empty_cache"):
            patch.setattr(torch.cuda, name, getattr(gpu, name))
        patch.setattr(torch.cuda, "mem_get_info", lambda _: (memory, memory))
        patch.setattr(torch.cuda, "memory_reserved", lambda _: 0)
        stack.enter_context(FakeTensorMode())
        yield gpu

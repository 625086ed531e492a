"""The device that a lockstep works on: finding it, working on it, what its memory holds, and what its errors mean.

On CUDA torch launches on the *current* device and stream of a thread, whatever device its tensors are on, and a graph
is captured there. So each lockstep makes its device the current one, with a stream of its own: two of them, of two
users, do not wait for each other, and neither is on device 0 by chance. Leaves out which device is taken
(``engine_choice.py``).
"""

import threading
from contextlib import contextmanager

import torch

from ltw_core.weighting.learned.engines.engine_choice import UnusableDevice, gpus

CPU_MEMORY = 2**24  # bytes to plan for: on a CPU more side by side is slower once the arrays of all leave the caches
FREE_SHARE = 0.8  # of a GPU's free memory
NO_MEMORY = (
    "can't allocate memory",  # a plain RuntimeError on CPUs
    "CUDA error: out of memory",  # of the driver, where it was not torch's allocator that asked
    "CUBLAS_STATUS_ALLOC_FAILED",
    "CUDA_ERROR_OUT_OF_MEMORY",
    "HIP out of memory",
)
_planning, _promised = threading.Lock(), {}  # bytes by device and thread
CAPTURING = threading.Lock()
"""Held while a graph is captured and while memory is given back: what one thread captures the others must not disturb,
and one process captures one graph at a time."""


class KernelsFailed(RuntimeError):
    """Fused kernels could not be compiled or launched; the sentence is the error's."""


def find_device(name):
    """torch's device of a name; of "auto", the first GPU that works, or the CPU."""
    if str(name) == "auto":
        name = next(iter(gpus()), "cpu")
    try:
        return torch.device(name)
    except RuntimeError as error:
        raise ValueError(f"device must be 'auto', 'cpu' or a device of torch, not {name!r}") from error


@contextmanager
def working_on(device):
    """Make a device the thread's current one, with a stream of its own, and give its memory back at the end.

    Raises
    ------
    UnusableDevice
        The device or its driver does not work.
    MemoryError
        Others have all of its memory.
    """
    if device.type != "cuda":
        yield
        return
    try:
        torch.zeros(1, device=device)
        current, stream = torch.cuda.device(device), torch.cuda.Stream(device)
    except (RuntimeError, AssertionError) as error:  # torch without CUDA says so by an AssertionError
        if is_out_of_memory(error):
            raise MemoryError(f"{device} has no memory left") from error
        raise UnusableDevice(f"{device} does not work ({said_by(error)})") from error
    try:
        with current, torch.cuda.stream(stream):
            yield
    finally:
        with _planning:
            _promised.pop((str(device), threading.get_ident()), None)
        give_back(device)


def give_back(device):
    """Let the device have the memory that torch keeps for later: others, this process's or not, may want it."""
    if device.type == "cuda":
        with CAPTURING, torch.cuda.device(device):
            torch.cuda.empty_cache()


def from_host(array, device):
    """An array on the device. On CUDA from pinned memory: the copy waits for nothing, and nothing for it but what is
    launched after it."""
    if device.type != "cuda":
        return torch.as_tensor(array, device=device)
    return torch.as_tensor(array).pin_memory().to(device, non_blocking=True)


def leaving(*tensors):
    """Begin to copy tensors of one device to the host, as they are after all that was launched before. Returns a
    function that waits for these copies, not for what is launched after them, and gives a list of arrays. All that the
    host reads of a device it reads so; on CUDA copies go to pinned memory."""
    copies = [tensor.to("cpu", non_blocking=True, copy=True) for tensor in tensors]
    if tensors[0].device.type != "cuda":
        return lambda: [copy.numpy() for copy in copies]
    made = torch.cuda.Event()
    made.record(torch.cuda.current_stream(tensors[0].device))

    def arrived():
        made.synchronize()
        return [copy.numpy() for copy in copies]

    return arrived


def to_host(*tensors):
    """The values of tensors of one device, a list of arrays."""
    return leaving(*tensors)()


def memory_to_plan_for(device, most):
    """Bytes that this thread's lockstep is to get along with, of which it could use `most`. On a GPU four fifths of
    what is free and was not promised to the other locksteps of this process, until ``working_on`` ends.

    Other processes, as a study beside a server, need no lock: what they have taken is not free. Of two that plan in the
    same moment for the same bytes the one that then gets none goes on in halves (``Places.split``)."""
    if device.type != "cuda":
        return CPU_MEMORY
    name, own = str(device), threading.get_ident()
    with _planning:
        others = sum(size for (where, thread), size in _promised.items() if where == name and thread != own)
        still_to_come = max(0, others - torch.cuda.memory_reserved(device))  # the rest is no longer free
        free = max(0, torch.cuda.mem_get_info(device)[0] - still_to_come)
        _promised[name, own] = planned = int(min(most, FREE_SHARE * free))
    return planned


def is_out_of_memory(error):
    """Whether an error says that memory ran out: torch has a class for it, and its libraries have their own words."""
    return isinstance(error, (torch.OutOfMemoryError, MemoryError)) or any(word in str(error) for word in NO_MEMORY)


def said_by(error):
    """The first line of an error of CUDA, without the advice that follows."""
    return str(error).strip().split("\n")[0].rstrip(".")[:200] or type(error).__name__

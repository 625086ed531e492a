"""The GPUs of this machine: which there are, what they are called, how much memory they have, and whether they work.

torch is asked in a process of its own. Asking in this one would load torch (seconds, 180 MB) and start CUDA, which
takes some hundred MB of the device for as long as the process lives, and does not survive a fork; and counting alone
does not say whether the driver works. Where there is no driver nobody is asked. Leaves out which is taken
(``engine_choice.py``).
"""

import json
import subprocess
import sys
import threading
from collections import Counter
from contextlib import contextmanager
from glob import glob
from typing import NamedTuple

DRIVERS = ("/dev/nvidia*", "/dev/kfd", "/dev/dxg")  # of CUDA, ROCm, and CUDA in a guest of Windows
PATIENCE = 120  # seconds to answer; loading torch and starting CUDA takes up to ten
ASK = """
import json, torch
for index in range(torch.cuda.device_count()):
    said = {"name": f"cuda:{index}"}
    try:
        about = torch.cuda.get_device_properties(index)
        said |= {"model": about.name, "memory": about.total_memory}
        (torch.zeros(1, device=said["name"]) + 1).item()
    except Exception as error:
        if "out of memory" not in str(error):  # full is not broken
            said["problem"] = str(error).strip().split("\\n")[0]
    print(json.dumps(said))
"""


class GPU(NamedTuple):
    """A GPU.

    Attributes
    ----------
    name : str
        torch's.
    model : str
        Its maker's.
    memory : int
        Bytes, whoever has them now.
    problem : str
        Why it does not work; "" where it does.
    """

    name: str
    model: str = ""
    memory: int = 0
    problem: str = ""


class Use(NamedTuple):
    """What a GPU does for this process: training runs that it has in lockstep, and bytes of its memory that are taken,
    by whomever."""

    runs: int
    taken: int


_lock, _found, _at_work = threading.Lock(), None, Counter()


def all_gpus() -> tuple[GPU, ...]:
    """All GPUs that torch counts, also those that do not work. Asked once a process: the first call takes seconds where
    there is a driver."""
    global _found
    with _lock:
        if _found is None:
            _found = _ask() if _has_driver() else ()
        return _found


def working_gpus() -> tuple[GPU, ...]:
    return tuple(gpu for gpu in all_gpus() if not gpu.problem)


def cuda_has_started() -> bool:
    """Whether this process has a part of a GPU already."""
    torch = sys.modules.get("torch")
    return torch is not None and hasattr(torch, "cuda") and torch.cuda.is_initialized()


@contextmanager
def at_work(name, runs: int):
    """Note that a device has so many training runs to learn."""
    with _lock:
        _at_work[str(name)] += runs
    try:
        yield
    finally:
        with _lock:
            _at_work[str(name)] -= runs


def use_of(name: str) -> Use:
    """What a device does. Its memory is not asked for before this process uses it."""
    taken = 0
    if cuda_has_started() and name.startswith("cuda"):
        free, total = sys.modules["torch"].cuda.mem_get_info(name)
        taken = total - free
    return Use(_at_work[name], taken)


def _has_driver() -> bool:
    return sys.platform == "win32" or (sys.platform == "linux" and any(map(glob, DRIVERS)))


def _ask() -> tuple[GPU, ...]:
    command = [sys.executable, "-c", ASK]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE).stdout
    except (OSError, subprocess.TimeoutExpired):
        return (GPU("cuda:0", problem=f"it did not answer within {PATIENCE} seconds"),)
    return tuple(GPU(**json.loads(line)) for line in said.splitlines() if line.startswith('{"name"'))

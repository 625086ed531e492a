"""Which process this is, and whether another one still runs. Knows Linux well and other systems as far as they tell."""

import os
import platform
import threading
import time
from pathlib import Path
from typing import NamedTuple


class Process(NamedTuple):
    """A process: host, process id, and when it was born (empty where the system does not tell)."""

    host: str
    pid: int
    born: str


def this_process() -> Process:
    """The calling process."""
    return process_of(os.getpid())


def process_of(pid: int) -> Process:
    """A process of this host by its id."""
    return Process(platform.node(), pid, _born(pid))


def is_alive(process: Process) -> bool | None:
    """Whether a process runs; None where that cannot be known from here (another host, another system)."""
    if process.host != platform.node():
        return None
    if process.born:
        return _born(process.pid) == process.born
    if os.name != "posix":
        return None  # there, signal 0 is a signal
    try:
        os.kill(process.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return None  # the id is taken, perhaps by another process


def is_gone(process: Process, heard: float, patience: float) -> bool:
    """Whether a process counts as dead: it is, or it cannot be looked at and has been silent for long.

    Parameters
    ----------
    process : Process
    heard : float
        When it last said that it lives, in seconds since 1970.
    patience : float
        Seconds of silence that are borne.
    """
    alive = is_alive(process)
    silent = abs(time.time() - heard)  # a word from the future is one from before the clock was set back
    return alive is False or (alive is None and silent > patience)


def end_with(parent: int) -> None:
    """Have this process end soon after its parent does, however that ends: it would go on computing for nobody."""

    def watch():
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, name="parent", daemon=True).start()


def _born(pid: int) -> str:
    """Start of a process in clock ticks since the machine's boot, and the boot; "" where there is no such process."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()
    except OSError:
        return ""
    state, *rest = stat.rpartition(")")[2].split()  # the name before the parenthesis may hold anything
    return "" if state in "ZX" else f"{boot}/{rest[18]}"  # a zombie no longer runs

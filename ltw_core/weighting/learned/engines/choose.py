"""Which engine learns, and where, when nobody says: what is faster for the work at hand. And making it.

One class is learned on one CPU core by the compiled engine in .15 to .25 ms a step, which launching a GPU's operators
alone would take. Several problems share the launches: side by side on a GPU they take little longer than one. LTW-G's
have nothing else to share, but a GPU reads and writes their second layers many times faster than a CPU.
"""

import sys
from glob import glob
from typing import NamedTuple

from ltw_core.weighting.learned.engines.engine import Engine

ENGINES = ("auto", "compiled", "lockstep", "reference")
SIDE_BY_SIDE = 4  # problems from which a GPU is taken
DRIVERS = ("/dev/nvidia*", "/dev/kfd", "/dev/dxg")  # of CUDA, ROCm, and CUDA in a guest of Windows


class Choice(NamedTuple):
    """An engine, its device by torch's name, and a sentence that says why."""

    engine: str
    device: str
    reason: str


def gpus() -> list[str]:
    """Devices of torch that are GPUs, by its names for them. Where there is no driver torch is not asked: importing it
    takes seconds and 180 MB, and the compiled engine does without."""
    if sys.platform == "linux" and "torch" not in sys.modules and not any(map(glob, DRIVERS)):
        return []
    import torch

    return [f"cuda:{index}" for index in range(torch.cuda.device_count())]


def choose(settings, problems=1, engine="auto", device="auto", found=None) -> Choice:
    """Choose an engine and a device for some problems that are to be learned with equal settings.

    Parameters
    ----------
    settings : Settings
    problems : int
        Classes, or seeds of a class.
    engine : "auto" or the name of an engine; device : "auto" or a device of torch
        What is not "auto" stays as it is.
    found : list of str, optional
        GPUs that there are; `gpus()` without it.

    Raises
    ------
    ValueError
        There is no such engine, or it does not work on the device or with the settings.
    """
    if engine not in ENGINES:
        raise ValueError(f"engine must be one of {', '.join(ENGINES)}, not {engine!r}")
    if len(settings.network.inputs) != 2:
        if engine in ("compiled", "lockstep"):
            raise ValueError(f"the {engine} engine takes networks of two inputs; {settings.variant} has others")
        engine = "reference"
    if engine == "compiled" and device not in ("auto", "cpu"):
        raise ValueError(f"the compiled engine works on the cpu, not on {device!r}; take another engine there")
    if engine == "lockstep" and why_not_lockstep(settings):
        raise ValueError(why_not_lockstep(settings))
    if device != "auto":
        where = device
        reason = f"on {device}, as asked for"
    else:
        several = engine in ("auto", "lockstep") and problems >= SIDE_BY_SIDE and not why_not_lockstep(settings)
        if found is None and several:  # else it does not matter, and torch need not be loaded to know
            found = gpus()
        where = found[0] if found and several else "cpu"
        reason = _reason(found, problems, where, settings)
    if engine == "auto":
        engine = "compiled" if where == "cpu" else "reference" if why_not_lockstep(settings) else "lockstep"
    return Choice(engine, where, reason)


def why_not_lockstep(settings) -> str:
    """Why problems cannot be learned side by side with such settings; "" where they can."""
    if settings.network.local and settings.dropout and settings.dropout_form != "gaussian":
        return f"dropout_form must be 'gaussian' in a lockstep, not {settings.dropout_form!r}"
    return ""


def _reason(found, problems, where, settings) -> str:
    if found is not None and not found:
        return "CPU: there is no GPU here"
    if where != "cpu":
        return f"GPU: {problems} trainings go side by side there"
    if problems >= SIDE_BY_SIDE:
        return f"CPU: {why_not_lockstep(settings) or 'the engine that was asked for is one for it'}"
    return f"CPU: for fewer than {SIDE_BY_SIDE} trainings one core is faster than a GPU"


def make_engine(problem, settings, engine="auto", device="auto", should_stop=None) -> Engine:
    """Make the engine for one problem.

    Parameters
    ----------
    problem : Problem
    settings : Settings
    engine : "auto", "compiled" or "reference"
        "auto" takes the compiled one on a CPU.
    device : "auto", "cpu", or a device of torch such as "cuda"
        "auto" is the CPU: there the compiled engine is faster than torch's operators on a GPU for one problem. For
        several see ``choose``.
    should_stop : callable, optional
        Asked many times a second while the weights of a global variant are drawn, millions of them.

    Raises
    ------
    Cancelled
        ``should_stop`` returned True.
    ValueError
    """
    if engine == "lockstep":
        raise ValueError("a lockstep learns problems side by side: see learn_lockstep; for one, take another engine")
    if engine == "auto" and device not in ("auto", "cpu"):
        engine = "reference"
    chosen = choose(settings, 1, engine, device)
    if chosen.engine == "reference":
        from ltw_core.weighting.learned.engines.reference import ReferenceEngine  # imports torch

        return ReferenceEngine(problem, settings, chosen.device, should_stop)
    if settings.network.local:
        from ltw_core.weighting.learned.engines.compiled.local_engine import CompiledLocalEngine

        return CompiledLocalEngine(problem, settings)
    from ltw_core.weighting.learned.engines.compiled.global_engine import CompiledGlobalEngine

    return CompiledGlobalEngine(problem, settings, should_stop)

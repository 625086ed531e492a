"""Which engine learns, and where, when nobody says: what is faster for the work at hand. And making it.

One class is learned on one CPU core by the compiled engine in .15 to .25 ms a step. On an H100 a step takes .04 ms with
fused kernels and .27 by torch's operators, however small the class, but torch and CUDA take seconds to start. Problems
side by side share that: 16 classes take twice as long as one, 115 seven times. LTW-G's have little to share, but a GPU
reads and writes their second layers many times faster than a CPU. The seconds that are compared are those of
``costs.py``.
"""

from typing import NamedTuple

from ltw_core.weighting.learned.engines.costs import Work, cpu_seconds, gpu_seconds
from ltw_core.weighting.learned.engines.engine import Engine
from ltw_core.weighting.learned.engines.gpus import all_gpus, cuda_has_started, working_gpus

ENGINES = ("auto", "compiled", "lockstep", "reference")
MARGIN = 1.25  # times that a GPU has to be faster by the estimate to be taken


class UnusableDevice(ValueError):
    """A device that is there, or should be, and does not work; a sentence says why. A ValueError, so that whoever asked
    for it is shown the sentence."""


class Choice(NamedTuple):
    """An engine, its device by torch's name, and a sentence that says why."""

    engine: str
    device: str
    reason: str


def gpus() -> list[str]:
    """GPUs that work, by torch's names for them; see ``gpus.py``."""
    return [gpu.name for gpu in working_gpus()]


def choose(settings, problems=1, engine="auto", device="auto", found=None, work=None) -> Choice:
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
    work : Work, optional
        Sizes of the problems, cores of the CPU; without it those of a class of Reuters-21578 and one core.

    Raises
    ------
    ValueError
        There is no such engine, or it does not work on the device or with the settings.
    """
    if engine not in ENGINES:
        raise ValueError(f"engine must be one of {', '.join(ENGINES)}, not {engine!r}")
    inputs, masks = len(settings.network.inputs), settings.dropout and settings.dropout_form == "bernoulli"
    if inputs != 2 and (not settings.network.local or (inputs > 2 and masks)) and engine != "lockstep":
        if engine == "compiled":
            what = "masks of dropout" if settings.network.local else "global variants"
            raise ValueError(f"the compiled engine has {what} for two inputs only; take the reference engine")
        engine = "reference"
    if settings.pretrain is not None and settings.pretrain_form == "point":
        if engine in ("compiled", "lockstep"):
            raise ValueError(f"the {engine} engine pre-trains on a hundred points a step; for one, take the reference")
        engine = "reference"
    if engine == "compiled" and device not in ("auto", "cpu"):
        raise ValueError(f"the compiled engine works on the cpu, not on {device!r}; take another engine there")
    if engine == "lockstep" and why_not_lockstep(settings):
        raise ValueError(why_not_lockstep(settings))
    if device != "auto":
        where = device
        reason = f"on {device}, as asked for"
    else:
        work = (work or Work(started=cuda_has_started()))._replace(problems=problems)
        seconds = cpu_seconds(settings, work), MARGIN * gpu_seconds(settings, work)
        faster = engine in ("auto", "lockstep") and not why_not_lockstep(settings) and seconds[1] < seconds[0]
        if found is None and faster:  # else it does not matter, and need not be asked
            found = gpus()
        where = found[0] if found and faster else "cpu"
        reason = _reason(found, work, where, settings, seconds)
    if engine == "auto":
        engine = "compiled" if where == "cpu" else "reference" if why_not_lockstep(settings) else "lockstep"
    return Choice(engine, where, reason)


def why_not_lockstep(settings) -> str:
    """Why problems cannot be learned side by side with such settings; "" where they can."""
    if settings.network.local and settings.dropout and settings.dropout_form != "gaussian":
        return f"dropout_form must be 'gaussian' in a lockstep, not {settings.dropout_form!r}"
    if settings.stop_by != "f1":  # it counts on the device, and reads no logits
        return f"stop_by must be 'f1' in a lockstep, not {settings.stop_by!r}"
    if len(settings.network.inputs) != 2:
        return f"a lockstep takes networks of two inputs, not of {len(settings.network.inputs)}"
    return ""


def _reason(found, work, where, settings, seconds) -> str:
    if found is not None and not found:
        broken = next((gpu for gpu in all_gpus() if gpu.problem), None)
        return f"CPU: the GPU does not work here ({broken.problem})" if broken else "CPU: there is no GPU here"
    if where != "cpu":
        return f"GPU: {work.problems} training runs go side by side there"
    if why_not_lockstep(settings):
        return f"CPU: {why_not_lockstep(settings)}"
    if seconds[0] <= seconds[1]:
        runs = "one training run" if work.problems == 1 else f"{work.problems} training runs"
        return f"CPU: for {runs} it is estimated to be faster than a GPU"
    return "CPU: the engine that was asked for is one for it"


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
    chosen = choose(settings, 1, engine, "cpu" if device == "auto" else device)
    if chosen.engine == "reference":
        from ltw_core.weighting.learned.engines.reference import ReferenceEngine  # imports torch

        return ReferenceEngine(problem, settings, chosen.device, should_stop)
    if settings.network.local:
        from ltw_core.weighting.learned.engines.compiled.local_engine import CompiledLocalEngine

        return CompiledLocalEngine(problem, settings)
    from ltw_core.weighting.learned.engines.compiled.global_engine import CompiledGlobalEngine

    return CompiledGlobalEngine(problem, settings, should_stop)

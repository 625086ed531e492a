"""The interface between the training protocol and the numerics, and the choice of an engine.

An engine holds parameters and optimiser moments and makes steps; it knows nothing of early stopping, validation
scores or events. Leaves out the engines themselves: ``reference.py`` (torch autograd) and ``compiled.py`` (Numba,
CPU).
"""

from typing import Protocol

import numpy as np

PRETRAIN_POINTS = 100  # a step
ENGINES = ("auto", "compiled", "lockstep", "reference")


class Engine(Protocol):
    """What a training needs of an engine. Arrays in and out are NumPy's and are copies."""

    name: str
    device: str
    # also, where steps can be made in pieces: ``piece``, a number of them that takes a fraction of a second

    def reset(self, attempt: int) -> None:
        """New initial weights, fresh moments, step 0."""

    def restart_optimiser(self) -> None:
        """Forget Adam's moments; parameters and the count of batches stay."""

    def advance(self, steps: int, head_only: bool = False) -> float:
        """Make `steps` training steps (W3 and b3 alone if `head_only`) and return the mean loss over them."""

    def pretrain(self, target, steps: int, should_stop=None) -> float | None:
        """Make `steps` steps of fitting cd_L to ``target(tpr, fpr)`` by squared error; return the mean error, None if
        `should_stop()`, asked several times a second, ended them."""

    def validation_logits(self) -> np.ndarray:
        """Logits of the validation rows, without dropout."""

    def finite(self) -> bool:
        """Whether all parameters are finite numbers."""

    def cd(self) -> np.ndarray:
        """cd of every term, without dropout, float64 of shape (F,)."""

    def parameters(self) -> dict[str, np.ndarray]:
        """All parameters, by the names of ``network.py``."""

    def weighting_parameters(self) -> dict[str, np.ndarray]:
        """Those that the learned weighting keeps: none of W3, b3, and none at all for LTW-G, whose cd is a vector."""

    def load_parameters(self, parameters: dict[str, np.ndarray]) -> None:
        """Replace parameters by the given ones and forget the moments."""

    def state(self) -> dict[str, np.ndarray]:
        """Parameters, moments and counters: all that a later `restore_state` needs to continue identically."""

    def restore_state(self, state: dict[str, np.ndarray]) -> None: ...


WEIGHTING_NAMES = ("W1", "b1", "W2", "b2", "W4", "b4", "W5", "b5")


def weighting_part(network, parameters) -> dict[str, np.ndarray]:
    """The parameters that a learned weighting keeps."""
    if not network.local:
        return {}
    return {name: parameters[name] for name in WEIGHTING_NAMES if name in parameters}


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
        several see ``choice.choose``.
    should_stop : callable, optional
        Asked many times a second while the weights of a global variant are drawn, millions of them.

    Raises
    ------
    Cancelled
        ``should_stop`` returned True.
    """
    if engine not in ENGINES:
        raise ValueError(f"engine must be one of {', '.join(ENGINES)}, not {engine!r}")
    if engine == "lockstep":
        raise ValueError("a lockstep learns problems side by side: see learn_lockstep; for one, take another engine")
    if engine == "auto":
        engine = "compiled" if device in ("auto", "cpu") else "reference"
    device = "cpu" if device == "auto" else device
    if engine == "compiled":
        if device != "cpu":
            raise ValueError(f"the compiled engine works on the cpu, not on {device!r}; take engine='reference' there")
        if settings.network.local:
            from ltw_core.weighting.learned.engines.compiled.local_engine import CompiledLocalEngine

            return CompiledLocalEngine(problem, settings)
        from ltw_core.weighting.learned.engines.compiled.global_engine import CompiledGlobalEngine

        return CompiledGlobalEngine(problem, settings, should_stop)
    from ltw_core.weighting.learned.engines.reference import ReferenceEngine

    return ReferenceEngine(problem, settings, device, should_stop)

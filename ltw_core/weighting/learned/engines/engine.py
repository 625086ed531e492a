"""The interface between the training protocol and the numerics.

An engine holds parameters and optimiser moments and makes steps; it knows nothing of early stopping, validation
scores or events. Leaves out the engines themselves (``reference.py``, ``compiled/``, ``lockstep/``) and which one is
taken (``engine_choice.py``).
"""

from typing import Protocol

import numpy as np


class Engine(Protocol):
    """What a training run needs of an engine. Arrays in and out are NumPy's and are copies."""

    name: str
    device: str
    # also, where steps can be made in pieces: ``piece``, a number of them that takes a fraction of a second; and
    # ``counted()`` in place of ``validation_logits`` and ``finite``, where validation is counted on a device: see
    # ``lockstep/recorded_engine.py``

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
        """Those that the learned weighting keeps: see ``network.weighting_part``."""

    def load_parameters(self, parameters: dict[str, np.ndarray]) -> None:
        """Replace parameters by the given ones and forget the moments."""

    def state(self) -> dict[str, np.ndarray]:
        """Parameters, moments and counters: all that a later `restore_state` needs to continue identically."""

    def restore_state(self, state: dict[str, np.ndarray]) -> None: ...

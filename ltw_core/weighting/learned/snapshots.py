"""What a weighting had learned at some steps of its training: in memory, in the history, and in files that ship.

A file that ships is dense where most changes, and holds the network's parameters alone, in half precision: weights and
surface follow from them. Global variants have no such parameters and none ship.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ltw_core.weighting.learned import persistence
from ltw_core.weighting.learned.network import VARIANTS, local_cd

KIND = "snapshots"
LIMIT = 24
NAMES = ("W1", "b1", "W2", "b2")
WEIGHTS = "cd"


@dataclass(frozen=True, eq=False)
class Snapshot:
    """What had been learned at one validation, raw.

    Attributes
    ----------
    step : int
        Steps made, over all attempts; 0 for what a pre-training ended with.
    loss : float
        Mean training loss since the validation before (while pre-training: mean squared error).
    validation_f1 : float
        F1 on the validation rows; nan while pre-training.
    parameters : dict of ndarray
        The network of a local variant, empty for a global one.
    squash : bool
        Whether a sigmoid ends the network.
    weights : ndarray, shape (terms,), or None
        cd of every term, where it is not to be computed from the parameters.
    tpr, fpr : ndarray, shape (terms,), or None
        Where the terms lie, for ``cd``.
    """

    step: int
    loss: float
    validation_f1: float
    parameters: dict[str, np.ndarray]
    squash: bool
    weights: np.ndarray | None = None
    tpr: np.ndarray | None = None
    fpr: np.ndarray | None = None

    @cached_property
    def cd(self) -> np.ndarray:
        """Raw weight of every term, shape (terms,)."""
        return self.surface(self.tpr, self.fpr) if self.weights is None else np.asarray(self.weights, float)

    def surface(self, tpr, fpr) -> np.ndarray:
        """Raw cd at (tpr, fpr), which broadcast; local variants only."""
        if not self.parameters:
            raise ValueError("a global variant has one weight a term and no surface over (tpr, fpr)")
        return local_cd(self.parameters, tpr, fpr, self.squash)

    def compact(self, tpr, fpr) -> "Snapshot":
        """The same in single precision and without weights that follow from the parameters: to be kept."""
        parameters = {name: np.ascontiguousarray(array, np.float32) for name, array in self.parameters.items()}
        weights = None if parameters else np.ascontiguousarray(self.weights, np.float32)
        return Snapshot(self.step, self.loss, self.validation_f1, parameters, self.squash, weights, tpr, fpr)

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self._arrays().values())

    def _arrays(self) -> dict[str, np.ndarray]:
        return self.parameters or {WEIGHTS: self.weights}

    def pack(self) -> bytes:
        """The arrays of a compact snapshot as safetensors."""
        return save(self._arrays())

    @classmethod
    def unpack(cls, content: bytes, variant: str, step, loss, validation_f1, tpr, fpr) -> "Snapshot":
        """The snapshot of what ``pack`` made.

        Raises
        ------
        ValueError
            The content is damaged.
        """
        try:
            arrays = load(content)
        except SafetensorError as error:
            raise ValueError(f"a snapshot is damaged: {error}") from error
        weights = arrays.pop(WEIGHTS, None)
        return cls(step, loss, validation_f1, arrays, VARIANTS[variant].sigmoid, weights, tpr, fpr)


def thinned(count: int, limit: int = LIMIT, keep: tuple[int, ...] = ()) -> np.ndarray:
    """At most ``limit`` of ``count`` positions, denser at the beginning; the ends and those of ``keep`` are there."""
    if count <= limit:
        return np.arange(count)
    must = np.unique([0, count - 1, *(k for k in keep if 0 <= k < count)])
    spaced = np.unique(np.geomspace(1, count, limit).round().astype(int) - 1)
    free = np.setdiff1d(spaced, must)
    room = max(0, limit - must.size)
    chosen = free[np.linspace(0, free.size - 1, min(room, free.size)).round().astype(int)] if room else free[:0]
    return np.union1d(must, chosen)


def write(path: Path, snapshots: list[Snapshot]) -> None:
    """Write snapshots of one training."""
    arrays = {name: np.stack([s.parameters[name] for s in snapshots]).astype(np.float16) for name in NAMES}
    arrays["course"] = np.array([(s.step, s.loss, s.validation_f1) for s in snapshots], dtype=np.float64)
    persistence.write(path, KIND, arrays, {"squash": snapshots[0].squash})


def read(path: Path) -> list[Snapshot]:
    """Read what ``write`` wrote.

    Raises
    ------
    FileNotFoundError, ValueError
        There is no such file, or it does not hold snapshots.
    """
    arrays, values = persistence.read(path, KIND)
    try:
        return [
            Snapshot(int(step), loss, f1, {name: arrays[name][k] for name in NAMES}, bool(values["squash"]))
            for k, (step, loss, f1) in enumerate(arrays["course"].tolist())
        ]
    except (KeyError, IndexError, ValueError) as error:
        raise ValueError(f"{path.name} is a damaged file of snapshots: {error}") from error

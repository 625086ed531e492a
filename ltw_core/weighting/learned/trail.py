"""The trail of a training: what it had learned at some steps, kept while it goes on and in the history.

A bounded number of steps, evenly spaced over their logarithm, since most happens early. Steps are not known beforehand:
all are kept until there are too many, then always the one goes whose neighbours are nearest to each other.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

from ltw_core.weighting.learned.network import VARIANTS
from ltw_core.weighting.learned.snapshots import Snapshot

MOST, LEAST, BYTES = 64, 8, 4 << 20
WEIGHTS = "cd"


@dataclass(frozen=True, eq=False)
class TermSnapshot(Snapshot):
    """A snapshot of any variant, with the terms it is about.

    Attributes
    ----------
    step : int
        0 for what a pre-training ended with.
    parameters : dict of float32 arrays
        The network of a local variant, empty for a global one.
    tpr, fpr : ndarray, shape (terms,)
    weights : float32 ndarray, shape (terms,), or None
        cd of a global variant.
    """

    tpr: np.ndarray
    fpr: np.ndarray
    weights: np.ndarray | None = None

    @classmethod
    def of(cls, event, tpr, fpr) -> "TermSnapshot":
        """What an ``Event`` of a training shows."""
        parameters = {name: np.ascontiguousarray(array, np.float32) for name, array in event.parameters.items()}
        weights = None if parameters else np.ascontiguousarray(event.cd, np.float32)
        return cls(event.step, event.loss, event.validation_f1, parameters, event.squash, tpr, fpr, weights)

    @cached_property
    def cd(self) -> np.ndarray:
        """Raw weight of every term, shape (terms,)."""
        return self.surface(self.tpr, self.fpr) if self.weights is None else self.weights.astype(float)

    def surface(self, tpr, fpr) -> np.ndarray:
        """Raw cd at (tpr, fpr), which broadcast; local variants only."""
        if self.weights is not None:
            raise ValueError("a global variant has one weight a term and no surface over (tpr, fpr)")
        return super().surface(tpr, fpr)

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self._arrays().values())

    def _arrays(self) -> dict[str, np.ndarray]:
        return self.parameters if self.weights is None else {WEIGHTS: self.weights}

    def pack(self) -> bytes:
        """The arrays as safetensors."""
        return save(self._arrays())

    @classmethod
    def unpack(cls, content: bytes, variant: str, step, loss, validation_f1, tpr, fpr) -> "TermSnapshot":
        """The snapshot of what ``pack`` made."""
        try:
            arrays = load(content)
        except SafetensorError as error:
            raise ValueError(f"a snapshot is damaged: {error}") from error
        weights = arrays.pop(WEIGHTS, None)
        return cls(step, loss, validation_f1, arrays, VARIANTS[variant].sigmoid, tpr, fpr, weights)


class Trail:
    """The snapshots that are kept of one training, while it goes on. One thread adds, others read ``kept``.

    Attributes
    ----------
    kept : tuple of TermSnapshot
        By step.
    """

    def __init__(self):
        self.kept: tuple[TermSnapshot, ...] = ()

    def add(self, snapshot: TermSnapshot) -> None:
        """Take one in; the latest one at a step counts. The first, the last and the best by F1 always stay."""
        kept = [s for s in self.kept if s.step < snapshot.step] + [snapshot]
        while len(kept) > max(LEAST, min(MOST, BYTES // max(1, snapshot.nbytes))):
            del kept[_densest(kept)]
        self.kept = tuple(kept)


def _densest(kept: list[TermSnapshot]) -> int:
    """The one to leave out: between the nearest neighbours, by the ratio of their steps."""
    f1 = np.nan_to_num([s.validation_f1 for s in kept], nan=-1)
    best = int(np.argmax(f1))
    inner = [i for i in range(1, len(kept) - 1) if i != best]
    return min(inner, key=lambda i: (kept[i + 1].step + 1) / (kept[i - 1].step + 1))

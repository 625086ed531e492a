"""What a local weighting was at some steps of its training: few enough to ship, dense where it changes most.

Only the network's parameters are kept, in half precision: weights and surface follow from them. Global variants have
no such parameters and are left out.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ltw_core.weighting.learned import persistence
from ltw_core.weighting.learned.network import local_cd

KIND = "snapshots"
LIMIT = 24
NAMES = ("W1", "b1", "W2", "b2")


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One validation: step, training loss since the one before, validation F1, and the network's parameters."""

    step: int
    loss: float
    validation_f1: float
    parameters: dict[str, np.ndarray]
    squash: bool

    def surface(self, tpr, fpr) -> np.ndarray:
        """Raw cd at (tpr, fpr), which broadcast."""
        return local_cd(self.parameters, tpr, fpr, self.squash)


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

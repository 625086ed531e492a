"""What a weighting had learned at some steps of its training: in memory, in the history, and in files that ship.

A file that ships is dense where most changes, and holds the network's parameters alone, in half precision: weights and
surface follow from them. Global variants have no such parameters and none ship. What is read is checked against a table
of rules first, as saved weightings are.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from ltw_core.storage.array_schema import Array
from ltw_core.storage.file_schema import Fields, FileError, OneOf, Truth
from ltw_core.weighting.learned import persistence
from ltw_core.weighting.learned.inputs import AS_IN_THE_PAPER, Seen
from ltw_core.weighting.learned.network import VARIANTS, Variant, cd_of_inputs

KIND = "snapshots"
LIMIT = 24
NAMES = ("W1", "b1", "W2", "b2")
WEIGHTS = "cd"
HIDDEN = range(1, 1_000_001)  # units; the history keeps 4 MB of snapshots of a training, or eight of them
SHIPPED = range(1, 1_001)  # snapshots in a file
WITH = {"least": -np.inf, "most": np.inf, "nan": True}  # one that diverged is shown too
LAYOUT = persistence.Layout(
    "snapshots",
    Fields({"squash": Truth()}),
    lambda _: {
        "course": Array((SHIPPED, 3), **WITH),
        "W1": Array((SHIPPED, 2, HIDDEN), **WITH),
        "b1": Array((SHIPPED, HIDDEN), **WITH),
        "W2": Array((SHIPPED, HIDDEN), **WITH),
        "b2": Array((SHIPPED, 1), **WITH),
    },
)


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
    seen : Seen
        What the network sees of them.
    """

    step: int
    loss: float
    validation_f1: float
    parameters: dict[str, np.ndarray]
    squash: bool
    weights: np.ndarray | None = None
    tpr: np.ndarray | None = None
    fpr: np.ndarray | None = None
    seen: Seen = AS_IN_THE_PAPER

    @cached_property
    def cd(self) -> np.ndarray:
        """Raw weight of every term, shape (terms,)."""
        return self.surface(self.tpr, self.fpr) if self.weights is None else np.asarray(self.weights, float)

    def surface(self, tpr, fpr) -> np.ndarray:
        """Raw cd at (tpr, fpr), which broadcast; local variants only."""
        if not self.parameters:
            raise ValueError("a global variant has one weight a term and no surface over (tpr, fpr)")
        return cd_of_inputs(self.parameters, self.seen.of(tpr, fpr), self.squash)

    def compact(self, tpr, fpr) -> "Snapshot":
        """The same in single precision and without weights that follow from the parameters: to be kept."""
        parameters = {name: np.ascontiguousarray(array, np.float32) for name, array in self.parameters.items()}
        weights = None if parameters else np.ascontiguousarray(self.weights, np.float32)
        known = (self.step, self.loss, self.validation_f1, parameters, self.squash, weights)
        return Snapshot(*known, tpr, fpr, self.seen)

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self._arrays().values())

    def _arrays(self) -> dict[str, np.ndarray]:
        return self.parameters or {WEIGHTS: self.weights}

    def pack(self) -> bytes:
        """The arrays of a compact snapshot as safetensors."""
        from safetensors.numpy import save

        return save(self._arrays())

    @classmethod
    def unpack(cls, content: bytes, variant: str, step, loss, validation_f1, tpr, fpr, seen=None) -> "Snapshot":
        """The snapshot of what ``pack`` made.

        Raises
        ------
        FileError
            The content is damaged, or not what such a variant with terms at ``tpr`` has learned.
        """
        from safetensors import SafetensorError
        from safetensors.numpy import load

        try:
            OneOf(VARIANTS).check(variant, "its variant")
            arrays = load(content)
            seen = AS_IN_THE_PAPER if seen is None else seen
            _check(arrays, VARIANTS[variant], len(tpr), len(seen.inputs))
        except (SafetensorError, FileError) as error:
            raise FileError(f"a snapshot is damaged: {error}") from error
        weights = arrays.pop(WEIGHTS, None)
        squash = VARIANTS[variant].sigmoid
        return cls(step, loss, validation_f1, arrays, squash, weights, tpr, fpr, seen)


def _check(arrays: dict[str, np.ndarray], variant: Variant, terms: int, inputs: int = 2) -> None:
    """Raise a ``FileError`` unless arrays are what a variant of so many inputs keeps, or a weight of each term."""
    names = (WEIGHTS,) if WEIGHTS in arrays or not variant.kept else variant.kept
    if set(arrays) != set(names):
        raise FileError(f"it has the arrays {', '.join(sorted(arrays)) or 'none'}; it must have {', '.join(names)}")
    hidden, hidden_dd = (arrays[name].size if name in arrays else 0 for name in ("b1", "b4"))
    shapes = {
        **{"b1": (HIDDEN,), "W1": (inputs, hidden), "W2": (hidden,), "b2": (1,)},
        **{"b4": (HIDDEN,), "W4": (hidden_dd,), "W5": (hidden_dd,), "b5": (1,)},
        WEIGHTS: (terms,),
    }
    for name in names:
        Array(shapes[name], **WITH).check(arrays[name], name)


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
    """Write snapshots of one training, in linear coordinates."""
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
    arrays, values = persistence.read(path, KIND, LAYOUT)
    steps, count = arrays["course"][:, 0], len(arrays["course"])
    try:
        if not np.all((steps >= 0) & (steps == np.rint(steps))):
            raise FileError("the steps in course, its first column, must be whole numbers from 0")
        if any(len(arrays[name]) != count for name in NAMES):
            raise FileError(f"it has {count:,} steps in course; every array must have as many")
        found = [{name: arrays[name][k] for name in NAMES} for k in range(count)]
        _check(found[0], VARIANTS["LTW-L-I"], 0)  # the other local ones that ship keep the same
    except FileError as error:
        raise FileError(f"{path.name} is a damaged file of snapshots: {error}") from error
    return [
        Snapshot(int(step), loss, f1, parameters, values["squash"])
        for (step, loss, f1), parameters in zip(arrays["course"].tolist(), found, strict=True)
    ]

"""The labels of a table's rows in three arrays: rows are many, labels are few, and a Python object a row is large."""

from array import array
from collections.abc import Sequence

import numpy as np


class LabelSets(Sequence):
    """A sequence of tuples of labels that can be appended to.

    ``numbers`` gives each label its number, in the order of first use.
    """

    def __init__(self):
        self.numbers: dict[str, int] = {}
        self.indices = array("i")
        self.starts = array("q", [0])

    def append(self, labels: tuple[str, ...]):
        """Add a set, which may be empty."""
        self.indices.extend(self.numbers.setdefault(label, len(self.numbers)) for label in labels)
        self.starts.append(len(self.indices))

    def drop_empty(self):
        """Leave out the sets without a label."""
        starts = np.array(self.starts)
        self.starts = array("q", starts[np.r_[True, np.diff(starts) > 0]].tolist())

    def reordered(self, order: np.ndarray) -> "LabelSets":
        """The same sets in another order, given as indices."""
        starts, indices = np.array(self.starts), np.array(self.indices, dtype=np.int32)
        sizes = np.diff(starts)[order]
        ends = np.cumsum(sizes)
        within = np.arange(int(ends[-1])) - np.repeat(ends - sizes, sizes)
        other = LabelSets()
        other.numbers = self.numbers
        other.indices = array("i", indices[np.repeat(starts[:-1][order], sizes) + within].tobytes())
        other.starts = array("q", np.r_[0, ends].astype(np.int64).tobytes())
        return other

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> tuple[str, ...]:
        if not 0 <= row < len(self):
            raise IndexError(row)
        return next(self._sets(row, row + 1))

    def __iter__(self):
        return self._sets(0, len(self))

    def _sets(self, first: int, last: int):
        names = list(self.numbers)
        for row in range(first, last):
            yield tuple(names[number] for number in self.indices[self.starts[row] : self.starts[row + 1]])

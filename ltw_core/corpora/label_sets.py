"""The labels of documents as a sparse matrix, built row by row: documents are many, labels are few."""

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

_NARROW, _WIDE = "i", "q"  # of array: places among up to two thousand million labels take half as much memory


class LabelMatrix(NamedTuple):
    """Which document has which label, as bool of shape (documents, labels), and the names of the columns."""

    matrix: csr_array
    names: Sequence[str]


class LabelSets:
    """Sets of labels, one a document, that can be appended to.

    ``numbers`` gives each label its column, in the order of first use.
    """

    def __init__(self, sets: Iterable[Iterable[str]] = ()):
        self.numbers: dict[str, int] = {}
        self._columns = array("i")
        self._starts = array(_NARROW, [0])
        for labels in sets:
            self.append(labels)

    def append(self, labels: Iterable[str]):
        """Add a set, which may be empty."""
        self._columns.extend(self.numbers.setdefault(label, len(self.numbers)) for label in dict.fromkeys(labels))
        try:
            self._starts.append(len(self._columns))
        except OverflowError:
            self._starts = array(_WIDE, self._starts)
            self._starts.append(len(self._columns))

    def matrix(self) -> csr_array:
        """Which document has which label, as bool of shape (documents, labels); shares memory with this object."""
        columns, starts = (np.frombuffer(part, dtype=part.typecode) for part in (self._columns, self._starts))
        values = np.ones(len(columns), dtype=bool)
        return csr_array((values, columns, starts), shape=(len(starts) - 1, len(self.numbers)))

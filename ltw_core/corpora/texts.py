"""Texts in one buffer: a table may have millions of a few letters, and a Python string takes 50 bytes more."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

_PIECE = 10_000


class Texts(Sequence):
    """A sequence of texts, kept as UTF-8 with the place where each begins.

    It can be appended to until it is given to a :class:`ltw_core.corpora.Corpus`. Halves of surrogate pairs, which no
    encoding takes, become question marks.
    """

    def __init__(self):
        self._bytes = bytearray()
        self._starts = array("I", [0])

    def append(self, text: str):
        """Add a text."""
        self._bytes += text.encode("utf-8", "replace")
        self._starts.append(len(self._bytes))

    def encoded(self) -> Iterator[bytes]:
        """The texts as UTF-8."""
        for start, end in pairwise(self._starts):
            yield bytes(self._bytes[start:end])

    def taken(self, order: np.ndarray) -> "Texts":
        """Those at the given positions, in their order."""
        other = Texts()
        for piece in range(0, len(order), _PIECE):
            for index in order[piece : piece + _PIECE].tolist():
                other._bytes += self._bytes[self._starts[index] : self._starts[index + 1]]
                other._starts.append(len(other._bytes))
        return other

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        index = range(len(self))[index]
        return self._bytes[self._starts[index] : self._starts[index + 1]].decode()

    def __iter__(self) -> Iterator[str]:
        return (text.decode() for text in self.encoded())

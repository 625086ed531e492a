"""Texts in one buffer: a table may have millions of a few letters, and a Python string takes 50 bytes more."""

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

_PIECE = 10_000
_NARROW, _WIDE = "I", "Q"  # of array: places in up to 4 GB take half as much memory


class Texts(Sequence):
    """A sequence of texts, kept as UTF-8 with the place where each begins.

    It can be appended to until it is given to a :class:`ltw_core.corpora.Corpus`. Halves of surrogate pairs, which no
    encoding takes, become question marks.
    """

    def __init__(self):
        self._bytes = bytearray()
        self._starts = array(_NARROW, [0])

    def append(self, text: str):
        """Add a text."""
        self._bytes += text.encode("utf-8", "replace")
        self._end()

    def _end(self):
        """Note where the text that was added last ends."""
        try:
            self._starts.append(len(self._bytes))
        except OverflowError:
            self._starts = array(_WIDE, self._starts)
            self._starts.append(len(self._bytes))

    def encoded(self, order: Iterable[int] | None = None) -> Iterator[bytes]:
        """The texts as UTF-8; all of them, or those at the given positions."""
        if order is None:
            for start, end in pairwise(self._starts):
                yield bytes(self._bytes[start:end])
        else:
            for index in order:
                yield bytes(self._bytes[self._starts[index] : self._starts[index + 1]])

    def taken(self, order: np.ndarray) -> "Texts":
        """Those at the given positions, in their order."""
        other = Texts()
        for piece in range(0, len(order), _PIECE):
            for index in order[piece : piece + _PIECE].tolist():
                other._bytes += self._bytes[self._starts[index] : self._starts[index + 1]]
                other._end()
        return other

    @property
    def n_bytes(self) -> int:
        """Memory that they take."""
        return sys.getsizeof(self._bytes) + sys.getsizeof(self._starts)

    def __len__(self) -> int:
        return len(self._starts) - 1

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        index = range(len(self))[index]
        return self._bytes[self._starts[index] : self._starts[index + 1]].decode()

    def __iter__(self) -> Iterator[str]:
        return (text.decode() for text in self.encoded())

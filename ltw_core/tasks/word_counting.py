"""Counting the words of many documents by compiled loops, in one table of all words.

The counts are those of ``counting`` to the bit, in a third of its time or less, but Numba takes half a second to be
imported, and four to compile the loops, once for all. The table of all words takes more memory than the pieces of
``counting``. Leaves out terms other than ``tokens.Words``.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import compress, pairwise

import numpy as np

from ltw_core.tasks.counting import CountedTerms, Piece, assemble, small
from ltw_core.tasks.tokens import Words
from ltw_core.tasks.word_table import WordTable, counted, empty_table, numbers_of

BLOCK = 4 * 2**20  # bytes of text that are taken apart at a time
_CAN_BE_FOUND = re.compile(r"[^\WA-Z]+")  # in a text in lower case


def count_words(train: Iterable[bytes], test: Iterable[bytes], kind: Words, *, min_df: int = 1) -> CountedTerms:
    """Count the words of documents; those of test documents that no training document holds are left out.

    Parameters
    ----------
    train, test : iterable of bytes
        Texts as UTF-8, in which halves of surrogate pairs may stand.
    kind : Words
        Which words.
    min_df : int
        Words in fewer training documents are left out.
    """
    stop_words = sorted(filter(_CAN_BE_FOUND.fullmatch, kind.left_out))
    table, *_ = numbers_of(empty_table(), *_packed(map(str.encode, stop_words)), in_words(), kind.shortest, 0, True)
    first = table.size
    found: dict[bool, list] = {True: [], False: []}
    for training, texts in ((True, train), (False, test)):
        for text, ends in _blocks(texts):
            table, *numbers = numbers_of(table, text, ends, in_words(), kind.shortest, first, training)
            found[training].append(numbers)
    words = _words(table, first)
    del table
    order = sorted(range(len(words)), key=words.__getitem__)
    columns_of = np.empty(len(words), np.uint32)
    columns_of[order] = np.arange(len(words))
    for parts in found.values():
        for place, numbers in enumerate(parts):
            columns, counts, lengths = counted(*numbers, columns_of)
            parts[place] = Piece(b"", columns, small(counts), small(lengths))
    held = np.ones(len(words), bool)
    if min_df > 1:
        frequencies = np.zeros(len(words), np.int64)
        for piece in found[True]:
            frequencies += np.bincount(piece.columns, minlength=len(words))  # a document holds a column once
        held = frequencies >= min_df
    vocabulary = "\n".join(map(words.__getitem__, compress(order, held))).encode("latin-1")
    del words, order
    column = np.where(held, np.cumsum(held) - 1, -1).astype(np.int32)
    n_terms = int(np.count_nonzero(held))
    made = {training: assemble(parts, [column] * len(parts), n_terms) for training, parts in found.items()}
    return CountedTerms(vocabulary, made[True], made[False])


def _blocks(texts: Iterable[bytes]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Texts in blocks, as ``numbers_of`` takes them."""
    block, size = [], 0
    for text in texts:
        if not text.isascii():
            text = text.decode("utf-8", "surrogatepass").lower().encode("utf-8", "surrogatepass")
        block.append(text)
        size += len(text)
        if size >= BLOCK:
            yield _packed(block)
            block, size = [], 0
    if block:
        yield _packed(block)


def _packed(texts: Iterable[bytes]) -> tuple[np.ndarray, np.ndarray]:
    """Texts one behind the other, and where each ends, behind a 0."""
    texts = list(texts)
    return np.frombuffer(b"".join(texts), np.uint8), np.cumsum([0, *map(len, texts)])


def _words(table: WordTable, first: int) -> list[str]:
    """The words of a table from a number on, a character for each byte of their UTF-8: so they sort as they are."""
    ends = table.ends[first : table.size + 1].tolist()
    letters = table.letters[: ends[-1]].tobytes().decode("latin-1")
    return [letters[begin:end] for begin, end in pairwise(ends)]


@cache
def in_words() -> np.ndarray:
    """Whether a character may stand in a word: what is ``\\w`` in a regular expression.

    Returns
    -------
    ndarray of bool, shape (code points,)
    """
    characters = map(chr, range(sys.maxunicode + 1))
    return np.fromiter((character.isalnum() or character == "_" for character in characters), bool)

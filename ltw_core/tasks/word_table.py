"""A table of words, which takes texts in UTF-8 apart into the numbers of their words; compiled.

A word is what lies between characters that are neither letters nor digits nor an underscore. Leaves out any other kind
of term, and lower case beyond ASCII, where it may depend on the letters around.
"""

from typing import NamedTuple

import numpy as np

from ltw_core.compilation import compiled, prefetch

_ASCII = (chr(code).lower() if chr(code).isalnum() or chr(code) == "_" else "\0" for code in range(128))
_LETTERS = np.array([*map(ord, _ASCII), *range(128, 256)], np.uint8)
"""For each byte what it is in a word, ASCII in lower case; 0 for what is in none."""
_AHEAD = 64  # words that are looked up together: what is fetched from memory is asked for before the first waits for it
_FNV_BASIS, _FNV_PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_HALF, _LOWER, _ONE = np.uint64(32), np.uint64(2**32 - 1), np.uint64(1)


class WordTable(NamedTuple):
    """Different words, numbered as they came.

    Attributes
    ----------
    slots : ndarray of uint64, shape (a power of two, at least twice the words)
        Open addressing with linear probing: a word's hash in the upper half, its number plus one in the lower one; 0
        where there is none.
    letters : ndarray of uint8
        The words in UTF-8, one behind the other, and room for more.
    ends : ndarray of int64, shape (more than words,)
        Where each word ends in ``letters``, behind a 0, and room for more.
    size : int
        Number of words.
    """

    slots: np.ndarray
    letters: np.ndarray
    ends: np.ndarray
    size: int


def empty_table() -> WordTable:
    """A table without words."""
    return WordTable(np.zeros(2**12, np.uint64), np.empty(2**14, np.uint8), np.zeros(2**11, np.int64), 0)


@compiled
def numbers_of(table, text, ends, in_words, shortest, first, grows):
    """The words of documents as their numbers in a table.

    Parameters
    ----------
    table : WordTable
        Where it grows, it is not to be used again: the one returned takes its place.
    text : ndarray of uint8
        Documents in UTF-8, one behind the other; in lower case those that are not in ASCII.
    ends : ndarray of int64, shape (documents + 1,)
        Where each document ends, behind where the first one begins.
    in_words : ndarray of bool, shape (code points,)
        Whether a character may stand in a word; nothing is looked up for ASCII.
    shortest : int
        Characters of the shortest word.
    first : int
        Words with lower numbers are left out.
    grows : bool
        Whether words that the table does not hold are added to it; else they are left out.

    Returns
    -------
    table : WordTable
    numbers : ndarray of uint32
        Of the words, document by document, counted from ``first``.
    number_ends : ndarray of int64, shape (documents + 1,)
        Where each document's numbers end, behind a 0.
    """
    slots, known, known_ends, size = table
    numbers = np.empty((ends[-1] - ends[0] + ends.size) // (shortest + 1), np.uint32)
    number_ends = np.zeros(ends.size, np.int64)
    found = 0
    begins, lengths = np.empty(_AHEAD, np.int64), np.empty(_AHEAD, np.int64)
    hashes, guesses = np.empty(_AHEAD, np.uint64), np.empty(_AHEAD, np.int64)
    for document in range(ends.size - 1):
        at, end = ends[document], ends[document + 1]
        while at < end:
            words = 0
            while at < end and words < _AHEAD:
                begin, mixed, characters = at, _FNV_BASIS, 0
                while at < end:
                    width = width_in_word(text, at, in_words)
                    if width == 0:
                        break
                    for i in range(at, at + width):
                        mixed = (mixed ^ np.uint64(_LETTERS[text[i]])) * _FNV_PRIME
                    at += width
                    characters += 1
                if characters >= shortest:
                    mixed = (mixed ^ (mixed >> _HALF)) & _LOWER
                    begins[words], lengths[words], hashes[words] = begin, at - begin, mixed
                    prefetch(slots, mixed & np.uint64(slots.size - 1))
                    words += 1
                at += 1
            for i in range(words):
                guesses[i] = np.int64(slots[hashes[i] & np.uint64(slots.size - 1)] & _LOWER) - 1
                if guesses[i] >= 0:
                    prefetch(known_ends, guesses[i])
            for i in range(words):
                if guesses[i] >= 0:
                    prefetch(known, known_ends[guesses[i]])
            for i in range(words):
                begin, length, mixed = begins[i], lengths[i], hashes[i]
                slot, number = place_of(slots, known, known_ends, mixed, text, begin, length)
                if number < 0:
                    if not grows:
                        continue
                    number, start = size, known_ends[size]
                    size += 1
                    if start + length > known.size:
                        known = larger(known, start + length)
                    if size == known_ends.size:
                        known_ends = larger(known_ends, size)
                    for k in range(length):
                        known[start + k] = _LETTERS[text[begin + k]]
                    known_ends[size] = start + length
                    slots[slot] = (mixed << _HALF) | np.uint64(size)
                    if 2 * size > slots.size:
                        slots = with_more_slots(slots)
                if number >= first:
                    numbers[found] = number - first
                    found += 1
        number_ends[document + 1] = found
    return WordTable(slots, known, known_ends, size), numbers[:found].copy(), number_ends


@compiled
def width_in_word(text, at, in_words):
    """Bytes of the character that begins at a place of a text; 0 where it is none of a word, or none begins."""
    byte = np.int64(text[at])
    if byte < 0x80:
        return 1 if _LETTERS[byte] != 0 else 0
    if byte < 0xC0:
        return 0
    width = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
    code = byte & (0xFF >> (width + 1))
    for i in range(at + 1, at + width):
        code = (code << 6) | (np.int64(text[i]) & 0x3F)
    return width if in_words[code] else 0


@compiled
def place_of(slots, known, known_ends, mixed, text, begin, length):
    """The slot of a word of a text, and its number; the free slot where it would be, and -1, if the table lacks it."""
    mask = np.uint64(slots.size - 1)
    slot = mixed & mask
    while slots[slot] != 0:
        if slots[slot] >> _HALF == mixed:
            number = np.int64(slots[slot] & _LOWER) - 1
            start = known_ends[number]
            if known_ends[number + 1] - start == length:
                same = 0
                while same < length and known[start + same] == _LETTERS[text[begin + same]]:
                    same += 1
                if same == length:
                    return slot, number
        slot = (slot + _ONE) & mask
    return slot, -1


@compiled
def with_more_slots(slots):
    """The same entries in twice as many slots."""
    more = np.zeros(2 * slots.size, np.uint64)
    mask = np.uint64(more.size - 1)
    for place in range(slots.size):
        entry = slots[place]
        if entry != 0:
            slot = (entry >> _HALF) & mask
            while more[slot] != 0:
                slot = (slot + _ONE) & mask
            more[slot] = entry
    return more


@compiled
def larger(array, least):
    """The same values, with room for at least so many, and for half as many again."""
    more = np.empty(max(least, array.size) * 3 // 2, array.dtype)
    for place in range(array.size):
        more[place] = array[place]
    return more


@compiled
def counted(numbers, ends, columns_of):
    """How often each document holds each column.

    Parameters
    ----------
    numbers : ndarray of uint32
        Of words, document by document.
    ends : ndarray of int64, shape (documents + 1,)
        Where each document's numbers end, behind a 0.
    columns_of : ndarray of uint32
        The column of each number.

    Returns
    -------
    columns, counts : ndarray of uint32
        The columns that a document holds, ascending, document by document, and how often it holds each.
    lengths : ndarray of uint32, shape (documents,)
        Columns that each document holds.
    """
    columns, counts = np.empty(numbers.size, np.uint32), np.empty(numbers.size, np.uint32)
    for place in range(numbers.size):
        columns[place] = columns_of[numbers[place]]
    lengths = np.empty(ends.size - 1, np.uint32)
    held = 0
    for document in range(lengths.size):
        before = held
        row = columns[ends[document] : ends[document + 1]]
        row.sort()
        for column in row:
            if held > before and columns[held - 1] == column:
                counts[held - 1] += 1
            else:
                columns[held], counts[held] = column, 1
                held += 1
        lengths[document] = held - before
    return columns[:held].copy(), counts[:held].copy(), lengths

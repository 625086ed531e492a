"""Counting the terms of many documents in memory near the size of their texts.

Gives what scikit-learn's ``CountVectorizer`` gives, whose dictionary takes some 200 bytes for each different word: here
documents are counted in pieces with a small dictionary each, whose sorted words are merged at the end. How a text
becomes terms is said in :mod:`ltw_core.tasks.tokens`.
"""

import heapq
import io
import itertools
import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ltw_core.tasks.tokens import WholeText

PIECE_TERMS = 50_000  # different terms, some 10 MB
PIECE_TOKENS = 1_000_000
_PART = 100_000  # characters that are taken apart at a time: the words of a long text are many small objects
_SPACE = re.compile(r"\s")
_ESCAPED = re.compile("[\0-\x0b]")  # up to the line break and the mark; all above sorts behind them
_MARK, _ABOVE = "\x0b", 0x10


class TooManyTermsError(ValueError):
    """More different terms than were allowed."""


class CountedTerms(NamedTuple):
    """Terms of training documents and their counts.

    ``vocabulary`` is their UTF-8, sorted, a line each, escaped (``unescaped`` reads them); ``train`` and
    ``test`` are csr_array of int32, shape (documents,
    terms), in canonical format.
    """

    vocabulary: bytes
    train: sparse.csr_array
    test: sparse.csr_array


class Piece(NamedTuple):
    """Some documents with terms of their own: sorted words, and for each document those that it holds."""

    words: bytes  # UTF-8, a line each; none where pieces share their words
    columns: np.ndarray  # number of the word, document by document
    counts: np.ndarray
    lengths: np.ndarray  # words that a document holds


def count(
    train: Iterable[str],
    test: Iterable[str],
    analyse: Callable[[str], list[str]],
    *,
    min_df: int = 1,
    max_terms: int | None = None,
) -> CountedTerms:
    """Count the terms of documents; those of test documents that no training document holds are left out.

    Parameters
    ----------
    analyse : callable
        The terms of a text; a ``WholeText`` where these may reach over white space.
    min_df : int
        Terms in fewer training documents are left out.
    max_terms : int, optional
        Most different terms.

    Raises
    ------
    TooManyTermsError
    """
    return merged(pieces(train, analyse), pieces(test, analyse), min_df, max_terms)


def merged(train: Iterable[Piece], test: Iterable[Piece], min_df: int, max_terms: int | None = None) -> CountedTerms:
    """Pieces of the training and of the test documents as one; parameters as of ``count``."""
    both = [(True, piece) for piece in train]
    learned = len(both)
    both += [(False, piece) for piece in test]
    vocabulary, columns = _merge(both, min_df, max_terms)
    n_terms = vocabulary.count(b"\n")
    parts = [piece for _, piece in both]
    del both
    second = assemble(parts[learned:], columns[learned:], n_terms)
    del parts[learned:]
    return CountedTerms(vocabulary[:-1], assemble(parts, columns[:learned], n_terms), second)


def pieces(
    documents: Iterable[str],
    analyse: Callable[[str], list[str]],
    larger: int = 1,
) -> Iterator[Piece]:
    """Documents counted in pieces, each of which ends with the document that makes it large enough; ``larger`` times as
    large as others are."""
    most_terms, most_tokens = larger * PIECE_TERMS, larger * PIECE_TOKENS
    documents, parts_of = iter(documents), _whole if isinstance(analyse, WholeText) else _parts
    while (first := next(documents, None)) is not None:
        known: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        number, tokens, ends = known.__getitem__, array("I"), array("Q", [0])
        for text in itertools.chain([first], documents):
            for part in parts_of(text):
                tokens.extend(map(number, analyse(part)))
            ends.append(len(tokens))
            if len(known) > most_terms or len(tokens) + len(ends) > most_tokens:
                break
        words = sorted(known)
        place = np.empty(len(words), np.uint32)
        place[[known[word] for word in words]] = np.arange(len(words))
        columns, counts, lengths = _counted(place[np.frombuffer(tokens, np.uint32)], np.frombuffer(ends, np.uint64))
        lines = "".join(f"{word}\n" for word in (map(escaped, words) if _ESCAPED.search("".join(words)) else words))
        yield Piece(lines.encode(), columns, small(counts), small(lengths))


def _counted(tokens: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Columns that each document holds, ascending, how often each, and how many; of the column of every token."""
    documents = np.repeat(np.arange(len(ends) - 1, dtype=np.uint64), np.diff(ends.astype(np.int64)))
    documents <<= np.uint64(32)
    documents |= tokens
    documents.sort()
    first = np.flatnonzero(np.diff(documents, prepend=~documents[:1]))
    counts = np.diff(first, append=documents.size)
    columns = documents[first]
    lengths = np.bincount((columns >> np.uint64(32)).astype(np.int64), minlength=len(ends) - 1)
    return (columns & np.uint64(0xFFFFFFFF)).astype(np.uint32), counts, lengths


def small(values: np.ndarray) -> np.ndarray:
    """Whole numbers from 0 on, in the smallest type that holds them."""
    return values.astype(np.min_scalar_type(values.max(initial=0)))


def escaped(word: str) -> str:
    """A word without line breaks, which n-grams of characters may hold; with one behind each, they sort as words do."""
    return _ESCAPED.sub(lambda match: _MARK + chr(_ABOVE + ord(match.group())), word)


def unescaped(word: str) -> str:
    """The word that ``escaped`` gives."""
    return re.sub(f"{_MARK}(.)", lambda match: chr(ord(match.group(1)) - _ABOVE), word) if _MARK in word else word


def _whole(text: str) -> tuple[str]:
    return (text,)


def _parts(text: str) -> Iterator[str]:
    """A text, a long one in parts that end where a word ends."""
    start = 0
    while len(text) - start > _PART and (space := _SPACE.search(text, start + _PART)):
        yield text[start : space.start()]
        start = space.start()
    yield text[start:] if start else text


def _merge(pieces: list, min_df: int, max_terms: int | None) -> tuple[bytearray, list[np.ndarray]]:
    """The words of the training pieces, a line each, and each piece's columns in it; -1 for a word that is left out."""
    columns = [np.full(piece.words.count(b"\n"), -1, np.int32) for _, piece in pieces]
    frequencies = [
        np.bincount(piece.columns, minlength=len(own)) if training and min_df > 1 else None
        for (training, piece), own in zip(pieces, columns, strict=True)
    ]
    places = [0] * len(pieces)
    vocabulary, size = bytearray(), 0
    streams = (zip(io.BytesIO(piece.words), itertools.repeat(index)) for index, (_, piece) in enumerate(pieces))
    for word, group in itertools.groupby(heapq.merge(*streams), itemgetter(0)):
        having = [index for _, index in group]
        documents = sum(
            1 if frequencies[index] is None else int(frequencies[index][places[index]])
            for index in having
            if pieces[index][0]
        )
        keep = documents >= min_df
        for index in having:
            if keep:
                columns[index][places[index]] = size
            places[index] += 1
        if keep:
            vocabulary += word
            size += 1
            if max_terms is not None and size > max_terms:
                raise TooManyTermsError(max_terms)
    return vocabulary, columns


def assemble(pieces: list[Piece], columns: list[np.ndarray], n_terms: int) -> sparse.csr_array:
    """One matrix of pieces, which are let go one by one."""
    held = sum(int(np.count_nonzero(own[piece.columns] >= 0)) for piece, own in zip(pieces, columns, strict=True))
    indices, data = np.empty(held, np.int32), np.empty(held, np.int32)
    starts = [np.zeros(1, np.int64)]
    at = 0
    for number, own in enumerate(columns):
        piece, pieces[number] = pieces[number], None
        found = own[piece.columns]
        kept = found >= 0
        ends = np.append(0, np.cumsum(kept))[np.cumsum(piece.lengths, dtype=np.int64)]
        indices[at : at + kept.sum()] = found[kept]
        data[at : at + kept.sum()] = piece.counts[kept]
        starts.append(at + ends)
        at += int(kept.sum())
    indptr = np.concatenate(starts)
    matrix = sparse.csr_array(
        (data, indices, indptr.astype(np.int32) if at < 2**31 else indptr), shape=(len(indptr) - 1, n_terms)
    )
    matrix.sort_indices()
    return matrix

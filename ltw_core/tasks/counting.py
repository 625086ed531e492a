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

PIECE_TERMS = 50_000  # different terms, some 10 MB
PIECE_COUNTS = 1_000_000
_PART = 100_000  # characters that are taken apart at a time: the words of a long text are many small objects
_SPACE = re.compile(r"\s")


class TooManyTermsError(ValueError):
    """More different terms than were allowed."""


class Counts(NamedTuple):
    """Terms of training documents and their counts.

    ``vocabulary`` is their UTF-8, sorted, a line each; ``train`` and ``test`` are csr_array of int32, shape (documents,
    terms), in canonical format.
    """

    vocabulary: bytes
    train: sparse.csr_array
    test: sparse.csr_array


def count(
    train: Iterable[str],
    test: Iterable[str],
    analyse: Callable[[str], list[str]],
    *,
    min_df: int = 1,
    max_terms: int | None = None,
) -> Counts:
    """Count the terms of documents; those of test documents that no training document holds are left out.

    Parameters
    ----------
    analyse : callable
        The terms of a text, none of which holds a line break or reaches over white space.
    min_df : int
        Terms in fewer training documents are left out.
    max_terms : int, optional
        Most different terms.

    Raises
    ------
    TooManyTermsError
    """
    pieces = [(True, piece) for piece in _pieces(train, analyse)]
    learned = len(pieces)
    pieces += [(False, piece) for piece in _pieces(test, analyse)]
    vocabulary, columns = _merge(pieces, min_df, max_terms)
    n_terms = vocabulary.count(b"\n")
    parts = [piece for _, piece in pieces]
    del pieces
    second = _assemble(parts[learned:], columns[learned:], n_terms)
    del parts[learned:]
    return Counts(vocabulary[:-1], _assemble(parts, columns[:learned], n_terms), second)


class _Piece(NamedTuple):
    """Some documents with terms of their own: sorted words, and for each document those that it holds."""

    words: bytes  # UTF-8, a line each
    columns: np.ndarray  # number of the word, document by document
    counts: np.ndarray
    lengths: np.ndarray  # words that a document holds


def _pieces(documents: Iterable[str], analyse: Callable[[str], list[str]]) -> Iterator[_Piece]:
    documents = iter(documents)
    while (first := next(documents, None)) is not None:
        known: defaultdict[str, int] = defaultdict(itertools.count().__next__)
        held, numbers, sizes = array("I"), array("I"), array("I")
        for text in itertools.chain([first], documents):
            found: defaultdict[int, int] = defaultdict(int)
            for part in _parts(text):
                for term in analyse(part):
                    found[known[term]] += 1
            held.extend(found)
            numbers.extend(found.values())
            sizes.append(len(found))
            if len(known) > PIECE_TERMS or len(held) + len(sizes) > PIECE_COUNTS:
                break
        columns, counts, lengths = (np.frombuffer(some, np.uint32) for some in (held, numbers, sizes))
        words = sorted(known)
        place = np.empty(len(words), np.uint32)
        place[[known[word] for word in words]] = np.arange(len(words))
        yield _Piece("".join(f"{word}\n" for word in words).encode(), place[columns], _small(counts), _small(lengths))


def _small(values: np.ndarray) -> np.ndarray:
    return values.astype(np.min_scalar_type(values.max(initial=0)))


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


def _assemble(pieces: list[_Piece], columns: list[np.ndarray], n_terms: int) -> sparse.csr_array:
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

"""A collection in four curves: how its vocabulary grows, how frequencies fall, how long documents are, how labels meet.

All from counts and labels, none from texts. Leaves out the fit of a law beyond a straight line in log-log coordinates,
which is for the eye and no test of the law.
"""

from typing import NamedTuple

import numpy as np
from scipy import sparse


class Growth(NamedTuple):
    """Vocabulary growth, and Heaps' law through it: terms ≈ factor · occurrences**exponent."""

    occurrences: np.ndarray  # read so far, increasing
    terms: np.ndarray  # distinct ones among them
    factor: float
    exponent: float


class Zipf(NamedTuple):
    """Frequencies by rank, and the line through the middle ranks: frequency ≈ factor · rank**-exponent."""

    rank: np.ndarray  # 1, …
    frequency: np.ndarray  # occurrences in the collection, falling
    factor: float
    exponent: float


class Overlap(NamedTuple):
    """Which classes share documents."""

    classes: np.ndarray  # indices of the classes, largest first
    documents: np.ndarray  # (classes, classes) how many have both labels; a class's size on the diagonal
    share: np.ndarray  # (classes, classes) of the row's class, the part that also has the column's class


def vocabulary_growth(counts, points: int = 200) -> Growth:
    """Distinct terms after ever more documents, in their order.

    Parameters
    ----------
    counts : sparse array of counts, shape (documents, terms)
    points : int
        Upper limit on their number; they are evenly spaced along the documents.
    """
    counts = sparse.csr_array(counts)
    n_documents = counts.shape[0]
    if n_documents == 0 or counts.nnz == 0:
        return Growth(np.zeros(0), np.zeros(0), float("nan"), float("nan"))
    # a term's first document, wherever its entries lie in the matrix
    document = np.repeat(np.arange(n_documents), np.diff(counts.indptr))
    first = np.full(counts.shape[1], n_documents)
    np.minimum.at(first, counts.indices, document)
    new = np.bincount(first[first < n_documents], minlength=n_documents)
    length = np.asarray(counts.sum(axis=1)).ravel()
    at = np.unique(np.linspace(0, n_documents - 1, min(points, n_documents)).round().astype(int))
    occurrences, terms = np.cumsum(length)[at].astype(float), np.cumsum(new)[at].astype(float)
    factor, exponent = _line(occurrences, terms)
    return Growth(occurrences, terms, factor, exponent)


def zipf(counts, points: int = 400) -> Zipf:
    """Frequency by rank, thinned evenly on the logarithm of the rank.

    The line is fitted through the ranks from 10 to a tenth of the vocabulary: stop words are left out above, and the
    many terms that occur once or twice bend it below.
    """
    frequency = np.sort(np.asarray(sparse.csr_array(counts).sum(axis=0)).ravel())[::-1]
    frequency = frequency[frequency > 0].astype(float)
    if not frequency.size:
        return Zipf(np.zeros(0), np.zeros(0), float("nan"), float("nan"))
    rank = np.unique(np.geomspace(1, frequency.size, min(points, frequency.size)).round().astype(int))
    middle = np.unique(np.geomspace(min(10, frequency.size), max(frequency.size // 10, 1), 100).round().astype(int))
    factor, exponent = _line(middle.astype(float), frequency[middle - 1])
    return Zipf(rank.astype(float), frequency[rank - 1], factor, -exponent)


def document_lengths(counts) -> tuple[np.ndarray, np.ndarray]:
    """Occurrences and distinct terms of each document, two arrays of shape (documents,)."""
    counts = sparse.csr_array(counts)
    return np.asarray(counts.sum(axis=1)).ravel(), np.diff(counts.indptr)


def label_overlap(labels, most: int = 25) -> Overlap:
    """Documents that two classes share.

    Parameters
    ----------
    labels : sparse array of 0/1, shape (documents, classes)
    most : int
        How many of the largest classes are taken.
    """
    labels = sparse.csr_array(labels).astype(np.int64)
    sizes = np.asarray(labels.sum(axis=0)).ravel()
    classes = np.argsort(-sizes, kind="stable")[:most]
    chosen = labels[:, classes]
    documents = np.asarray((chosen.T @ chosen).todense())
    return Overlap(classes, documents, documents / np.maximum(np.diagonal(documents)[:, None], 1))


def labels_a_document(labels) -> np.ndarray:
    """How many documents have 0, 1, 2, … labels."""
    return np.bincount(np.diff(sparse.csr_array(labels).indptr))


def _line(x: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Factor and exponent of y ≈ factor · x**exponent by least squares on the logarithms; nan without two points."""
    if np.unique(x).size < 2:
        return float("nan"), float("nan")
    exponent, intercept = np.polyfit(np.log(x), np.log(y), 1)
    return float(np.exp(intercept)), float(exponent)

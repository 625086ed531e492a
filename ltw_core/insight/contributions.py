"""What terms contribute to documents under a weighting: their share of the documents' squared length.

A weight alone does not say how much a term matters: on Reuters' *corn* thirty terms that occur once have the largest
weight of all, and each is in one document of 181. A document's vector has a length; each of its terms has the square
of its entry as share of that length's square. Averaged over the documents of a class these shares sum to 1. Terms that
a weighting cannot tell apart, because they have the same weight and counts, can be put together. Leaves out what a
classifier makes of the vectors (``evaluation``).
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

RARE = 3  # training documents: a term in fewer is called rare
NAMED = 3  # terms of a group that are named; of more only their number is told


@dataclass(frozen=True, eq=False)
class Contributions:
    """Share of the squared length of documents, one a term, summing to 1 where a document holds a term.

    Attributes
    ----------
    in_class, overall : ndarray of float64, shape (terms,)
        Averaged over the documents of the class, and over all.
    """

    in_class: np.ndarray
    overall: np.ndarray


def contributions(vectors, y) -> Contributions:
    """Shares of the terms in the squared length of weighted documents.

    Parameters
    ----------
    vectors : sparse, shape (documents, terms)
        Weighted; brought to unit length here, whatever length they have. Documents of length 0 are left out.
    y : array_like of bool, shape (documents,)

    Notes
    -----
    share of t = mean over documents d of x_dt² / Σ_s x_ds².
    """
    y = np.asarray(y, dtype=bool)
    vectors = sparse.csr_array(vectors)
    if vectors.shape[0] != y.size:
        raise ValueError(f"there are {vectors.shape[0]:,} documents and {y.size:,} labels; each document needs one")
    squares = np.square(vectors.data, dtype=np.float64)
    row_of = np.repeat(np.arange(y.size), np.diff(vectors.indptr))
    length = np.bincount(row_of, squares, minlength=y.size)
    shares = np.divide(squares, length[row_of], out=np.zeros_like(squares), where=length[row_of] > 0)
    held, of_class = length > 0, y[row_of]
    summed = [np.bincount(vectors.indices[m], shares[m], minlength=vectors.shape[1]) for m in (of_class, slice(None))]
    documents = [int(np.count_nonzero(held & y)), int(np.count_nonzero(held))]
    return Contributions(*(total / max(n, 1) for total, n in zip(summed, documents, strict=True)))


@dataclass(frozen=True, eq=False)
class TermGroup:
    """Terms with the same counts and the same weight: nothing in the weighting tells them apart.

    Attributes
    ----------
    terms : ndarray of int
        Their places, the largest contribution first.
    tp, fp : int
        Documents of the class that hold each of them, and other documents.
    weight : float
    share : float
        Of all of them together.
    """

    terms: np.ndarray
    tp: int
    fp: int
    weight: float
    share: float

    def name(self, names) -> str:
        """The terms where they are few, else how many they are: "1,456 terms with tp = 1, fp = 0"."""
        if self.terms.size <= NAMED:
            return ", ".join(str(names[k]) for k in self.terms)
        return f"{self.terms.size:,} terms with tp = {self.tp:,}, fp = {self.fp:,}"


def term_groups(share, weights, statistics, *, rare: bool = True, count: int | None = None) -> list[TermGroup]:
    """Terms by what they contribute, most first; ties are one entry.

    Parameters
    ----------
    share, weights : array_like, shape (terms,)
    statistics : TermStatistics
    rare : bool
        Whether terms that fewer than ``RARE`` training documents hold take part.
    count : int, optional
        So many groups; all without it.
    """
    share, weights = np.asarray(share, dtype=float), np.asarray(weights, dtype=float)
    if not share.shape == weights.shape == statistics.tp.shape:
        raise ValueError(f"{share.size:,} shares and {weights.size:,} weights are given for {len(statistics):,} terms")
    part = np.flatnonzero(statistics.document_frequency >= (0 if rare else RARE))
    if not part.size:
        return []
    scale = float(np.abs(weights).max()) or 1.0
    same = np.column_stack([statistics.tp[part], statistics.fp[part], np.round(weights[part] / scale, 6)])
    _, group = np.unique(same, axis=0, return_inverse=True)
    group = group.ravel()
    total = np.bincount(group, share[part])
    by_group = np.lexsort((part, -share[part], group))
    bounds = np.cumsum(np.bincount(group))[:-1]
    members = np.split(part[by_group], bounds)
    order = np.argsort(-total, kind="stable")[:count]
    return [
        TermGroup(
            terms=members[k],
            tp=int(statistics.tp[members[k][0]]),
            fp=int(statistics.fp[members[k][0]]),
            weight=float(weights[members[k][0]]),
            share=float(total[k]),
        )
        for k in order
    ]


def contributing(share, statistics, count: int = 30, *, rare: bool = False) -> np.ndarray:
    """Places of the terms that contribute most, most first; ties go to the earlier term.

    Parameters
    ----------
    share : array_like, shape (terms,)
    statistics : TermStatistics
    count : int
    rare : bool
        Whether terms that fewer than ``RARE`` training documents hold take part; where there are no others they do.
    """
    share = np.asarray(share, dtype=float)
    often = statistics.document_frequency >= RARE
    if not rare and often.any():
        share = np.where(often, share, -1.0)
    order = np.argsort(-share, kind="stable")[:count]
    return order[share[order] >= 0]


def estimated_share(weights, statistics) -> np.ndarray:
    """The same share in the class's documents where these are not at hand, from counts alone, shape (terms,).

    Every document is taken to hold a term once or not at all, and to be as long as any other: tp · weight², of their
    sum.
    """
    squares = statistics.tp * np.square(np.asarray(weights, dtype=float))
    total = float(squares.sum())
    return squares / total if total > 0 else squares


def out_of_view(share, statistics, inside, count: int = 30) -> np.ndarray:
    """Places of those of the terms that contribute most which a figure leaves out, most first.

    Parameters
    ----------
    share : array_like, shape (terms,)
    statistics : TermStatistics
    inside : ndarray of bool, shape (terms,)
        Whether a term lies in what is drawn.
    count : int
        So many of the most contributing terms are looked at.
    """
    first = contributing(share, statistics, count)
    return first[~np.asarray(inside, dtype=bool)[first]]

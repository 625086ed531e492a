"""Average ranks of weightings over ⟨corpus, learner⟩ pairs, Friedman's test and Nemenyi's critical difference.

References
----------
J. Demšar: Statistical comparisons of classifiers over multiple data sets. JMLR 7:1–30, 2006, section 3.2.
"""

from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used


class Ranks(NamedTuple):
    """What ``average_ranks`` found.

    Attributes
    ----------
    average : ndarray, shape (methods,)
        1 is best; equal scores share the mean of their ranks.
    critical_difference : float
        Two methods differ where their average ranks lie further apart.
    p : float
        Of Friedman's test that all methods are alike; where it is not small, differences of single pairs mean nothing.
    pairs : int
    """

    average: np.ndarray
    critical_difference: float
    p: float
    pairs: int


def average_ranks(scores, alpha: float = 0.05) -> Ranks:
    """Rank methods on each pair by their scores (higher is better) and average.

    Parameters
    ----------
    scores : array-like, shape (methods, pairs)
        At least three methods and two pairs, none missing.
    alpha : float

    Raises
    ------
    ValueError
    """
    scores = np.round(np.asarray(scores, dtype=np.float64), 12)  # binary fractions must not tell equal scores apart
    if scores.ndim != 2 or scores.shape[0] < 3 or scores.shape[1] < 2:
        raise ValueError(
            f"scores have shape {scores.shape}; ranks need at least 3 methods (rows) and 2 pairs (columns)"
        )
    if not np.isfinite(scores).all():
        raise ValueError("A score is missing (NaN or infinite): leave that pair out for all methods")
    ranks = scipy.stats.rankdata(-scores, axis=0)
    k, n = scores.shape
    alike = (ranks == ranks[0]).all()
    return Ranks(
        average=ranks.mean(axis=1),
        critical_difference=critical_difference(k, n, alpha),
        p=1.0 if alike else float(scipy.stats.friedmanchisquare(*scores).pvalue),
        pairs=n,
    )


def critical_difference(methods: int, pairs: int, alpha: float = 0.05) -> float:
    """Nemenyi's: q_α · √(k(k+1) / 6N), q_α the studentized range with infinite degrees of freedom over √2."""
    q = scipy.stats.studentized_range.ppf(1 - alpha, methods, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(methods * (methods + 1) / (6 * pairs)))


def cliques(ranks: Ranks) -> list[tuple[float, float]]:
    """Spans of average ranks within which no two methods differ: the bars of a critical-difference diagram.

    Only spans that no other one covers, and of two methods at least.
    """
    at = np.sort(ranks.average)
    spans: list[tuple[float, float]] = []
    for i, low in enumerate(at):
        j = np.searchsorted(at, low + ranks.critical_difference, side="right") - 1
        if j > i and (not spans or at[j] > spans[-1][1]):
            spans.append((float(low), float(at[j])))
    return spans

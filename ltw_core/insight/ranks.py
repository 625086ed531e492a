"""How the order of the same terms changes from one weighting to another: the numbers of a bump chart.

Leaves out by how much weights differ: a monotone transform changes no rank.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used


class RankChanges(NamedTuple):
    """The chosen terms under every weighting; both arrays have shape (weightings, chosen terms)."""

    names: tuple[str, ...]
    positions: np.ndarray  # 1, 2, … among the chosen terms
    ranks: np.ndarray  # 1, 2, … among all terms of the class; terms of equal weight share the best rank


def strongest(weights, count: int = 30) -> np.ndarray:
    """Indices of the terms with the largest weights, strongest first; ties go to the earlier term."""
    return np.argsort(-np.asarray(weights, dtype=float), kind="stable")[:count]


def rank_changes(weights: Mapping, chosen) -> RankChanges:
    """Ranks of some terms under several weightings, the largest weight first.

    Parameters
    ----------
    weights : mapping of str to array_like, shape (F,)
        All terms' weights under every weighting, in canonical sign.
    chosen : array_like of int
        Indices of the terms to follow. Where a weighting makes them equal they keep this order.
    """
    chosen = np.asarray(chosen, dtype=int)
    positions, ranks = [], []
    for name, values in weights.items():
        values = np.asarray(values, dtype=float)
        if chosen.size and (chosen.min() < 0 or chosen.max() >= values.size):
            raise ValueError(f"{name} has {values.size} weights; there is no term number {chosen.max()}")
        ranks.append(scipy.stats.rankdata(-values, method="min")[chosen])
        order = np.argsort(-values[chosen], kind="stable")
        position = np.empty(chosen.size, dtype=int)
        position[order] = np.arange(1, chosen.size + 1)
        positions.append(position)
    shape = (len(weights), chosen.size)
    return RankChanges(tuple(weights), np.array(positions).reshape(shape), np.array(ranks).reshape(shape))

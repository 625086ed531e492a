"""Terms that share a place (tpr, fpr), and how differently they are weighted: what a function of the place cannot do.

A local variant gives such terms one weight. A global one has a weight for each; how much of its variation lies within
places says how far it is from being a function of (tpr, fpr) at all.
"""

from typing import NamedTuple

import numpy as np


class Sharing(NamedTuple):
    """``within`` is the part of the weights' variance that lies among terms of one place, between 0 and 1."""

    places: int
    sharing: int  # terms that are not alone at their place
    within: float


def sharing(cd, tp, fp) -> Sharing:
    """Compare weights within places to weights overall.

    Parameters
    ----------
    cd : array_like, shape (F,)
    tp, fp : array_like of int, shape (F,)
        Counts of the contingency table; equal counts are one place.
    """
    cd = np.asarray(cd, dtype=float)
    pairs = np.stack([np.asarray(tp), np.asarray(fp)], axis=1)
    if len(pairs) != cd.size:
        raise ValueError(f"there are {cd.size} weights and {len(pairs)} places")
    if not cd.size:
        return Sharing(0, 0, 0.0)
    _, place, size = np.unique(pairs, axis=0, return_inverse=True, return_counts=True)
    place = place.ravel()
    mean = np.bincount(place, cd) / size
    total = ((cd - cd.mean()) ** 2).sum()
    within = float(((cd - mean[place]) ** 2).sum() / total) if total > 0 else 0.0
    return Sharing(len(size), int(size[size > 1].sum()), within)

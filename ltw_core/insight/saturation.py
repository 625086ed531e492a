"""Whether the σ of a learned weighting has saturated: its terms then weigh nearly the same, and learn no more."""

from typing import NamedTuple

import numpy as np


class Saturation(NamedTuple):
    """``share`` of the terms, between 0 and 1, has a weight that is almost ``level``, 0 or 1."""

    share: float
    level: int


def saturation(cd, near: float = 1e-3) -> Saturation:
    """At which end of σ most of the terms lie that lie at an end.

    Parameters
    ----------
    cd : array_like, shape (F,)
        Raw weights of a variant with a sigmoid, between 0 and 1. Where σ(x) is within ``near`` of an end its slope,
        σ(x)·(1 - σ(x)), is below ``near``, at most a 250th of what it is in the middle.
    near : float in (0, .5)
    """
    cd = np.asarray(cd, dtype=float)
    if not cd.size:
        return Saturation(0.0, 1)
    low, high = float(np.mean(cd < near)), float(np.mean(cd > 1 - near))
    return Saturation(low, 0) if low > high else Saturation(high, 1)

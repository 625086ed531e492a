"""Coordinates in which a local network sees a term's rates: as they are (the paper's), or on a logarithmic scale.

Nine terms in ten of a published corpus lie below a tpr of .1 and a fpr of .05, where a network of linear inputs sees
nearly one point. ``log`` spreads them: x ↦ log(1 + 100 x) / log 101, which maps [0, 1] onto itself. What a weighting is
drawn and compared in is not touched by that: its surface is a function of tpr and fpr either way.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

STRETCH = 100.0


class Coordinates(NamedTuple):
    """A strictly rising map of [0, 1] onto itself, and its inverse; both take and give arrays of any shape."""

    forward: Callable[[np.ndarray], np.ndarray]
    back: Callable[[np.ndarray], np.ndarray]


def _same(x):
    return x


def _log(x):
    return np.log1p(STRETCH * np.asarray(x, dtype=float)) / np.log1p(STRETCH)


def _log_back(x):
    return np.expm1(np.asarray(x, dtype=float) * np.log1p(STRETCH)) / STRETCH


COORDINATES = {"linear": Coordinates(_same, _same), "log": Coordinates(_log, _log_back)}

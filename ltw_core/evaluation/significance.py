"""Wilcoxon's signed-rank test over pairs of results, and the paper's daggers."""

import numpy as np
import scipy  # its parts are imported when they are used

LEVELS = ((0.005, "††"), (0.05, "†"))


def p_value(one, other) -> float:
    """Two-sided Wilcoxon signed-rank test of paired scores; 1 where all pairs are equal.

    Equal pairs are left out. The distribution is exact where neither equal pairs nor tied ranks occur, else the normal
    approximation, as SciPy decides by itself and as the paper's daggers need.

    Parameters
    ----------
    one, other : array-like, shape (pairs,)
        Scores of two weightings for the same ⟨dataset, learner⟩ pairs, in the same order.

    References
    ----------
    The paper's section "Statistical Significance".
    """
    difference = _difference(one, other)
    return float(scipy.stats.wilcoxon(difference).pvalue) if difference.any() else 1.0


def dagger(one, other) -> str:
    """ "††" where ``one`` is better than ``other`` at the level .005, "†" at .05, else "".

    Better means that the ranks of its wins outweigh those of its losses. Parameters as for ``p_value``.
    """
    p = p_value(one, other)
    difference = _difference(one, other)
    difference = difference[difference != 0]
    balance = np.sum(np.sign(difference) * scipy.stats.rankdata(np.abs(difference)))
    return next((mark for level, mark in LEVELS if p < level), "") if balance > 0 else ""


def _difference(one, other):
    """Pairwise differences. Scores given to three digits tie; binary fractions must not tell them apart."""
    one, other = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if one.shape != other.shape or one.ndim != 1 or not one.size:
        raise ValueError(f"The scores have shapes {one.shape} and {other.shape}; they must be paired, one row each")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise ValueError("A score is missing (NaN or infinite): leave that pair out of both")
    return np.round(one - other, 12)

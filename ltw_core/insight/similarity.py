"""Which known function a weighting resembles: best proportional fit and rank correlation over the terms.

Proportional, not affine: a factor leaves the normalised document vectors as they are, an added constant does not.
Every term counts by its document frequency, as it does in the vectors. Leaves out the surface where no terms lie.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy  # its parts are imported when they are used


@dataclass(frozen=True)
class Similarity:
    """One line of the comparison: ``cd`` against one known function."""

    name: str
    factor: float
    r2: float
    spearman: float


def similarity(cd, known: Mapping, document_frequency=None) -> list[Similarity]:
    """Compare a weighting with known functions over the same terms, nearest (highest R²) first.

    Parameters
    ----------
    cd : array_like, shape (F,)
        The weighting, in canonical sign.
    known : mapping of str to array_like, shape (F,)
        Weights of the same terms under the functions to compare with.
    document_frequency : array_like, shape (F,), optional
        Weight of a term in fit and correlation; equal weights without it.

    Returns
    -------
    list of Similarity
        ``factor`` of the best fit ``cd ~ factor * function``; ``r2`` = 1 - residual / Σ cd² (about zero, since the fit
        has no constant; 1 is equality up to a factor, 0 is no better than nothing); weighted Spearman correlation,
        0 where either side is constant.
    """
    cd = np.asarray(cd, dtype=float)
    weight = np.ones_like(cd) if document_frequency is None else np.asarray(document_frequency, dtype=float)
    ranks = scipy.stats.rankdata(cd)
    rows = []
    for name, other in known.items():
        other = np.asarray(other, dtype=float)
        if other.shape != cd.shape:
            raise ValueError(f"{name} has weights of shape {other.shape}, the weighting has {cd.shape}")
        factor, r2 = _proportional(cd, other, weight)
        rows.append(Similarity(name, factor, r2, _correlation(ranks, scipy.stats.rankdata(other), weight)))
    return sorted(rows, key=lambda row: -row.r2)


class SimilarityOverSteps(NamedTuple):
    """Similarity at every snapshot of a training run; the arrays have shape (snapshots, functions)."""

    names: tuple[str, ...]
    r2: np.ndarray  # 0 where the best factor is negative: an opposite is not alike
    spearman: np.ndarray


def similarity_over_steps(snapshots: Iterable, known: Mapping, document_frequency=None) -> SimilarityOverSteps:
    """``similarity`` of every snapshot, functions in the order of ``known``; parameters as there."""
    r2, spearman = [], []
    for cd in snapshots:
        found = {row.name: row for row in similarity(cd, known, document_frequency)}
        r2.append([found[name].r2 if found[name].factor > 0 else 0.0 for name in known])
        spearman.append([found[name].spearman for name in known])
    shape = (len(r2), len(known))
    r2, spearman = (np.array(values, dtype=float).reshape(shape) for values in (r2, spearman))
    return SimilarityOverSteps(tuple(known), r2, spearman)


def _proportional(cd: np.ndarray, other: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    square, total = weight @ other**2, weight @ cd**2
    if square == 0 or total == 0:
        return 0.0, 0.0
    product = weight @ (cd * other)
    return float(product / square), float(product**2 / (square * total))


def _correlation(a: np.ndarray, b: np.ndarray, weight: np.ndarray) -> float:
    total = weight.sum()
    if total <= 0:
        return 0.0
    a, b = a - weight @ a / total, b - weight @ b / total
    spread = np.sqrt((weight @ a**2) * (weight @ b**2))
    return float(np.clip(weight @ (a * b) / spread, -1, 1)) if spread > 1e-12 * total else 0.0

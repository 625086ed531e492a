"""What several seeds have in common: the mean of their weightings, and how far they spread about it.

Raw weights cannot be averaged: their scale is arbitrary and, in the I variants, their sign too (over six seeds of one
class the raw means were -4.3, 7.7, -3.3, 4.6, -1.2 and 5.7). Each seed is brought into canonical sign and scale over
the terms first, and its surface is multiplied with the same factor. Where each term's sign is free on its own (LTW-G-I)
magnitudes are averaged. Curves are averaged over the seeds that are still training at a step. Leaves out tests of
significance: a handful of seeds shows what is chance to the eye, not more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ltw_core.weighting.canonical import canonical


@dataclass(frozen=True, eq=False)
class Agreement:
    """Seeds of one weighting over the same terms, in canonical form.

    Attributes
    ----------
    factors : ndarray, shape (seeds,)
        What each seed's raw weights, and its surface, are multiplied with.
    weights : ndarray, shape (seeds, terms)
    mean, spread : ndarray, shape (terms,)
        Mean, and standard deviation over the seeds (n - 1 in the denominator; 0 with a single seed).
    shared : float
        Share of the seeds' squared weights that their mean explains, each term counted by its document frequency:
        1 if all seeds are the same, near 1 / seeds if they have nothing in common.
    """

    factors: np.ndarray
    weights: np.ndarray
    mean: np.ndarray
    spread: np.ndarray
    shared: float


def agreement(cds, tpr, fpr, document_frequency, *, magnitude: bool = False) -> Agreement:
    """Compare what several seeds learned.

    Parameters
    ----------
    cds : array_like, shape (seeds, terms)
        Raw weights, one row a seed.
    tpr, fpr, document_frequency : array_like, shape (terms,)
    magnitude : bool
        Average absolute values (LTW-G-I).

    Raises
    ------
    ValueError
        There is no seed, or shapes do not agree.
    """
    cds = np.asarray(cds, dtype=float)
    if cds.ndim != 2 or not len(cds):
        raise ValueError(f"cds must have one row of weights a seed, got shape {cds.shape}")
    frequency = np.asarray(document_frequency, dtype=float)
    factors = np.array([canonical(cd, tpr, fpr, frequency) for cd in cds])
    weights = factors[:, None] * cds
    if magnitude:
        weights = np.abs(weights)
    mean, spread = spread_of(weights)
    total = float((frequency * weights**2).sum()) / len(weights)
    shared = float(frequency @ mean**2) / total if total > 0 else 1.0
    return Agreement(factors, weights, mean, spread, shared)


def spread_of(values) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation over the first axis (seeds): of weights, or of surfaces times their ``factors``."""
    values = np.asarray(values, dtype=float)
    spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1:])
    return values.mean(axis=0), spread


def mean_curve(histories: Sequence) -> list[tuple[int, float, float]]:
    """Mean training curve of several seeds.

    Parameters
    ----------
    histories : sequence of sequences of (step, loss, validation F1)

    Returns
    -------
    list of (step, loss, validation F1)
        At every step that at least half of the seeds reached; means over those that did. Seeds that stop early are
        the ones that have converged, so the mean of what is left of few would say nothing of the others.
    """
    at: dict[int, list[tuple[float, float]]] = {}
    for history in histories:
        for step, loss, score in history:
            at.setdefault(int(step), []).append((np.nan if loss is None else loss, np.nan if score is None else score))
    curve = []
    for step in sorted(at):
        if 2 * len(at[step]) >= len(histories):
            loss, score = np.mean(at[step], axis=0)
            curve.append((step, float(loss), float(score)))
    return curve

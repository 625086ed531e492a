"""Canonical sign and scale of a collection-dependent factor.

After L2 normalisation of the document vectors a ``cd`` means something only up to a positive factor, and, where a
learned classifier can flip with it, up to its sign. Whatever is drawn, compared or averaged is brought into one form
first: positively correlated terms (tpr > fpr) get positive weight on balance, and the root mean square over terms is 1,
both weighted by document frequency. On that balance a term also counts by how much its tpr exceeds its fpr: otherwise
the common words that lean towards the class by chance outvote the words that make it (seen on the docstrings of
``scipy.stats``, where *distribution* and *probability* came out negative). Leaves out any per-term sign: where each
term's sign is free on its own (LTW-G-I) show magnitudes.
"""

import numpy as np


def canonical(cd, tpr, fpr, document_frequency) -> float:
    """The factor that brings a ``cd`` into canonical form.

    Parameters
    ----------
    cd, tpr, fpr : array_like, shape (F,)
        One weight, true-positive rate and false-positive rate a term.
    document_frequency : array_like, shape (F,)
        Documents that hold the term, or what is proportional to them, as ``p * tpr + (1 - p) * fpr``.

    Returns
    -------
    float
        Multiply ``cd`` (and its surface) by it. 1.0 where every weight is zero.
    """
    cd = np.asarray(cd, dtype=float)
    tpr = np.asarray(tpr, dtype=float)
    fpr = np.asarray(fpr, dtype=float)
    frequency = np.asarray(document_frequency, dtype=float)
    if not cd.shape == tpr.shape == fpr.shape == frequency.shape:
        raise ValueError(
            f"cd, tpr, fpr and document_frequency must have one shape, got {cd.shape}, {tpr.shape}, {fpr.shape}, "
            f"{frequency.shape}"
        )
    if not np.isfinite(cd).all():
        raise ValueError(f"cd has {np.count_nonzero(~np.isfinite(cd))} weights that are not finite")
    total = frequency.sum()
    if cd.size == 0 or total <= 0:
        return 1.0
    size = np.abs(cd).max()
    if size == 0:
        return 1.0
    rms = size * np.sqrt(frequency @ (cd / size) ** 2 / total)  # squares of tiny weights would underflow
    if rms == 0:
        return 1.0
    positive = tpr > fpr
    balance = (frequency * (tpr - fpr))[positive] @ cd[positive]
    return float((-1.0 if balance < 0 else 1.0) / rms)


def canonical_weights(cd, tpr, fpr, document_frequency, *, magnitude=False) -> np.ndarray:
    """``cd`` in canonical form; with ``magnitude`` (for LTW-G-I) the absolute values, at the same scale."""
    weights = np.asarray(cd, dtype=float) * canonical(cd, tpr, fpr, document_frequency)
    return np.abs(weights) if magnitude else weights

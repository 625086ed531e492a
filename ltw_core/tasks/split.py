"""The fixed train/validation split of a problem of one class or of many, in which nothing is random: the order decides.
And samples for what need not see all of many documents."""

import math

import numpy as np
from scipy import sparse


def validation_mask(y, fraction: float = 0.2) -> np.ndarray:
    """Mark the rows that validate.

    Of the positives and of the negatives, each in the order given, the first ⌈(1 - fraction)·n⌉ train and the rest
    validate. With a fraction of .2, up to four positives all train and none is left for validation.

    Parameters
    ----------
    y : array-like of bool, shape (documents,)
    fraction : float in (0, 1)

    Returns
    -------
    ndarray of bool, shape (documents,)
        True where a row validates.

    References
    ----------
    The rule of the paper's authors (their published code); the paper says "20 % for validation".
    """
    if not 0 < fraction < 1:
        raise ValueError(f"fraction is {fraction}; it must lie between 0 and 1, both excluded")
    y = np.asarray(y, dtype=bool)
    mask = np.zeros(y.size, dtype=bool)
    for rows in (np.flatnonzero(y), np.flatnonzero(~y)):
        keep = math.ceil(round((1 - fraction) * rows.size, 9))  # .7 · 10 is 7.000000000000001 in floats
        mask[rows[keep:]] = True
    return mask


def validation_mask_of_all(labels, fraction: float = 0.2) -> np.ndarray:
    """Mark the rows that validate for all classes at once, by the rule of ``validation_mask`` in each class.

    Classes take their documents from the rarest to the commonest, then come the documents without a class; of those
    that none has taken yet, in the order given, the first ⌈(1 - fraction)·n⌉ train and the rest validate. So each
    document with one class is treated as in ``validation_mask``, and one with several goes with its rarest.

    Parameters
    ----------
    labels : sparse or dense array of 0/1, shape (documents, classes)
    fraction : float in (0, 1)

    Returns
    -------
    ndarray of bool, shape (documents,)
    """
    columns = sparse.csc_array(labels)
    sizes = np.diff(columns.indptr)
    group = np.full(columns.shape[0], -1)
    for j in np.argsort(-sizes, kind="stable"):  # the rarest last: it has the last word
        group[columns.indices[columns.indptr[j] : columns.indptr[j + 1]]] = j
    mask = np.zeros(columns.shape[0], dtype=bool)
    for j in np.unique(group):
        rows = np.flatnonzero(group == j)
        mask[rows] = validation_mask(np.ones(rows.size), fraction)
    return mask


def stratified_sample(strata, size: int, seed: int = 0) -> np.ndarray:
    """Rows drawn without replacement so that each stratum keeps its share, and none that there is goes without a row.

    Parameters
    ----------
    strata : array-like of int or bool, shape (rows,)
        The stratum of each row.
    size : int
        Rows to draw; all are taken where there are no more. Each stratum has at least one, so that it can be more by
        as many.
    seed : int
        The same draws the same rows.

    Returns
    -------
    ndarray of int, ascending
    """
    strata = np.asarray(strata)
    if size >= strata.size:
        return np.arange(strata.size)
    rng = np.random.default_rng(seed)
    taken = []
    for stratum in np.unique(strata):
        rows = np.flatnonzero(strata == stratum)
        taken.append(rng.choice(rows, max(1, round(size * rows.size / strata.size)), replace=False))
    return np.sort(np.concatenate(taken))

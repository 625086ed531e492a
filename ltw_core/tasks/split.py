"""The fixed train/validation split of a binary problem. Nothing here is random: the corpus's order decides."""

import math

import numpy as np


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

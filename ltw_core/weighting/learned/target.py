"""The function that pre-training fits cd_L to: a named cd function, scaled to [0, 1] over the unit square."""

import numpy as np

GRID = 201


def unit_target(name, prevalence, n_documents):
    """A cd function as ``f(tpr, fpr)`` in [0, 1].

    Parameters
    ----------
    name : str
        A name of ``ltw_core.weighting.functions.CD``.
    prevalence : float
    n_documents : int

    Raises
    ------
    ValueError
        There is no such function.
    """
    from ltw_core.weighting.functions import CD

    if name not in CD:
        raise ValueError(f"pretrain must be one of {', '.join(CD)}, not {name!r}")
    axis = np.linspace(0, 1, GRID)
    values = _finite(CD[name](axis[:, None], axis[None, :], prevalence, n_documents))
    low, high = float(values.min()), float(values.max())

    def target(tpr, fpr):
        value = _finite(CD[name](tpr, fpr, prevalence, n_documents))
        return np.clip((value - low) / (high - low), 0, 1) if high > low else np.full_like(value, 0.5)

    return target


def _finite(values):
    return np.nan_to_num(np.asarray(values, dtype=float), posinf=0.0, neginf=0.0)

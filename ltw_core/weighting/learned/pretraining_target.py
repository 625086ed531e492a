"""The function that pre-training fits cd_L to: a cd function or a formula, scaled to [0, 1] over the unit square."""

import numpy as np

GRID = 201


def pretraining_target(name, prevalence, n_documents, back=None):
    """A cd function as ``f(tpr, fpr)`` in [0, 1].

    Parameters
    ----------
    name : str
        What ``cd_function`` reads: a name of ``CD``, a formula ("tpr * (1 - fpr)"), or the ``Function.name`` of any
        function, such as a spline or ``Composed.function``.
    prevalence : float
    n_documents : int
    back : callable, optional
        Of ``coordinates``: gives the rates behind what the target is asked at.

    Raises
    ------
    ValueError
        There is no such function, or the formula cannot be read.
    """
    from ltw_core.weighting.formulas.lookup import cd_function
    from ltw_core.weighting.functions import CD

    try:
        function = cd_function(name)
    except ValueError as error:
        known = f"pretrain must be one of {', '.join(CD)}, or a formula of tpr and fpr"
        raise ValueError(f"{known}, not {name!r} ({error})") from error
    axis = np.linspace(0, 1, GRID)
    values = _finite(function(axis[:, None], axis[None, :], prevalence, n_documents))
    low, high = float(values.min()), float(values.max())

    def target(tpr, fpr):
        at = (tpr, fpr) if back is None else (back(tpr), back(fpr))
        value = _finite(function(*at, prevalence, n_documents))
        return np.clip((value - low) / (high - low), 0, 1) if high > low else np.full_like(value, 0.5)

    return target


def _finite(values):
    return np.nan_to_num(np.asarray(values, dtype=float), posinf=0.0, neginf=0.0)

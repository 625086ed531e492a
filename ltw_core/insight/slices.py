"""Lines through the (fpr, tpr) plane along which functions are compared."""

import numpy as np

ALONG = ("tpr", "fpr", "diagonal", "antidiagonal")


def slice_points(
    along: str, at: float = 0.01, size: int = 200, scale: str = "linear", floor: float = 1e-4, top: float = 1.0
):
    """Rates along a line.

    Parameters
    ----------
    along : {"tpr", "fpr", "diagonal", "antidiagonal"}
        The rate that runs; the other stands at ``at``, or equals it, or is 1 minus it.
    at : float in [0, 1]
    scale : {"linear", "log"}
        How the running rate is spaced; "log" starts at ``floor``.
    top : float in (0, 1]
        Where it ends.

    Returns
    -------
    running, tpr, fpr : ndarray, shape (size,)
    """
    if along not in ALONG:
        raise ValueError(f"along must be one of {', '.join(ALONG)}, got {along!r}")
    if not 0 <= at <= 1:
        raise ValueError(f"at must lie in [0, 1], got {at}")
    if scale not in ("linear", "log"):
        raise ValueError(f"scale must be linear or log, got {scale!r}")
    if not 0 < top <= 1 or (scale == "log" and not 0 < floor < top):
        raise ValueError(f"the rate must run upwards within (0, 1], not from {floor} to {top}")
    running = np.linspace(0, top, size) if scale == "linear" else np.geomspace(floor, top, size)
    other = {"tpr": np.full(size, at), "fpr": np.full(size, at), "diagonal": running, "antidiagonal": 1 - running}[
        along
    ]
    return (running, other, running) if along == "fpr" else (running, running, other)

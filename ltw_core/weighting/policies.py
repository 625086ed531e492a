"""Global policies: how the weights of a term for each class become one.

Leaves out where these weights come from (``global_weighting``).
"""

import numpy as np

POLICIES = {
    "max": "the class that it weighs most for",
    "mean": "the mean over the classes",
    "sum": "the sum over the classes, which is the mean but for a factor: at unit length both give the same vectors",
    "weighted": "the mean over the classes by their share of the documents",
}


def combine(weights, policy: str, prevalence) -> np.ndarray:
    """One weight a term of its weights for each class, by a policy.

    Parameters
    ----------
    weights : ndarray, shape (classes, terms)
    policy : a key of ``POLICIES``
    prevalence : ndarray, shape (classes,)
        Pr(c), for "weighted": Σ_j Pr(j)·w_j.

    Returns
    -------
    ndarray of float64, shape (terms,)
    """
    if policy == "max":
        return weights.max(axis=0)
    if policy == "weighted":
        return np.asarray(prevalence) @ weights
    return weights.sum(axis=0) if policy == "sum" else weights.mean(axis=0)

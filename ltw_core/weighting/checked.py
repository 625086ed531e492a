"""What ``fit`` and ``transform`` are given, checked: counts of documents, and labels of two classes."""

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from ltw_core.storage.file_schema import said
from ltw_core.tasks.split import validation_mask


def problem(estimator, X, y, what: str):
    """Counts, classes and positive documents of a binary problem, as ``fit`` is given them.

    Parameters
    ----------
    estimator : scikit-learn estimator
        Whose ``n_features_in_`` is set.
    X : sparse or dense array of counts ≥ 0, shape (documents, terms)
    y : array-like of two classes, shape (documents,)
    what : str
        What is learned from them, for the errors.

    Returns
    -------
    counts : csr_array of float64, shape (documents, terms)
    classes : ndarray, shape (2,)
    positive : ndarray of bool, shape (documents,)
        Where ``y`` has the second class.

    Raises
    ------
    ValueError
    """
    _refuse_texts(X)
    X, y = validate_data(estimator, X, y, accept_sparse="csr", dtype=np.float64)
    return csr_array(_counts(estimator, X)), *two_classes(y, what)


def documents(estimator, X, reset: bool = False):
    """Counts of documents as ``transform`` is given them, or with ``reset`` a ``fit`` that may do without labels.

    Returns
    -------
    csr matrix or array (as ``X``) of float64, shape (documents, terms)
    """
    _refuse_texts(X)
    return _counts(estimator, validate_data(estimator, X, accept_sparse="csr", dtype=np.float64, reset=reset))


def two_classes(y, what: str):
    """The classes of labels, shape (2,), and where they are the second one, shape (documents,).

    Raises
    ------
    ValueError
        For other than two classes; ``what`` needs them.
    """
    check_classification_targets(y)
    classes = np.unique(y)
    if classes.size == 1:
        raise ValueError(f"y has one class only ({said(classes[0])}); {what} needs two")
    if classes.size > 2:
        raise ValueError(f"Only binary classification is supported: y has {classes.size} classes, {what} needs two")
    return classes, y == classes[1]


def validation(mask, positive, fraction: float, seed: int | None = None) -> np.ndarray:
    """Which documents validate: those of the mask, or by the rule of the paper's authors.

    Parameters
    ----------
    mask : array-like of bool, shape (documents,), or None
    positive : ndarray of bool, shape (documents,)
    fraction : float in (0, 1)
    seed : int, optional
        Of the order in which the rule takes the documents; without it they are taken as they come.

    Raises
    ------
    ValueError
    """
    if mask is None:
        order = np.arange(positive.size) if seed is None else np.random.default_rng(seed).permutation(positive.size)
        mask = np.empty(positive.size, dtype=bool)
        mask[order] = validation_mask(positive[order], fraction)
        return mask
    mask = np.asarray(mask)
    if mask.dtype != bool or mask.shape != positive.shape:
        raise ValueError(
            f"validation must be a bool mask of shape {positive.shape}, not {mask.dtype} of shape {mask.shape}"
        )
    if mask.all():
        raise ValueError("validation marks every document; some must be left to learn from")
    return mask


def _refuse_texts(X):
    """Raise a sentence where texts are given and not their counts."""
    row = isinstance(X, list | tuple) or getattr(X, "ndim", 0) == 1  # also a Series of pandas
    first = next(iter(X), None) if row else X
    if isinstance(first, str | bytes):
        raise ValueError(
            "X holds texts, and a weighting takes their counts, a row a document and a column a term: count them with "
            "scikit-learn's CountVectorizer, a step before it in a Pipeline, or with ltw_core.tasks.vectorize"
        )


def _counts(estimator, X):
    counts = X if issparse(X) else csr_array(X)
    if counts.nnz and counts.data.min() < 0:
        name = type(estimator).__name__
        raise ValueError(f"Negative values in data passed to {name}: X must hold counts, at least 0")
    if not counts.has_canonical_format:
        counts = counts.copy()
        counts.sum_duplicates()
    return counts

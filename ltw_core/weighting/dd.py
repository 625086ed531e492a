"""Document-dependent factors dd as pure functions of a term's frequency in a document.

Every function takes arrays of one entry for each nonzero of a document × term matrix (or any arrays that broadcast):

``frequency``    f, occurrences of the term in the document, ≥ 0
``length``       dl, occurrences of all (selected) terms in that document, > 0 where f > 0
``mean_length``  avdl, the mean dl of the training documents, > 0

and is 0 where f = 0. The dd that LTW-TF learns is in ``learned``. "The paper" is Moreo, Esuli and Sebastiani,
*Learning to Weight for Text Classification*.
"""

import numpy as np


def raw(frequency, length=None, mean_length=None):
    """f itself.

    References
    ----------
    The paper's Equation 8.
    """
    return np.asarray(frequency, dtype=np.float64)


def one_plus_log(frequency, length=None, mean_length=None):
    """1 + ln f, and 0 at f = 0. Meant for counts: below f = 1/e it is negative.

    References
    ----------
    The paper's Equation 9.
    """
    frequency = np.asarray(frequency, dtype=np.float64)
    return np.where(frequency > 0, 1 + np.log(np.where(frequency > 0, frequency, 1.0)), 0.0)


def log1p(frequency, length=None, mean_length=None):
    """ln(1 + f).

    References
    ----------
    The paper's Equation 10.
    """
    return np.log1p(np.asarray(frequency, dtype=np.float64))


def binary(frequency, length=None, mean_length=None):
    """1 where the document holds the term, else 0."""
    return (np.asarray(frequency) > 0).astype(np.float64)


def bm25(frequency, length, mean_length, k1=1.2, b=0.75):
    """BM25's saturation, (k1 + 1)·f / (k1·((1 - b) + b·dl/avdl) + f), in [0, k1 + 1).

    Parameters
    ----------
    frequency, length, mean_length : array-like
    k1 : float ≥ 0
        How late further occurrences stop counting; at 0 the factor is binary.
    b : float in [0, 1]
        How much a document longer than the mean is held against it.

    References
    ----------
    Left-hand factor of the paper's Equation 2; Robertson and Zaragoza (2009), *The Probabilistic Relevance Framework*.
    """
    frequency = np.asarray(frequency, dtype=np.float64)
    relative = np.asarray(length, dtype=np.float64) / np.maximum(mean_length, np.finfo(np.float64).tiny)
    denominator = k1 * ((1 - b) + b * relative) + frequency
    return np.where(frequency > 0, (k1 + 1) * frequency / np.where(frequency > 0, denominator, 1.0), 0.0)


def log_relative(frequency, length, mean_length=None):
    """ln(1 + f/dl), the dd of Learning to Weight, in [0, ln 2].

    References
    ----------
    The paper's Equation 15.
    """
    frequency = np.asarray(frequency, dtype=np.float64)
    return np.log1p(frequency / np.where(frequency > 0, length, 1.0))

"""``TermWeighting``: dd · cd with a normalisation, as a scikit-learn transformer of sparse counts.

All unsupervised and supervised weightings of the paper's tables are settings of it (``methods``). Leaves out weightings
whose cd is learned (``learned``).
"""

from collections.abc import Iterator

import numpy as np
from sklearn.base import OneToOneFeatureMixin
from sklearn.preprocessing import normalize
from sklearn.utils.validation import column_or_1d

from ltw_core.storage.file_schema import said
from ltw_core.tasks.contingency import document_frequency, rates
from ltw_core.weighting import checked
from ltw_core.weighting.counts_transformer import CountsTransformer
from ltw_core.weighting.formulas.lookup import cd_function, dd_function, power
from ltw_core.weighting.function import Function

NORMS = ("l2", "l1", "max", None)
BLOCK = 1_000_000  # counts that are weighed at a time


class TermWeighting(OneToOneFeatureMixin, CountsTransformer):
    """Weight term counts by a document-dependent times a collection-dependent factor.

    Parameters
    ----------
    dd : str or Function
        Document-dependent factor, a key of ``DD``.
    cd : str or Function
        Collection-dependent factor: a key of ``CD``, or a formula such as ``"tpr / (tpr + fpr)"`` (``formulas``).
        One that tells the class apart (``supervised``) needs a ``y`` of two classes in ``fit``.
    norm : {"l2", "l1", "max", None}
        Normalisation of the document vectors.
    k1, b : float
        Parameters of the dd "bm25".
    power : float > 0
        The cd is raised to it.

    Attributes
    ----------
    cd_ : ndarray, shape (terms,)
        The collection-dependent weight of each term.
    mean_length_ : float
        Mean length of the training documents, in occurrences of the terms at hand.
    n_documents_ : int
    document_frequency_ : ndarray, shape (terms,)
    tpr_, fpr_ : ndarray, shape (terms,)
        With a supervised cd only, like the two below.
    prevalence_ : float
    classes_ : ndarray, shape (2,)
        The second one is the positive class.
    """

    def __init__(self, *, dd="1+log", cd="1", norm="l2", k1=1.2, b=0.75, power=1.0):
        self.dd = dd
        self.cd = cd
        self.norm = norm
        self.k1 = k1
        self.b = b
        self.power = power

    def fit(self, X, y=None):
        """Compute ``cd_`` and the mean length.

        Parameters
        ----------
        X : sparse or dense array of counts ≥ 0, shape (documents, terms)
        y : array-like of two classes, shape (documents,)
            Only looked at by a supervised cd.
        """
        _, cd = self.factors()
        X = checked.documents(self, X, reset=True)
        self.n_documents_ = X.shape[0]
        self.document_frequency_ = document_frequency(X)
        self.mean_length_ = float(X.sum() / X.shape[0])
        if cd.supervised:
            tpr, fpr, prevalence = self._contingency(X, y, cd)
        else:  # whatever the class, Pr(t) is all that counts
            tpr = fpr = self.document_frequency_ / self.n_documents_
            prevalence = 0.5
        weights = np.asarray(cd(tpr, fpr, prevalence, self.n_documents_), dtype=np.float64)
        self.cd_ = np.where(weights == 0, cd.floor, weights) if cd.floor else weights
        return self

    def weigh(self, X):
        """dd · cd of documents, normalised: csr matrix or array (as ``X``) of float64, shape (documents, terms)."""
        dd, _ = self.factors()
        lengths = np.asarray(X.sum(axis=1)).ravel()
        options = {"k1": self.k1, "b": self.b} if dd.name == "bm25" else {}
        data = np.empty(X.data.size)
        for rows in _blocks(X.indptr):  # a matrix of millions of counts is not held several times over
            ends = X.indptr[rows.start : rows.stop + 1]
            here = slice(ends[0], ends[-1])
            data[here] = dd(X.data[here], np.repeat(lengths[rows], np.diff(ends)), self.mean_length_, **options)
            data[here] *= self.cd_[X.indices[here]]
        weighted = type(X)((data, X.indices.copy(), X.indptr.copy()), shape=X.shape)  # X may be the caller's own
        weighted.eliminate_zeros()
        return weighted if self.norm is None else normalize(weighted, self.norm, copy=False)

    def factors(self) -> tuple[Function, Function]:
        """Its dd and its cd, the cd raised to the power.

        Raises
        ------
        ValueError
            For a setting that is not allowed.
        """
        if self.norm not in NORMS:
            raise ValueError(f"norm is {said(self.norm)}; it must be one of {', '.join(map(repr, NORMS))}")
        if not self.k1 >= 0:
            raise ValueError(f"k1 is {self.k1}; it must be at least 0")
        if not 0 <= self.b <= 1:
            raise ValueError(f"b is {self.b}; it must lie in [0, 1]")
        return dd_function(self.dd), power(cd_function(self.cd), self.power)

    def _contingency(self, X, y, cd):
        if y is None:
            raise ValueError(f"cd {cd.name!r} looks at the class: it requires y to be passed, but the target y is None")
        self.classes_, positive = checked.two_classes(column_or_1d(y), f"cd {cd.name!r}")
        found = rates(X, positive)
        self.tpr_, self.fpr_, self.prevalence_ = found.tpr, found.fpr, found.prevalence
        return self.tpr_, self.fpr_, self.prevalence_

    @property
    def needs_labels(self) -> bool:
        """Whether its cd tells the class apart."""
        try:
            return cd_function(self.cd).supervised
        except ValueError:  # fit's to report
            return False


def _blocks(indptr: np.ndarray) -> Iterator[slice]:
    """Rows in succession with about ``BLOCK`` counts at a time."""
    start, rows = 0, len(indptr) - 1
    while start < rows:
        stop = max(start + 1, int(np.searchsorted(indptr, int(indptr[start]) + BLOCK, "right")) - 1)
        yield slice(start, stop)
        start = stop

"""``GlobalWeighting``: one weight a term for all classes, made of the weights that it has for each.

Leaves out classifiers of several classes (``ltw_core.evaluation``) and the formulas themselves (``functions``,
``multiclass_schemes``).
"""

import inspect
from copy import copy
from dataclasses import replace
from functools import partial

import numpy as np
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin, clone
from sklearn.preprocessing import normalize
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from ltw_core.storage.file_schema import said
from ltw_core.tasks.class_table import ClassTable
from ltw_core.tasks.contingency import document_frequency
from ltw_core.weighting import checked
from ltw_core.weighting.classic import NORMS, TermWeighting
from ltw_core.weighting.counts_transformer import CountsTransformer
from ltw_core.weighting.formulas.lookup import cd_function, dd_function
from ltw_core.weighting.function import Function
from ltw_core.weighting.methods import METHODS, make
from ltw_core.weighting.multiclass_schemes import SCHEMES, Scheme, by_class
from ltw_core.weighting.policies import POLICIES, combine
from ltw_core.weighting.progress import Cancelled

AUTO = "auto"


class GlobalWeighting(OneToOneFeatureMixin, CountsTransformer):
    """Weight terms for all classes at once: a weight for each class against all others, then one of these by a policy.

    Labels may be of any type and number of classes, of which each document has one, or an indicator matrix, where it
    may have several or none. With two labels both are classes; for one class against the rest give a matrix of one
    column, or ``TermWeighting``.

    Parameters
    ----------
    base : str, Function or estimator
        What weighs a term for a class: a cd function ("RF"), a formula ("tpr - fpr"), a weighting of ``methods()``
        ("TFRF", "LTW-L-I"; not Dense or CCA, which have no weight a term), an unfitted ``TermWeighting`` or
        ``LearnedWeighting``, or a scheme made for several classes (``SCHEMES``: "TFIGM", "LogTF-BDC", …). Of a learned
        one, one is learned for each class, and their ``weights_`` are taken: in canonical sign and scale.
    policy : {"max", "mean", "sum", "weighted"}
        Of a term's weights w_j for classes j: max_j w_j, mean, sum, or Σ_j Pr(j)·w_j. Sum and mean differ by a factor
        that ``norm`` takes away. Schemes with one weight a term, and a cd that looks at no class, need no policy.
    dd : str or Function
        Document-dependent factor; "auto" for that of the base, of a cd function "1+log".
    norm : {"auto", "l2", "l1", "max", None}
        Normalisation of the documents; "auto" for that of the base, of a cd function and a scheme "l2".
    random_state : int
        Of a learned base given by name.

    Attributes
    ----------
    cd_ : ndarray, shape (terms,)
        The weight of each term.
    class_cd_ : ndarray, shape (classes, terms)
        The weights it is made of, those of classes that are left out NaN; or of shape (1, terms) without classes.
    classes_ : ndarray, shape (classes,)
        Labels, sorted; of an indicator matrix the numbers of its columns.
    left_out_ : ndarray
        Those of ``classes_`` that have no training document, or all of them: they say nothing about terms. Of a learned
        base also those of which no document is left to learn from after validation.
    weightings_ : list
        Of a learned base: the weighting of each class, None for those left out.
    n_documents_, mean_length_, document_frequency_
        As of ``TermWeighting``.

    References
    ----------
    The policies: Debole and Sebastiani (2003), *Supervised term weighting for automated text categorization*; Yang and
    Pedersen (1997), *A comparative study on feature selection in text categorization*.

    Examples
    --------
    >>> from ltw_core.weighting import GlobalWeighting
    >>> X, y = [[2, 0, 1], [1, 0, 0], [0, 1, 1], [0, 3, 0]], ["sport", "sport", "trade", "economy"]
    >>> GlobalWeighting("RF", policy="max").fit(X, y).cd_.round(2).tolist()
    [2.0, 1.58, 1.58]
    """

    def __init__(self, base="RF", *, policy="max", dd=AUTO, norm=AUTO, random_state=0):
        self.base = base
        self.policy = policy
        self.dd = dd
        self.norm = norm
        self.random_state = random_state

    def fit(self, X, y=None, validation=None, on_event=None):
        """Compute ``cd_``.

        Parameters
        ----------
        X : sparse or dense array of counts ≥ 0, shape (documents, terms)
        y : array-like of labels, shape (documents,), or indicator matrix of 0/1 or bool, shape (documents, classes)
            Only looked at where the base tells classes apart.
        validation : array-like of bool, shape (documents,), optional
            Of a learned base: documents held out for early stopping; without it each class takes its own.
        on_event : callable, optional
            Of a learned base: called with (class number, ``Event``) at every validation; returning True cancels.

        Raises
        ------
        ValueError
        Cancelled
            ``on_event`` returned True.
        """
        base, _ = self._base_and_dd()
        X = checked.documents(self, X, reset=True)
        self.n_documents_ = X.shape[0]
        self.document_frequency_ = document_frequency(X)
        self.mean_length_ = float(X.sum() / X.shape[0])
        if y is None and self.needs_labels:
            raise ValueError(
                f"base {self._called()} looks at the classes: it requires y to be passed, but the target y is None"
            )
        vars(self).pop("weightings_", None)
        if not self.needs_labels:  # whatever the classes, Pr(t) is all that counts
            share = self.document_frequency_ / self.n_documents_
            self.classes_ = self.left_out_ = np.zeros(0, dtype=int)
            self.class_cd_ = base.at_rates(share, share, 0.5, self.n_documents_)[None]
            self.cd_ = _floored(self.class_cd_[0], base)
            return self
        self.classes_, labels = indicator(X.shape[0], y)
        table = ClassTable.of(X, labels)
        usable = (table.sizes > 0) & (table.sizes < table.n_documents)
        if not usable.any():
            raise ValueError(
                "y has no class that some documents have and others do not: there is nothing to tell apart. Give "
                "labels of at least two classes"
            )
        if isinstance(base, Scheme):  # it counts the classes: only those that are there
            there = table.sizes > 0
            only = ClassTable(table.held[there], table.sizes[there], table.document_frequency, table.n_documents)
            found = base.compute(only)
            if not base.each_class:
                self.left_out_ = self.classes_[~there]
                self.class_cd_ = found[None]
                self.cd_ = self.class_cd_[0]
                return self
            weights = np.zeros(table.held.shape)
            weights[there] = found
        elif isinstance(base, Function):
            weights = by_class(base, table)
        else:
            weights, usable = self._learned(base, X, labels, usable, validation, on_event)
        self.left_out_ = self.classes_[~usable]
        self.class_cd_ = np.where(usable[:, None], weights, np.nan)
        combined = combine(weights[usable], self.policy, table.prevalence[usable])
        self.cd_ = _floored(combined, base) if isinstance(base, Function) else combined
        return self

    def _learned(self, base, X, labels, usable, validation, on_event):
        """Weights of each class, shape (classes, terms), and which classes have some."""
        from ltw_core.weighting.learned import fit_many

        columns = labels.tocsc()
        held_out = None if validation is None else np.asarray(validation, dtype=bool)
        usable, data, chosen, cancelled = usable.copy(), [], [], []
        for j in np.flatnonzero(usable):
            positive = np.zeros(X.shape[0], dtype=bool)
            positive[columns.indices[columns.indptr[j] : columns.indptr[j + 1]]] = True
            if held_out is not None and (positive[~held_out].all() or not positive[~held_out].any()):
                usable[j] = False
                continue
            data.append((X, positive, held_out))
            chosen.append(j)
        if not chosen:
            raise ValueError("validation leaves no document of any class, or no other, to learn from")

        def report(index, event):
            if on_event is not None and on_event(int(chosen[index]), event):
                cancelled.append(index)
            return bool(cancelled)

        fitted = fit_many([clone(base) for _ in chosen], data, base.engine, base.device, on_event=report)
        if cancelled:
            raise Cancelled("Learning the weighting was cancelled")
        self.weightings_ = [None] * labels.shape[1]
        weights = np.zeros((labels.shape[1], X.shape[1]))
        for j, weighting in zip(chosen, fitted, strict=True):
            self.weightings_[j], weights[j] = weighting, weighting.weights_
        return weights, usable

    def weigh(self, X):
        """dd · cd of documents, normalised: csr matrix or array (as ``X``) of float64, shape (documents, terms)."""
        _, dd = self._base_and_dd()
        weighted = X.copy()  # a float64 CSR matrix is handed through, and dd may hand its data through
        length = np.repeat(np.asarray(X.sum(axis=1)).ravel(), np.diff(X.indptr))
        weighted.data = np.asarray(dd(weighted.data, length, self.mean_length_), dtype=np.float64)
        weighted.data *= self.cd_[weighted.indices]
        weighted.eliminate_zeros()
        norm = self._norm()
        return weighted if norm is None else normalize(weighted, norm, copy=False)

    def of_class(self, j: int) -> "GlobalWeighting":
        """The same with the weights of one class, which is number ``j`` of ``classes_``, before any policy.

        Raises
        ------
        ValueError
            All classes share their weights, or there is no such class, or it is left out.
        """
        check_is_fitted(self)
        if len(self.class_cd_) != len(self.classes_):
            raise ValueError(
                f"class number {j} has no weights of its own: under base {self._called()} all classes share theirs, "
                "which transform uses"
            )
        if not 0 <= j < len(self.classes_):
            raise ValueError(f"there is no class number {j}: they are numbered from 0 to {len(self.classes_) - 1}")
        if np.isnan(self.class_cd_[j]).any():
            raise ValueError(f"class number {j} has no weights: it is one of left_out_, which say nothing about terms")
        base, _ = self._base_and_dd()
        found = copy(self)
        found.cd_ = _floored(self.class_cd_[j], base) if isinstance(base, Function) else self.class_cd_[j]
        return found

    @property
    def needs_labels(self) -> bool:
        """Whether its base tells classes apart."""
        try:
            base, _ = self._base_and_dd()
        except ValueError:  # fit's to report
            return False
        return not isinstance(base, Function) or base.supervised

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        if tags.classifier_tags is not None:
            tags.classifier_tags.multi_class = tags.classifier_tags.multi_label = True
        return tags

    def _base_and_dd(self):
        """A cd ``Function``, a ``Scheme`` or an unfitted ``LearnedWeighting``; and the dd that goes with it.

        Raises
        ------
        ValueError
            For a setting that is not allowed.
        """
        if self.policy not in POLICIES:
            raise ValueError(f"policy is {said(self.policy)}; it must be one of {', '.join(POLICIES)}")
        base = self._resolved()
        self._norm()
        if isinstance(base, TermWeighting):
            own_dd, of_base = base.factors()
            if own_dd.name == "bm25":
                own_dd = replace(own_dd, compute=partial(own_dd.compute, k1=base.k1, b=base.b))
        elif isinstance(base, Scheme):
            own_dd, of_base = base.dd, base
        elif isinstance(base, Function):
            own_dd, of_base = "1+log", base
        else:
            own_dd, of_base = "log(1+f/dl)", base
            if base.variant == "LTW-TF" and self.dd == AUTO:
                raise ValueError(
                    "base is LTW-TF, which also learns a dd for each class, and a policy makes one cd only: give a dd, "
                    "or take LTW-L-I"
                )
        return of_base, dd_function(own_dd if isinstance(self.dd, str) and self.dd == AUTO else self.dd)

    def _resolved(self):
        """The base as a ``Function``, a ``Scheme`` or an unfitted estimator."""
        base = self.base
        if isinstance(base, str):
            if base in SCHEMES:
                return SCHEMES[base]
            if base in METHODS:  # BM25 and ConfWeight are weightings as well as cd functions
                base = make(base, random_state=self.random_state)
            else:
                try:
                    return cd_function(base)
                except ValueError as error:
                    more = f"; or a weighting such as TFRF or LTW-L-I, or one of {', '.join(SCHEMES)}"
                    raise ValueError(f"base is no weighting: {error}{more}") from error
        if isinstance(base, Function | Scheme | TermWeighting) or _is_learned(base):
            return base
        raise ValueError(
            f"base is {self._called()}, which has no weight for each term: a global policy needs one. Take a cd "
            "function, a TermWeighting, a LearnedWeighting, or the name of one"
        )

    def _norm(self):
        norm = self.norm
        if isinstance(norm, str) and norm == AUTO:
            base = self._resolved()
            norm = base.norm if isinstance(base, TermWeighting) else "l2"
        if norm not in NORMS:
            raise ValueError(f"norm is {said(norm)}; it must be one of 'auto', {', '.join(map(repr, NORMS))}")
        return norm

    def _called(self) -> str:
        return repr(self.base) if isinstance(self.base, str) else type(self.base).__name__


def indicator(n_documents: int, y) -> tuple[np.ndarray, sparse.csr_array]:
    """Classes of labels, and which document has which: csr_array of int, shape (documents, classes).

    Parameters
    ----------
    n_documents : int
    y : array-like of labels, shape (documents,), or sparse or dense matrix of 0/1 or bool, shape (documents, classes)

    Raises
    ------
    ValueError
        Another number of documents, values that are no labels, or labels of one class only.
    """
    matrix = y if sparse.issparse(y) else np.asarray(y)
    if matrix.ndim == 2 and (matrix.shape[1] != 1 or sparse.issparse(y) or _zero_or_one(matrix)):
        labels = sparse.csr_array(matrix)
        check_consistent_length(np.empty(n_documents), labels)
        if not _zero_or_one(labels.data):
            raise ValueError("y is a matrix with values other than 0 and 1: an indicator matrix has no others")
        labels = (labels != 0).astype(np.int32)
        return np.arange(labels.shape[1]), labels
    y = column_or_1d(y, warn=True)
    check_consistent_length(np.empty(n_documents), y)
    check_classification_targets(y)
    classes, number = np.unique(y, return_inverse=True)
    if classes.size == 1:
        raise ValueError(f"y has one class only ({said(classes[0])}); a weighting for several classes needs two")
    rows = np.arange(n_documents)
    return classes, sparse.csr_array((np.ones(n_documents, np.int32), (rows, number)), (n_documents, classes.size))


def _zero_or_one(values) -> bool:
    return values.dtype.kind in "biuf" and bool(np.isin(values, (0, 1)).all())


def _is_learned(base) -> bool:
    return not inspect.isclass(base) and hasattr(base, "variant") and hasattr(type(base), "weights_")


def _floored(weights, function: Function) -> np.ndarray:
    return np.where(weights == 0, function.floor, weights) if function.floor else weights

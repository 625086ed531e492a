"""What every cd function and every method keeps, whoever registered it."""

import inspect
import warnings
from functools import lru_cache

import numpy as np
from scipy import sparse
from sklearn.base import clone

from ltw_core.weighting import FAMILIES, cd_function, make, method
from ltw_core.weighting.worked_examples import worked

EDGES = np.array([0, 1e-300, 1e-9, 0.3, 0.5, 1 - 1e-12, 1])
QUICK = {"UTW": {}, "STW": {}, "LTW": {"hidden": 8, "max_steps": 100, "batch_size": 20}}
QUICKER = {"Dense": {"epochs": 5}, "CCA": {"population": 8, "generations": 1}}


def problem():
    """40 documents over 12 terms: the first four speak for the class, the next four against it."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 4 == 0
    means = np.where(y[:, None], [1.5] * 4 + [0.2] * 4 + [0.5] * 4, [0.2] * 4 + [1.5] * 4 + [0.5] * 4)
    counts = rng.poisson(means)
    counts[7] = 0  # a document without any term
    return sparse.csr_array(counts.astype(np.int32)), y


def check_cd(name):
    """A cd function of the table is finite, broadcasts, says what it looks at, and can be shown."""
    function = cd_function(name)
    tpr, fpr, p = (a.ravel() for a in np.meshgrid(EDGES, EDGES, [0, 1e-12, 1e-3, 0.5, 1]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in (1, 2, 30, 1000, 1e7):
            values = function(tpr, fpr, p, n)
            assert values.shape == tpr.shape
            assert np.isfinite(values).all()
            assert function.signed or values.min() >= 0
    _check_shapes(function)
    # the same Pr(t), once all in the class: ``supervised`` and ``signed`` are what the values show
    one, other = function([0.8, 0.2], [0.1, 0.25], [0.2, 0.2], 1000)
    assert function.supervised != bool(np.isclose(one, other))
    rng = np.random.default_rng(0)
    assert function.signed == bool((function(rng.random(200), rng.random(200), 0.3, 1000) < 0).any())
    assert function.worked, "its formula with numbers in it"
    assert worked(function, 30, 20, 70, 880).count(r"= \mathbf{") == 1
    check_shown(function)


def _check_shapes(function):
    rng = np.random.default_rng(0)
    tpr, fpr, p = rng.random((3, 5)), rng.random((3, 5)), np.array([[0.01], [0.2], [0.7]])
    whole = function(tpr, fpr, p, 500)
    one_by_one = [[function(tpr[c, t], fpr[c, t], p[c, 0], 500) for t in range(5)] for c in range(3)]
    np.testing.assert_allclose(whole, one_by_one, rtol=1e-12)
    assert np.ndim(function(0.2, 0.1, 0.1, 100)) == 0
    assert function([], [], 0.1, 100).shape == (0,)


def check_shown(function):
    """A dd or cd function has all that a page shows of it."""
    assert function.symbol and function.formula and function.latex and function.source
    assert function.note.endswith(".")
    assert function.compute.__doc__


def check_method(name, fitted=None):
    """An estimator of the table weighs documents one by one, leaves its input alone, and has a seed that decides."""
    X, y = problem()
    row = method(name)
    assert row.family in FAMILIES and row.description.endswith(".")
    weighting = fitted if fitted is not None else quick(name).fit(X, y)
    before, weighted = X.copy(), weighting.transform(X)
    assert weighted.shape[0] == X.shape[0] and np.issubdtype(weighted.dtype, np.floating)
    assert np.isfinite(dense(weighted)).all()
    np.testing.assert_allclose(dense(weighting.transform(X[3:4])), dense(weighted[3:4]), rtol=1e-5, atol=1e-7)
    floats = X.astype(np.float64)  # which no check has to convert, and so to copy
    weighting.transform(floats)
    assert abs(X - before).nnz == 0 and abs(floats - before).nnz == 0
    np.testing.assert_allclose(dense(clone(weighting).fit(X, y).transform(X)), dense(weighted))
    takes_validation = "validation" in inspect.signature(weighting.fit).parameters
    assert takes_validation == (row.family == "LTW" or name == "CCA")
    if hasattr(weighting, "cd_"):
        _check_terms(row, weighting, X, weighted)


def _check_terms(row, weighting, X, weighted):
    """It has a weight a term, and a document's vector one where the document holds it."""
    assert sparse.issparse(weighted) and weighted.format == "csr" and weighted.shape == X.shape
    assert weighting.cd_.shape == (X.shape[1],) and np.isfinite(weighting.cd_).all()
    assert not ((weighted != 0).astype(int) - (X != 0).astype(int) > 0).nnz
    assert weighted[7:8].nnz == 0
    lengths = np.delete(np.linalg.norm(weighted.toarray(), axis=1), 7)
    if row.norm == "l2" or row.family == "LTW":
        # sigma and ReLU can switch a whole document off
        assert (np.isclose(lengths, 1, atol=1e-5) | (lengths == 0)).all()
    else:
        assert not np.allclose(lengths, 1)


@lru_cache(maxsize=1)
def surfaces():
    """What another class learned, for weightings that take it from there."""
    return make("LTW-L-I", **QUICK["LTW"]).fit(*problem()).canonical_surface


def quick(name):
    """A method's estimator with settings that take no time."""
    own = {"others": surfaces()} if name.startswith("LTW-U") else QUICKER.get(name, {})
    return make(name, **{**QUICK[method(name).family], **own})


def dense(weighted):
    return weighted.toarray() if sparse.issparse(weighted) else weighted

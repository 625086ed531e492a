"""The table of methods, and one contract that every registered method keeps."""

import functools
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from ltw_core.weighting import FAMILIES, TermWeighting, display, family, make, method, methods, paper_settings

TINY = {"hidden": 8, "max_steps": 100, "batch_size": 20}


@pytest.fixture(scope="module")
def problem():
    """40 documents over 12 terms: the first four speak for the class, the next four against it."""
    rng = np.random.default_rng(0)
    y = np.arange(40) % 4 == 0
    means = np.where(y[:, None], [1.5] * 4 + [0.2] * 4 + [0.5] * 4, [0.2] * 4 + [1.5] * 4 + [0.5] * 4)
    counts = rng.poisson(means)
    counts[7] = 0  # a document without any term
    return sparse.csr_array(counts.astype(np.int32)), y


FAST = {"Dense": {"epochs": 5}, "CCA": {"population": 8, "generations": 1}}
WEIGHING = [name for name in methods() if method(name).weighs_terms]


def tiny(name):
    return make(name, **(TINY if family(name) == "LTW" else FAST.get(name, {})))


@pytest.fixture(scope="module")
def fitted(problem):
    return functools.cache(lambda name: tiny(name).fit(*problem))


def dense(weighted):
    return weighted.toarray() if sparse.issparse(weighted) else weighted


@pytest.mark.parametrize("name", methods())
def test_every_method_keeps_the_contract(name, problem, fitted):
    X, y = problem
    before = X.copy()
    weighting = fitted(name)
    weighted = weighting.transform(X)
    assert weighted.shape[0] == X.shape[0] and np.issubdtype(weighted.dtype, np.floating)
    assert np.isfinite(dense(weighted)).all()
    # the same for a document on its own
    np.testing.assert_allclose(dense(weighting.transform(X[3:4])), dense(weighted[3:4]), rtol=1e-5, atol=1e-7)
    # the input is left alone, the seed decides, and parameters survive a clone
    assert abs(X - before).nnz == 0
    floats = X.astype(np.float64)  # which no check has to convert, and so to copy
    weighting.transform(floats)
    assert abs(floats - before).nnz == 0
    again = clone(weighting).fit(X, y).transform(X)
    np.testing.assert_allclose(dense(again), dense(weighted))


@pytest.mark.parametrize("name", WEIGHING)
def test_every_method_that_weighs_terms_keeps_the_contract(name, problem, fitted):
    X, _ = problem
    weighting = fitted(name)
    weighted = weighting.transform(X)
    assert sparse.issparse(weighted) and weighted.format == "csr"
    assert weighted.shape == X.shape
    assert weighting.cd_.shape == (X.shape[1],) and np.isfinite(weighting.cd_).all()
    # a weight only where the term is
    assert not ((weighted != 0).astype(int) - (X != 0).astype(int) > 0).nnz
    # a document without terms has no weights
    assert weighted[7:8].nnz == 0


@pytest.mark.parametrize("name", WEIGHING)
def test_vectors_have_the_norm_of_the_table(name, problem, fitted):
    X, _ = problem
    row = method(name)
    lengths = np.linalg.norm(fitted(name).transform(X).toarray(), axis=1)
    lengths = np.delete(lengths, 7)
    if row.norm == "l2" or row.family == "LTW":
        # sigma and ReLU can switch a whole document off
        assert (np.isclose(lengths, 1, atol=1e-5) | (lengths == 0)).all()
    else:
        assert not np.allclose(lengths, 1)


def test_learned_methods_take_a_validation_part_and_classic_ones_do_not():
    for name in methods():
        assert has_fit_parameter(make(name), "validation") == (family(name) == "LTW" or name == "CCA")


def test_the_table_is_that_of_the_paper():
    assert methods("UTW") == ["Binary", "TF", "LogTF", "TFIDF", "LogTFIDF", "BM25"]
    assert methods("STW") == ["TFGR", "TFCHI", "TFIG", "ConfWeight", "TFRF", "Dense", "CCA"]
    assert methods("LTW") == ["LTW-L-sigma", "LTW-L-I", "LTW-G-sigma", "LTW-G-I", "LTW-TF"]
    assert methods() == [name for group in FAMILIES for name in methods(group)]


def test_fasttext_makes_more_passes_over_20_newsgroups():
    assert paper_settings("Dense", "20newsgroups") == {"epochs": 500}
    assert paper_settings("Dense", "reuters21578") == paper_settings("TFRF", "20newsgroups") == {}


def test_names_for_display():
    assert display("LTW-L-sigma") == "LTW-L-σ"
    assert all(method(name).description.endswith(".") for name in methods())


def test_settings_of_the_table_can_be_overridden():
    made = make("TFIDF", norm=None, power=2.0)
    assert isinstance(made, TermWeighting)
    assert (made.dd, made.cd, made.norm, made.power) == ("raw", "IDF", None, 2.0)


@pytest.mark.parametrize("ask", [make, family, method])
def test_an_unknown_name_is_answered_with_the_known_ones(ask):
    with pytest.raises(ValueError, match="'TFX'; it must be one of Binary, TF"):
        ask("TFX")


def test_an_unknown_family_is_answered_with_the_known_ones():
    with pytest.raises(ValueError, match="UTW, STW, LTW"):
        methods("XTW")


def test_classic_weighting_does_not_import_torch():
    made = "w.make('TFRF'), w.make('Dense'), w.make('CCA')"
    code = f"import sys, ltw_core.weighting as w; {made}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

"""TermWeighting: hand-checked weights, sparse in and out, scikit-learn's contract."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from ltw_core.weighting import CD, TermWeighting, make, power

# terms: 0 in both documents of the class, 1 everywhere, 2 in the others, 3 in one of each
X = sparse.csr_array(np.array([[2, 1, 0, 0], [1, 1, 0, 3], [0, 1, 4, 0], [0, 2, 1, 1], [0, 1, 1, 0]], dtype=np.int32))
Y = np.array([True, True, False, False, False])


@parametrize_with_checks(
    [TermWeighting(), TermWeighting(dd="bm25", cd="RF", norm=None), TermWeighting(cd="ConfWeight")]
)
def test_sklearn_compatible(estimator, check):
    check(estimator)


def test_tfidf_is_scikit_learns():
    theirs = TfidfTransformer(smooth_idf=False, norm=None).fit(X)
    ours = TermWeighting(dd="raw", cd="IDF", norm=None).fit_transform(X)
    np.testing.assert_allclose(ours.toarray(), X.toarray() * (theirs.idf_ - 1))


def test_relevance_frequency_by_hand():
    weighting = TermWeighting(dd="raw", cd="RF", norm=None).fit(X, Y)
    np.testing.assert_allclose(weighting.cd_, np.log2([2 + 2, 2 + 2 / 3, 2, 2 + 1]))
    np.testing.assert_allclose(weighting.tpr_, [1, 1, 0, 0.5])
    np.testing.assert_allclose(weighting.fpr_, [0, 1, 1, 1 / 3])
    assert weighting.prevalence_ == pytest.approx(0.4)
    np.testing.assert_allclose(weighting.transform(X).toarray()[1], [2, np.log2(8 / 3), 0, 3 * np.log2(3)])


def test_bm25_takes_the_mean_length_from_fit():
    weighting = TermWeighting(dd="bm25", cd="1", norm=None).fit(X)
    assert weighting.mean_length_ == pytest.approx(19 / 5)
    # one new document: length 4, frequency 4
    value = weighting.transform(sparse.csr_array([[0, 0, 4, 0]])).toarray()[0, 2]
    assert value == pytest.approx(2.2 * 4 / (1.2 * (0.25 + 0.75 * 4 / 3.8) + 4))


def test_length_of_a_document_counts_all_its_terms():
    row = TermWeighting(dd="log(1+f/dl)", norm=None).fit_transform(X).toarray()[1]
    np.testing.assert_allclose(row, np.log1p(np.array([1, 1, 0, 3]) / 5))


@pytest.mark.parametrize("norm", ["l2", "l1", "max"])
def test_rows_have_unit_norm(norm):
    weighted = TermWeighting(cd="OR", norm=norm).fit_transform(X, Y).toarray()
    order = {"l2": 2, "l1": 1, "max": np.inf}[norm]
    np.testing.assert_allclose(np.linalg.norm(weighted, order, axis=1), 1)


def test_gain_ratio_and_information_gain_give_the_same_vectors():
    one, other = (make(name).fit_transform(X, Y).toarray() for name in ("TFGR", "TFIG"))
    np.testing.assert_allclose(one, other)


def test_terms_that_conf_weight_cancels_leave_no_document_empty():
    weighting = TermWeighting(cd="ConfWeight").fit(X, Y)
    assert (weighting.cd_[[1, 2]] == 1e-20).all()
    # the third document has only cancelled terms, and still unit length
    np.testing.assert_allclose(np.linalg.norm(weighting.transform(X).toarray(), axis=1), 1)


def test_an_empty_document_stays_empty():
    weighted = TermWeighting(cd="CHI2").fit(X, Y).transform(sparse.csr_array((1, 4), dtype=np.int32))
    assert weighted.nnz == 0 and weighted.shape == (1, 4)


def test_power_and_functions_are_accepted():
    cubed = TermWeighting(cd="IG", power=3).fit(X, Y).cd_
    tpr, fpr = np.array([1, 1, 0, 0.5]), np.array([0, 1, 1, 1 / 3])
    np.testing.assert_allclose(cubed, CD["IG"](tpr, fpr, 0.4, 5) ** 3)
    np.testing.assert_allclose(cubed, TermWeighting(cd=power("IG", 3)).fit(X, Y).cd_)


@pytest.mark.parametrize("container", [sparse.csr_matrix, sparse.csr_array, sparse.csc_array, np.asarray])
def test_any_matrix_gives_the_same_and_is_left_as_it_was(container):
    given = container(X.toarray().astype(np.float64))
    before = given.copy()
    weighted = TermWeighting(cd="RF").fit(given, Y).transform(given)
    assert sparse.issparse(weighted) and weighted.format == "csr"
    np.testing.assert_allclose(weighted.toarray(), TermWeighting(cd="RF").fit(X, Y).transform(X).toarray())
    assert (given != before).sum() == 0


def test_labels_may_be_any_two():
    names = np.where(Y, "ship", "other")
    np.testing.assert_array_equal(TermWeighting(cd="GSS").fit(X, names).cd_, TermWeighting(cd="GSS").fit(X, Y).cd_)


@pytest.mark.parametrize(
    ("settings", "y", "sentence"),
    [
        ({"cd": "RF"}, None, "requires y"),
        ({"cd": "RF"}, np.zeros(5, bool), "one class only"),
        ({"cd": "RF"}, [0, 1, 2, 1, 0], "Only binary"),
        ({"cd": "rf"}, Y, "cd is 'rf'; it must be one of"),
        ({"dd": "tf"}, Y, "dd is 'tf'; it must be one of"),
        ({"norm": "l3"}, Y, "norm is 'l3'"),
        ({"k1": -1}, Y, "k1 is -1"),
        ({"b": 2}, Y, "b is 2"),
        ({"power": 0}, Y, "k is 0"),
    ],
)
def test_bad_settings_are_answered_with_a_sentence(settings, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        TermWeighting(**settings).fit(X, y)


def test_names_go_through():
    assert TermWeighting().fit(X).get_feature_names_out(["a", "b", "c", "d"]).tolist() == ["a", "b", "c", "d"]

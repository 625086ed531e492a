"""TermWeighting: hand-checked weights, sparse in and out, scikit-learn's contract."""

import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from ltw_core.weighting import CD, TermWeighting, classic, make, power

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


def test_bm25_takes_the_limits_of_its_parameters():
    one_document = sparse.csr_array([[0, 0, 4, 0]])  # mean length 3.8
    for settings, expected in (
        ({"k1": 0}, 1),
        ({"b": 0}, 2.2 * 4 / (1.2 + 4)),
        ({"b": 1}, 2.2 * 4 / (1.2 * 4 / 3.8 + 4)),
        ({"k1": 2, "b": 0.5}, 3 * 4 / (2 * (0.5 + 0.5 * 4 / 3.8) + 4)),
    ):
        value = TermWeighting(dd="bm25", cd="1", norm=None, **settings).fit(X).transform(one_document).toarray()
        np.testing.assert_allclose(value, [[0, 0, expected, 0]])


def test_what_is_learned_without_looking_at_the_class():
    weighting = TermWeighting(cd="IDF").fit(X)
    assert (weighting.n_documents_, weighting.document_frequency_.tolist()) == (5, [2, 5, 3, 2])
    np.testing.assert_allclose(weighting.cd_, np.log([5 / 2, 1, 5 / 3, 5 / 2]))
    assert weighting.cd_.dtype == np.float64 and type(weighting.mean_length_) is float
    assert not hasattr(weighting, "tpr_") and not weighting.needs_labels
    assert TermWeighting(cd="RF").needs_labels and not TermWeighting(cd="nonsense").needs_labels


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
        ({"cd": "RF"}, None, "^cd 'RF' looks at the class: it requires y to be passed, but the target y is None$"),
        ({"cd": "RF"}, np.zeros(5, bool), "one class only"),
        ({"cd": "RF"}, [0, 1, 2, 1, 0], "Only binary"),
        ({"cd": "rf"}, Y, "cd is 'rf'; it must be one of"),
        ({"dd": "tf"}, Y, "dd is 'tf'; it must be one of"),
        ({"norm": "l3"}, Y, "^norm is 'l3'; it must be one of 'l2', 'l1', 'max', None$"),
        ({"k1": -0.1}, Y, r"^k1 is -0\.1; it must be at least 0$"),
        ({"k1": np.nan}, Y, "^k1 is nan; it must be at least 0$"),
        ({"b": 1.1}, Y, r"^b is 1\.1; it must lie in \[0, 1\]$"),
        ({"b": -0.1}, Y, r"^b is -0\.1; it must lie in \[0, 1\]$"),
        ({"power": 0}, Y, "k is 0"),
    ],
)
def test_bad_settings_are_answered_with_a_sentence(settings, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        TermWeighting(**settings).fit(X, y)


def test_names_go_through():
    assert TermWeighting().fit(X).get_feature_names_out(["a", "b", "c", "d"]).tolist() == ["a", "b", "c", "d"]


@pytest.mark.parametrize("texts", [["corn rose", "ships"], np.array(["corn rose", "ships"]), "corn rose"])
def test_texts_are_refused_with_what_to_do(texts):
    for weighting in (make("TFIDF"), make("TFRF"), make("LTW-L-I"), make("Dense")):
        with pytest.raises(ValueError, match=r"X holds texts, and a weighting takes their counts.*CountVectorizer"):
            weighting.fit(texts, [0, 1])


@pytest.mark.parametrize("frame", ["pandas", "polars"])
def test_a_data_frame_of_sparse_weights_is_refused_with_what_to_do(frame):
    X, y = sparse.csr_array([[1.0, 0.0], [0.0, 2.0]]), [0, 1]
    asked = make("TFRF").fit(X, y).set_output(transform=frame)
    with pytest.raises(ValueError, match=f"A {frame} frame would hold each of its zeros: leave set_output at"):
        asked.transform(X)
    with config_context(transform_output=frame), pytest.raises(ValueError, match="leave set_output at 'default'"):
        make("TFRF").fit_transform(X, y)
    assert sparse.issparse(asked.set_output(transform="default").transform(X))


def test_values_of_numpy_are_named_as_plain_ones():
    X = sparse.csr_array([[1.0, 0.0], [0.0, 2.0]])
    with pytest.raises(ValueError, match=r"y has one class only \(False\)"):
        make("TFRF").fit(X, np.zeros(2, dtype=bool))
    with pytest.raises(ValueError, match=r"norm is False; it must be one of"):
        TermWeighting(norm=np.False_).fit(X)


def test_a_difference_needs_no_spaces():
    X, y = sparse.csr_array([[1.0, 0.0], [1.0, 2.0], [0.0, 1.0]]), [1, 1, 0]
    weights = [TermWeighting(cd=cd).fit(X, y).cd_ for cd in ("tpr-fpr", "tpr - fpr")]
    np.testing.assert_array_equal(*weights)
    with pytest.raises(ValueError, match="it must be one of"):
        TermWeighting(cd="LTW-L").fit(X, y)  # a name that there is not, and no difference


@pytest.mark.parametrize("block", [1, 7, 50])
@pytest.mark.parametrize("options", [{}, {"dd": "bm25"}, {"dd": "raw", "norm": None}])
def test_documents_weigh_the_same_in_blocks(block, options, monkeypatch):
    """Documents of no term and of more terms than a block among them; what is handed in stays as it is."""
    rng = np.random.default_rng(0)
    counts = sparse.csr_array(rng.poisson(0.3, (40, 25)) * (np.arange(40) % 7 > 0)[:, None]).astype(np.float64)
    before = counts.copy()
    weighting = TermWeighting(**options).fit(counts)
    whole = weighting.transform(counts)
    monkeypatch.setattr(classic, "BLOCK", block)
    found = weighting.transform(counts)
    for part in ("data", "indices", "indptr"):
        assert getattr(found, part).tobytes() == getattr(whole, part).tobytes()
        assert getattr(counts, part).tobytes() == getattr(before, part).tobytes()

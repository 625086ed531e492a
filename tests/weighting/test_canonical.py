import numpy as np
import pytest

from ltw_core.weighting.canonical import canonical, canonical_weights

# terms:                positive, positive, negative
TPR = np.array([0.8, 0.4, 0.1])
FPR = np.array([0.1, 0.2, 0.5])
DF = np.array([10.0, 20.0, 70.0])


def test_scale_makes_the_weighted_rms_one():
    cd = np.array([3.0, 1.0, -0.5])
    weights = cd * canonical(cd, TPR, FPR, DF)
    assert np.isclose(DF @ weights**2 / DF.sum(), 1)
    assert weights[0] > 0


def test_a_flipped_weighting_comes_out_the_same():
    cd = np.array([3.0, 1.0, -0.5])
    np.testing.assert_allclose(canonical_weights(cd, TPR, FPR, DF), canonical_weights(-7 * cd, TPR, FPR, DF))


def test_the_sign_is_decided_by_positive_terms_only_by_document_frequency_and_by_correlation():
    # tpr - fpr is .7 and .2, document frequency 10 and 20: 7 · 1 - 4 · 2 < 0, though correlation
    # alone gives .7 · 1 - .2 · 2 > 0
    assert canonical([1.0, -2.0, 5.0], TPR, FPR, DF) < 0
    # a huge weight of the negative term changes nothing
    assert canonical([3.0, 1.0, -900.0], TPR, FPR, DF) > 0


def test_common_words_of_no_correlation_do_not_outvote_the_words_of_the_class():
    # a word that makes the class, and one in half of all documents that leans towards it by chance
    assert canonical([3.0, -1.0], [0.6, 0.501], [0.01, 0.5], [60, 5000]) > 0


def test_zero_and_tiny_weights():
    assert canonical(np.zeros(3), TPR, FPR, DF) == 1
    tiny = np.array([1e-200, 0, 0])
    assert np.isclose(DF @ canonical_weights(tiny, TPR, FPR, DF) ** 2 / DF.sum(), 1)


def test_where_there_is_no_scale_the_factor_is_one():
    assert canonical([], [], [], []) == 1
    assert canonical([1.0, 2.0], [0.8, 0.4], [0.1, 0.2], [0, 0]) == 1  # no term is in any document
    assert canonical([0.0, 5.0], [0.8, 0.4], [0.1, 0.2], [3, 0]) == 1  # nor one that has a weight


def test_only_proportions_of_the_document_frequency_count():
    cd = [1.0, -0.5, 0.25]
    assert canonical(cd, TPR, FPR, DF / 1000) == pytest.approx(canonical(cd, TPR, FPR, DF), rel=1e-12)
    assert canonical(cd, TPR, FPR, DF) == pytest.approx(1 / np.sqrt((10 + 20 / 4 + 70 / 16) / 100))


def test_a_balance_of_zero_leaves_the_sign():
    assert canonical([1.0, -1.0], [0.5, 0.5], [0.5, 0.5], [1, 1]) == 1
    assert canonical([-1.0, -1.0], [0.1, 0.2], [0.3, 0.4], [1, 1]) == 1  # no term speaks for the class
    assert canonical([1.0, -1.0], [0.5, 0.5], [0.25, 0.25], [1, 1]) == 1


def test_whatever_numbers_they_are_is_the_same():
    cd, tpr, fpr, df = [3, -1, 2], [1, 1, 0], [0, 0, 1], [10, 20, 70]
    expected = canonical(np.array(cd, float), np.array(tpr, float), np.array(fpr, float), np.array(df, float))
    assert expected == pytest.approx(1 / np.sqrt((9 * 10 + 20 + 4 * 70) / 100))
    kinds = (list, tuple, np.int8, lambda values: np.array(values, dtype=object), lambda values: list(map(str, values)))
    for kind in kinds:
        found = canonical(kind(cd), kind(tpr), kind(fpr), kind(df))
        assert found == expected and type(found) is float
        np.testing.assert_allclose(canonical_weights(kind(cd), kind(tpr), kind(fpr), kind(df)), np.array(cd) * expected)
    assert canonical(cd, np.array(tpr, bool), np.array(fpr, bool), df) == expected


def test_magnitudes_for_free_signs():
    weights = canonical_weights([1.0, -1.0, 1.0], TPR, FPR, DF, magnitude=True)
    np.testing.assert_allclose(weights, 1)


def test_what_is_refused():
    one, two = [0.1], [0.1, 0.2]
    for shapes in ((two, one, one, one), (one, two, one, one), (one, one, two, one), (one, one, one, two)):
        told = ", ".join(rf"\({len(values)},\)" for values in shapes)
        with pytest.raises(ValueError, match=f"^cd, tpr, fpr and document_frequency must have one shape, got {told}$"):
            canonical(*shapes)
    with pytest.raises(ValueError, match=r"^cd has 2 weights that are not finite$"):
        canonical([np.nan, 1.0, np.inf], TPR, FPR, DF)

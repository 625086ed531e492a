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


def test_magnitudes_for_free_signs():
    weights = canonical_weights([1.0, -1.0, 1.0], TPR, FPR, DF, magnitude=True)
    np.testing.assert_allclose(weights, 1)


def test_what_is_refused():
    with pytest.raises(ValueError, match="one shape"):
        canonical([1.0, 2.0], [0.1], [0.1], [3])
    with pytest.raises(ValueError, match="1 weights that are not finite"):
        canonical([np.nan, 1.0, 1.0], TPR, FPR, DF)

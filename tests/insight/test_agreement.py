import numpy as np
import pytest

from ltw_core.insight import agreement, mean_curve, spread_of

# four terms: two typical of the class, two of the rest
TPR = np.array([0.5, 0.4, 0.1, 0.2])
FPR = np.array([0.1, 0.1, 0.3, 0.2])
DF = np.array([10.0, 20.0, 30.0, 40.0])


def test_sign_and_scale_of_a_seed_do_not_count():
    """Four copies of tpr - fpr with any factor: one shape, no spread."""
    cd = TPR - FPR
    found = agreement([cd, -3 * cd, 100 * cd, -0.01 * cd], TPR, FPR, DF)
    assert found.shared == pytest.approx(1)
    np.testing.assert_allclose(found.spread, 0, atol=1e-12)
    assert np.sign(found.factors).tolist() == [1, -1, 1, -1]
    assert found.mean[0] > 0 > found.mean[2]
    assert DF @ found.mean**2 / DF.sum() == pytest.approx(1)  # root mean square over documents is 1


def test_seeds_with_nothing_in_common():
    """Two seeds that weigh different terms alone, equally strong: their mean explains half of the squares."""
    found = agreement([[1, 0, 0, 0], [0, 1, 0, 0]], TPR, FPR, DF)
    assert found.shared == pytest.approx(0.5)
    # canonical: sqrt(100 / 10) and sqrt(100 / 20) at their terms
    np.testing.assert_allclose(found.mean, [np.sqrt(10) / 2, np.sqrt(5) / 2, 0, 0])
    np.testing.assert_allclose(found.spread, [np.sqrt(10) / np.sqrt(2), np.sqrt(5) / np.sqrt(2), 0, 0])


def test_the_mean_of_constructed_surfaces():
    """Planes a·tpr + b·fpr, seed by seed in raw scale and sign: the mean surface is the mean of the canonical ones."""
    grid_tpr, grid_fpr = np.meshgrid(np.linspace(0, 1, 5), np.linspace(0, 1, 5), indexing="ij")
    slopes = np.array([[1.0, -1.0], [-2.0, 1.8], [5.0, -6.0]])
    cds = [a * TPR + b * FPR for a, b in slopes]
    found = agreement(cds, TPR, FPR, DF)
    surfaces = [f * (a * grid_tpr + b * grid_fpr) for f, (a, b) in zip(found.factors, slopes, strict=True)]
    mean, spread = spread_of(surfaces)
    a, b = (found.factors[:, None] * slopes).mean(axis=0)
    np.testing.assert_allclose(mean, a * grid_tpr + b * grid_fpr, atol=1e-12)
    assert spread[0, 0] == 0 and spread[-1, 0] > 0  # all planes meet in the origin
    assert a > 0 > b
    np.testing.assert_allclose(found.mean, a * TPR + b * FPR)


def test_free_signs_are_averaged_as_magnitudes():
    signs = np.array([[1, 1, 1, 1], [1, -1, 1, -1]])
    found = agreement(signs * np.abs(TPR - FPR + 0.3), TPR, FPR, DF, magnitude=True)
    np.testing.assert_allclose(found.spread, 0, atol=1e-12)
    assert found.shared == pytest.approx(1)


def test_one_seed_has_no_spread():
    found = agreement([TPR], TPR, FPR, DF)
    assert found.shared == pytest.approx(1) and not found.spread.any() and found.spread.shape == (4,)
    assert spread_of([[[1, 2]]])[1].tolist() == [[0, 0]]


def test_without_seeds_it_says_so():
    for cds, shape in (([], "0,"), ([1, 2, 3, 4], "4,"), (np.zeros((0, 4)), "0, 4"), (np.zeros((1, 4, 1)), "1, 4, 1")):
        told = rf"^cds must have one row of weights a seed, got shape \({shape}\)$"
        with pytest.raises(ValueError, match=told):
            agreement(cds, TPR, FPR, DF)


def test_seeds_that_weigh_nothing_are_the_same():
    found = agreement([[0, 0, 0, 0], [0, 0, 0, 0]], TPR.tolist(), FPR.tolist(), DF.tolist())
    assert found.shared == 1 and type(found.shared) is float and found.factors.tolist() == [1, 1]
    one = agreement([[1, 2, 0, 0], [2, 1, 0, 0]], TPR.tolist(), FPR.tolist(), DF.astype(int).tolist())
    assert type(one.shared) is float


def test_the_mean_curve_ends_where_half_of_the_seeds_have_stopped():
    long = [(100, 3.0, 0.1), (200, 2.0, 0.3), (300, 1.0, 0.5)]
    short = [(100, 1.0, 0.3)]
    assert mean_curve([long, short]) == [(100, 2.0, 0.2), (200, 2.0, 0.3), (300, 1.0, 0.5)]
    assert mean_curve([long, short, short]) == [(100, pytest.approx(5 / 3), pytest.approx(0.7 / 3))]
    (empty,) = mean_curve([[(100.0, None, 0.5)], [(100, 2, None)]])
    assert empty[0] == 100 and np.isnan(empty[1:]).all() and [type(value) for value in empty] == [int, float, float]
    assert mean_curve([]) == []

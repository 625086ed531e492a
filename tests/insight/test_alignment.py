"""Centred kernel alignment: against the estimator's own formula, its invariances, and the map."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import pdist, squareform

from ltw_core.insight import aligned_grams, alignment, alignments, centred_gram, sample_documents


def documents(seed, n=30, terms=20):
    return sparse.random(n, terms, density=0.4, random_state=seed, format="csr")


def hsic(k, m):
    """The unbiased estimator as Song et al. write it (2012, equation 5): traces and sums of the whole matrices."""
    n = len(k)
    k, m = k - np.diag(np.diag(k)), m - np.diag(np.diag(m))
    one = np.ones(n)
    return (
        np.trace(k @ m) + (one @ k @ one) * (one @ m @ one) / ((n - 1) * (n - 2)) - 2 / (n - 2) * (one @ k @ m @ one)
    ) / (n * (n - 3))


def test_it_is_the_unbiased_estimator():
    one, other = documents(1), documents(2)
    k, m = ((x @ x.T).toarray() for x in (one, other))
    expected = hsic(k, m) / np.sqrt(hsic(k, k) * hsic(m, m))
    assert alignment(one, other) == pytest.approx(expected, abs=1e-5)
    assert alignment(one.toarray(), other.toarray()) == pytest.approx(expected, abs=1e-5)


def test_it_is_symmetric_and_knows_neither_sign_nor_scale():
    one, other = documents(1), documents(2)
    assert alignment(one, other) == pytest.approx(alignment(other, one))
    for factor in (-1, 7.5, -1e-4):
        assert alignment(one, factor * other) == pytest.approx(alignment(one, other), abs=1e-4)
    assert alignment(one, -3 * one) == pytest.approx(1, abs=1e-5)


def test_unrelated_weightings_have_none_on_average():
    """The biased estimate of these is far above 0: 30 documents have few inner products for their many dimensions."""
    rng = np.random.default_rng(0)
    found = [alignment(*(rng.normal(size=(30, 20)) for _ in range(2))) for _ in range(60)]
    assert abs(np.mean(found)) < 3 * np.std(found) / np.sqrt(60)


def test_documents_that_are_all_alike_tell_nothing():
    same = np.ones((8, 3))
    assert alignment(same, documents(1, 8, 3)) == 0
    assert not centred_gram(0 * same).any()


def test_alignment_with_the_class_is_1_where_a_weighting_sees_nothing_else():
    y = np.array([True] * 6 + [False] * 14)
    perfect = np.stack([y, ~y], axis=1).astype(float)
    noise = documents(3, 20)
    found = alignments({"perfect": perfect, "noise": noise}, sample_documents(y))
    assert found.with_class[0] == pytest.approx(1, abs=1e-5) and abs(found.with_class[1]) < 0.5
    assert found.of("perfect", "noise") == pytest.approx(found.between[1, 0])


def test_a_sample_has_its_share_of_the_class_and_is_drawn_alike_again():
    y = np.arange(2_000) % 10 == 0  # 200 of 2,000
    sample = sample_documents(y, size=100, positives=30, seed=4)
    assert (sample.rows.size, sample.y.sum()) == (100, 30) and (np.diff(sample.rows) > 0).all()
    assert (y[sample.rows] == sample.y).all()
    assert (sample.rows == sample_documents(y, size=100, positives=30, seed=4).rows).all()
    assert (sample.rows != sample_documents(y, size=100, positives=30, seed=5).rows).any()
    assert str(sample) == "100 of 2,000 training documents, 30 of them of the class, drawn with seed 4"
    few = sample_documents(np.arange(50) < 45)  # nearly all are of the class, and all are taken
    assert (few.rows.size, few.y.sum()) == (50, 45) and str(few).startswith("all 50 training documents, 45")
    with pytest.raises(ValueError, match="at least 4 documents"):
        sample_documents([True, False])


def test_the_map_keeps_distances_that_lie_in_a_plane():
    """Three weightings always do: of a triangle every distance is kept."""
    sample = sample_documents(np.arange(30) < 6)
    found = alignments({str(k): documents(k) for k in range(3)}, sample)
    drawn = squareform(pdist(found.positions()))
    np.testing.assert_allclose(drawn, np.sqrt(2 - 2 * found.between), atol=1e-5)
    assert found.explained() == pytest.approx(1, abs=1e-5)
    more = alignments({str(k): documents(k) for k in range(8)}, sample)
    assert 0.2 < more.explained() < 1


def test_maps_of_none_one_two_and_equal_weightings():
    sample, one, other = sample_documents(np.arange(30) < 6), documents(1), documents(2)
    for weighted in ({}, {"a": one}, {"a": one, "b": -2 * one}, {"a": one, "b": other}):
        found = alignments(weighted, sample)
        n = len(weighted)
        assert found.names == tuple(weighted) and found.between.shape == (n, n) and found.with_class.shape == (n,)
        assert found.positions().shape == (n, 2) and found.sample is sample
        drawn = squareform(pdist(found.positions())) if n else found.between
        np.testing.assert_allclose(drawn, np.sqrt(2 - 2 * found.between), atol=2e-3)
        assert found.explained() == pytest.approx(1) and type(found.explained()) is float
    assert type(found.of("a", "b")) is type(alignment(one, other)) is float


def test_a_share_of_the_distances_is_that_of_the_two_largest_eigenvalues():
    found = alignments({str(k): documents(k) for k in range(7)}, sample_documents(np.arange(30) < 6))
    centre = np.eye(7) - 1 / 7
    values = np.linalg.eigvalsh(centre @ found.between @ centre)
    assert found.explained() == pytest.approx(values[-2:].sum() / values.sum())


def test_rounding_makes_no_alignment_of_more_than_1():
    """Half a Gram matrix of four documents has six entries; of these lengths is a little over 1, or far over it."""
    sample = sample_documents([True, False, False, True])
    for length in (1 + 1e-7, 1.5):
        one = np.array([length, 0, 0, 0, 0, 0])
        found = aligned_grams({"a": one, "b": one, "c": -one, "d": np.roll(one, 1)}, sample)
        assert found.between.tolist() == [[1, 1, -1, 0], [1, 1, -1, 0], [-1, -1, 1, 0], [0, 0, 0, 1]]
        assert found.between.dtype == found.with_class.dtype == np.float64
        assert np.isfinite(found.positions()).all() and found.explained() <= 1


def test_shapes_that_do_not_fit():
    assert alignment(documents(1, terms=12), documents(2)) == pytest.approx(
        alignment(documents(2), documents(1, terms=12))
    )
    with pytest.raises(ValueError, match=r"^alignment is of the same documents, not of 30 and 29$"):
        alignment(documents(1), documents(1)[:29])
    told = "^x weights 30 documents, and the sample has 20: give it the sample's rows$"
    with pytest.raises(ValueError, match=told):
        alignments({"x": documents(1)}, sample_documents(np.arange(20) < 6))
    with pytest.raises(ValueError, match=r"^alignment needs at least 4 documents, not 3$"):
        centred_gram(np.ones((3, 2)))

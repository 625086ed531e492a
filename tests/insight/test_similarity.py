import numpy as np
import pytest
import scipy.stats

from ltw_core.insight import similarity, similarity_over_steps


def test_a_multiple_is_recognised_and_comes_first():
    truth = np.array([1.0, 2.0, 4.0, 0.5])
    rows = similarity(3 * truth, {"noise": [4.0, 0.1, 1.0, 2.0], "truth": truth})
    assert rows[0].name == "truth"
    assert rows[0].r2 == pytest.approx(1)
    assert rows[0].factor == pytest.approx(3)
    assert rows[0].spearman == pytest.approx(1)


def test_a_monotone_transform_keeps_the_ranking_not_the_fit():
    truth = np.linspace(0.1, 1, 20)
    (row,) = similarity(truth**3, {"truth": truth})
    assert row.spearman == pytest.approx(1)
    assert row.r2 < 0.95


def test_an_added_constant_is_not_forgiven():
    truth = np.linspace(0, 1, 20)
    (row,) = similarity(truth + 5, {"truth": truth})
    assert row.r2 < 0.9


def test_a_factor_by_hand():
    # weights 1, 3: factor = (1*1*1 + 3*2*1) / (1*1 + 3*1) = 7/4; r2 = 49 / (4 * 13)
    (row,) = similarity([1.0, 2.0], {"one": [1.0, 1.0]}, [1.0, 3.0])
    assert row.factor == pytest.approx(1.75)
    assert row.r2 == pytest.approx(49 / 52)
    assert row.spearman == 0  # a constant has no ranking


def test_terms_count_by_document_frequency():
    cd, other = [1.0, 1.0, 9.0], [1.0, 1.0, 0.0]
    light, heavy = similarity(cd, {"o": other}, [100, 100, 1])[0], similarity(cd, {"o": other}, [1, 1, 100])[0]
    assert light.r2 > 0.7 > 0.01 > heavy.r2


def test_zeros_and_shapes():
    (row,) = similarity([1.0, 2.0], {"zero": [0.0, 0.0]})
    assert (row.factor, row.r2, row.spearman) == (0, 0, 0)
    with pytest.raises(ValueError, match=r"^short has weights of shape \(1,\), the weighting has \(2,\)$"):
        similarity([1.0, 2.0], {"short": [1.0]})
    (row,) = similarity([0, 0], {"any": [1, 2]})
    assert (row.factor, row.r2, row.spearman) == (0, 0, 0)
    (row,) = similarity([1, 2], {"any": [2, 4]}, [0, 0])  # terms of no document
    assert (row.factor, row.r2, row.spearman) == (0, 0, 0)


def test_correlation_is_of_ranks_and_weighted():
    rng = np.random.default_rng(0)
    cd, other, documents = rng.random(9), rng.random(9), rng.integers(1, 9, 9)
    (row,) = similarity(cd.tolist(), {"o": other.tolist()}, documents.tolist())
    ranks = [scipy.stats.rankdata(values) for values in (cd, other)]
    expected = np.corrcoef(*(np.repeat(r, documents) for r in ranks))[0, 1]  # each term as often as documents hold it
    assert row.spearman == pytest.approx(expected)
    assert row.r2 == pytest.approx((documents @ (cd * other)) ** 2 / (documents @ cd**2 * (documents @ other**2)))
    assert row.factor == pytest.approx(documents @ (cd * other) / (documents @ other**2))
    assert {type(value) for value in (row.factor, row.r2, row.spearman)} == {float}
    (plain,) = similarity(cd, {"o": other})
    assert plain.spearman == pytest.approx(scipy.stats.spearmanr(cd, other).statistic)
    assert similarity([1, 2, 3], {"o": [1, 2, 4], "p": [1, 2, 3]}, [1e6, 1e6, 1e6])[0].spearman == 1  # not beyond
    assert [row.name for row in similarity([1, 2], {"a": [2, 1], "b": [1, 2], "c": [2, 4]})] == ["b", "c", "a"]


def test_the_course_of_a_training_ends_at_the_function_it_becomes():
    """Snapshots that go in a straight line from one function to another."""
    truth, start = np.array([1.0, 2.0, 4.0, 0.5]), np.array([4.0, 0.1, 1.0, 2.0])
    snapshots = [(1 - t) * start + t * truth for t in (0.0, 0.5, 1.0)]
    found = similarity_over_steps(snapshots, {"truth": truth, "start": start})
    assert found.names == ("truth", "start") and found.r2.shape == (3, 2)
    np.testing.assert_allclose([found.r2[0, 1], found.r2[2, 0]], 1)
    assert (np.diff(found.r2[:, 0]) > 0).all() and (np.diff(found.r2[:, 1]) < 0).all()
    assert found.spearman[2, 0] == pytest.approx(1)


def test_an_opposite_is_not_alike():
    truth = np.array([1.0, 2.0, 3.0])
    found = similarity_over_steps([-truth], {"truth": truth})
    assert found.r2[0, 0] == 0 and found.spearman[0, 0] == pytest.approx(-1)
    assert similarity_over_steps([], {"truth": truth}).r2.shape == (0, 1)

import numpy as np
import pytest

from ltw_core.insight import rank_changes, strongest


def test_ranks_by_hand():
    # five terms; the second weighting turns the order of the first around, but for the last
    weights = {"one": [5.0, 4.0, 3.0, 2.0, 1.0], "other": [2.0, 3.0, 4.0, 5.0, 0.0]}
    found = rank_changes(weights, [0, 1, 4])
    assert found.names == ("one", "other")
    np.testing.assert_array_equal(found.ranks, [[1, 2, 5], [4, 3, 5]])
    np.testing.assert_array_equal(found.positions, [[1, 2, 3], [2, 1, 3]])


def test_a_monotone_transform_changes_nothing():
    values = np.random.default_rng(0).random(50)
    found = rank_changes({"cd": values, "cd³": values**3}, strongest(values, 10))
    np.testing.assert_array_equal(found.ranks[0], found.ranks[1])
    np.testing.assert_array_equal(found.positions[0], np.arange(1, 11))


def test_ties_share_the_best_rank_and_keep_their_order():
    found = rank_changes({"flat": [1.0, 1.0, 2.0]}, [1, 0, 2])
    np.testing.assert_array_equal(found.ranks, [[2, 2, 1]])
    np.testing.assert_array_equal(found.positions, [[2, 3, 1]])


def test_strongest_and_edges():
    np.testing.assert_array_equal(strongest([0.0, 3.0, -5.0, 3.0], 2), [1, 3])
    assert strongest([], 30).size == 0
    assert rank_changes({"cd": [1.0]}, []).ranks.shape == (1, 0)
    assert strongest(range(40)).tolist() == list(range(39, 9, -1)) and strongest([True, 2, 1], 1).tolist() == [1]
    for chosen in ([2], [-1, 2], [0, 2]):
        with pytest.raises(ValueError, match=r"^cd has 2 weights; there is no term number 2$"):
            rank_changes({"cd": [1.0, 2.0]}, chosen)
    with pytest.raises(ValueError, match=r"^cd has 2 weights; there is no term number 0$"):
        rank_changes({"cd": [1, 2]}, (0, -1))
    found = rank_changes({"a": (3, 1, 2), "b": (1, 2, 3)}, (0, 1))
    assert found.ranks.tolist() == [[1, 3], [3, 2]] and found.ranks.dtype == found.positions.dtype == int
    found = rank_changes({"a": [1, 1, 1, 2], "b": np.array([0, 1, 2, 3], dtype=np.uint8)}, [0, 1, 2, 3])
    assert found.ranks.tolist() == [[2, 2, 2, 1], [4, 3, 2, 1]]  # not the mean of 2, 3 and 4; -1 is no 255
    assert found.positions.tolist() == [[2, 3, 4, 1], [4, 3, 2, 1]]
    assert strongest(np.array([0, 1, 2], dtype=np.uint8), 2).tolist() == [2, 1]
    many = np.tile([1.0, 3.0, 2.0], 40)  # enough for a sort that is not stable to show it
    assert strongest(many, 50).tolist() == [*range(1, 120, 3), *range(2, 30, 3)]
    places = rank_changes({"a": many}, range(120)).positions[0]
    assert places[1::3].tolist() == list(range(1, 41)) and places[::3].tolist() == list(range(81, 121))
    assert rank_changes({}, [0, 1]).ranks.shape == rank_changes({}, [0, 1]).positions.shape == (0, 2)

import numpy as np
import pytest

from ltw_core.evaluation import average_ranks, cliques
from ltw_core.evaluation.ranks import Ranks, critical_difference


@pytest.mark.parametrize(("methods", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_critical_values_are_those_of_demsars_table(methods, q):
    assert critical_difference(methods, 6) == pytest.approx(q * (methods * (methods + 1) / 36) ** 0.5, abs=2e-3)


def test_demsars_example():
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=5e-3)  # page 11: four classifiers, 14 data sets


def test_ranks_by_hand():
    scores = [
        [0.9, 0.8, 0.5],  # ranks 1, 1, 3 (of the last column's .7, .6, .5)
        [0.7, 0.8 - 1e-17, 0.7],  # ranks 2.5, 2, 1: the second is the smaller by no digit that counts, so they tie
        [0.7, 0.1, 0.6],  # ranks 2.5, 3, 2
    ]
    found = average_ranks(scores)
    assert found.average == pytest.approx([(1 + 1.5 + 3) / 3, (2.5 + 1.5 + 1) / 3, (2.5 + 3 + 2) / 3])
    assert found.pairs == 3 and 0 < found.p <= 1
    assert average_ranks(np.ones((3, 4))).p == 1


@pytest.mark.parametrize("wrong", [np.ones(3), np.ones((2, 5)), np.ones((3, 1)), [[1, 2], [1, np.nan], [1, 3]]])
def test_refuses_what_has_no_ranks(wrong):
    with pytest.raises(ValueError, match=r"at least 3 methods|missing"):
        average_ranks(wrong)


def test_bars_join_what_does_not_differ():
    ranks = Ranks(np.array([4.0, 1.0, 1.5, 2.6, 3.0]), critical_difference=1.2, p=0.001, pairs=9)
    # from 1: up to 2.2; from 1.5: up to 2.7; from 2.6: up to 3.8; 3 to 4 is within 1.2
    assert cliques(ranks) == [(1.0, 1.5), (1.5, 2.6), (2.6, 3.0), (3.0, 4.0)]
    assert cliques(ranks._replace(critical_difference=5.0)) == [(1.0, 4.0)]
    assert cliques(ranks._replace(critical_difference=0.1)) == []

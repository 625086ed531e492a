import numpy as np
import pytest
import scipy.stats

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
        [0.7, 0.1 + 0.7, 0.7],  # ranks 2.5, 2, 1: the second is the smaller by no digit that counts, so they tie
        [0.7, 0.1, 0.6],  # ranks 2.5, 3, 2
    ]
    found = average_ranks(scores)
    assert found.average == pytest.approx([(1 + 1.5 + 3) / 3, (2.5 + 1.5 + 1) / 3, (2.5 + 3 + 2) / 3])
    assert found.pairs == 3 and found.critical_difference == critical_difference(3, 3)
    assert average_ranks(np.ones((3, 4))).p == 1 and average_ranks(np.ones((3, 2))).pairs == 2
    assert average_ranks(scores, 0.1).critical_difference == critical_difference(3, 3, 0.1) < found.critical_difference
    assert {type(value) for value in (found.p, found.critical_difference)} == {float}


def test_that_all_are_alike_is_friedmans_test():
    scores = np.random.default_rng(0).random((4, 9))
    for given in (scores, scores.tolist(), scores + 1e-16 * np.arange(9)):
        assert average_ranks(given).p == pytest.approx(scipy.stats.friedmanchisquare(*scores).pvalue)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (np.ones(3), r"scores have shape \(3,\); ranks need at least 3 methods \(rows\) and 2 pairs \(columns\)"),
        (np.ones((2, 5)), r"scores have shape \(2, 5\); ranks need .*"),
        (np.ones((3, 1)), r"scores have shape \(3, 1\); ranks need .*"),
        (np.ones((3, 2, 2)), r"scores have shape \(3, 2, 2\); ranks need .*"),
        ([[1, 2], [1, np.nan], [1, 3]], r"A score is missing \(NaN or infinite\): leave that pair out for all methods"),
        ([[1, 2], [1, np.inf], [1, 3]], r"A score is missing .*"),
    ],
)
def test_refuses_what_has_no_ranks(wrong, told):
    with pytest.raises(ValueError, match=f"^{told}$"):
        average_ranks(wrong)


def test_bars_join_what_does_not_differ():
    ranks = Ranks(np.array([4.0, 1.0, 1.5, 2.6, 3.0]), critical_difference=1.2, p=0.001, pairs=9)
    # from 1: up to 2.2; from 1.5: up to 2.7; from 2.6: up to 3.8; 3 to 4 is within 1.2
    assert cliques(ranks) == [(1.0, 1.5), (1.5, 2.6), (2.6, 3.0), (3.0, 4.0)]
    assert cliques(ranks._replace(critical_difference=5.0)) == [(1.0, 4.0)]
    just = ranks._replace(average=np.array([1.0, 2.0, 4.0]), critical_difference=1.0)
    assert cliques(just) == [(1.0, 2.0)] and {type(end) for end in cliques(just)[0]} == {float}
    assert cliques(ranks._replace(critical_difference=0.1)) == []

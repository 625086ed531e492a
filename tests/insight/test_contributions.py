"""Contributions by hand, and terms that a weighting cannot tell apart."""

import numpy as np
import pytest
from scipy import sparse

from ltw_core.insight import contributing, contributions, estimated_share, out_of_view, term_groups
from ltw_core.tasks import TermStatistics

#                     the, corn, maize; the last document holds nothing
VECTORS = sparse.csr_array([[1.0, 1.0, 0], [3.0, 0, 4.0], [5.0, 0, 0], [0, 0, 0]])
Y = [True, True, False, True]


def test_shares_by_hand():
    found = contributions(VECTORS, Y)
    # squared lengths 2, 25, 25; shares 1/2 1/2 0, 9/25 0 16/25, 1 0 0
    np.testing.assert_allclose(found.in_class, [(0.5 + 0.36) / 2, 0.25, 0.32])
    np.testing.assert_allclose(found.overall, [(0.5 + 0.36 + 1) / 3, 0.5 / 3, 0.64 / 3])


def test_neither_length_nor_sign_of_a_document_counts():
    scaled = sparse.diags_array([-2.0, 10.0, 0.1, 1.0]) @ VECTORS
    np.testing.assert_allclose(contributions(scaled, Y).in_class, contributions(VECTORS, Y).in_class)


def test_nothing_to_share():
    assert contributions(0 * VECTORS, Y).overall.tolist() == [0, 0, 0]
    assert contributions(VECTORS, [False] * 4).in_class.tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="4 documents and 3 labels"):
        contributions(VECTORS, Y[:3])


#        common, two ties in 5 documents, four ties in one
COUNTS = {"tp": [9, 4, 4, 1, 1, 1, 1], "fp": [30, 1, 1, 0, 0, 0, 0]}
TERMS = np.array(["the", "maize", "corn", "d", "c", "b", "a"], dtype=object)
STATISTICS = TermStatistics(TERMS, np.array(COUNTS["tp"]), np.array(COUNTS["fp"]), 10, 100)
WEIGHTS = np.array([0.1, 5.0, 5.0, 9.0, 9.0, 9.0, 9.0])
SHARE = np.array([0.24, 0.15, 0.25, 0.09, 0.09, 0.09, 0.09])


def test_ties_are_one_entry():
    groups = term_groups(SHARE, WEIGHTS, STATISTICS)
    assert [group.name(TERMS) for group in groups] == ["corn, maize", "4 terms with tp = 1, fp = 0", "the"]
    assert [group.share for group in groups] == pytest.approx([0.4, 0.36, 0.24])
    assert [(g.tp, g.fp, g.weight) for g in groups] == [(4, 1, 5.0), (1, 0, 9.0), (9, 30, 0.1)]
    assert len(term_groups(SHARE, WEIGHTS, STATISTICS, count=1)) == 1


def test_terms_of_equal_counts_and_other_weights_are_no_ties():
    """As in LTW-G, where each term has a weight of its own."""
    weights = np.where(TERMS == "corn", 4.0, WEIGHTS)
    assert "maize" in [group.name(TERMS) for group in term_groups(SHARE, weights, STATISTICS)]


def test_rare_terms_can_be_left_out():
    assert [g.name(TERMS) for g in term_groups(SHARE, WEIGHTS, STATISTICS, rare=False)] == ["corn, maize", "the"]
    assert TERMS[contributing(SHARE, STATISTICS, 2)].tolist() == ["corn", "the"]
    assert contributing(SHARE, STATISTICS).size == 3
    assert contributing(SHARE, STATISTICS, rare=True).size == 7
    seldom = TermStatistics(TERMS[3:], STATISTICS.tp[3:], STATISTICS.fp[3:], 10, 100)
    assert contributing(SHARE[3:], seldom, 2).tolist() == [0, 1]  # there are no others
    assert term_groups(SHARE[3:], WEIGHTS[3:], seldom, rare=False) == []
    with pytest.raises(ValueError, match="7 shares and 3 weights"):
        term_groups(SHARE, WEIGHTS[:3], STATISTICS)


def test_terms_that_matter_and_lie_out_of_view_are_found():
    inside = np.array([True, True, False, False, True, True, True])
    assert TERMS[out_of_view(SHARE, STATISTICS, inside)].tolist() == ["corn"]  # and not the rare one
    assert out_of_view(SHARE, STATISTICS, inside | True).size == 0


def test_the_estimate_is_the_share_where_documents_are_as_it_takes_them():
    """Binary documents of one term each: the share is the term's documents among those of the class."""
    counts = sparse.csr_array(np.eye(4)[[0, 0, 1, 2]])
    statistics = TermStatistics(None, np.array([2, 1, 1, 0]), np.zeros(4, int), 4, 8)
    share = contributions(counts, [True] * 4).in_class
    np.testing.assert_allclose(share, estimated_share([3.0, 3.0, 3.0, 3.0], statistics))
    assert estimated_share([0.0] * 4, statistics).tolist() == [0] * 4

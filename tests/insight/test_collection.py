"""Curves of a collection, on counts small enough to be checked by hand."""

import numpy as np
import pytest
from scipy import sparse

from ltw_core.insight import document_lengths, label_overlap, labels_a_document, vocabulary_growth, zipf

# three documents over four terms; the last term is in none
COUNTS = sparse.csr_array(np.array([[2, 0, 0, 0], [1, 1, 0, 0], [0, 3, 1, 0]]))


def test_growth_counts_each_term_at_its_first_document():
    growth = vocabulary_growth(COUNTS)
    np.testing.assert_array_equal(growth.occurrences, [2, 4, 8])
    np.testing.assert_array_equal(growth.terms, [1, 2, 3])


def test_heaps_law_is_found_where_it_holds():
    # document i brings as many new terms as keep terms = occurrences ** .5
    rows, columns = [], []
    for i in range(1, 40):
        rows += [i - 1] * (2 * i - 1)
        columns += [i - 1] * (2 * i - 1)  # i² occurrences so far, i terms
    counts = sparse.csr_array((np.ones(len(rows)), (rows, columns)))
    growth = vocabulary_growth(counts)
    assert growth.exponent == pytest.approx(0.5) and growth.factor == pytest.approx(1)


def test_growth_is_thinned():
    counts = sparse.eye_array(1000, format="csr")
    growth = vocabulary_growth(counts, points=10)
    assert growth.terms.size == 10 and growth.terms[-1] == 1000


def test_zipf_is_sorted_and_finds_its_exponent():
    found = zipf(COUNTS)
    np.testing.assert_array_equal(found.rank, [1, 2, 3])
    np.testing.assert_array_equal(found.frequency, [4, 3, 1])
    harmonic = sparse.csr_array(np.array([1e6 / np.arange(1, 2001)]))
    assert zipf(harmonic).exponent == pytest.approx(1, abs=1e-6) and zipf(harmonic).rank.size <= 400


def test_lengths():
    length, distinct = document_lengths(COUNTS)
    np.testing.assert_array_equal(length, [2, 2, 4])
    np.testing.assert_array_equal(distinct, [1, 2, 2])


def test_overlap_and_labels_a_document():
    labels = sparse.csr_array(np.array([[1, 1, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]], dtype=bool))
    overlap = label_overlap(labels)
    np.testing.assert_array_equal(overlap.classes, [0, 1, 2])
    np.testing.assert_array_equal(overlap.documents, [[3, 2, 0], [2, 2, 0], [0, 0, 0]])
    np.testing.assert_allclose(overlap.share, [[1, 2 / 3, 0], [1, 1, 0], [0, 0, 0]])
    assert label_overlap(labels, most=1).documents.tolist() == [[3]]
    np.testing.assert_array_equal(labels_a_document(labels), [1, 1, 2])


def test_nothing_at_all():
    empty = sparse.csr_array((0, 3))
    assert vocabulary_growth(empty).terms.size == 0 and zipf(empty).rank.size == 0
    assert np.isnan(vocabulary_growth(empty).exponent) and document_lengths(empty)[0].size == 0

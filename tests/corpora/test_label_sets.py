import numpy as np

from ltw_core.corpora import label_sets
from ltw_core.corpora.label_sets import LabelSets

SETS = [("a", "b"), (), ("b", "b"), (), ("c", "a")]


def test_sets_as_a_matrix():
    labels = LabelSets(SETS)
    assert list(labels.numbers) == ["a", "b", "c"]
    expected = [[1, 1, 0], [0, 0, 0], [0, 1, 0], [0, 0, 0], [1, 0, 1]]  # columns a, b, c
    np.testing.assert_array_equal(labels.matrix().toarray(), np.array(expected, dtype=bool))


def test_no_document_and_no_label():
    assert LabelSets().matrix().shape == (0, 0)
    assert LabelSets([(), ()]).matrix().shape == (2, 0)


def test_places_become_wide_where_narrow_ones_end(monkeypatch):
    """As beyond two thousand million labels, with places of a byte instead of four."""
    sets = [{"a", "b", "c"}] * 60
    narrow = LabelSets(sets).matrix()
    monkeypatch.setattr(label_sets, "_NARROW", "b")
    made = LabelSets(sets)
    wide = made.matrix()
    assert made._starts.typecode == "q" and (wide != narrow).nnz == 0 and wide.shape == (60, 3)

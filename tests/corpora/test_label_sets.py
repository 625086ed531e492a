import numpy as np

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

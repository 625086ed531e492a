import numpy as np
import pytest

from ltw_core.corpora.table_labels import LabelSets

SETS = [("a", "b"), (), ("b",), (), ("c", "a")]


@pytest.fixture
def labels():
    made = LabelSets()
    for labels in SETS:
        made.append(labels)
    return made


def test_it_is_the_sequence_that_was_appended(labels):
    assert list(labels) == SETS and len(labels) == 5 and labels[4] == ("c", "a") and labels[1] == ()
    assert list(labels.numbers) == ["a", "b", "c"]
    with pytest.raises(IndexError):
        labels[5]


def test_another_order_and_no_empty_ones(labels):
    order = np.array([4, 1, 0, 2, 3])
    assert list(labels.reordered(order)) == [SETS[i] for i in order]
    labels.drop_empty()
    assert list(labels) == [s for s in SETS if s]
    assert list(labels.reordered(np.array([2, 0]))) == [("c", "a"), ("a", "b")]

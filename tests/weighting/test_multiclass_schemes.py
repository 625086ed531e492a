"""Schemes for several classes on a table made by hand, with the arithmetic written out."""

import warnings

import numpy as np
import pytest
from scipy.stats import entropy

from ltw_core.tasks import ClassTable
from ltw_core.weighting import GlobalWeighting
from ltw_core.weighting.multiclass_schemes import (
    SCHEMES,
    balanced_distributional_concentration,
    distinguishing_feature_selector,
    icf_relevance_frequency,
    inverse_class_frequency,
    inverse_gravity_moment,
)

# 10, 20 and 10 documents of three classes; terms: in the first class only, evenly spread, 4 : 2 : 0, in no document
HELD = np.array([[5, 5, 4, 0], [0, 10, 2, 0], [0, 5, 0, 0]])
TABLE = ClassTable(HELD, np.array([10, 20, 10]), HELD.sum(axis=0), 40)


def test_tables_are_counted():
    counts = np.array([[2, 0], [0, 1], [1, 1]])
    table = ClassTable.of(counts, [[1, 0], [0, 1], [1, 1]])  # the last document has both classes
    assert table.held.tolist() == [[2, 1], [1, 2]] and table.sizes.tolist() == [2, 2]
    assert table.document_frequency.tolist() == [2, 2] and table.n_documents == 3
    np.testing.assert_allclose(table.tpr, [[1, 0.5], [0.5, 1]])
    np.testing.assert_allclose(table.fpr, [[0, 1], [1, 0]])
    with pytest.raises(ValueError, match="3 rows and labels 2"):
        ClassTable.of(counts, [[1], [0]])


def test_inverse_gravity_moment():
    # f in falling order: 5, 0, 0 / 10, 5, 5 / 4, 2, 0; a term that is nowhere counts as spread evenly, 1 / (1 + 2 + 3)
    igm = [5 / 5, 10 / (10 + 2 * 5 + 3 * 5), 4 / (4 + 2 * 2), 1 / 6]
    np.testing.assert_allclose(inverse_gravity_moment(TABLE), 1 + 7 * np.array(igm))
    np.testing.assert_allclose(inverse_gravity_moment(TABLE, 5), 1 + 5 * np.array(igm))
    once = ClassTable(np.array([[1], [0]]), np.array([2, 2]), np.array([1]), 4)  # one document of one class
    assert inverse_gravity_moment(once).tolist() == [8]


def test_balanced_distributional_concentration():
    # the second term is in half of every class's documents; the third in .4 and .1 of two: shares .8 and .2
    third = 1 + (0.8 * np.log(0.8) + 0.2 * np.log(0.2)) / np.log(3)
    np.testing.assert_allclose(balanced_distributional_concentration(TABLE), [1, 0, third, 0], atol=1e-12)


def test_distinguishing_feature_selector():
    expected = [
        1 / (1 + 0.5 + 0),  # 5 of 5; not in half of its class; in none of the others
        0.25 / (1 + 0.5 + 15 / 30) + 0.5 / (1 + 0.5 + 10 / 20) + 0.25 / (1 + 0.5 + 15 / 30),
        4 / 6 / (1 + 0.6 + 2 / 30) + 2 / 6 / (1 + 0.9 + 4 / 20),
        0,
    ]
    np.testing.assert_allclose(distinguishing_feature_selector(TABLE), expected)
    assert expected[1] == 0.5  # what a term that says nothing has


def test_inverse_class_frequency_and_its_product():
    icf = np.log(1 + 3 / np.array([1, 3, 2, 1]))
    np.testing.assert_allclose(inverse_class_frequency(TABLE), icf)
    rf = np.log2(
        [
            [2 + 5, 2 + 5 / 15, 2 + 4 / 2, 2],
            [2 + 0 / 5, 2 + 10 / 10, 2 + 2 / 4, 2],
            [2 + 0 / 5, 2 + 5 / 15, 2 + 0 / 6, 2],
        ]
    )
    np.testing.assert_allclose(icf_relevance_frequency(TABLE), icf * rf)


def test_concentration_has_scipys_entropy():
    held = np.array([7, 2, 1])
    table = ClassTable(held[:, None], np.array([10, 10, 10]), held.sum(keepdims=True), 30)
    assert balanced_distributional_concentration(table)[0] == pytest.approx(1 - entropy(held, base=3))
    two = ClassTable(held[:2, None], np.array([10, 10]), held[:2].sum(keepdims=True), 20)
    assert balanced_distributional_concentration(two)[0] == pytest.approx(1 - entropy(held[:2], base=2))


@pytest.mark.parametrize("name", SCHEMES)
def test_every_scheme_is_finite_on_odd_tables(name):
    odd = [
        ClassTable(np.zeros((1, 2), int), np.array([0]), np.zeros(2, int), 3),
        ClassTable(np.array([[3]]), np.array([3]), np.array([3]), 3),
        ClassTable(np.array([[2, 1], [2, 1]]), np.array([2, 2]), np.array([2, 1]), 2),  # all have both classes
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for table in odd:
            weights = SCHEMES[name].compute(table)
            assert weights.shape == (table.held.shape if SCHEMES[name].each_class else table.held.shape[1:])
            assert np.isfinite(weights).all() and (weights >= 0).all()
    assert SCHEMES[name].source and SCHEMES[name].formula and SCHEMES[name].description.endswith(".")


def test_schemes_weigh_documents_by_name():
    counts = np.array([[4, 0], [1, 1], [0, 1], [0, 9]])
    y = ["a", "a", "b", "b"]
    # the first term is in two documents of a: IGM 1; the second in one of a and two of b: 2 / (2 + 2·1)
    weighting = GlobalWeighting("TFIGM", norm=None).fit(counts, y)
    np.testing.assert_allclose(weighting.transform(counts).toarray(), counts * [8, 1 + 7 / 2])
    root = GlobalWeighting("RTFIGM", norm=None).fit(counts, y)
    np.testing.assert_allclose(root.transform(counts).toarray(), np.sqrt(counts) * [8, 1 + 7 / 2])
    assert np.linalg.norm(GlobalWeighting("LogTF-BDC").fit(counts, y).transform(counts).toarray()[0]) == 1

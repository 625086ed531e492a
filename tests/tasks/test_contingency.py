import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import confusion_matrix

from ltw_core.tasks import Contingency, presence, rates

# columns: in all documents, only in positives, only in negatives, in one of each, in none
COUNTS = np.array([[2, 1, 0, 3, 0], [1, 4, 0, 0, 0], [1, 0, 2, 1, 0], [5, 0, 1, 0, 0], [1, 0, 1, 0, 0]])
Y = np.array([1, 1, 0, 0, 0], dtype=bool)


def test_hand_checked():
    r = rates(sparse.csr_array(COUNTS), Y)
    assert r.tp.tolist() == [2, 2, 0, 1, 0]
    assert r.fp.tolist() == [3, 0, 3, 1, 0]
    assert r.fn.tolist() == [0, 0, 2, 1, 2]
    assert r.tn.tolist() == [0, 3, 0, 2, 3]
    np.testing.assert_allclose(r.tpr, [1, 1, 0, 0.5, 0])
    np.testing.assert_allclose(r.fpr, [1, 0, 1, 1 / 3, 0])
    assert (r.prevalence, r.n_documents) == (0.4, 5)
    assert r.document_frequency.tolist() == [5, 2, 3, 2, 0]


def test_explicit_zeros_are_not_presence():
    counts = sparse.csr_array((np.array([0, 2]), np.array([0, 1]), np.array([0, 2])), shape=(1, 2))
    assert presence(counts).toarray().tolist() == [[0, 1]]
    assert counts.nnz == 2  # the caller's matrix is left alone


def test_degenerate_classes_give_zeros_not_nan():
    for y in (np.zeros(5, bool), np.ones(5, bool)):
        r = rates(COUNTS, y)
        assert np.isfinite(r.tpr).all() and np.isfinite(r.fpr).all()


def test_all_classes_at_once_equal_one_by_one_and_scikit_learn():
    rng = np.random.default_rng(3)
    counts = sparse.csr_array(rng.poisson(0.4, (40, 12)))
    labels = sparse.csr_array((rng.random((40, 5)) < 0.3).astype(np.uint8))
    table = Contingency.of(counts, labels)
    tpr, fpr, prevalence = table.dense_rates()
    for c in range(5):
        y = labels[:, [c]].toarray().ravel().astype(bool)
        one, same = rates(counts, y), table.rates(c)
        for name in ("tp", "fp", "fn", "tn", "tpr", "fpr", "prevalence", "n_documents"):
            np.testing.assert_array_equal(getattr(one, name), getattr(same, name))
        np.testing.assert_allclose(tpr[c], one.tpr)
        np.testing.assert_allclose(fpr[c], one.fpr)
        assert prevalence[c, 0] == one.prevalence
        held = counts[:, [4]].toarray().ravel() > 0
        (tn, fp), (fn, tp) = confusion_matrix(y, held, labels=[False, True])
        assert (one.tp[4], one.fp[4], one.fn[4], one.tn[4]) == (tp, fp, fn, tn)


def test_rows_must_agree():
    with pytest.raises(ValueError, match="5 rows and y 2 labels"):
        rates(COUNTS, [True, False])

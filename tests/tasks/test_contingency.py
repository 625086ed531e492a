import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import confusion_matrix

from ltw_core.tasks import presence, rates

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


def test_equal_scikit_learns_confusion_matrix():
    rng = np.random.default_rng(3)
    counts = sparse.csr_array(rng.poisson(0.4, (40, 12)))
    y = rng.random(40) < 0.3
    found = rates(counts, y)
    for term in range(12):
        held = counts[:, [term]].toarray().ravel() > 0
        (tn, fp), (fn, tp) = confusion_matrix(y, held, labels=[False, True])
        assert (found.tp[term], found.fp[term], found.fn[term], found.tn[term]) == (tp, fp, fn, tn)


def test_rows_must_agree():
    with pytest.raises(ValueError, match="5 rows and y 2 labels"):
        rates(COUNTS, [True, False])

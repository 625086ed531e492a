"""All classes as one problem: which terms, which documents validate, what is said."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_selection import chi2

from ltw_core.tasks import select_terms, validation_mask
from ltw_core.tasks.selection import select_terms_of_all
from ltw_core.tasks.split import validation_mask_of_all
from tests.evaluation.test_multiclass import corpus, vectorize


def test_terms_by_their_best_class():
    rng = np.random.default_rng(0)
    counts, y = sparse.csr_array(rng.poisson(0.4, (60, 40))), rng.integers(3, size=60)
    labels = y[:, None] == np.arange(3)
    best = np.max([chi2(counts, column)[0] for column in labels.T], axis=0)
    expected = np.sort(np.argsort(-best, kind="stable")[:8])
    assert select_terms_of_all(counts, sparse.csr_array(labels.astype(int)), 0.2).tolist() == expected.tolist()
    one = sparse.csr_array(labels[:, :1].astype(int))
    assert select_terms_of_all(counts, one, 0.2).tolist() == select_terms(counts, labels[:, 0], 0.2).tolist()
    with pytest.raises(ValueError, match="ratio is 0"):
        select_terms_of_all(counts, one, 0)


def test_documents_of_one_class_validate_as_in_their_class():
    y = np.repeat([0, 1, 2], (10, 4, 5))
    mask = validation_mask_of_all(y[:, None] == np.arange(3), 0.2)
    assert mask.nonzero()[0].tolist() == [8, 9, 18]  # of 10 the last two, of 4 none, of 5 the last
    for j in range(3):
        of_class = y == j
        assert (mask[of_class] == validation_mask(np.ones(of_class.sum(), bool))).all()


def test_a_document_of_several_classes_goes_with_its_rarest():
    labels = np.zeros((17, 2), int)
    labels[:10, 0] = 1
    labels[5:10, 1] = 1  # the rarer class takes these five, and the other has five left; seven have none
    assert validation_mask_of_all(labels, 0.2).nonzero()[0].tolist() == [4, 9, 16]


def test_what_a_task_says_of_itself():
    task = vectorize(corpus(several=True), cache=False).multiclass_task(0.1)
    assert not task.single_label and "several classes or none" in repr(task)
    several, none = (int((task.labels_a_document[0] > 1).sum()), int((task.labels_a_document[0] == 0).sum()))
    assert f"Of 160 training documents {several} have several classes and {none} have none." in task.notes[0]
    assert task.counts_train.shape == (160, len(task.terms)) == (160, max(1, task.vectorized.vocabulary.size // 10))
    assert task.document(0, "test") == task.vectorized.corpus.documents[0]
    task = vectorize(corpus(), cache=False).multiclass_task()
    assert task.notes == () and task.unvalidated == 0
    few = vectorize(corpus(documents=18), cache=False).multiclass_task()
    assert few.labels_train.sum(axis=0).tolist() == [2, 3, 7]  # up to four documents all train
    assert few.unvalidated == 2
    with pytest.raises(ValueError, match="part is 'both'"):
        task.document(0, "both")

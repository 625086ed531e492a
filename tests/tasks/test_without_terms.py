"""Documents without a known term: counted, told, and scored or dropped."""

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.tasks import WithoutTerms, vectorize
from tests.tasks.test_vectorized import TINY

EMPTY = WithoutTerms(train=1, train_positives=1, test=1, test_positives=1, scored=True)
SCORED = (
    "Of 2 test documents 1 holds no known term: it is scored like any other, by what a classifier decides on an empty "
    "vector (KNN cannot: negative)."
)
LEFT_OUT = "Of 4 training documents 1 holds no known term: it is left out of learning."


def test_every_test_document_is_a_row_and_both_counts_are_told():
    v = vectorize(TINY)
    assert (v.documents, v.empty_test.tolist(), v.every_test_document_counts) == ("all", [False, True], False)
    assert v.corpus.report == (SCORED, LEFT_OUT)
    assert v.corpus.fingerprint == TINY.fingerprint and TINY.report == ()
    task = v.task("ship")
    assert task.without_terms == EMPTY
    assert task.notes[-1] == (
        "Of 2 test documents 1 holds no known term, 1 of the class among them: it is scored like any other, by what a "
        "classifier decides on an empty vector (KNN cannot: negative). Of 4 training documents 1 holds no known term, "
        "1 of the class among them: it is left out of learning."
    )
    assert task.y_test.tolist() == [False, True] and task.counts_test.toarray()[1].sum() == 0
    assert task.document(1, "test") == "of the and"
    assert v.task("grain").without_terms == WithoutTerms(1, 0, 1, 0, scored=True)


def test_the_papers_way_drops_them_and_says_so():
    v = vectorize(TINY, documents="with_terms")
    assert (v.documents, v.rows_test.tolist(), v.empty_test.tolist()) == ("with_terms", [4], [False])
    assert not v.every_test_document_counts
    assert v.corpus.report == (
        "Of 2 test documents 1 holds no known term: it is dropped, as in the paper: no figure counts them.",
        LEFT_OUT,
    )
    task = v.task("ship")
    assert task.without_terms == EMPTY._replace(scored=False)
    assert task.counts_test.shape[0] == task.y_test.size == 1
    with pytest.raises(ValueError, match="documents is 'some'; it must be one of all, with_terms"):
        vectorize(TINY, documents="some")


def test_one_way_is_made_of_the_other():
    ways = {name: vectorize(TINY, documents=name) for name in ("all", "with_terms")}
    for name, other in (("all", "with_terms"), ("with_terms", "all")):
        made = ways[other].counting(name)
        assert made.fingerprint == ways[name].fingerprint != ways[other].fingerprint
        assert made.rows_test.tolist() == ways[name].rows_test.tolist()
        assert made.counts_test.toarray().tolist() == ways[name].counts_test.toarray().tolist()
        assert made.counts_test.indptr.dtype == ways[name].counts_test.indptr.dtype
        assert made.counts_train is ways[other].counts_train
        assert made.task("ship").notes == ways[name].task("ship").notes
        assert made.corpus.report == ways[name].corpus.report
    tasks = [way.task("ship") for way in ways.values()]
    assert tasks[0].training_fingerprint == tasks[1].training_fingerprint == tasks[1].fingerprint  # one training
    assert tasks[0].fingerprint != tasks[1].fingerprint


def test_where_nothing_is_empty_both_ways_are_one():
    corpus = load("synthetic", documents=100)
    both = [vectorize(corpus, documents=name) for name in ("all", "with_terms")]
    assert both[0].fingerprint == both[1].fingerprint and both[0].every_test_document_counts
    assert both[0].corpus is corpus
    tasks = [v.task("relevant") for v in both]
    assert tasks[0].fingerprint == tasks[1].fingerprint == tasks[0].training_fingerprint
    assert tasks[0].notes == () and tasks[0].without_terms == WithoutTerms(0, 0, 0, 0, scored=True)
    for name in ("counts_train", "counts_test", "rows_test"):
        one, other = (getattr(v, name) for v in both)
        assert abs(one - other).sum() == 0


@pytest.mark.corpus
def test_the_236_of_20_newsgroups_are_there(real_corpus):
    v = vectorize(real_corpus("20newsgroups"))
    assert (v.rows_train.size, v.rows_test.size, np.count_nonzero(v.empty_test)) == (10_996, 7_532, 236)
    assert v.task("misc.forsale").without_terms == WithoutTerms(318, 8, 236, 8, scored=True)
    assert v.counting("with_terms").rows_test.size == 7_296
    assert v.corpus.report[-2:] == (
        "Of 7,532 test documents 236 hold no known term: they are scored like any other, by what a classifier decides "
        "on an empty vector (KNN cannot: negative).",
        "Of 11,314 training documents 318 hold no known term: they are left out of learning.",
    )

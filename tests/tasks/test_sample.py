"""A sample against the same documents counted as a corpus of their own."""

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.tasks import learned_of_sample, sample_of, sampled, vectorize
from tests.tasks.test_vectorized import TINY, corpus

SIZES = (5, 10, 30)


@pytest.fixture(scope="module")
def synthetic():
    return vectorize(load("synthetic", documents=120, noise_terms=60), min_df=2)


def test_samples_of_a_seed_are_nested_and_of_another_seed_others():
    c = load("synthetic", documents=120, noise_terms=60)
    small, middle, large = (set(sample_of(c, size, 3).tolist()) for size in SIZES)
    assert (len(small), len(middle), len(large)) == SIZES and small < middle < large
    assert large <= set(np.flatnonzero(c.train).tolist())
    assert set(sample_of(c, 5, 4).tolist()) != small
    assert sample_of(c, c.n_train, 3).tolist() == np.flatnonzero(c.train).tolist()


@pytest.mark.parametrize("size", SIZES)
def test_a_sample_is_what_its_documents_alone_would_be(synthetic, size):
    whole = synthetic.corpus
    drawn = sample_of(whole, size, 1)
    kept = np.union1d(drawn, np.flatnonzero(~whole.train))
    alone = corpus(
        [whole.documents[i] for i in kept],
        ["relevant" if whole.labels[[i]].toarray()[0, whole.class_names.index("relevant")] else "other" for i in kept],
        whole.train[kept],
    )
    alone, of = vectorize(alone, min_df=2, cache=False), sampled(synthetic, size, 1)
    assert of.vocabulary.tolist() == alone.vocabulary.tolist()
    for name in ("counts_train", "counts_test"):
        assert (getattr(of, name) != getattr(alone, name)).nnz == 0
    for name in ("rows_train", "rows_test"):
        assert getattr(of, name).tolist() == getattr(alone, name).tolist()
    one, other = of.task("relevant", ratio=0.5), alone.task("relevant", ratio=0.5)
    assert (one.tpr.tolist(), one.fpr.tolist()) == (other.tpr.tolist(), other.fpr.tolist())
    assert one.y_test.size == synthetic.corpus.n_test and one.fingerprint != synthetic.task("relevant").fingerprint


def test_test_documents_stay_without_a_term_of_the_sample_and_all_documents_are_the_corpus():
    v = vectorize(TINY, documents="with_terms")
    seed = next(s for s in range(20) if sample_of(TINY, 1, s).tolist() == [2])  # "ships in port"
    one = sampled(v, 1, seed)
    assert one.vocabulary.tolist() == ["port", "ships"] and one.empty_test.tolist() == [True, True]
    assert one.corpus.documents[one.rows_train[0]] == "ships in port" and one.documents == "all"
    assert sampled(v, 4, seed) is v.counting("all")
    silent = next(s for s in range(20) if sample_of(TINY, 1, s).tolist() == [3])  # "the of and"
    with pytest.raises(ValueError, match="none of the 1 sampled documents holds a term"):
        sampled(v, 1, silent)


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="a sample of 5 documents cannot be drawn: Tiny has 4 training documents"):
        sample_of(TINY, 5, 0)
    with pytest.raises(ValueError, match="seed is -1; it must be at least 0"):
        sample_of(TINY, 2, -1)


@pytest.mark.parametrize("options", [{}, {"min_df": 2}, {"min_df": 0.5}, {"max_features": 2}])
def test_what_is_learned_from_are_the_rows_of_the_sample(options):
    v, empty = vectorize(load("synthetic", documents=120, noise_terms=60), cache=False, **options), 0
    for size, seed in ((1, 0), (2, 0), (2, 1), (5, 2), (30, 3), (v.corpus.n_train, 0)):
        found = learned_of_sample(v, size, seed)
        try:
            of = sampled(v, size, seed)
        except ValueError:
            empty += 1
            assert not found.size
            continue
        kept = np.union1d(sample_of(v.corpus, size, seed), np.flatnonzero(~v.corpus.train))
        whole = size == v.corpus.n_train
        assert found.tolist() == (of.rows_train if whole else kept[of.rows_train]).tolist()
    assert empty == (options.get("min_df") == 2)  # two documents of one, which none can be in

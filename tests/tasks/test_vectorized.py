import gc
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_selection import SelectPercentile, chi2

from ltw_core.corpora import Corpus, load, read_table
from ltw_core.tasks import default_ratio, languages, rates, select_terms, vectorize


def corpus(documents, classes, train, **more):
    names = tuple(sorted(set(classes)))
    labels = sparse.csr_array(np.array([[c == n for n in names] for c in classes], dtype=np.uint8))
    return Corpus(
        name=more.pop("name", "tiny"),
        title="Tiny",
        documents=tuple(documents),
        labels=labels,
        class_names=names,
        train=np.array(train, dtype=bool),
        origin="made by a test",
        **more,
    )


DOCUMENTS = ["Wheat and corn", "corn, CORN; corn", "ships in port", "the of and", "new wheat unseen", "of the and"]
TINY = corpus(DOCUMENTS, ["grain", "grain", "ship", "ship", "grain", "ship"], [1, 1, 1, 1, 0, 0])


def test_vocabulary_is_of_training_texts_and_every_test_document_stays():
    v = vectorize(TINY)
    assert v.vocabulary.tolist() == ["corn", "port", "ships", "wheat"]
    assert v.rows_train.tolist() == [0, 1, 2]  # "the of and" holds only stop words
    assert v.rows_test.tolist() == [4, 5]
    assert v.counts_train.toarray().tolist() == [[1, 0, 0, 1], [3, 0, 0, 0], [0, 1, 1, 0]]
    assert v.counts_test.toarray().tolist() == [[0, 0, 0, 1], [0, 0, 0, 0]]


def test_cached_copy_is_equal_and_a_broken_cache_is_made_anew(tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    first = vectorize(TINY)
    (path,) = (tmp_path / "counts").iterdir()
    again = vectorize(TINY)
    assert (first.counts_train != again.counts_train).nnz == 0
    assert first.vocabulary.tolist() == again.vocabulary.tolist()
    path.write_bytes(path.read_bytes()[:200])
    assert vectorize(TINY).vocabulary.tolist() == first.vocabulary.tolist()
    other = corpus(["rye", *DOCUMENTS[1:]], ["grain", "grain", "ship", "ship", "grain", "ship"], [1, 1, 1, 1, 0, 0])
    assert "rye" in vectorize(other).vocabulary  # same name, other texts: not the cached counts


@pytest.mark.parametrize(
    ("options", "terms"),
    [
        ({"stop_words": None}, ["and", "corn", "in", "of", "port", "ships", "the", "wheat"]),
        ({"min_df": 2}, ["corn"]),
        ({"stop_words": "german", "tokenizer": "letters"}, ["and", "corn", "of", "port", "ships", "the", "wheat"]),
        ({"tokenizer": "bigrams", "min_df": 3, "stop_words": None}, ["or"]),
    ],
)
def test_options(options, terms):
    assert vectorize(TINY, **options).vocabulary.tolist() == terms


def test_characters_for_scripts_without_spaces():
    v = vectorize(corpus(["学习权重", "权重"], ["a", "b"], [1, 1]), tokenizer="bigrams", stop_words=None)
    assert v.vocabulary.tolist() == ["习权", "学习", "权重"]
    assert v.counts_test.shape == (0, 3)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stop_words": "klingon"}, "no stop words for 'klingon'"),
        ({"tokenizer": "sentences"}, "must be one of words, all words"),
        ({"min_df": 0}, "at least 1"),
        ({"min_df": 9}, "lower minimum document frequency"),
    ],
)
def test_bad_options_are_a_sentence(options, message):
    with pytest.raises(ValueError, match=message):
        vectorize(TINY, **options)
    assert "english" in languages()


def test_selection_is_scikit_learns():
    rng = np.random.default_rng(0)
    counts = sparse.csr_array(rng.poisson(0.3, (60, 50)))
    y = rng.random(60) < 0.3
    expected = SelectPercentile(chi2, percentile=10).fit(counts, y).get_support(indices=True)
    assert select_terms(counts, y, 0.1).tolist() == expected.tolist()
    assert select_terms(counts, y, 1.0).size == 50
    assert select_terms(counts, y, 1e-9).size == 1
    with pytest.raises(ValueError, match=r"\(0, 1\]"):
        select_terms(counts, y, 0)


@pytest.mark.parametrize(
    ("n_terms", "ratio"),
    [
        (1, 1), (58, 1), (1_000, 1), (1_001, 1),  # 1,000 of 1,001 are 99.9 %: whole percent, rounded up
        (1_500, 0.67), (2_000, 0.5), (3_456, 0.29), (9_999, 0.11), (10_000, 0.1), (200_000, 0.1),
    ],
)  # fmt: skip
def test_a_small_vocabulary_is_kept_whole_and_a_large_one_to_a_tenth(n_terms, ratio):
    assert default_ratio(n_terms) == ratio
    assert int(default_ratio(n_terms) * n_terms) >= min(n_terms, 1_000)


def test_a_task_has_the_share_of_its_corpus_where_none_is_asked_for():
    own = vectorize(TINY, cache=False)
    assert own.default_ratio == own.task("grain").ratio == 1
    assert own.task("grain").fingerprint == own.task("grain", ratio=1.0).fingerprint
    assert vectorize(replace(TINY, name="synthetic"), cache=False).task("grain").ratio == 0.1  # one of the catalogue


def test_task_holds_together():
    v = vectorize(TINY)
    task = v.task("grain", ratio=0.5)
    assert task.terms.tolist() == v.vocabulary[task.selected].tolist()
    assert task.counts_train.shape == (3, 2)
    assert task.y_train.tolist() == [True, True, False]
    assert task.prevalence == pytest.approx(2 / 3)
    assert task.document(2) == "ships in port"
    assert task.document(0, "test") == "new wheat unseen"
    assert "none is left for validation" in task.notes[0]
    assert task.fingerprint != v.task("ship", ratio=0.5).fingerprint
    with pytest.raises(ValueError, match="has no class 'gold'; its classes are grain, ship"):
        v.task("gold")


def test_reprs_are_short():
    v = vectorize(load("synthetic", documents=100), cache=False)
    task = v.task("relevant")
    assert repr(v) == "VectorizedCorpus('synthetic', 70 training and 30 test documents, 343 terms, 2 classes)"
    assert repr(task) == (
        "BinaryTask('synthetic', 'relevant', 70 training documents (of which 13 validate), 30 test documents,\n"
        "           34 terms, prevalence 0.2000)"
    )


def test_selections_are_kept_within_their_bytes(monkeypatch):
    monkeypatch.setattr("ltw_core.tasks.vectorized.SELECTION_BYTES", 16)  # two columns of eight bytes
    v = vectorize(TINY)
    first = v.selection("grain", 0.5)
    assert v.selection("grain", 0.5) is first
    assert v.selection("ship", 0.5).size == first.size == 2
    again = v.selection("grain", 0.5)  # the other one took its place
    assert again is not first
    assert again.tolist() == first.tolist() == select_terms(v.counts_train, v.labels_of("grain")[0], 0.5).tolist()


def test_counts_are_kept_within_their_bytes(monkeypatch):
    monkeypatch.setattr("ltw_core.tasks.vectorized.COUNTS_BYTES", 1)
    v = vectorize(TINY)
    task = v.task("grain", ratio=0.5)
    kept = task.counts_train
    assert task.counts_train is kept
    assert "by_term_test" not in vars(v)  # a copy of all test documents that nobody has asked for
    assert v.task("ship", ratio=0.5).counts_train is not kept
    again = task.counts_train  # the other one took its place
    assert again is not kept
    assert again.toarray().tolist() == kept.toarray().tolist() == v.counts_train[:, task.selected].toarray().tolist()
    assert task.counts_test.shape == (len(task.y_test), len(task.terms))


@pytest.mark.parametrize("seed", range(20))
def test_selection_breaks_ties_as_scikit_learns_numbers_do(seed):
    rng = np.random.default_rng(seed)
    counts = sparse.csr_array(rng.poisson(0.05, (37, 200)))  # few occurrences: many equal scores, and terms without any
    y = rng.random(37) < 0.3
    y[:2] = [True, False]
    scores = np.nan_to_num(chi2(counts, y)[0], nan=-1.0)
    expected = np.argsort(-scores, kind="stable")[:60]
    assert np.unique(scores).size < 60
    known = counts.sum(axis=0)
    for occurrences in (None, known):
        assert select_terms(counts, y, 0.3, occurrences=occurrences).tolist() == sorted(expected.tolist())
    assert known.tolist() == counts.sum(axis=0).tolist()  # what is handed over stays as it was


@pytest.mark.parametrize("by_term", [True, False])
def test_emptied_are_documents_with_terms_of_which_none_is_selected(by_term, monkeypatch):
    if not by_term:
        monkeypatch.setattr("ltw_core.tasks.vectorized.BY_TERM_MOST", 0)
    task = vectorize(load("synthetic")).task("relevant", ratio=0.02)
    train, test = task.counts_train.toarray(), task.counts_test.toarray()
    assert task.emptied == ((train.sum(axis=1) == 0).sum(), ((test.sum(axis=1) == 0) & ~task.empty_test).sum())
    assert 0 < task.emptied[0] < len(task.y_train)


@pytest.mark.corpus
def test_reuters_as_the_protocol_says(real_corpus):
    v = vectorize(real_corpus("reuters21578"))
    task = v.task("corn")
    assert v.vocabulary.size == pytest.approx(28_761, abs=5)
    assert task.terms.size == v.vocabulary.size // 10
    assert {"corn", "maize", "grain"} <= set(task.terms)
    table = rates(v.counts_train, task.y_train)
    np.testing.assert_array_equal(table.tp[task.selected], task.tp)
    np.testing.assert_array_equal(table.fpr[task.selected], task.fpr)
    assert np.mean((task.tpr < 0.1) & (task.fpr < 0.05)) > 0.9  # terms crowd in the corner


def test_pydocs_gives_a_task():
    v = vectorize(load("pydocs"))
    task = v.task(v.class_names[0])
    assert task.counts_train.shape[1] == task.tpr.size == task.terms.size
    assert (task.tp + task.fn == task.y_train.sum()).all()


def test_a_corpus_of_too_many_different_words_is_a_sentence():
    rows = "".join(f"alpha{n} and beta,{'xy'[n % 2]}\n" for n in range(40))
    corpus = read_table(f"text,label\n{rows}".encode())
    with pytest.raises(ValueError, match="more than 20 different words in the table, too many to count"):
        vectorize(corpus, cache=False, max_terms=20)
    limited, plain = (vectorize(corpus, cache=False, max_terms=most) for most in (41, None))
    assert limited.fingerprint == plain.fingerprint and (limited.vocabulary == plain.vocabulary).all()
    assert (limited.counts_train != plain.counts_train).nnz == 0 and (limited.counts_test != plain.counts_test).nnz == 0


def test_the_memory_that_a_table_takes_is_told(monkeypatch):
    """Compared with what Python and NumPy allocate for it and have not freed."""
    words = [f"{number * 2654435761 % 2**32:x}{'é' * (number % 23)}" for number in range(6000)]
    rows = (" ".join(words[n : n + 20]) + f",{'xy'[n % 2]}" for n in range(0, len(words), 3))
    data = ("text,label\n" + "\n".join(rows)).encode()
    vectorize(read_table(data), cache=False)  # imports
    gc.collect()
    tracemalloc.start()
    try:
        made = vectorize(read_table(data), cache=False)
        assert (made.by_term.nnz, made.by_term_test.nnz) == (made.counts_train.nnz, made.counts_test.nnz)
        assert made.document_frequency.size == made.vocabulary.size
        assert made.labels_train.nnz + made.labels_test.nnz == made.corpus.labels.nnz
        gc.collect()
        allocated = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert 0.95 < made.n_bytes / allocated < 1.1


def test_a_corpus_of_five_terms_is_told_to_be_too_small():
    words = ["apple", "pear", "plum", "kiwi", "fig"]
    documents = [words[n % 5] for n in range(60)]
    made = vectorize(corpus(documents, ["x" if n % 5 > 2 else "y" for n in range(60)], [n < 40 for n in range(60)]))
    assert made.vocabulary.size == 5
    assert made.task("x", ratio=0.2).notes[0] == (
        "Only 1 of the 5 terms of this corpus is used: most documents hold none of them, and nothing is predicted "
        "well. Keep a larger share of the terms, or bring longer texts."
    )
    assert not any("are used" in note or "is used" in note for note in made.task("x").notes)

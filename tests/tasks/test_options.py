"""Each option means what it means in scikit-learn's CountVectorizer: the same vocabulary, the same counts."""

import json
import re
from importlib.metadata import version

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from ltw_core.tasks import VectorizerOptions, counting, parallel_counting, vectorize
from ltw_core.tasks.sample import sample_of, sampled
from ltw_core.tasks.vectorized import digest
from tests.tasks.test_vectorized import TINY, corpus

TRAIN = [
    "The Bank of England, the bank!",
    "corn-meal and CORN\nCorn\tcorn  corn",
    "don't #tag a b",
    "ships in port; Bank of corn",
]
TEST = ["England of corn", "unseen \x00 words", "bank england tag"]


def made_of(train, test):
    labels = ["x", "y"] * len(train + test)
    return corpus([*train, *test], labels[: len(train + test)], [1] * len(train) + [0] * len(test))


def words_upper(text):
    return [word.upper() for word in text.split()] + ["line\nbreak", ""]


CHOICES = [
    {},
    {"analyzer": "char"},
    {"analyzer": "char", "ngram_range": (1, 3)},
    {"analyzer": "char_wb", "ngram_range": (2, 4)},
    {"analyzer": "char", "ngram_range": (2, 2), "lowercase": False},
    {"analyzer": words_upper},
    {"ngram_range": (1, 2)},
    {"ngram_range": (2, 3), "stop_words": None},
    {"min_df": 2},
    {"min_df": 0.5},
    {"min_df": 0.26, "stop_words": None},
    {"min_df": 0.0},
    {"max_features": 1, "stop_words": None, "lowercase": False},
    {"max_features": 1000},
    {"stop_words": ["bank", "corn"]},
    {"stop_words": ["don't", "The"], "lowercase": False},
    {"stop_words": None},
    {"token_pattern": r"#(\w+)|zzz"},
    {"token_pattern": r"\w+(?:-\w+)*", "ngram_range": (1, 2), "min_df": 1},
    {"token_pattern": r"(?s).{3}", "stop_words": None},
    {"lowercase": False},
]


def assert_scikit_learns(train, test, options):
    found = vectorize(made_of(train, test), cache=False, documents="all", **options)
    same_names = {"stop_words": "english", **options}
    if options.get("analyzer", "word") != "word":
        same_names.pop("stop_words")
    plain = CountVectorizer(**same_names)
    counts = plain.fit_transform(train)
    assert found.vocabulary.tolist() == plain.get_feature_names_out().tolist()
    held = np.flatnonzero(np.diff(counts.tocsr().indptr))
    np.testing.assert_array_equal(found.counts_train.toarray(), counts.toarray()[held])
    assert found.rows_train.tolist() == held.tolist()
    if test:
        np.testing.assert_array_equal(found.counts_test.toarray(), plain.transform(test).toarray())
    return found


@pytest.mark.filterwarnings("ignore:Your stop_words may be inconsistent")
@pytest.mark.parametrize("options", CHOICES, ids=map(str, range(len(CHOICES))))
def test_made_by_hand(options):
    assert_scikit_learns(TRAIN, TEST, options)


def test_the_words_of_some_options_are_those_that_one_expects():
    c = made_of(TRAIN, TEST)
    terms = lambda **options: vectorize(c, cache=False, **options).vocabulary.tolist()  # noqa: E731
    assert terms(min_df=2) == ["bank", "corn"] == terms(min_df=0.5) == terms(max_features=2)
    assert terms(token_pattern=r"#(\w+)") == ["tag"]
    assert "bank england" in terms(ngram_range=(2, 2)) and "bank" not in terms(ngram_range=(2, 2))
    assert {"Bank", "bank", "CORN", "Corn", "corn"} <= set(terms(lowercase=False))
    assert {"n\n", "\nc", "\tc"} <= set(terms(analyzer="char", ngram_range=(2, 2)))  # white space is a character


CHARACTERS = st.sampled_from(
    [*"abAB .,'#-", "\n", "\t", "\x00", "\x0b", "\x0c", "é", "İ", "Σ", "学", "\U0001d4b3", "the "]
)
TEXTS = st.lists(st.lists(CHARACTERS, max_size=25).map("".join), min_size=1, max_size=6)
ANY = st.fixed_dictionaries(
    {},
    optional={
        "analyzer": st.sampled_from(["word", "char", "char_wb"]),
        "ngram_range": st.tuples(st.integers(1, 3), st.integers(0, 2)).map(lambda pair: (pair[0], sum(pair))),
        "min_df": st.one_of(st.integers(1, 3), st.floats(0, 1)),
        "max_features": st.integers(1, 6),
        "stop_words": st.sampled_from([None, "english", ["a", "bb"]]),
        "token_pattern": st.sampled_from([r"(?u)\b\w+\b", r"\w(\w)", r"[ab]+", r"\S+"]),
        "lowercase": st.booleans(),
    },
)


@pytest.mark.filterwarnings("ignore:Your stop_words may be inconsistent")
@given(TEXTS, TEXTS, ANY, st.integers(1, 5))
@settings(max_examples=250, deadline=None)
def test_any_options_on_any_texts(train, test, options, size):
    if options.get("analyzer", "word") == "word":
        options.setdefault("stop_words", "english")
    else:
        options.pop("token_pattern", None)
        options.pop("stop_words", None)
    plain = CountVectorizer(**options)
    most = options.get("max_features")
    try:
        plain.set_params(max_features=None).fit(train)
    except ValueError:
        with pytest.raises(ValueError, match="no training document of Tiny holds a term"):
            vectorize(made_of(train, test), cache=False, **options)
        return
    if most is not None:  # of those that occur equally often scikit-learn takes any
        totals = np.sort(np.asarray(plain.transform(train).sum(axis=0)).ravel())[::-1]
        assume(totals.size <= most or totals[most - 1] > totals[most])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "PIECE_TERMS", size)
        patch.setattr(counting, "PIECE_TOKENS", 2 * size)
        patch.setattr(counting, "_PART", size)
        assert_scikit_learns(train, test, options)


def test_of_terms_that_occur_equally_often_the_first_are_taken():
    c = made_of(["dd cc bb aa", "dd dd"], [])
    assert vectorize(c, cache=False, max_features=3).vocabulary.tolist() == ["aa", "bb", "dd"]


def test_processes_count_the_same(monkeypatch):
    monkeypatch.setattr(parallel_counting, "CHUNK", 20)
    c = made_of(TRAIN, TEST)
    options = {"analyzer": "char", "ngram_range": (1, 3), "max_features": 30}
    alone = vectorize(c, cache=False, **options)
    monkeypatch.setattr(parallel_counting, "LEAST", 1)
    together = vectorize(c, cache=False, **options)
    assert together.vocabulary.tolist() == alone.vocabulary.tolist()
    assert (together.counts_train != alone.counts_train).nnz == (together.counts_test != alone.counts_test).nnz == 0
    upper = vectorize(c, cache=False, analyzer=words_upper)  # a callable need not be fit for another process
    assert "BANK" in upper.vocabulary.tolist()


def test_the_default_is_named_as_it_always_was():
    assert VectorizerOptions().listed == ["words", "english", 1]
    old = digest(f"{TINY.fingerprint}{json.dumps([1, version('scikit-learn'), 'words', 'english', 1])}")
    assert vectorize(TINY).training_fingerprint == vectorize(TINY, VectorizerOptions()).training_fingerprint == old
    said = vectorize(TINY, analyzer="word", ngram_range=[1, 1], max_features=None, token_pattern=None, lowercase=True)
    assert said.training_fingerprint == old
    assert VectorizerOptions(lowercase=np.False_).listed == VectorizerOptions(lowercase=False).listed
    names = [vectorize(TINY, **options).fingerprint for options in CHOICES[:5]]
    assert len(set(names)) == 5


def test_the_cache_tells_options_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    for _ in range(2):
        for options in ({}, {"lowercase": False}, {"analyzer": "char", "ngram_range": (1, 2)}, {"max_features": 2}):
            kept, made = vectorize(TINY, **options), vectorize(TINY, cache=False, **options)
            assert kept.vocabulary.tolist() == made.vocabulary.tolist()
            assert kept.counts_train.toarray().tolist() == made.counts_train.toarray().tolist()
    assert len(list((tmp_path / "counts").iterdir())) == 4


def test_a_callable_is_named_by_what_it_makes_and_never_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    one, same, other = (vectorize(TINY, analyzer=f) for f in (str.split, lambda text: text.split(), list))
    assert one.fingerprint == same.fingerprint != other.fingerprint and not (tmp_path / "counts").exists()
    assert one.task("grain").fingerprint != other.task("grain").fingerprint
    with pytest.raises(ValueError, match="the analyzer is a callable, which has no name"):
        one.options.check_named()
    for wrong, said in ((str, "returned str; it must return the terms"), (lambda text: [1], "the term 1; a term must")):
        with pytest.raises(ValueError, match=said):
            vectorize(TINY, analyzer=wrong)


@pytest.mark.parametrize(
    "options", [{"min_df": 0.2}, {"max_features": 3}, {"ngram_range": (1, 2), "min_df": 2}], ids=str
)
def test_a_sample_is_what_its_documents_alone_would_be(options):
    c = made_of([f"aa bb{n % 3} cc{n % 4} dd{n}" for n in range(20)], ["aa bb1", "zz"])
    kept = np.append(sample_of(c, 8, 1), [20, 21])
    alone = vectorize(made_of([c.documents[i] for i in kept[:8]], list(c.documents[20:])), cache=False, **options)
    of = sampled(vectorize(c, cache=False, **options), 8, 1)
    assert of.vocabulary.tolist() == alone.vocabulary.tolist()
    assert of.counts_train.toarray().tolist() == alone.counts_train.toarray().tolist()
    assert of.counts_test.toarray().tolist() == alone.counts_test.toarray().tolist()
    assert of.fingerprint not in (alone.fingerprint, vectorize(c, cache=False, **options).fingerprint)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"ngram_range": (2, 1)},
            "ngram_range is (2, 1); its first number must be at least 1 and not above the second",
        ),
        ({"ngram_range": (0, 1)}, "ngram_range is (0, 1)"),
        ({"ngram_range": (1, 21)}, "may be 20"),
        ({"ngram_range": 2}, "it must be two whole numbers"),
        ({"analyzer": "words"}, "analyzer is 'words'; it must be one of word, char, char_wb, or"),
        ({"token_pattern": "("}, "token_pattern '(' is no regular expression: missing ), unterminated subpattern"),
        ({"token_pattern": "(a)(b)"}, "has 2 groups; it may have one"),
        ({"token_pattern": "a" * 501}, "of 1 to 500 characters"),
        ({"token_pattern": ""}, "of 1 to 500 characters"),
        ({"token_pattern": "a", "tokenizer": "letters"}, "give one of both"),
        ({"token_pattern": "a", "analyzer": "char"}, "leave token_pattern out"),
        (
            {"tokenizer": "letters", "analyzer": len},
            "analyzer is a callable, which finds no words; leave tokenizer out",
        ),
        ({"lowercase": False, "analyzer": len}, "makes the terms itself"),
        ({"lowercase": 1}, "lowercase is 1; it must be True or False"),
        ({"tokenizer": "bigrams", "ngram_range": (1, 2)}, "choose analyzer='char_wb'"),
        ({"min_df": True}, "min_df is True"),
        ({"min_df": 1.5}, "or a share of the documents from 0.0 to 1.0"),
        ({"min_df": 9}, "a lower minimum document frequency; it has 4 training documents"),
        ({"max_features": 0}, "max_features is 0; it must be a whole number of at least 1"),
        ({"stop_words": 3}, "stop_words must be a language, a list"),
        ({"stop_words": [3]}, "stop_words must be a language, a list"),
        ({"token_pattern": "zzz"}, "no training document of Tiny holds a term"),
        ({"analyzer": "char", "ngram_range": (20, 20)}, "no training document of Tiny holds a term"),
    ],
    ids=lambda value: re.sub(r"<.*|[^\w(), ]", "", str(value))[:40],
)
def test_what_is_not_allowed_is_a_sentence(options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        vectorize(TINY, cache=False, **options)


def test_other_names_are_told_those_that_there_are():
    with pytest.raises(
        TypeError, match=r"vectorize has no option 'max_df'; there are tokenizer, stop_words, min_df, an"
    ):
        vectorize(TINY, max_df=2)


def test_a_document_of_unknown_origin_may_not_be_too_long_for_n_grams(monkeypatch):
    monkeypatch.setattr("ltw_core.tasks.counted_corpus.LONGEST", 40)
    c = made_of(["aa " * 10, "bb"], [])
    for options in ({"ngram_range": (1, 2)}, {"analyzer": "char_wb", "ngram_range": (2, 3)}):
        vectorize(c, cache=False, **options)
        with pytest.raises(ValueError, match="a document of 30 characters is too long for these n-grams here"):
            vectorize(c, cache=False, max_terms=1000, **options)
    assert vectorize(c, cache=False, max_terms=1000).vocabulary.size == 2


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, ""),
        ({"stop_words": None}, "with stop words"),
        ({"ngram_range": (1, 2), "min_df": 3}, "1- to 2-grams, terms in at least 3 documents"),
        ({"analyzer": "char_wb", "ngram_range": (3, 3)}, "characters within words, 3-grams"),
        ({"lowercase": False, "tokenizer": "letters"}, "tokenizer letters, case kept"),
        ({"max_features": 2000, "stop_words": ["a"]}, "without 1 words of one's own, the 2,000 most frequent terms"),
        ({"token_pattern": r"\S+", "min_df": 0.05}, r"token pattern \S+, terms in at least 5 % of the documents"),
        ({"stop_words": "german"}, "german stop words"),
        ({"analyzer": len}, "terms of a callable"),
    ],
    ids=lambda value: re.sub(r"<.*|[^\w(), ]", "", str(value))[:40],
)
def test_what_differs_is_told_in_a_few_words(options, told):
    assert VectorizerOptions(**options).told() == told

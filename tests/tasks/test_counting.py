"""Counts in pieces are scikit-learn's counts, whatever the pieces, in memory near the size of the texts."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from ltw_core.tasks import counting
from ltw_core.tasks.tokens import TOKENIZERS, analyser, stopped

WORDS = st.sampled_from(
    ["ab", "cd", "the", "ef", "çé", "习权重", "x1", "DON'T", "a", "ΣΑΣ", "\U0001d4b3\U0001d4b4", "aa\u200bbb"]
)
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" \n".join), min_size=1, max_size=15)


def expected(train, test, analyse, min_df):
    vectorizer = CountVectorizer(analyzer=analyse, min_df=min_df)
    try:
        counts = vectorizer.fit_transform(train)
    except ValueError:
        return [], None, None
    return vectorizer.get_feature_names_out().tolist(), counts, vectorizer.transform(test) if test else None


@given(TEXTS, TEXTS, st.sampled_from(list(TOKENIZERS)), st.integers(1, 3), st.integers(1, 8), st.integers(1, 12))
@settings(max_examples=150, deadline=None)
def test_counts_are_scikit_learns_whatever_the_pieces(train, test, tokenizer, min_df, size, part):
    analyse = analyser(tokenizer)
    terms, counts_train, counts_test = expected(train, test, analyse, min_df)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counting, "PIECE_TERMS", size)
        patch.setattr(counting, "PIECE_TOKENS", 2 * size)
        patch.setattr(counting, "_PART", part)
        found = counting.count(train, test, analyse, min_df=min_df)
    assert found.vocabulary.decode().split("\n") == (terms or [""])
    if terms:
        assert found.train.has_canonical_format
        np.testing.assert_array_equal(found.train.toarray(), counts_train.toarray())
        np.testing.assert_array_equal(found.test.toarray(), counts_test.toarray())


def test_too_many_terms_stop_it_and_those_of_test_documents_do_not_count():
    analyse = analyser("words", None)
    assert counting.count(["aa bb"], ["cc dd"], analyse, max_terms=2).vocabulary == b"aa\nbb"
    with pytest.raises(counting.TooManyTermsError):
        counting.count(["aa bb", "cc"], [], analyse, max_terms=2)


@pytest.mark.parametrize("tokenizer", ["words", "all words"])
@pytest.mark.parametrize("stop_words", ["english", None, "german", ("the", "x")])
def test_texts_in_ascii_take_the_short_way_to_the_same_terms(tokenizer, stop_words):
    """Of random characters, all of ASCII and some others among them, what scikit-learn's expression finds."""
    analyse, pattern = analyser(tokenizer, stop_words), TOKENIZERS[tokenizer][1]["token_pattern"]
    left_out = stopped(stop_words, re.compile(pattern))
    plain = CountVectorizer(token_pattern=pattern).build_analyzer()
    rng = np.random.default_rng(0)
    few, ascii_only = "aAzZ09_ .-'x\n\t", [chr(code) for code in range(128)]
    for characters in (few, ascii_only, [*ascii_only, *"éİΣς习\u0300"]):
        for length in range(300):
            text = "The x " + "".join(rng.choice(list(characters), length))
            assert analyse(text) == [word for word in plain(text) if word not in left_out]

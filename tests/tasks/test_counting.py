"""Counts in pieces are scikit-learn's counts, whatever the pieces, in memory near the size of the texts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from ltw_core.tasks import counting
from ltw_core.tasks.tokens import TOKENIZERS, analyser

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
        patch.setattr(counting, "PIECE_COUNTS", 2 * size)
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

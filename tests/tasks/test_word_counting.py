"""Compiled loops count what ``counting`` counts, to the bit, whatever the characters."""

import re
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ltw_core.corpora import read_table
from ltw_core.tasks import counted_corpus, vectorize, word_counting
from ltw_core.tasks.counting import count
from ltw_core.tasks.tokens import analyser
from ltw_core.tasks.word_counting import count_words, in_words
from tests.tasks.test_parallel_counting import same

PARTS = st.one_of(
    st.sampled_from(["the", "THE", "don't", "x", "A1_b", "__", "für", "FÜR", "ΣΑΣ", "ΑΣ.", "İx", "\u212a\u212a", "Ⱥa"]),
    st.sampled_from(
        ["习权重", "a\u0300e\u0301", "\U0001d4b3\U0001d4b4", "😀", "\ud800", "\x00", "\x0b", "\x1f", "٣٤", "x" * 300]
    ),
    st.text(st.characters(codec=None, exclude_categories=()), max_size=6),
    st.text(st.characters(max_codepoint=127), max_size=9),
)
TEXTS = st.lists(
    st.lists(st.tuples(PARTS, st.sampled_from(["", " ", "\n", "-"])), max_size=9).map(
        lambda parts: "".join(part + between for part, between in parts)
    ),
    max_size=12,
)
STOP_WORDS = st.sampled_from(["english", "german", None, ("the", "THE", "don't", "x", "für", "Für", "\ud800")])


def encoded(texts):
    return [text.encode("utf-8", "surrogatepass") for text in texts]


@given(TEXTS, TEXTS, st.sampled_from(["words", "all words"]), STOP_WORDS, st.integers(1, 3), st.integers(1, 60))
@settings(max_examples=120, deadline=None)
def test_counts_are_those_of_counting_to_the_bit(train, test, tokenizer, stop_words, min_df, size):
    kind = analyser(tokenizer, stop_words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(word_counting, "BLOCK", size)
        found = count_words(encoded(train), encoded(test), kind, min_df=min_df)
    same(found, count(train, test, kind, min_df=min_df))


def test_every_character_between_two_letters_and_twice_by_itself():
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert {match.start() for match in re.finditer(r"\w", every)} == set(np.flatnonzero(in_words()).tolist())
    texts = [
        " ".join(f"ab{character}cd {character}{character}" for character in every[start : start + 500])
        for start in [*range(0, 0x3500, 500), 0xA600, 0xFB00, 0xFF00, 0x10400, 0x1D400, 0x1E900, 0x20000, 0xE0100]
    ]
    kind = analyser("words", None)
    same(count_words(encoded(texts), [], kind), count(texts, [], kind))


def test_many_words_and_long_documents():
    """More than the table has room for at first, several times over; words that share a slot are told apart."""
    rng = np.random.default_rng(0)
    words = [f"w{n:x}" for n in rng.integers(0, 60_000, 200_000)]
    texts = [" ".join(words[:150_000]), *(" ".join(words[i : i + 50]) for i in range(150_000, 200_000, 50))]
    kind = analyser("words", "english")
    found = count_words(encoded(texts), encoded(texts[:3]), kind, min_df=2)
    assert found.train.shape[1] > 20_000
    same(found, count(texts, texts[:3], kind, min_df=2))


def test_a_table_is_the_same_whoever_counts_it(monkeypatch):
    rows = "".join(f"apple plum{n % 7} FÜR ΣΑΣ 习权重{n % 3} don't aa{n % 11},{'xy'[n % 2]}\n" for n in range(90))
    corpus = read_table(f"text,label\n{rows}".encode())
    plain = vectorize(corpus, cache=False)
    monkeypatch.setattr(counted_corpus, "COMPILED_FROM", 0)
    with monkeypatch.context() as patch:
        patch.setattr(counted_corpus, "count", None)
        compiled = vectorize(corpus, cache=False)
        for options in ({"lowercase": False}, {"ngram_range": (1, 2)}, {"tokenizer": "letters"}, {"max_terms": 1000}):
            with pytest.raises(TypeError):  # other terms, or a table of unknown origin
                vectorize(corpus, cache=False, **options)
    assert compiled.vocabulary.tolist() == plain.vocabulary.tolist()
    assert (compiled.counts_train != plain.counts_train).nnz == (compiled.counts_test != plain.counts_test).nnz == 0
    assert compiled.fingerprint == plain.fingerprint

"""Words where they stand in a text: as many of each term as the vectoriser counts."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ltw_core.tasks import VectorizerOptions, contexts, spans
from ltw_core.tasks.tokens import analyser

TEXT = "The Corn harvest: corn, corn-meal\nand <b>CORN</b>."


def test_words_stand_where_they_stand():
    found = spans(TEXT)
    assert [TEXT[s.start : s.end].lower() for s in found] == [s.term for s in found]
    assert Counter(s.term for s in found)["corn"] == 4 and "b" not in {s.term for s in found}
    assert "b" in {s.term for s in spans(TEXT, VectorizerOptions(tokenizer="all words"))}


def test_several_words_reach_over_stop_words_and_characters_are_not_found():
    options = VectorizerOptions(ngram_range=(1, 2))
    text = "The Bank of England"
    found = [(text[s.start : s.end], s.term) for s in spans(text, options)]
    assert found == [("Bank", "bank"), ("Bank of England", "bank england"), ("England", "england")]
    assert contexts(text, "bank england", options=options)[0] == ("The ", "Bank of England", "")
    for others in ({"analyzer": "char_wb", "ngram_range": (2, 3)}, {"tokenizer": "bigrams"}, {"analyzer": str.split}):
        assert spans(text, VectorizerOptions(**others)) == [] and not VectorizerOptions(**others).in_words


PATTERNS = st.sampled_from([None, r"(?u)\b\w+\b", r"[a-z]+", r"#(\w+)", r"\w+(?:-\w+)*"])
WORDS = st.sampled_from(["The", "corn", "of", "a", "#tag", "corn-meal", "CORN", "England", "don't", ",", "\n"])


@given(st.lists(WORDS, max_size=15), PATTERNS, st.sampled_from([(1, 1), (1, 2), (2, 3)]), st.booleans(), st.booleans())
def test_the_vectoriser_counts_the_same_with_other_options(words, pattern, ngrams, lowercase, stopping):
    text = " ".join(words)
    options = VectorizerOptions(
        token_pattern=pattern, ngram_range=ngrams, lowercase=lowercase, stop_words="english" if stopping else None
    )
    if pattern == "[a-z]+" and lowercase:
        text = text.lower()  # else what the pattern finds depends on the case, which spans see as it was written
    found = Counter(s.term for s in spans(text, options))
    for stopped in options.stopped():
        found.pop(stopped, None)
    assert found == Counter(options.maker()()(text))


@given(st.text(st.characters(max_codepoint=0x24F), max_size=60))
def test_the_vectoriser_counts_the_same(text):
    expected = Counter(analyser(stop_words=None)(text))
    if text.lower().upper().lower() == text.lower() and len(text.lower()) == len(text):
        assert Counter(s.term for s in spans(text)) == expected


def test_contexts_are_cut_at_words_and_folded():
    first, second = contexts("one two three corn\n\nfour five six corn", "corn", width=9, most=2)
    assert first == ("…two three ", "corn", " four…") or first.hit == "corn"
    assert first.before.startswith("…") and first.after.endswith("…") and "\n" not in first.after
    assert second.after == ""
    assert contexts(TEXT, "corn", most=1)[0].before == "The "
    assert contexts(TEXT, "wheat") == []

"""Words where they stand in a text: as many of each term as the vectoriser counts."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ltw_core.tasks import contexts, spans
from ltw_core.tasks.tokens import analyser

TEXT = "The Corn harvest: corn, corn-meal\nand <b>CORN</b>."


def test_words_stand_where_they_stand():
    found = spans(TEXT)
    assert [TEXT[s.start : s.end].lower() for s in found] == [s.term for s in found]
    assert Counter(s.term for s in found)["corn"] == 4 and "b" not in {s.term for s in found}
    assert "b" in {s.term for s in spans(TEXT, "all words")}
    with pytest.raises(ValueError, match="tokenizer is 'x'"):
        spans(TEXT, "x")


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

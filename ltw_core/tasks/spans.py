"""Where the terms of a document stand in its text, for reading it word by word and for showing a term in context.

Terms are found as the vectoriser finds them, but in the text as it was written. Leaves out pairs of characters
("bigrams"), which overlap: there every word is a span of its own that stands for no term.
"""

import re
from typing import NamedTuple

from ltw_core.tasks.tokens import TOKENIZERS


class Span(NamedTuple):
    """A word of a text: where it stands, and the term it is an occurrence of."""

    start: int
    end: int
    term: str


class Context(NamedTuple):
    """An occurrence with the text on either side of it, white space folded."""

    before: str
    hit: str
    after: str


def spans(text: str, tokenizer: str = "words") -> list[Span]:
    """All words of a text in order; terms are in lower case, and may be none of the vocabulary."""
    if tokenizer not in TOKENIZERS:
        raise ValueError(f"tokenizer is {tokenizer!r}; it must be one of {', '.join(TOKENIZERS)}")
    options = TOKENIZERS[tokenizer][1] or {"token_pattern": r"(?u)\b\w+\b"}
    return [Span(*match.span(), match.group().lower()) for match in re.finditer(options["token_pattern"], text)]


def contexts(text: str, term: str, *, tokenizer: str = "words", width: int = 60, most: int = 3) -> list[Context]:
    """The first occurrences of a term, each with about ``width`` characters before and after it, cut at words."""
    found = []
    for span in spans(text, tokenizer):
        if span.term != term:
            continue
        before, after = text[max(0, span.start - width) : span.start], text[span.end : span.end + width]
        if span.start > width:
            before = "…" + before.partition(" ")[2] if " " in before else "…" + before
        if span.end + width < len(text):
            after = after.rpartition(" ")[0] + "…" if " " in after else after + "…"
        found.append(Context(_folded(before), text[span.start : span.end], _folded(after)))
        if len(found) == most:
            break
    return found


def _folded(text: str) -> str:
    """White space as single spaces, kept at the ends: it tells words apart from what is next to them."""
    return re.sub(r"\s+", " ", text)

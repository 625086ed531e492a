"""Where the terms of a document stand in its text, for reading it word by word and for showing a term in context.

Terms are found as the vectoriser finds them, but in the text as it was written. Leaves out n-grams of characters and
what a callable makes of a text: there nothing is found (``VectorizerOptions.in_words`` says so before).
"""

import re
from typing import NamedTuple

from ltw_core.tasks.options import VectorizerOptions
from ltw_core.tasks.tokens import pattern_of


class Span(NamedTuple):
    """Words of a text, one or several in a row: where they stand, and the term they are an occurrence of."""

    start: int
    end: int
    term: str


class Context(NamedTuple):
    """An occurrence with the text on either side of it, white space folded."""

    before: str
    hit: str
    after: str


def spans(text: str, options: VectorizerOptions = VectorizerOptions()) -> list[Span]:  # noqa: B008 - it is frozen
    """All words of a text in order, and n-grams of them as the options say; a term may be none of the vocabulary.

    n-grams stand where their first word does, shorter ones first, and reach over the stop words between their words.
    None where terms are no words.
    """
    if not options.in_words:
        return []
    pattern, (low, high) = pattern_of(options.tokenizer, options.token_pattern), options.ngram_range
    group = pattern.groups
    case = str.lower if options.lowercase else str
    words = [Span(*match.span(group), case(match.group(group) or "")) for match in pattern.finditer(text)]
    if high == 1:
        return words
    left_out = options.stopped()
    kept = [word for word in words if word.term not in left_out]
    return [
        Span(kept[i].start, kept[i + n - 1].end, " ".join(word.term for word in kept[i : i + n]))
        for i in range(len(kept))
        for n in range(low, min(high, len(kept) - i) + 1)
    ]


def contexts(
    text: str,
    term: str,
    *,
    options: VectorizerOptions = VectorizerOptions(),  # noqa: B008 - it is frozen
    width: int = 60,
    most: int = 3,
) -> list[Context]:
    """The first occurrences of a term, each with about ``width`` characters before and after it, cut at words."""
    found = []
    for span in spans(text, options):
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

"""How a text becomes terms: tokenisers and stop words, all of it scikit-learn's and the ``stop-words`` package's.

Leaves out stemming and n-grams of words, which the paper does not use.
"""

import re
from collections.abc import Callable
from functools import cache

import stop_words as _lists

TOKENIZERS = {
    "words": ("Words of two or more letters or digits", {"token_pattern": r"(?u)\b\w\w+\b"}),
    "all words": ("Words of any length", {"token_pattern": r"(?u)\b\w+\b"}),
    "letters": ("Words of two or more letters, no digits", {"token_pattern": r"(?u)\b[^\W\d_][^\W\d_]+\b"}),
    "bigrams": ("Pairs of characters within words, for scripts without spaces", None),
}


@cache
def languages() -> tuple[str, ...]:
    """Languages with a stop word list, in English, sorted."""
    return tuple(sorted(_lists.AVAILABLE_LANGUAGES))


def stop_word_list(language: str | None) -> frozenset[str]:
    """Stop words of a language.

    English is scikit-learn's list (as in the paper's protocol), every other one the ``stop-words`` package's.

    Raises
    ------
    ValueError
        for a language without a list, naming those that have one.
    """
    if language is None or language == "none":
        return frozenset()
    if language == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # takes a second to import

        return ENGLISH_STOP_WORDS
    if language not in languages():
        raise ValueError(f"there are no stop words for {language!r}; choose none or one of {', '.join(languages())}")
    return frozenset(_lists.get_stop_words(language))


_bigram_words = re.compile(r"(?u)\w+")


def character_bigrams(text: str) -> list[str]:
    """Overlapping pairs of characters within each word of a text; a word of one character stands for itself."""
    terms = []
    for word in _bigram_words.findall(text.lower()):
        terms.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
    return terms


def analyser(tokenizer: str = "words", stop_words: str | None = "english") -> Callable[[str], list[str]]:
    """What makes terms of a text: unigrams in lower case without stop words.

    Parameters
    ----------
    tokenizer : one of ``TOKENIZERS``
    stop_words : a language of ``languages()``, "none" or None
    """
    if tokenizer not in TOKENIZERS:
        raise ValueError(f"tokenizer is {tokenizer!r}; it must be one of {', '.join(TOKENIZERS)}")
    from sklearn.feature_extraction.text import CountVectorizer

    stopped = stop_word_list(stop_words)
    options = TOKENIZERS[tokenizer][1]
    if options is None:
        return lambda text: [t for t in character_bigrams(text) if t not in stopped]
    # A list may hold what the tokeniser takes apart ("don't"): it must be taken apart in the same way.
    pattern = re.compile(options["token_pattern"])
    parts = {part for word in stopped for part in pattern.findall(word.lower())}
    return CountVectorizer(stop_words=sorted(parts) or None, **options).build_analyzer()

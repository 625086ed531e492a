"""How a text becomes terms: words and their stop words, n-grams of words or of characters, or what a callable makes.

All of it is scikit-learn's ``CountVectorizer`` and the lists of the ``stop-words`` package. Leaves out stemming, which
the paper does not use.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

TOKENIZERS = {
    "words": ("Words of two or more letters or digits", {"token_pattern": r"(?u)\b\w\w+\b"}),
    "all words": ("Words of any length", {"token_pattern": r"(?u)\b\w+\b"}),
    "letters": ("Words of two or more letters, no digits", {"token_pattern": r"(?u)\b[^\W\d_][^\W\d_]+\b"}),
    "bigrams": ("Pairs of characters within words, for scripts without spaces", None),
}
ANALYZERS = {
    "word": "Words",
    "char": "Characters",
    "char_wb": "Characters within words",
}


class WholeText(NamedTuple):
    """What takes the terms of a text where these may reach over white space: it needs each text in one piece.

    Attributes
    ----------
    analyse : callable
    sizes : int
        How many sizes of n-grams it makes.
    most : int or None
        Most characters times sizes of a text of unknown origin: what it makes of it is in memory at once.
    """

    analyse: Callable[[str], Iterable[str]]
    sizes: int = 1
    most: int | None = None

    def __call__(self, text: str) -> Iterable[str]:
        if self.most is not None and len(text) * self.sizes > self.most:
            raise ValueError(
                f"a document of {len(text):,} characters is too long for these n-grams here; "
                f"documents may have {self.most // self.sizes:,}: split it, or choose single words"
            )
        return self.analyse(text)


@cache
def languages() -> tuple[str, ...]:
    """Languages with a stop word list, in English, sorted."""
    import stop_words  # late: who reads English alone does without the package

    return tuple(sorted(stop_words.AVAILABLE_LANGUAGES))


def check_language(language: str | None) -> None:
    """Raise a ``ValueError`` that names those that have a stop word list unless a language does, or is none."""
    if language not in (None, "none", "english") and language not in languages():
        raise ValueError(f"there are no stop words for {language!r}; choose none or one of {', '.join(languages())}")


def stop_word_list(language: str | None) -> frozenset[str]:
    """Stop words of a language.

    English is scikit-learn's list (as in the paper's protocol), every other one the ``stop-words`` package's.

    Raises
    ------
    ValueError
        for a language without a list, naming those that have one.
    """
    check_language(language)
    if language is None or language == "none":
        return frozenset()
    if language == "english":
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS  # takes a second to import

        return ENGLISH_STOP_WORDS
    import stop_words

    return frozenset(stop_words.get_stop_words(language))


SHORTEST = {"words": 2, "all words": 1}
"""Letters of the shortest word, of the tokenizers whose words are all that lies between other characters."""
_ASCII = "".join(chr(code).lower() if chr(code).isalnum() or chr(code) == "_" else " " for code in range(128))


class Words(NamedTuple):
    """What takes the words of a text, in lower case, where these are all that lies between other characters.

    Those of texts in ASCII take half of the time, without a regular expression; of many documents ``word_counting``
    takes them.

    Attributes
    ----------
    analyse : callable
        The same, of any text.
    left_out : frozenset of str
        Words that are not taken, and all of one letter of ASCII where these are too short.
    shortest : int
        Letters of the shortest word.
    """

    analyse: Callable[[str], list[str]]
    left_out: frozenset[str]
    shortest: int

    def __call__(self, text: str) -> list[str]:
        if not text.isascii():
            return self.analyse(text)
        left_out = self.left_out
        return [word for word in text.translate(_ASCII).split() if word not in left_out]


_bigram_words = re.compile(r"(?u)\w+")
_lone_surrogates = re.compile("[\ud800-\udfff]")  # which no file in UTF-8 can hold


def character_bigrams(text: str) -> list[str]:
    """Overlapping pairs of characters within each word of a text; a word of one character stands for itself."""
    terms = []
    for word in _bigram_words.findall(text.lower()):
        terms.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
    return terms


def pattern_of(tokenizer: str, token_pattern: str | None = None) -> re.Pattern | None:
    """What finds the words of a text; None where the tokenizer finds no words.

    Raises
    ------
    ValueError
        An unknown tokenizer, or a pattern that is no regular expression or has several groups.
    """
    if token_pattern is None:
        if tokenizer not in TOKENIZERS:
            raise ValueError(f"tokenizer is {tokenizer!r}; it must be one of {', '.join(TOKENIZERS)}")
        options = TOKENIZERS[tokenizer][1]
        return options and re.compile(options["token_pattern"])
    try:
        pattern = re.compile(token_pattern)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"token_pattern {token_pattern!r} is no regular expression: {error}") from None
    if pattern.groups > 1:
        raise ValueError(
            f"token_pattern {token_pattern!r} has {pattern.groups} groups; it may have one, which is the term: "
            "write the others as (?:…)"
        )
    return pattern


def stopped(stop_words: str | tuple[str, ...] | None, pattern: re.Pattern | None) -> frozenset[str]:
    """The words that are left out: a list as it is given, scikit-learn's as it is, and those of the other lists as
    the pattern takes them apart ("don't")."""
    if isinstance(stop_words, tuple):
        return frozenset(stop_words)
    words = stop_word_list(stop_words)
    if pattern is None or stop_words == "english":
        return words
    return frozenset(part for word in words for part in pattern.findall(word.lower()))


def analyser(
    tokenizer: str = "words",
    stop_words: str | tuple[str, ...] | None = "english",
    *,
    analyzer: str | Callable = "word",
    ngram_range: tuple[int, int] = (1, 1),
    token_pattern: str | None = None,
    lowercase: bool = True,
    most: int | None = None,
) -> Callable[[str], Iterable[str]]:
    """What makes terms of a text; without more said, unigrams in lower case without stop words.

    Parameters as of ``VectorizerOptions``, which checks them; ``most`` as of ``WholeText``, which is what this returns
    where terms may reach over white space.
    """
    from sklearn.feature_extraction.text import CountVectorizer

    sizes = ngram_range[1] - ngram_range[0] + 1
    if callable(analyzer):
        return WholeText(lambda text: _texts(analyzer(text)), 1, most)
    common = {"ngram_range": ngram_range, "lowercase": lowercase}
    if analyzer != "word":
        made = CountVectorizer(analyzer=analyzer, **common).build_analyzer()
        analyse = lambda text: made(_lone_surrogates.sub("\ufffd", text))  # noqa: E731
        return analyse if analyzer == "char_wb" and most is None else WholeText(analyse, sizes, most)
    pattern = pattern_of(tokenizer, token_pattern)
    words = stopped(stop_words, pattern)
    if pattern is None:
        return lambda text: [t for t in character_bigrams(text) if t not in words]
    if isinstance(stop_words, tuple):  # used as it is given, where scikit-learn warns of what the pattern takes apart
        find = {"tokenizer": lambda text: [word for word in pattern.findall(text) if word not in words]}
    else:
        find = {"stop_words": sorted(words) or None}
    made = CountVectorizer(token_pattern=pattern.pattern, **find, **common).build_analyzer()
    if token_pattern is None:
        if ngram_range != (1, 1):
            return WholeText(made, sizes, most)
        if lowercase and (shortest := SHORTEST.get(tokenizer)):
            return Words(made, words | frozenset(_ASCII) if shortest == 2 else words, shortest)
        return made
    return WholeText(lambda text: made(_lone_surrogates.sub("\ufffd", text)), sizes, most)


def _texts(terms: Iterable[str]) -> list[str]:
    """What a callable made of a text, if these are texts."""
    if isinstance(terms, str) or not isinstance(terms, Iterable):
        raise ValueError(f"the analyzer returned {type(terms).__name__}; it must return the terms of a text as a list")
    terms = list(terms)
    wrong = next((term for term in terms if not isinstance(term, str)), None)
    if wrong is not None:
        raise ValueError(f"the analyzer returned the term {wrong!r}; a term must be a str")
    return [term if term.isascii() else _lone_surrogates.sub("\ufffd", term) for term in terms]

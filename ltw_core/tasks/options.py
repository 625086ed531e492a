"""How a corpus is counted, as one frozen value: what a term is, and which terms are counted.

Names and meanings are those of scikit-learn's ``CountVectorizer``. Leaves out ``max_df``, ``strip_accents``, ``binary``
and a fixed ``vocabulary``.
"""

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial

import numpy as np

from ltw_core.storage.file_schema import said
from ltw_core.tasks.tokens import ANALYZERS, analyser, check_language, pattern_of, stopped

PATTERN_LIMIT = 500  # characters
NGRAM_LIMIT = 20
STOP_WORDS_LIMIT = 10_000
FIRST = ("tokenizer", "stop_words", "min_df")  # that there were before there were others
LATER = {
    "analyzer": "word",
    "ngram_range": (1, 1),
    "max_features": None,
    "token_pattern": None,
    "lowercase": True,
}
"""Options that came later and what they are where nobody chose them: there no fingerprint and no key tells of them."""


@dataclass(frozen=True)
class VectorizerOptions:
    """What a term is and which terms are counted; hashable, and plain JSON but for a callable.

    Attributes
    ----------
    tokenizer : one of ``ltw_core.tasks.TOKENIZERS``
        A token pattern by its name; ``token_pattern`` takes its place. "bigrams" has none and goes with no other
        option but ``stop_words``, ``min_df`` and ``max_features``.
    stop_words : str, list of str, or None
        A language of ``ltw_core.tasks.languages()``, or the very words (at most 10,000), which are compared with what
        the pattern finds. Only where the analyzer is "word"; None elsewhere, whatever is given.
    min_df : int ≥ 1, or float from 0 to 1
        Terms in fewer training documents are left out; a float is a share of the training documents.
    analyzer : {"word", "char", "char_wb"} or callable
        Words, characters (n-grams of the whole text), characters within words (each with a space on either side), or
        a callable that takes a text and returns its terms. A callable has no name by which a result could be found
        again: its counts are not kept on disk, and no study takes it.
    ngram_range : (int, int)
        Smallest and largest n of the n-grams, 1 to 20. Stop words are taken out before.
    max_features : int ≥ 1, optional
        Only so many terms, those that occur most often in the training documents. Of those that occur equally often
        the first in the order of the vocabulary are taken, where scikit-learn leaves it to the processor.
    token_pattern : str, optional
        Regular expression of a term, at most 500 characters, with one group at most, which then is the term. It is run
        as it is: one that takes forever on a text takes forever, so that nothing of unknown origin may stand here.
    lowercase : bool
        Whether texts are put into lower case before anything else. A callable takes them as they are.

    Raises
    ------
    ValueError
        For an option that is not allowed.
    """

    tokenizer: str = "words"
    stop_words: str | tuple[str, ...] | None = "english"
    min_df: int | float = 1
    analyzer: str | Callable = "word"
    ngram_range: tuple[int, int] = (1, 1)
    max_features: int | None = None
    token_pattern: str | None = None
    lowercase: bool = True

    def __post_init__(self):
        _check_min_df(self.min_df)
        if self.max_features is not None and (not _whole(self.max_features) or self.max_features < 1):
            raise ValueError(
                f"max_features is {said(self.max_features)}; it must be a whole number of at least 1, or None for all "
                "terms"
            )
        if not isinstance(self.lowercase, (bool, np.bool_)):
            raise ValueError(f"lowercase is {said(self.lowercase)}; it must be True or False")
        object.__setattr__(self, "lowercase", bool(self.lowercase))
        object.__setattr__(self, "ngram_range", _ngram_range(self.ngram_range))
        if not callable(self.analyzer) and self.analyzer not in ANALYZERS:
            raise ValueError(
                f"analyzer is {self.analyzer!r}; it must be one of {', '.join(ANALYZERS)}, or (from Python) a callable"
            )
        if self.token_pattern is not None:
            if not isinstance(self.token_pattern, str) or not 0 < len(self.token_pattern) <= PATTERN_LIMIT:
                raise ValueError(
                    f"token_pattern must be a regular expression of 1 to {PATTERN_LIMIT:,} characters, or None for the "
                    "tokenizer's"
                )
            if self.tokenizer != "words":
                raise ValueError(
                    f"tokenizer is {self.tokenizer!r} and token_pattern is {self.token_pattern!r}; give one of both"
                )
        pattern = pattern_of(self.tokenizer, self.token_pattern)
        if self.analyzer != "word":
            self._check_without_words()
        else:
            object.__setattr__(self, "stop_words", _stop_words(self.stop_words))
            if pattern is None and (self.ngram_range != (1, 1) or not self.lowercase):
                raise ValueError(
                    f"the tokenizer {self.tokenizer!r} makes pairs of characters in lower case; for other n-grams of "
                    "characters choose analyzer='char_wb' and an ngram_range"
                )

    def _check_without_words(self) -> None:
        """Options that say what a word is have no meaning where terms are no words."""
        kind = "a callable" if callable(self.analyzer) else repr(self.analyzer)
        for name in ("tokenizer", "token_pattern"):
            if getattr(self, name) != getattr(type(self), name):
                raise ValueError(f"analyzer is {kind}, which finds no words; leave {name} out")
        if callable(self.analyzer) and (self.ngram_range != (1, 1) or not self.lowercase):
            raise ValueError(
                "analyzer is a callable, which makes the terms itself; leave ngram_range and lowercase out"
            )
        object.__setattr__(self, "stop_words", None)

    @property
    def later(self) -> dict:
        """Those of ``LATER`` that were chosen."""
        return {name: value for name, usual in LATER.items() if (value := getattr(self, name)) != usual}

    @property
    def listed(self) -> list:
        """What names the options in a fingerprint: JSON.

        Raises
        ------
        ValueError
            The analyzer is a callable, which has no name.
        """
        self.check_named()
        return [getattr(self, name) for name in FIRST] + ([self.later] if self.later else [])

    def check_named(self) -> None:
        """Raise a ``ValueError`` where the analyzer is a callable: nothing can be found again by it."""
        if callable(self.analyzer):
            raise ValueError(
                "the analyzer is a callable, which has no name by which its results could be found again: a study "
                f"takes one of {', '.join(ANALYZERS)}; evaluate(task, …) takes a task of any analyzer"
            )

    def least_documents(self, documents: int) -> int:
        """Documents that must hold a term, of so many."""
        return self.min_df if isinstance(self.min_df, int) else max(1, math.ceil(self.min_df * documents))

    @property
    def depends_on_all(self) -> bool:
        """Whether what a document's terms are depends on other documents in more than their number of documents: then a
        part of a corpus must be counted anew."""
        return self.max_features is not None or isinstance(self.min_df, float)

    @property
    def in_words(self) -> bool:
        """Whether each term is a word of the text, or several in a row: ``spans`` finds only these."""
        return self.analyzer == "word" and pattern_of(self.tokenizer, self.token_pattern) is not None

    def stopped(self) -> frozenset[str]:
        """The words that are left out."""
        return stopped(self.stop_words, pattern_of(self.tokenizer, self.token_pattern))

    def maker(self, most: int | None = None) -> Callable[[], Callable]:
        """Makes what takes the terms of a text, here or in another process; ``most`` as of ``tokens.WholeText``."""
        return partial(
            analyser,
            self.tokenizer,
            self.stop_words,
            analyzer=self.analyzer,
            ngram_range=self.ngram_range,
            token_pattern=self.token_pattern,
            lowercase=self.lowercase,
            most=most,
        )

    def told(self, language: str | None = "english") -> str:
        """What differs from the usual options, in a few words for a caption; "" where nothing does.

        Parameters
        ----------
        language : str or None
            Whose stop words are usual: the corpus's own.
        """
        low, high = self.ngram_range
        parts = []
        if callable(self.analyzer):
            parts.append("terms of a callable")
        elif self.analyzer != "word":
            parts.append(f"{ANALYZERS[self.analyzer].lower()}")
        if self.ngram_range != (1, 1) or self.analyzer in ("char", "char_wb"):
            parts.append(f"{low}-grams" if low == high else f"{low}- to {high}-grams")
        if self.token_pattern is not None:
            parts.append(f"token pattern {self.token_pattern}")
        elif self.tokenizer != "words":
            parts.append(f"tokenizer {self.tokenizer}")
        if not self.lowercase:
            parts.append("case kept")
        if self.analyzer == "word" and self.stop_words != language:
            parts.append(_told_stop_words(self.stop_words))
        if self.min_df != 1 or isinstance(self.min_df, float):
            share = f"{100 * self.min_df:g} % of the" if isinstance(self.min_df, float) else f"{self.min_df:,}"
            parts.append(f"terms in at least {share} documents")
        if self.max_features is not None:
            parts.append(f"the {self.max_features:,} most frequent terms")
        return ", ".join(parts)


OPTIONS = tuple(field.name for field in fields(VectorizerOptions))
"""Names of all options."""


def _told_stop_words(stop_words) -> str:
    if stop_words is None or stop_words == "none":
        return "with stop words"
    if isinstance(stop_words, tuple):
        return f"without {len(stop_words):,} words of one's own"
    return f"{stop_words} stop words"


def _whole(value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_min_df(value) -> None:
    if _whole(value):
        if value >= 1:
            return
    elif isinstance(value, float) and 0 <= value <= 1:
        return
    raise ValueError(
        f"min_df is {said(value)}; it must be a whole number of at least 1, or a share of the documents from 0.0 to 1.0"
    )


def _ngram_range(value) -> tuple[int, int]:
    try:
        low, high = value
    except (TypeError, ValueError):
        low = high = None
    if not isinstance(low, numbers.Integral) or not isinstance(high, numbers.Integral):
        raise ValueError(f"ngram_range is {said(value)}; it must be two whole numbers, such as (1, 2)")
    if not 1 <= low <= high <= NGRAM_LIMIT:
        raise ValueError(
            f"ngram_range is ({low}, {high}); its first number must be at least 1 and not above the second, which may "
            f"be {NGRAM_LIMIT}"
        )
    return int(low), int(high)


def _stop_words(value) -> str | tuple[str, ...] | None:
    if value is None or isinstance(value, str):
        check_language(value)
        return value
    try:
        words = sorted(set(value))
        if all(isinstance(word, str) for word in words) and len(words) <= STOP_WORDS_LIMIT:
            return tuple(words) or None
    except TypeError:
        pass
    raise ValueError(f"stop_words must be a language, a list of at most {STOP_WORDS_LIMIT:,} words, or None")

"""Tables of any number of documents that look like natural text from afar, for ``tests.benchmarks.scale``.

Words are drawn by Zipf's law, the most frequent ones being English stop words; a document has some 63 words and one of
ten classes, whose share falls from a quarter to a twentieth, and an eighth of its words come from its class. The first
documents of a larger table are those of a smaller one.
"""

from pathlib import Path

import numpy as np

WORDS = 1_000_000  # that can be drawn
OWN = 3_000  # words of a class
PIECE = 10_000  # documents
CLASSES = tuple(f"class{number}" for number in range(10))
SHARES = np.linspace(5, 1, len(CLASSES)) / np.linspace(5, 1, len(CLASSES)).sum()
_CONSONANTS, _VOWELS = "bcdfghjklmnprstvz", "aeiou"


def write(path: Path, documents: int) -> int:
    """Write a CSV file with the columns text and label; its size in bytes."""
    words = _words()
    everywhere = np.cumsum(1 / np.arange(1, WORDS + 1))
    of_a_class = np.cumsum(1 / np.arange(1, OWN + 1))
    with open(path, "w", encoding="utf-8") as file:
        file.write("text,label\n")
        for piece, start in enumerate(range(0, documents, PIECE)):
            rng = np.random.default_rng(piece)
            classes = rng.choice(len(CLASSES), size=PIECE, p=SHARES)
            lengths = rng.integers(20, 107, PIECE)
            document = np.repeat(np.arange(PIECE), lengths)
            drawn = np.searchsorted(everywhere, rng.random(document.size) * everywhere[-1])
            own = np.flatnonzero(rng.random(document.size) < 1 / 8)
            place = np.searchsorted(of_a_class, rng.random(own.size) * of_a_class[-1])
            drawn[own] = 1_000 + len(CLASSES) * place + classes[document[own]]
            texts = words[np.minimum(drawn, WORDS - 1)].tolist()
            end = 0
            for number in range(min(PIECE, documents - start)):
                begin, end = end, end + int(lengths[number])
                file.write(f"{' '.join(texts[begin:end])},{CLASSES[classes[number]]}\n")
    return path.stat().st_size


def _words() -> np.ndarray:
    """The words, the most frequent first: stop words, then made-up ones, which grow longer."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    syllables = [a + b for a in _CONSONANTS for b in _VOWELS]
    stop = sorted(ENGLISH_STOP_WORDS, key=lambda word: (len(word), word))[:150]
    made = []
    for number in range(WORDS - len(stop)):
        word, left = "", number + len(syllables) ** 2  # three syllables or more
        while left:
            left, syllable = divmod(left, len(syllables))
            word += syllables[syllable]
        made.append(word)
    return np.array([*stop, *made], dtype=object)

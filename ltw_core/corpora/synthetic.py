"""A teaching corpus of made-up words whose roles are known, and so what an ideal weighting does with each.

Two classes, ``relevant`` with a given prevalence and ``other``. A word's name tells its role: ``pos012`` occurs more
often in relevant documents, ``neg003`` more often in the others, ``freq001`` equally often in both but, where it
occurs, many times over in the relevant ones (only a document-dependent factor sees it), ``noise045`` is independent of
the class and as frequent as natural words are. Documents are bags of words: the order of words means nothing.
"""

import numpy as np

from ltw_core.corpora.corpus import Corpus, CorpusError, assemble
from ltw_core.corpora.reader import Reader

TRAIN_FRACTION = 0.7

RELEVANT, OTHER = "relevant", "other"
_LIMITS = {
    "documents": (20, 100_000),
    "positive_terms": (0, 1_000),
    "negative_terms": (0, 1_000),
    "frequency_terms": (0, 1_000),
    "noise_terms": (0, 20_000),
    "seed": (0, 2**32 - 1),
}
_CELLS = 200_000_000  # documents × words, which decides how long drawing takes


class Synthetic(Reader):
    """Documents of made-up words in two classes."""

    name = "synthetic"
    title = "Synthetic, of known roles"
    summary = (
        "Made-up words with known roles and one class: what an ideal weighting does here is known by construction."
    )
    n_classes = 2
    first_class = "relevant"

    def read(
        self,
        *,
        prevalence: float = 0.2,
        positive_terms: int = 40,
        negative_terms: int = 20,
        frequency_terms: int = 10,
        noise_terms: int = 1_000,
        documents: int = 2_000,
        seed: int = 0,
    ) -> Corpus:
        """Draw the corpus.

        Parameters
        ----------
        prevalence : float
            Share of relevant documents, between .01 and .99.
        positive_terms, negative_terms : int
            Numbers of words that speak for and against the class. Their rates in the class that they speak for run
            evenly from .6 down to .02; in the other class they are a twentieth to a half of that: words of every
            strength occur.
        frequency_terms : int
            Number of words that are in a third of the documents of either class, once in other and several times in
            relevant ones.
        noise_terms : int
            Number of words that are independent of the class, with document rates that fall as in Zipf's law from .5.
        documents : int
            Number of documents; 70 % of them, at random, are for training.
        seed : int
            Seed of all that is drawn.

        Raises
        ------
        CorpusError
            If a parameter is out of its range, or there are no words at all.
        """
        sizes = {
            "documents": documents,
            "positive_terms": positive_terms,
            "negative_terms": negative_terms,
            "frequency_terms": frequency_terms,
            "noise_terms": noise_terms,
            "seed": seed,
        }
        _check(prevalence, sizes)
        generator = np.random.default_rng(seed)
        names, rates = _words(positive_terms, negative_terms, frequency_terms, noise_terms)
        relevant = np.zeros(documents, dtype=bool)
        # both classes in both parts, however rare the class is
        relevant[: min(max(round(prevalence * documents), 4), documents - 4)] = True
        generator.shuffle(relevant)
        train = _split(relevant, generator)
        frequency_driven = np.char.startswith(names, "freq")
        texts = [_document(generator, names, rates[int(positive)], frequency_driven, positive) for positive in relevant]
        return assemble(
            name=self.name,
            title=self.title,
            documents=texts,
            label_sets=[(RELEVANT if positive else OTHER,) for positive in relevant],
            train=train,
            origin=f"Drawn at random with seed {seed}",
            report=[
                f"Drew {documents:,} documents, {int(relevant.sum()):,} of them relevant, over {len(names):,} words: "
                f"{positive_terms:,} for the class, {negative_terms:,} against it, {frequency_terms:,} that tell by "
                f"frequency only, {noise_terms:,} noise."
            ],
            notes="Not in the paper. The words’ names tell their roles: pos…, neg…, freq…, noise….",
            language=None,
        )


def _check(prevalence: float, sizes: dict[str, int]):
    for name, value in sizes.items():
        low, high = _LIMITS[name]
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
            raise CorpusError(f"{name} must be a whole number from {low:,} to {high:,}, not {value!r}.")
    if (
        isinstance(prevalence, bool)
        or not isinstance(prevalence, int | float | np.integer | np.floating)
        or not 0.01 <= prevalence <= 0.99
    ):
        raise CorpusError(f"prevalence must be a number from .01 to .99, not {prevalence!r}.")
    n_words = sum(value for name, value in sizes.items() if name.endswith("_terms"))
    if n_words == 0:
        raise CorpusError("There must be at least one word: set one of the numbers of terms above 0.")
    if n_words * sizes["documents"] > _CELLS:
        raise CorpusError(
            f"{sizes['documents']:,} documents over {n_words:,} words are too many: their product must not be above "
            f"{_CELLS:,}."
        )


def _words(positive: int, negative: int, frequency: int, noise: int) -> tuple[np.ndarray, np.ndarray]:
    """Names and, as rows 0 (other) and 1 (relevant), their rates of documents."""
    roles = (("pos", positive), ("neg", negative), ("freq", frequency), ("noise", noise))
    names = [f"{role}{index:03d}" for role, size in roles for index in range(1, size + 1)]
    blocks = []
    for size, for_class in ((positive, 1), (negative, 0)):
        strong = np.linspace(0.6, 0.02, size)
        # golden-ratio steps spread the strength of the contrast evenly, independently of the rate
        weak = strong * (0.05 + 0.45 * np.modf(np.arange(size) * 0.6180339887)[0])
        blocks.append(np.stack((weak, strong) if for_class else (strong, weak)))
    blocks.append(np.full((2, frequency), 1 / 3))
    blocks.append(np.tile(0.5 / np.arange(1, noise + 1) ** 0.8, (2, 1)))
    return np.array(names), np.concatenate(blocks, axis=1)


def _split(relevant: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Training mask: 70 % of each class, so that both parts have both."""
    train = np.zeros(len(relevant), dtype=bool)
    for value in (True, False):
        rows = np.flatnonzero(relevant == value)
        train[generator.permutation(rows)[: round(TRAIN_FRACTION * len(rows))]] = True
    return train


def _document(generator, names: np.ndarray, rates: np.ndarray, frequency_driven: np.ndarray, positive: bool) -> str:
    present = np.flatnonzero(generator.random(len(names)) < rates)
    counts = generator.geometric(0.7, size=len(present))
    driven = frequency_driven[present]
    counts[driven] = generator.poisson(5, size=int(driven.sum())) + 2 if positive else 1
    words = np.repeat(names[present], counts)
    generator.shuffle(words)
    return " ".join(words.tolist())

"""One result to be computed, as a frozen value: everything that can change the figure, and nothing else.

A cell's key is the SHA-256 of its canonical JSON, so that the same cell is the same row of every store. Versions of the
libraries belong to it, and so do versions of our own method code (``METHOD_VERSIONS``), which are raised by hand when a
change moves figures; a test holds known figures of formulas against them. Rounding does not: compiled loops may differ
in the last bits from one processor or version to another, which can move a learned weighting's figure as another seed
would.

Leaves out which cells make a study (``plan``) and computing them (``compute``).
"""

import hashlib
import json
import platform
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from importlib import metadata

from ltw_core.corpora.tables.source import TableSource
from ltw_core.evaluation import LEARNERS
from ltw_core.protocol import Protocol, protocol
from ltw_core.storage.file_schema import (
    INTEGER,
    AnyOf,
    Fields,
    Many,
    Number,
    OneOf,
    Optional,
    Rule,
    Text,
    Truth,
    Whole,
    read_json,
)
from ltw_core.tasks.options import LATER as LATER_OPTIONS
from ltw_core.tasks.options import NGRAM_LIMIT, OPTIONS, PATTERN_LIMIT, VectorizerOptions
from ltw_core.tasks.tokens import ANALYZERS
from ltw_core.tasks.without_terms import ALL, WITH_TERMS
from ltw_core.weighting.methods import seeded

METHOD_VERSIONS = {"tasks": 1, "weighting": 1, "learned": 1, "evaluation": 1}
"""Versions of our own method code. Raise one when a change to that package moves figures."""

LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "torch")
MORE_LIBRARIES = {"CCA": ("deap",)}  # that one weighting alone uses
PAIRS = ("corpus_parameters", "weighting_parameters", "versions")  # parts that are (name, value), …
LATER = {"documents": WITH_TERMS, "sample": 0, "grid_sample": 0, "protocol": ""} | LATER_OPTIONS
"""Parts of a cell that came later, and what they were before: where they still are, they are left out of its JSON."""

NOT_SAID = LATER_OPTIONS | {"grid_sample": 0, "protocol": ""}
"""Those of them that exports, too, leave out where they are what they were before."""

ALL_DOCUMENTS = {"tasks": 2}
"""Versions of our own method code of cells that score test documents without a known term; the others keep theirs."""

SPLIT = "first in the corpus's order train"  # ``ltw_core.tasks.validation_mask``; the only rule there is


JSON_LIMIT = 20_000  # characters of a cell; those here have about 900


@dataclass(frozen=True)
class _StopWords(Rule):
    """A language, a list of words, or null."""

    expected = "a language, a list of words of at most 100 characters, or null"

    def fits(self, value) -> bool:
        if isinstance(value, list | tuple):
            return all(map(Text(100).fits, value))
        return value is None or Text(200).fits(value)


_parameter = Optional(AnyOf((Text(2_000), Number(-1e300, 1e300), Truth())))
RULES = Fields(
    {
        "corpus": Text(200, least=1),
        "fingerprint": Text(200),
        "class_name": Text(1_000),
        "weighting": Text(200),
        "learner": Text(200),
        "grid": Text(200),
        "seed": Whole(-INTEGER, INTEGER),
        "corpus_parameters": Fields({}, others=_parameter),
        "weighting_parameters": Fields({}, others=_parameter),
        "tokenizer": Text(200),
        "stop_words": _StopWords(),
        "min_df": AnyOf((Whole(0, INTEGER), Number(0, 1))),
        "ratio": Number(0, 1),
        "validation": Number(0, 1),
        "split": Text(200),
        "documents": OneOf((ALL, WITH_TERMS)),
        "sample": Whole(0, INTEGER),
        "grid_sample": Whole(0, INTEGER),
        "protocol": Text(1_000),
        "analyzer": OneOf(tuple(ANALYZERS)),
        "ngram_range": Many(Whole(1, NGRAM_LIMIT), 2, 2),
        "max_features": Optional(Whole(1, INTEGER)),
        "token_pattern": Optional(Text(PATTERN_LIMIT)),
        "lowercase": Truth(),
        "versions": Fields({}, others=Text(200)),
    },
    optional=LATER,
)
"""What the JSON of a cell may say."""


@dataclass(frozen=True)
class Cell:
    """A ⟨corpus, class, weighting, learner, seed⟩ with its settings.

    Attributes
    ----------
    corpus : str
        Name in the catalogue.
    fingerprint : str
        SHA-256 of its content.
    class_name, weighting, learner, grid : str
    seed : int
    corpus_parameters, weighting_parameters : tuple of (name, value)
        What differs from the defaults, sorted by name; values are JSON's.
    tokenizer, stop_words, min_df, analyzer, ngram_range, max_features, token_pattern, lowercase
        How the corpus is counted: see ``options``. A callable analyzer is refused.
    ratio, validation : float
        Shares of the terms that χ² selects and of the training documents that validate.
    split : str
        How the validation documents are chosen.
    documents : {"with_terms", "all"}
        Which test documents count. Where each of them holds a known term both are the same, and "with_terms" stands
        here: what was computed before there was a choice stays what it is.
    sample : int
        Of how many training documents, drawn with the cell's seed, it is learned (``ltw_core.tasks.sampled``; all test
        documents count then); 0 for all of them.
    grid_sample : int
        On how many training documents the setting is chosen (``evaluation.evaluate``); 0 for all of them.
    protocol : str
        What differs from the paper's text (``ltw_core.protocol.Protocol.text``); also taken: a bundle's name.
    versions : tuple of (name, version)
        Libraries and ``METHOD_VERSIONS``, sorted by name.
    source : TableSource, optional
        Where whoever computes it reads its corpus, if that is a table of one's own. No part of what the cell is: it is
        in no key, no store and no export.
    """

    corpus: str
    fingerprint: str
    class_name: str
    weighting: str
    learner: str
    grid: str = "quick"
    seed: int = 0
    corpus_parameters: tuple = ()
    weighting_parameters: tuple = ()
    tokenizer: str = "words"
    stop_words: str | tuple[str, ...] | None = "english"
    min_df: int | float = 1
    ratio: float = 0.1
    validation: float = 0.2
    split: str = SPLIT
    documents: str = WITH_TERMS
    sample: int = 0
    grid_sample: int = 0
    protocol: str = ""
    analyzer: str = "word"
    ngram_range: tuple[int, int] = (1, 1)
    max_features: int | None = None
    token_pattern: str | None = None
    lowercase: bool = True
    versions: tuple = ()
    source: TableSource | None = field(default=None, compare=False)

    def __post_init__(self):
        for name in PAIRS:
            given = getattr(self, name)
            pairs = tuple(sorted((str(key), value) for key, value in dict(given).items()))
            if given != pairs:  # else thousands of cells share what they were given
                object.__setattr__(self, name, pairs)
        for name in ("ngram_range", "stop_words"):
            if isinstance(value := getattr(self, name), list):  # of JSON
                object.__setattr__(self, name, tuple(value))
        if self.protocol:
            object.__setattr__(self, "protocol", self.how.text)
        if callable(self.analyzer):
            self.options.check_named()
        if not self.versions:
            object.__setattr__(self, "versions", self._versions_here())
        _ = self.key  # kept; and a value that is not JSON's shows here and not in the middle of a study
        if isinstance(self.stop_words, tuple) and len(self.json()) > JSON_LIMIT:
            raise ValueError(f"{len(self.stop_words):,} stop words of one's own are too many to be kept with a result")

    def json(self) -> str:
        """Canonical JSON: sorted names, no spaces, pairs as objects."""
        values = self.parts()
        for name in PAIRS:
            values[name] = dict(values[name])
        return canonical(values)

    def parts(self) -> dict:
        """What it is known by: all of its parts but those that came later and are what they were before."""
        return {name: value for name in PARTS if (value := getattr(self, name)) != LATER.get(name, ...)}

    @property
    def options(self) -> VectorizerOptions:
        """How its corpus is counted.

        Raises
        ------
        ValueError
            For what is not allowed.
        """
        return VectorizerOptions(**{name: getattr(self, name) for name in OPTIONS})

    @property
    def how(self) -> Protocol:
        """Its protocol.

        Raises
        ------
        ValueError
            For what is not allowed.
        """
        return protocol(self.protocol)

    @property
    def settings(self) -> dict:
        """What figures of one table have in common, by name, for exports: how terms are counted and selected, which
        documents validate and count, and how many choose a setting where not all do."""
        names = (*OPTIONS, "ratio", "validation", "split", "documents", "grid_sample", "protocol")
        return {name: value for name in names if (value := getattr(self, name)) != NOT_SAID.get(name, ...)}

    @classmethod
    def from_json(cls, text: str) -> "Cell":
        """The cell of a canonical JSON.

        Raises
        ------
        FileError
            A ``ValueError``, for text that is no cell of this version of the project.
        """
        values = read_json(text, "a cell", JSON_LIMIT)
        RULES.check(values, "a cell")
        return cls(**values)

    @cached_property
    def key(self) -> str:
        """SHA-256 (hexadecimal) of the canonical JSON."""
        return digest(self.json())

    @cached_property
    def vectors_key(self) -> str:
        """Names the weighted vectors: cells of equal ``vectors_key`` differ in the classifier only."""
        seed = self.seed if self.sample or seeded(self.weighting) else 0
        return digest(replace(self, learner="", grid="", grid_sample=0, seed=seed).json())

    def _versions_here(self) -> tuple[tuple[str, str], ...]:
        versions = dict(current_versions()) | dict(map(_version, MORE_LIBRARIES.get(self.weighting, ())))
        if self.documents == ALL:
            versions |= _ours(ALL_DOCUMENTS)
        return tuple(sorted(versions.items()))

    def check_versions(self) -> None:
        """Refuse a cell that was planned under other versions than those running here.

        Raises
        ------
        ValueError
        """
        here = dict(self._versions_here())
        differing = [name for name, version in self.versions if here.get(name) != version]
        if differing:
            parts = (f"{name} {dict(self.versions)[name]} (here {here.get(name, 'none')})" for name in differing)
            raise ValueError(
                f"this cell was planned with {', '.join(parts)}; start the study again with these versions"
            )

    def __str__(self):
        sample = f", {self.sample} training documents" if self.sample else ""
        grid = f"{self.grid} on {self.grid_sample}" if self.grid_sample else self.grid
        sample += f", protocol {self.how.name}" if self.protocol else ""
        return f"{self.corpus}/{self.class_name} {self.weighting} {self.learner} {grid} seed {self.seed}{sample}"


PARTS = tuple(part.name for part in fields(Cell) if part.compare)
"""Names of what makes a cell."""


def seeds_of(weighting: str, learner: str, seeds: int) -> range:
    """Seeds worth running: all where the weighting or the classifier (a forest) depends on one, else 0 alone.

    The other learners do take a seed (liblinear's order of documents in the dual, PCA's first vector), but it moves
    them within the solver's tolerance only.
    """
    return range(seeds if seeded(weighting) or LEARNERS[learner].seeded else 1)


@lru_cache(maxsize=1)
def current_versions() -> tuple[tuple[str, str], ...]:
    """Versions of what computes here: libraries, Python (without its patch level) and ``METHOD_VERSIONS``."""
    versions = {"Python": ".".join(platform.python_version_tuple()[:2])}
    versions |= dict(map(_version, LIBRARIES))
    return tuple(sorted((versions | _ours(METHOD_VERSIONS)).items()))


def _ours(versions: dict[str, int]) -> dict[str, str]:
    return {f"ltw_core.{name}": str(version) for name, version in versions.items()}


def _version(library: str) -> tuple[str, str]:
    return library, metadata.version(library).partition("+")[0]  # torch's "+cpu" says where it is from


def canonical(values) -> str:
    """JSON with sorted names and no spaces."""
    return _ENCODER.encode(values)


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(values) -> str:
    """SHA-256 (hexadecimal) of the canonical JSON of values, or of a text."""
    text = values if isinstance(values, str) else canonical(values)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

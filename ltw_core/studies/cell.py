"""One result to be computed, as a frozen value: everything that can change the figure, and nothing else.

A cell's key is the SHA-256 of its canonical JSON, so that the same cell is the same row of every store. Versions of the
libraries belong to it, and so do versions of our own method code (``METHOD``), which are raised by hand when a change
moves figures; a test holds known figures against them. The processor does not: compiled loops may differ in the last
bits from one kind to another, which can move a learned weighting's figure as another seed would.

Leaves out which cells make a study (``plan``) and computing them (``compute``).
"""

import hashlib
import json
import platform
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from importlib import metadata

from ltw_core.evaluation import LEARNERS
from ltw_core.weighting import family, method

METHOD = {"tasks": 1, "weighting": 1, "learned": 1, "evaluation": 1}
"""Versions of our own method code. Raise one when a change to that package moves figures."""

LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba", "torch")
MORE_LIBRARIES = {"CCA": ("deap",)}  # that one weighting alone uses
PAIRS = ("corpus_parameters", "weighting_parameters", "versions")  # parts that are (name, value), …
SPLIT = "first in the corpus's order train"  # ``ltw_core.tasks.validation_mask``; the only rule there is


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
    tokenizer : str
    stop_words : str or None
    min_df : int
    ratio, validation : float
        Shares of the terms that χ² selects and of the training documents that validate.
    split : str
        How the validation documents are chosen.
    versions : tuple of (name, version)
        Libraries and ``METHOD``, sorted by name.
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
    stop_words: str | None = "english"
    min_df: int = 1
    ratio: float = 0.1
    validation: float = 0.2
    split: str = SPLIT
    versions: tuple = ()

    def __post_init__(self):
        for name in PAIRS:
            pairs = tuple(sorted((str(key), value) for key, value in dict(getattr(self, name)).items()))
            object.__setattr__(self, name, pairs)
        if not self.versions:
            object.__setattr__(self, "versions", self._versions_here())
        _ = self.key  # kept; and a value that is not JSON's shows here and not in the middle of a study

    def json(self) -> str:
        """Canonical JSON: sorted names, no spaces, pairs as objects."""
        values = {name: getattr(self, name) for name in PARTS}
        for name in PAIRS:
            values[name] = dict(values[name])
        return canonical(values)

    @classmethod
    def from_json(cls, text: str) -> "Cell":
        """The cell of a canonical JSON.

        Raises
        ------
        ValueError
            For text that is no cell of this version of the project.
        """
        values = json.loads(text)
        if set(values) != set(PARTS):
            raise ValueError(f"this is no cell: its parts differ in {', '.join(sorted(set(values) ^ set(PARTS)))}")
        return cls(**values)

    @cached_property
    def key(self) -> str:
        """SHA-256 (hexadecimal) of the canonical JSON."""
        return digest(self.json())

    @cached_property
    def vectors_key(self) -> str:
        """Names the weighted vectors: cells of equal ``vectors_key`` differ in the classifier only."""
        seed = self.seed if seeded(self.weighting) else 0
        return digest(replace(self, learner="", grid="", seed=seed).json())

    def _versions_here(self) -> tuple[tuple[str, str], ...]:
        return tuple(sorted((*current_versions(), *map(_version, MORE_LIBRARIES.get(self.weighting, ())))))

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
        return f"{self.corpus}/{self.class_name} {self.weighting} {self.learner} {self.grid} seed {self.seed}"


PARTS = tuple(part.name for part in fields(Cell))
"""Names of what makes a cell."""


def seeded(weighting: str) -> bool:
    """Whether the weighting itself depends on a seed: those of the table that are no formula dd · cd."""
    return family(weighting) == "LTW" or method(weighting).cd is None


def seeds_of(weighting: str, learner: str, seeds: int) -> range:
    """Seeds worth running: all where the weighting or the classifier (a forest) depends on one, else 0 alone.

    The other learners do take a seed (liblinear's order of documents in the dual, PCA's first vector), but it moves
    them within the solver's tolerance only.
    """
    return range(seeds if seeded(weighting) or LEARNERS[learner].seeded else 1)


@lru_cache(maxsize=1)
def current_versions() -> tuple[tuple[str, str], ...]:
    """Versions of what computes here: libraries, Python (without its patch level) and ``METHOD``."""
    versions = {"Python": ".".join(platform.python_version_tuple()[:2])}
    versions |= dict(map(_version, LIBRARIES))
    versions |= {f"ltw_core.{name}": str(version) for name, version in METHOD.items()}
    return tuple(sorted(versions.items()))


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

"""How an experiment is run where the paper's text and its authors' published code differ: named options, three bundles.

``Protocol()`` is what the text says, and ours where it is silent. ``PROTOCOLS["authors"]`` is what the code does, read
at its commit b808265, the last that can run the baselines; ``PROTOCOLS["authors-2016-12"]`` also chooses settings as
the code did for two weeks of December 2016 (``empty_validation``). Each difference is one option, so that it can be
tried by itself: ``Protocol(ties="last")``; so is one way of our own that neither has (``negatives``). Leaves out what
obeys them: readers (``corpora``), selection (``tasks``), vectors and learners (``evaluation``), functions
(``weighting``).
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

PAPER, AUTHORS, DECEMBER = "paper", "authors", "authors-2016-12"


class ProtocolOption(NamedTuple):
    """What an option is about: ``title``, and its values with what they mean, the paper's first."""

    title: str
    values: dict[str, str]


OPTIONS: dict[str, ProtocolOption] = {
    "order": ProtocolOption(
        "Selection and weighting",
        {
            "select": "terms are selected by χ² of their counts, then weighted",
            "weight": "the whole vocabulary is weighted and normalised, then terms are selected by χ² of the weights; "
            "learned weightings, Dense and CCA are of counts selected before",
        },
    ),
    "renormalise": ProtocolOption(
        "Length after selection",
        {
            "yes": "vectors are normalised over the selected terms",
            "no": "vectors keep the length that they had over the whole vocabulary",
        },
    ),
    "ties": ProtocolOption(
        "Equal χ² where the selection ends",
        {"first": "the first term in alphabetical order is kept", "last": "the last one is kept"},
    ),
    "idf": ProtocolOption("Idf of TFIDF and LogTFIDF", {"plain": "ln(N / n)", "smoothed": "ln((1 + N) / (1 + n)) + 1"}),
    "log_tf": ProtocolOption("Tf of LogTFIDF", {"log1p": "ln(1 + f)", "1+log": "1 + ln f"}),
    "bm25_norm": ProtocolOption("Length of BM25's vectors", {"none": "as they come", "l2": "1"}),
    "conf_width": ProtocolOption(
        "Half-width of ConfWeight's intervals",
        {"z": "z times the standard error", "half-z2": "½ z² times the standard error"},
    ),
    "entities": ProtocolOption(
        "Entities in Reuters' text, such as &lt;",
        {"resolved": "they are the characters that they stand for", "dropped": "they are left out, which glues words"},
    ),
    "ohsumed_split": ProtocolOption(
        "Split of ohsumed-all-docs",
        {
            "random": "70% of the documents, drawn by seed",
            "listing": "class by class the first 70%, in listing order, of the documents that no class has had before",
        },
    ),
    "knn_votes": ProtocolOption("Votes of neighbours", {"equal": "each one", "distance": "one over the distance"}),
    "knn_grid": ProtocolOption(
        "Grid of nearest neighbours",
        {
            "text": "k of 1, 3, 5, 15, 30; all terms, the best 25 to 500, 64 to 256 components",
            "code": "k of 15, 5, 3, 1, not above the training documents of the class; all terms, 64 and 128 "
            "components, then the best 500 down to 25",
        },
    ),
    "forest_classes": ProtocolOption(
        "Class weights of forests",
        {"equal": "none", "tuned": "balanced, balanced by each tree's sample, or none, as a third axis of the grid"},
    ),
    "negatives": ProtocolOption(
        "Negative weights under naive Bayes, which takes none",
        {
            "dropped": "if most are negative all signs are turned, and those that still are negative are dropped",
            "absolute": "all are taken without their sign, which neither the text nor the code does",
        },
    ),
    "empty_validation": ProtocolOption(
        "Validation F1 where no validation document has the class",
        {
            "predicted": "1 where nothing is predicted, else 0",
            "one": "1 unless all are predicted, so that the grid's first setting wins, as from 12 to 25 December 2016",
        },
    ),
    "dropout": ProtocolOption(
        "Dropout while a weighting is learned",
        {"gaussian": "the normal variable of the same two moments", "bernoulli": "each hidden unit of each term"},
    ),
    "pretraining": ProtocolOption(
        "Pre-training, where it is asked for",
        {"hundred": "100 points a step, without dropout", "point": "one point a step, with dropout"},
    ),
}
"""All options by name, in the order in which they take part."""

PREDICTED, ONE, LEFT_OUT = "predicted", "one", "left_out"
UNTESTED = ProtocolOption(
    "Classes without test documents",
    {
        PREDICTED: "F1 is 1 where nothing is predicted and 0 otherwise, as the paper says",
        ONE: "F1 is 1 whatever is predicted, as its authors' code had it from 12 to 25 December 2016",
        LEFT_OUT: "they are no part of macro F1",
    },
)
"""How macro F1 counts the classes that no test document has.

An option of averaging alone: cells hold counts, so that it can be changed without a run, and stands in no key. From
its commit 94a422c (12 December 2016, 14:43) to 9cc1172 (25 December, 18:46) the authors' code read
``sum(predictions == 0)`` for what later is ``sum(predictions) == 0``, so that F1 was 1 in such a class as soon as one
document was not predicted; the same function chose settings (``empty_validation``). Which figures of the paper were run
in these two weeks is nowhere published.
"""


@dataclass(frozen=True, repr=False)
class Protocol:
    """One choice for each of ``OPTIONS``; the defaults are the paper's.

    Raises
    ------
    ValueError
        For a value that an option does not have.
    """

    order: str = "select"
    renormalise: str = "yes"
    ties: str = "first"
    idf: str = "plain"
    log_tf: str = "log1p"
    bm25_norm: str = "none"
    conf_width: str = "z"
    entities: str = "resolved"
    ohsumed_split: str = "random"
    knn_votes: str = "equal"
    knn_grid: str = "text"
    forest_classes: str = "equal"
    negatives: str = "dropped"
    empty_validation: str = "predicted"
    dropout: str = "gaussian"
    pretraining: str = "hundred"

    def __post_init__(self):
        for name, option in OPTIONS.items():
            if (value := getattr(self, name)) not in option.values:
                raise ValueError(
                    f"the protocol's {name} is {str(value)[:40]!r}; it must be one of {', '.join(option.values)}"
                )

    @cached_property
    def text(self) -> str:
        """Its differences from the paper's text, ``"bm25_norm=l2,idf=smoothed"`` in the order of names; "" for none.

        What keys and files hold: ``protocol`` reads it, also after a bundle has changed.
        """
        here = {name: getattr(self, name) for name in sorted(OPTIONS)}
        return ",".join(f"{name}={value}" for name, value in here.items() if value != getattr(_PAPER, name))

    @cached_property
    def name(self) -> str:
        """What it is called: a name of ``PROTOCOLS`` and what differs from it, ``"authors,negatives=absolute"``, or
        what differs from the paper's, whichever is shortest."""
        called = []
        for bundle, usual in PROTOCOLS.items():
            chosen = ((name, getattr(self, name)) for name in sorted(OPTIONS))
            own = [f"{name}={value}" for name, value in chosen if value != getattr(usual, name)]
            called.append(own if own and bundle == PAPER else [bundle, *own])
        return ",".join(min(called, key=len))

    @property
    def bundle(self) -> str:
        """The one of ``PROTOCOLS`` that it is called by."""
        first = self.name.partition(",")[0]
        return first if first in PROTOCOLS else PAPER

    @property
    def told(self) -> str:
        """The same in a few words, for captions; "" for the paper's."""
        names = {PAPER: "", AUTHORS: "protocol of the authors’ code"}
        names[DECEMBER] = "protocol of the authors’ code of December 2016"
        return names.get(self.name, f"protocol {self.name}")

    def __str__(self):
        return self.name

    def __repr__(self):
        return f"<Protocol {self.name}>"


_PAPER = Protocol()
_OF_CODE = {name: list(option.values)[1] for name, option in OPTIONS.items()}
_OF_CODE["negatives"] = "dropped"  # its other value is ours
PROTOCOLS = {
    PAPER: _PAPER,
    AUTHORS: Protocol(**_OF_CODE | {"empty_validation": "predicted"}),
    DECEMBER: Protocol(**_OF_CODE),
}
"""The bundles by name."""


def in_words(how: Protocol, than: str = PAPER) -> list[str]:
    """A protocol's differences from a bundle, each by its title and what its value means."""
    here = ((option, getattr(how, name), getattr(PROTOCOLS[than], name)) for name, option in OPTIONS.items())
    return [f"{option.title}: {option.values[value]}" for option, value, usual in here if value != usual]


def protocol(asked: "str | Protocol | None") -> Protocol:
    """A protocol by what it is called.

    Parameters
    ----------
    asked : str, Protocol or None
        A name of ``PROTOCOLS``; single options ``"ties=last,idf=smoothed"``, which the paper's rest goes with; both,
        ``"authors,ties=first"``; None or "" for the paper's.

    Raises
    ------
    ValueError
    """
    return asked if isinstance(asked, Protocol) else _read(asked or "")


@lru_cache(maxsize=256)
def _read(asked: str) -> Protocol:
    parts = [part.strip() for part in asked.split(",") if part.strip()]
    base = parts.pop(0) if parts and "=" not in parts[0] else PAPER
    if base not in PROTOCOLS:
        raise ValueError(
            f"protocol is {base[:40]!r}; it must be one of {', '.join(PROTOCOLS)}, or options such as ties=last"
        )
    chosen = {name: getattr(PROTOCOLS[base], name) for name in OPTIONS}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals or name not in OPTIONS:
            raise ValueError(f"a protocol has no option {name[:40]!r}; it has {', '.join(OPTIONS)}")
        chosen[name] = value
    return Protocol(**chosen)

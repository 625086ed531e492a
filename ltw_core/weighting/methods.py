"""The one table from a method's name, as in the paper's tables, to a fresh estimator.

Pages, studies and tests go through ``METHODS``: a new classic weighting is a row here. Leaves out FT, which is the
classifier that comes with Dense (``ltw_core.evaluation``).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ltw_core.protocol import Protocol

FAMILIES = {
    "UTW": "Unsupervised term weighting: the class plays no part.",
    "STW": "Supervised term weighting: a formula of the term’s contingency with the class.",
    "LTW": "Learning to Weight: the formula itself is learned from the training set.",
}


@dataclass(frozen=True)
class Method:
    """A row of the table.

    Attributes
    ----------
    name : str
    family : {"UTW", "STW", "LTW"}
    description : str
        A sentence.
    dd, cd, norm : str or None
        Of a product of two factors, see ``TermWeighting``; None for what is no such product.
    estimator : callable, optional
        ``f(name, random_state, **parameters)`` gives the estimator of what is none.
    per_corpus : dict
        Settings that the paper has for some corpora only.
    minutes : bool
        Whether it takes so long for one class that a study computes it only when asked for it by name.
    settings : dict
        Of the estimator, where it has others than its defaults.
    beyond : bool
        Whether it is none of the paper's: a study computes it only when asked for it by name, and it stands in none of
        the paper's tables.
    listed : bool
        Whether it is one of the choices; what is not can still be asked for by name.
    """

    name: str
    family: str
    description: str
    dd: str | None = None
    cd: str | None = None
    norm: str | None = None
    estimator: Callable | None = None
    per_corpus: dict[str, dict] = field(default_factory=dict)
    minutes: bool = False
    settings: dict = field(default_factory=dict)
    beyond: bool = False
    listed: bool = True

    @property
    def by_name(self) -> bool:
        """Whether studies leave it out of families and of "all"."""
        return self.minutes or self.beyond

    def make(self, random_state: int = 0, **params):
        """A fresh estimator; ``params`` override the settings of the table."""
        if self.estimator is None:
            from ltw_core.weighting.classic import TermWeighting

            return TermWeighting(**{"dd": self.dd, "cd": self.cd, "norm": self.norm, **params})
        return self.estimator(self.name, **{"random_state": random_state, **self.settings, **params})


def _dense(name, **params):
    from ltw_core.weighting.dense.fasttext import FastText

    return FastText(**params)


def _bred(name, **params):
    from ltw_core.weighting.genetic.combined_components import CombinedComponents

    return CombinedComponents(**params)


def _shared(name, **params):
    from ltw_core.weighting.learned.shared import SharedWeighting

    return SharedWeighting(**params)


def _learned(name, **params):
    from ltw_core.weighting.learned import LearnedWeighting

    return LearnedWeighting(**{"variant": name, **params})


def _mean(name: str, description: str, listed: bool = True, **settings) -> Method:
    settings = {"variant": "LTW-L-I", **settings}
    return Method(name, "LTW", description, estimator=_learned, settings=settings, beyond=True, listed=listed)


def _distilled(corpus: str, cd: str) -> Method:
    description = f"A short formula like what classes of {corpus} learned, with its counts: elsewhere it may not hold."
    return Method(f"Formula from {corpus}", "STW", description, "log(1+f/dl)", cd, "l2", beyond=True, listed=False)


_SHARED = "The mean surface of all other classes of the corpus: of each, three LTW-L-I."
_SHRUNK = "The class’s own mean surface drawn towards that of the others, more so where it has few documents."
_AVERAGED = "The mean of five LTW-L-I, each in canonical form"
_FIVE = "log_tpr,log_fpr,idf,kl,rf"
_FROM_RF = {"n_members": 5, "pretrain": "RF", "mixed": "RF"}
_LOCAL = "One learned function of (tpr, fpr) for all terms, "
_GLOBAL = "A learned weight for each term on its own, "
_VECTORS = "The mean of word vectors that fastText learns for the class: 100 numbers a document, none a term."
_BRED = "A formula bred for the class by genetic programming; it takes minutes a class."
RF_BEFORE = "TFRF-before-2017-01-23"
_FAULTY = "TFRF with a fault of the authors’ code: terms found only in the class weigh least."
_SURE = "Log of occurrences times how surely the term is more frequent in the class."
METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("Binary", "UTW", "1 if the document holds the term, else 0.", "binary", "1"),
        Method("TF", "UTW", "How often the term occurs in the document.", "raw", "1"),
        Method("LogTF", "UTW", "The logarithm of how often it occurs, at unit length.", "1+log", "1", "l2"),
        Method("TFIDF", "UTW", "Occurrences times rarity in the collection.", "raw", "IDF", "l2"),
        Method("LogTFIDF", "UTW", "Log of occurrences times rarity.", "log1p", "IDF", "l2"),
        Method("BM25", "UTW", "Saturating occurrences times rarity, corrected for length.", "bm25", "BM25"),
        Method("TFGR", "STW", "Log of occurrences times gain ratio.", "1+log", "GR", "l2"),
        Method("TFCHI", "STW", "Log of occurrences times χ².", "1+log", "CHI2", "l2"),
        Method("TFIG", "STW", "Log of occurrences times information gain; equals TFGR.", "1+log", "IG", "l2"),
        Method("ConfWeight", "STW", _SURE, "1+log", "ConfWeight", "l2"),
        Method("TFRF", "STW", "Log of occurrences times relevance frequency.", "1+log", "RF", "l2"),
        Method(RF_BEFORE, "STW", _FAULTY, "1+log", "RF-before-2017-01-23", "l2", beyond=True, listed=False),
        Method("Dense", "STW", _VECTORS, estimator=_dense, per_corpus={"20newsgroups": {"epochs": 500}}),
        Method("CCA", "STW", _BRED, estimator=_bred, minutes=True),
        Method("LTW-L-sigma", "LTW", f"{_LOCAL}with values between 0 and 1.", estimator=_learned),
        Method("LTW-L-I", "LTW", f"{_LOCAL}of any sign and size.", estimator=_learned),
        Method("LTW-G-sigma", "LTW", f"{_GLOBAL}between 0 and 1.", estimator=_learned),
        Method("LTW-G-I", "LTW", f"{_GLOBAL}of any sign and size.", estimator=_learned),
        Method("LTW-TF", "LTW", "LTW-L-I that also learns what an occurrence counts.", estimator=_learned),
        _mean("LTW-L-I x5", f"{_AVERAGED}: what is chance in one of them goes.", n_members=5),
        _mean("LTW-RF", f"{_AVERAGED} and started from RF, and RF itself.", **_FROM_RF),
        _mean("LTW-L-I (log)", "LTW-L-I on log(1 + 100 x) of both rates.", listed=False, coordinates="log"),
        _mean("LTW-L-I (by loss)", "LTW-L-I at its lowest validation loss.", listed=False, stop_by="loss"),
        _mean("LTW-L-I (by alignment)", "LTW-L-I where most aligned with its class.", False, stop_by="alignment"),
        _mean("LTW-L-I (5 inputs)", "LTW-L-I told log rates, idf, KL divergence and RF.", False, inputs=_FIVE),
        _mean("LTW-L-I (log; by alignment)", "Both of these.", False, coordinates="log", stop_by="alignment"),
        _mean("LTW-L-I x5 (by alignment)", "Five of these, averaged.", False, n_members=5, stop_by="alignment"),
        _mean("LTW-RF (by alignment)", "LTW-RF, each where most aligned.", False, **_FROM_RF, stop_by="alignment"),
        _mean("LTW-RF (by size)", "LTW-RF, RF’s share by the size of the class.", False, **_FROM_RF, share="documents"),
        # as chosen in data/results/universal_formulas.csv
        _distilled("Reuters", "(fpr - log(0.9 + tpr**2) - 0.45)**2"),
        _distilled("20 Newsgroups", "log(2100 / (max(0.8, fp - tp) - tpr))"),
        _distilled("Ohsumed", "log((1100 - fp) / (0.3 + fp) - log(tpr))"),
        Method("LTW-U", "LTW", _SHARED, estimator=_shared, minutes=True, beyond=True),
        Method(
            "LTW-U shrunk",
            "LTW",
            _SHRUNK,
            estimator=_shared,
            settings={"share": "documents"},
            minutes=True,
            beyond=True,
        ),
        Method(
            "LTW-U + RF",
            "LTW",
            "Three quarters LTW-U, one quarter RF.",
            estimator=_shared,
            settings={"share": 0.75, "mixed": "RF"},
            minutes=True,
            beyond=True,
        ),
    )
}


# what tells learned weightings apart by name; what a single training run starts from is no part of it
_NAMED = {"variant": "LTW-L-I", "n_members": 1, "mixed": None, "share": 0.5, "coordinates": "linear", "pretrain": None}
_NAMED |= {"inputs": "tpr,fpr", "stop_by": "f1"}


def methods(family: str | None = None) -> list[str]:
    """Names of the registered methods, in the order of the paper's tables.

    Parameters
    ----------
    family : {"UTW", "STW", "LTW"}, optional
        Only those of a family.
    """
    if family is not None and family not in FAMILIES:
        raise ValueError(f"family is {family!r}; it must be one of {', '.join(FAMILIES)}")
    return [name for name, method in METHODS.items() if method.listed and family in (None, method.family)]


def method(name: str) -> Method:
    """The table's row of a name.

    Raises
    ------
    ValueError
        For an unknown name, with the known ones.
    """
    if name not in METHODS:
        raise ValueError(f"weighting is {name!r}; it must be one of {', '.join(METHODS)}")
    return METHODS[name]


def family(name: str) -> str:
    """Family of a method: "UTW", "STW" or "LTW"."""
    return method(name).family


def is_beyond(name: str) -> bool:
    """Whether a weighting is one of the table that the paper has not, see ``Method.beyond``."""
    return name in METHODS and METHODS[name].beyond


def seeded(name: str) -> bool:
    """Whether a weighting itself depends on a seed: those of the table that are no formula dd · cd."""
    return family(name) == "LTW" or method(name).cd is None


def display(name: str) -> str:
    """The name to show: "LTW-L-σ" for "LTW-L-sigma", "LTW-L-I×5" for "LTW-L-I x5"; mostly as it is."""
    shown = name.replace(" shrunk", " + own surface").replace("sigma", "σ").replace("-before-", ", RF as run before ")
    return re.sub(r" x(?=\d+\b)", "×", shown)


def learned_name(parameters: dict) -> str:
    """What a ``LearnedWeighting`` of such parameters is called: a name of the table, or its variant and what differs.

    "LTW-L-I x5" for five members, "LTW-L-I x3 + CHI2 (log)" for three with a formula, on logarithmic coordinates.
    """
    own = {name: parameters.get(name, plain) for name, plain in _NAMED.items()}
    if not isinstance(own["inputs"], str):
        own["inputs"] = ",".join(own["inputs"])
    for row in METHODS.values():
        if row.settings and row.estimator is _learned and {**_NAMED, **row.settings} == own:
            return row.name
    members = f" x{own['n_members']}" if own["n_members"] != 1 else ""
    mixed = "" if own["mixed"] is None else f" + {own['mixed']}"
    parts = [own["coordinates"]] * (own["coordinates"] != "linear")
    parts += [f"of {own['inputs'].replace(',', ', ').replace('_', ' ')}"] * (own["inputs"] != _NAMED["inputs"])
    parts += [f"by {own['stop_by']}"] * (own["stop_by"] != "f1")
    return own["variant"] + members + mixed + (f" ({'; '.join(parts)})" if parts else "")


def paper_settings(name: str, corpus: str) -> dict:
    """What the paper sets for a method on a corpus of the catalogue beyond its defaults; mostly empty."""
    return dict(method(name).per_corpus.get(corpus, {}))


def protocol_settings(name: str, asked: Protocol) -> dict:
    """What a protocol changes in a method's settings; empty for the paper's."""
    row, found = method(name), {}
    if row.cd == "IDF" and asked.idf == "smoothed":
        found["cd"] = "IDF-smoothed"
    if row.dd == "log1p" and asked.log_tf == "1+log":
        found["dd"] = "1+log"
    if row.dd == "bm25" and asked.bm25_norm == "l2":
        found["norm"] = "l2"
    if row.cd == "ConfWeight" and asked.conf_width == "half-z2":
        found["cd"] = "ConfWeight-code"
    if row.family == "LTW" and row.estimator is _learned and asked.dropout != "gaussian":
        found["dropout_form"] = asked.dropout
    if row.family == "LTW" and row.estimator is _learned and asked.pretraining != "hundred":
        found["pretrain_form"] = asked.pretraining
    return found


def make(name: str, random_state: int = 0, **params):
    """A fresh estimator with the paper's settings.

    Parameters
    ----------
    name : str
        One of ``methods()``.
    random_state : int
        Seed of the learned methods; the others have nothing random.
    **params
        Override the table's settings, such as ``norm=None`` or ``max_steps=1000``.

    Returns
    -------
    TermWeighting, LearnedWeighting, FastText or CombinedComponents
    """
    return method(name).make(random_state, **params)

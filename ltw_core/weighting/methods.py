"""The one table from a method's name, as in the paper's tables, to a fresh estimator.

Pages, studies and tests go through ``METHODS``: a new classic weighting is a row here. Leaves out FT, which is the
classifier that comes with Dense (``ltw_core.evaluation``).
"""

from collections.abc import Callable
from dataclasses import dataclass, field

FAMILIES = {
    "UTW": "Unsupervised term weighting: the class plays no part.",
    "STW": "Supervised term weighting: a formula of the term's contingency with the class.",
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

    def make(self, random_state: int = 0, **params):
        """A fresh estimator; ``params`` override the settings of the table."""
        if self.estimator is None:
            from ltw_core.weighting.classic import TermWeighting

            return TermWeighting(**{"dd": self.dd, "cd": self.cd, "norm": self.norm, **params})
        return self.estimator(self.name, **{"random_state": random_state, **params})


def _dense(name, **params):
    from ltw_core.weighting.dense.fasttext import FastText

    return FastText(**params)


def _bred(name, **params):
    from ltw_core.weighting.genetic.estimator import CombinedComponents

    return CombinedComponents(**params)


def _learned(name, **params):
    from ltw_core.weighting.learned import LearnedWeighting

    return LearnedWeighting(**{"variant": name, **params})


_LOCAL = "One learned function of (tpr, fpr) for all terms, "
_GLOBAL = "A learned weight for each term on its own, "
_VECTORS = "The mean of word vectors that fastText learns for the class: 100 numbers a document, none a term."
_BRED = "A formula bred for the class by genetic programming; it takes minutes a class."
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
        Method("Dense", "STW", _VECTORS, estimator=_dense, per_corpus={"20newsgroups": {"epochs": 500}}),
        Method("CCA", "STW", _BRED, estimator=_bred, minutes=True),
        Method("LTW-L-sigma", "LTW", f"{_LOCAL}with values between 0 and 1.", estimator=_learned),
        Method("LTW-L-I", "LTW", f"{_LOCAL}of any sign and size.", estimator=_learned),
        Method("LTW-G-sigma", "LTW", f"{_GLOBAL}between 0 and 1.", estimator=_learned),
        Method("LTW-G-I", "LTW", f"{_GLOBAL}of any sign and size.", estimator=_learned),
        Method("LTW-TF", "LTW", "LTW-L-I that also learns what an occurrence counts.", estimator=_learned),
    )
}


def methods(family: str | None = None) -> list[str]:
    """Names of the registered methods, in the order of the paper's tables.

    Parameters
    ----------
    family : {"UTW", "STW", "LTW"}, optional
        Only those of a family.
    """
    if family is not None and family not in FAMILIES:
        raise ValueError(f"family is {family!r}; it must be one of {', '.join(FAMILIES)}")
    return [name for name, method in METHODS.items() if family in (None, method.family)]


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


def display(name: str) -> str:
    """The name to show, "LTW-L-σ" for "LTW-L-sigma"; any other as it is."""
    return name.replace("sigma", "σ")


def paper_settings(name: str, corpus: str) -> dict:
    """What the paper sets for a method on a corpus of the catalogue beyond its defaults; mostly empty."""
    return dict(method(name).per_corpus.get(corpus, {}))


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

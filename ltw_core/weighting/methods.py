"""The one table from a method's name, as in the paper's tables, to a fresh estimator.

Leaves out FT, which is the classifier that comes with Dense (``ltw_core.evaluation``).
"""

from dataclasses import dataclass, field

FAMILIES = {
    "UTW": "Unsupervised term weighting: the class plays no part.",
    "STW": "Supervised term weighting: a formula of the term's contingency with the class.",
    "LTW": "Learning to Weight: the formula itself is learned from the training set.",
}


@dataclass(frozen=True)
class Method:
    """A row of the table. ``dd``, ``cd`` and ``norm`` are None for what is no product of such functions.

    ``per_corpus`` holds settings that the paper has for some corpora only; ``minutes`` marks what takes so long for one
    class that a study computes it only when asked for it by name.
    """

    name: str
    family: str
    display: str
    description: str
    dd: str | None = None
    cd: str | None = None
    norm: str | None = None
    per_corpus: dict[str, dict] = field(default_factory=dict)
    minutes: bool = False

    @property
    def weighs_terms(self) -> bool:
        """Whether a fitted one has a weight a term, ``cd_``."""
        return self.cd is not None or self.family == "LTW"


_METHODS = {
    method.name: method
    for method in (
        Method("Binary", "UTW", "Binary", "1 if the document holds the term, else 0.", "binary", "1"),
        Method("TF", "UTW", "TF", "How often the term occurs in the document.", "raw", "1"),
        Method("LogTF", "UTW", "LogTF", "The logarithm of how often it occurs, at unit length.", "1+log", "1", "l2"),
        Method("TFIDF", "UTW", "TFIDF", "Occurrences times rarity in the collection.", "raw", "IDF", "l2"),
        Method("LogTFIDF", "UTW", "LogTFIDF", "Log of occurrences times rarity.", "log1p", "IDF", "l2"),
        Method("BM25", "UTW", "BM25", "Saturating occurrences times rarity, corrected for length.", "bm25", "BM25"),
        Method("TFGR", "STW", "TFGR", "Log of occurrences times gain ratio.", "1+log", "GR", "l2"),
        Method("TFCHI", "STW", "TFCHI", "Log of occurrences times χ².", "1+log", "CHI2", "l2"),
        Method("TFIG", "STW", "TFIG", "Log of occurrences times information gain; equals TFGR.", "1+log", "IG", "l2"),
        Method(
            "ConfWeight",
            "STW",
            "ConfWeight",
            "Log of occurrences times how surely the term is more frequent in the class.",
            "1+log",
            "ConfWeight",
            "l2",
        ),
        Method("TFRF", "STW", "TFRF", "Log of occurrences times relevance frequency.", "1+log", "RF", "l2"),
        Method(
            "Dense",
            "STW",
            "Dense",
            "The mean of word vectors that fastText learns for the class: 100 numbers a document, none a term.",
            per_corpus={"20newsgroups": {"epochs": 500}},
        ),
        Method(
            "CCA",
            "STW",
            "CCA",
            "A formula bred for the class by genetic programming; it takes minutes a class.",
            minutes=True,
        ),
        Method(
            "LTW-L-sigma",
            "LTW",
            "LTW-L-σ",
            "One learned function of (tpr, fpr) for all terms, with values between 0 and 1.",
        ),
        Method("LTW-L-I", "LTW", "LTW-L-I", "One learned function of (tpr, fpr) for all terms, of any sign and size."),
        Method("LTW-G-sigma", "LTW", "LTW-G-σ", "A learned weight for each term on its own, between 0 and 1."),
        Method("LTW-G-I", "LTW", "LTW-G-I", "A learned weight for each term on its own, of any sign and size."),
        Method("LTW-TF", "LTW", "LTW-TF", "LTW-L-I that also learns what an occurrence counts."),
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
    return [name for name, method in _METHODS.items() if family in (None, method.family)]


def method(name: str) -> Method:
    """The table's row of a name.

    Raises
    ------
    ValueError
        For an unknown name, with the known ones.
    """
    if name not in _METHODS:
        raise ValueError(f"weighting is {name!r}; it must be one of {', '.join(_METHODS)}")
    return _METHODS[name]


def family(name: str) -> str:
    """Family of a method: "UTW", "STW" or "LTW"."""
    return method(name).family


def display(name: str) -> str:
    """The name to show, "LTW-L-σ" for "LTW-L-sigma"; of what is no method of the table, the name itself."""
    return _METHODS[name].display if name in _METHODS else name


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
    row = method(name)
    if name == "Dense":
        from ltw_core.weighting.dense.fasttext import FastText

        return FastText(**{"random_state": random_state, **params})
    if name == "CCA":
        from ltw_core.weighting.genetic import CombinedComponents

        return CombinedComponents(**{"random_state": random_state, **params})
    if row.family != "LTW":
        from ltw_core.weighting.classic import TermWeighting

        return TermWeighting(**{"dd": row.dd, "cd": row.cd, "norm": row.norm, **params})
    from ltw_core.weighting.learned import LearnedWeighting

    return LearnedWeighting(**{"variant": name, "random_state": random_state, **params})

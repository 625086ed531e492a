"""What a local network is told of a term: its tpr and fpr, as in the paper, or other statistics by name.

The paper leaves richer statistics ("such as, e.g., Kullback-Leibler divergence, Fisher Information, or other feature
scoring functions") to future work. Every input here is a function of a term's (tpr, fpr), of the class's prevalence and
of the number of documents, so that what a network learns stays a surface over (tpr, fpr) for any one class; and each is
scaled to about [0, 1], so that none drowns the others. Leaves out inputs that are no function of the contingency table.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from ltw_core.storage.file_schema import said
from ltw_core.weighting import cd
from ltw_core.weighting.learned.coordinates import COORDINATES

PAPER = ("tpr", "fpr")


@dataclass(frozen=True)
class Input:
    """One statistic of a term.

    Attributes
    ----------
    name, title : str
        For code, and to be read.
    formula : str
    compute : callable
        Of (tpr, fpr, p, n), arrays that broadcast; gives float64.
    """

    name: str
    title: str
    formula: str
    compute: Callable


def _log(x):
    return COORDINATES["log"].forward(x)


def _idf(tpr, fpr, p, n):
    return cd.quotient(cd.idf(tpr, fpr, p, n), np.log(np.maximum(n, 2)))


def _divergence(tpr, fpr, p, n):
    """D(Pr(t|c) ‖ Pr(t)) of presence and absence, over its largest value, -ln p (Kullback and Leibler 1951)."""
    from scipy.special import rel_entr

    holding = p * tpr + (1 - p) * fpr
    tiny = np.finfo(float).tiny
    nats = rel_entr(tpr, np.maximum(holding, tiny)) + rel_entr(1 - tpr, np.maximum(1 - holding, tiny))
    return np.clip(cd.quotient(nats, -np.log(np.clip(p, tiny, 1))), 0, 1)


def _fisher(tpr, fpr, p, n):
    """F / (1 + F) of Fisher's criterion, F = (tpr - fpr)² / (p·tpr(1-tpr) + (1-p)·fpr(1-fpr)): how far the class lies
    from the others against the spread within both (Fisher 1936; Duda, Hart and Stork 2001, 3.8.2)."""
    between, within = (tpr - fpr) ** 2, p * tpr * (1 - tpr) + (1 - p) * fpr * (1 - fpr)
    return cd.quotient(between, between + within)


def _relevance(tpr, fpr, p, n):
    return cd.relevance_frequency(tpr, fpr, p, n) / np.log2(2 + np.maximum(n * p, 1))


def _phi(tpr, fpr, p, n):
    """Pearson's correlation of "holds t" and "is of c", ±√(χ²/N), in [-1, 1]."""
    return np.sign(tpr - fpr) * np.sqrt(cd.chi_square(tpr, fpr, p, n) / n)


INPUTS = {
    one.name: one
    for one in (
        Input("tpr", "tpr", "Pr(t|c)", lambda tpr, fpr, p, n: tpr),
        Input("fpr", "fpr", "Pr(t|c̄)", lambda tpr, fpr, p, n: fpr),
        Input("log_tpr", "log tpr", "log(1 + 100 tpr) / log 101", lambda tpr, fpr, p, n: _log(tpr)),
        Input("log_fpr", "log fpr", "log(1 + 100 fpr) / log 101", lambda tpr, fpr, p, n: _log(fpr)),
        Input("prevalence", "prevalence", "Pr(c), the same for all terms of a class", lambda tpr, fpr, p, n: p),
        Input("idf", "idf", "ln(N / n_t) / ln N", _idf),
        Input("kl", "KL divergence", "D(Pr(t|c) ‖ Pr(t)) / -ln Pr(c)", _divergence),
        Input("fisher", "Fisher’s criterion", "F / (1 + F), F = (tpr - fpr)² / spread within", _fisher),
        Input("rf", "RF", "log₂(2 + TP / max(1, FP)) / log₂(2 + N Pr(c))", _relevance),
        Input("phi", "correlation φ", "±√(χ² / N)", _phi),
    )
}


def input_names(given: str | Iterable[str]) -> tuple[str, ...]:
    """Names of inputs, from a text with commas or a list.

    Raises
    ------
    ValueError
        There is none, one twice, or one that is not known.
    """
    names = tuple(part.strip() for part in given.split(",")) if isinstance(given, str) else tuple(given)
    wrong = [name for name in names if name not in INPUTS]
    if wrong or not names or len(set(names)) < len(names):
        what = f"not {said(wrong[0])}" if wrong else "one or more, each once"
        raise ValueError(f"inputs must be of {', '.join(INPUTS)}: {what}")
    return names


@dataclass(frozen=True)
class Seen:
    """What a local network sees of a term with some (tpr, fpr).

    Attributes
    ----------
    inputs : tuple of str
        Of ``INPUTS``.
    coordinates : str
        Of ``COORDINATES``: in which it sees the paper's two.
    prevalence, n_documents : float
        Of the class whose terms they are.
    """

    inputs: tuple[str, ...] = PAPER
    coordinates: str = "linear"
    prevalence: float = 0.5
    n_documents: float = 2

    def of(self, tpr, fpr) -> tuple[np.ndarray, ...]:
        """An array an input, of the shape of tpr and fpr broadcast."""
        if self.inputs == PAPER:
            forward = COORDINATES[self.coordinates].forward
            return forward(tpr), forward(fpr)
        tpr, fpr, p, n = cd.arguments(tpr, fpr, self.prevalence, self.n_documents)
        return tuple(np.asarray(INPUTS[name].compute(tpr, fpr, p, n), dtype=float) for name in self.inputs)

    def at(self, prevalence, n_documents) -> "Seen":
        """The same for a class of such a prevalence and so many documents."""
        return replace(self, prevalence=prevalence, n_documents=n_documents)


AS_IN_THE_PAPER = Seen()

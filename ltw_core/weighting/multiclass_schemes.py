"""Weights of terms made for several classes, as pure functions of the class × term table of document counts.

n_j are the documents of class j, n_tj those of them that hold term t, n_t all that hold it, N all. Each function takes
a ``ClassTable`` and returns finite weights ≥ 0 without a warning: one a term, or, where a formula looks at one class
as well, one a class and term, which a global policy then makes one (``GlobalWeighting``). Formulas of one class against
all others are in ``cd``.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from ltw_core.tasks.class_table import ClassTable
from ltw_core.weighting import cd
from ltw_core.weighting.function import Function

IGM_LAMBDA = 7.0
SQUARE_ROOT = Function(
    name="sqrt",
    compute=lambda frequency, length=None, mean_length=None: np.sqrt(np.asarray(frequency, dtype=np.float64)),
    formula="√f",
    latex=r"\sqrt{f_{td}}",
    source="Chen et al. (2016).",
    note="It lies between f and its logarithm.",
)


def inverse_gravity_moment(table: ClassTable, weight: float = IGM_LAMBDA) -> np.ndarray:
    """1 + λ·IGM with IGM = f₁ / Σ_r r·f_r, where f_r are the n_tj of a term in falling order.

    In [1 + 2λ/(m(m + 1)), 1 + λ] for m classes: λ + 1 for a term of one class only, least for one spread evenly.

    Parameters
    ----------
    table : ClassTable
    weight : float ≥ 0
        λ; its authors take 5 to 9, and 7 by default.

    Returns
    -------
    ndarray of float64, shape (terms,)

    References
    ----------
    Chen, Zhang, Long and Zhang (2016), *Turning from TF-IDF to TF-IGM for term weighting in text classification*,
    Expert Systems with Applications 66. f_r is their document frequency in a class.
    """
    falling = -np.sort(-table.held.astype(np.float64), axis=0)
    ranks = np.arange(1, len(falling) + 1)
    even = 2.0 / (len(falling) * (len(falling) + 1)) if len(falling) else 0.0
    moment = ranks @ falling
    first = falling[0] if len(falling) else moment
    return 1 + weight * np.where(moment > 0, first / np.maximum(moment, 1), even)


def balanced_distributional_concentration(table: ClassTable) -> np.ndarray:
    """1 - H(q_t) / ln m with q_tj = p(t|j) / Σ_j p(t|j) over m classes; in [0, 1].

    p(t|j) = n_tj / n_j is estimated by documents (the authors count occurrences). Dividing by a class's size first is
    what makes it balanced. 0 for a term spread evenly, 1 for a term of one class; with a single class it is 1.

    Returns
    -------
    ndarray of float64, shape (terms,)

    References
    ----------
    Wang, Cai, Leung, Cai and Min (2015), *Entropy-based term weighting schemes for text categorization in VSM*, ICTAI.
    """
    rates = table.tpr
    total = rates.sum(axis=0)
    shares = rates / np.where(total > 0, total, 1.0)
    if len(rates) < 2:
        return np.ones(rates.shape[1])
    entropy = -xlogy(shares, shares).sum(axis=0) / np.log(len(rates))
    return np.where(total > 0, np.clip(1 - entropy, 0, 1), 0.0)


def distinguishing_feature_selector(table: ClassTable) -> np.ndarray:
    """Σ_j Pr(j|t) / (Pr(t̄|j) + Pr(t|j̄) + 1), between ½ and 1 where each document has one class.

    Pr(j|t) = n_tj / n_t, Pr(t̄|j) = 1 - n_tj / n_j, and Pr(t|j̄) is the share of the documents outside of j that hold t.
    A term of many documents that have several classes may exceed 1; one that no document holds has 0.

    Returns
    -------
    ndarray of float64, shape (terms,)

    References
    ----------
    Uysal and Gunal (2012), *A novel probabilistic feature selection method for text classification*, Knowledge-Based
    Systems 36.
    """
    of_class = table.held / np.maximum(table.document_frequency, 1)
    return (of_class / (2 - table.tpr + table.fpr)).sum(axis=0)


def inverse_class_frequency(table: ClassTable) -> np.ndarray:
    """ln(1 + m / m_t), where m_t of the m classes have a document that holds the term; in [ln 2, ln(1 + m)].

    A term of no class is taken as one of a single class.

    Returns
    -------
    ndarray of float64, shape (terms,)

    References
    ----------
    Wang and Zhang (2013), *Inverse-category-frequency based supervised term weighting schemes for text categorization*,
    Journal of Information Science and Engineering 29.
    """
    return np.log1p(len(table.held) / np.maximum((table.held > 0).sum(axis=0), 1))


def icf_relevance_frequency(table: ClassTable) -> np.ndarray:
    """ICF · RF: inverse class frequency times the relevance frequency of each class.

    Returns
    -------
    ndarray of float64, shape (classes, terms)

    References
    ----------
    The two factors of ``inverse_class_frequency`` and ``cd.relevance_frequency`` multiplied; Wang and Zhang (2013) put
    them into one logarithm instead, log₂(2 + TP / max(1, FP) · m / m_t).
    """
    return inverse_class_frequency(table) * by_class(cd.relevance_frequency, table)


def by_class(function: Callable, table: ClassTable) -> np.ndarray:
    """A cd function for each class against all others, shape (classes, terms)."""
    weights = function(table.tpr, table.fpr, table.prevalence[:, None], table.n_documents)
    return np.broadcast_to(np.asarray(weights, dtype=np.float64), table.held.shape)


@dataclass(frozen=True)
class Scheme:
    """A weighting made for several classes.

    Attributes
    ----------
    name : str
    compute : callable
        ``f(table)``: weights, shape (terms,), or (classes, terms) with ``each_class``.
    dd : str or Function
        Document-dependent factor that it is published with; a key of ``DD``.
    description, formula, source : str
    each_class : bool
        Whether it gives each class a weight, so that a policy is needed.
    """

    name: str
    compute: Callable
    dd: str | Function
    description: str
    formula: str
    source: str
    each_class: bool = False


_IGM = "1 + λ · f₁ / Σᵣ r·fᵣ, f the documents of each class that hold t, falling; λ = 7"
_BDC = "1 + Σⱼ qⱼ ln qⱼ / ln |C|, qⱼ ∝ Pr(t|cⱼ)"
_ICF = "ln(1 + |C| / classes that hold t)"
SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        Scheme(
            "TFIGM",
            inverse_gravity_moment,
            "raw",
            "Occurrences times how much a term keeps to few classes.",
            _IGM,
            "Chen et al. (2016)",
        ),
        Scheme(
            "RTFIGM",
            inverse_gravity_moment,
            SQUARE_ROOT,
            "Square root of occurrences times how much a term keeps to few classes.",
            _IGM,
            "Chen et al. (2016)",
        ),
        Scheme(
            "LogTF-BDC",
            balanced_distributional_concentration,
            "1+log",
            "Log of occurrences times one minus the entropy of a term over the classes, whatever their sizes.",
            _BDC,
            "Wang et al. (2015)",
        ),
        Scheme(
            "LogTF-DFS",
            distinguishing_feature_selector,
            "1+log",
            "Log of occurrences times how well a term distinguishes classes, in a narrow range.",
            "Σⱼ Pr(cⱼ|t) / (1 + Pr(t̄|cⱼ) + Pr(t|c̄ⱼ))",
            "Uysal and Gunal (2012)",
        ),
        Scheme(
            "TFICF",
            inverse_class_frequency,
            "raw",
            "Occurrences times in how few classes a term occurs at all.",
            _ICF,
            "Wang and Zhang (2013)",
        ),
        Scheme(
            "LogTF-ICF",
            inverse_class_frequency,
            "1+log",
            "Log of occurrences times in how few classes a term occurs at all.",
            _ICF,
            "Wang and Zhang (2013)",
        ),
        Scheme(
            "LogTF-ICFRF",
            icf_relevance_frequency,
            "1+log",
            "Log of occurrences times inverse class frequency times relevance frequency.",
            f"{_ICF} · log₂(2 + TP / max(1, FP))",
            "Wang and Zhang (2013), as a product",
            each_class=True,
        ),
    )
}
"""Weightings for several classes by name, all at unit length; a new one is a function above and a row here."""

"""A weighting of a class's terms in canonical form: what figures draw and comparisons compare."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ltw_core.tasks import TermStatistics
from ltw_core.weighting.canonical import canonical

Surface = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (tpr, fpr) → weights, arrays of one shape


class CanonicalForm(NamedTuple):
    """Weights of the terms, shape (terms,), and the function behind them, None where there is none."""

    weights: np.ndarray
    surface: Surface | None


def canonical_form(
    weights, terms: TermStatistics, surface: Surface | None = None, *, magnitude: bool = False
) -> CanonicalForm:
    """Weights and surface multiplied with the factor of ``canonical``.

    Parameters
    ----------
    weights : array_like, shape (terms,)
        Raw, as learned.
    surface : callable, optional
        The same as a function of (tpr, fpr).
    magnitude : bool
        Take absolute values, where each term's sign is free on its own (LTW-G-I).
    """
    factor = canonical(weights, terms.tpr, terms.fpr, terms.document_frequency)
    found = np.asarray(weights, dtype=float) * factor
    scaled = None if surface is None else (lambda tpr, fpr: factor * np.asarray(surface(tpr, fpr), dtype=float))
    return CanonicalForm(np.abs(found) if magnitude else found, scaled)


def canonical_function(function: Callable, terms: TermStatistics) -> CanonicalForm:
    """A cd function ``f(tpr, fpr, p, N)`` at the class's prevalence and documents, in canonical form on its terms."""

    def raw(tpr: np.ndarray, fpr: np.ndarray) -> np.ndarray:
        value = np.asarray(function(tpr, fpr, terms.prevalence, terms.n_documents), dtype=float)
        return np.broadcast_to(value, np.broadcast_shapes(np.shape(tpr), np.shape(fpr)))

    return canonical_form(raw(terms.tpr, terms.fpr), terms, raw)

"""Whatever weighs terms, on the terms of a class: a name, a formula, a function, or a fitted weighting.

Leaves out weightings without a weight a term (Dense, CCA), and drawing (``figures``).
"""

from typing import NamedTuple

import numpy as np

from ltw_core.insight.canonical_form import CanonicalForm, canonical_form, canonical_function
from ltw_core.tasks import TermStatistics
from ltw_core.weighting import Composed, Function, cd_function, display
from ltw_core.weighting.learned.network import VARIANTS
from ltw_core.weighting.methods import METHODS

POINTS = "one weight a term: no surface"
ITS_TASK = "give the task that it was learned on"


class OnTerms(NamedTuple):
    """A weighting on a class's terms: what it is called, its weights and surface, and a few words on it."""

    name: str
    form: CanonicalForm
    note: str = ""


def on_terms(weighting, terms: TermStatistics, *, raw: bool = False) -> OnTerms:
    """A weighting on a class's terms, in canonical form.

    Parameters
    ----------
    weighting : str, Function, Composed or estimator
        The name of a cd ("CHI2") or of a weighting made with one ("TFCHI"), a formula, a ``TermWeighting``, fitted or
        not, or any fitted weighting with ``cd_``: learned on these terms.
    terms : TermStatistics
    raw : bool
        Leave values of a function as they are.

    Raises
    ------
    ValueError
        It has no weight a term, or weights of other terms.
    """
    if getattr(weighting, "variant", None) in VARIANTS:
        found = _learned(getattr(weighting, "weighting_", weighting), terms)  # of LTW-U what it is made of
        return found._replace(name=display(weighting.name))
    function = _function(weighting)
    if function is None:
        return OnTerms(called(weighting), canonical_form(_weights(weighting, terms), terms), POINTS)
    if not raw:
        return OnTerms(function.symbol, canonical_function(function, terms))

    def surface(tpr, fpr):
        return function.at_rates(tpr, fpr, terms.prevalence, terms.n_documents)

    return OnTerms(function.symbol, CanonicalForm(surface(terms.tpr, terms.fpr), surface))


def called(weighting) -> str:
    """What to call an object in a sentence: its name, or its class."""
    return getattr(weighting, "name", None) or type(weighting).__name__


def _learned(weighting, terms: TermStatistics) -> OnTerms:
    weights, variant = _weights(weighting, terms), VARIANTS[weighting.variant]
    if not np.allclose(weighting.tpr_, terms.tpr, atol=1e-6) or not np.allclose(weighting.fpr_, terms.fpr, atol=1e-6):
        raise ValueError(f"this {called(weighting)} was learned on other documents or another class; {ITS_TASK}")
    surface = weighting.surface if variant.has_surface else None
    form = canonical_form(weights, terms, surface, magnitude=variant.free_signs)
    note = "learned, and its dd too" if variant.learned_dd else "learned"
    if weighting.is_mean:
        note = f"mean of {weighting.n_members}" + (f" and {weighting.mixed}" if weighting.mixed else "")
        note += f", spread {_spread(weighting):.0%}" if weighting.n_members > 1 else ""
    return OnTerms(display(weighting.name), form, note if variant.has_surface else POINTS)


def _spread(weighting) -> float:
    """How far a mean's members lie about it: root mean square over terms, by document frequency, over that of cd."""
    frequency = weighting.document_frequency_
    size = frequency @ weighting.cd_**2
    return float(np.sqrt(frequency @ weighting.cd_spread_**2 / size)) if size > 0 else 0.0


def _function(weighting) -> Function | None:
    """The cd function that something stands for; None for what has none."""
    from ltw_core.weighting import TermWeighting  # imports scikit-learn

    if isinstance(weighting, Composed):
        return weighting.function
    if isinstance(weighting, str) and weighting in METHODS:
        cd = METHODS[weighting].cd
        if cd is None:
            raise ValueError(f"{weighting} is no formula, but is learned: fit it, and give what was fitted")
        return cd_function(cd)
    if isinstance(weighting, str | Function):
        return cd_function(weighting)
    return weighting.factors()[1] if isinstance(weighting, TermWeighting) else None


def _weights(weighting, terms: TermStatistics) -> np.ndarray:
    weights = getattr(weighting, "cd_", None)
    if weights is None:
        raise ValueError(
            f"{called(weighting)} has no weight a term (cd_): give a weighting that is fitted and has one, or a cd by "
            "its name or formula, such as 'CHI2', 'TFRF' or 'tpr - fpr'"
        )
    if np.shape(weights) != (len(terms),):
        here = f"{np.size(weights):,} terms, and the task has {len(terms):,}"
        raise ValueError(f"this {called(weighting)} weighs {here}; {ITS_TASK}")
    return np.asarray(weights)

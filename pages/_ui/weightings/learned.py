"""A learned weighting as the figures want it: terms, weights and surface in canonical form, and where it is from.

One shape for what was learned in this session, what ships with the project, and a file that a reader brought.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from ltw_core.figures import Grid, SurfacePanel
from ltw_core.insight import canonical, canonical_weights
from ltw_core.tasks import TermStatistics
from ltw_core.weighting import display
from ltw_core.weighting.learned.network import VARIANTS
from pages._ui import choices
from pages._ui.weightings.reference import SHIPPED, Reference
from pages._ui.words import f1, percent

Surface = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Learned:
    """A learned weighting of one class.

    Attributes
    ----------
    key : names the content, for caches and for the node of a figure.
    variant : "LTW-L-I", …
    title : class and corpus, for headings.
    terms : the class's terms with counts and rates.
    p, n : prevalence and number of training documents.
    cd : weights in canonical form (magnitudes for LTW-G-I), shape (terms,).
    factor : what the raw weights were multiplied with.
    surface : canonical weight at (tpr, fpr), None for global variants.
    provenance : a sentence: computed now or shipped, with seed, dataset and settings.
    weighting : the fitted estimator, None while it is being learned.
    dataset, class_name : where it was learned, as the catalogue and the corpus name it.
    source : what it is in lists of weightings: "run:…" or "shipped:…".
    ratio : share of the terms that were kept before anything was learned.
    parameters : those of the estimator as far as they are known before it is fitted.
    """

    key: str
    variant: str
    title: str
    terms: TermStatistics
    p: float
    n: int
    cd: np.ndarray
    factor: float
    surface: Surface | None
    provenance: str
    weighting: Any = None
    dataset: str = ""
    class_name: str = ""
    source: str = ""
    ratio: float = 0.1
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        return display(self.variant)

    def panel(self, grid: Grid, subtitle: str = "") -> SurfacePanel:
        z = None if self.surface is None else self.surface(grid.tpr, grid.fpr)
        return SurfacePanel(self.label, z, self.cd, subtitle)


def in_canonical_form(variant: str, cd: np.ndarray, terms: TermStatistics, surface: Surface | None) -> tuple:
    """Weights, factor and surface in canonical sign and scale."""
    factor = canonical(cd, terms.tpr, terms.fpr, terms.document_frequency)
    weights = canonical_weights(
        cd, terms.tpr, terms.fpr, terms.document_frequency, magnitude=VARIANTS[variant].free_signs
    )
    scaled = None if surface is None else (lambda tpr, fpr: factor * np.asarray(surface(tpr, fpr), dtype=float))
    return weights, factor, scaled


def is_local(variant: str) -> bool:
    """Whether a variant is one function of (tpr, fpr) for all terms."""
    return not variant.startswith("LTW-G")


@lru_cache(maxsize=16)
def shipped(name: str) -> Learned:
    """A learned weighting that ships with the project."""
    from ltw_core.studies.examples import load_example

    example = load_example(name)
    info, fitted = example.info, example.weighting
    terms = TermStatistics.of_rates(example.terms, fitted.tpr_, fitted.fpr_, info.prevalence, info.n_documents)
    surface = fitted.surface if is_local(info.variant) else None
    cd, factor, surface = in_canonical_form(info.variant, fitted.cd_, terms, surface)
    return Learned(
        key=f"shipped-{name}",
        variant=info.variant,
        title=f"{info.class_title} in {info.corpus_title}",
        terms=terms,
        p=info.prevalence,
        n=info.n_documents,
        cd=cd,
        factor=factor,
        surface=surface,
        provenance=f"Shipped with LTW Lab, learned on {info.made}: {display(info.variant)} for {info.class_title} in "
        f"{info.corpus_title}, seed {info.seed}, {info.steps:,} steps in {info.seconds:.0f} s, {info.n_terms:,} terms "
        f"of {info.n_documents:,} documents, Pr(c) = {percent(info.prevalence)}; validation F1 "
        f"{f1(info.validation_f1)}, test F1 {f1(info.test_f1)} with {info.learner}.",
        weighting=fitted,
        dataset=info.corpus,
        class_name=info.class_name,
        source=str(Reference(SHIPPED, name)),
    )


def known_function(name: str, learned: Learned) -> tuple[np.ndarray, Surface]:
    """A known function for the same class in canonical form: its weights of the terms, and the function itself."""
    function, terms = known(name), learned.terms

    def raw(tpr: np.ndarray, fpr: np.ndarray) -> np.ndarray:
        value = np.asarray(function(tpr, fpr, learned.p, learned.n), dtype=float)
        return np.broadcast_to(value, np.broadcast_shapes(np.shape(tpr), np.shape(fpr)))

    weights = raw(terms.tpr, terms.fpr)
    factor = canonical(weights, terms.tpr, terms.fpr, terms.document_frequency)
    return factor * weights, lambda tpr, fpr: factor * raw(tpr, fpr)


def known_weights(learned: Learned, names: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Weights of the same terms under known functions, in canonical form, by symbol."""
    return {symbol(name): known_function(name, learned)[0] for name in names}


def known_panel(name: str, learned: Learned, grid: Grid, subtitle: str = "") -> SurfacePanel:
    """A known function over the same terms, brought to canonical scale on them."""
    weights, surface = known_function(name, learned)
    return SurfacePanel(symbol(name), surface(grid.tpr, grid.fpr), weights, subtitle)


def known(name: str) -> Any:
    return choices.function(name)


def symbol(name: str) -> str:
    """How a known function is written: χ², IG, RF."""
    return choices.symbol(name)

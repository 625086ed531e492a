"""A learned weighting as the figures want it: terms, weights and surface in canonical form, and where it is from.

One shape for what was learned in this session, what ships with the project, and a file that a reader brought.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from ltw_core.figures import Grid, SurfacePanel
from ltw_core.insight import CanonicalForm, Surface, canonical_form
from ltw_core.insight.likeness import DD_OF_FORMULAS, DD_OF_LEARNED
from ltw_core.tasks import TermStatistics
from ltw_core.weighting import display
from ltw_core.weighting.learned.network import VARIANTS
from pages._ui.weightings.reference import SHIPPED, Reference
from pages._ui.words import f1, percent


@dataclass(frozen=True, eq=False)
class Learned:
    """A learned weighting of one class.

    Attributes
    ----------
    key : names the content, for caches and for the node of a figure.
    variant : "LTW-L-I", …; the symbol of a formula that stands in its place
    title : class and corpus, for headings.
    terms : the class's terms with counts and rates.
    form : its weights and surface in canonical form: magnitudes for LTW-G-I, no surface for global variants.
    provenance : a sentence: computed now or shipped, with seed, dataset and settings.
    weighting : the fitted estimator, None while it is being learned.
    dataset, class_name : where it was learned, as the catalogue and the corpus name it.
    source : what it is in lists of weightings: "run:…" or "shipped:…".
    ratio : share of the terms that were kept before anything was learned.
    parameters : those of the estimator as far as they are known before it is fitted.
    is_formula : whether a formula stands in its place, of which nothing was learned.
    untrained : whether its weights are the random ones before the first step.
    step : the one whose weights it has.
    """

    key: str
    variant: str
    title: str
    terms: TermStatistics
    form: CanonicalForm
    provenance: str
    weighting: Any = None
    dataset: str = ""
    class_name: str = ""
    source: str = ""
    ratio: float = 0.1
    parameters: dict[str, Any] = field(default_factory=dict)
    is_formula: bool = False
    untrained: bool = False
    step: int = 0

    @property
    def label(self) -> str:
        return self.variant if self.is_formula else display(self.variant)

    @property
    def dd(self) -> str:
        """What an occurrence counts where documents are compared under it."""
        return DD_OF_FORMULAS if self.is_formula else DD_OF_LEARNED

    @property
    def cd(self) -> np.ndarray:
        return self.form.weights

    @property
    def best_step(self) -> int | None:
        """The step that was kept, None while it is being learned."""
        return getattr(self.weighting, "best_step_", None)

    @property
    def surface(self) -> Surface | None:
        return self.form.surface

    def panel(self, grid: Grid, subtitle: str = "") -> SurfacePanel:
        return SurfacePanel.of(self.label, self.form, grid, subtitle)


def learned_form(variant: str, cd: np.ndarray, terms: TermStatistics, surface: Surface | None) -> CanonicalForm:
    """What a variant learned, in canonical form; without the surface where it is no function of (tpr, fpr)."""
    kind = VARIANTS[variant]
    return canonical_form(cd, terms, surface if kind.has_surface else None, magnitude=kind.free_signs)


@lru_cache(maxsize=16)
def shipped(name: str) -> Learned:
    """A learned weighting that ships with the project."""
    from ltw_core.studies.examples import load_example

    example = load_example(name)
    info, fitted = example.info, example.weighting
    terms = TermStatistics.of_rates(example.terms, fitted.tpr_, fitted.fpr_, info.prevalence, info.n_documents)
    return Learned(
        key=f"shipped-{name}",
        variant=info.variant,
        title=f"{info.class_title} in {info.corpus_title}",
        terms=terms,
        form=learned_form(info.variant, fitted.cd_, terms, fitted.surface),
        provenance=f"Shipped with LTW Lab, learned on {info.made}: {display(info.variant)} for {info.class_title} in "
        f"{info.corpus_title}, seed {info.seed}, {info.steps:,} steps in {info.seconds:.0f} s, {info.n_terms:,} terms "
        f"of {info.n_documents:,} documents, Pr(c) = {percent(info.prevalence)}; validation F1 "
        f"{f1(info.validation_f1)}, test F1 {f1(info.test_f1)} with {info.learner}.",
        weighting=fitted,
        dataset=info.corpus,
        class_name=info.class_name,
        source=str(Reference(SHIPPED, name)),
    )

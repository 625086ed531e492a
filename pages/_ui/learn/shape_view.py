"""What the shapes page looks at: one learned weighting, the functions to compare it with, the region and its grid."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.figures import Grid, PlaneView, term_grid
from ltw_core.insight import CanonicalForm, Surface, canonical_function
from pages._ui import choices, loading, words
from pages._ui.weightings.learned import Learned


@dataclass(frozen=True, eq=False)
class View:
    """The choices above the tabs, and what follows from them.

    ``names`` are functions of ``choices.cd_names`` to compare it with, ``chosen`` the selected terms that it has.
    """

    learned: Learned
    names: tuple[str, ...]
    chosen: tuple[str, ...]
    scale: str
    region: str
    faded: bool
    heights: str = "auto"  # see ``figures.surfaces``

    @cached_property
    def grid(self) -> Grid:
        return self.grid_of(48)

    def grid_of(self, size: int, region: str | None = None) -> Grid:
        return term_grid(self.learned.terms, region=region or self.region, scale=self.scale, size=size)

    @cached_property
    def formulas(self) -> dict[str, CanonicalForm]:
        """The formulas to compare it with, in canonical form on its terms, by symbol."""
        return self._forms(self.names)

    @cached_property
    def every_formula(self) -> dict[str, CanonicalForm]:
        """The same of all that there are to compare it with."""
        return self._forms(choices.cd_names())

    def _forms(self, names: Iterable[str]) -> dict[str, CanonicalForm]:
        return {choices.symbol(name): canonical_function(choices.function(name), self.learned.terms) for name in names}

    @cached_property
    def weights(self) -> dict[str, np.ndarray]:
        """Weights of all terms: the learned ones first, then those of the formulas."""
        return {self.learned.label: self.learned.cd} | {name: form.weights for name, form in self.formulas.items()}

    @cached_property
    def surfaces(self) -> dict[str, Surface]:
        """Every function that there is, the learned one first if it has a surface."""
        own = {} if self.learned.surface is None else {self.learned.label: self.learned.surface}
        return own | {name: form.surface for name, form in self.formulas.items()}

    def shown(self, **changes: Any) -> PlaneView:
        """How its figures over the plane are shown."""
        learned = self.learned
        view = PlaneView(learned.terms.prevalence, learned.title, words.base(), faded=self.faded, selected=self.chosen)
        return replace(view, hover=self.weights, **changes)

    def task(self) -> Any:
        """The class's documents, if its corpus is open in this app and has the same terms; else None."""
        dataset, name = self.learned.dataset, self.learned.class_name
        if not loading.ready(dataset) or name not in loading.positives(dataset):
            return None
        task = loading.task(dataset, name, self.learned.ratio)
        same = len(task.terms) == len(self.learned.terms) and bool((task.terms == self.learned.terms.terms).all())
        return task if same else None


def no_surface(learned: Learned) -> None:
    """Say that a global variant has none."""
    st.info(
        f"{learned.label} has no surface: each term has a weight of its own, so there is no function of (tpr, fpr) to "
        "look at here. The formulas are shown alone.",
        icon=":material/scatter_plot:",
    )

"""What the stage shows: one learned weighting, what is put beside it, the region and its grid."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import CANONICAL, Grid, PlaneView, SurfacePanel, term_grid
from ltw_core.figures.heights import common_heights
from ltw_core.insight import CanonicalForm, Surface, canonical_form, canonical_function
from ltw_core.tasks import TermStatistics
from pages._ui import choices, loading, words
from pages._ui.downloads import offer_table
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.reference import RUN, SHIPPED, Reference
from pages._ui.workbench import on_stage

NONE = (0.0, 0.0)  # limits of an axis that are none
AXIS = "_heights"  # the session's key of the axis of a training run, and what it is of


@dataclass(frozen=True, eq=False)
class View:
    """The choices above the tabs, and what follows from them.

    ``names`` are what is put beside it: functions of ``choices.cd_names``, and learned weightings ("run:…",
    "shipped:…"). ``chosen`` are the selected terms that it has, ``ghost`` has a surface that it is to be compared with.
    """

    learned: Learned
    names: tuple[str, ...]
    chosen: tuple[str, ...]
    scale: str
    region: str
    faded: bool
    heights: str = "auto"  # see ``figures.surfaces``
    ghost: Learned | None = None
    at_least: tuple[float, float] = NONE  # what the axis of heights, and so the colours, run over in any case
    height: int | None = None  # pixels, of a surface that is low and so has fewer points; None: the stage's own
    exports: Any = None  # see ``stage.Picture``

    @property
    def p(self) -> float:
        """The prevalence that surfaces are drawn at."""
        return self.learned.terms.prevalence

    @cached_property
    def grid(self) -> Grid:
        return self.grid_of(48)

    def grid_of(self, size: int) -> Grid:
        return term_grid(self.learned.terms, region=self.region, scale=self.scale, size=size)

    @cached_property
    def formulas(self) -> dict[str, CanonicalForm]:
        """The formulas to compare it with, in canonical form on its terms, by symbol."""
        return self._forms(self.names)

    @cached_property
    def every_formula(self) -> dict[str, CanonicalForm]:
        """The same of all that there are to compare it with."""
        return self._forms(choices.cd_names())

    def _forms(self, names: Iterable[str]) -> dict[str, CanonicalForm]:
        found = {}
        for name in names:
            if Reference.parse(name).kind in (RUN, SHIPPED):
                other, _ = on_stage.learned_now(name)
                if other is not None and (form := _on_terms(other, self.learned.terms)) is not None:
                    found[_apart(other, found)] = form
            else:
                found[choices.symbol(name)] = canonical_function(choices.function(name), self.learned.terms)
        return found

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
        view = PlaneView(self.p, learned.title, words.base(), faded=self.faded, selected=self.chosen)
        return replace(view, hover=self.weights, unit=CANONICAL, at_least=self.at_least, **changes)

    def offer_table(self, label: str, name: str, frame: pd.DataFrame, about: str) -> None:
        """A view's own numbers as a file, beside what else can be kept of what is shown."""
        if self.exports is None:
            offer_table(label, name, frame, about)
        else:
            with self.exports:
                offer_table(label, name, frame, about)

    def task(self) -> Any:
        """The class's documents, if its corpus is open in this app and has the same terms; else None."""
        dataset, name = self.learned.dataset, self.learned.class_name
        if not loading.ready(dataset) or name not in loading.positives(dataset):
            return None
        task = loading.task(dataset, name, self.learned.ratio)
        own = self.learned.terms.terms
        return task if own is task.terms or np.array_equal(own, task.terms) else None


def with_axis_kept(view: View) -> View:
    """With the axis that a training run has come to, which only grows while it goes on, from that of the surface before
    its first step: else the surface would seem to change when only the axis did. At its end the surface comes to its
    own axis, once, as everywhere else."""
    of, at_least = st.session_state.get(AXIS, (None, NONE))
    return replace(view, at_least=at_least if of == _drawn(view) else _before(view))


def keep_axis(view: View, limits: tuple[float, float]) -> None:
    """The axis with which what is learned has been drawn last."""
    st.session_state[AXIS] = _drawn(view), limits


def _before(view: View) -> tuple[float, float]:
    """The axis of the surface before the first step, beside the same formulas."""
    if view.ghost is None:
        return NONE
    grid = view.grid
    panels = [view.ghost.panel(grid), *(SurfacePanel.of(name, form, grid) for name, form in view.formulas.items())]
    common = common_heights(panels, grid, view.learned.terms, view.shown(heights=view.heights))
    return common.low, common.high


def _drawn(view: View) -> tuple:
    return view.learned.source, view.names, view.scale, view.region, view.heights


def _on_terms(other: Learned, terms: TermStatistics) -> CanonicalForm | None:
    """Another learned weighting on these terms: its own weights where they are the same, else its surface's."""
    if other.terms is terms or np.array_equal(other.terms.terms, terms.terms):
        return other.form
    return None if other.surface is None else canonical_form(other.surface(terms.tpr, terms.fpr), terms, other.surface)


def _apart(other: Learned, taken: Iterable[str]) -> str:
    """What it is called beside others: by method and seed, or by where it is from."""
    seed = getattr(other.weighting, "random_state", None) if other.weighting is not None else None
    name = f"{other.label} · seed {other.parameters.get('random_state', 0 if seed is None else seed)}"
    name += " · example" if Reference.parse(other.source).kind == SHIPPED else ""
    return next(label for label in (name, *(f"{name} ({k})" for k in range(2, 99))) if label not in taken)


def no_surface(learned: Learned) -> None:
    """Say that a global variant has none."""
    st.info(
        f"{learned.label} has no surface: each term has a weight of its own, so there is no function of (tpr, fpr) to "
        "look at here. The formulas are shown alone.",
        icon=":material/scatter_plot:",
    )

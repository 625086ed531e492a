"""The figures of one training run, while it goes on and after: the surface, the curves, and the strongest terms."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from ltw_core import figures
from ltw_core.figures import PlaneView, SurfacePanel, html, term_grid
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.weighting.learned import VARIANTS, Untrained
from pages._ui import choices, words
from pages._ui.learn.training_controls import settings_of
from pages._ui.plots import cached_figures
from pages._ui.plots.plot import Ready, plot
from pages._ui.reader import selection
from pages._ui.training import run_words
from pages._ui.training.run import Run
from pages._ui.weightings.learned import Learned, learned_form

SINCE = '   <span style="font-size:12px">▲▼ ranks since step {:,}</span>'


def training_figures(run: Run | None, task: Any, parameters: dict[str, Any]) -> None:
    """Surface, curves and strongest terms of a training run; before one, of the network before its first step."""
    left, right = st.columns([3, 2])
    with right:  # first: its point is drawn while the surface is computed
        _curves(run, parameters["variant"])
    learned = run.learned() if run is not None else None
    with left:
        _shape(run, learned, task, parameters)
    with right:
        _strongest(run, learned)


def _figure(often: bool, kind: str) -> Callable[..., PlainFigure | Ready]:
    """What makes a figure: one that changes twice a second is never asked for again, and is not worth caching."""
    return getattr(figures, kind).plain if often else getattr(cached_figures, kind)


def _shape(run: Run | None, learned: Learned | None, task: Any, parameters: dict[str, Any]) -> None:
    often = run is not None and run.active
    shown = learned or untrained(task, run.parameters if run is not None else parameters)
    if shown is None:
        _map(task)
        return
    terms = shown.terms
    grid = term_grid(terms, region="terms", scale="log", size=40)
    view = PlaneView(terms.prevalence, base=words.base(), selected=selection.terms(), hover={shown.label: shown.cd})
    view = replace(view, height=560, width=640, uirevision="live")  # another run keeps the camera, to be compared with
    panel = shown.panel(grid) if often else _panel(shown.key, shown, grid)
    figure = _figure(often, "surfaces")([panel], grid, terms, view)
    plot(figure, "live_surface", live=True, often=often)
    if shown.surface is None:
        st.caption("A global variant has no surface: each term's weight was learned on its own.")
    st.caption(run_words.where(run) if often else shown.provenance)
    if learned is not None and (warning := run_words.saturated(learned.weighting)):
        st.caption(warning)


@st.cache_resource(max_entries=64, show_spinner=False)
def _panel(key: str, _shown: Learned, _grid: Any) -> SurfacePanel:
    """The surface of what does not change any more: a network of a thousand units at 1,600 places."""
    return _shown.panel(_grid)


def untrained(task: Any, parameters: dict[str, Any]) -> Learned | None:
    """The network before its first step; None for a global variant, which has one random number a term."""
    if not VARIANTS[parameters["variant"]].local:
        return None
    settings = settings_of(parameters)
    key = (settings.variant, settings.hidden, settings.hidden_dd, settings.seed)
    return _untrained(task.fingerprint, key, task, settings)


@st.cache_resource(max_entries=64, show_spinner=False)
def _untrained(fingerprint: str, key: tuple, _task: Any, _settings: Any) -> Learned:
    task, variant, seed = _task, _settings.variant, _settings.seed
    first = Untrained(_settings, len(task.terms))
    terms = task.statistics
    return Learned(
        key="untrained-" + "-".join(map(str, (fingerprint, *key))),
        variant=variant,
        title=words.class_label(task),
        terms=terms,
        form=learned_form(variant, first.surface(terms.tpr, terms.fpr), terms, first.surface),
        provenance=f"Nothing learned yet: the random initial weights of seed {seed}.",
    )


def _map(task: Any) -> None:
    """What there is of a global variant before anything is learned: the terms, at their places, without weights."""
    grid = term_grid(task.statistics, region="terms", scale="log")
    view = PlaneView(task.prevalence, "Terms without a weight", words.base(), selected=selection.terms(), height=560)
    figure = cached_figures.term_map(task.statistics, grid, replace(view, uirevision=task.fingerprint))
    plot(figure, "live_surface", live=True)
    st.caption("A global variant begins with a random number for each term, and will have no surface.")


def _curves(run: Run | None, variant: str) -> None:
    often = run is not None and run.active
    place = st.container()
    options = choices.curve_axes()
    fitted = run.weighting if run is not None else None
    with place:
        figure = _figure(often, "training")(
            run.history if run is not None else [],
            best_step=fitted.best_step_ if fitted is not None else None,
            method=run.variant if run is not None else variant,
            base=words.base(),
            height=300,
            uirevision=run.token if run is not None else "none",
            **options,
        )
        plot(figure, "live_curves", live=True, often=often)


def _strongest(run: Run | None, learned: Learned | None) -> None:
    if learned is None:
        st.container(height=260, border=False)
        return
    before, often = _earlier(run), run.active
    figure = _figure(often, "top_terms")(
        learned.terms.terms,
        learned.cd,
        count=9,
        method=run.variant,
        title="Strongest terms" + (SINCE.format(before[0]) if before else ""),
        base=words.base(),
        selected=selection.terms(),
        before=before[1] if before else None,
        height=260,
        uirevision=run.token,
    )
    plot(figure, "live_terms", live=True, often=often)


def _earlier(run: Run) -> tuple[int, np.ndarray] | None:
    """An earlier step of a training and its weights, to say how terms have moved since: about half-way back.

    They stay raw: ranks are by magnitude, which the factor to canonical form does not change.
    """
    now = run.weighting.best_step_ if run.weighting is not None else run.latest.step
    past = [snapshot for snapshot in run.snapshots if 0 < snapshot.step <= now / 2]
    return (past[-1].step, past[-1].cd) if past else None


def surface_page(run: Run, base: str) -> str:
    """The surface as a page of HTML of its own."""
    learned = run.learned()
    terms = learned.terms
    grid = term_grid(terms, region="terms", scale="log")
    figure = figures.surfaces([learned.panel(grid)], grid, terms, PlaneView(terms.prevalence, learned.title, base))
    return html(figure, "ltw-surface")

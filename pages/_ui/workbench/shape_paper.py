"""The paper's figures, each one click away: drawn here from formulas, or from runs that ship with the project."""

from collections.abc import Callable
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import PlaneView, SurfacePanel, TrainingCurve, surface_grid
from ltw_core.insight import mean_curve, support
from ltw_core.metrics import listed
from ltw_core.studies.examples import PAPER, find_example
from ltw_core.studies.ten_runs import TrainingCourse, courses
from ltw_core.studies.ten_runs import shipped as shipped_runs
from ltw_core.weighting import CD, display, power
from pages._ui import choices, words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import offer_table
from pages._ui.guard import plain
from pages._ui.plots.cached_figures import contours, dd_curves, overlay, surfaces, training
from pages._ui.plots.plot import plot
from pages._ui.weightings.learned import Learned, shipped
from pages._ui.workbench.shape_variants import learned_and_known_dd
from pages._ui.workbench.texts import text

HEIGHTS = {"paper_3d": 440, "paper_2d": 440}  # pixels
P, N = 0.05, 10_000  # the paper's prevalence; N only scales χ², and RF by its counts


def show(row: Any) -> None:
    """Choose one, in the ``row`` above, and see."""
    titles = {key: title for key, (title, _) in FIGURES.items()}
    options = {"like": "paper_figure", "label_visibility": "collapsed"}
    chosen = choose_one("paper", titles, next(iter(titles)), row, **options)
    FIGURES[chosen][1]()


def _formulas(functions: dict[str, Any], title: str, caption: str) -> None:
    grid = surface_grid(region="square", scale="linear")
    panels = [SurfacePanel(name, np.asarray(f(grid.tpr, grid.fpr, P, N), float)) for name, f in functions.items()]
    _plots(panels, grid, PlaneView(P, title, faded=False))
    st.caption(f"{caption} Pr(c) = {P:.0%}, N = {N:,}; each is scaled to its largest value. Computed now.")


def _transforms() -> None:
    _formulas(
        {"IG": CD["IG"], "IG³": power("IG", 3), "∛IG": power("IG", 1 / 3)},
        "One ranking, three weightings",
        text("paper_transforms"),
    )


def _supervised() -> None:
    _formulas(
        {CD[name].symbol: CD[name] for name in choices.FORMULAS["paper"]},
        "Three supervised formulas",
        text("paper_supervised"),
    )


def _learned(variant: str) -> None:
    examples = _examples(variant)
    if not examples:
        return
    faded = control(st.toggle, "paper_fade")
    grid = surface_grid(region="square", scale="linear")
    panels = [_panel(learned, grid) for learned in examples]
    short = [replace(panel, subtitle=of.class_name) for panel, of in zip(panels, examples, strict=True)]
    _plots(panels, grid, PlaneView(title=f"{display(variant)} on one class of each corpus", faded=faded), short)
    prevalences = listed(words.percent(learned.terms.prevalence) for learned in examples)
    st.caption(
        f"{_in_common(variant, examples)} In canonical sign, each scaled to its largest value. Pr(c) = {prevalences}."
    )
    _provenance(examples)


def _in_common(variant: str, examples: list[Learned]) -> str:
    """What the surfaces have in common, in numbers of these runs."""
    if variant == "LTW-L-sigma":
        ratios = []
        for learned in examples:
            against = learned.terms.tpr < learned.terms.fpr
            ratios.append(f"{learned.cd[against].mean() / learned.cd[~against].mean():.2f}")
        return text("paper_sigmoid", ratios=", ".join(ratios))
    below = ", ".join(f"{(learned.cd < 0).mean():.0%}" for learned in examples)
    return text("paper_identity", below=below)


def _panel(learned: Learned, grid: Any) -> SurfacePanel:
    terms = learned.terms
    near = support(grid.x.forward(terms.fpr), grid.y.forward(terms.tpr), grid.grid_x, grid.grid_y, bandwidth=0.02)
    z = learned.surface(grid.tpr, grid.fpr)
    return SurfacePanel(learned.label, z, None, _short_title(learned), near)


def _convergence() -> None:
    def draw(learned: Learned) -> None:
        look = {"base": words.base(), "height": 340, "uirevision": learned.key}
        runs = _courses(learned)
        if not runs:
            fitted = learned.weighting
            figure = training(fitted.history_, best_step=fitted.best_step_, method=learned.variant, **look)
            plot(figure, f"paper_convergence_{learned.dataset}")
            st.caption(fitted.stop_reason_)
            return
        curves = [TrainingCurve(f"seed {run.seed}", tuple(map(tuple, run.history)), run.variant) for run in runs]
        plot(overlay(curves, mean=mean_curve([run.history for run in runs]), **look), f"paper_ten_{learned.dataset}")
        steps, best = [run.steps for run in runs], [run.best_f1 for run in runs]
        patient = sum(run.stop_code == "patience" for run in runs)
        st.caption(
            f"{len(runs)} seeds, the strong line their mean. Stopped after {min(steps):,} to {max(steps):,} steps "
            f"({fmean(steps):,.0f} on average), {patient} of them because 20 validations brought no better F1; "
            f"best validation F1 {words.f1(min(best))} to {words.f1(max(best))}; "
            f"{fmean(run.seconds for run in runs):.1f} s each."
        )

    _each_class("LTW-L-I", draw, f"{text('paper_convergence')} {text('paper_steps')}")
    _ten_runs("LTW-L-I")


def _courses(learned: Learned) -> list[TrainingCourse]:
    """The ten runs of the class that ship with the project; none where their file is missing."""
    try:
        return courses(learned.dataset, learned.class_name, learned.variant)
    except ValueError:
        return []


def _ten_runs(variant: str) -> None:
    """Where the ten runs come from, and all of them as a table."""
    runs = [run for learned in _examples(variant) for run in _courses(learned)]
    if not runs:
        return
    about, _ = shipped_runs()
    st.caption(
        f"The {len(runs)} runs: {display(variant)} with the paper’s settings, trained on {about['made']} on "
        f"{plain(about['hardware'])}; {plain(about['versions'])}. Made by `python -m ltw_core.studies.ten_runs`."
    )
    learned_dd = variant == "LTW-TF"
    columns = ("occurrences", "dd") if learned_dd else ("step", "loss", "validation F1")
    rows = [
        {"dataset": run.corpus, "class": run.class_name, "weighting": run.variant, "seed": run.seed}
        | dict(zip(columns, point, strict=True))
        for run in runs
        for point in (enumerate(run.dd) if learned_dd else run.history)
    ]
    offer_table("Runs (CSV)", f"{variant}-ten-runs.csv", pd.DataFrame(rows), "Every run, point by point.")


def _frequency() -> None:
    def draw(learned: Learned) -> None:
        counts, shown = learned_and_known_dd(learned, 20)
        runs = _courses(learned)
        if runs:
            seen = np.array([run.dd[: len(counts)] for run in runs], dtype=float)
            seen /= np.maximum(np.abs(seen).max(axis=1, keepdims=True), 1e-12)
            (own, _), *known = shown.items()
            shown = {f"{own}, mean": seen.mean(axis=0), "lowest": seen.min(axis=0), "highest": seen.max(axis=0)}
            shown |= dict(known)
        figure = dd_curves(counts, shown, title="", base=words.base(), height=340)
        plot(figure, f"paper_dd_{learned.dataset}")
        if runs:
            st.caption(
                f"{len(runs)} seeds, each scaled to its largest value: their mean, and the lowest and highest at each "
                f"number of occurrences. At 5 the values run from {seen[:, 5].min():.2f} to {seen[:, 5].max():.2f}."
            )

    _each_class(
        "LTW-TF",
        draw,
        text("paper_occurrences"),
    )
    _ten_runs("LTW-TF")


def _each_class(variant: str, draw: Callable[[Learned], None], caption: str) -> None:
    """What `draw` draws of the run on each class, one next to the other."""
    examples = _examples(variant)
    with st.container(key="paper_classes"):
        columns = st.columns(max(len(examples), 1), gap="medium")
    for column, learned in zip(columns, examples, strict=False):
        with column:
            st.markdown(f"**{_short_title(learned)}**")
            draw(learned)
    st.caption(caption)
    _provenance(examples)


def _short_title(learned: Learned) -> str:
    return learned.title.split(" (")[0]


def _examples(variant: str) -> list[Learned]:
    """The shipped runs of the paper's three classes."""
    found = [info for info in (find_example(*of, variant) for of in PAPER) if info is not None]
    if len(found) < len(PAPER):
        st.info("Some of the app’s examples are missing: restore the folder data/examples.", icon=":material/info:")
    return [shipped(info.name) for info in found]


def _plots(panels: list[SurfacePanel], grid: Any, view: PlaneView, short: list[SurfacePanel] | None = None) -> None:
    """Surfaces and maps; ``short``: the panels with what a narrow page has room for."""
    view = replace(view, base=words.base(), heights="peak", diagonal=True, uirevision=view.title)
    above = replace(view, title="From above")
    beside = st.container(key="paper_swiped")  # which a phone has side by side, to be swiped, and so have the classes
    for make, key, shown, small in (
        (surfaces, "paper_3d", view, {"columns": 1, "width": 380}),
        (contours, "paper_2d", above, {"columns": 1, "height": 100 + 250 * len(panels)}),
    ):
        layout = make.layout(short or panels, grid, None, replace(shown, **small))
        wide = replace(shown, width=1100, height=HEIGHTS[key])
        with beside:
            plot(make(panels, grid, None, wide), key, live=True, narrow=layout)


def _provenance(examples: list[Learned]) -> None:
    with st.expander("Where these runs come from"):
        for learned in examples:
            st.markdown(f"- {learned.provenance}")


FIGURES: dict[str, tuple[str, Callable[[], None]]] = {
    "transforms": ("IG, IG³, ∛IG", _transforms),
    "formulas": ("χ², GR, RF", _supervised),
    "sigma": ("LTW-L-σ", lambda: _learned("LTW-L-sigma")),
    "identity": ("LTW-L-I", lambda: _learned("LTW-L-I")),
    "convergence": ("Convergence", _convergence),
    "occurrences": ("LTW-TF’s occurrences", _frequency),
}

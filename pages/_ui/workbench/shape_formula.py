"""What it is like: alignment with each formula, what the most similar does not explain, how likeness grew, details."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import SurfacePanel
from ltw_core.figures.sentences import number
from ltw_core.insight import (
    EQUAL,
    Similarity,
    SimilarityOverSteps,
    difference,
    similarity,
    similarity_over_steps,
    target_alignments,
)
from ltw_core.metrics import decimals
from pages._ui import choices, words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import offer_table
from pages._ui.guard import plain
from pages._ui.plots.cached_figures import contours, curves_over_steps
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.result_cache import kept
from pages._ui.tables import table
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.snapshots import NONE, Snapshot, learned_at, snapshots_of
from pages._ui.workbench import likeness_view
from pages._ui.workbench.likeness_of import formula_grams, formula_weights, gram_of_weights, likeness_of, sample_of
from pages._ui.workbench.shape_view import View
from pages._ui.workbench.texts import text

FOLLOWED = 5  # functions whose similarity is followed
MEASURES = {"r2": "R²", "spearman": "Spearman"}
CLASS = "the class itself"


def show(view: View, row: Any) -> None:
    """How it is drawn is chosen in the ``row`` above."""
    learned, task = view.learned, view.task()
    known = {symbol: form.weights for symbol, form in view.every_formula.items() if symbol != learned.label}
    rows = similarity(learned.cd, known | {EQUAL: np.ones(len(learned.terms))}, learned.terms.document_frequency)
    rows.sort(key=lambda r: r.factor <= 0)  # what has the opposite sign is not alike, however well it fits
    found = None
    if task is None:
        st.info(
            "Likeness is measured on documents, and those of this class’s corpus are not open here: open it, with the "
            "same terms. Below, only the weights are compared.",
            icon=":material/description:",
        )
    else:
        with st.spinner("Comparing the documents…"):  # of a class for the first time a second or two
            found = likeness_of(view, task)
        likeness_view.show(view, found, row)
    if not learned.is_formula and (course := _folded("course", "Along the training run")).open:
        with course:
            _along(view, known, rows, task)
    order = [row.name for row in rows if row.name != EQUAL] if found is None else [n for n, *_ in found.read.formulas]
    if (left := _folded("residual", "What the formula does not explain")).open:
        with left:
            _residual(view, order)
    _details(view, rows)


def _folded(key: str, title: str) -> Any:
    """What is drawn, and computed, when it is opened."""
    return st.expander(title, key=f"likeness_{key}", on_change="rerun")


def _details(view: View, rows: list[Similarity]) -> None:
    """R² and rank correlation, with the constant function to compare with."""
    frame = pd.DataFrame(
        {
            "formula": ["constant" if r.name == EQUAL else r.name for r in rows],
            "fit": [r.r2 if r.factor > 0 else None for r in rows],
            "ranks": [r.spearman for r in rows],
        }
    )
    constant = next(r for r in rows if r.name == EQUAL)
    with st.expander("Details: weights compared term by term"):
        st.markdown(
            f"R² of the best proportional fit is mostly how constant a function is: a constant alone has "
            f"**{decimals(constant.r2 if constant.factor > 0 else 0, 2)}** here. {text('proportional')}"
        )
        table(frame, "resemblance", "Fit and rank correlation of the learned weights with each formula’s")
        about = "R² and Spearman correlation for each formula."
        offer_table("Fit and ranks (CSV)", "ltw-resemblance.csv", frame, about)


def _residual(view: View, names: list[str]) -> None:
    """What is left of the learned weights when the best multiple of a formula is subtracted."""
    learned, grid = view.learned, view.grid
    against = control(st.selectbox, f"residual-{learned.key}", names, like="residual", filter_mode="contains")
    weights, surface = view.every_formula[against]
    own = None if learned.surface is None else learned.surface(grid.tpr, grid.fpr)
    other = surface(grid.tpr, grid.fpr)
    frequency = learned.terms.document_frequency
    found = difference(np.zeros_like(other) if own is None else own, other, learned.cd, weights, frequency)
    panel = SurfacePanel(
        f"{learned.label} {'−' if found.factor >= 0 else '+'} {number(float(f'{abs(found.factor):.2g}'))} · {against}",
        None if own is None else found.surface,
        found.weights,
    )
    shown = view.shown(labels=14, height=520, uirevision=f"residual-{view.scale}-{view.region}")
    figure = contours([panel], grid, learned.terms, shown)
    narrow = contours.layout([panel], grid, learned.terms, replace(shown, columns=1))
    plot(figure, "shapes_residual", live=True, narrow=narrow, on_pick=selection.pick)
    order = np.argsort(-np.abs(found.weights) * np.sqrt(frequency), kind="stable")[:6]
    listed = ", ".join(f"“{plain(str(learned.terms.terms[k]))}” {found.weights[k]:+.2g}" for k in order)
    st.caption(text("residual", share=words.percent(found.share), label=plain(learned.label), listed=listed))


def _along(view: View, known: dict[str, np.ndarray], rows: list[Similarity], task: Any) -> None:
    """Likeness at every snapshot of the training run."""
    taken = snapshots_of(view.learned)
    if len(taken) < 2:
        st.caption(NONE)
        return
    measures = {"alignment": "Alignment"} if task is not None else {}
    key = "nearness" if task is not None else "nearness_of_weights"  # two options must not choose among three
    measure = choose_one(key, measures | MEASURES, next(iter(measures | MEASURES)), like="nearness")
    known = known | {EQUAL: np.ones(len(view.learned.terms))}
    key = (view.learned.key, len(taken), tuple(choices.cd_names()))
    if measure == "alignment":
        names, values = _aligned(key, task.fingerprint, taken, view, task)
    else:
        found = _over_steps(key, taken, known, view.learned)
        names, values = found.names, getattr(found, measure)
    last = dict(zip(names, values[-1], strict=True))
    near = sorted((n for n in names if n not in (EQUAL, CLASS)), key=lambda n: -last[n])[:FOLLOWED]
    shown = dict.fromkeys([*near, *(choices.symbol(n) for n in view.names if n in choices.cd_names()), EQUAL, CLASS])
    curves = {name: values[:, names.index(name)] for name in shown if name in names}
    figure = curves_over_steps(
        [s.step for s in taken],
        curves,
        best_step=view.learned.best_step,
        title="Likeness to each formula",
        unit=(measures | MEASURES)[measure],
        base=words.base(),
        uirevision=view.learned.key,
    )
    plot(figure, "shapes_course", live=True)
    frame = pd.DataFrame({"step": [s.step for s in taken]} | dict(zip(names, values.T, strict=True)))
    offer_table("Course (CSV)", "ltw-resemblance-course.csv", frame, "Likeness to every formula at every snapshot.")
    st.caption(text("similarity_over_steps", taken=len(taken), near=len(near)))


@kept(24)
def _over_steps(
    key: tuple, _taken: tuple[Snapshot, ...], _known: dict[str, np.ndarray], _learned: Learned
) -> SimilarityOverSteps:
    weights = (learned_at(snapshot, _learned).cd for snapshot in _taken)
    return similarity_over_steps(weights, _known, _learned.terms.document_frequency)


@kept(24, "Comparing what each snapshot does to documents…")
def _aligned(
    key: tuple, fingerprint: str, _taken: tuple[Snapshot, ...], _view: View, _task: Any
) -> tuple[tuple[str, ...], np.ndarray]:
    """Names, and alignment of each snapshot with each formula and, in the last column, with the class."""
    grams = formula_grams(_task, formula_weights(_task, _view.learned.terms))
    formulas = np.array(list(grams.values()))
    sample, rows = sample_of(_task), []
    for snapshot in _taken:
        gram = gram_of_weights(_task, learned_at(snapshot, _view.learned).cd)
        rows.append([*(formulas @ gram).tolist(), *target_alignments(gram[None], sample.y).tolist()])
    return (*grams, CLASS), np.array(rows)

"""Which formula it learned: similarity to each, what the most similar does not explain, and how similarity grew."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import SurfacePanel
from ltw_core.insight import Similarity, SimilarityOverSteps, difference, similarity, similarity_over_steps
from pages._ui import choices, words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import offer_table
from pages._ui.guard import plain
from pages._ui.learn.shape_view import View
from pages._ui.learn.texts import text
from pages._ui.plots.cached_figures import contours, curves_over_steps
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.snapshots import NONE, Snapshot, learned_at, snapshots_of

FOLLOWED = 5  # functions whose similarity is followed


def show(view: View) -> None:
    learned = view.learned
    known = {symbol: form.weights for symbol, form in view.every_formula.items()}
    rows = similarity(learned.cd, known, learned.terms.document_frequency)
    rows.sort(key=lambda r: r.factor <= 0)  # what has the opposite sign is not alike, however well it fits
    _ranking(view, rows)
    _residual(view, rows)
    _along(view, known, rows)


def _ranking(view: View, rows: list[Similarity]) -> None:
    frame = pd.DataFrame(
        {
            "formula": [r.name for r in rows],
            "fit": [r.r2 if r.factor > 0 else None for r in rows],
            "ranks": [r.spearman for r in rows],
        }
    )
    left, right = st.columns([3, 2], gap="large")
    left.dataframe(
        frame,
        hide_index=True,
        column_config={
            "formula": st.column_config.TextColumn("Formula"),
            "fit": st.column_config.ProgressColumn(
                "R² of the best proportional fit",
                min_value=0.0,
                max_value=1.0,
                format="%.2f",
                help="1 is equality up to a factor. Empty where the best factor is negative.",
            ),
            "ranks": st.column_config.NumberColumn("Spearman", format="%.2f", help="Do they rank terms alike?"),
        },
        alt="Resemblance of the learned weighting to each formula",
    )
    best, label = rows[0], plain(view.learned.label)
    with right:
        if best.factor <= 0:
            st.markdown(f"**{label}** has the opposite sign of every formula: none is like it.")
        else:
            st.markdown(
                f"Over the {len(view.learned.terms):,} terms, **{label}** is most similar to **{plain(best.name)}**: a "
                f"multiple of it explains {best.r2:.0%} of the squared weights."
                + (" That is little: it has learned a shape of its own." if best.r2 < 0.5 else "")
            )
        st.markdown(text("proportional"))
        offer_table("Resemblance (CSV)", "ltw-resemblance.csv", frame, "R² and Spearman correlation for each formula.")


def _residual(view: View, rows: list[Similarity]) -> None:
    """What is left of the learned weights when the best multiple of a formula is subtracted."""
    st.markdown("**What the formula does not explain**")
    learned, grid = view.learned, view.grid
    names = [row.name for row in rows]
    against = control(st.selectbox, f"residual-{learned.key}", names, like="residual", filter_mode="contains")
    weights, surface = view.every_formula[against]
    own = None if learned.surface is None else learned.surface(grid.tpr, grid.fpr)
    other = surface(grid.tpr, grid.fpr)
    frequency = learned.terms.document_frequency
    found = difference(np.zeros_like(other) if own is None else own, other, learned.cd, weights, frequency)
    panel = SurfacePanel(
        f"{learned.label} − {found.factor:.2g} · {against}", None if own is None else found.surface, found.weights
    )
    shown = view.shown(labels=14, height=520, uirevision=f"residual-{view.scale}-{view.region}")
    figure = contours([panel], grid, learned.terms, shown)
    narrow = contours.layout([panel], grid, learned.terms, replace(shown, columns=1))
    plot(figure, "shapes_residual", live=True, narrow=narrow, on_pick=selection.pick)
    order = np.argsort(-np.abs(found.weights) * np.sqrt(frequency), kind="stable")[:6]
    listed = ", ".join(f"*{plain(str(learned.terms.terms[k]))}* {found.weights[k]:+.2g}" for k in order)
    st.caption(text("residual", share=words.percent(found.share), label=plain(learned.label), listed=listed))


def _along(view: View, known: dict[str, np.ndarray], rows: list[Similarity]) -> None:
    """Similarity at every snapshot of the training run."""
    st.markdown("**Along the training run**")
    taken = snapshots_of(view.learned)
    if len(taken) < 2:
        st.caption(NONE)
        return
    measure = choose_one("nearness", {"r2": "R²", "spearman": "Spearman"}, "r2")
    found = _over_steps((view.learned.key, len(taken), tuple(choices.cd_names())), taken, known, view.learned)
    values = getattr(found, measure)
    near = [r.name for r in rows if r.factor > 0][:FOLLOWED]
    shown = dict.fromkeys([*near, *(choices.symbol(n) for n in view.names)])
    curves = {name: values[:, found.names.index(name)] for name in shown if name in found.names}
    figure = curves_over_steps(
        [s.step for s in taken],
        curves,
        best_step=view.learned.best_step,
        title="Similarity to each formula",
        unit={"r2": "R²", "spearman": "Spearman"}[measure],
        base=words.base(),
        uirevision=view.learned.key,
    )
    plot(figure, "shapes_course", live=True)
    frame = pd.DataFrame({"step": [s.step for s in taken]} | dict(zip(found.names, values.T, strict=True)))
    offer_table("Course (CSV)", "ltw-resemblance-course.csv", frame, "Similarity to every formula at every snapshot.")
    st.caption(text("similarity_over_steps", taken=len(taken), near=len(near)))


@st.cache_resource(max_entries=24, show_spinner=False)
def _over_steps(
    key: tuple, _taken: tuple[Snapshot, ...], _known: dict[str, np.ndarray], _learned: Learned
) -> SimilarityOverSteps:
    weights = (learned_at(snapshot, _learned).cd for snapshot in _taken)
    return similarity_over_steps(weights, _known, _learned.terms.document_frequency)

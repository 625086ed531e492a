"""The chosen class's terms: the map with lines of equal weight, a term in its documents, and the table of all."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import PlaneView, SurfacePanel, term_grid
from ltw_core.insight import canonical_function
from ltw_core.metrics import Counts
from pages._ui import choices, loading, tables, words
from pages._ui.controls import choose_one, control
from pages._ui.documents import documents_view
from pages._ui.downloads import offer_table
from pages._ui.plots.cached_figures import term_map
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.training import lookup

RATIOS = {"selected": 0.1, "all": 1.0}


def chosen_task(dataset: str, class_name: str) -> Any:
    """The class over its selected terms, or over all."""
    return loading.task(dataset, class_name, RATIOS[st.session_state.get("map_terms") or "selected"])


def term_choice(task: Any) -> None:
    """Which terms the map and the table show."""
    selected, every = (f"{share:.0%}" for share in RATIOS.values())
    about = (
        f"A weighting is learned on the {selected} of the vocabulary with the highest χ² of counts; {every} of it "
        f"is {task.vectorized.vocabulary.size:,} terms."
    )
    choose_one("map_terms", {"selected": f"The {selected} selected", "all": "All of them"}, "selected", help=about)


def mapped(task: Any) -> None:
    """Where the terms lie, and the last one selected in its documents."""
    controls, chart = st.columns([1, 3.4], gap="medium")
    with controls:
        term_choice(task)
        scale = choices.scale("map_scale")
        text = "Terms on one line weigh the same under this formula: 80, 95 and 99 % of the terms weigh less."
        names = choices.functions("Lines of equal weight", choices.FORMULAS["terms"], "iso", 3, text)
        density = control(st.toggle, "density", value=False)
        selection.term_picker(task, "corpus_terms")
        st.caption("Above the dotted line a term is more frequent in the class than elsewhere.")
    with chart:
        plot(_map(task, names, scale, density), "term_map", on_pick=selection.pick)
    documents_view.term_contexts(task)


def _map(task: Any, names: list[str], scale: str, density: bool) -> Any:
    rates = (task.prevalence, task.n_documents)
    grid = term_grid(task.statistics, region="terms", scale=scale)
    lines, hovered = [], {}
    for name in names:
        function, symbol = choices.function(name), choices.symbol(name)
        hovered[symbol] = function.at_rates(task.tpr, task.fpr, *rates)  # the numbers that its lines carry
        lines.append(SurfacePanel(symbol, function.at_rates(grid.tpr, grid.fpr, *rates), hovered[symbol]))
    view = PlaneView(task.prevalence, base=words.base(), selected=selection.terms(), hover=hovered, height=540)
    view = replace(view, uirevision=f"{task.fingerprint}-{scale}")
    return term_map(task.statistics, grid, view, iso=lines, density=density)


def weights_of(task: Any) -> dict[str, np.ndarray]:
    """Each term's weight under all functions, the reader's own formulas and training runs, in canonical form."""
    weights = {}
    for name in choices.cd_names():
        weights[choices.symbol(name)] = canonical_function(choices.function(name), task.statistics).weights
    run = next((run for run in lookup.own_runs(selection.dataset(), task.class_name) if run.finished), None)
    if run is not None and len(run.terms) == len(task.terms):
        weights[f"{run.learned().label} (yours)"] = run.learned().cd
    return weights


def term_frame(task: Any, weights: dict[str, np.ndarray]) -> pd.DataFrame:
    """All terms with counts, rates and weights, strongest first."""
    frame = pd.DataFrame(
        {
            "term": [str(t) for t in task.terms],
            **{name: getattr(task, name) for name in (*Counts._fields, "tpr", "fpr")},
            **weights,
        }
    )
    return frame.sort_values("χ²", ascending=False, kind="stable", ignore_index=True)


def table(task: Any) -> None:
    """All terms; a click selects one."""
    term_choice(task)
    weights = weights_of(task)
    frame = term_frame(task, weights)
    chosen = frame["term"].isin([t for t in selection.terms() if t in task.term_index])
    shown = pd.concat([frame[chosen], frame[~chosen]], ignore_index=True)
    tables.table(
        shown,
        "term_table",
        "Terms of the class with contingency counts, rates and weights",
        lambda row: selection.toggle_term(str(shown["term"].iloc[row])),
        {name: st.column_config.NumberColumn(format="%.3f") for name in weights},
        height=430 if len(shown) > 10 else "auto",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        about = "All terms with tp, fp, fn, tn, tpr, fpr and the weights shown."
        offer_table("Terms (CSV)", f"{task.corpus_name}-{task.class_name}-terms.csv", frame, about)
        st.caption(
            f"Computed now from the {task.n_documents:,} training documents; selected terms first, then by χ². Weights "
            "in canonical scale: their root mean square over the terms, by document frequency, is 1."
        )

"""The chosen class's terms: the map with lines of equal weight, a term in its documents, and the table of all."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import PlaneView, SurfacePanel, term_grid
from ltw_core.figures.sentences import are_whole
from ltw_core.insight import estimated_share
from ltw_core.lessons.values import number
from ltw_core.metrics import Counts
from pages._ui import choices, loading, tables, words
from pages._ui.controls import choose_one, control
from pages._ui.data.corpus_view import TALL
from pages._ui.documents import documents_view
from pages._ui.downloads import offer_table
from pages._ui.guard import plain
from pages._ui.out_of_view import terms_out_of_view
from pages._ui.plots.cached_figures import term_map
from pages._ui.plots.plot import plot
from pages._ui.reader import counting, mode, selection
from pages._ui.training import lookup

YOURS = " (yours)"
MAP = 480  # pixels: the documents of a term that is marked begin on the same screen
COMMON = 0.15  # of the documents: a term that more of them hold is not rare


def chosen_task(dataset: str, class_name: str) -> Any:
    """The class over its selected terms, or over all."""
    return loading.task(dataset, class_name, 1.0 if st.session_state.get("map_terms") == "all" else None)


def term_choice(task: Any) -> None:
    """Which terms the map and the table show, where not all are selected."""
    share = selection.ratio(task.vectorized)
    if share == 1:
        return
    selected = words.percent(share)
    about = (
        f"A weighting is learned on the {selected} of the vocabulary with the highest χ² of counts; all of it "
        f"is {task.vectorized.vocabulary.size:,} terms."
    )
    choose_one("map_terms", {"selected": f"The {selected} selected", "all": "All of them"}, "selected", help=about)


def mapped(task: Any) -> None:
    """Where the terms lie, and the last one selected in its documents."""
    pair = st.container(key="map_pair")  # on a phone the map comes first
    with pair.container(key="map_controls", horizontal=True, vertical_alignment="bottom"):
        term_choice(task)
        scale = choices.scale("map_scale", _usual_scale(task))
        text = "Terms on a line have equal weights; the lines are the 80th, 95th and 99th percentiles of the weights."
        names = choices.functions("Equal weight", choices.FORMULAS["terms"], "iso", 3, text)
        density = control(st.toggle, "density", value=False)
        selection.term_picker(task, "corpus_terms")
        documents_view.example_term(task)
    with pair:
        plot(_map(task, names, scale, density), "term_map", on_pick=selection.pick)
        _last_term(task, names)
        _what_is_drawn(task, names)
        _out_of_view(task, scale, names)
    documents_view.term_contexts(task)


def _last_term(task: Any, names: list[str]) -> None:
    """The term that was tapped last, in a line: on a phone its documents are a screen further down."""
    chosen = [t for t in selection.terms() if t in task.term_index]
    if not chosen:
        return
    k = task.term_index[chosen[-1]]
    told = [f"tpr {words.prevalence(task.tpr[k])}", f"fpr {words.prevalence(task.fpr[k])}"]
    if names:
        of = (task.tpr[k], task.fpr[k], task.prevalence, task.n_documents)
        value = float(choices.function(names[0]).at_rates(*of))
        told.insert(0, f"{choices.symbol(names[0])} {f'{value:,.0f}' if are_whole(value) else number(value)}")
    held = words.count(int(task.tp[k] + task.fp[k]), "document")
    with st.container(key="map_told"):
        st.markdown(f"**{plain(chosen[-1])}**: {', '.join(told)}; in {held} below.")


def _what_is_drawn(task: Any, names: list[str]) -> None:
    """What lines and points of the map stand for; beside its question mark of how many terms it shows these."""
    line = f"A line’s number is its {choices.symbol(names[0]) if len(names) == 1 else 'weight'}. " if names else ""
    more = []
    if "CHI2" in names:  # one degree of freedom
        more.append("χ² above 3.84 means p < .05 for a single term.")
    all_terms = task.vectorized.vocabulary.size
    if len(task.terms) < all_terms:
        share = words.percent(selection.ratio(task.vectorized))
        more.append(f"Shown are the {share} of all {all_terms:,} terms with the highest χ² of counts.")
    st.caption(f"{line}Larger points are several terms.", help=" ".join(more) or None)


def _usual_scale(task: Any) -> str:
    """Log axes, as most terms are rare; linear ones where half of them are held by more of the documents."""
    return "linear" if np.median(task.statistics.document_frequency) > COMMON * task.n_documents else "log"


def _out_of_view(task: Any, scale: str, names: list[str]) -> None:
    """Which terms that matter the region leaves out: on linear axes the most typical ones lie far from all others."""
    terms = task.statistics
    grid = term_grid(terms, region="terms", scale=scale)
    by, measure = terms.tpr - terms.fpr, "tpr − fpr"
    if names:  # whose lines are drawn, and by which terms are named
        by = choices.function(names[0]).at_rates(task.tpr, task.fpr, task.prevalence, task.n_documents)
        measure = choices.symbol(names[0])
    share = estimated_share(by, terms)
    which = f"and among the 30 terms that matter most by tp times the square of {measure}"
    said = {"which": which, "each": lambda k: f"tpr {words.prevalence(terms.tpr[k])}", "held_by": "Log axes"}
    terms_out_of_view(terms, share, grid, **said)


def _map(task: Any, names: list[str], scale: str, density: bool) -> Any:
    rates = (task.prevalence, task.n_documents)
    grid = term_grid(task.statistics, region="terms", scale=scale, lines=True)
    lines, hovered = [], {}
    for name in names:
        function, symbol = choices.function(name), choices.symbol(name)
        hovered[symbol] = function.at_rates(task.tpr, task.fpr, *rates)  # the numbers that its lines carry
        lines.append(SurfacePanel(symbol, function.at_rates(grid.tpr, grid.fpr, *rates), hovered[symbol]))
    view = PlaneView(task.prevalence, base=words.base(), selected=selection.terms(), hover=hovered, height=MAP)
    view = replace(view, uirevision=f"{task.fingerprint}-{scale}")
    return term_map(task.statistics, grid, view, iso=lines, density=density)


def weights_of(task: Any) -> dict[str, np.ndarray]:
    """Each term's weight under the reader's newest training run, in canonical form, and under all functions, the values
    that the map's lines and its hover have."""
    rates = (task.tpr, task.fpr, task.prevalence, task.n_documents)
    weights = {}
    run = next((run for run in lookup.own_runs(selection.dataset(), task.class_name) if run.finished), None)
    if run is not None and run.problem.fingerprint == task.training_fingerprint:
        weights[f"{run.learned().label}{YOURS}"] = run.learned().cd
    return weights | {choices.symbol(name): choices.function(name).at_rates(*rates) for name in choices.cd_names()}


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
    """All terms; those that are ticked are selected, and stand first."""
    term_choice(task)
    weights = weights_of(task)
    frame = term_frame(task, weights)
    chosen = frame["term"].isin([t for t in selection.terms() if t in task.term_index])
    shown = pd.concat([frame[chosen], frame[~chosen]], ignore_index=True)
    shown = shown.assign(tpr=100 * shown["tpr"], fpr=100 * shown["fpr"])
    mine = [name for name in weights if name.endswith(YOURS)]
    if not mode.full():
        first, ig = map(choices.symbol, ("CHI2", "RF")), choices.symbol("IG")  # the first four or five fit a phone
        most = (4 if mine else 5) if tables.on_phone() else None
        shown = shown[["term", *mine, *first, *([] if most else [ig]), "tpr", "fpr", "tp", "fp"][:most]]
    formats = {name: _format(weights[name]) for name in shown.columns.intersection(list(weights))}
    tables.table(
        tables.without_zeros(shown, formats),
        "term_table",
        "Terms of the class with contingency counts, rates and weights",
        lambda rows: _ticked(task, [str(shown["term"].iloc[row]) for row in rows]),
        {name: st.column_config.NumberColumn(format=f) for name, f in formats.items() if not f.startswith(".")},
        at=list(range(int(chosen.sum()))),
        height=TALL if len(shown) > 10 else "auto",
        width="stretch",
    )
    learned = f"; {plain(mine[0])} is in canonical form" if mine else ""
    with st.container(horizontal=True, vertical_alignment="center", key="table_foot"):
        about = "All terms with tp, fp, fn, tn, tpr, fpr and the weights under all functions."
        offer_table("Terms (CSV)", f"{counting.stem(task.corpus_name)}-{task.class_name}-terms.csv", frame, about)
        st.caption(
            f"Selected terms first, then by χ². A formula’s weight is its value at the term’s tpr and fpr{learned}."
        )


def _ticked(task: Any, ticked: list[str]) -> None:
    """Select those of the class's terms that are ticked; of very many at once, which stand by weight, the first."""
    kept = [t for t in selection.terms() if t in ticked or t not in task.term_index]
    added = [t for t in ticked if t not in kept][: selection.TERM_LIMIT]
    st.session_state["terms"] = [*kept, *added][-selection.TERM_LIMIT :]


def _format(values: np.ndarray) -> str:
    """Digits enough for the largest value of a column, and no more than it is worth; a format of ``tables``."""
    top = float(np.abs(np.nan_to_num(values, posinf=0, neginf=0)).max(initial=0))
    return "%,.0f" if are_whole(values) else ".3" if top >= 0.01 else ".5"

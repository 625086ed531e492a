"""What only some variants have: LTW-G's one weight a term, and LTW-TF's learned factor of the frequency."""

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.insight import sharing, similarity
from ltw_core.metrics import decimals
from ltw_core.weighting import DD
from pages._ui import words
from pages._ui.controls import choose_one
from pages._ui.guard import plain
from pages._ui.plots.cached_figures import contours, dd_curves
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.weightings.learned import Learned
from pages._ui.workbench.shape_view import View
from pages._ui.workbench.texts import numbers, text

COMPARED = ("log1p", "1+log", "raw")


def has_one_weight_a_term(view: View) -> bool:
    return view.learned.variant.startswith("LTW-G")


def has_learned_dd(view: View) -> bool:
    return getattr(view.learned.weighting, "dd_", None) is not None


def one_weight_a_term(view: View) -> None:
    """Its weights over the plane, and what its first layer comes to."""
    learned, terms = view.learned, view.learned.terms
    found = sharing(learned.cd, terms.tp, terms.fp)
    shown = replace(view.shown(), faded=True, labels=16, height=520, uirevision=f"global-{view.scale}-{view.region}")
    figure = contours([learned.panel(view.grid)], view.grid, terms, shown)
    plot(figure, "shapes_global", live=True, on_pick=selection.pick)
    magnitude = " Shown is |cd|: here each term’s sign is free on its own." if learned.variant == "LTW-G-I" else ""
    st.markdown(text("one_weight", found=found, count=len(terms)) + magnitude)
    _collapsed(view)


def _collapsed(view: View) -> None:
    learned, terms = view.learned, view.learned.terms
    settings = learned.parameters or learned.weighting.get_params()
    count = len(terms)
    hidden, rate = settings["hidden"] or max(1, count // 2), settings["learning_rate"]
    total = float(terms.tpr.sum() + terms.fpr.sum())
    first, second = 2 * count * hidden + hidden, hidden * count + count
    st.markdown("**What its first layer comes to**")
    cells = {
        "Inputs 2F": f"{2 * count:,}",
        "First layer, on paper": f"{first:,}",
        "First layer, in effect": f"{hidden:,}",
        "Second layer": f"{second:,}",
        "Σ tpr + Σ fpr": f"{total:,.1f}",
        "Learning rate, in effect": f"{rate * (1 + total):.3g}",
    }
    words.figures(numbers("first_layer", cells, rate=rate))
    st.markdown(text("first_layer", count=count, hidden=hidden, first=first, rate=rate, in_effect=rate * (1 + total)))
    st.markdown(text("second_layer", where=plain(learned.title)))


def occurrences(view: View) -> None:
    """The learned dd and known ones."""
    learned = view.learned
    counts, shown = learned_and_known_dd(learned, choose_one("dd_to", [10, 20, 50], 20))
    plot(dd_curves(counts, shown, base=words.base(), height=420), "shapes_dd", live=True)
    often = _frequencies(view.task(), len(counts))
    (_, weights), *known = ((name, values[1:]) for name, values in shown.items())
    fits = similarity(weights, dict(known), often)
    said = ", ".join(f"{row.name} {decimals(row.r2)}" for row in fits if row.factor > 0)
    over = (
        "weighted by how often each frequency occurs in the training documents" if often is not None else "unweighted"
    )
    st.markdown(f"R² of the best multiple of each over these frequencies, {over}: {plain(said)}.")
    if often is not None:
        ones = often[0] / often.sum()
        st.markdown(text("single_occurrences", ones=ones))
    st.caption(learned.provenance)


def learned_and_known_dd(learned: Learned, most: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Frequencies from 0 to `most`, and by name what an occurrence counts at each: the learned dd and known ones."""
    weights = np.asarray(learned.weighting.dd_, dtype=float)[: most + 1]
    counts = np.arange(len(weights))
    return counts, {learned.label: weights} | {DD[name].symbol: DD[name](counts, 60, 60) for name in COMPARED}


def _frequencies(task: Any, size: int) -> np.ndarray | None:
    """How many (document, term) pairs have the frequency 1, 2, …; None without the documents."""
    if task is None:
        return None
    found = np.bincount(np.minimum(task.counts_train.data, size))[1:size]
    return np.pad(found, (0, size - 1 - found.size)).astype(float)

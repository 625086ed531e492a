"""A surface on another class, or in another corpus: its F1 on documents held out there, and its terms, at once."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.insight import contributing
from ltw_core.weighting import Function, TermWeighting
from pages._ui import choices, loading, words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.reader import selection
from pages._ui.tables import table
from pages._ui.weightings import quick_f1
from pages._ui.workbench.shares import share_in_class

STRONGEST = 12


def show(
    function: Function,
    dd: str,
    weightings: dict[str, Any],
    key: str,
    like: dict[str, str] | None = None,
    row: Any = None,
) -> None:
    """Choose a class, and see what the surface does there.

    Parameters
    ----------
    function : the surface as a cd function.
    dd : what it is multiplied by.
    weightings : by name whose F1 is compared there, the surface first.
    key : how the keys of figures begin.
    like : whose colours weightings take, by name.
    row : where class and corpus are chosen, in one line with other things; else above what is shown.
    """
    there = _chosen(row)
    first, second = st.columns([1.15, 1], gap="medium")
    with first:
        quick_f1.show(there, weightings, f"{key}_f1_there", {"constant": "LogTF"} | (like or {}))
    with second:
        st.caption(f"What contributes most to {plain(there.class_title)}, Pr(c) = {words.prevalence(there.prevalence)}")
        strongest(function, dd, there, f"{key}_terms_there")


def compared(own: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Weightings by name, for their F1: the reader's own, formulas, and a constant cd."""
    formulas = {choices.symbol(name): TermWeighting(cd=choices.function(name)) for name in names}
    return own | formulas | {"constant": TermWeighting(cd="1")}


def strongest(function: Function, dd: str, task: Any, key: str) -> None:
    """The terms that contribute most to the class's training documents under a cd."""
    weights = function.at_rates(task.tpr, task.fpr, task.prevalence, task.n_documents)
    share = share_in_class(task, weights, dd)
    top = contributing(share, task.statistics, STRONGEST)
    frame = pd.DataFrame(
        {
            "term": [str(term) for term in task.terms[top]],
            "share": 100 * share[top],
            "weight": np.broadcast_to(weights, share.shape)[top],
            "tpr": 100 * task.tpr[top],
            "fpr": 100 * task.fpr[top],
        }
    )
    table(frame, "sculpted", f"The {len(top)} terms that contribute most under {function.symbol}", key=key, height=300)


def _chosen(row: Any) -> Any:
    """The task of another class, of any corpus that is here."""
    from ltw_core.corpora import catalogue

    titles = {reader.name: reader.title.split(" (")[0] for reader in catalogue() if reader.available}
    left, right = st.columns(2) if row is None else (row, row)
    look = {} if row is None else {"width": 300}
    now = selection.dataset()
    at = [*titles].index(now) if now in titles else 0
    corpus = control(left.selectbox, "sculpt_corpus", titles, index=at, **look)
    positives = loading.positives(corpus)
    source = loading.vectorized(corpus)
    class_titles = dict(zip(source.class_names, source.class_titles, strict=True))
    listed = [name for name in selection.listed_classes(positives) if (corpus, name) != (now, selection.class_name())]
    label = lambda name: f"{class_titles[name]} · {positives[name]:,}"  # noqa: E731
    if st.session_state.get("sculpt_class") not in listed:
        st.session_state.pop("sculpt_class", None)
    return loading.task(corpus, control(right.selectbox, "sculpt_class", listed, format_func=label, **look))

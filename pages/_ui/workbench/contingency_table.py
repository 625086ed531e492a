"""A contingency table with sliders: a point on every surface, and each formula with the numbers in it."""

from typing import Any

import numpy as np
import streamlit as st

from ltw_core.tasks import TermStatistics
from ltw_core.weighting.worked_examples import rates_of, worked
from pages._ui import words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.reader import selection
from pages._ui.workbench.function_surfaces import Setting

VIEW = "One table"
TEXTS = {
    "tp": "Documents of the class that contain the term",
    "fp": "Other documents that contain it",
    "fn": "Documents of the class without it",
    "tn": "Other documents without it",
}
POINT = "this term"
PLAIN_TABLE = {"tp": 60, "fp": 40, "fn": 140, "tn": 3760}


def table(task: Any) -> dict[str, int]:
    """The table as the sliders stand, before they are drawn. It begins with a term of the class."""
    state = st.session_state
    of = task.fingerprint if task is not None else ""
    if state.get("_lab_of") != of or "lab_tp" not in state:
        state["_lab_of"] = of
        begin = _of_term(task, _first(task)) if task is not None else PLAIN_TABLE
        for name in TEXTS:
            state[f"lab_{name}"] = begin[name]
    return {name: int(state[f"lab_{name}"]) for name in TEXTS}


def setting(counts: dict[str, int]) -> Setting:
    """Prevalence and number of documents of the table, with its point."""
    _, _, p, n = rates_of(*counts.values())
    point = TermStatistics.of_tables(np.array([POINT]), *(np.array([counts[name]]) for name in TEXTS))
    return Setting(p=p, n=int(n), terms=point, marked=(POINT,))


def sliders(task: Any, functions: list[Any], side: Any) -> None:
    """Sliders at the ``side``, in view with the surfaces; the four numbers they make, and the formulas."""
    counts = table(task)
    with side:
        if task is not None:
            terms = [str(t) for t in task.terms]
            follow = {"on_change": _take, "args": (task,), "filter_mode": "contains"}
            control(st.selectbox, "lab_term", terms, index=None, placeholder="Search a term", **follow)
        tops = _tops(task)
        for name in TEXTS:
            st.slider(
                f"{name} · {TEXTS[name].lower()}",
                0,
                max(tops[name], counts[name]),
                format="localized",
                key=f"lab_{name}",
                persist_state="session",
                help=f"{TEXTS[name]}. The arrow keys move it by one.",
            )
    if not sum(counts.values()):
        st.info("With no document at all there is nothing to compute: raise a count.", icon=":material/info:")
        return
    tpr, fpr, p, n = rates_of(*counts.values())
    words.figures(
        (
            ("tpr", words.percent(tpr), ""),
            ("fpr", words.percent(fpr), ""),
            ("Pr(c)", words.prevalence(p), ""),
            ("N", f"{int(n):,}", ""),
        )
    )
    for function in functions:
        with st.container(border=True, key=f"worked-{function.name}"):
            st.markdown(f"**{plain(function.symbol)}**")
            st.latex(worked(function, *counts.values()))


def _take(task: Any) -> None:
    term = st.session_state.get("lab_term")
    if term is not None:
        for name, value in _of_term(task, task.term_index[term]).items():
            st.session_state[f"lab_{name}"] = value


def _first(task: Any) -> int:
    chosen = [t for t in selection.terms() if t in task.term_index]
    return task.term_index[chosen[-1]] if chosen else int(np.argmax(task.tp - task.fp))


def _of_term(task: Any, column: int) -> dict[str, int]:
    return {name: int(getattr(task, name)[column]) for name in TEXTS}


def _tops(task: Any) -> dict[str, int]:
    if task is None:
        return {"tp": 1000, "fp": 5000, "fn": 1000, "tn": 10_000}
    positives = round(task.n_documents * task.prevalence)
    negatives = task.n_documents - positives
    return {"tp": max(2 * positives, 20), "fp": negatives, "fn": max(2 * positives, 20), "tn": 2 * negatives}

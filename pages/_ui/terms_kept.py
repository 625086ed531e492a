"""The share of terms that is kept: its control, and what is said where it leaves too little."""

from typing import Any

import streamlit as st

from ltw_core.tasks import PAPER_RATIO
from pages._ui import words
from pages._ui.controls import control
from pages._ui.reader import selection

FEW_TERMS, FEW_EMPTIED = 100, 0.02  # fewer terms, or a larger share of emptied documents, are worth a warning


def terms_kept(task: Any, where: Any = st) -> None:
    """The control, the same on every page that learns or evaluates."""
    usual = task.vectorized.default_ratio
    mark = f" · {len(task.terms):,}"
    if task.ratio != usual:
        mark += f" :primary[● {'paper' if usual == PAPER_RATIO else 'usual'}: {words.percent(usual)}]"
    st.session_state["ratio"] = round(100 * task.ratio)
    options = {"format": "%d%%", "on_change": _moved, "args": (round(100 * usual),)}
    control(where.slider, "ratio", 1, 100, mark=mark, usual=round(100 * usual), **options)


def _moved(usual: int) -> None:
    percent = st.session_state["ratio"]
    selection.keep_percent(None if percent == usual else percent)


def selection_told(task: Any, *, control_here: bool = True, learned: bool = False) -> None:
    """A sentence where the selection leaves few terms or empties many documents, and the other setting in a click.

    Parameters
    ----------
    control_here : whether ``terms_kept`` stands on the page; elsewhere another share than the usual one is told.
    learned : whether the page shows what was learned from the selection, and cannot change it.
    """
    kept, every, usual = len(task.terms), task.vectorized.vocabulary.size, task.vectorized.default_ratio
    if kept < every and (lost := _lost(task)):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.warning(f"The selection keeps {kept:,} of {every:,} terms: {lost}.", icon=":material/filter_alt:")
            keep_all = {"on_click": selection.keep_percent, "icon": ":material/select_all:"}
            keep_all["args"] = (None if usual == 1 else 100,)
            like = "keep_all_and_train" if learned else "keep_all_terms"
            if control(st.button, like, **keep_all) and learned:
                st.switch_page("pages/workbench/workbench.py")
    elif task.ratio != usual and not control_here and not learned:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(
                f"{kept:,} of {every:,} terms are kept, {words.percent(task.ratio)} as you chose.", width="content"
            )
            back = {"on_click": selection.keep_percent, "args": (None,), "type": "tertiary", "icon": ":material/undo:"}
            control(st.button, "usual_terms", mark=f" ({words.percent(usual)})", **back)


def _lost(task: Any) -> str:
    """What a selection costs, in words; "" where that is little."""
    sizes = {"training": len(task.y_train), "test": len(task.y_test)}
    emptied = dict(zip(sizes, task.emptied, strict=True))
    if len(task.terms) >= FEW_TERMS and all(emptied[part] <= FEW_EMPTIED * size for part, size in sizes.items()):
        return ""
    parts = [f"{emptied[part]:,} of {size:,} {part} documents" for part, size in sizes.items() if emptied[part]]
    if not parts:
        return "every document still holds one of them, but there is little to weigh"
    return f"{' and '.join(parts)} hold known terms but none of these, so that no weighting can tell them apart"

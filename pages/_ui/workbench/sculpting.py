"""The surface that the reader sculpts: what it begins with, what was painted, and what its F1 is compared with."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.weighting import Composed
from ltw_core.weighting.formulas.spline import FINE, sampled, spline
from ltw_core.weighting.learned import VARIANTS
from pages._ui import choices
from pages._ui.controls import control
from pages._ui.plots.board import Board
from pages._ui.reader import selection
from pages._ui.training import lookup
from pages._ui.weightings.learned import shipped
from pages._ui.weightings.reference import RUN, SHIPPED, Reference
from pages._ui.workbench import transplanting

BOARD = "sculpt_board"
FIRST, FLAT = "RF", "flat"
AT_NO_CLASS = (0.05, 10_000)  # prevalence and documents as long as there is no class
_START = "_sculpt_start"  # what was begun with: its name, scale, number and heights; and what was painted since


def parts() -> dict[str, Any]:
    """What is sculpted, as fields of a ``Composed``."""
    start = _start()
    return {"heights": tuple(map(tuple, _painted(start).tolist())), "scale": start["scale"]}


def show(task: Any, scale: str, most: int = 560, *, line: bool = False) -> Any:
    """What to begin with, and the board, at most so many pixels a side; returns the place of a ``line`` between them,
    where there shall be one."""
    scale = "linear" if scale == "linear" else "log"
    options = _begin_with(task)
    if st.session_state.get("sculpt_from") not in options:
        st.session_state["sculpt_from"] = None
    picked = control(st.selectbox, "sculpt_from", options, index=None, placeholder="RF, a flat surface, your own, …")
    between = st.empty() if line else None
    start = _start(task)
    if picked is not None and picked != start["of"]:
        st.session_state[_START] = _begun(picked, start, scale, task)
    elif scale != start["scale"]:  # the same surface on the other axes
        now = spline(_painted(start), start["scale"])
        heights = sampled(lambda tpr, fpr: now(tpr, fpr, *_at(task)), scale, top=1.0)
        st.session_state[_START] = _next(start, heights, scale)
    board = replace(_board(_start(), task), most=most)
    board.show(BOARD)
    points = f"a sample of the class’s {len(task.terms):,} terms" if board.sampled else "the class’s terms"
    st.caption(f"Height 1: the strongest term under the formula you began with. Points: {points}.")
    return between


def transplant(composed: Composed, names: list[str]) -> None:
    """The same surface on another class, or in another corpus."""
    transplanting.show(composed.function, composed.dd, compared(composed, names), "sculpt")


def compared(composed: Composed, names: list[str]) -> dict[str, Any]:
    """What its F1 is compared with."""
    return transplanting.compared({composed.name: composed.make()}, names)


def _at(task: Any) -> tuple[float, int]:
    return (task.prevalence, task.n_documents) if task is not None else AT_NO_CLASS


def _start(task: Any = None) -> dict[str, Any]:
    """What was begun with; RF to begin with.

    What a board holds is gone with it when a page or a step of a lesson is shown that has none: it begins again with
    what had been painted.
    """
    state = st.session_state
    start = state.get(_START) or state.setdefault(_START, _begun(FIRST, None, "log", task))
    if (drawn := state.get(BOARD, {}).get("drawn")) is not None:
        start["painted"] = _board(start).checked(drawn)
    elif "painted" in start:
        start = state[_START] = _next(start, start["painted"], start["scale"])
    return start


def _painted(start: dict[str, Any]) -> np.ndarray:
    """The heights as they stand."""
    return start.get("painted", start["heights"])


def _next(start: dict[str, Any], heights: np.ndarray, scale: str) -> dict[str, Any]:
    """The same, with other heights to begin with."""
    return {"of": start["of"], "scale": scale, "heights": heights, "number": start["number"] + 1}


def _board(start: dict[str, Any], task: Any = None) -> Board:
    terms = task.statistics if task is not None else None
    return Board(start["heights"], str(start["number"]), start["scale"], terms=terms, named=selection.terms())


def _begun(of: str, before: dict[str, Any] | None, scale: str, task: Any) -> dict[str, Any]:
    heights = np.full((FINE, FINE), 0.5) if of == FLAT else _resampled(_surface(of, task), scale, task)
    return {"of": of, "scale": scale, "heights": heights, "number": (before["number"] + 1) if before else 1}


def _surface(of: str, task: Any) -> Callable:
    """A formula, one's own, or what was learned, as a surface over (tpr, fpr)."""
    kind, name = Reference.parse(of)
    if kind == SHIPPED:
        return shipped(name).surface
    if kind == RUN:
        return lookup.find(name).learned().surface
    function = choices.function(of)
    return lambda tpr, fpr: function.at_rates(tpr, fpr, *_at(task))


def _resampled(surface: Callable, scale: str, task: Any) -> np.ndarray:
    top = None
    if task is not None:
        top = float(np.abs(np.asarray(surface(task.tpr, task.fpr))).max(initial=0)) or None
    # a learned surface takes arrays of one dimension
    on_grid = lambda tpr, fpr: np.asarray(surface(tpr.ravel(), fpr.ravel())).reshape(tpr.shape)  # noqa: E731
    return sampled(on_grid, scale, top)


def _begin_with(task: Any) -> dict[str, str]:
    """What can be begun with: formulas, one's own, and what was learned for the class and has a surface."""
    from ltw_core.studies.examples import examples

    options = {FLAT: "A flat surface"} | {name: choices.symbol(name) for name in choices.cd_names()}
    dataset, of = selection.dataset(), selection.class_name()
    if task is not None:
        for run in lookup.own_or_linked(dataset, of):
            if VARIANTS[run.variant].has_surface and run.latest is not None:
                options[run.reference] = f"{run.label}, {lookup.ownership(run)}"
    for info in examples():
        if VARIANTS[info.variant].has_surface:
            options[str(Reference(SHIPPED, info.name))] = f"{info.variant} · {info.class_title} · example"
    return options

"""All functions along one line through the plane, overlaid."""

from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import Grid, lines
from ltw_core.insight import slice_points
from pages._ui import words
from pages._ui.controls import choose_one, control
from pages._ui.plots.cached_figures import slices
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.workbench.shape_view import View, no_surface

LINES = ("tpr", "fpr", "diagonal", "antidiagonal")
STEPS = (0.0, 0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
PHONE = 430  # pixels that the figure is high on a phone, so that its axis is above the buttons
NEAR = 1.6  # a term within this factor of the fixed rate is marked below the curves


def show(view: View) -> None:
    learned = view.learned
    if learned.surface is None:
        no_surface(learned)
    row = st.container(horizontal=True, vertical_alignment="center", gap="small", key="view_row")
    along, fixed, scale, running, tpr, fpr = choose_line(row, view.grid)
    same_scale = control(row.toggle, "slice_alike", value=True)
    curves = {name: np.broadcast_to(f(tpr, fpr), running.shape) for name, f in view.surfaces.items()}
    if not curves:
        st.info("Choose a formula above.", icon=":material/show_chart:")
        return
    rug, near = _terms_near(view, along, fixed)
    drawn, options = (
        (running, curves),
        {
            "along": along,
            "at": fixed,
            "scale": scale,
            "p": view.p,
            "rug": rug[rug >= running[0]],
            "marked": _selected(view, along),
            "normalise": same_scale,
            "base": words.base(),
            "uirevision": f"{along}-{scale}-{view.region}",
        },
    )
    narrow = lines.slices.plain(*drawn, height=PHONE, **options)
    lines.name_above(narrow)
    narrow = narrow_layout(narrow, "shapes_slices")
    plot(slices(*drawn, height=520, **options), "shapes_slices", live=True, narrow=narrow)
    notes = [
        "Selected terms are named at their rate, whether they are near the line or not." if view.chosen else "",
        "Axes are logarithmic: near 0, logit axes look the same." if view.scale == "logit" else "",
        "" if same_scale else "Canonical scale: the mean squared weight of the terms is 1.",
    ]
    told = f"Ticks: {words.count(near, 'term')} of the class near this line; grey: no terms here, extrapolated."
    st.caption(told, help=" ".join(filter(None, notes)) or None)
    frame = pd.DataFrame(
        {"tpr": np.broadcast_to(tpr, running.shape), "fpr": np.broadcast_to(fpr, running.shape), **curves}
    )
    view.offer_table("Slices (CSV)", "ltw-slices.csv", frame, "Every function along this line, in canonical scale.")


class Line(NamedTuple):
    """A line through the plane, see ``insight.slice_points``."""

    along: str
    fixed: float
    scale: str
    running: np.ndarray
    tpr: np.ndarray
    fpr: np.ndarray


def choose_line(row: Any, grid: Grid) -> Line:
    """The line that is chosen in a ``row``, on the axes of a grid."""
    along = choose_one("along", LINES, "tpr", row)
    other = {"tpr": "fpr", "fpr": "tpr"}.get(along)
    _from_former_address()
    options = {"value": 0.01, "format_func": words.percent, "disabled": other is None, "width": 190}
    fixed = control(row.select_slider, "slice_at", STEPS, mark=other or "–", **options)
    axis = {"tpr": grid.y, "fpr": grid.x}.get(along)
    top = min(grid.x.high, grid.y.high) if axis is None else axis.high
    top = 1.0 if along == "antidiagonal" else top  # where one rate is small the other is not
    floor = min(max(grid.x.floor, grid.y.floor) if axis is None else axis.floor, top / 10)
    scale = "linear" if grid.scale == "linear" else "log"
    return Line(along, fixed, scale, *slice_points(along, fixed, scale=scale, floor=floor, top=top))


def _from_former_address() -> None:
    """The nearest step to a rate that an address of formulas alone named ``at``."""
    asked, known = st.query_params.get("at"), "slice_at" in st.session_state or "slice_at" in st.query_params
    if asked is not None and not known:
        with suppress(ValueError):
            st.session_state["slice_at"] = min(STEPS, key=lambda step: abs(step - float(asked)))


def _selected(view: View, along: str) -> dict[str, float]:
    """The running rate of the selected terms, near the line or not."""
    terms = view.learned.terms
    running = terms.fpr if along == "fpr" else terms.tpr
    place = {term: index for index, term in enumerate(terms.terms)} if view.chosen else {}
    return {term: float(running[place[term]]) for term in view.chosen}


def _terms_near(view: View, along: str, fixed: float) -> tuple[np.ndarray, int]:
    """The running rate of terms near the line."""
    terms = view.learned.terms
    running, other = (terms.tpr, terms.fpr) if along != "fpr" else (terms.fpr, terms.tpr)
    at = {"diagonal": running, "antidiagonal": 1 - running}.get(along, np.full(len(terms), fixed))
    least = (view.grid.y if along == "fpr" else view.grid.x).floor
    a, b = np.maximum(other, least), np.maximum(at, least)
    near = (a <= b * NEAR) & (b <= a * NEAR)
    return running[near], int(near.sum())

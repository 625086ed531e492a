"""A network that is told more than tpr and fpr: its surface over two inputs that one picks, sliders for the rest."""

import streamlit as st

from ltw_core.figures import input_surface
from ltw_core.insight import contributing, input_plane, middle, seen_of_terms
from ltw_core.weighting.learned.inputs import INPUTS, PAPER
from pages._ui import words
from pages._ui.controls import control
from pages._ui.plots.plot import plot
from pages._ui.workbench.shape_view import View
from pages._ui.workbench.shares import signed

TERMS = 150  # most contributing ones, as points


def has_other_inputs(view: View) -> bool:
    """Whether a network has learned, alone, from two or more inputs that are not the paper's."""
    seen = getattr(view.learned.weighting, "seen", None)
    return seen is not None and not view.learned.weighting.is_mean and len(seen.inputs) > 1 and seen.inputs != PAPER


def show(view: View) -> None:
    """Two axes, a slider for each of the other inputs, the surface and the terms."""
    weighting, terms = view.learned.weighting, view.learned.terms
    told, titles = seen_of_terms(weighting), {name: INPUTS[name].title for name in weighting.seen.inputs}
    left, right = st.columns(2)
    x = control(left.selectbox, "input_x", titles, filter_mode=None)
    rest = {name: title for name, title in titles.items() if name != x}
    if st.session_state.get("input_y") not in rest:
        st.session_state.pop("input_y", None)
    y = control(right.selectbox, "input_y", rest, filter_mode=None)
    fixed = {}
    others = [name for name in titles if name not in (x, y)]
    for name, place in zip(others, st.columns(max(1, min(3, len(others)))) * len(others), strict=False):
        low, high = float(told[name].min()), float(told[name].max())
        fixed[name] = low
        if high > low:
            usual = middle(told[name], terms.document_frequency)
            asked = {"like": "input_at", "mark": titles[name], "step": (high - low) / 100, "format": "%.3f"}
            fixed[name] = control(place.slider, f"input_at_{name}", low, high, value=usual, **asked)
    plane = input_plane(weighting, x, y, fixed)
    index = contributing(abs(signed(view.learned)), terms, TERMS)
    at = [told[x][index], told[y][index]]
    figure = input_surface.plain(
        plane, terms.terms[index], at, view.learned.cd[index], titles=(titles[x], titles[y]), base=words.base()
    )
    plot(figure, "shapes_inputs", live=True)
    still = [titles[name] for name in others if told[name].max() == told[name].min()]
    st.caption(
        f"Points: the {len(index)} terms that contribute most, at their own weights."
        + (f" The same for all terms of this class: {', '.join(still)}." if still else ""),
        help="A point lies off the surface where its other inputs differ from the sliders, which begin at the median "
        "weighted by document frequency.",
    )

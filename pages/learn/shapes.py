"""What was learned, compared with formulas: its shape, which formula is similar, what it does, how it came about."""

from functools import partial

import streamlit as st

from pages._ui import choices, loading, words
from pages._ui.controls import control
from pages._ui.learn import (
    shape_formula,
    shape_paper,
    shape_properties,
    shape_ranks,
    shape_slices,
    shape_surfaces,
    shape_time,
    shape_variants,
)
from pages._ui.learn.shape_view import View
from pages._ui.learn.sources import choose
from pages._ui.reader import selection

words.header(
    "which shape was learned?",
    "The learned weighting and the formulas, on the same axes, with the same camera and scale: turn one and all "
    "turn. Points are the class's terms; where there are none, the surface is extrapolation and loses its colour.",
)

dataset = selection.dataset()
if loading.ready(dataset) and selection.class_name() is not None:  # it may have become ready just now
    words.notes(loading.task(dataset, selection.class_name()))

first, second, third = st.columns([1.25, 1, 1], gap="medium")
with first:
    learned = choose(dataset, selection.class_name())
if learned is None:
    shape_paper.show()
    st.stop()
with second:
    names = choices.functions(
        "Compare with",
        choices.FORMULAS["shapes"],
        "beside",
        5,
        "Formulas to compare with. For one class IG is GR times a constant.",
    )
with third:
    chosen = selection.term_picker(learned.terms, "shape_terms")
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    scale, region = choices.scale(), choices.region()
    faded = control(st.toggle, "fade", value=True)
    one_scale = control(st.toggle, "one_scale")

view = View(learned, tuple(names), tuple(chosen), scale, region, faded, "rms" if one_scale else "auto")
parts = {
    "Surfaces": shape_surfaces.show,
    "Which formula?": shape_formula.show,
    "Slices": shape_slices.show,
    "Properties": shape_properties.show,
    "Time machine": shape_time.show,
    "Ranks": shape_ranks.show,
}
if shape_variants.has_one_weight_a_term(view):
    parts["One weight a term"] = shape_variants.one_weight_a_term
if shape_variants.has_learned_dd(view):
    parts["Occurrences"] = shape_variants.occurrences
parts["The paper’s figures"] = shape_paper.show
PICKS = ("Surfaces", "Which formula?", "Ranks", "One weight a term")  # where a click on a point selects its term


def shown(name: str) -> None:
    """The content of a tab."""
    parts[name](view)
    if name in PICKS:
        shape_surfaces.documents(view)


words.tabs("part", {name: partial(shown, name) for name in parts})

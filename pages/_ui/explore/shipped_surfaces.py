"""The surfaces of the first page: what was learned for a class, next to formulas, from the shipped examples."""

from dataclasses import replace

import streamlit as st

from ltw_core.figures import PlaneView, SurfacePanel, surfaces, term_grid
from ltw_core.insight import canonical_function
from ltw_core.studies.examples import examples
from ltw_core.weighting import CD
from pages._ui import choices
from pages._ui.plots.plot import Ready, ready
from pages._ui.weightings.learned import shipped


def title(name: str) -> str:
    info = next(i for i in examples() if i.name == name)
    return f"{info.class_title} · {info.corpus_title.split(' (')[0].split(',')[0]}"


@st.cache_resource(max_entries=16, show_spinner=False)
def drawing(name: str, base: str) -> Ready:
    """The figure of a shipped example."""
    learned = shipped(name)
    terms = learned.terms
    grid = term_grid(terms, region="terms", scale="log")
    panels = [learned.panel(grid, "learned")]
    for function in (CD[name] for name in choices.FORMULAS["start"]):
        panels.append(SurfacePanel.of(function.symbol, canonical_function(function, terms), grid, "a formula"))
    view = PlaneView(terms.prevalence, learned.title, base, uirevision=learned.key)
    narrow = surfaces.plain(panels, grid, terms, replace(view, columns=2, width=420, labels=2))
    return ready(surfaces.plain(panels, grid, terms, view), "start", narrow)

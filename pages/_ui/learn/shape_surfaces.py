"""The learned surface large, the formulas next to it, all again from above; a click opens a term's documents."""

from dataclasses import replace
from typing import NamedTuple

import streamlit as st

from ltw_core.figures import SurfacePanel, html
from ltw_core.insight import Similarity, similarity
from pages._ui import choices, words
from pages._ui.documents import documents_view
from pages._ui.downloads import offer
from pages._ui.guard import plain
from pages._ui.learn.shape_view import View
from pages._ui.learn.texts import text
from pages._ui.plots.cached_figures import contours, figure_of, surfaces
from pages._ui.plots.plot import Ready, plot
from pages._ui.reader import selection
from pages._ui.training import run_words


def show(view: View) -> None:
    learned, chosen = view.learned, tuple(view.chosen)
    drawn = _figures(
        (learned.key, view.names, chosen, view.scale, view.region, view.faded, view.heights, words.base()), view
    )
    plot(drawn.surfaces, "shapes_3d", live=True, narrow=drawn.narrow_surfaces, on_pick=selection.pick)
    if learned.surface is None:
        sign = ", by magnitude, since each one's sign is free" if learned.variant == "LTW-G-I" else ""
        st.caption(
            f"{learned.label} has no surface: each term has a weight of its own. Points are coloured by weight{sign}."
        )
    said = (learned.provenance, run_words.saturated(learned.weighting), _canonical(1 + len(view.names), view.heights))
    st.caption(" ".join(filter(None, said)))
    st.subheader("From above", anchor=False)
    plot(drawn.maps, "shapes_2d", live=True, narrow=drawn.narrow_maps, on_pick=selection.pick)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        page = lambda: html(figure_of(drawn.surfaces), "ltw-shapes")  # noqa: E731
        offer("Surfaces (HTML)", "ltw-shapes.html", page, "A page of its own that turns without this app.")
        st.caption(
            "Click a point to select its term: it is named in every figure, on every page, and its documents open."
        )


class Drawn(NamedTuple):
    """The same panels as surfaces and from above, each for a wide and a narrow page."""

    surfaces: Ready
    narrow_surfaces: bytes
    maps: Ready
    narrow_maps: bytes


@st.cache_resource(max_entries=8, show_spinner=False)
def _figures(key: tuple, _view: View) -> Drawn:
    """Drawn once for a choice: a rerun for anything else on the page finds them done."""
    content = (_panels(_view), _view.grid, _view.learned.terms)
    shown = _view.shown(heights=_view.heights, uirevision=f"{_view.scale}-{_view.region}-{len(content[0])}")
    return Drawn(
        surfaces(*content, replace(shown, hero=True)),
        surfaces.layout(*content, replace(shown, columns=2, width=420, labels=2)),
        contours(*content, replace(shown, hero=True)),
        contours.layout(*content, replace(shown, columns=2, points=False)),
    )


def documents(view: View) -> None:
    """The documents that hold the selected term, their words shaded by weight."""
    if not view.chosen:
        return
    task = view.task()
    if task is None:
        st.info(
            f"The documents of {plain(view.learned.title)} are not open here: choose its corpus and class in the "
            "sidebar to read those that hold the term.",
            icon=":material/article:",
        )
        return
    term = view.chosen[-1]
    st.subheader(f"Documents that hold “{plain(term)}”", anchor=False)
    if st.session_state.get("_documents_of") != (view.learned.key, term):
        st.session_state["_documents_of"] = (view.learned.key, term)
        documents_view.look_for(term)
    if "doc_weightings" not in st.session_state:
        st.session_state["doc_weightings"] = [view.learned.source, choices.WEIGHTINGS["documents"][0]]
    documents_view.reader(task, view.learned.dataset)


def _panels(view: View) -> list:
    learned, terms = view.learned, view.learned.terms
    alike = {r.name: r for r in similarity(learned.cd, view.weights, terms.document_frequency)}
    panels = [learned.panel(view.grid, "learned")]
    return panels + [SurfacePanel.of(n, form, view.grid, _similarity(alike[n])) for n, form in view.formulas.items()]


def _similarity(row: Similarity) -> str:
    return f"R² {row.r2:.2f}" if row.factor > 0 else "opposite sign"


def _canonical(count: int, heights: str) -> str:
    each = count > 1 and heights == "auto"
    scaled = "; side by side each is scaled to its strongest term in view" if each else ""
    return text("canonical", scaled=scaled)

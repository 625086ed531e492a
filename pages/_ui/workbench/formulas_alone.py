"""Formulas alone on the stage, at a prevalence and a number of documents that the reader chooses, and one's own."""

from dataclasses import replace
from typing import Any

import streamlit as st

from ltw_core.figures import html, surface_grid
from ltw_core.weighting import logarithm, power
from pages._ui import choices
from pages._ui.controls import choose_one, control
from pages._ui.downloads import offer
from pages._ui.guard import plain, sentences
from pages._ui.plots.cached_figures import figure_of
from pages._ui.workbench import contingency_table, functions_view, on_stage, own_editor, sculpt_view, shape_properties
from pages._ui.workbench.formula_shapes import FormulasView, view_of
from pages._ui.workbench.function_surfaces import (
    Setting,
    defaults,
    follow_thumbs,
    panels,
    prevalence_and_size,
    terms_in,
)
from pages._ui.workbench.function_surfaces import show as draw
from pages._ui.workbench.shape_surfaces import FINE, documents, terms_row
from pages._ui.workbench.stage import DIFFERENCE, FORMERLY, Picture, film_of_example, part_row
from pages._ui.workbench.stage import PARTS as VIEWS

POWERS = {"ln": "ln(1+cd)", 1 / 3: "⅓", 1 / 2: "½", 1: "1", 2: "2", 3: "3"}
PARTS = {
    "checks": "Checks",
    "formulas": "Formulas",
    "powers": "Powers",
    "document": "Term frequency",
    "table": "Contingency table",
}
MOST = on_stage.MOST + 1
NO_CLASS = "Open a dataset to see what they do to its terms."
NO_FILM = "A formula has no film: nothing of it was learned."


def choose() -> list[str]:
    """Which formulas, as many as a learned weighting has room for beside it."""
    about = f"Up to {MOST}, side by side with common axes and camera."
    # the key is that of ``on_stage.FORMULAS``, written out: a lesson's addresses are checked by what stands here
    return choices.functions("Formulas", choices.FORMULAS["functions"], "functions", MOST, about)


def show(names: list[str], picture: Picture, task: Any) -> None:
    """The stage, and beside it what bends the surfaces."""
    if own_editor.sculpts():
        sculpt_view.show(names, picture, task, _stage)
        return
    if picture.view == "Film":
        with st.container(key="film"), sentences():
            if film_of_example(picture, NO_FILM):
                return
        picture = replace(picture, view="Surface")
    part = st.session_state.get("alone", st.query_params.get("alone"))
    from_table = picture.view == "Properties" and part in ("table", PARTS["table"])
    likeness = st.session_state.get("likeness", st.query_params.get("likeness"))
    on_documents = task is not None and picture.view == "Likeness" and likeness not in ("difference", DIFFERENCE)
    place, side = st.columns([2, 1], gap="medium")
    with side, st.container(key="inspector"):
        own = own_editor.switch(st)  # first, so that it is seen
        if own == own_editor.FORMULA:
            own_editor.field()
        p, n = prevalence_and_size(task, st, st, disabled=from_table or on_documents)
        if on_documents:
            p, n = task.prevalence, task.n_documents
        k = 1 if own else control(st.select_slider, "power", POWERS, value=1)  # one's own has its power with the rest
    by_power = {
        each: [logarithm(f) if each == "ln" else power(f, each) for f in map(choices.function, names)]
        for each in POWERS
    }
    changed = by_power[k]
    drafted = own_editor.draft(own) if own else None
    functions = changed if drafted is None else [*changed[: MOST - 1], drafted]
    if not functions:
        place.info("Choose one under *Formulas*.", icon=":material/function:")
        return
    region = picture.region if task is not None else "square"
    counts = contingency_table.table(task) if from_table else None
    if counts is not None and sum(counts.values()):
        setting, region = contingency_table.setting(counts), "square"
    else:
        setting = Setting(p=p, n=n, terms=terms_in(task, region))
    view = view_of(functions, setting, picture, task) if task is not None else None
    with place, st.container(key="stage"), sentences():
        lies_among_terms = setting.terms is not None and counts is None  # a lone point would leave all else grey
        rates = (setting.terms.tpr, setting.terms.fpr) if lies_among_terms else (None, None)
        # among terms the axes are those of the class, wherever prevalence and N are moved to
        at = (task.prevalence, task.n_documents) if lies_among_terms else (setting.p, setting.n)
        size = FINE if picture.view == "Map" else 48
        grid = surface_grid(*rates, *at, region=region, scale=picture.scale, size=size)
        _stage(picture, names, functions, grid, setting, task, view, side)
        if picture.view == "Surface" and drafted is None:
            follow_thumbs(panels(functions, grid, setting), functions, grid, setting, by_power)
    with side:
        st.caption("Pr(c) and N are those of the table." if from_table else defaults(task, p, n))
        if picture.view != "Properties" and not own:  # else what is done with one's own would be far below
            functions_view.written(names)
    if view is not None:
        terms_row(view.learned.terms, view)
        documents(view)
    if own:
        st.header("Your own", anchor=False)
        with sentences():
            own_editor.editor(task, own)


def _stage(
    picture: Picture,
    names: list[str],
    functions: list[Any],
    grid: Any,
    setting: Setting,
    task: Any,
    view: FormulasView | None,
    side: Any = None,
) -> None:
    """One of the views; ``view``: the functions on the class's terms, None where there is no class."""
    shown = picture.view
    if shown in ("Surface", "Map"):
        figure = draw("3d" if shown == "Surface" else "2d", panels(functions, grid, setting), grid, setting)
        about = "A page of its own that turns without this app."
        offer("Surfaces (HTML)", "ltw-functions.html", lambda: html(figure_of(figure), "ltw-functions"), about)
    elif shown == "Slice" and view is None:
        functions_view.along_a_line(functions, grid, setting)
    elif shown == "Likeness" and view is None:
        functions_view.differences(functions, grid, setting, None)
    elif shown == "Properties":
        _properties(names, functions, grid, setting, task, view, side)
    elif view is None:
        st.info(NO_CLASS, icon=":material/hourglass_empty:")
    else:
        VIEWS[shown](view)


def _properties(
    names: list[str], functions: list, grid: Any, setting: Setting, task: Any, view: FormulasView | None, side: Any
) -> None:
    with part_row():
        part = choose_one("alone", PARTS, "checks", label_visibility="collapsed", formerly=FORMERLY)
    if part == "checks" and view is not None:
        shape_properties.show(view)
    elif part in ("checks", "formulas"):
        if part == "checks":
            st.info(NO_CLASS, icon=":material/hourglass_empty:")
        functions_view.notes(names, task)
    elif part == "document":
        functions_view.within_a_document(task)
    elif part == "table":
        draw("3d", panels(functions, grid, setting), grid, setting)
        contingency_table.sliders(task, functions, side or st.container())
    elif task is None:
        st.info(NO_CLASS, icon=":material/hourglass_empty:")
    else:
        function = choices.function(names[0]) if names else functions[0]
        if len(functions) > 1:
            st.markdown(f"Powers of {plain(function.symbol)}, the first of the formulas chosen.")
        functions_view.transforms(function, task)

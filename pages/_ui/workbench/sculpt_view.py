"""Sculpt: the board, the surface in any of the stage's views, its F1 and its strongest terms beside each other."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ltw_core.figures import surface_grid
from pages._ui import words
from pages._ui.controls import control
from pages._ui.guard import plain, sentences
from pages._ui.weightings import quick_f1
from pages._ui.workbench import own_editor, sculpting, transplanting
from pages._ui.workbench.formula_shapes import view_of
from pages._ui.workbench.function_surfaces import Setting, terms_in
from pages._ui.workbench.stage import Picture


def show(names: list[str], picture: Picture, task: Any, stage: Callable) -> None:
    """Sculpt a cd; ``names``: what its F1 is compared with; ``stage`` draws a view of functions."""
    board, place, side = st.columns([1.15, 1.15, 0.9], gap="medium")
    with side, st.container(key="inspector"):
        own_editor.switch(st)
    with board, sentences():
        sculpting.show(task, picture.scale)
    composed = own_editor.drafted(own_editor.SCULPT)
    drafted = composed.function
    p, n = (task.prevalence, task.n_documents) if task is not None else sculpting.AT_NO_CLASS
    region = picture.region if task is not None else "square"
    setting = Setting(p=p, n=n, terms=terms_in(task, region))
    rates = (task.tpr, task.fpr) if setting.terms is not None else (None, None)
    grid = surface_grid(*rates, p, n, region=region, scale=picture.scale)
    with side, sentences():  # before the stage: drawing that in 3D would have the F1 of a stroke wait for it
        if task is None:
            st.info("Open a dataset to see its F1.", icon=":material/hourglass_empty:")
        else:
            quick_f1.show(task, sculpting.compared(composed, names), "sculpt_f1", {"constant": "LogTF"})
            st.caption(f"What contributes most to {plain(words.class_label(task))}")
            transplanting.strongest(drafted, composed.dd, task, "sculpt_terms")
    with place, st.container(key="stage"), sentences():
        view = view_of([drafted], setting, picture, task) if task is not None else None
        stage(picture, [], [drafted], grid, setting, task, view)
    st.header("Keep it", anchor=False)
    with sentences():
        own_editor.editor(task, own_editor.SCULPT)
    st.header("Transplant it", anchor=False)
    if control(st.toggle, "sculpt_transplant"):
        with sentences():
            sculpting.transplant(composed, names)

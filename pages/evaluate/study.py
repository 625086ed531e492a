"""Whole collections: the paper's tables and ours, their tests, and running a study."""

import streamlit as st

from pages._ui import words
from pages._ui.controls import choose_one
from pages._ui.evaluate import study_figures, study_run, study_source, study_views
from pages._ui.guard import sentences

VIEWS = {
    "Tables": study_views.tables,
    "Significance": study_views.significance,
    "Ranks": study_figures.ranks,
    "By class": study_figures.by_class,
    "Time": study_figures.seconds,
    "Where we differ": study_views.differences,
    "Run a study": None,
}

words.header(
    "the paper's tables, computed again",
    "Every weighting with every classifier on whole collections: the published figures, ours next to them, and what a "
    "test of significance says of both.",
)
view = choose_one("study", list(VIEWS), "Tables", label_visibility="collapsed", width="stretch")
with sentences():
    study_run.progress(brief=view != "Run a study")
    if view == "Run a study":
        study_run.page()
    else:
        controls = st.container(horizontal=True, gap="medium", vertical_alignment="bottom")
        with controls:
            source = study_source.choose()
        VIEWS[view](study_source.load(source), controls)

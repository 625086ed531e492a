"""Whole collections: the paper's tables and ours, their tests, and running a study."""

import streamlit as st

from pages._ui import words
from pages._ui.controls import choose_one
from pages._ui.evaluate import (
    study_answer,
    study_beyond,
    study_claims,
    study_closer,
    study_figures,
    study_run,
    study_source,
    study_views,
)
from pages._ui.guard import sentences
from pages._ui.reader import mode

ABOUT = "do the paper's tables hold?"
VIEWS = {
    "Tables": study_views.tables,
    "Significance": study_views.significance,
    "Ranks": study_figures.ranks,
    "By class": study_figures.by_class,
    "Looking closer": study_closer.show,
    "Time": study_figures.seconds,
    "Claims": study_claims.show,
    "Where we differ": study_views.differences,
    "Beyond the paper": study_beyond.show,
    "Run a study": None,
}

LEAD = "Every weighting with every classifier on whole collections: the paper's figures, and ours beside them."

head = st.container()
view = choose_one("study", list(VIEWS), "Tables", label_visibility="collapsed", width="stretch")
titled = False
with sentences():
    study_run.progress(brief=view != "Run a study")
    if view == "Run a study":
        study_run.page()
    else:
        controls = st.container(horizontal=True, gap="medium", vertical_alignment="center")
        with controls:
            settings = controls
            if mode.full():
                settings = st.popover("Settings", icon=":material/settings:", key="study_settings")
        with settings:
            data = study_source.one_way(study_source.load(study_source.choose()))
        with head:
            words.title(ABOUT)
            found, more = study_answer.answer(data)
            words.lead(found or LEAD, f"{LEAD} {more}" if found else "")
        titled = True
        VIEWS[view](data, study_views.Row(controls, settings))
if not titled:
    with head:
        words.header(ABOUT, LEAD)

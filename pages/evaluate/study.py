"""Whole collections: what the paper claims, its tables and ours, their tests, and running a study."""

import streamlit as st

from pages._ui import words
from pages._ui.controls import choose_one
from pages._ui.evaluate import (
    study_alignment,
    study_answer,
    study_beyond,
    study_claims,
    study_closer,
    study_figures,
    study_run,
    study_source,
    study_universal,
    study_views,
)
from pages._ui.guard import sentences
from pages._ui.reader import mode
from pages._ui.streamlit_fixes.rerun import run_again

ABOUT = "does the paper hold up?"
VIEWS = {
    "Claims": {"Claims": study_claims.show},
    "Tables": {
        "Tables": study_views.tables,
        "Significance": study_views.significance,
        "Ranks": study_figures.ranks,
        "Time": study_figures.seconds,
        "Where we differ": study_views.differences,
    },
    "Classes": {"By class": study_figures.by_class, "Looking closer": study_closer.show},
    "Beyond the paper": {
        "Against TFRF": study_beyond.show,
        "One formula": study_universal.formula,
        "One network": study_universal.joint,
        "Averaged runs": study_beyond.averaged_runs,
        "Alignment": study_alignment.show,
    },
    "Run a study": {},
}
SHOWN = {"Tables": "F1", "By class": "F1 by class"}  # what a group calls its views
ANSWERS = {"Claims": study_claims.answer, "Tables": study_answer.answer}
LEAD = "Every weighting with every classifier on whole collections: the paper's figures, and ours beside them."
LEADS = {
    "Classes": "Class by class: F1 against how frequent the class is, or two weightings compared, down to the "
    "documents that they decide differently.",
    "Against TFRF": "Weightings that the paper does not have: means of training runs, other inputs, other ways to "
    "stop, surfaces that classes share. Each is compared with TFRF over the same classes. Is one better?",
    "One formula": "The mean of what a corpus's classes learned resembles a short formula. Does that formula weigh the "
    "terms of all classes, on this corpus and on the others, as well as TFRF does?",
    "One network": "A single network is learned from half of a corpus's classes at once, with a classifier for each, "
    "and weights the documents of the others. Is it better than the mean of the surfaces that the same classes learned "
    "separately?",
    "Averaged runs": "Two training runs of a class differ by chance: in their first weights, batches and dropout. What "
    "does the mean of several surfaces gain, and which part of chance does it remove?",
    "Alignment": "Alignment asks without a classifier whether a class’s documents are alike under a weighting. Does it "
    "predict the F1 of an SVM?",
    "Run a study": "Compute F1 of weightings and classifiers on whole collections. A study runs in the background, "
    "resumes where it was interrupted, and its figures appear in the tables. What it takes is estimated before.",
}


def part_key(group: str) -> str:
    """Under which key the views of a group are chosen, and stand in the address."""
    return f"study_{group.lower().split()[0]}"


def open_former() -> None:
    """Open what an address meant before views had groups, when one that named no view opened the tables."""
    asked = st.query_params.get("study", "" if st.query_params.keys().isdisjoint(("cells", "measure")) else "Tables")
    group = next((group for group, views in VIEWS.items() if asked in views), asked)
    if "study" in st.session_state or asked == st.query_params.get("study") == group or not asked:
        return
    st.query_params["study"] = group
    if asked != group:
        st.query_params[part_key(group)] = SHOWN.get(asked, asked)
    run_again()


open_former()
head = st.container(key="study_head")
group = choose_one("study", list(VIEWS), "Claims", label_visibility="collapsed")
titled = False
with sentences():
    study_run.progress(brief=group != "Run a study")
    if group == "Run a study":
        study_run.page()
    else:
        views = {name: SHOWN.get(name, name) for name in VIEWS[group]}
        view = next(iter(views))
        controls = st.container(horizontal=True, gap="medium", vertical_alignment="center", key="study_line")
        with controls:
            if len(views) > 1:
                view = choose_one(part_key(group), views, view, like="study_part", label_visibility="collapsed")
            settings = controls
            if mode.full():
                settings = st.popover("Settings", icon=":material/settings:", key="study_settings")
        with settings:
            data = study_source.one_way(study_source.load(study_source.choose()))
        with head:
            words.title(ABOUT, of_class=False)
            found, more = ANSWERS[group](data) if group in ANSWERS else ("", "")
            words.lead(found or LEADS.get(view, LEADS.get(group, LEAD)), f"{LEAD} {more}" if found else "")
        titled = True
        VIEWS[group][view](data, study_views.Row(controls, settings))
if not titled:
    with head:
        words.title(ABOUT, of_class=False)
        words.lead(LEADS.get(group, LEAD))

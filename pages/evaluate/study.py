"""Whole collections: what the paper claims, its tables and ours, their tests, and running a study."""

import streamlit as st

from pages._ui import sheets, words
from pages._ui.controls import choose_one
from pages._ui.evaluate import (
    study_alignment,
    study_answer,
    study_beyond,
    study_claims,
    study_closer,
    study_corpus,
    study_figures,
    study_run,
    study_significance,
    study_source,
    study_universal,
    study_views,
)
from pages._ui.guard import sentences
from pages._ui.reader import mode
from pages._ui.streamlit_fixes.rerun import run_again

TITLES = {  # the question that a view answers
    "Claims": "does the paper hold up?",
    "Tables": "how close to the paper?",
    "Significance": "which differences are significant?",
    "Ranks": "which weighting is best?",
    "Time": "how long does it take?",
    "Where we differ": "where do we differ, and why?",
    "By class": "which classes are hard?",
    "Looking closer": "which classes make the difference?",
    "Against TFRF": "does anything beat TFRF?",
    "One formula": "does one formula fit all classes?",
    "One network": "does one network fit all classes?",
    "Averaged runs": "is the mean of several runs better?",
    "Alignment": "does alignment predict F1?",
    "Run a study": "compute your own scores",
}
VIEWS = {
    "Claims": {"Claims": study_claims.show},
    "Tables": {
        "Tables": study_views.tables,
        "Significance": study_significance.show,
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
SETTLED = ("One formula", "One network", "Averaged runs")  # of files of their own: there is nothing to choose
SHOWN = {"Tables": "F1", "By class": "F1 by class"}  # what a group calls its views
ANSWERS = {"Claims": study_claims.answer, "Tables": study_answer.answer}  # by view
LEAD = "F1 of each weighting with each classifier, over all classes of a corpus: the paper’s results and ours."
LEADS = {  # what a view is of: below the title until it has an answer, then behind that one's question mark
    "Significance": "Wilcoxon signed-rank tests of the learned weightings against all others, paired by corpus and "
    "classifier.",
    "Ranks": "Mean rank of each weighting by F1, over pairs of corpus and classifier. A bar joins weightings that do "
    "not differ significantly by Nemenyi’s test over all of them.",
    "Time": "F1 against computing time per class, for each weighting and classifier.",
    "Where we differ": "Our scores that differ from the paper’s by more than .02, and the reasons.",
    "By class": "**Rare classes are hard for every weighting.** Each point is a class: its F1 over its share of the "
    "test documents.",
    "Looking closer": "Two weightings compared class by class, down to the documents on which they disagree.",
    "Against TFRF": "Weightings beyond the paper, among them averages of training runs and surfaces shared by classes.",
    "One formula": "Averaged over the classes of a corpus, the learned surface resembles a short formula, which is "
    "compared with TFRF, here and on other corpora.",
    "One network": "One network is trained on half of the classes and weights terms for the rest. It is compared with "
    "the mean of surfaces learned class by class.",
    "Averaged runs": "Training runs differ by chance: initial weights, batches, dropout.",
    "Alignment": "Alignment measures, without a classifier, how similar the documents of a class are under a "
    "weighting. It is compared with the F1 of an SVM.",
    "Run a study": "Compute F1 of weightings and classifiers on whole corpora, in the background. An interrupted study "
    "can be resumed.",
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


def _title(view: str) -> None:
    with head:
        words.title(TITLES.get(view, TITLES["Claims"]), of_class=False)
        words.lead(LEADS.get(view, LEAD))


group = choose_one("study", list(VIEWS), "Claims", **sheets.turning("study"))
titled = group == "Run a study"
if titled:
    _title(group)
st.html(study_corpus.NO_DATASET + study_corpus.NO_CLASS + sheets.NOTES)  # both are chosen on the page
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
                part = part_key(group)
                view = choose_one(part, views, view, like="study_part", **sheets.turning(part, views.get))
            with head:  # before anything is read: what follows begins where it will stay
                words.title(TITLES[view], of_class=False)
            titled = True
            settings = controls
            settled = view in SETTLED and not study_source.studied()
            if mode.full() and not settled:
                settings = st.popover("Settings", icon=":material/settings:", key="study_settings")
        with settings:
            asked = "both" if settled else study_source.choose()
        data = study_source.load(asked)  # below the line: an empty one would have room until the run ends
        if not settled:
            with settings:
                data = study_source.one_way(data)
        told = []

        def answer(said: str, more: str = "") -> None:
            told.append(said)
            with head:
                words.lead(said, f"{LEADS.get(view, LEAD)} {more}".strip())

        if view in ANSWERS and (found := ANSWERS[view](data))[0]:
            answer(*found)
        try:
            VIEWS[group][view](data, study_views.Row(controls, settings, answer))
        finally:  # also of one that has but a sentence to say
            if not told:
                with head:
                    words.lead(LEADS.get(view, LEAD))
if not titled:
    _title(group)

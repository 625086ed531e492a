"""Train a weighting for the class at hand and watch it: losses, validation F1, the surface, the strongest terms."""

import streamlit as st

from pages._ui import loading, words
from pages._ui.controls import control
from pages._ui.guard import sentences
from pages._ui.learn import hyperparameters, training_controls
from pages._ui.learn.history_view import history
from pages._ui.learn.training_view import ended, live
from pages._ui.reader import selection
from pages._ui.training import lookup

words.header(
    "learn a weighting from documents",
    "A small network learns what a term should weigh, by training a classifier through it. Press **Train** and watch "
    "the surface rise: height is the weight of a term that a share tpr of the class’s documents and a share fpr of all "
    "others hold.",
)

dataset = selection.dataset()
task = loading.task(dataset, selection.class_name(), hyperparameters.ratio())
words.notes(task)

controls, view = st.columns([1, 3], gap="large")
with controls, st.container(key="controls"):
    variant = training_controls.variant()
    start_from = hyperparameters.start_from(variant)
    seeds = training_controls.seeds()
    device = hyperparameters.device()
    actions = st.container()  # above the hyper-parameters, so that opening these does not move them
    parameters, changed = hyperparameters.hyperparameters(variant, task, start_from)
    parameters |= {"device": device, "random_state": seeds[0]}


@st.fragment  # Train runs this and not the whole page, so that its first point is there sooner
def training() -> None:
    at_start = training_controls.at_start(dataset, task.class_name)  # after a reset there is nothing to show
    run = None if at_start else lookup.current(dataset, task.class_name)
    group = lookup.siblings(run)
    begins, asked = False, parameters
    with actions, sentences():
        asked, why = training_controls.placed(parameters, len(seeds))
        too_large = training_controls.too_large(task, asked)
        # no callback: its arguments would be those of the last whole run of this page, and a seed just typed be missed
        look = {"type": "primary", "icon": ":material/play_arrow:", "width": "stretch"}
        train = control(st.button, "train", disabled=bool(too_large), **look)
        step = training_controls.stepped(group)
        if (train or step) and not too_large:
            # what is asked for while it is on show is wanted anew; what was computed before for anyone is found
            again = step or at_start or training_controls.shows(run, asked, task)
            with sentences():  # refused: what there is goes on
                run = training_controls.start(dataset, task, asked, changed, seeds, step=step, again=again)
                group, begins = lookup.siblings(run), True  # and no rerun, which would put the live figures up anew
        training_controls.hold(group, begins)
        if too_large:
            st.warning(too_large, icon=":material/memory:")
        else:
            st.caption(training_controls.expected(task, asked, len(seeds)) + (f" {why}." if device == "auto" else ""))
    live(run, group, task, asked, begins)
    if run is not None:
        ended(run)


with view, st.container(key="live"):
    training()
with st.container(key="history"), sentences():
    history(dataset, task)

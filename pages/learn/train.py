"""Train a weighting for the class at hand and watch it: losses, validation F1, the surface, the strongest terms."""

import streamlit as st

from ltw_core.experiments.jobs import manager
from ltw_core.weighting import method, methods
from pages._ui import loading, runs, selection, words
from pages._ui.guard import plain, sentences
from pages._ui.hyperparameters import hyperparameters
from pages._ui.training_view import ended, live, waiting

words.header(
    "Train a weighting",
    "A small network learns what a term should weigh, by training a classifier through it. Press **Train** and watch "
    "the surface rise: height is the weight of a term at its (fpr, tpr).",
)

dataset = selection.dataset()
task = loading.task(dataset, selection.class_name())
for note in task.notes:
    st.warning(plain(note), icon=":material/warning:")


def stop(run: runs.Run) -> None:
    manager().cancel(run.job)


controls, view = st.columns([1, 3.2], gap="large")
run = runs.current(dataset, task.class_name)
active = run is not None and run.job.active
with controls, st.container(key="controls"):
    variant = st.selectbox(
        "Method",
        methods("LTW"),
        format_func=lambda name: method(name).display,
        index=methods("LTW").index("LTW-L-I"),
        key="method",
        bind="query-params",
        filter_mode=None,
        help="L: one function of (tpr, fpr) for all terms. G: a weight for each term on its own. σ: weights between 0 "
        "and 1. I: any weight. TF: also learns what an occurrence counts.",
    )
    st.caption(method(variant).description)
    seed = st.number_input(
        "Seed",
        min_value=0,
        max_value=2**31 - 1,
        value=0,
        step=1,
        key="seed",
        bind="query-params",
        help="Initial weights, batches and dropout follow from it: the same seed gives the same result. Change it to "
        "see how much of a shape is chance.",
    )
    actions = st.container()  # above the hyper-parameters, so that opening these does not move them
    parameters, changed = hyperparameters(variant, task)
    parameters["random_state"] = int(seed)
    same = run is not None and run.parameters == parameters and active
with actions:
    # no callback: its arguments would be those of the last whole run of this page, and a seed just typed be missed
    if st.button(
        "Train",
        type="primary",
        icon=":material/play_arrow:",
        width="stretch",
        disabled=same,
        help="Starts in the background; it goes on while you look at other pages.",
        key="train",
    ):
        with sentences():
            st.query_params["run"] = runs.start(dataset, task, parameters, changed).id
        run = runs.current(dataset, task.class_name)  # and no rerun, which would put the live figures up anew
        active = run is not None and run.job.active
    st.button(
        "Stop",
        icon=":material/stop:",
        width="stretch",
        disabled=not (active and runs.mine(run.job)),
        on_click=stop,
        args=(run,),
        help="End the training now; the best step so far is kept. Only for trainings of this session.",
        key="stop",
    )

with view:
    if run is None:
        st.info(
            f"Nothing has been learned for **{plain(task.class_title)}** in this session yet. Here are its terms; "
            "with the paper's settings it takes seconds to weigh them.",
            icon=":material/model_training:",
        )
        with sentences():
            waiting(task)
    else:
        live(run)
        ended(run)

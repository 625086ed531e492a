"""How classifiers do with each weighting on the class at hand."""

import streamlit as st

from ltw_core.evaluation import GRIDS, learner, learners
from ltw_core.weighting import display, family, methods
from pages._ui import evaluations, loading, runs, selection, words
from pages._ui import own as composed
from pages._ui.evaluation_view import results
from pages._ui.guard import plain, sentences

CLASSIC = ["LogTFIDF", "BM25", "TFGR", "TFCHI", "TFRF"]
GRID_WORDS = {"quick": "Quick", "full": "Full, as in the paper"}

words.header(
    "Does it help?",
    "Classifiers learn from the weighted documents, are tuned on held-out training documents, and tested once. F1 on "
    "the test documents tells how good a weighting is for this class.",
)

dataset = selection.dataset()
task = loading.task(dataset, selection.class_name())
for note in task.notes:
    st.warning(plain(note), icon=":material/warning:")
run = runs.latest(dataset, task.class_name, finished=True)


def label(name: str) -> str:
    if name.startswith(evaluations.OWN_RUN):
        return f"{run.label} (yours)" if run is not None else "your run"
    return composed.label(name) if name.startswith(composed.PREFIX) else display(name)


own = [] if run is None else [f"{evaluations.OWN_RUN}{run.token}"]
named = list(composed.options())
offered = [*own, *named, *methods()]
default = [*CLASSIC, *named, *(own or ["LTW-L-I"])]
names = st.multiselect(
    "Weightings",
    offered,
    format_func=lambda name: label(name) if name in (*own, *named) else f"{display(name)} · {family(name)}",
    default=default,
    key=f"weightings-{dataset}-{task.class_name}-{''.join(own + named)}",  # a new training joins in
    wrap=True,
    help="UTW ignores the class, STW uses a formula of it, LTW learns the formula. Learned ones are trained first, "
    "unless you choose your own run.",
)
second, third, fourth = st.columns([3, 1.2, 1], gap="medium")
chosen = second.multiselect(
    "Classifiers",
    learners(),
    default=["SVM"],
    format_func=lambda name: learner(name).title,
    key="learners",
    bind="query-params",
    help="SVM and logistic regression take seconds; nearest neighbours and random forests longer.",
)
grid = third.segmented_control(
    "Grid",
    list(GRIDS),
    format_func=lambda g: GRID_WORDS[g].split(",")[0],
    default="quick",
    required=True,
    key="grid",
    bind="query-params",
    help="Quick tries a few settings of each classifier, full all those of the paper.",
)
seed = fourth.number_input(
    "Seed",
    0,
    2**31 - 1,
    0,
    key="evaluation_seed",
    bind="query-params",
    help="Of learned weightings and of the classifiers.",
)
plan = evaluations.Plan(tuple(names), tuple(chosen), grid, int(seed))
cells = len(names) * len(chosen)
if st.button(  # no callback: its arguments would be those of the last whole run of this page
    f"Evaluate {words.count(cells, 'cell')}",
    type="primary",
    icon=":material/play_arrow:",
    disabled=not cells,
    key="evaluate",
    help="In the background; what was computed before on this server is not computed again.",
):
    with sentences():
        st.session_state["evaluation"] = evaluations.start(dataset, task, plan).id
results(dataset, task, plan, label)

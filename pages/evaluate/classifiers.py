"""How classifiers do with each weighting on the class at hand."""

import streamlit as st

from ltw_core.evaluation import GRIDS, LEARNERS, learner, learners
from ltw_core.weighting import FAMILIES, display, methods
from ltw_core.weighting.methods import method
from pages._ui import choices, loading, words
from pages._ui.controls import choose_one, control
from pages._ui.evaluate import cell_view, comparison_view
from pages._ui.evaluate.evaluation_view import results
from pages._ui.evaluate.evaluations import Evaluation, Plan
from pages._ui.guard import sentences
from pages._ui.reader import own_weightings as composed
from pages._ui.reader import selection
from pages._ui.training import lookup
from pages._ui.weightings import estimators

RUNS = 8  # of one's own that are offered, the newest first
SLOW = {"CCA": "breeds a formula for the class, which takes minutes"}
VIEWS = {"documents": "Confusion and documents", "threshold": "Precision and recall", "versus": "Two weightings"}

words.header(
    "does it help?",
    "Classifiers learn from the weighted documents, are tuned on held-out training documents, and tested once. F1 on "
    "the test documents tells how good a weighting is for this class.",
)

dataset = selection.dataset()
task = loading.task(dataset, selection.class_name())
words.notes(task)
trained = {
    str(run.label): (option, run) for option, run in reversed(list(estimators.trained(dataset, task).items())[:RUNS])
}
newest_first = reversed(trained.values())
own_runs = {option: f"{run.label} ({lookup.ownership(run)})" for option, run in newest_first}
named = composed.options()


def label(name: str) -> str:
    return own_runs.get(name) or named.get(name) or ("your run" if estimators.is_fitted(name) else display(name))


chosen: list[str] = []
if own_runs or named:
    yours = [*own_runs, *named]
    key = f"yours-{dataset}-{task.class_name}-{''.join(yours)}"  # a new training joins in
    first = [*list(own_runs)[:1], *named]
    chosen += control(st.pills, key, yours, like="yours", selection_mode="multi", default=first, format_func=label)
for kind, text in FAMILIES.items():
    options = methods(kind)
    chosen += st.pills(
        f"{kind} · {text}",
        options,
        selection_mode="multi",
        default=[name for name in options if name in choices.WEIGHTINGS["classifiers"]],
        format_func=display,
        key=kind.lower(),
        bind="query-params",
        help=" ".join(f"**{display(name)}**: {method(name).description}" for name in options),
    )
for name in [name for name in chosen if name in SLOW]:
    st.caption(f":material/hourglass: {display(name)} {SLOW[name]}.")
titles = {name: learner(name).title + (" · with Dense only" if name not in learners() else "") for name in LEARNERS}
with_learners = control(st.pills, "learners", titles, selection_mode="multi", default=learners())
line = st.container(horizontal=True, vertical_alignment="bottom", gap="large")
grid = choose_one("grid", {name: name.capitalize() for name in GRIDS}, "quick", line)
seeds = control(line.slider, "seeds", 1, 10, 1, width=230)
evaluation = Evaluation(dataset, task, Plan(tuple(chosen), tuple(with_learners), grid, int(seeds)), label)
found: dict = {}
with sentences():
    wanted, (found, _) = evaluation.items, evaluation.results()
    missing = len(wanted) - len(found)
    if not wanted:
        text = "Choose a weighting and a classifier"
    elif not missing:
        text = f"All {words.count(len(wanted), 'cell')} known"
    elif found:
        text = f"Compute the {missing:,} of {words.count(len(wanted), 'cell')} that are missing"
    else:
        text = f"Evaluate {words.count(missing, 'cell')}"
    if line.button(  # no callback: its arguments would be those of the last whole run of this page
        text,
        type="primary",
        icon=":material/play_arrow:" if missing else ":material/check:",
        disabled=not missing,
        key="evaluate",
        help="In the background, one cell after the other. What was computed on this server before, by anyone, is not "
        "computed again.",
    ):
        st.session_state["evaluation"] = evaluation.start().id
cell_view.settle(found)
results(evaluation)

if found:
    st.subheader("What a classifier decided", anchor=False)
    with sentences():
        item = cell_view.choose(found, label)
        view = choose_one("look", VIEWS, "documents")
        if view == "versus":
            comparison_view.show(evaluation, item, found)
        elif (decided := cell_view.decisions(evaluation, item, found)) is not None:
            if view == "documents":
                cell_view.documents(task, item, decided)
            else:
                cell_view.threshold(task, item, decided, label)

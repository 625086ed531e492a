"""How classifiers do with each weighting on the class at hand."""

from functools import partial
from typing import Any

import streamlit as st

from ltw_core.evaluation import GRIDS, LEARNERS, learners
from ltw_core.service.job import Job
from ltw_core.weighting import display, methods
from ltw_core.weighting.methods import method
from pages._ui import choices, jobs, loading, sheets, to_view, words
from pages._ui.controls import choose_one, control
from pages._ui.evaluate import all_classes_view, cell_view, comparison_view, curve_view, weighting_choice
from pages._ui.evaluate.evaluation_example import TAKES, way_back
from pages._ui.evaluate.evaluation_view import FOLLOWED, numbers, results, state, verdict
from pages._ui.evaluate.evaluations import Evaluation, EvaluationPlan
from pages._ui.evaluate.missing_button import missing_button, stop_or_compute
from pages._ui.guard import sentences
from pages._ui.reader import mode, selection
from pages._ui.reader import own_weightings as composed
from pages._ui.terms_kept import selection_told, terms_kept
from pages._ui.training import lookup
from pages._ui.weightings import estimators

RUNS = 8  # of one's own that are offered, the newest first
_OTHERS = "first learns all other classes of the corpus, three times each: minutes, but only once for all classes"
SLOW = {name: _OTHERS for name in methods() if method(name).minutes}
SLOW["CCA"] = "breeds a formula for the class: minutes"
COUNTED = {"all": "All", "with_terms": "Those with a known term, as in the paper"}
SCOPES = {"one": "One class", "all": "All classes", "curve": "Learning curve"}
QUESTIONS = {"one": "does it help?", "all": "does it help all classes?", "curve": "how many labels?"}
LEAD = (
    "Is the learned weighting better than TFIDF for {}? Compare the test F1 of classifiers that learned with each "
    "weighting{}"
)
MISSING, COMING = ": **Compute** finds the scores that are missing.", "; the scores are being computed."
OF_A_CLASS = {"utw", "stw", "ltw", "learners", "look"}  # choices that an address names
VIEWS = {"documents": "Confusion matrix", "threshold": "Precision and recall", "versus": "Two weightings"}

st.html(sheets.NOTES)
head = st.container(key="classifiers_head")
with head:
    title = st.empty()
dataset = selection.dataset()
aligned = {"horizontal": True, "vertical_alignment": "center", "gap": "small"}
line = st.container(key="choices_line", **aligned)  # with the button that computes, which a phone has below the answer
bar = line.container(key="choices", **aligned)
# an address from when the curve stood below what is shown of a class, and of nothing else
of_the_curve = any(name.startswith("curve_") for name in st.query_params) and not OF_A_CLASS & {*st.query_params}
scope = choose_one("scope", SCOPES, "curve" if of_the_curve else "one", bar, **sheets.turning("scope", SCOPES.get))
with title.container():
    beside = words.title(QUESTIONS[scope])
every = loading.vectorized(dataset).every_test_document_counts  # then both ways of counting are the same
waiting = st.empty()
if scope == "one" and not st.session_state.get("_cells_drawn"):  # of the first heat map the cells are there at once
    waiting.html('<div class="ltw-cells"></div>')


def lead(of: str, comes: bool) -> str:
    """What the page asks, as long as nothing answers it."""
    return LEAD.format(of, COMING if comes else MISSING)


def settings() -> Any:
    """Where the settings of an evaluation go: folded in Full; what Simple shows of them stands in the line."""
    return bar.popover("Settings", icon=":material/settings:", key="evaluation_settings") if mode.full() else bar


def documents_that_count(where: Any) -> str:
    return "all" if every else choose_one("documents", COUNTED, "all", where)


if scope == "all":
    beside.empty()  # the class plays no part
    all_classes_view.show(dataset, partial(lead, "all classes"), head, (line, bar), settings, documents_that_count)
    st.stop()
if scope == "curve":
    curve_view.show(dataset, head, (line, bar), settings, documents_that_count)
    st.stop()
weightings = weighting_choice.drawer(bar, "evaluation_weightings")
with_which = bar.popover("Classifiers", icon=":material/call_split:", key="evaluation_learners")
place = settings()
task = loading.task(dataset, selection.class_name(), documents=documents_that_count(place))
trained = {
    str(run.label): (option, run) for option, run in reversed(list(estimators.trained(dataset, task).items())[:RUNS])
}
newest = dict(reversed(trained.values()))
own_runs = {option: f"{lookup.whose(run)}: {run.label}" for option, run in newest.items()}
called = lookup.in_brief(list(newest.values()), lookup.whose)
named = composed.options()
yours = own_runs | named
chosen: list[str] = []
if yours:
    key = f"yours-{dataset}-{task.class_name}-{''.join(yours)}"  # a new training joins in
    first = [*list(own_runs)[:1], *named]
    chosen += control(weightings.pills, key, yours, like="yours", selection_mode="multi", default=first)
usual = weighting_choice.by_family(weightings, choices.WEIGHTINGS["classifiers"])
for name in [name for name in usual if name in SLOW]:
    weightings.caption(f":material/hourglass: {display(name)} {SLOW[name]}.")
titles = {name: words.classifier(name) + (" · with Dense only" if name not in learners() else "") for name in LEARNERS}
meant = {"formerly": words.full_names(LEARNERS), "more": words.classifiers(LEARNERS)}
with_learners = control(with_which.pills, "learners", titles, selection_mode="multi", default=learners(), **meant)
terms_kept(task, place)
grid = choose_one("grid", {name: name.capitalize() for name in GRIDS}, "quick", place)
seeds = control(place.slider, "seeds", 1, 10, 1)
untouched = (set(usual), set(with_learners)) == (set(choices.WEIGHTINGS["classifiers"]), set(learners()))
if seeds == 1:  # what a run has learned alike is there once
    same = {estimators.same_as(name, task) for name in chosen}
    usual = [name for name in usual if name not in same]
of_run = [name for name in chosen if estimators.is_fitted(name)]
chosen = [*(name for name in chosen if name not in of_run), *usual, *of_run]  # what is learned stands together
with_seeds = bool(of_run) and seeds == 1 and any(map(estimators.is_learned, usual))
if with_seeds:  # which says what tells them apart
    called |= {option: f"{run.label} ({lookup.whose(run).lower()})" for option, run in newest.items()}


def label(name: str) -> str:
    if name in methods("LTW"):
        return display(name) + " · seed 0" * with_seeds
    return called.get(name) or named.get(name) or ("your run" if estimators.is_fitted(name) else display(name))


evaluation = Evaluation(dataset, task, EvaluationPlan(tuple(chosen), tuple(with_learners), grid, int(seeds)), label)
found, first = {}, None
with sentences():
    first = evaluation.begin(untouched and (grid, seeds) == ("quick", 1))
    jobs.expect_end_of(evaluation.job(), FOLLOWED)
    jobs.expect_end_of(first, FOLLOWED)
    wanted, (found, _) = evaluation.items, evaluation.results()
    total = len(wanted)
    rest = [item for item in wanted if item not in found]

    def compute(place: Any) -> Job | None:
        if not missing_button(
            place,
            "evaluate",
            total,
            len(rest),
            "F1 score",
            first=f"Compute {words.count(total, 'F1 score')}",
            help=f"Runs in the background: {TAKES}, longer while others compute here. What was computed on this server "
            "before, by anyone, is not computed again.",
            seconds=evaluation.seconds(rest),
        ):
            return None
        job = evaluation.start()
        st.session_state["evaluation"] = job.id
        jobs.expect_end(FOLLOWED)
        return job

    stop_or_compute(line, evaluation.job(), compute, partial(state, evaluation), first)
    way_back(evaluation, line)
settled = first is None or st.session_state.get(cell_view.PICKED)  # until the first scores are there nothing opens
if settled:
    cell_view.settle(evaluation, found, evaluation.job() is not None)
with head:
    comes = any(job is not None and job.active for job in (first, evaluation.job()))
    words.answer_or_lead(lead("this class", comes), *(verdict(evaluation) if settled else ("", "")))
    words.notes(task, fact=False)  # how many test documents hold no known term is told below the scores
    selection_told(task)
waiting.empty()
st.session_state["_cells_drawn"] = True
results(evaluation, first, found)

if found and settled:
    st.header("What a classifier decided", anchor=False)
    with sentences():
        line = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="cell_line")
        item = cell_view.choose(found, label, line)
        view = choose_one("look", VIEWS, "documents", line, formerly={"Confusion and documents": "documents"})
        if view == "versus":
            comparison_view.show(evaluation, item, found, line)
        elif (decided := cell_view.decisions(evaluation, item, found)) is not None:
            if view == "documents":
                cell_view.documents(task, item, decided)
            else:
                cell_view.threshold(task, item, decided, label)

numbers(evaluation)
to_view.scrolled_to()

"""All classes at once: what to compute, how far it is, accuracy and F1 of each classifier.

Leaves out what is taken for what, and the documents behind it (``all_classes_confusion``).
"""

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.evaluation import (
    GRIDS,
    MulticlassResult,
    decimals,
    describe,
    difference_over_classes,
    interval_over_classes,
    interval_text,
    learners,
    short_learner,
    verdict_on,
    verdicts,
)
from ltw_core.figures import DrawnScore, score_intervals
from ltw_core.service.job import Job
from ltw_core.studies.estimate import duration
from ltw_core.tasks import without_terms
from ltw_core.weighting import SCHEMES, display, methods
from ltw_core.weighting.methods import method
from pages._ui import jobs, words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import csv, from_corpus, offer
from pages._ui.evaluate import all_classes, all_classes_confusion, all_classes_first, weighting_choice
from pages._ui.evaluate.all_classes import POLICIES, POLICY_TOLD, AllClasses, Wanted
from pages._ui.evaluate.missing_button import missing_button, stop_or_compute
from pages._ui.guard import capital, plain, sentences
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.reader import counting
from pages._ui.reader import own_weightings as composed
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.tables import Marked, table
from pages._ui.terms_kept import terms_kept
from pages._ui.training import lookup
from pages._ui.weightings import estimators

OTHERS = "Runs of LTW-G, of LTW-TF and those that are averaged with a formula"
RUNS = 8  # of one's own that are offered, the newest first
WITHOUT_TERM_WEIGHTS = ("Dense", "LTW-TF")  # or not on its own
FOLLOWED = "evaluating_all"
NOTHING_YET = (
    "Nothing has been computed for all classes with these choices yet. Computing gives macro F1, accuracy, and which "
    "classes are confused."
)
ABOUT = (
    "Formulas for one class against the rest give a term one weight per class, which the policy combines. The last "
    "group is defined for several classes and needs no policy, nor do weightings that ignore the class."
)


def show(
    dataset: str, lead: str, head: Any, bar: Any, settings: Callable, documents_that_count: Callable[[Any], str]
) -> None:
    """The whole view, below the switch between one class and all, in whose line its choices go; ``head``: where what
    follows from its figures stands, and ``lead`` as long as there are none."""
    folded = weighting_choice.drawer(bar, "all_drawer", help=ABOUT)
    with_which = bar.popover("Classifiers", icon=":material/call_split:", key="evaluation_learners")
    place = settings()
    task = all_classes.task(dataset, documents_that_count(place))
    yours, told, brief = _yours(dataset)
    label = lambda name: brief.get(name) or yours.get(name) or display(name)  # noqa: E731
    asked = AllClasses(dataset, task, _choose(task, dataset, yours, told, (folded, with_which, place)), label)
    first = asked.begin()
    for job in (asked.job(), first):
        jobs.expect_end_of(job, FOLLOWED)
    with sentences():
        stop_or_compute(bar, asked.job(), lambda place: _button(asked, place, first is not None))
    found = asked.results()
    with head:
        named = {_name(label, *pair): pair[1] for pair in found.items()}
        words.answer_or_lead(lead, *_verdict(asked, named))
    _results(asked, first)
    if found := asked.results():
        with sentences():
            all_classes_confusion.show(asked, {_name(label, *pair): pair for pair in found.items()})


def _yours(dataset: str) -> tuple[dict[str, str], str, dict[str, str]]:
    """What the reader composed, and their newest training runs that have a surface, by reference, in words; what
    there is to say of training runs here; and what the runs are called in sentences and in labels."""
    runs = [run for run in lookup.own_runs(dataset) if run.finished]
    transplantable = [run for run in runs if estimators.transplantable(run)]
    called = lambda run: f"Your run on {run.problem.class_title}: {run.label}"  # noqa: E731
    newest = {called(run): run for run in reversed(transplantable[:RUNS])}
    names = {run.reference: name for name, run in reversed(newest.items())}
    brief = lookup.in_brief(list(newest.values()))
    told = ""
    if names:
        told = (
            "A training run has learned one class; here its surface weighs the terms of every class, as a formula "
            "does. The learned weightings in the list learn each class anew."
        )
        told += f" {OTHERS} are not here: they have no surface to transplant to another class." * (
            transplantable != runs
        )
    elif runs:
        told = (
            f"{OTHERS}, as yours are, have no surface to transplant to another class. The learned weightings in the "
            "list learn each class for itself."
        )
    return names | composed.options(), told, brief


def _choose(
    task: Any, dataset: str, yours: dict[str, str], told: str, places: tuple[Any, Any, Any]
) -> tuple[Wanted, ...]:
    """What to compute; ``places``: of weightings, of classifiers, and of the rest."""
    folded, with_which, settings = places
    chosen: list[str] = []
    if yours:
        key = f"all-yours-{dataset}-{''.join(yours)}"  # a new training joins in
        first = [*[name for name in yours if estimators.is_fitted(name)][:1], *composed.options()]
        chosen += control(folded.pills, key, yours, like="yours", selection_mode="multi", default=first)
    if told:
        folded.caption(told)
    out = {*WITHOUT_TERM_WEIGHTS, *(name for name in methods() if method(name).minutes)}
    chosen = weighting_choice.by_family(folded, all_classes.FIRST, prefix="all_", out=out, several=True) + chosen
    policy = choose_one("policy", POLICIES, "max", settings)
    grid = choose_one("grid", {name: name.capitalize() for name in GRIDS}, "quick", settings)
    terms_kept(task, settings)
    titles = {name: words.classifier(name) for name in learners()}
    meant = {"formerly": words.full_names(titles), "more": words.classifiers(titles)}
    used = control(
        with_which.pills, "all_learners", titles, selection_mode="multi", default=[all_classes.FIRST_LEARNER], **meant
    )
    policies = {name: policy if all_classes.needs_policy(name) else "max" for name in chosen}
    return tuple(Wanted(name, policies[name], one, grid) for name in chosen for one in used)


def _button(asked: AllClasses, place: Any, going: bool) -> Job | None:
    """The button that computes what is missing; the job, if it was pressed. ``going``: it is being computed unasked."""
    missing = [wanted for wanted in asked.wanted if wanted not in asked.results()]
    total = len(asked.wanted)
    names, used = [asked.label(one.weighting) for one in asked.wanted], {one.learner for one in asked.wanted}
    what = words.count(total, "combination")
    if len(used) == 1 and total < 4:  # for more there is no room
        what = f"{' and '.join(filter(None, (', '.join(names[:-1]), names[-1])))} with {words.classifier(*used)}"
    if going:
        about = "This takes seconds, and has begun by itself; other readers' work goes first."
        place.button(f"Computing {what}…", icon=":material/hourglass_top:", disabled=True, help=about)
        return None
    if not missing_button(
        place,
        "evaluate_all",
        total,
        len(missing),
        "combination",
        first=f"Compute {what} on all classes",
        help="Runs in the background. What was computed on this server before, by anyone, is not computed again; "
        "results on a table of your own stay in your session. The time is estimated from the studies that come with "
        "the app.",
        takes="" if (seconds := asked.seconds(missing)) is None else f"about {duration(max(seconds, 1))}",
    ):
        return None
    asked.start(missing)
    jobs.expect_end(FOLLOWED)
    return asked.job()


def _results(asked: AllClasses, first: Job | None) -> None:
    """What is known, and how far the rest is; ``first``: the job that nobody has asked for."""
    job = asked.job()

    def draw() -> None:
        if st.session_state.pop("_all_chosen", None):  # what it opens lies outside of this fragment
            run_again()
        active = job is not None and job.active
        found = dict(sorted(asked.results().items(), key=lambda pair: -pair[1].macro_f1))
        if found or active:
            _shown(asked, found, job)
        else:
            if job is not None:
                _status(job)
        if not found:
            to_do = "" if active or (first is not None and first.active) else NOTHING_YET
            all_classes_first.show(asked.task, asked.dataset, [wanted.weighting for wanted in asked.wanted], to_do)

    jobs.follow(job if job is not None and job.active else first or job, FOLLOWED, draw)


def _status(job: Job) -> None:
    progress = job.meta["progress"]

    def state() -> jobs.JobState:
        share = (progress.done + progress.part) / max(progress.total, 1)
        text = f"{progress.done:,} of {words.count(progress.total, 'combination')}"
        return jobs.JobState(share, text, plain(progress.now))

    jobs.show(job, "", state)
    for what, error in list(progress.errors.items()):  # its thread may add one
        st.warning(f"{plain(what)}: {capital(error)}", icon=":material/error:")


def _exported(frame: pd.DataFrame, found: dict[Wanted, MulticlassResult]) -> pd.DataFrame:
    """The table for the CSV: with the documents behind its figures, and those of them that hold no known term."""
    counts = [
        {"training documents": r.n_train, "test documents": r.n_test}
        | without_terms.columns(r.without_terms, of_class=False)
        for r in found.values()
    ]
    return frame.join(pd.DataFrame(counts))


def _name(label: Callable[[str], str], wanted: Wanted, result: MulticlassResult) -> str:
    policy = f" · {POLICIES.get(result.policy, result.policy).lower()}" if result.policy else ""
    return f"{label(wanted.weighting)}{policy} with {words.classifier(wanted.learner)}"


def _verdict(asked: AllClasses, found: dict[str, MulticlassResult]) -> tuple[str, str]:
    """What follows from the macro F1 of several, by the interval of their difference over the classes, and by how much
    and what it rests on; "" for one."""
    if len(found) < 2:
        return "", ""
    best = max(found, key=lambda name: found[name].macro_f1)
    others = {
        plain(name): difference_over_classes(found[best].f1, result.f1)
        for name, result in found.items()
        if name != best
    }
    said = verdicts(plain(best), others, plain(asked.task.vectorized.corpus.title))
    highest = f"Highest macro F1: **{decimals(found[best].macro_f1)}**, {plain(best)}"
    return f"{highest}, which {verdict_on(others, brief=True)}.", f"{said}. Paired bootstrap."


def _shown(asked: AllClasses, found: dict[Wanted, MulticlassResult], job: Job | None) -> None:
    """Macro F1 with its interval as a figure, in which what is still computed has its row; all figures folded in a
    table. A row of either is opened below."""
    names = [_name(asked.label, *pair) for pair in found.items()]
    shown = st.session_state.get(all_classes_confusion.SHOWN)
    at = names.index(shown) if shown in names else 0

    def chosen(row: int) -> None:
        st.session_state[all_classes_confusion.SHOWN] = names[row]
        st.session_state["_all_chosen"] = True

    def picked(value: dict) -> None:
        if value.get("id") in names:
            chosen(names.index(value["id"]))

    top, alike = _best(found)
    colours = [estimators.coloured_as(wanted.weighting) for wanted in found]
    rows = [
        DrawnScore(name, r.macro_f1, interval_over_classes(r.f1), colour, wanted in top, name, wanted in alike)
        for name, colour, (wanted, r) in zip(names, colours, found.items(), strict=True)
    ]
    missing = [wanted for wanted in asked.wanted if wanted not in found] * (job is not None and job.active)
    rows += [DrawnScore(f"{asked.label(one.weighting)} with {words.classifier(one.learner)}") for one in missing]
    look = {"chosen": at if found else None, "base": words.base(), "uirevision": asked.task.fingerprint}
    narrow = narrow_layout(score_intervals.plain(rows, narrow=True, **look), "macro-f1")
    plot(score_intervals.plain(rows, **look), "macro-f1", narrow=narrow, on_pick=picked)
    with st.container(key="evaluation_state"):
        if job is not None:
            _status(job)
        if job is None or not job.active:
            st.caption(
                "**Bold**: best of its classifier; ≈: not distinguishable from it. Choose a row to open it below.",
                help="≈: by a paired bootstrap over the classes. " + _names_told(found),
            )
    if found:
        with st.expander("All F1 scores with intervals and settings", icon=":material/table_rows:", key="all_figures"):
            _table(asked, found, names, top, chosen, at)
        _footer(asked, found)


def _names_told(found: dict[Wanted, MulticlassResult]) -> str:
    """What policies and schemes in the names of rows are, in sentences."""
    told = {POLICIES[r.policy]: POLICY_TOLD[r.policy] for r in found.values() if r.policy in POLICY_TOLD}
    told |= {w.weighting: SCHEMES[w.weighting].description for w in found if w.weighting in SCHEMES}
    return " ".join(f"{name}: {text[0].lower()}{text[1:]}" for name, text in told.items())


def _best(found: dict[Wanted, MulticlassResult]) -> tuple[set[Wanted], set[Wanted]]:
    """With each classifier the highest macro F1, and the others that are not distinguishable from it."""
    best: dict[str, Wanted] = {}
    for wanted in found:  # the highest first
        best.setdefault(wanted.learner, wanted)
    top = set(best.values())
    others = {wanted: r.f1 for wanted, r in found.items() if wanted not in top}
    return top, {
        wanted for wanted, f1 in others.items() if difference_over_classes(found[best[wanted.learner]].f1, f1).sign == 0
    }


def _table(
    asked: AllClasses,
    found: dict[Wanted, MulticlassResult],
    names: list[str],
    best: set[Wanted],
    chosen: Callable[[int], None],
    at: int,
) -> None:
    own = not all(wanted.weighting in (*methods(), *SCHEMES) for wanted in found)
    width = 150 if own else 110  # room for "LTW-L-I (your run)"
    table(
        _frame(asked, found),
        "all_classes",
        "Accuracy, macro F1 and micro F1 of each weighting with each classifier",
        chosen,
        {"weighting": st.column_config.Column("Weighting", width=width)},
        key=f"all-results-{abs(hash((asked.task.fingerprint, tuple(names)))):x}",
        most=300,
        width="stretch",
        at=at,
        marked=Marked(bold={"macro F1": [row for row, wanted in enumerate(found) if wanted in best]}),
    )


def _frame(asked: AllClasses, found: dict[Wanted, MulticlassResult]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "weighting": asked.label(wanted.weighting),
            "macro F1": r.macro_f1,  # and its classifier next to the name: a phone has room for no more
            "classifier": short_learner(wanted.learner),
            "interval": "–" if (around := interval_over_classes(r.f1)) is None else interval_text(around),
            "accuracy": r.accuracy,
            "micro F1": r.micro_f1,
            "validation macro F1": r.validation_macro_f1,
            "seconds": r.seconds,
            "policy": POLICIES.get(r.policy, "").lower() or "–",
            "classes": r.how,
            "setting": describe(r.parameters),
        }
        for wanted, r in found.items()
    )


def _footer(asked: AllClasses, found: dict[Wanted, MulticlassResult]) -> None:
    result = next(iter(found.values()))
    with st.container(horizontal=True, vertical_alignment="center"):
        about = "One line per weighting and classifier."
        of = asked.task.vectorized
        make = lambda: csv(from_corpus(_exported(_frame(asked, found), found), of))  # noqa: E731
        offer("Results (CSV)", f"{counting.stem(asked.task.corpus_name)}-all-classes.csv", make, about)
        kind = "each document gets one class" if result.single_label else "each decided for itself"
        noted = "".join(f" {plain(note)}" for note in asked.task.notes)
        st.caption(
            f"{words.count(len(result.class_names), 'class', 'classes')}, {kind}: {result.n_train:,} training "
            f"and {result.n_test:,} test documents, {len(asked.task.terms):,} terms, seed 0. Computed on this server.",
            help=f"{result.n_validation:,} of the training documents choose a setting, by macro F1."
            + ("" if result.single_label else " Accuracy is the share of documents with every class correct.")
            + noted,
        )

"""All classes at once: what to compute, how far it is, accuracy and F1 of each classifier.

Leaves out what is taken for what, and the documents behind it (``all_classes_confusion``), and the scores
in a table (``all_classes_numbers``).
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from ltw_core.evaluation import (
    GRIDS,
    MulticlassResult,
    decimals,
    difference_over_classes,
    interval_over_classes,
    learners,
    verdict_on,
    verdicts,
)
from ltw_core.figures import DrawnScore, score_intervals
from ltw_core.metrics import listed
from ltw_core.service.job import Job
from ltw_core.weighting import SCHEMES, display, methods
from ltw_core.weighting.methods import method
from pages._ui import jobs, words
from pages._ui.controls import choose_one, control
from pages._ui.evaluate import (
    all_classes,
    all_classes_confusion,
    all_classes_first,
    all_classes_numbers,
    cell_sentences,
    weighting_choice,
)
from pages._ui.evaluate.all_classes import POLICIES, POLICY_TOLD, AllClasses, Wanted
from pages._ui.evaluate.missing_button import missing_button, stop_or_compute
from pages._ui.guard import capital, plain, sentences
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.reader import own_weightings as composed
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.terms_kept import terms_kept
from pages._ui.training import lookup
from pages._ui.weightings import estimators

OTHERS = "Runs of LTW-G, of LTW-TF and those that are averaged with a formula"
RUNS = 8  # of one's own that are offered, the newest first
WITHOUT_TERM_WEIGHTS = ("Dense", "LTW-TF")  # or not on its own
FOLLOWED = "evaluating_all"
STUDIES_DIFFER = "Macro F1 in **Studies** differs: there each class has its own terms, weights and setting. "
GIVES = "Each gives macro F1 with its interval, accuracy, the F1 of every class, and which classes are confused."
ABOUT = (
    "Formulas for one class against the rest give a term one weight per class, which the policy combines. The last "
    "group is defined for several classes and needs no policy, nor do weightings that ignore the class."
)


def show(
    dataset: str,
    lead: Callable[[bool], str],
    head: Any,
    places: tuple[Any, Any],
    settings: Callable,
    documents_that_count: Callable[[Any], str],
) -> None:
    """The whole view, below the switch between one class and all; ``places``: of the button that computes, and of the
    choices; ``head``: where what follows from its figures stands, and ``lead`` as long as there are none, by whether
    they are computed."""
    line, bar = places
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
        stop_or_compute(line, asked.job(), partial(_button, asked), partial(_state, asked), first)
    found = asked.results()
    with head:
        said, help = _verdict(asked, found)
        going = asked.going(first)
        if not found:
            said = all_classes_first.answer(dataset, [wanted.weighting for wanted in asked.wanted])
        elif said and asked.lacks_learned(found):
            comes = any(estimators.is_learned(wanted.weighting) for wanted in going)
            said += " The learned weighting is still to come." * comes
            said += " **Compute** adds the learned weighting." * (not going)
        elif said and not any(estimators.is_learned(wanted.weighting) for wanted in found):
            said += " No learned weighting is among them: choose one under **Weightings**."
        words.answer_or_lead(lead(bool(going)), said, help)
    _results(asked, first, found)
    if found := asked.results():
        with sentences():
            all_classes_confusion.show(
                asked, {all_classes_numbers.called(label, *pair): pair for pair in found.items()}
            )
            all_classes_numbers.show(asked)


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


def _button(asked: AllClasses, place: Any) -> Job | None:
    """The button that computes what is missing; the job, if it was pressed."""
    found = asked.results()
    missing = [wanted for wanted in asked.wanted if wanted not in found]
    total = len(asked.wanted)
    names, used = [asked.label(one.weighting) for one in asked.wanted], {one.learner for one in asked.wanted}
    first = f"Compute all {total:,}"
    if len(used) == 1 and total < 4:  # for more there is no room
        first = f"Compute {listed(names)} with {words.classifier(*used)} on all classes"
    if len(missing) == len(used) == 1 < total:  # the others are known: it says which is not
        total, first = 1, f"Compute {asked.label(missing[0].weighting)}"
    if not missing_button(
        place,
        "evaluate_all",
        total,
        len(missing),
        "combination",
        first=first,
        help="Runs in the background. What was computed on this server before, by anyone, is not computed again; "
        "results on a table of your own stay in your session. The time is estimated from the studies that come with "
        "the app, and is longer while others compute here.",
        seconds=asked.seconds(missing),
    ):
        return None
    asked.start(missing)
    jobs.expect_end(FOLLOWED)
    return asked.job()


def _results(asked: AllClasses, first: Job | None, known: dict[Wanted, MulticlassResult]) -> None:
    """What is known, and how far the rest is; ``first``: the job that nobody has asked for; ``known``: the results that
    the headline speaks of."""
    job, lacked = asked.job(), asked.lacks_learned(known)

    def draw() -> None:
        # what a row opens, and the headline, which says what is lacking, lie outside of this fragment
        if st.session_state.pop("_all_chosen", None) or (lacked and not asked.lacks_learned(asked.results())):
            run_again()
        found = all_classes_numbers.ranked(asked)
        weightings = [wanted.weighting for wanted in asked.wanted]
        if found:
            _shown(asked, found, job)
            return
        studies = all_classes_first.answer(asked.dataset, weightings)  # whose figure stands in place of empty rows
        if studies and job is not None:
            _ended(job)
        to_come = None if studies or not weightings else partial(_to_come, asked, job)
        all_classes_first.show(asked.task, asked.dataset, weightings, to_come)

    jobs.follow(job if job is not None and job.active else first or job, FOLLOWED, draw)


def _to_come(asked: AllClasses, job: Job | None) -> None:
    """The figure before its first score, its rows waiting, with what of them is a formula."""
    used = dict.fromkeys(words.classifier(one.learner) for one in asked.wanted)
    st.header(f"Macro F1 with {listed(used)}", anchor=False)
    _shown(asked, {}, job)


def _ended(job: Job) -> None:
    """Why it ended without a result, and what of it failed."""
    progress = job.meta["progress"]
    jobs.ended(job)
    for what, error in list(progress.errors.items()):  # its thread may add one
        st.warning(f"{plain(what)}: {capital(error)}", icon=":material/error:")


def _state(asked: AllClasses, job: Job) -> jobs.JobState:
    progress = job.meta["progress"]
    share = (progress.done + progress.part) / max(progress.total, 1)
    text = jobs.so_far(len(asked.results()), len(asked.wanted), progress.left(job.seconds))
    return jobs.JobState(share, text + jobs.at(progress.now))


def _verdict(asked: AllClasses, known: dict[Wanted, MulticlassResult]) -> tuple[str, str]:
    """What follows from their macro F1 by the intervals of differences over the classes: how the best that is learned
    compares with the best of all, as in the figure; where it is that one, or none is known, the best of all with the
    others. And by how much and what it rests on. "" for one."""
    if len(known) < 2:
        return "", ""
    alone = len(used := {wanted.learner for wanted in known}) == 1
    learned = [wanted for wanted in known if estimators.is_learned(wanted.weighting)]
    of = max(learned or known, key=lambda wanted: known[wanted].macro_f1)
    called = {one: plain(all_classes_numbers.called(asked.label, one, r, alone)) for one, r in known.items()}
    more = {one: difference_over_classes(known[of].f1, r.f1) for one, r in known.items() if one != of}
    others = {f"{called[one]}\u00a0{decimals(known[one].macro_f1)}": found for one, found in more.items()}
    said = verdicts(called[of], others, plain(asked.task.vectorized.corpus.title))
    name, value = called[of].replace(" ", "\u00a0"), decimals(known[of].macro_f1)
    found = verdict_on(others, brief=True)
    best = max(known, key=lambda wanted: known[wanted].macro_f1)
    if known[best].macro_f1 > known[of].macro_f1:
        kind = "worse than" if more[best].sign else "not distinguishable from"
        found = f"is {kind} the best, {called[best]}\u00a0{decimals(known[best].macro_f1)}"
    shared = any(r.policy not in ("", "local") for r in known.values())
    weights = ", one weight per term for all classes" * shared
    told = f"Macro F1{f' with {words.classifier(*used)}' * alone}{weights}: **{name}** {value} {found}."
    other = (
        " With weights for each class, as in the paper and in Studies, other formulas may be best: choose *Local* as "
        "the policy under Weightings."
    ) * shared
    return told, f"{said}. Paired bootstrap.{other}"


def _shown(asked: AllClasses, found: dict[Wanted, MulticlassResult], job: Job | None) -> None:
    """Macro F1 with its interval as a figure, in which what is not computed yet has its row. A row is opened below."""
    names = [all_classes_numbers.called(asked.label, *pair) for pair in found.items()]
    at = all_classes_confusion.shown(found, names) if found else None

    def picked(value: dict) -> None:
        if value.get("id") in names:
            st.session_state[all_classes_confusion.SHOWN] = value["id"]
            st.session_state["_all_chosen"] = True

    top, alike = all_classes_numbers.best(found)
    colours = [estimators.coloured_as(wanted.weighting) for wanted in found]
    alone = len({wanted.learner for wanted in asked.wanted}) == 1
    drawn = [all_classes_numbers.called(asked.label, *pair, alone) for pair in found.items()]
    rows = [
        DrawnScore(label, r.macro_f1, interval_over_classes(r.f1), colour, wanted in top, name, wanted in alike)
        for label, name, colour, (wanted, r) in zip(drawn, names, colours, found.items(), strict=True)
    ]
    for one in [wanted for wanted in asked.wanted if wanted not in found]:
        rows.append(DrawnScore(asked.label(one.weighting) + f" with {words.classifier(one.learner)}" * (not alone)))
    look = {"chosen": at, "base": words.base(), "uirevision": asked.task.fingerprint}
    narrow = narrow_layout(score_intervals.plain(rows, narrow=True, **look), "macro-f1")
    plot(score_intervals.plain(rows, **look), "macro-f1", narrow=narrow, on_pick=picked)
    with st.container(key="evaluation_state"):
        if job is not None:
            _ended(job)
        studies = all_classes_first.answer(asked.dataset, [wanted.weighting for wanted in asked.wanted])
        if studies:  # other numbers, which say so
            single = any(result.single_label for result in found.values())
            studies += " In these each class is decided by itself; in the figure each document gets one class." * single
        if not found:
            formulas = cell_sentences.factors(dict.fromkeys(wanted.weighting for wanted in asked.wanted))
            st.caption(f"–: not computed yet. {GIVES}{f' {formulas}.' * bool(formulas)}")
            return
        missing = len(found) < len(asked.wanted)
        best = next((plain(row.name) for row in rows if row.best), "") if alone else ""
        st.caption(
            f"**Bold**: best{' of its classifier' * (not alone)}{' so far' * missing}; "
            f"≈: not distinguishable from {best or 'it'}{'; –: not computed yet' * missing}. "
            "Choose a row to open\u00a0it\u00a0below.",
            help=f"{_names_told(found)}\n\n≈: compared class by class (paired bootstrap), so scores whose intervals "
            "overlap may differ: a small difference can be significant if most classes share it, and a larger one that "
            f"varies may not be.\n\n{STUDIES_DIFFER * bool(studies)}{studies}",
        )


def _names_told(found: dict[Wanted, MulticlassResult]) -> str:
    """What the names of rows stand for, in sentences: weightings, and policies."""
    used = dict.fromkeys(wanted.weighting for wanted in found)
    told = {name: SCHEMES[name].description for name in used if name in SCHEMES}
    told |= {display(name): method(name).description for name in used if name in methods("LTW")}
    told |= {
        f"Policy {POLICIES[r.policy].lower()}": POLICY_TOLD[r.policy] for r in found.values() if r.policy in POLICY_TOLD
    }
    formulas = cell_sentences.factors(used)
    return " ".join(
        [f"{formulas}." * bool(formulas), *(f"{name}: {text[0].lower()}{text[1:]}" for name, text in told.items())]
    )

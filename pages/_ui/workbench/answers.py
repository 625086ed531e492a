"""The sentence under the Workbench's title: what the picture comes to, and what that rests on behind its help.

What was learned is told by F1 of a linear SVM on it and on formulas (the first two that stand beside it, else two usual
ones, LogTFIDF, and LogTF, which has no term weight), compared on the same test documents (paired bootstrap). Its help
has these comparisons one by one, the formula that it is most like by alignment, and the terms that it leans on. All of
that is found in the background; until then the sentence says what is known by then.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ltw_core.evaluation import Difference, Result, compared, decimals, interval_text, verdict_on, verdicts
from ltw_core.insight import Nearest, contributing
from ltw_core.insight.likeness import reaches
from ltw_core.metrics import listed
from ltw_core.service.job import Job
from ltw_core.weighting import TermWeighting
from pages._ui import choices, words
from pages._ui.guard import capital, plain
from pages._ui.reader.table_results import kept_of_corpus
from pages._ui.weightings import quick_f1
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.reference import RUN, SHIPPED, Reference
from pages._ui.workbench import baselines, nearest, on_stage
from pages._ui.workbench.shares import signed

QUESTION = (
    "A small network learns what a term should weigh: press **Train** and watch the surface rise. Its height is a "
    "term’s weight, given the shares of the class’s documents and of all others that hold it."
)
ON_TOP = "{} Weights are learned along with a classifier on top."
# two lines on a wide page, as at the end
TRAINS = (
    "Training **{}**: at the end its test F1 stands here beside that of formulas. Until then validation F1 tells how "
    "well it does on held-out documents."
)
WAITS = "**{}** is paused: **Resume** goes on, **Next validation** trains up to the next one."
FORMULAS = (
    "A supervised formula is a surface over *tpr* and *fpr*, the shares of the class’s documents and of all others "
    "that hold a term. Move the prevalence: some of them change."
)
MOST = 2  # formulas in the sentence, beside those that know no classes
UNSUPERVISED = ("LogTFIDF", "LogTF")
TWO_F1 = (
    "Ranges are 95% intervals of the difference in test F1. The curve’s F1 is of validation documents, by which the "
    "step to keep is chosen; the two need not agree."
)
TOLD_APART = (
    "For f occurrences of a term in a document, LogTFIDF is ln(1 + f) · idf, and LogTF 1 + ln f alone: every term has "
    "the same weight."
)
EQUAL = {  # by whether what was learned is better than that
    0: "Equal weights (LogTF) reach {}: these test documents do not tell the two apart.",
    1: "Equal weights (LogTF) reach {}: what lies above that is what term weights add.",
    -1: "Equal weights (LogTF) reach {}, more than it does: here these term weights do harm.",
}
RATES = "*tpr*: the share of the class’s documents that hold a term; *fpr*: the share of all others that do."


def workbench(option: str, task: Any, beside: Sequence[str] = ()) -> tuple[str, str]:
    """The answer that there is, and what more there is to say; before anything is learned, what the page is for.

    ``beside``: names of what stands beside it.
    """
    if option == on_stage.ALONE:
        return FORMULAS, ""
    learned, run = on_stage.learned_now(option)
    if run is not None and run.active:
        return (WAITS if run.paused else TRAINS).format(plain(run.label)), ""
    if learned is None or learned.weighting is None:
        return QUESTION, ON_TOP.format(RATES)
    here = task if nearest.of_class(learned, task) else None
    said, more = _f1(learned, here, beside)
    return said, " ".join(filter(None, (more, _like(learned, here))))


def ask(option: str, task: Any, beside: Sequence[str] = ()) -> list[Job]:
    """Have found out what the sentence lacks; what is at work on it."""
    learned, run = on_stage.learned_now(option)
    if task is None or (run is not None and run.active):
        return []
    if learned is None or learned.weighting is None or not nearest.of_class(learned, task):
        baselines.ask(task)  # for later
        return []
    asked = baselines.ask(task, learned.weighting), nearest.ask(learned, task)
    asked += (quick_f1.ask(task, _formulas(beside), for_all=True),)
    return [job for job in asked if job is not None]


def _formulas(beside: Sequence[str]) -> dict[str, TermWeighting]:
    """The first formulas of what stands beside it, by symbol: as many as the sentence has room for. IDF is left
    out: LogTFIDF, in every sentence, is its weighting."""
    names = [name for name in beside if Reference.parse(name).kind not in (RUN, SHIPPED) and name != "IDF"][:MOST]
    return {plain(choices.symbol(name)): TermWeighting(cd=choices.function(name)) for name in names}


def _f1(learned: Learned, task: Any, beside: Sequence[str] = ()) -> tuple[str, str]:
    """Its F1 beside that of formulas, and whether that is more than chance: in short, and with what it rests on."""
    fitted = learned.weighting
    name = f"**{plain(learned.label)}**"
    if not fitted.best_f1_ > 0:
        return f"On {plain(learned.title)} {name} found no validation document of the class.", ""
    own = baselines.known_of(task, fitted) if task is not None else None
    formulas, chosen = baselines.known(task) if task is not None else {}, _formulas(beside)
    unsupervised = {each: formulas[each] for each in UNSUPERVISED if each in formulas}
    if chosen and unsupervised and len(found := quick_f1.computed(task, chosen)) == len(chosen):
        formulas = dict([*(found | formulas).items()][:MOST]) | unsupervised
    if own is None or not formulas:
        reached = f"validation F1 {words.f1(fitted.best_f1_)}" if own is None else f"test F1 {words.f1(own.f1)}"
        lacks, why = _lacking(task, fitted, "its test F1" if own is None else "that of formulas")
        return f"On {plain(learned.title)} {name} reaches {reached}{lacks}", why
    found = _differences(task.fingerprint, learned.key, (*formulas, *beside), task, own, formulas)
    scores = ", ".join(f"{each}\u00a0{decimals(result.f1)}" for each, result in formulas.items())
    interval = f"[{interval_text(own.estimate.both, 2)}]".replace(" ", "\u00a0")  # in one line
    counted = words.count(int(task.y_test.sum()), "test document")
    seed = fitted.get_params(deep=False).get("random_state")
    of = f"{plain(learned.label)} (seed {seed})" if isinstance(seed, int) else plain(learned.label)
    verdict = verdict_on(found, brief=True).removeprefix("is ")
    said = f"<b>{verdict[0].upper()}{verdict[1:]} on this class <span>({counted} of it).</span></b><br>"
    own_f1 = f"<span class='ltw-own'>{of} {decimals(own.f1)}\u00a0{interval}</span>"
    said += f"<small>Test F1 (SVM): {own_f1}, {scores}.</small>"
    equal = EQUAL[found["LogTF"].sign].format(decimals(formulas["LogTF"].f1)) if "LogTF" in found else ""
    return said, f"{equal} {verdicts(name, found, plain(task.class_title))}. {TWO_F1} {TOLD_APART}".strip()


def _lacking(task: Any, weighting: Any, what: str) -> tuple[str, str]:
    """How the sentence ends where an F1 is not known: whether it is being computed, and why it could not be."""
    if task is None:
        return "; its test documents are not open here.", ""
    if baselines.under_way(task, weighting):
        return f"; computing {what}…", ""
    if why := baselines.failed(task, weighting):
        return f"; {what} could not be computed.", plain(capital(why))
    return ".", ""


@kept_of_corpus(200)
def _differences(
    fingerprint: str, key: str, names: tuple[str, ...], _task: Any, _own: Result, _formulas: dict[str, Result]
) -> dict[str, Difference]:
    """F1 of a learned weighting minus that of each formula; found once, as it draws the test documents many times."""
    return {name: compared([_own], [result], _task.y_test) for name, result in _formulas.items()}


def _like(learned: Learned, task: Any) -> str:
    """The formula that it is like, and the terms that it leans on with their share of the class's vectors."""
    found = nearest.known(learned, task) if task is not None and not nearest.to_come(learned, task) else None
    share = np.abs(signed(learned, task=task))
    top = [
        f"“{plain(str(learned.terms.terms[k]))}” ({words.percent(share[k] / 100)})"
        for k in contributing(share, learned.terms, 3)
    ]
    leans = f"leans most on {listed(top)}, by share of the class’s vectors" if top else ""
    if found is None or found.formula is None:
        return f"It {leans}." if leans else ""
    return f"{likened(found)}{'; it ' + leans if leans else ''}."


def likened(found: Nearest) -> str:
    """Which formula a weighting is nearest to, as far as that goes."""
    if found.alignment <= found.zero:
        return f"No formula is nearer to it than equal weights are (alignment {decimals(found.zero, 2)})"
    other = ""
    if found.ceiling is not None:
        other = f", another seed {decimals(found.ceiling, 2)}"
        near = reaches(found.alignment, found.ceiling)
        other += ": about as near as two seeds are" if near else ": a shape of its own"
    said = f"alignment {decimals(found.alignment, 2)} (equal weights {decimals(found.zero, 2)}{other})"
    return f"Nearest: **{plain(found.formula)}**, {said}"

"""Where our figures lie more than .02 from the paper's, and why: a list from the figures, with the reasons on file."""

from collections.abc import Callable, Iterator, Mapping

import pandas as pd
import streamlit as st

from ltw_core.evaluation import short_learner
from ltw_core.figures import differences_by_reason
from ltw_core.metrics import listed
from ltw_core.protocol import AUTHORS, DECEMBER, ONE, PAPER, PREDICTED
from ltw_core.studies.averages import MACRO, MEASURES
from ltw_core.studies.findings import december
from ltw_core.studies.reasons import Reason, Scores, reasons
from ltw_core.studies.tables import FAR, Place, ResultTable
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.downloads import offer_table
from pages._ui.evaluate.study_lists import whole_table
from pages._ui.evaluate.study_source import short_titles
from pages._ui.evaluate.study_tables import short
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.tables import table

NEAR = 0.0035  # .003 in the three digits of the paper
SECOND_RUNS = {  # of ``reasons.second_runs``
    "text": "by the text",
    "code": "by the code",
    "code of 2016": "by the code of December 2016",
    "untested": "with an F1 of 1 in all classes without test documents",
    "rf before": "by the code with the former RF",
    "unsigned": "by the code with weights without their sign",
}


def show(
    shown: ResultTable,
    answer: Callable[[str], None],
    full: ResultTable | None = None,
    by_protocol: dict[str, ResultTable] | None = None,
    second: Mapping[str, Scores] | None = None,
) -> list[tuple[str, str, pd.DataFrame]]:
    """The reasons by how much they move our comparable figures, the texts of all folded, then the places.

    Parameters
    ----------
    shown : ResultTable
    answer : function of str
        Says below the title how many scores differ, the reason that accounts for most, and how many have none.
    full : ResultTable, optional
        Ours with the full grid.
    by_protocol : dict of str to ResultTable, optional
        Macro F1, full grids, as the authors' code runs and as it ran in December 2016.
    second : mapping, optional
        ``reasons.second_runs`` in the measure.

    Returns
    -------
    list of (str, str, DataFrame)
        Tables to be saved, each with its label and file name.
    """
    far = sorted(shown.far(), key=lambda p: not p.comparable)
    both, second = shown.with_both(), second or {}
    if not both:
        st.info(
            "No score of ours can be compared with the paper’s yet: start a study under *Run a study*.",
            icon=":material/hourglass_empty:",
        )
        return []
    why: dict[int, list[Reason]] = {id(p): [] for p in far}
    found, elsewhere = [], []  # reasons of comparable scores, with these alone; of others only
    with_full = {} if full is None else full.places
    for reason in reasons():
        of = [p for p in far if reason.applies(p, with_full.get(_at(p)), second)]
        for p in of:
            why[id(p)].append(reason)
        if some := [p for p in of if p.comparable] or of:
            (found if some[0].comparable else elsewhere).append((reason, some))
    for entries in (found, elsewhere):
        entries.sort(key=lambda entry: -sum(abs(p.difference) for p in entry[1]))
    measure = "micro F1" if shown.measure == "micro_f1" else "macro F1"
    answer(" ".join(_answers(far, both, why, found, measure)))
    if rows := sorted(_bars(found), key=lambda row: -abs(row[1])):
        hollow = [name for name, *_ in _bars([entry for entry in found if not entry[0].explains])]
        _figure(rows, MEASURES[shown.measure], hollow)
    st.caption(
        "Mean over the comparable scores to which a reason applies; several may apply to one. "
        + "Hollow: what was tried does not explain the difference, or not all of it."
        * any(not reason.explains for reason, _ in found),
        help="Reasons were sought by computing some of these scores in other ways, and in the authors’ published code. "
        "A second run of ours counts as a reason only where its score lies at most half as far from the paper’s.",
    )
    if found or elsewhere or by_protocol:
        with st.expander("The reasons in full"):
            for reason, of in found + elsewhere:
                st.markdown(f"**{reason.title}** · {_told(reason, of, second)} · *{reason.evidence}*  \n{reason.text}")
            if by_protocol:
                _december(by_protocol)
    st.header("The scores", anchor=False)
    return _places(far, why, full, second)


def _at(place: Place) -> tuple[str, str, str]:
    return place.weighting, place.corpus, place.learner


def _answers(
    far: list[Place], both: list[Place], why: dict[int, list[Reason]], found: list, measure: str
) -> Iterator[str]:
    """How many scores differ, comparable ones and others; the reason that accounts for most of their differences; how
    many have none, or beside one that explains them another that was tried in vain."""
    same, other = ([p for p in both if p.comparable == kind] for kind in (True, False))
    differing = [p for p in far if p.comparable]
    more, near = len(far) - len(differing), short(FAR).rstrip("0")
    if same:
        yield (
            f"**{len(differing)} of our {len(same)} comparable {measure} scores differ from the paper’s by more than "
            f"{near}.**"
        )
    elif other:
        yield f"**{more} of our {len(other)} scores, all of other documents or terms, differ by more than {near}.**"
    if most := next((entry for entry in found if entry[0].explains), None):
        yield f"The largest part is due to *{most[0].title}* ({words.count(len(most[1]), 'score')})."
    explained = [{reason.explains for reason in why[id(p)]} for p in differing]
    bare, partly = sum(True not in of for of in explained), explained.count({True, False})
    if bare or partly:
        yield f"**Unexplained: {bare}{f', and {partly} in part' * bool(partly)}.**"
    if same and other:
        yield f"Of {len(other)} on other documents or terms, {more} differ{'s' * (more == 1)} as much."


def _bars(found: list[tuple[Reason, list[Place]]]) -> Iterator[tuple[str, float, int]]:
    """Mean and number of the scores of each reason; apart where some of ours lie above the paper's and some below."""
    for reason, of in found:
        sides = {side: [p.difference for p in of if p.difference * side > 0] for side in (1, -1)}
        for side, some in sides.items():
            apart = f", ours {'higher' if side > 0 else 'lower'}" * all(sides.values())
            if some:
                yield reason.title + apart, sum(some) / len(some), len(some)


def _told(reason: Reason, of: list[Place], second: Mapping[str, Scores]) -> str:
    """How many scores a reason applies to, how far they lie from the paper's, and how far the second run's do."""
    if len({p.difference > 0 for p in of}) > 1:
        gap = f"{short(sum(abs(p.difference) for p in of) / len(of))} away"
    else:
        gap = short(sum(p.difference for p in of) / len(of), signed=True)
    told = f"{words.count(len(of), 'score')}, ours on average {gap}"
    other = second.get(reason.shown_by, {})
    if reason.shown_by and all(_at(p) in other for p in of):
        left = sum(abs(round(other[_at(p)], 3) - p.paper) for p in of) / len(of)
        told += f", {SECOND_RUNS[reason.shown_by]} {short(left)} away"
    return told


def _figure(rows: list[tuple[str, float, int]], measure: str, hollow: list[str]) -> None:
    """The reasons as bars."""
    options = {"measure": measure[:1].lower() + measure[1:], "hollow": hollow, "base": words.base()}
    narrow = narrow_layout(differences_by_reason.plain(rows, narrow=True, **options), "reasons")
    plot(differences_by_reason.plain(rows, **options), "reasons", narrow=narrow)


def _december(tables: dict[str, ResultTable]) -> None:
    """Classes without documents to be found, counted in each way that the authors' code had, for weightings that it
    had in December 2016 and for later ones."""
    history, rows = december(), []
    at = lambda how, key: tables[how].places.get(key)  # noqa: E731
    keys = [
        key
        for key, p in tables[DECEMBER].places.items()
        if p.comparable
        and p.averaged.classes_with_positives < p.averaged.classes  # of the other corpora it changes nothing
        and (same := at(AUTHORS, key)) is not None
        and same.comparable
    ]
    ways = {"january": (AUTHORS, PREDICTED), "tested": (AUTHORS, ONE), "december": (DECEMBER, ONE)}
    for name, of in (("by December 2016", history["weightings"]), ("later", history["later"])):
        some = [key for key in keys if key[0] in of]
        if not some:
            continue
        row: dict = {"weightings": name, "places": len(some)}
        for way, (how, counting) in ways.items():
            found = [at(how, key) for key in some]
            gaps = [abs(round(p.averaged.value(MACRO[counting]), 3) - p.paper) for p in found]
            row |= {way: sum(gaps) / len(gaps), f"{way} near": sum(gap < NEAR for gap in gaps)}
        rows.append(row)
    if not rows:
        return
    st.markdown(
        "**F1 of classes without documents, and the code’s history** · *measured*  \n" + " ".join(history["text"])
    )
    frame = pd.DataFrame(rows)
    whole_table(frame, "untested", "Mean difference from the paper by how classes without documents count")
    st.caption(
        "Reuters-21578, full grids, scores computed in both ways: mean absolute difference from the paper’s macro F1, "
        "and number of scores within .003 of it. That F1 may be 1 in such classes was first guessed from these scores; "
        "the dates were found afterwards."
    )
    offer_table("Ways of counting (CSV)", "classes-without-documents.csv", frame, "The table above.")


def _places(
    far: list[Place], why: dict[int, list[Reason]], full: ResultTable | None, second: Mapping[str, Scores]
) -> list[tuple[str, str, pd.DataFrame]]:
    """A line a place; what is saved of them."""
    if not far:
        return []
    corpora = short_titles()
    with_full = {} if full is None else full.places
    run = "code" if far[0].averaged.example.how.name == PAPER else "text"
    frame = pd.DataFrame(
        {
            "corpus": corpora.get(p.corpus, p.corpus),
            "weighting": display(p.weighting),
            "classifier": short_learner(p.learner),
            "ours": p.average.value,
            "paper": p.paper,
            "difference": p.difference,
            SECOND_RUNS[run]: second.get(run, {}).get(_at(p)),
            "full grid": with_full[_at(p)].value() if _quick(p) and _at(p) in with_full else None,
            "why": _why(why[id(p)]),
        }
        for p in far
    )
    frame = frame.drop(columns=[name for name in (SECOND_RUNS[run], "full grid") if frame[name].isna().all()])
    with st.container(key="differences"):  # by which the sheet knows it
        table(frame, "differences", f"Scores more than {FAR} from the paper’s", width="stretch")
    return [("Differences (CSV)", "differences.csv", frame)]


def _quick(place: Place) -> bool:
    return place.comparable and place.averaged.example.grid == "quick"


def _why(applying: list[Reason]) -> str:
    """The reasons of a place in words, and whether they leave a part that what was tried does not explain."""
    titles = [reason.title for reason in applying if reason.explains]
    tried = [reason.title for reason in applying if not reason.explains]
    if tried:
        titles.append(f"{'the rest' * bool(titles)} not explained: {listed(tried)}".strip())
    return "; ".join(titles) or "not known"

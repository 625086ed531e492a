"""Where our figures lie more than .02 from the paper's, and why: a list from the figures, with the reasons on file."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from ltw_core.evaluation import short_learner
from ltw_core.figures import differences_by_reason
from ltw_core.protocol import AUTHORS, DECEMBER, ONE, PREDICTED
from ltw_core.studies.averages import MACRO, MEASURES
from ltw_core.studies.findings import december
from ltw_core.studies.reasons import reasons
from ltw_core.studies.tables import FAR, ResultTable
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.downloads import offer_table
from pages._ui.evaluate.study_lists import whole_table
from pages._ui.evaluate.study_source import short_titles
from pages._ui.evaluate.study_tables import short
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.tables import table

NEAR = 0.0035  # .003 in the three digits of the paper


def show(
    shown: ResultTable,
    answer: Callable[[str], None],
    full: ResultTable | None = None,
    by_protocol: dict[str, ResultTable] | None = None,
) -> list[tuple[str, str, pd.DataFrame]]:
    """The reasons by how much they move our comparable figures, the texts of all folded, then the places.

    Parameters
    ----------
    shown : ResultTable
    answer : function of str
        Says below the title how many scores differ, and the reason that accounts for most.
    full : ResultTable, optional
        Ours with the full grid.
    by_protocol : dict of str to ResultTable, optional
        Macro F1, full grids, as the authors' code runs and as it ran in December 2016.

    Returns
    -------
    list of (str, str, DataFrame)
        Tables to be saved, each with its label and file name.
    """
    far = sorted(shown.far(), key=lambda p: not p.comparable)
    both = shown.with_both()
    if not both:
        st.info(
            "No score of ours can be compared with the paper’s yet: start a study under *Run a study*.",
            icon=":material/hourglass_empty:",
        )
        return []
    parts = []
    for comparable, which in ((True, " comparable scores"), (False, " on other documents or terms")):
        of = [p for p in both if p.comparable == comparable]
        if of:
            parts.append(f"{sum(p in far for p in of)} of {len(of)}{which}")
    said = f"**{parts[0]} differ by more than {short(FAR).rstrip('0')}**{''.join(f', {part}' for part in parts[1:])}."
    why = {id(p): [] for p in far}  # titles of reasons
    found, elsewhere = [], []  # of comparable scores, over these alone; of others only
    with_full = {} if full is None else full.places
    for reason in reasons():
        of = [p for p in far if reason.applies(p, with_full.get((p.weighting, p.corpus, p.learner)))]
        for p in of:
            why[id(p)].append(reason.title)
        if some := [p for p in of if p.comparable] or of:
            rows = found if some[0].comparable else elsewhere
            rows.append((reason, sum(p.difference for p in some) / len(some), len(some)))
    for rows in (found, elsewhere):
        rows.sort(key=lambda row: -abs(row[1]))
    if found:
        reason, mean, n = max(found, key=lambda row: abs(row[1]) * row[2])
        side = "above" if mean > 0 else "below"
        by = f"{words.count(n, 'score')}, {'on average ' * (n > 1)}{short(abs(mean))} {side} the paper’s"
        said += f" The reason that accounts for most: *{reason.title}* ({by})."
    answer(said)
    if rows := [(reason.title, mean, n) for reason, mean, n in found]:
        _figure(rows, MEASURES[shown.measure])
    unexplained = sum(not titles for titles in why.values())
    more = f" **No reason is known** for {words.count(unexplained, 'score')}." * bool(unexplained)
    st.caption(
        f"Mean over the comparable scores to which a reason applies; several may apply to one.{more}",
        help="Reasons were sought by computing some of these scores in other ways, and in the authors’ published code.",
    )
    if found or elsewhere or by_protocol:
        with st.expander("The reasons in full"):
            for reason, mean, n in found + elsewhere:
                told = f"{words.count(n, 'score')}, ours on average {short(mean, signed=True)}"
                st.markdown(f"**{reason.title}** · {told} · *{reason.evidence}*  \n{reason.text}")
            if by_protocol:
                _december(by_protocol)
    st.header("The scores", anchor=False)
    return _places(far, why, full)


def _figure(rows: list[tuple[str, float, int]], measure: str) -> None:
    """The reasons as bars."""
    options, key = {"measure": measure[:1].lower() + measure[1:], "base": words.base()}, "reasons"
    narrow = narrow_layout(differences_by_reason.plain(rows, narrow=True, **options), key)
    plot(differences_by_reason.plain(rows, **options), key, narrow=narrow)


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


def _places(far: list, why: dict[int, list[str]], full: ResultTable | None) -> list[tuple[str, str, pd.DataFrame]]:
    """A line a place; what is saved of them."""
    corpora = short_titles()
    with_full = {} if full is None else full.places
    frame = pd.DataFrame(
        {
            "corpus": corpora.get(p.corpus, p.corpus),
            "weighting": display(p.weighting),
            "classifier": short_learner(p.learner),
            "ours": p.average.value,
            "paper": p.paper,
            "difference": p.difference,
            "full grid": other.value() if (other := with_full.get((p.weighting, p.corpus, p.learner))) else None,
            "why": "; ".join(why[id(p)]) or "not known",
        }
        for p in far
    )
    if frame.empty:
        return []
    if frame["full grid"].isna().all():
        frame = frame.drop(columns="full grid")
    with st.container(key="differences"):  # by which the sheet knows it
        table(frame, "differences", f"Scores more than {FAR} from the paper’s", width="stretch")
    return [("Differences (CSV)", "differences.csv", frame)]

"""The paper's claims with what its own figures and ours say of each, and what became of relevance frequency."""

import pandas as pd
import streamlit as st

from ltw_core.evaluation import short_learner
from ltw_core.metrics import signed
from ltw_core.protocol import AUTHORS, PAPER
from ltw_core.studies import paper
from ltw_core.studies.averages import one_a_corpus
from ltw_core.studies.claims import FAILS, HOLDS, OPEN, ClaimVerdict, claims
from ltw_core.studies.findings import other_documents
from ltw_core.studies.over_classes import compared_pairs
from ltw_core.studies.tables import OURS, PAPERS, paper_table
from ltw_core.weighting import display
from ltw_core.weighting.methods import RF_BEFORE
from pages._ui.downloads import offer_table
from pages._ui.evaluate.study_source import StudyData, titles
from pages._ui.evaluate.study_views import FULLEST, Kind, Row, footer
from pages._ui.guard import plain
from pages._ui.tables import table

ICONS = {HOLDS: ":material/check:", FAILS: ":material/close:", OPEN: ":material/question_mark:"}
COMPARED = (("TFRF", RF_BEFORE), ("LTW-L-I", "TFRF"))


def show(data: StudyData, row: Row) -> None:
    """Each claim with a verdict from the paper's figures, ours by its text, and ours by its authors' code."""
    if data.of_table:
        st.info("The paper claims nothing about a table of your own.", icon=":material/info:")
        return
    text, code = (paper_table(Kind(FULLEST, name).of(data.averaged), "macro_f1") for name in (PAPER, AUTHORS))
    sides = (
        ("The paper's own figures", text, PAPERS),
        ("Ours, by its text", text, OURS),
        ("Ours, by its code", code, OURS),
    )
    verdicts = [[claim.verdict(shown, whose) for _, shown, whose in sides] for claim in claims()]
    counts = [sum(found[2].verdict == kind for found in verdicts) for kind in (HOLDS, FAILS, OPEN)]
    ours = [sum(found[1].verdict == kind for found in verdicts) for kind in (HOLDS, FAILS, OPEN)]
    untold = f", and of {ours[2]} it can't be told yet" if ours[2] else ""
    st.markdown(
        f"Of {len(verdicts)} claims of the paper's text **{ours[0]} hold** on our figures by its text, **{ours[1]} do "
        f"not**{untold}; by its authors' code {counts[0]}, {counts[1]} and {counts[2]}.",
        help="All are of macro F1, over pairs of corpus and classifier that the compared weightings share; Ohsumed's "
        "documents here are not the paper's.",
    )
    with st.container(gap="xsmall"):
        for claim, found in zip(claims(), verdicts, strict=True):
            with st.expander(f"{ICONS[found[1].verdict]} **{claim.claim}** {_in_short(found)}"):
                st.markdown(
                    "  \n".join(_line(title, verdict) for (title, *_), verdict in zip(sides, found, strict=True))
                )
                st.caption(". ".join(filter(None, (claim.where, claim.known.removesuffix(".")))) + ".")
    _relevance_frequency(data)
    footer(data, Kind(FULLEST), frame=_frame(sides, verdicts), name="claims")


def _in_short(found: list[ClaimVerdict]) -> str:
    """The three verdicts in a few words."""
    papers, text, code = (verdict.verdict for verdict in found)
    return f"Ours: {text}, by the code: {code}; the paper's own figures: {papers}."


def _line(title: str, found: ClaimVerdict) -> str:
    return f"{ICONS[found.verdict]} {title}: **{found.verdict}**. {plain(found.why)}"


def _frame(sides, verdicts) -> pd.DataFrame:
    return pd.DataFrame(
        {"claim": claim.claim, "figures": title, "verdict": found.verdict, "why": found.why}
        for claim, of in zip(claims(), verdicts, strict=True)
        for (title, *_), found in zip(sides, of, strict=True)
    )


def _relevance_frequency(data: StudyData) -> None:
    """TFRF as it is, as it was run, and LTW-L-I, where there are figures by the authors' code."""
    found = compared_pairs(one_a_corpus(data.averaged, "full", AUTHORS), COMPARED)
    if not any(pair.other.weighting == RF_BEFORE for pair in found):
        return
    st.header("Relevance frequency, as it was run", anchor=False)
    st.markdown(
        "From 19 to 23 January 2017 the authors' code computed RF of shares of documents and put 1 for a share of 0, "
        "so that a term found only in the class got the lowest weight of all. That form is run here beside the correct "
        "one, and the paper's printed figures stand next to both; whether its tables were made with it is not known."
    )
    printed, others = paper.values()["macro_f1"], {other["corpus"] for other in other_documents().values()}

    def of_paper(name: str, place: tuple[str, str]) -> float | None:
        return None if place[0] in others else printed[name].get(place)

    frame = pd.DataFrame(
        {
            "corpus": titles().get(one.example.corpus, one.example.corpus),
            "classifier": short_learner(one.learner),
            "weighting": display(one.weighting),
            "against": display(other.weighting),
            "macro F1": one.value("macro_f1"),
            "of the other": other.value("macro_f1"),
            "difference": less.value,
            "95% interval": f"{signed(less.both.low)} to {signed(less.both.high)}",
            "paper, TFRF": of_paper("TFRF", (one.example.corpus, one.learner)),
            "paper, LTW-L-I": of_paper("LTW-L-I", (one.example.corpus, one.learner)),
            "micro F1": one.value("micro_f1"),
            "micro F1 of the other": other.value("micro_f1"),
            "classes": less.n,
            "seeds": max(one.seeds, other.seeds),
        }
        for one, other, less in found
    )
    table(frame, "relevance_frequency", "Relevance frequency, correct and as it was run, and LTW-L-I")
    st.caption(
        "Full grids, run as the authors' code runs. The interval is of the difference of macro F1, from drawing "
        "classes again (paired bootstrap)."
    )
    offer_table("These figures (CSV)", "relevance-frequency.csv", frame, "The table above.")

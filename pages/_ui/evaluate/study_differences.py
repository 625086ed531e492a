"""Where our figures lie more than .02 from the paper's, and why: a list from the figures, with the reasons on file."""

import pandas as pd
import streamlit as st

from ltw_core.studies.reasons import reasons
from ltw_core.studies.tables import FAR, Table
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.downloads import offer_table
from pages._ui.evaluate.study_source import titles
from pages._ui.evaluate.study_tables import short
from pages._ui.tables import table


def show(shown: Table, grid: str, full: Table | None = None) -> None:
    """The reasons with how many places each explains, then the places; ``full``: ours with the full grid."""
    far = shown.far()
    both = shown.with_both()
    if not both:
        st.info("There is no figure of ours to compare with the paper's yet.", icon=":material/hourglass_empty:")
        return
    parts = []
    for comparable, where in ((True, ""), (False, ", of other documents")):
        of = [p for p in both if p.comparable == comparable]
        if of:
            parts.append(
                f"**{sum(p in far for p in of)} of {len(of)}** places lie more than .02 from the paper's{where}"
            )
    st.markdown("; ".join(parts) + ".")
    why = {id(p): [] for p in far}  # titles of reasons
    for reason in reasons():
        of = [p for p in far if reason.applies(p, grid)]
        for p in of:
            why[id(p)].append(reason.title)
        if of:
            mean = sum(p.difference for p in of) / len(of)
            with st.container(border=True):
                st.markdown(
                    f"**{reason.title}** · {words.count(len(of), 'place')}, ours on average {short(mean, signed=True)}"
                    f" · *{reason.evidence}*"
                )
                st.markdown(reason.text)
    if unexplained := sum(not titles for titles in why.values()):
        st.markdown(f"**No reason found** for {words.count(unexplained, 'place')}.")
    _places(far, why, full)
    st.caption(
        "Reasons were looked for by computing some of these places in another way, and by reading the authors' "
        "published code. A place may have several."
    )


def _places(far: list, why: dict[int, list[str]], full: Table | None) -> None:
    """A line a place."""
    corpora = titles()
    with_full = {} if full is None else full.places
    frame = pd.DataFrame(
        {
            "corpus": corpora.get(p.corpus, p.corpus),
            "weighting": display(p.weighting),
            "classifier": p.learner,
            "ours": p.average.value,
            "paper": p.paper,
            "difference": p.difference,
            "full grid": other.value() if (other := with_full.get((p.weighting, p.corpus, p.learner))) else None,
            "why": "; ".join(why[id(p)]) or "not known",
        }
        for p in far
    )
    if frame.empty:
        return
    if frame["full grid"].isna().all():
        frame = frame.drop(columns="full grid")
    table(frame, "differences", f"Places more than {FAR} from the paper's figure")
    offer_table("Differences (CSV)", "differences.csv", frame, "The table above.")

"""Where our figures lie more than .02 from the paper's, and why: a list from the figures, reasons written by hand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from ltw_core.experiments.beside import FAR, Beside, Place
from ltw_core.figures.theme import display
from pages._ui import words
from pages._ui.guard import plain


@dataclass(frozen=True)
class Reason:
    """Why some places differ.

    ``applies``: to which places of which grid; ``text``: what was found, and how.
    """

    title: str
    applies: Callable[[Place, str], bool]
    text: str


REASONS: tuple[Reason, ...] = ()


def show(shown: Beside, titles: Mapping[str, str], grid: str) -> None:
    """The reasons with how many places each explains, then the places."""
    far = shown.far()
    both = shown.both()
    if not both:
        st.info("There is no figure of ours to set beside the paper's yet.", icon=":material/hourglass_empty:")
        return
    st.markdown(f"**{len(far)} of {len(both)}** places lie more than .02 from the paper's.")
    unexplained = [p for p in far if not any(reason.applies(p, grid) for reason in REASONS)]
    for reason in REASONS:
        of = [p for p in far if reason.applies(p, grid)]
        if of:
            mean = sum(p.difference for p in of) / len(of)
            with st.container(border=True):
                st.markdown(f"**{reason.title}** · {words.count(len(of), 'place')}, on average {mean:+.3f}")
                st.markdown(reason.text)
    if unexplained:
        st.markdown(f"**No reason found** for {words.count(len(unexplained), 'place')}.")
    frame = pd.DataFrame(
        [
            {
                "corpus": titles.get(p.corpus, p.corpus),
                "weighting": display(p.weighting),
                "classifier": p.learner,
                "ours": p.average.value,
                "paper": p.paper,
                "difference": p.difference,
                "why": "; ".join(r.title for r in REASONS if r.applies(p, grid)) or "not known",
            }
            for p in far
        ]
    )
    if not frame.empty:
        number = st.column_config.NumberColumn(format="%.3f")
        st.dataframe(
            frame,
            hide_index=True,
            column_config={
                "ours": number,
                "paper": number,
                "difference": st.column_config.NumberColumn(format="%+.3f"),
            },
            alt=f"Places more than {FAR} from the paper's figure",
        )
        st.download_button(
            "Differences (CSV)",
            data=lambda: frame.to_csv(index=False),
            file_name="differences.csv",
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            help="The table above.",
        )
    st.caption(plain("Reasons were looked for with small experiments on the cells in question; the README says how."))

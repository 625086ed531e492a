"""Does alignment with the class, which needs no classifier, predict F1? A sentence a corpus, from shipped figures."""

import pandas as pd
import streamlit as st

from ltw_core.evaluation import decimals, interval_text
from ltw_core.figures import DrawnDifference, differences_from
from ltw_core.metrics import listed
from ltw_core.studies.averages import one_a_corpus
from ltw_core.studies.class_alignment import FILE, WEIGHTINGS, rank_correlations, read
from ltw_core.studies.result_files import LEAST
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.downloads import offer_table
from pages._ui.evaluate.study_lists import whole_table
from pages._ui.evaluate.study_source import StudyData, short_titles, titles
from pages._ui.evaluate.study_tables import short
from pages._ui.evaluate.study_views import Row, nothing_known, of_corpora
from pages._ui.guard import plain
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.result_cache import kept


def show(data: StudyData, row: Row) -> None:
    """Within a class over weightings, and over classes: an answer, the intervals, and a sentence a corpus."""
    if not of_corpora(data):
        return
    told, within, rows = _read(data.key, data)
    if not told:
        nothing_known()
        return
    over = [each["over classes"] for each in rows]
    row.answer(_answer(within, min(over), max(over)), "Rank correlation: Spearman’s, with the quick grid.")
    look = {"measure": "rank correlation within a class", "numbers": True, "base": words.base()}
    narrow = narrow_layout(differences_from.plain("", within, narrow=True, **look), "alignment-within")
    frame = pd.DataFrame(rows)
    plot(differences_from.plain("", within, **look), "alignment-within", live=True, narrow=narrow)
    st.caption(
        f"Rank correlation of alignment and F1 (SVM, quick grid) over {len(WEIGHTINGS)} weightings of one class: its "
        "mean over the classes of a corpus, with its 95% interval.",
        help=f"Classes with {LEAST} training documents or more; alignment on up to 750 of them. "
        f"In `data/results/{FILE}`; `python -m ltw_core.studies.class_alignment` computes it.",
    )
    by_corpus = frame.pivot(index="weighting", columns="corpus", values="over classes")
    by_corpus = by_corpus.loc[frame["weighting"].unique(), list(within)[::-1]]
    about = "Rank correlation of alignment and F1 over classes, by corpus and weighting"
    whole_table(by_corpus.reset_index(), "alignment_and_f1", about, dict.fromkeys(by_corpus, ".2"))
    st.caption("The same over the classes of a corpus (column), for each weighting (row).")
    with st.expander("Each corpus in words"):
        st.markdown("\n".join(told))
    offer_table("Alignment and F1 (CSV)", "ltw-alignment.csv", frame, "The table above.")


def _answer(within: dict[str, DrawnDifference], low: float, high: float) -> str:
    """Whether alignment tells which class is easy (rank correlations from ``low`` to ``high``), and on which corpora
    the better weighting of a class, as far as that can be told."""
    sure = [name for name, each in within.items() if each.low > 0]
    kind = "which class is easier" + " on some corpora alone" * (low <= 0)
    between = f"rank correlation with F1 {decimals(low, 2)} to {decimals(high, 2)}"
    more = (
        f"and which weighting of a class is better on {listed(sure)}"
        if sure
        else "but is not shown to predict which weighting of a class is better"
    )
    return f"**It predicts {kind}** ({between}), **{more}**."


@kept(8)
def _read(key: tuple, _data: StudyData) -> tuple[list[str], dict[str, DrawnDifference], list[dict]]:
    """A sentence a corpus, the rank correlations within a class, and those over classes."""
    found, named, within, rows = read(), titles(), {}, []
    shorter = short_titles()
    averaged = [f for f in one_a_corpus(_data.averaged, "quick") if f.learner == "SVM"]
    told: list[tuple[float, str]] = []
    for corpus in dict.fromkeys(one.corpus for one in found):
        scores = {
            (name, f.weighting): score.f1
            for f in averaged
            if f.example.corpus == corpus
            for name, score in f.by_class.items()
        }
        read_off = rank_correlations([one for one in found if one.corpus == corpus], scores)
        if read_off is None or read_off.interval is None:
            continue
        title = named.get(corpus, corpus)
        low, high = min(read_off.over.values()), max(read_off.over.values())
        around = read_off.interval
        between = interval_text(around, plus=True)
        said = (
            f"- {plain(title)}, {words.count(read_off.classes, 'class', 'classes')}: over classes {short(low)} to "
            f"{short(high)}; within a class, over {len(WEIGHTINGS)} formulas, {short(read_off.within, signed=True)} on "
            f"average [{between}]"
        )
        told.append((read_off.within, said))
        within[shorter.get(corpus, corpus)] = DrawnDifference(read_off.within, around.low, around.high, between)
        rows += [
            {"corpus": shorter.get(corpus, corpus), "weighting": display(k), "over classes": v}
            for k, v in read_off.over.items()
        ]
    return [said for _, said in sorted(told, reverse=True)], within, rows  # in the order of the figure

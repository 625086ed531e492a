"""Which short formula is the surface like that all classes of a corpus share, and how it does as a weighting."""

import pandas as pd
import streamlit as st

from ltw_core.evaluation import decimals
from ltw_core.studies import joint_network
from ltw_core.studies.joint_network import JOINT, MEAN
from ltw_core.studies.universal_formula import (
    AGAINST,
    CHOSEN,
    FORMULAS,
    KNOWN,
    RUNS,
    SCORES,
    SURFACE,
    Candidate,
    Compared,
    compared,
    read_formulas,
    read_scores,
)
from pages._ui import choices, words
from pages._ui.downloads import offer_table
from pages._ui.evaluate.study_source import titles
from pages._ui.evaluate.study_tables import SIGNS, WHOLE, interval_of, short
from pages._ui.guard import plain
from pages._ui.result_cache import kept
from pages._ui.tables import table


def show() -> None:
    """A sentence a corpus, what follows, and the table."""
    found, rows = _read()
    chosen = [one for one in found if one.kind == CHOSEN]
    if not chosen or not rows:
        return
    named = titles()
    st.header("One formula for all classes?", anchor=False)
    st.markdown(_verdict(rows, {one.formula for one in chosen}))
    said = [f"- {_like(one, found, named)}" for one in chosen]
    st.markdown("\n".join(said))
    frame = pd.DataFrame(
        {
            "weighting": [_name(row.weighting, chosen, named) for row in rows],
            "corpus": [named.get(row.corpus, row.corpus) for row in rows],
            "classes": [row.classes for row in rows],
            "macro F1": [row.macro_f1 for row in rows],
            "difference": [row.less.value if row.less else None for row in rows],
            "mark": [SIGNS[row.less.sign] if row.less else "" for row in rows],
            "interval": [interval_of(row.less.both) if row.less else "" for row in rows],
        }
    )
    table(frame, "universal", f"Macro F1 of formulas for all classes, and that minus {AGAINST}'s", most=WHOLE)
    st.caption(
        f"The surface: mean of {RUNS} training runs of LTW-L-I of every class with 20 training documents or more, in "
        f"canonical form. Likeness: alignment of what both do to documents, a mean over classes. Scores: SVM, quick "
        f"grid, all classes, seed 0; 95% intervals of paired differences, over classes. In `data/results/{FORMULAS}` "
        f"and `{SCORES}`; `python -m ltw_core.studies.universal_formula` computes them."
    )
    offer_table("Formulas for all classes (CSV)", "ltw-universal.csv", frame, "The table above.")


def joint() -> None:
    """One network for all classes, against the mean of what each learned alone: a sentence a corpus."""
    found, named = _read_joint(), titles()
    rows = [row for row in found if row.weighting == JOINT and row.less is not None]
    if not rows:
        return
    means = {row.corpus: row.macro_f1 for row in found if row.weighting == MEAN}
    st.header("One network for all classes?", anchor=False)
    said = [
        f"- {plain(named.get(row.corpus, row.corpus))}, {words.count(row.classes, 'class', 'classes')}: macro F1 "
        f"{short(row.macro_f1)}, the mean {short(means[row.corpus])}: {short(row.less.value, signed=True)} "
        f"[{interval_of(row.less.both)}]"
        for row in rows
    ]
    better, worse = (sum(row.less.sign == sign for row in rows) for sign in (1, -1))
    verdict = "better nowhere" if not better else f"better on {better} of {words.count(len(rows), 'corpus', 'corpora')}"
    st.markdown(
        "A single network learned from half of a corpus's classes at once, with a classifier for each, weights the "
        "documents of the others; so does the mean of what the same classes learned alone. The single network is "
        f"**{verdict}**" + (f" and worse on {worse}" if worse else "") + ":\n\n" + "\n".join(said)
    )
    st.caption(
        f"SVM, quick grid, seed 0; paired differences over classes, 95% intervals. In `data/results/"
        f"{joint_network.FILE}`; `python -m ltw_core.studies.joint_network` computes them."
    )


@kept(1)
def _read_joint() -> list[Compared]:
    return compared(joint_network.read(), MEAN)


@kept(1)
def _read() -> tuple[list[Candidate], list[Compared]]:
    return read_formulas(), compared(read_scores())


def _verdict(rows: list[Compared], formulas: set[str]) -> str:
    """Whether one of the formulas is better than TFRF, and where."""
    of = {formula: [row for row in rows if row.weighting == formula] for formula in formulas}
    better = {formula: sum(row.less.sign > 0 for row in each) for formula, each in of.items()}
    worse = {formula: sum(row.less.sign < 0 for row in each) for formula, each in of.items()}
    corpora = words.count(len({row.corpus for row in rows}), "corpus", "corpora")
    good = [formula for formula in formulas if better[formula] and not worse[formula]]
    if good:
        best = max(good, key=better.get)
        return (
            f"Yes, with care: `{best}` is better than {AGAINST} on {better[best]} of {corpora}, and on none is it "
            "distinguishably worse."
        )
    where = "on none of them" if not any(better.values()) else "though better on one, worse on another"
    return f"No: of {words.count(len(formulas), 'formula')} tried on {corpora}, none beats {AGAINST}: {where}."


def _like(one: Candidate, found: list[Candidate], named: dict[str, str]) -> str:
    """What the shared surface of a corpus is like, and which of the known formulas is nearest to it."""
    known = max((each for each in found if (each.corpus, each.kind) == (one.corpus, KNOWN)), key=lambda e: e.likeness)
    return (
        f"{plain(named.get(one.corpus, one.corpus))}: the mean of what {words.count(one.lenders, 'class', 'classes')} "
        f"learned is like `{one.formula}` (likeness {decimals(one.likeness)}, on average over {one.classes} of them). "
        f"Of the known formulas {choices.symbol(known.formula)} is nearest: {decimals(known.likeness)}."
    )


def _name(weighting: str, chosen: list[Candidate], named: dict[str, str]) -> str:
    if weighting == SURFACE:
        return "the shared surface itself"
    from_corpus = [named.get(one.corpus, one.corpus) for one in chosen if one.formula == weighting]
    return f"{weighting} (from {', '.join(from_corpus)})" if from_corpus else weighting

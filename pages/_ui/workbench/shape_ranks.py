"""The terms that contribute most, across weightings; and ties: terms that a weighting cannot tell apart."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures.bump_chart import movers
from ltw_core.insight import contributing, rank_changes, term_groups
from ltw_core.insight.contributions import RARE
from ltw_core.metrics import listed
from pages._ui import words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import offer_table
from pages._ui.guard import plain
from pages._ui.plots.cached_figures import bump_chart
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.tables import table
from pages._ui.workbench.shape_view import View
from pages._ui.workbench.shares import ESTIMATED, MEANING, shares_of
from pages._ui.workbench.texts import text

COUNT = 20
GROUPS = 40
BEFORE = "before training"  # of what has random weights
LISTED = 6  # terms in a sentence


def show(view: View) -> None:
    instead = ""
    if not view.formulas:  # ranks need something to compare with: the two best-known supervised formulas
        instead = text("ranks_not_placed" if view.names else "ranks_alone")
        view = replace(view, names=("CHI2", "RF"))
    learned = view.learned
    names = [str(t) for t in learned.terms.terms]
    about = f"The {COUNT} terms that contribute most under {learned.label}, or those that you selected."
    options = {"top": f"The {COUNT} that contribute most", "selected": "The selected terms"}
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="view_row"):
        followed = "top"
        if (
            view.chosen or st.session_state.get("follow", "top") != "top" or "follow" in st.query_params
        ):  # else there are none to follow
            followed = choose_one("follow", options, "top", help=about)
        st.caption(text("ranks_of"), width="content")
        rare = control(st.toggle, "rare_terms")
    shares = shares_of(view)
    own = shares[learned.label]
    if followed == "selected":
        index = [names.index(t) for t in view.chosen]
        if not index:
            st.info("Select terms above, or click some in a map.", icon=":material/ads_click:")
            return
    else:
        index = contributing(own, learned.terms, COUNT, rare=rare).tolist()
    changes = rank_changes(shares, index)
    terms = [names[i] for i in index]
    drawn = (changes.names, terms, changes.positions, changes.ranks)
    options = {"total": len(names), "selected": view.chosen, "base": words.base()}
    options |= {"note": BEFORE if learned.untrained else ""}
    options["uirevision"] = f"{learned.key}-{followed}-{rare}-{len(view.weights)}"
    narrow = bump_chart.layout(*drawn, narrow=True, **options)
    plot(bump_chart(*drawn, **options), "shapes_ranks", live=True, narrow=narrow, on_pick=selection.pick)
    estimated = f" Here {ESTIMATED}." if view.task() is None else ""
    which = movers(changes.ranks)
    moved, marks = int(np.count_nonzero(which)), {1: "solid: ranked higher", -1: "dashed: lower"}
    about = {"label": plain(learned.label), "moved": words.count(moved, "term"), "total": len(names)}
    about["lines"] = "; ".join(said for sign, said in marks.items() if np.any(np.sign(which) == sign))
    key = text("ranks_key" if moved else "ranks_alike", **about)
    st.caption(f"{key} {instead}", help=f"{MEANING}.{estimated} {text('ranks')}")
    _sentence(view, shares, index, followed == "top")
    frame = pd.DataFrame({"term": terms} | {f"rank under {n}": changes.ranks[k] for k, n in enumerate(changes.names)})
    for name, share in shares.items():
        frame[f"share under {name}"] = share[index]
        frame[f"weight under {name}"] = view.weights[name][index]
    view.offer_table(
        "Ranks (CSV)", "ltw-ranks.csv", frame, "The terms with rank, share and weight under each weighting."
    )
    _ties(view, own, rare)


def _sentence(view: View, shares: dict[str, np.ndarray], index: list[int], top: bool) -> None:
    """How much the terms make up, and which of them speak against the class with a positive weight."""
    label, terms, cd = view.learned.label, view.learned.terms, view.learned.cd
    which = f"that contribute most under {plain(label)} " if top else ""
    own, *others = (f"{share[index].sum():.0%}" for share in shares.values())
    said = listed([f"{share} under {plain(name)}" for share, name in zip(others, [*shares][1:], strict=True)])
    of = "of the class’s vectors" + ("" if top else f" under {plain(label)}")
    st.markdown(f"The {len(index)} terms {which}make up {own} {of}{f', {said}' if said else ''}.")
    negative = [f"“{plain(str(terms.terms[k]))}”" for k in index if cd[k] < 0]
    if negative:
        more = len(negative) - LISTED
        rest = [words.count(more, "other")] if more > 0 else []
        has = "has a negative weight" if len(negative) == 1 else "have negative weights"
        st.markdown(f"Of these {listed([*negative[:LISTED], *rest])} {has}.")
    against = [k for k in index if cd[k] > 0 and terms.tpr[k] < terms.fpr[k]]
    if against:
        some = ", ".join(f"“{plain(str(terms.terms[k]))}”" for k in against[:LISTED])
        verbs = "has a positive weight and speaks" if len(against) == 1 else "have a positive weight and speak"
        st.markdown(f":material/warning: {some} {verbs} against the class.", help=text("against"))


def _ties(view: View, share: np.ndarray, rare: bool) -> None:
    """Terms with the same counts and weight as one row."""
    learned = view.learned
    groups = term_groups(share, learned.cd, learned.terms, rare=rare, count=GROUPS)
    if not groups:
        return
    with st.expander("All terms by contribution"):
        frame = pd.DataFrame(
            {
                "terms": [group.name(learned.terms.terms) for group in groups],
                "share": [group.share for group in groups],
                "weight": [group.weight for group in groups],
                "tp": [group.tp for group in groups],
                "fp": [group.fp for group in groups],
                "number": [group.terms.size for group in groups],
                "speaks": [_speaks(group, learned.terms) for group in groups],
            }
        )
        table(frame, "contributions", "Groups of terms that the weighting cannot tell apart, by their contribution")
        left = int((learned.terms.document_frequency < RARE).sum())
        st.caption(
            f"The first {len(groups)} rows, {frame['share'].sum():.0%} of the class’s vectors."
            + ("" if rare else f" {words.count(left, 'term')} in fewer than {RARE} training documents left out.")
        )
        offer_table("Contributions (CSV)", "ltw-contributions.csv", frame, "The table above.")


def _speaks(group, terms) -> str:
    tpr, fpr = (float(rate[group.terms[0]]) for rate in (terms.tpr, terms.fpr))
    return "for the class" if tpr > fpr else "against it" if tpr < fpr else "for neither"

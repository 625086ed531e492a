"""The same thirty terms across weightings."""

import pandas as pd
import streamlit as st

from ltw_core.insight import rank_changes, strongest
from pages._ui import words
from pages._ui.controls import choose_one
from pages._ui.downloads import offer_table
from pages._ui.learn.shape_view import View
from pages._ui.learn.texts import text
from pages._ui.plots.cached_figures import bump_chart
from pages._ui.plots.plot import plot
from pages._ui.reader import selection

COUNT = 30


def show(view: View) -> None:
    learned = view.learned
    names = [str(t) for t in learned.terms.terms]
    about = f"The {COUNT} terms to which {learned.label} gives the largest weights, or those that you selected."
    options = {"top": f"Its {COUNT} strongest terms", "selected": "The selected terms"}
    followed = choose_one("follow", options, "top", help=about)
    if followed == "selected":
        index = [names.index(t) for t in view.chosen]
        if not index:
            st.info("Select terms above, or click some in a map.", icon=":material/ads_click:")
            return
    else:
        index = strongest(learned.cd, COUNT).tolist()
    changes = rank_changes(view.weights, index)
    terms = [names[i] for i in index]
    figure = bump_chart(
        changes.names,
        terms,
        changes.positions,
        changes.ranks,
        total=len(names),
        selected=view.chosen,
        base=words.base(),
        uirevision=f"{learned.key}-{followed}-{len(view.weights)}",
    )
    plot(figure, "shapes_ranks", live=True, on_pick=selection.pick)
    kept = {n: int((changes.ranks[k] <= len(index)).sum()) for k, n in enumerate(changes.names) if k}
    if followed == "top" and kept:
        said = ", ".join(f"{count} under {name}" for name, count in kept.items())
        st.markdown(f"Of these {len(index)} terms, among the {len(index)} strongest of all {len(names):,}: {said}.")
    st.caption(text("ranks"))
    frame = pd.DataFrame({"term": terms} | {f"rank under {n}": changes.ranks[k] for k, n in enumerate(changes.names)})
    offer_table(
        "Ranks (CSV)", "ltw-ranks.csv", frame, "The terms with their rank under each weighting, among all terms."
    )

"""The first page: learned surfaces that ship with the project next to formulas, to turn at once, and the way on."""

import streamlit as st

from pages._ui import warm, words
from pages._ui.controls import choose_one
from pages._ui.guard import sentences

words.header(
    "what should a word weigh?",
    "TFIDF, χ² and RF are formulas that people wrote. **Learning to Weight** finds the formula itself in the training "
    "documents. Below, height is the weight of a term that occurs in *tpr* of a class's documents and in *fpr* of all "
    "others: turn the surfaces, and find what was learned.",
)
warm.begin()

from ltw_core.studies.examples import examples  # noqa: E402
from pages._ui.explore.shipped_surfaces import drawing, title  # noqa: E402
from pages._ui.plots.plot import plot  # noqa: E402
from pages._ui.weightings.learned import shipped  # noqa: E402


def show() -> None:
    local = [info.name for info in examples() if info.variant == "LTW-L-I"]
    if not local:
        st.info("The shipped examples are missing: restore the folder data/examples.", icon=":material/info:")
        return
    name = choose_one("example", {name: title(name) for name in local}, local[0])
    learned = shipped(name)
    plot(drawing(name, words.base()), "start", sketch=True)
    st.caption(
        f"{learned.provenance} All in canonical form: positive for terms typical of the class, and each scaled to its "
        "strongest term in view. Grey where no term lies."
    )


with sentences():
    show()

st.subheader("Three steps", anchor=False, divider="gray")
explore, learn, evaluate = st.columns(3)
with explore:
    st.markdown("**1 · Explore** — where a corpus's terms lie, and what each formula does with them.")
    st.page_link("pages/explore/corpus.py", label="See the corpus", icon=":material/database:")
    st.page_link("pages/explore/functions.py", label="Try the formulas", icon=":material/function:")
with learn:
    st.markdown("**2 · Learn** — watch a weighting being learned, then compare its surface with the formulas.")
    st.page_link("pages/learn/train.py", label="Train one, in seconds", icon=":material/model_training:")
    st.page_link("pages/learn/shapes.py", label="Compare the shapes", icon=":material/deployed_code:")
with evaluate:
    st.markdown("**3 · Evaluate** — how well classifiers do with it, against the classic weightings.")
    st.page_link("pages/evaluate/classifiers.py", label="Compare F1", icon=":material/grid_on:")

"""The first page: learned surfaces that ship with the project beside formulas, to turn at once, and the way on."""

import streamlit as st

from pages._ui import warm, words
from pages._ui.guard import sentences

words.header(
    "What should a word weigh?",
    "TFIDF, χ² and RF are formulas that people wrote. **Learning to Weight** finds the formula itself in the training "
    "documents. Below, height is the weight of a term that occurs in *tpr* of a class's documents and in *fpr* of all "
    "others: turn the surfaces, and find what was learned.",
)
warm.begin()

from ltw_core.experiments.examples import examples  # noqa: E402
from ltw_core.figures import surface_grid, surfaces  # noqa: E402
from pages._ui.learn.learned import known_panel, shipped  # noqa: E402
from pages._ui.plots.plot import Ready, plot, ready  # noqa: E402

FORMULAS = ("CHI2", "RF")


def title(name: str) -> str:
    info = next(i for i in examples() if i.name == name)
    return f"{info.class_title} · {info.corpus_title.split(' (')[0].split(',')[0]}"


@st.cache_resource(max_entries=16, show_spinner=False)
def drawing(name: str, base: str) -> Ready:
    """The figure of a shipped example."""
    learned = shipped(name)
    terms = learned.terms
    grid = surface_grid(terms.tpr, terms.fpr, learned.p, learned.n, region="terms", scale="log")
    panels = [learned.panel(grid, "learned")] + [known_panel(f, learned, grid, "a formula") for f in FORMULAS]
    drawn = {"p": learned.p, "title": learned.title, "base": base, "uirevision": learned.key}
    wide = surfaces.drawing(panels, grid, terms, **drawn)
    return ready(wide, "start", surfaces.drawing(panels, grid, terms, columns=2, width=420, labels=2, **drawn))


def show() -> None:
    local = [info.name for info in examples() if info.variant == "LTW-L-I"]
    if not local:
        st.info("The shipped examples are missing: restore the folder data/examples.", icon=":material/info:")
        return
    name = st.segmented_control(
        "Learned for the class",
        local,
        format_func=title,
        default=local[0],
        required=True,
        key="example",
        persist_state="session",
        help="Each was learned once and ships with the project; train your own on the Train page.",
    )
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
    st.markdown("**2 · Learn** — watch a weighting being learned, then turn its surface beside the formulas.")
    st.page_link("pages/learn/train.py", label="Train one, in seconds", icon=":material/model_training:")
    st.page_link("pages/learn/shapes.py", label="Compare the shapes", icon=":material/deployed_code:")
with evaluate:
    st.markdown("**3 · Evaluate** — how well classifiers do with it, against the classic weightings.")
    st.page_link("pages/evaluate/classifiers.py", label="Compare F1", icon=":material/grid_on:")

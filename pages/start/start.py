"""The first page: a learned surface that turns once, beside a document of the class in its colours, and the way on."""

import streamlit as st

from pages._ui import warm, words
from pages._ui.controls import control
from pages._ui.glossary import glossed
from pages._ui.guard import plain, sentences
from pages._ui.reader import bring_own, selection, under_way

beside = words.header(
    "what should a word weigh?",
    "How much should a word count when a text is classified? Formulas such as TFIDF compute it; **Learning to Weight** "
    "learns it from labelled documents.",
    name="LTW Lab",
)
HIGH = 524  # pixels of the figure's place

figure, below = st.container(key="surface_place"), st.container(key="doors_line")
with figure:
    waiting = st.empty()

with below, st.container(horizontal=True, vertical_alignment="center", gap="small", key="doors"):  # there at once
    if control(st.button, "learn_it", type="primary"):
        st.switch_page(under_way.PAGE)
    if control(st.button, "train_it"):
        st.switch_page("pages/workbench/workbench.py")
    control(st.button, "own_data", on_click=bring_own.ask)
if not warm.begun():
    middle = {"horizontal_alignment": "center", "vertical_alignment": "center"}
    with waiting.container(height=HIGH, **middle):  # as high as what comes in its place
        st.caption("The server has just started. Loading the surface, about 5 s …", width="content")
warm.begin()
waiting.empty()

from ltw_core.corpora import catalogue  # noqa: E402
from pages._ui import loading  # noqa: E402
from pages._ui.start import first_view  # noqa: E402
from pages._ui.weightings.reference import RUN, Reference  # noqa: E402

PAPER = (
    "“The paper” on these pages is A. Moreo, A. Esuli, F. Sebastiani: [*Learning to Weight for Text Classification*]"
    "(https://arxiv.org/abs/1903.12090), IEEE Transactions on Knowledge and Data Engineering 32(2), 2020."
)

OWN = "own"  # the class that is chosen, where nothing that ships is of it


def show() -> None:
    dataset, class_name = selection.expected()
    first = "_dataset" not in st.session_state  # nothing is asked of a corpus before the page is there
    task = None
    if not first and loading.ready(dataset) and class_name in loading.positives(dataset):
        task = loading.task(dataset, class_name)
    st.session_state["_start_waits"] = task is None
    learned = first_view.of_class(dataset, class_name, task)
    waits = learned is None and task is None and any(entry.name == dataset for entry in catalogue())
    asked = class_name if waits else None
    if asked:  # meanwhile the example of its corpus is shown
        learned = first_view.of_class(dataset, None, None)
    words.class_beside(beside, asked or first_view.class_title(learned, task))
    with figure:
        if learned is None and task is None:
            with st.container(height=HIGH, border=False):
                st.caption("Reading the corpus; then the surface of this class is shown…")
        else:
            first_view.show(learned, task)
    _what(learned, task, asked)


def _what(learned, task, asked) -> None:
    """Beside the doors what stands behind the surface, and below them other classes; ``asked``: the class in whose
    place an example is shown until the corpus is there."""
    with below:
        if learned is not None:
            of = plain(first_view.class_title(learned, task) or learned.title)
            head, seed = ("Meanwhile, an example" if asked else "Learned"), ""
            kind, token = Reference.parse(learned.source)
            if kind == RUN:
                from pages._ui.training import lookup

                if (run := lookup.find(token)) is not None:
                    head, seed = lookup.whose(run), f" · seed {run.seed}"
            about = f"{head}: {glossed(learned.label)}{seed} for **{of}**"  # ``of`` is escaped
            scaled = (
                f"{len(learned.terms):,} terms; the surface is in canonical form, scaled to the strongest term in "
                "view; positive on balance for typical terms. The classifier on top gives each term its own sign."
            )
            with st.container(key="of_learned"):
                st.caption(about, help=f"{learned.provenance} {scaled}", width="content", unsafe_allow_html=True)
    shipped = first_view.choices()
    if shipped:
        current = Reference.parse(learned.source).name if learned is not None and not asked else None
        if task is not None:  # also where a run of one's own is shown
            current = first_view.example_of(task.vectorized.corpus.name, task.class_name) or OWN
        if current == OWN:  # not listed yet
            shipped = shipped | {OWN: first_view.named(task.class_title, task.vectorized.corpus.title)}
        key = f"example-{task.fingerprint if current == OWN else current}"  # another one for a class chosen elsewhere
        chosen = {"default": current, "on_change": _chosen, "args": (key, current)}
        control(st.segmented_control, key, shipped, like="example", **chosen)
    st.caption(PAPER)


def _chosen(key: str, current: str) -> None:
    """Another class, or by a click on the one that is shown what else there is of it; that stays marked."""
    if (name := st.session_state.get(key)) is None:
        st.session_state[key] = name = current
    if name not in (None, OWN):
        first_view.choose(name, other=name == current)


with sentences():
    show()

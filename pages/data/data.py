"""The corpus at hand: its sizes, and in sections the terms of a class, its documents, all classes, and its curves."""

import streamlit as st

from ltw_core.corpora import catalogue
from pages._ui import loading, sheets, words
from pages._ui.controls import choose_one
from pages._ui.data import collection_view, corpus_view, findings, terms_view
from pages._ui.data.fetch_corpus import fetch_corpus
from pages._ui.data.own_table import READ, own_table
from pages._ui.documents import documents_view
from pages._ui.glossary import glossed
from pages._ui.guard import plain, sentences
from pages._ui.reader import bring_own, selection
from pages._ui.terms_kept import selection_told

ABOUT = {
    "Terms": "which words identify a class?",
    "Table": "what does each word weigh?",
    "Documents": "what does a classifier see?",
    "Classes": "how rare is each class?",
    "Collection": "what is the collection like?",
}

read = st.session_state.pop(READ, None)
if read:
    st.session_state["section"] = "Terms"
    st.toast(read, icon=":material/check:", duration="long")
with st.container(key="data_title"):
    asked = st.session_state.get("section", st.query_params.get("section"))
    words.title(ABOUT.get(asked, ABOUT["Terms"]), of_class=asked != "Collection")
with st.container(key="view_answer"):
    answer = st.empty()
if bring_own.is_open():
    own_table(expanded=True)
dataset = selection.dataset()
entry = next((e for e in catalogue() if e.name == dataset), None)
if entry is not None and not entry.available:
    fetch_corpus(entry)
    if not bring_own.is_open():
        own_table(expanded=False)
    st.stop()

source = loading.vectorized(dataset)
task = loading.task(dataset, selection.class_name())  # waits until the sidebar has a class, too
with sentences():
    positives = loading.positives(dataset)
    task = terms_view.chosen_task(dataset, selection.class_name())
    words.notes(task, fact=False)
    selection_told(loading.task(dataset, task.class_name), control_here=False)
    about = findings.corpus(source, positives, task, plain(entry.summary) if entry is not None else "")

    def say(text: str, help: str = "") -> None:
        """Say above the view what it comes to."""
        answer.markdown(glossed(text), unsafe_allow_html=True, help=f"{help}\n\n{about}".strip())

    def terms() -> None:
        say(*findings.best_term(task))
        terms_view.mapped(task)

    def table() -> None:
        say(*findings.largest_weights(task))
        terms_view.table(task)

    def documents() -> None:
        with st.container(key="doc_reader"):
            documents_view.reader(loading.task(dataset, task.class_name), dataset, say)

    def classes() -> None:
        say(findings.prevalences(source, positives))
        corpus_view.classes(source, positives)

    def collection() -> None:
        say(findings.texts(source))
        collection_view.collection(source)

    sections = {
        "Terms": terms,
        "Table": table,
        "Documents": documents,
        "Classes": classes,
        "Collection": collection,
    }
    section = choose_one("section", list(sections), "Terms", **sheets.turning("section"))
    with st.container(key="section_view"), sentences():  # what is ordered otherwise on a phone stays above the rest
        sections[section]()
corpus_view.how_it_was_read(source)
if not bring_own.is_open():
    own_table(expanded=False)
others = [e for e in catalogue() if not e.available and e.downloadable]
if others:
    with st.expander(f"Get {words.count(len(others), 'more dataset')}"):
        for other in others:
            fetch_corpus(other, listed=True)

"""The corpus at hand: its sizes, and in sections the terms of a class, its documents, all classes, and its curves."""

import streamlit as st

from ltw_core.corpora import catalogue
from pages._ui import loading, words
from pages._ui.controls import choose_one
from pages._ui.data import terms_view
from pages._ui.data.collection_view import collection
from pages._ui.data.corpus_view import answer, classes, how_it_was_read, sizes
from pages._ui.data.fetch_corpus import fetch_corpus
from pages._ui.data.own_table import own_table
from pages._ui.documents import documents_view
from pages._ui.guard import plain, sentences
from pages._ui.reader import bring_own, selection
from pages._ui.terms_kept import selection_told

ABOUT = "which words identify a class?"
LEAD = "Each term is evidence about a class: a share *tpr* of its documents contain it, a share *fpr* of all others."

head = st.container()
with head:
    words.header(ABOUT, LEAD)
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
with head:
    words.header_answer(answer(task))
with sentences():
    positives = loading.positives(dataset)
    sizes(source, positives, plain(entry.summary) if entry is not None else "")
    task = terms_view.chosen_task(dataset, selection.class_name())
    words.notes(task, " ".join(source.told()))
    selection_told(loading.task(dataset, task.class_name), control_here=False)
    sections = {
        "Terms": lambda: terms_view.mapped(task),
        "Table": lambda: terms_view.table(task),
        "Documents": lambda: documents_view.reader(loading.task(dataset, task.class_name), dataset),
        "Classes": lambda: classes(source, positives),
        "Collection": lambda: collection(source),
    }
    section = choose_one("section", list(sections), "Terms", label_visibility="collapsed")
    with st.container(key="first_section" if section == "Terms" else "other_section"), sentences():
        sections[section]()
how_it_was_read(source)
if not bring_own.is_open():
    own_table(expanded=False)
others = [e for e in catalogue() if not e.available and e.downloadable]
if others:
    with st.expander(f"Get {words.count(len(others), 'more dataset')}", icon=":material/cloud_download:"):
        for other in others:
            fetch_corpus(other, listed=True)

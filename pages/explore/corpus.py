"""The corpus at hand: its sizes and classes, the terms of a class, its documents to read, and its curves."""

import streamlit as st

from ltw_core.corpora import catalogue
from pages._ui import loading, words
from pages._ui.documents import documents_view
from pages._ui.explore import terms_view
from pages._ui.explore.collection_view import collection
from pages._ui.explore.corpus_view import classes, how_it_was_read, sizes
from pages._ui.explore.fetch_corpus import fetch_corpus
from pages._ui.explore.own_table import own_table
from pages._ui.guard import plain, sentences
from pages._ui.reader import selection

words.header(
    "documents, classes and terms",
    "Labelled documents, and for each class one question: does a document belong to it? Each term "
    "answers a little, by how often it occurs in the class (*tpr*) and elsewhere (*fpr*).",
)

dataset = selection.dataset()
entry = next((e for e in catalogue() if e.name == dataset), None)
if entry is not None and not entry.available:
    fetch_corpus(entry)
    own_table(expanded=False)
    st.stop()

if entry is not None:
    st.caption(plain(entry.summary))
source = loading.vectorized(dataset)
loading.task(dataset, selection.class_name())  # waits until the sidebar has a class, too
with sentences():
    positives = loading.positives(dataset)
    sizes(source, positives)
    classes(source, positives)
with sentences():
    task = terms_view.chosen_task(dataset, selection.class_name())
    st.subheader(f"{plain(task.class_title)}: terms and documents", anchor=False)
    words.notes(task)
    sections = {
        "Terms": lambda: terms_view.mapped(task),
        "Table": lambda: terms_view.table(task),
        "Documents": lambda: documents_view.reader(loading.task(dataset, task.class_name), dataset),
        "Collection": lambda: collection(source),
    }
    words.tabs("section", sections)
how_it_was_read(source)
own_table(expanded=False)
others = [e for e in catalogue() if not e.available and e.downloadable]
if others:
    with st.expander(f"Get {words.count(len(others), 'more dataset')}", icon=":material/cloud_download:"):
        for other in others:
            fetch_corpus(other, listed=True)

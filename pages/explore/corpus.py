"""The corpus at hand: its sizes and classes, where the chosen class's terms lie, and every term with its weights."""

import streamlit as st

from ltw_core.corpora import catalogue
from pages._ui import loading, selection, words
from pages._ui.corpus_view import classes, reading, sizes, terms
from pages._ui.getting import bring, get
from pages._ui.guard import plain, sentences

words.header(
    "The corpus",
    "Labelled documents, one question a class: does a document belong to it? Each term answers a little, by how often "
    "it occurs in the class (*tpr*) and elsewhere (*fpr*).",
)

dataset = selection.dataset()
entry = next((e for e in catalogue() if e.name == dataset), None)
if entry is not None and not entry.available:
    get(entry)
    bring(expanded=False)
    st.stop()

if entry is not None:
    st.caption(plain(entry.summary))
source = loading.vectorized(dataset)
with sentences():
    sizes(source)
    classes(source, loading.positives(dataset))
with sentences():
    task = loading.task(dataset, selection.class_name())
    terms(task)
reading(source)
bring(expanded=False)
others = [e for e in catalogue() if not e.available and e.downloadable]
if others:
    with st.expander(f"Get {words.count(len(others), 'more dataset')}", icon=":material/cloud_download:"):
        for other in others:
            get(other, inside=True)

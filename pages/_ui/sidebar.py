"""The sidebar: dataset and class, shared by all pages."""

import streamlit as st

from pages._ui import loading
from pages._ui.controls import control
from pages._ui.glossary import listing
from pages._ui.guard import plain
from pages._ui.reader import selection, uploads
from pages._ui.words import count, prevalence


def dataset_choice() -> str:
    """The list of datasets, those that are not here marked; returns the chosen one's identifier."""
    from ltw_core.corpora import catalogue

    titles = {entry.name: entry.title + (" (not here yet)" * (not entry.available)) for entry in catalogue()}
    titles |= {name: uploads.title(name) for name in uploads.visible()}
    first = selection.start(list(titles))
    st.session_state["_dataset"] = control(st.selectbox, "dataset", titles, index=first, filter_mode="contains")
    return selection.dataset()


def class_choice(name: str) -> None:
    """The searchable list of classes, or a line that says what it waits for."""
    if not loading.ready(name):
        return
    source = loading.vectorized(name)
    positives = loading.positives(name)
    first = selection.settle_class(positives)
    listed = selection.listed_classes(positives)
    short = len(listed) < len(positives)
    titles = dict(zip(source.class_names, source.class_titles, strict=True))
    chosen = control(
        st.selectbox,
        selection.class_key(),
        listed,
        like="class",
        index=listed.index(first),
        format_func=lambda c: f"{titles[c]} · {positives[c]:,}" if c in positives else c,
        filter_mode="contains",
        accept_new_options=short,
    )
    chosen = chosen if chosen in positives else first
    if short:
        st.caption(f"The list holds the {selection.LISTED:,} largest of {len(positives):,}; type any other in full.")
    st.session_state["class_of"][name] = chosen
    total = source.counts_train.shape[0]
    share = prevalence(positives[chosen] / total)
    st.caption(f"{count(positives[chosen], 'training document')} of {total:,}: Pr(c) = {share}.")


def words_used() -> None:
    """All words of the glossary, for those who cannot point at one."""
    with st.popover("Words used here", icon=":material/dictionary:", width="stretch"):
        st.html(listing())


def say_missing() -> None:
    """Say once that the address asked for something that is not there."""
    message = st.session_state.pop("lost", None)
    if message:
        st.toast(plain(message), icon=":material/explore_off:")

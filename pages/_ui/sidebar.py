"""The sidebar: dataset and class, shared by all pages."""

import streamlit as st

from pages._ui import glossary_list, loading
from pages._ui.controls import choose_one, control
from pages._ui.guard import plain
from pages._ui.reader import bring_own, mode, returning, selection, uploads
from pages._ui.streamlit_fixes import folding_sidebar
from pages._ui.words import count, prevalence


def dataset_choice() -> dict[str, str]:
    """The list of datasets, those that are not here marked; returns their titles by identifier."""
    from ltw_core.corpora import catalogue
    from ltw_core.corpora.corpus import with_note

    returning.restore()
    uploads.forget_unseen()
    missing = lambda title: with_note(title, "not here yet")  # noqa: E731
    titles = {entry.name: entry.title if entry.available else missing(entry.title) for entry in catalogue()}
    titles |= {name: uploads.title(name) for name in uploads.visible()}
    first = 1 + selection.start(list(titles))
    listed = {bring_own.ENTRY: bring_own.TITLE} | titles
    chosen = control(st.selectbox, "dataset", listed, index=first, filter_mode="contains", on_change=_dataset_chosen)
    if chosen != bring_own.ENTRY:
        st.session_state["_dataset"] = chosen
    return titles


def _dataset_chosen() -> None:
    """Another dataset; or a new one is to be brought, and this one stays until it is there."""
    bring_own.close()
    if st.session_state.get("dataset") == bring_own.ENTRY:
        selection.choose_dataset(selection.dataset())
        bring_own.ask()


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
        on_change=folding_sidebar.choice_made,
    )
    chosen = chosen if chosen in positives else first
    if short:
        st.caption(f"The list holds the {selection.LISTED:,} largest of {len(positives):,}; type any other in full.")
    st.session_state["class_of"][name] = chosen
    selection.keep_terms_of(chosen)
    selection.name_class(titles[chosen])
    total = source.counts_train.shape[0]
    share = prevalence(positives[chosen] / total)
    st.caption(f"{count(positives[chosen], 'training document')} of {total:,}: Pr(c)\u00a0=\u00a0{share}.")


def mode_choice() -> None:
    """Simple or Full."""
    choose_one(mode.KEY, mode.TITLES, mode.chosen(), width="stretch", on_change=folding_sidebar.choice_made)


def words_used() -> None:
    """All words of the glossary, for those who cannot point at one."""
    with st.popover("Glossary", icon=":material/dictionary:", width="stretch"):
        glossary_list.show()


def say_missing() -> None:
    """Say once that the address asked for something that is not there."""
    message = st.session_state.pop("lost", None)
    if message:
        st.toast(plain(message), icon=":material/explore_off:")

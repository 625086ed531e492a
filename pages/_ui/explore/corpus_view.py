"""The parts of the corpus page that are about the whole corpus: sizes, classes, how it was read."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages._ui import words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.plots.cached_figures import prevalence
from pages._ui.plots.plot import plot
from pages._ui.reader import selection, uploads
from pages._ui.tables import table

BARS = 2000  # more could not be told apart, or clicked


def sizes(source: Any, positives: dict[str, int]) -> None:
    """Documents, classes, terms."""
    train, test = source.counts_train.shape[0], source.counts_test.shape[0]
    cells = (
        ("Training documents", f"{train:,}", "Weightings and classifiers learn from these."),
        ("Test documents", f"{test:,}", "Only the final classifier sees these, once."),
        ("Classes", f"{len(source.class_names):,}", "Each is a yes-or-no question of its own."),
        ("Terms", f"{source.vocabulary.size:,}", "Distinct words of the training documents, stop words left out."),
        (
            "Labels per document",
            f"{sum(positives.values()) / max(train, 1):.2f}",
            "Mean over the training documents; below 1 where some have none.",
        ),
        (
            "Words per document",
            f"{_occurrences(source.fingerprint, source) / max(train, 1):.0f}",
            "Mean number of term occurrences in a training document.",
        ),
    )
    words.figures(cells)


@st.cache_resource(max_entries=12, show_spinner=False)
def _occurrences(fingerprint: str, _source: Any) -> int:
    """Words of the training documents, each as often as it occurs."""
    return int(_source.counts_train.sum())


def classes(source: Any, positives: dict[str, int]) -> None:
    """Prevalence of every class; a click chooses it."""
    st.subheader("Classes", anchor=False)
    titles = dict(zip(source.class_names, source.class_titles, strict=True))
    test = dict(zip(source.class_names, np.asarray(source.labels_test.sum(axis=0)).ravel(), strict=True))
    total = source.counts_train.shape[0]
    chart, side = st.columns([3, 2], gap="medium")
    with chart:
        largest = sorted(positives, key=lambda c: -positives[c])[:BARS]
        shown = largest if selection.class_name() in largest else [*largest[:-1], selection.class_name()]
        figure = prevalence(
            shown,
            [positives[c] for c in shown],
            total,
            selected=selection.class_name(),
            titles=[titles[c] for c in shown],
            base=words.base(),
            height=330,
            uirevision=source.fingerprint,
        )
        plot(figure, "prevalence", on_pick=lambda value: value.get("id") and selection.choose_class(value["id"]))
    with side:
        frame = pd.DataFrame(
            {
                "class": [titles[c] for c in positives],
                "training": list(positives.values()),
                "share": [100 * v / total for v in positives.values()],
                "test": [int(test[c]) for c in positives],
            },
            index=list(positives),
        ).sort_values("training", ascending=False, kind="stable")

        table(
            frame,
            "class_table",
            "Classes with their numbers of training and test documents",
            lambda row: selection.choose_class(str(frame.index[row])),
            height=330,
        )
    some = f" The chart has the {len(shown):,} largest of {len(positives):,}." if len(shown) < len(positives) else ""
    st.caption(f"Click a bar or a row to choose the class; the list in the sidebar can be searched.{some}")


def how_it_was_read(source: Any) -> None:
    """How the corpus was read, and what one must know of it."""
    corpus = source.corpus
    own = selection.dataset() in uploads.visible()
    with st.expander("How it was read", icon=":material/description:", expanded=own):
        if corpus.notes:
            st.markdown(plain(corpus.notes))
        for sentence in corpus.report:
            st.markdown(f"- {plain(sentence)}")
        st.caption(
            f"{plain(corpus.origin.rstrip('.'))}. Words by lower case, {plain(source.stop_words or 'no')} stop words "
            f"left out, no stemming; content {source.fingerprint[:12]}."
        )
        if selection.dataset() in uploads.own() and selection.dataset() in uploads.shared():
            stop, of = uploads.stop_sharing, (selection.dataset(),)
            control(st.button, "take_back", icon=":material/visibility_off:", on_click=stop, args=of)

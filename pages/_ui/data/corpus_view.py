"""The parts of the Data page that are about the whole corpus: its classes, and how it was read."""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from pages._ui import words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.plots.cached_figures import prevalence
from pages._ui.plots.plot import plot
from pages._ui.reader import selection, uploads
from pages._ui.reader.table_results import kept_of_corpus
from pages._ui.tables import FRAME, ROW, on_phone, ready, table

MOST = 2000  # more could not be told apart, or clicked
ALIKE = 10  # times a class is larger than another at most where bars show it better than points on a log axis
TALL = 536  # pixels of a view's table: what a page 900 high has room for


def classes(source: Any, positives: dict[str, int]) -> None:
    """The prevalence of every class, drawn and in a table; a click chooses it."""
    titles = dict(zip(source.class_names, source.class_titles, strict=True))
    total = source.counts_train.shape[0]
    largest = sorted(positives, key=lambda c: -positives[c])[:MOST]
    shown = largest if selection.class_name() in largest else [*largest[:-1], selection.class_name()]
    height = min(TALL, 2 * ROW * (1 + len(shown)))
    alike = min(positives[c] for c in shown) * ALIKE > max(positives[c] for c in shown)
    figure = prevalence(
        shown,
        [positives[c] for c in shown],
        total,
        selected=selection.class_name(),
        titles=[titles[c] for c in shown],
        log=not alike,
        base=words.base(),
        height=height,
        uirevision=source.fingerprint,
    )
    left, right = st.container(key="class_pair").columns([5, 8], gap="medium")
    with right:
        plot(figure, "prevalence", on_pick=lambda value: value.get("id") and selection.choose_class(value["id"]))
    some = f" The chart has the {len(shown):,} largest." if len(shown) < len(positives) else ""
    names, frame = _class_table(source.fingerprint, source, positives)
    with left:
        table(
            frame,
            "class_table",
            "Classes with their numbers of training and test documents",
            lambda row: selection.choose_class(names[row]),
            {} if on_phone() else {"class": st.column_config.Column("Class", width=144)},  # long names are read whole
            height=min(TALL, ROW * (1 + len(names)) + FRAME),
            width="stretch",
            at=names.index(selection.class_name()) if selection.class_name() in names else None,
        )
        st.caption(f"Choose a class by its {'bar' if alike else 'point'} or its row.{some}")


@kept_of_corpus(12)
def _class_table(fingerprint: str, _source: Any, _positives: dict[str, int]) -> tuple[list[str], pa.Table]:
    """Names of the classes, the largest first, and their table."""
    titles = dict(zip(_source.class_names, _source.class_titles, strict=True))
    test = dict(zip(_source.class_names, np.asarray(_source.labels_test.sum(axis=0)).ravel(), strict=True))
    total = _source.counts_train.shape[0]
    frame = pd.DataFrame(
        {
            "class": [titles[c] for c in _positives],
            "training": list(_positives.values()),
            "share": [100 * v / total for v in _positives.values()],
            "test": [int(test[c]) for c in _positives],
        },
        index=list(_positives),
    ).sort_values("training", ascending=False, kind="stable")
    return [str(name) for name in frame.index], ready(frame, "class_table")


def how_it_was_read(source: Any) -> None:
    """How the corpus was read, and what one must know of it."""
    corpus = source.corpus
    own = selection.dataset() in uploads.visible()
    with st.expander("How it was read", expanded=own):
        if corpus.notes:
            st.markdown(plain(corpus.notes))
        if corpus.report:
            st.caption("\n".join(f"- {plain(sentence)}" for sentence in corpus.report))
        st.caption(
            f"{plain(corpus.origin.rstrip('.'))}. {_counted(source.options)}.",
            help=f"Checksum of texts, labels and counting: {source.fingerprint[:12]}. Equal ones were read alike.",
        )
        if uploads.shares(selection.dataset()):
            stop, of = uploads.stop_sharing, (selection.dataset(),)
            control(st.button, "take_back", icon=":material/visibility_off:", on_click=stop, args=of)


def _counted(options: Any) -> str:
    """How a corpus was counted, in a sentence without its end."""
    told = options.told(options.stop_words)
    if options.analyzer != "word":
        return f"Terms: {plain(told)}"
    named = isinstance(options.stop_words, str) and options.stop_words != "none"
    stopped = options.stop_words.capitalize() if named else "no"
    case = "in lower case" if options.lowercase else "as they are written"
    return f"Words {case}, {plain(stopped)} stop words left out, no stemming" + (f"; {plain(told)}" if told else "")

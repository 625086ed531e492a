"""The collection as a whole: label overlap, document lengths, vocabulary growth and Zipf's law."""

from typing import Any

import streamlit as st

from ltw_core import insight
from ltw_core.metrics import listed
from pages._ui import words
from pages._ui.plots.cached_figures import document_lengths, label_overlap, label_pairs, vocabulary_growth, zipf
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.reader.table_results import kept_of_corpus
from pages._ui.tables import on_phone

LOW, HIGH = 370, 500  # pixels of a figure that stands beside two others, with a figure below them and without
NARROW = 12  # classes of label co-occurrence for which a narrow page has room


@kept_of_corpus(8)
def _curves(fingerprint: str, _source: Any) -> dict[str, Any]:
    return {
        "growth": insight.vocabulary_growth(_source.counts_train),
        "zipf": insight.zipf(_source.counts_train),
        "lengths": insight.document_lengths(_source.counts_train),
        "overlap": insight.label_overlap(_source.labels_train),
        "labels": insight.labels_a_document(_source.labels_train),
    }


def collection(source: Any) -> None:
    """What the training documents are like, and which of their labels come together."""
    found = _curves(source.fingerprint, source)
    counts = found["labels"]
    have, overlaps = _shares(counts), len(counts) > 2
    base, shown = words.base(), source.fingerprint  # another corpus is shown whole, wherever the last one was zoomed
    options = {"base": base, "uirevision": shown, "height": LOW if overlaps or on_phone() else HIGH}
    curves = {
        "lengths": document_lengths(found["lengths"][0], **options),
        "growth": vocabulary_growth(found["growth"], **options),
        "zipf": zipf(found["zipf"], **options),
    }
    places = st.container(key="collection_curves").columns(3, gap="medium")
    for column, (name, figure) in zip(places, curves.items(), strict=True):
        with column:
            plot(figure, name)
    laws = "Dotted lines along the two curves are power laws, fitted to the logarithms. Stop words are left out."
    st.caption(laws if overlaps else f"{laws} {have}")
    if not overlaps:
        return
    overlap = found["overlap"]
    titles = [source.class_titles[k] for k in overlap.classes]
    options = {"base": base, "uirevision": shown}
    narrow = label_pairs.layout(overlap, titles, narrow=True, **options)
    plot(label_pairs(overlap, titles, **options), "pairs", narrow=narrow)
    st.caption(have)
    names = [source.class_names[k] for k in overlap.classes]
    options["selected"] = selection.class_name()
    some = "the largest classes" if len(titles) < len(source.class_names) else "classes"
    fold = st.expander(f"All pairs of {some}", key="all_pairs", on_change="rerun")
    if fold.open:
        with fold:
            narrow = label_overlap.layout(overlap, titles, names, most=NARROW, **options)
            plot(label_overlap(overlap, titles, names, **options), "overlap", narrow=narrow)


def _shares(counts: Any) -> str:
    """What shares of the documents have how many labels, in a sentence."""
    total, more = int(counts.sum()), int(counts[4:].sum())
    if counts[1:2].sum() == total:
        return f"Each of the {total:,} training documents has one label."
    named = ["no label", "1 label", "2 labels", "3 labels"]
    told = [f"{words.percent(n / total)} have {named[k]}" for k, n in enumerate(counts[:4]) if n]
    told = listed([*told, *[f"{words.percent(more / total)} more"] * bool(more)])
    return f"Of {total:,} training documents {told}."

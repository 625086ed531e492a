"""The collection as a whole: label overlap, document lengths, vocabulary growth and Zipf's law."""

from typing import Any

import streamlit as st

from ltw_core import insight
from pages._ui import words
from pages._ui.plots.cached_figures import document_lengths, label_overlap, vocabulary_growth, zipf
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.reader.table_results import kept_of_corpus

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
    """Four figures of the training documents."""
    found = _curves(source.fingerprint, source)
    base, shown = words.base(), source.fingerprint  # another corpus is shown whole, wherever the last one was zoomed
    curves = {
        "lengths": document_lengths(found["lengths"][0], base=base, uirevision=shown),
        "growth": vocabulary_growth(found["growth"], base=base, uirevision=shown),
        "zipf": zipf(found["zipf"], base=base, uirevision=shown),
    }
    for column, (name, figure) in zip(st.columns(3, gap="medium"), curves.items(), strict=True):
        with column:
            plot(figure, name)
    counts = found["labels"]
    total = int(counts.sum())
    parts = [
        f"{words.percent(n / total)} have {'no label' if k == 0 else words.count(k, 'label')}"
        for k, n in enumerate(counts[:4])
        if n
    ]
    more = int(counts[4:].sum())
    parts += [f"{words.percent(more / total)} have more"] if more else []
    have = f"of {total:,} training documents {', '.join(parts)}"
    overlap = found["overlap"]
    if len(counts) <= 2:
        st.caption(f"No two classes overlap: {have}.")
    else:
        titles = [source.class_titles[k] for k in overlap.classes]
        names = [source.class_names[k] for k in overlap.classes]
        chosen = selection.class_name()
        options = {"selected": chosen, "base": base, "uirevision": shown}
        narrow = label_overlap.layout(overlap, titles, names, most=NARROW, **options)
        plot(label_overlap(overlap, titles, names, **options), "overlap", narrow=narrow)
        some = " The largest classes are shown." * (len(titles) < len(source.class_names) or len(titles) > NARROW)
        st.caption(
            f"Each cell: the share of the row's documents that also have the column's label.{some} Labels: {have}."
        )
    st.caption(
        "Computed now from the training documents, with stop words left out: the most frequent words of the language "
        "are missing from Zipf's curve, and the dotted lines are straight-line fits on log axes, not laws."
    )

"""The parts of the corpus page: sizes, classes, the term map and table of the chosen class, how it was read."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import SurfacePanel, Terms, prevalence, surface_grid, term_map
from ltw_core.insight import canonical
from ltw_core.weighting import CD
from pages._ui import choices, runs, selection, words
from pages._ui.guard import plain
from pages._ui.plot import plot

WEIGHTS = ("IDF", "CHI2", "IG", "GR", "RF", "ConfWeight", "GSS", "OR", "PMI")


def sizes(source: Any) -> None:
    """Documents, classes, terms."""
    labels = int(source.labels_train.sum())
    train, test = source.counts_train.shape[0], source.counts_test.shape[0]
    cells = (
        ("Training documents", f"{train:,}", "Weightings and classifiers learn from these."),
        ("Test documents", f"{test:,}", "Only the final classifier sees these, once."),
        ("Classes", f"{len(source.class_names):,}", "Each is a yes-or-no question of its own."),
        ("Terms", f"{source.vocabulary.size:,}", "Distinct words of the training documents, stop words left out."),
        (
            "Classes a document",
            f"{labels / max(train, 1):.2f}",
            "Mean over the training documents; below 1 where some have none.",
        ),
        (
            "Words a document",
            f"{source.counts_train.sum() / max(train, 1):.0f}",
            "Mean number of term occurrences in a training document.",
        ),
    )
    words.figures(cells)


def classes(source: Any, positives: dict[str, int]) -> None:
    """Prevalence of every class; a click chooses it."""
    st.subheader("Classes", anchor=False)
    titles = dict(zip(source.class_names, source.class_titles, strict=True))
    test = dict(zip(source.class_names, np.asarray(source.labels_test.sum(axis=0)).ravel(), strict=True))
    total = source.counts_train.shape[0]
    chart, table = st.columns([3, 2], gap="medium")
    with chart:
        figure = prevalence(
            list(positives),
            list(positives.values()),
            total,
            selected=selection.class_name(),
            titles=[titles[c] for c in positives],
            base=words.base(),
            height=330,
        )
        plot(figure, "prevalence", on_pick=lambda value: value.get("id") and selection.choose_class(value["id"]))
    with table:
        frame = pd.DataFrame(
            {
                "class": [titles[c] for c in positives],
                "training": list(positives.values()),
                "share": [100 * v / total for v in positives.values()],
                "test": [int(test[c]) for c in positives],
            },
            index=list(positives),
        ).sort_values("training", ascending=False, kind="stable")

        def chosen() -> None:
            rows = st.session_state["class_table"]["selection"]["rows"]
            if rows:
                selection.choose_class(str(frame.index[rows[0]]))

        st.dataframe(
            frame,
            hide_index=True,
            height=330,
            on_select=chosen,
            selection_mode="single-row",
            key="class_table",
            column_config={
                "class": st.column_config.TextColumn("Class"),
                "training": st.column_config.NumberColumn("Training", format="localized", help="Training documents"),
                "share": st.column_config.NumberColumn("Pr(c)", format="%.2f %%", help="Share of training documents"),
                "test": st.column_config.NumberColumn("Test", format="localized", help="Test documents"),
            },
            alt="Classes with their numbers of training and test documents",
        )
    st.caption("Click a bar or a row to choose the class; the list in the sidebar can be searched.")


def terms(task: Any) -> None:
    """Where the class's terms lie, and what each weighs."""
    st.subheader(f"Terms of {plain(task.class_title)}", anchor=False)
    for note in task.notes:
        st.warning(plain(note), icon=":material/warning:")
    shape = Terms.of(task)
    weights = {CD[name].symbol: _weights(name, task) for name in WEIGHTS}
    run = runs.latest(selection.dataset(), task.class_name, finished=True)
    if run is not None and len(run.terms) == len(task.terms):
        weights[f"{run.learned().label} (yours)"] = run.learned().cd
    controls, chart = st.columns([1, 3.4], gap="medium")
    with controls:
        scale = choices.scale("map_scale")
        iso = st.selectbox(
            "Lines of equal weight",
            list(WEIGHTS),
            index=list(WEIGHTS).index("CHI2"),
            format_func=lambda name: CD[name].symbol,
            key="iso",
            bind="query-params",
            help="Terms on one line weigh the same under this formula.",
        )
        selection.term_picker(task, "corpus_terms")
        st.caption(
            f"The {len(task.terms):,} terms ({task.ratio:.0%} of the vocabulary) with the highest χ² of counts. Above "
            "the dotted line a term is more frequent in the class than elsewhere."
        )
    with chart:
        grid = surface_grid(task.tpr, task.fpr, task.prevalence, task.n_documents, region="terms", scale=scale)
        z = CD[iso](grid.tpr, grid.fpr, task.prevalence, task.n_documents)
        line = SurfacePanel(CD[iso].symbol, np.broadcast_to(z, grid.tpr.shape), _raw(iso, task))
        hovered = Terms.of(task, {symbol: weights[symbol] for symbol in ("χ²", "RF", "IDF") if symbol in weights})
        figure = term_map(
            hovered,
            grid,
            iso=[line],
            p=task.prevalence,
            selected=selection.terms(),
            base=words.base(),
            height=520,
            uirevision=f"{task.fingerprint}-{scale}",
        )
        plot(figure, "term_map", on_pick=selection.pick)
    _table(task, shape, weights)


def _raw(name: str, task: Any) -> np.ndarray:
    return np.broadcast_to(
        np.asarray(CD[name](task.tpr, task.fpr, task.prevalence, task.n_documents), float), task.tpr.shape
    )


def _weights(name: str, task: Any) -> np.ndarray:
    raw = _raw(name, task)
    return raw * canonical(raw, task.tpr, task.fpr, task.document_frequency)


def term_frame(task: Any, weights: dict[str, np.ndarray]) -> pd.DataFrame:
    """All terms with counts, rates and weights, strongest first."""
    frame = pd.DataFrame(
        {
            "term": [str(t) for t in task.terms],
            "tp": task.tp,
            "fp": task.fp,
            "fn": task.fn,
            "tn": task.tn,
            "tpr": task.tpr,
            "fpr": task.fpr,
            **weights,
        }
    )
    return frame.sort_values("χ²", ascending=False, kind="stable", ignore_index=True)


def _table(task: Any, shape: Terms, weights: dict[str, np.ndarray]) -> None:
    frame = term_frame(task, weights)
    chosen = [t for t in selection.terms() if t in task.term_index]
    order = frame["term"].isin(chosen)
    shown = pd.concat([frame[order], frame[~order]], ignore_index=True)
    config: dict[str, Any] = {
        name: st.column_config.NumberColumn(format="localized") for name in ("tp", "fp", "fn", "tn")
    }
    config |= {name: st.column_config.NumberColumn(format="percent") for name in ("tpr", "fpr")}
    config |= {name: st.column_config.NumberColumn(format="%.3f") for name in weights}
    st.dataframe(
        shown,
        hide_index=True,
        height=350,
        column_config=config,
        alt="Terms of the class with contingency counts, rates and weights",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Terms (CSV)",
            data=lambda: frame.to_csv(index=False),
            file_name=f"{task.corpus_name}-{task.class_name}-terms.csv".replace("/", "-"),
            mime="text/csv",
            on_click="ignore",
            icon=":material/download:",
            help="All terms with tp, fp, fn, tn, tpr, fpr and the weights shown.",
        )
        st.caption(
            f"Computed now from the {task.n_documents:,} training documents; selected terms first, then by χ². Weights "
            "in canonical scale: their root mean square over the terms, by document frequency, is 1."
        )


def reading(source: Any) -> None:
    """How the corpus was read, and what one must know of it."""
    corpus = source.corpus
    with st.expander("How it was read", icon=":material/description:"):
        if corpus.notes:
            st.markdown(plain(corpus.notes))
        for sentence in corpus.report:
            st.markdown(f"- {plain(sentence)}")
        st.caption(
            f"{plain(corpus.origin)} Words by lower case, {plain(source.stop_words or 'no')} stop words left out, no "
            f"stemming; content {source.fingerprint[:12]}."
        )

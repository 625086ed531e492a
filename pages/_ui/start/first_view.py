"""The first page's figure: what was learned for the sidebar's class beside three formulas, and a document of it."""

from typing import Any

import numpy as np
import streamlit as st

from ltw_core.figures import PlaneView, SurfacePanel, term_grid
from ltw_core.figures.turntable import turntable
from ltw_core.insight import canonical_function
from ltw_core.studies.examples import examples
from ltw_core.tasks import TermStatistics, spans
from ltw_core.weighting import CD
from pages._ui import words
from pages._ui.documents import reading
from pages._ui.plots import turntable as element
from pages._ui.reader import selection
from pages._ui.reader.table_results import kept_of_corpus
from pages._ui.result_cache import kept
from pages._ui.weightings.learned import Learned, shipped
from pages._ui.weightings.reference import Reference

FORMULAS = {"TFIDF": "IDF", "χ²": "CHI2", "RF": "RF"}  # as they are called, and their cd
LEARNED = "Learned"
NAMED = 3
ASIDE = "_start_aside"  # the reader's run in whose place the example is shown, as they asked
FILLS = 550  # characters of a document that fills its place beside the surface


def example_of(dataset: str, class_name: str | None) -> str | None:
    """The shipped LTW-L-I of a class; of a corpus, as long as no class of it is chosen."""
    for info in examples():
        if info.corpus == dataset and info.variant == "LTW-L-I" and class_name in (None, info.class_name):
            return info.name
    return None


def show(learned: Learned | None, task: Any | None) -> None:
    """The surface, and the document where the corpus is there."""
    key, base = learned.key if learned is not None else "", words.base()
    if task is None:
        content = _before_corpus(key, base, learned)
    else:
        content = _with_document(task.fingerprint, key, base, task, learned)
    element.turntable("start", content)


@kept(8)
def _before_corpus(key: str, base: str, _learned: Learned) -> bytes:
    about = "Reading the corpus: a document of the class will stand here, coloured by weight."
    return _content(base, _learned, _learned.terms, [], about, key)


@kept_of_corpus(48)
def _with_document(fingerprint: str, key: str, base: str, _task: Any, _learned: Learned | None) -> bytes:
    terms = _learned.terms if _learned is not None else _task.statistics
    return _content(base, _learned, terms, *_document(_task, _learned), key or fingerprint)


def _content(
    base: str, learned: Learned | None, terms: TermStatistics, text: list[str | list[str]], about: str, of: str
) -> bytes:
    grid = term_grid(terms, region="terms", scale="log")
    panels = [SurfacePanel.of(name, canonical_function(CD[cd], terms), grid) for name, cd in FORMULAS.items()]
    if learned is not None:
        panels.append(learned.panel(grid))
    view, last = PlaneView(terms.prevalence, base=base, labels=NAMED), len(panels) - 1
    frames, found = turntable(panels, grid, terms, view, start=last)
    names = [*FORMULAS, LEARNED][: len(panels)]
    missing = {} if learned is not None else {LEARNED: "Not learned for this class yet."}
    return element.content(frames, found, names, base=base, start=last, text=text, about=about, of=of, missing=missing)


def _document(task: Any, learned: Learned | None) -> tuple[list, str]:
    row = _row(task.fingerprint, learned.key if learned is not None else "", task, learned)
    text = reading.unruled(reading.reflowed(reading.trimmed(reading.unsigned(task.document(row, "test")))))
    pieces, at = [], 0
    for span in spans(text, task.vectorized.options):
        if span.start >= at and span.term in task.term_index:
            pieces += [text[at : span.start], [text[span.start : span.end], span.term]]
            at = span.end
    pieces.append(text[at:])
    about = "A test document of the class; a word has the colour of its {weight}: {point}."
    return [piece for piece in pieces if piece != ""], about


@kept_of_corpus(16)
def _row(fingerprint: str, key: str, _task: Any, _learned: Learned | None) -> int:
    """A test document that is typical of the class, and that the weightings see differently."""
    task, statistics = _task, _task.statistics
    rows = np.flatnonzero(task.y_test)
    if not rows.size:
        rows = np.arange(task.y_test.size)
    rows = reading.at_a_glance(task, "test", rows)
    rows = next(filter(len, ([r for r in rows if len(task.document(r, "test").strip()) >= FILLS], rows)))
    rows = np.asarray(rows)
    weights = [canonical_function(CD[cd], statistics).weights for cd in FORMULAS.values()]
    if _learned is not None and _learned.surface is not None:
        weights.append(np.asarray(_learned.surface(statistics.tpr, statistics.fpr)))
    counts = task.counts_test[rows].astype(float)
    counts.data = 1 + np.log(counts.data)
    vectors = [counts.multiply(w[None, :]).tocsr() for w in weights]
    return int(rows[reading.most_disputed(_typical(vectors[-1]), vectors, [])])


def _typical(vectors: Any) -> np.ndarray:
    """Rows of documents (a sparse matrix of weights) of which words of positive weight make up most, and which hold the
    one that makes up most of all together, as far as there are any: a newcomer takes their colour for the class's."""
    squares, positive = vectors.power(2), vectors.maximum(0).power(2)
    mostly = np.asarray(positive.sum(axis=1)).ravel() > np.asarray(squares.sum(axis=1)).ravel() / 2
    held = positive[:, [int(np.argmax(np.asarray(positive.sum(axis=0)).ravel()))]].toarray().ravel() > 0
    some = next((some for some in (mostly & held, mostly, held) if some.any()), np.ones_like(held))
    return np.flatnonzero(some)


def of_class(dataset: str, class_name: str | None, task: Any | None) -> Learned | None:
    """What was learned for a class: by this reader last, else what ships; None where nothing was."""
    if task is not None:
        from pages._ui.training import lookup

        run = lookup.current(dataset, class_name)
        aside = run is not None and run.token == st.session_state.get(ASIDE)
        if run is not None and not aside and (mine := run.learned()) is not None and mine.surface is not None:
            return mine
    name = example_of(dataset, class_name)
    return shipped(name) if name else None


def class_title(learned: Learned | None, task: Any | None) -> str:
    """What the class that is shown is called; "" where only its corpus can tell."""
    if task is not None:
        return task.class_title
    name = Reference.parse(learned.source).name if learned is not None else ""
    return next((info.class_title for info in examples() if info.name == name), "")


def choices() -> dict[str, tuple[str, str]]:
    """Titles of the shipped examples, by name."""
    return {info.name: named(info.class_title, info.corpus_title) for info in examples() if info.variant == "LTW-L-I"}


def named(class_title: str, corpus_title: str) -> str:
    """A class and its corpus in few words."""
    return f"{class_title} · {corpus_title.split(' (')[0].split(',')[0]}"


def choose(name: str, other: bool = False) -> None:
    """The class of an example becomes the class of every page, and the example is shown here, whatever the reader has
    trained for it; ``other``: in its place what they have trained, where it is the example that is shown."""
    from pages._ui.training import lookup

    aside = st.session_state.pop(ASIDE, None)
    info = next(info for info in examples() if info.name == name)
    if not other:
        selection.choose_dataset(info.corpus)
        selection.choose_class(info.class_name, info.corpus)
    run = lookup.current(info.corpus, info.class_name)
    if run is not None and not (other and run.token == aside):
        st.session_state[ASIDE] = run.token

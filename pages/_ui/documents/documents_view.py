"""The document reader: find a document, read it with its words shaded by weight, two weightings side by side."""

from collections.abc import Callable
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.metrics import signed
from ltw_core.tasks import contexts
from pages._ui import choices, words
from pages._ui.controls import choose_one, control
from pages._ui.documents import reading, shaded_text
from pages._ui.guard import plain, sentences
from pages._ui.reader import selection
from pages._ui.tables import FRAME, ROW, on_phone, table
from pages._ui.weightings import document_weights as weightings
from pages._ui.weightings.reference import OWN, RUN, Reference

PARTS = {"test": "Test", "train": "Training"}
KINDS = {
    "all": "All",
    "class": "Of the class",
    "other": "Not of the class",
    "missed": "False negatives",
    "false": "False positives",
    "disputed": "Decided differently",
}
BY = {"both": "dd × cd, normalised", "dd": "dd alone", "cd": "cd alone"}
SCALED = BY | {"both": "weight in the document"}  # what a scale says of the same
SHOWN = 300
ASKED = "_contexts_asked"  # how often a term's documents were asked for: each time they come into view
ROWS_IN_SIGHT = 6  # rows of the list that are in sight
FOLD = '<details class="ltw-filter"><summary>Filter</summary></details>'  # on a phone alone


def example_term(task: Any) -> None:
    """A button that reads a term in its documents; once one is selected it leads to these, below the map."""
    chosen = [t for t in selection.terms() if t in task.term_index]
    look = {"icon": ":material/arrow_downward:", "icon_position": "right"}
    if not chosen:
        best = str(task.terms[int(np.argmax(task.tp - task.fp))])
        control(st.button, "example_term", mark=f" “{plain(best)}”", on_click=_show, args=(best,), **look)
        return
    if task.vectorized.options.in_words:  # others are not looked for in the texts
        show = {"on_click": _come_into_view, **look}
        control(st.button, "example_term", like="to_documents", mark=f" “{plain(chosen[-1])}”", **show)


def term_contexts(task: Any) -> None:
    """The last selected term in documents of the class and in others; a click opens the document."""
    chosen = [t for t in selection.terms() if t in task.term_index]
    if not chosen:
        return
    term = chosen[-1]
    if len(chosen) > 1:
        term = choose_one(f"context-{'-'.join(chosen)}", chosen, term, like="context", format_func=plain)
    column = task.term_index[term]
    tp, fp = int(task.tp[column]), int(task.fp[column])
    st.caption(
        f"“{plain(term)}” is in {words.count(tp, 'training document')} of the class and {words.count(fp, 'other')}. "
        "Choose a line to read its document."
    )
    rows = _rows_with(task, column)
    if not task.vectorized.options.in_words:
        st.caption("Terms are n-grams of characters, which are not looked for in the texts.")
        return
    for title, some, total in ((f"In {plain(task.class_title)}", rows[0], tp), ("Elsewhere", rows[1], fp)):
        lines = [line for row in some for line in _lines(task, row, term)][:6]
        st.markdown(
            f"**{title}**" + f" :small[{len(lines)} of {words.count(total, 'document')}]" * (len(lines) < total)
        )
        if lines:
            shaded_text.lines(lines, f"context-{title[:3]}", open_document, st.session_state.get(ASKED, 0))
        else:
            st.caption("None.")


def _show(term: str) -> None:
    """Select a term, and have its documents come into view. A callback."""
    selection.toggle_term(term)
    _come_into_view()


def _come_into_view() -> None:
    st.session_state[ASKED] = st.session_state.get(ASKED, 0) + 1


def _rows_with(task: Any, column: int, most: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Training rows of the class and of others in which a term is most frequent."""
    counts = task.counts_train[:, [column]].tocoo()
    order = np.argsort(-counts.data, kind="stable")
    rows = counts.coords[0][order]
    return rows[task.y_train[rows]][:most], rows[~task.y_train[rows]][:most]


def _lines(task: Any, row: int, term: str) -> list[dict[str, Any]]:
    found = contexts(task.document(row), term, options=task.vectorized.options, width=90, most=1)
    return [{"where": f"no. {row + 1:,}", "part": "train", "row": int(row), **c._asdict()} for c in found]


def open_document(part: str, row: int) -> None:
    """Show a document in the reader; in callbacks."""
    _ask_for(doc_part=part, doc_row=row, doc_find="", section="Documents")


def look_for(term: str) -> None:
    """Have the reader show training documents that hold a term; in callbacks, or before it is drawn."""
    _ask_for(doc_part="train", doc_find=term)


def _ask_for(**wanted: Any) -> None:
    for key in ("doc_row", "doc_window"):
        st.session_state.pop(key, None)
    st.session_state.update(doc_kind="all", **wanted)


def reader(task: Any, dataset: str, say: Callable[[str], None] = lambda found: None) -> None:
    """A document, its labels, and its words; what a classifier makes of all documents is said with ``say``."""
    options = weightings.listed(dataset, task)
    if "doc_weightings" not in st.session_state:  # one's own beside the best-known supervised formula
        own = [option for option in options if Reference.parse(option).kind == RUN][:1]
        st.session_state["doc_weightings"] = [*own, *choices.WEIGHTINGS["documents"]][:2]
    elif any(w not in options for w in st.session_state["doc_weightings"]):  # of another class, or forgotten
        kept = [w for w in st.session_state["doc_weightings"] if w in options]
        st.session_state["doc_weightings"] = kept or list(choices.WEIGHTINGS["documents"][:1])
    filters = st.container(key="doc_filters")
    filters.html(FOLD)
    first, second, third, fourth = filters.columns([1.5, 2.1, 1.5, 2.1], gap="medium")
    part = choose_one("doc_part", PARTS, "test", first)
    kind = control(second.selectbox, "doc_kind", KINDS)
    find = control(third.text_input, "doc_find", placeholder="any")
    chosen = control(fourth.multiselect, "doc_weightings", options, max_selections=2)
    by = choose_one("doc_by", BY, "both", filters)
    if not chosen:
        st.info("Choose one under *Weightings*.", icon=":material/format_color_text:")
        return
    fitted = {option: weightings.fitted(option, task) for option in chosen}
    say(_decided(task, part, options[chosen[0]], fitted[chosen[0]].decisions))
    rows = _matching(task, part, kind, find, list(fitted.values()))
    if kind == "disputed" and len(chosen) < 2:
        st.info("Choose two under *Weightings* to see what they decide differently.", icon=":material/compare_arrows:")
        return
    if not rows.size:
        _none(part, kind, find)
        return
    state, of = st.session_state, (dataset, task.class_name)
    if state.setdefault("doc_of", of) != of:  # a document of another class means nothing here
        state["doc_of"] = of
        state.pop("doc_row", None)
    if state.get("doc_row") not in rows:
        state["doc_row"] = _first(task, part, rows, [fitted[option] for option in chosen])
    row, line = _choose(task, part, rows, fitted[chosen[0]], f"{dataset}-{task.class_name}-{part}-{kind}-{find}")
    with line:
        _labels(task, part, row)
    found = {}
    with st.container(key="doc_texts"):
        columns = st.columns(2 if len(chosen) > 1 else 1, gap="medium")
    for column, option in zip(columns, chosen, strict=False):
        with column, sentences():
            found[option] = _shaded(task, part, row, option, options[option], fitted[option], by)
    _held(task, part, list(found.values()), any(each.decisions is not None for each in fitted.values()))


def _none(part: str, kind: str, find: str) -> None:
    """That no document is as it was asked for, and a way to all of them."""
    asked = f" with “{plain(find)}”" * bool(find) + f" among *{KINDS[kind]}*" * (kind != "all")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"No {PARTS[part].lower()} document{asked}.", width="content")
        control(st.button, "doc_all", icon=":material/filter_alt_off:", on_click=_ask_for, kwargs={"doc_find": ""})


def _decided(task: Any, part: str, name: str, decisions: dict[str, np.ndarray] | None) -> str:
    """How many documents of a part are of the class, and how many of them an SVM on a weighting finds."""
    true = task.y_train if part == "train" else task.y_test
    of = words.count(true.size, "training document" if part == "train" else "test document")
    found = f"{true.sum():,} of the {of} are of **{plain(task.class_title)}**"
    if decisions is None:
        return f"{found}."
    predicted = decisions[part] > 0
    learned = "that learned from these documents finds" if part == "train" else "finds"
    return (
        f"{found}. An SVM on {plain(name)} {learned} {(true & predicted).sum():,} of them and takes "
        f"{words.count((predicted & ~true).sum(), 'other')} for one."
    )


def _matching(task: Any, part: str, kind: str, find: str, fitted: list[Any]) -> np.ndarray:
    """Rows of the documents that are asked for; what is decided is so on the first weighting, or on both."""
    labels = task.y_train if part == "train" else task.y_test
    rows = np.arange(labels.size)
    if kind in ("class", "other"):
        rows = rows[labels == (kind == "class")]
    elif kind in ("missed", "false", "disputed"):
        if any(each.decisions is None for each in fitted[: 2 if kind == "disputed" else 1]):
            return rows[:0]
        predicted, other = (each.decisions[part] > 0 for each in (fitted[0], fitted[-1]))
        asked = {"missed": labels & ~predicted, "false": ~labels & predicted, "disputed": predicted != other}
        rows = np.flatnonzero(asked[kind])
    counts = task.counts_train if part == "train" else task.counts_test
    for word in find.lower().split():
        column = task.term_index.get(word)
        if column is None:
            return rows[:0]
        held = np.unique(counts[:, [column]].tocoo().coords[0])
        rows = rows[np.isin(rows, held)]
    return rows


def _first(task: Any, part: str, rows: np.ndarray, fitted: list[Any]) -> int:
    """The document to begin with: one of the class, soon read, on which the chosen weightings disagree."""
    labels = task.y_train if part == "train" else task.y_test
    of_class = rows[labels[rows]]
    some = reading.at_a_glance(task, part, of_class if of_class.size else rows)
    decisions = [f.decisions[part] for f in fitted if f.decisions is not None]
    return reading.most_disputed(some, [f.vectors[part] for f in fitted], decisions)


def _choose(task: Any, part: str, rows: np.ndarray, fitted: Any, of: str) -> tuple[int, Any]:
    """A list of the documents to choose from, the chosen one among the first and ticked; returns its row, and the line
    below the list.

    A click in the list leaves it where it is; a document that is chosen otherwise takes the list along.
    """
    state = st.session_state
    current = int(state["doc_row"])
    at = int(np.searchsorted(rows, current))
    if state.get("doc_window", ("", 0, 0))[0] != of or not 0 <= at - state["doc_window"][1] < SHOWN:
        state["doc_window"] = (of, max(0, min(at - 1, rows.size - ROWS_IN_SIGHT)), at)
    _, start, ticked = state["doc_window"]
    window = rows[start : start + SHOWN]
    labels = task.y_train if part == "train" else task.y_test
    frame = shaded_text.listed(task, part, window)
    frame.insert(1, "of the class", np.where(labels[window], "✓", ""))  # no box: those beside it choose a document
    if fitted.decisions is not None:
        frame.insert(2, "SVM", fitted.decisions[part][window])
    table(
        frame,
        "documents",
        "Documents that match, with their labels and what the SVM decides",
        lambda chosen: state.update(doc_row=int(window[chosen])),
        key=f"doc-list-{hash((of, start, ticked)) & 0xFFFFFF:x}",
        selection_default={"selection": {"rows": [ticked - start]}},
        height=ROW * (ROWS_IN_SIGHT + 1) + FRAME,
    )

    def step(by: int) -> None:
        state["doc_row"] = int(rows[(at + by) % rows.size])
        state.pop("doc_window", None)

    line = st.container(horizontal=True, vertical_alignment="center", gap="small", key="doc_line")
    with (
        line,
        st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key="doc_steps"),
    ):
        st.button("Previous", icon=":material/arrow_back:", on_click=step, args=(-1,), key="doc_back")
        st.caption(f"{at + 1:,} of {rows.size:,}", width="content")
        look = {"icon": ":material/arrow_forward:", "icon_position": "right"}
        st.button("Next", on_click=step, args=(1,), key="doc_next", **look)
    return current, line


def _labels(task: Any, part: str, row: int) -> None:
    """Which document it is, and its true labels."""
    true = ", ".join(f"<b>{escape(name)}</b>" for name in shaded_text.true_classes(task, part, row)) or "none"
    said = f"<b>{PARTS[part]} document {row + 1:,}</b><span>true labels: {true}</span>"
    st.markdown(f"<div class='ltw-said'>{said}</div>", unsafe_allow_html=True)


def _head(task: Any, part: str, row: int, name: str, decisions: dict[str, np.ndarray] | None) -> None:
    """A weighting, and what is predicted on it."""
    told = ""
    if decisions is not None:
        value = float(decisions[part][row])
        told = (
            f"predicted by the SVM: <b>{'' if value > 0 else 'not '}{escape(task.class_title)}</b> ({signed(value, 2)})"
        )
    said = f"<div class='ltw-said ltw-one'><b>{escape(name)}</b><span>{told}</span></div>"
    st.markdown(said, unsafe_allow_html=True)


def _shaded(task: Any, part: str, row: int, option: str, name: str, fitted: Any, by: str) -> int:
    """A document with its words shaded; how many terms it holds."""
    found = weightings.words_of(fitted, task, part, row)
    values = getattr(found, by)
    # cd on the scale of all terms, so that a dull document looks dull
    top = (float(np.quantile(np.abs(fitted.estimator.cd_), 0.995)) or 1.0) if by == "cd" else 0.0
    numbers = zip(found.columns, found.frequency, found.dd, found.cd, found.both, strict=True)
    with st.container(key=f"doc_head-{option}", gap=None):
        _head(task, part, row, name, fitted.decisions)
        shaded_text.scale(values, top, SCALED[by] if on_phone() else f"{SCALED[by]}, own scale")  # there one is seen
    shaded_text.document(
        task,
        part,
        row,
        found.columns,
        values,
        [f"{task.terms[t]}: f {f:.0f} · dd {d:.3g} · cd {c:.3g} · weight {w:.3g}" for t, f, d, c, w in numbers],
        f"reader-{OWN if Reference.parse(option).kind == OWN else option}",
        alt=f"Document {row + 1} with its words shaded by {BY[by]} under {name}",
        top=top,
    )
    if found.columns.size:
        st.caption(f"Strongest: {shaded_text.strongest(task, found.columns, values, 6)}.")
    return found.columns.size


def _held(task: Any, part: str, found: list[int], decided: bool) -> None:
    """How many terms a document holds, what its colours do not say, and what the SVM is."""
    held = max(found)
    said = [
        f"{held} of {len(task.terms):,} terms occur in it; its other words are not among the terms."
        if held
        else f"None of the {len(task.terms):,} terms occurs in it."
    ]
    if held:
        said.append(
            "A strong colour means that a word counts much; gold and blue, the sign of its weight, do not mean for and "
            "against the class: the classifier learns that."
        )
    if decided:
        seen = " and trained on this document" * (part == "train")
        how = f"The SVM is linear (C\u00a0=\u00a01, not tuned){seen}"
        said.append(f"{how}; in brackets its score, above 0 for the class.")
    st.caption(" ".join(said))

"""One cell of the table: its confusion matrix with the documents behind it, its precision-recall curve, a threshold."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.evaluation import Decisions, precision_recall
from ltw_core.figures import PrecisionRecall
from ltw_core.figures import precision_recall as figure_of
from ltw_core.metrics import decimals, signed
from ltw_core.service.cells_on_demand import Item
from ltw_core.service.job import Job
from pages._ui import words
from pages._ui.controls import control
from pages._ui.documents import shaded_text
from pages._ui.evaluate import decisions_kept, summaries
from pages._ui.evaluate.evaluation_view import CELL, PICKED, Label
from pages._ui.evaluate.evaluations import Evaluation, FoundResult
from pages._ui.guard import plain
from pages._ui.plots.plot import plot
from pages._ui.reader.table_results import kept_of_corpus
from pages._ui.tables import COLUMNS, FIRST_ROW, READ_ONE, on_phone, ready, table
from pages._ui.weightings import estimators

KINDS = {
    "tp": ("true positives", "Of the class, and predicted positive"),
    "fp": ("false positives", "Not of the class, but predicted positive"),
    "fn": ("false negatives", "Of the class, but predicted negative"),
    "tn": ("true negatives", "Not of the class, and predicted negative"),
}
SHOWN = 300
DOCUMENTS = "test_documents"  # in tables.toml
BEGINS = 198  # pixels of how documents begin, where their labels stand behind
CHARACTER = 7  # pixels of a character there, about
NO_TEXT = "(no text)"


def settle(evaluation: Evaluation, found: dict[Item, FoundResult], stay: bool) -> None:
    """Choose the cell that the headline is about unless the reader has chosen one of this class that is known with this
    plan, or looks at one that was there when what is computed, or was last, began (``stay``)."""
    state, of = st.session_state, (evaluation.dataset, evaluation.task.class_name)
    if state.get("_cell_of") != of:
        state["_cell_of"], state[PICKED] = of, False
        state.pop(CELL, None)
    pairs = {f"{item.weighting}|{item.learner}" for item in found}
    if pairs and not ((state[PICKED] or stay) and state.get(CELL) in pairs):
        state[CELL], state[PICKED] = "|".join(summaries.asked(summaries.summarise(found))), False


def choose(found: dict[Item, FoundResult], label: Label, line: Any) -> Item:
    """The weighting, classifier and seed to look at, as ``settle`` left them; they may be changed in ``line``."""
    state = st.session_state
    pairs = {f"{item.weighting}|{item.learner}": item for item in reversed(found)}
    weighting, with_learner = state[CELL].rsplit("|", 1)
    names = list(dict.fromkeys(item.weighting for item in found))
    state["cell_weighting"], state["cell_learner"] = weighting, with_learner
    follow = {"on_change": _changed, "args": (tuple(pairs),)}
    control(line.selectbox, "cell_weighting", {name: label(name) for name in names}, width=240, **follow)
    used = [item.learner for item in pairs.values() if item.weighting == weighting]
    titles = {name: words.classifier(name) for name in used}
    control(line.selectbox, "cell_learner", titles, more=words.classifiers(used), width=150, **follow)
    seeds = [item for item in found if (item.weighting, item.learner) == (weighting, with_learner)]
    by_seed = {item.seed: item for item in seeds}
    if len(by_seed) == 1:
        return seeds[0]
    chosen = state.get("cell_seed")
    state["cell_seed"] = chosen if chosen in by_seed else min(by_seed)
    return by_seed[control(line.selectbox, "cell_seed", sorted(by_seed), width=110)]


def _changed(pairs: tuple[str, ...]) -> None:
    state = st.session_state
    weighting, with_learner = state["cell_weighting"], state["cell_learner"]
    wanted = f"{weighting}|{with_learner}"
    if wanted not in pairs:  # this weighting has not been tried with that classifier
        wanted = next(p for p in pairs if p.rsplit("|", 1)[0] == weighting)
    state[CELL], state[PICKED] = wanted, True


def decisions(evaluation: Evaluation, item: Item, found: dict[Item, FoundResult]) -> Decisions | None:
    """What was decided in the cell; None, with a line that says so, while it is found out."""
    got = evaluation.decisions(item, found[item].result)
    if isinstance(got, Job):
        decisions_kept.wait(got)
        return None
    r = found[item].result
    if got.counts != (r.tp, r.fp, r.fn, r.tn):
        n = sum(abs(a - b) for a, b in zip(got.counts, (r.tp, r.fp, r.fn, r.tn), strict=True)) // 2
        st.caption(
            f":material/info: Trained again here, it decides {words.count(max(n, 1), 'document')} differently: the "
            "stored result comes from another kind of processor or an earlier version of the app."
        )
    return got


def documents(task: Any, item: Item, d: Decisions) -> None:
    """The confusion matrix, and the documents of the part of it that is open."""
    counts = d.counts
    kind = st.session_state.get("confusion")
    if kind not in KINDS or not getattr(counts, kind):  # the first that holds a document, errors before the others
        kind = next((name for name in ("fp", "fn", "tp") if getattr(counts, name)), "tn")
    left, right = st.columns(2, gap="large")
    with left:
        _matrix(counts, kind)
        st.caption(
            f"F1 {words.f1(counts.f1)}, precision {words.f1(counts.precision)}, recall {words.f1(counts.recall)}",
            help=f"F1 = 2·tp / (2·tp + fp + fn) = 2·{counts.tp:,} / (2·{counts.tp:,} + {counts.fp:,} + {counts.fn:,}).",
        )
        row = list_documents(task, d, _rows(d, kind), f"{item.key}-{kind}", "most confident decision first")
    if row is not None:
        with right, st.container(key="beside_list"):
            read(task, d, row, f"cell-{item.weighting}", title=None)


def _matrix(counts: Any, kind: str) -> None:
    # horizontal containers and not columns, which would come apart on a narrow page
    head = "", ("in the class", "not in the class")
    rows = head, ("predicted positive", ("tp", "fp")), ("predicted negative", ("fn", "tn"))
    with st.container(key="confusion_table", gap="xsmall"):
        _cells(rows, counts, kind)


def _cells(rows: tuple, counts: Any, kind: str) -> None:
    for title, pair in rows:
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.caption(title or "\u00a0", width=58)
            for name in pair:
                if not title:
                    st.caption(name, text_alignment="center")
                    continue
                st.button(
                    f"**{getattr(counts, name):,}** {KINDS[name][0]}",
                    key=f"confusion_{name}",
                    type="primary" if name == kind else "secondary",
                    disabled=not getattr(counts, name),
                    width="stretch",
                    on_click=_open,
                    args=(name,),
                    help=f"{KINDS[name][1]}. Opens these documents.",
                )


def _open(kind: str) -> None:
    st.session_state["confusion"] = kind


def _rows(d: Decisions, kind: str) -> np.ndarray:
    """Test documents of a part of the matrix, the surest decision first."""
    mask = (d.predicted == (kind in ("tp", "fp"))) & (d.y == (kind in ("tp", "fn")))
    rows = np.flatnonzero(mask)
    return rows[np.argsort(-np.abs(d.scores[rows] - d.threshold), kind="stable")]


def list_documents(task: Any, d: Decisions, rows: np.ndarray, of: str, order: str, **more: np.ndarray) -> int | None:
    """A list of test documents; returns the row of the chosen one, None where there are none.

    Parameters
    ----------
    rows : their rows, in the order in which they are shown, but that those without a known term are last; ``order``
        says it in words.
    of : names the list.
    **more : scores by name, for all test documents; by default those of ``d``.
    """
    if not rows.size:
        st.info("No test document is in this part.", icon=":material/search_off:")
        return None
    rows = rows[np.argsort(hold_no_term(task)[rows], kind="stable")]
    shown, columns = rows[:SHOWN], more or {"score": d.scores}
    scores = {name: values[shown] for name, values in columns.items()}
    number = partial(st.column_config.NumberColumn, help=f"The classifier’s score: {d.unit}.")
    form = "+.2" if d.threshold == 0 else ".3"  # votes and shares have no sign
    told = tuple((name, values.tobytes()) for name, values in scores.items())
    brief = bool(more) or on_phone()  # no room for labels
    frame, labelled = _listed(task.vectorized.fingerprint, shown.tobytes(), told, form, brief, task, shown, scores)
    wide = {name: 20 + (CHARACTER + 1) * max(6, len(name)) for name in columns}  # its name is read whole
    event = table(
        frame,
        DOCUMENTS,
        "Test documents with their labels and the classifier’s score",
        more={name: number(name[0].upper() + name[1:], width=wide[name]) for name in columns}
        | ({"begins": st.column_config.Column("Begins", width=BEGINS)} if labelled else {}),
        most=140 if on_phone() else 248,
        width="stretch",
        on_select="rerun",
        selection_mode=READ_ONE,
        selection_default=FIRST_ROW,
        key=f"documents-{abs(hash(of)):x}",
    )
    chosen = event["selection"]["rows"]
    beyond = f" The first {SHOWN} are listed." if rows.size > SHOWN else ""
    st.caption(f"{words.count(rows.size, 'document')}, {order}.{beyond} Choose a row to read it.")
    return int(shown[chosen[0]]) if chosen and chosen[0] < shown.size else int(shown[0])


def hold_no_term(task: Any) -> np.ndarray:
    """Which test documents hold no known term: of these a classifier knows nothing."""
    return np.diff(task.counts_test.indptr) == 0


def _cut(text: str, width: int) -> str:
    """A text as far as a column of so many pixels has room."""
    most = (width - 16) // CHARACTER
    return text if len(text) <= most else f"{text[: most - 1].rstrip(' ,')}…"


@kept_of_corpus(64)
def _listed(
    fingerprint: str, rows: bytes, told: tuple, form: str, brief: bool, _task: Any, _shown: np.ndarray, _scores: dict
) -> tuple[Any, bool]:
    """Test documents with their scores, how they begin and their labels, for ``table``; whether it has labels."""
    frame = shaded_text.listed(_task, "test", _shown).assign(labels=[labels(_task, int(r)) for r in _shown], **_scores)
    # no room, or the same in each; the document that is read says its own
    labelled = not brief and (len(frame) == 1 or frame["labels"].nunique() > 1)
    frame["begins"] = frame["begins"].where(frame["begins"] != "", NO_TEXT)
    if labelled:  # the grid cuts without a mark
        frame["begins"] = frame["begins"].map(partial(_cut, width=BEGINS + 29))  # narrower letters
        frame["labels"] = frame["labels"].map(partial(_cut, width=COLUMNS[DOCUMENTS]["labels"]["width"]))
    last = ["begins"] + ["labels"] * labelled  # what a narrow page cuts off is said of the document that is read
    made = frame[[c for c in frame if c not in ("begins", "labels")] + last]
    return ready(made, DOCUMENTS, dict.fromkeys(_scores, form)), labelled


def labels(task: Any, row: int) -> str:
    """True classes of a test document."""
    return ", ".join(shaded_text.true_classes(task, "test", row)) or "none"


def read(task: Any, d: Decisions, row: int, key: str, title: str | None) -> None:
    """A test document, its words shaded by what they add to the score, on the scale of that classifier. One of two has
    a title; what their scores are is said of both, and bars beside them show what made the difference."""
    columns, parts = d.contributions(row) if d.linear else (np.zeros(0, int), np.zeros(0))
    said = "predicted positive" if d.predicted[row] else "predicted negative"
    st.markdown(
        (f"**{plain(title)}** · " if title else f"**Test document {row + 1:,}** · ")
        + f"score {score_text(d, row)}{'' if title else f' ({d.unit})'}: {said}"
        + ("" if title else f"  \ntrue labels: {plain(labels(task, row))}")
    )
    if d.linear:
        shaded_text.scale(parts, 0.0, "adds to the score", score=True)
    shaded_text.document(
        task,
        "test",
        row,
        columns,
        parts,
        [f"{task.terms[c]}: adds {signed(v)} to the score" for c, v in zip(columns, parts, strict=True)],
        key,
        alt=f"Test document {row + 1} with its words shaded by what they add to the score",
        top=0.0,
    )
    if d.linear and not title:
        most = shaded_text.strongest(task, columns, parts, 8, signed)
        st.caption(f"Largest contributions: {most}; intercept {signed(d.intercept)}.")
    elif not d.linear:
        st.caption("This classifier’s score is not a sum over words, so none is shaded.")


def score_text(d: Decisions, row: int) -> str:
    """A document's score, with its sign where 0 decides."""
    return signed(d.scores[row], 2) if d.threshold == 0 else decimals(d.scores[row])


def threshold(task: Any, item: Item, d: Decisions, label: Label) -> None:
    """The precision-recall curve and what another threshold would do."""
    curve = precision_recall(d)
    chart, side = st.columns([3, 2], gap="large")
    with side:
        tried = _slider(item, d)
        _at(d, tried)
    with chart:
        place = lambda c: (c.recall, c.precision)  # noqa: E731
        drawn = PrecisionRecall(
            estimators.coloured_as(item.weighting),
            f"{label(item.weighting)} with {words.classifier(item.learner)}",
            curve.recall,
            curve.precision,
            curve.threshold,
            curve.average_precision,
            working=place(d.counts),
            tried=place(d.counts_at(tried)),
        )
        plot(figure_of.plain([drawn], base=words.base(), uirevision=item.key), "precision-recall", live=True)


def _power(d: Decisions) -> int:
    """Of ten, which is the step from one threshold to the next: about a hundredth of all that the scores span."""
    return int(np.floor(np.log10((float(np.ptp(d.scores)) or 1.0) / 100)))


def _written(d: Decisions, value: float) -> str:
    """A threshold with the digits that a step has; where the classifier's own may lie between two, with three."""
    return decimals(value, max(3 if d.threshold else 1, -_power(d))) if value else "0"


def _slider(item: Item, d: Decisions) -> float:
    """Thresholds from above all documents' scores to below all, finer where documents lie."""
    low, high, power = float(d.scores.min()), float(d.scores.max()), _power(d)
    step = 10.0**power
    places = np.arange(np.floor(low / step) - 1, np.ceil(high / step) + 2)
    return st.select_slider(
        "Threshold",
        sorted({float(d.threshold), *(places * step).round(max(0, -power)).tolist()}),
        float(d.threshold),
        partial(_written, d),
        key=f"threshold-{abs(hash(item.key)):x}",
        help=f"Documents with a higher score ({d.unit}) are predicted positive. The classifier’s own is "
        f"{_written(d, d.threshold)}.",
    )


def _at(d: Decisions, tried: float) -> None:
    own, other = d.counts, d.counts_at(tried)
    rows = []
    for name, c in (("Own threshold", own), ("Trial", other))[: 1 + (tried != d.threshold)]:
        rows.append(
            {
                "threshold": f"{name} ({_written(d, tried if name == 'Trial' else d.threshold)})",
                "F1": words.f1(c.f1),
                "precision": words.f1(c.precision),
                "recall": words.f1(c.recall),
                **{KINDS[count][0]: f"{n:,}" for count, n in c._asdict().items()},
            }
        )
    with st.container(key="at_threshold"):
        st.table(pd.DataFrame(rows).set_index("threshold").T)
    st.caption(
        "The ring marks the classifier’s own threshold, the dot the trial one. A threshold picked here is fitted to "
        "the test labels: its F1 is optimistic."
    )

"""What classifiers of all classes take for what: a heat map, and the documents behind each of its cells."""

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.evaluation import Decisions, MulticlassDecisions, MulticlassResult
from ltw_core.figures import confusion_matrix
from ltw_core.metrics import listed, signed
from ltw_core.service.job import Job
from pages._ui import jobs, words
from pages._ui.controls import choose_one, control
from pages._ui.documents import shaded_text
from pages._ui.downloads import csv, offer
from pages._ui.evaluate import cell_view, decisions_kept
from pages._ui.evaluate.all_classes import POLICIES, AllClasses, Wanted, seconds_to_decide
from pages._ui.guard import plain
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.reader import counting, selection
from pages._ui.tables import Marked, on_phone, table
from pages._ui.weightings import estimators

DECIDED = {"tp": "true positives", "fn": "false negatives", "fp": "false positives"}
MOST, FEW = 20, 10  # classes of the smaller map, on a page and on a phone
MAPS = {"all": "Every class", "most": "The most confused"}
LISTED = 10  # of the most frequent errors
SHOWN, CELL, KEY = "all_shown", "all_cell", "confusion-of-all"
OPENED, OPENED_CELL = "_all_opened", "_all_cell_opened"  # what is shown without having been chosen
SAYS = {  # by whether each document gets one class
    True: "Each row: predictions for one class, correct on the diagonal.",
    False: "Each row: test documents of one class found and missed, and others wrongly assigned to it.",
}


def show(asked: AllClasses, names: dict[str, tuple[Wanted, MulticlassResult]]) -> None:
    """The section; ``names`` has each known result by what it is called."""
    single = next(result.single_label for _, result in names.values())
    st.header("Which classes are confused" if single else "Decisions of each class", anchor=False)
    said = st.empty()
    # written in each run: of two that follow at once a browser may draw the second alone
    at = list(names)[shown(dict(names.values()), list(names))]
    was = st.session_state.get(OPENED)
    picked = at == st.session_state.get(SHOWN) != was
    if not picked and was not in (None, at) and st.session_state.get(CELL) == st.session_state.get(OPENED_CELL):
        st.session_state.pop(CELL, None)  # opened for a result that another has overtaken
    st.session_state[SHOWN], st.session_state[OPENED] = at, None if picked else at
    line = st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="all_line")
    wanted, result = names[control(line.selectbox, SHOWN, list(names), width=330)]
    said.caption(f"{SAYS[single]} {_shared(result)}")
    task = asked.task
    titles, decided, counts = _decided(task, result)
    decisions = asked.decisions(wanted, result, picked)
    told = counts  # about which documents there is something to read
    if result.single_label and isinstance(decisions, MulticlassDecisions):
        told = counts - _unread(task, decisions)
    cell = _cell(counts, told, titles, decided, result.single_label, _of_reader(task), line)
    most, former = FEW if on_phone() else MOST, {f"The {MOST} most confused": "most", "All classes": "all"}
    few = len(titles) > most and choose_one("all_map", MAPS, "most", line, formerly=former) == "most"
    # a small map has the documents of its cell beside it, a large one below
    beside = few or len(titles) <= most
    left, right = st.columns([6, 4], gap="large") if beside else (st.container(), st.container())
    with left:
        does = "see what it counts" if decisions is None else "read its documents"
        _map(most * few, task, result.single_label, counts, titles, decided, cell, does)
    with right, st.container(key="beside_list"):
        if decisions is None:
            st.subheader(_heading(cell, titles, decided, result.single_label), anchor=False)
            takes = jobs.takes(seconds_to_decide(result))
            st.caption(f"To find these documents, the classifier is trained once more: {takes}.")
            control(st.button, "all_find", icon=":material/search:", on_click=st.session_state.pop, args=(OPENED, None))
            if beside:
                _most_frequent(_errors(counts, result.single_label), titles, decided, cell, result.single_label)
        elif isinstance(decisions, Job):
            decisions_kept.wait(decisions)
        else:
            _documents(task, wanted, result, decisions, cell, titles, decided)


def _shared(result: MulticlassResult) -> str:
    """Why a class has other counts here than by itself."""
    one = result.policy in ("", "local")  # they are the classes' own, or know of no class
    weights = [] if one else [f"weights (policy {POLICIES[result.policy].lower()})"]
    told = "each document gets one class, and " * result.single_label + "all classes share "
    return f"Counts can differ from **One class** and **Data**, as {told}{listed(['terms', *weights, 'setting'])}."


def shown(found: dict[Wanted, MulticlassResult], names: list[str]) -> int:
    """Which of some results is open: the one that was chosen by its name, else of the learned ones, which the page asks
    about, or where none is known of all, the one with the highest macro F1."""
    chosen = st.session_state.get(SHOWN)
    if chosen in names and chosen != st.session_state.get(OPENED):
        return names.index(chosen)
    best = max(found, key=lambda wanted: (estimators.is_learned(wanted.weighting), found[wanted].macro_f1))
    return list(found).index(best)


def _errors(counts: np.ndarray, single: bool) -> np.ndarray:
    """How many test documents each cell has that are wrong."""
    errors = counts.copy()
    if single:
        np.fill_diagonal(errors, 0)
    else:
        errors[:, 0] = 0
    return errors


def _most_frequent(
    errors: np.ndarray, titles: list[str], decided: list[str], cell: tuple[int, int], single: bool
) -> None:
    """The cells with the most errors, while there are no documents to read; a row chooses its cell."""
    order = np.argsort(-errors, axis=None, kind="stable")[:LISTED]
    cells = [divmod(int(k), len(decided)) for k in order if errors.flat[k]]
    if not cells:
        return
    frame = pd.DataFrame(
        {
            "class": [titles[row] for row, _ in cells],
            "decision": [decided[column] for _, column in cells],
            "documents": [int(errors[one]) for one in cells],
        }
    )
    st.caption("The most frequent errors of all. Choose a row to mark its cell.")
    at = cells.index(cell) if cell in cells else None
    about = "The most frequent errors: class, decision and number of test documents"
    more = {} if single else {"class": st.column_config.Column("Class", width=114)}  # true only of what was missed
    choose = lambda row: st.session_state.update({CELL: cells[row]})  # noqa: E731
    table(frame, "confused", about, choose, more, at=at, width="stretch")


def _map(
    few: int,
    task: Any,
    single: bool,
    counts: np.ndarray,
    titles: list[str],
    decided: list[str],
    cell: tuple[int, int],
    does: str,
) -> None:
    """The heat map, of all classes or of so many (``few``) with the most errors, the reader's among them; ``does``:
    what a cell is chosen for."""
    errors = _errors(counts, single)
    shown, left_out = np.arange(len(titles)), ""
    if few:
        of_class = errors.sum(axis=1) + (errors.sum(axis=0) if single else 0)
        if (own := _of_reader(task)) >= 0:  # whose decisions are opened first
            of_class[own] = of_class.max() + 1
        shown = np.sort(np.argsort(-of_class, kind="stable")[:few])
        inside = errors[np.ix_(shown, shown)] if single else errors[shown]
        others = words.count(len(titles) - few, "class", "classes")
        errors_there = f"{errors.sum() - inside.sum():,} of all {words.count(int(errors.sum()), 'error')}"
        left_out = f"Left out: {others} with {errors_there}. "
    columns = shown if single else np.arange(len(decided))
    place = [np.flatnonzero(among == number) for among, number in zip((shown, columns), cell, strict=True)]
    here = np.flatnonzero(shown == _of_reader(task))
    options = {
        "marked": int(here[0]) if here.size else None,
        "totals": counts.sum(axis=1)[shown],
        "chosen": (int(place[0][0]), int(place[1][0])) if all(where.size for where in place) else None,
        "base": words.base(),
        "uirevision": f"{task.fingerprint}{len(shown)}",
    }
    content = counts[np.ix_(shown, columns)], [titles[k] for k in shown]
    if few and options["chosen"] is None:
        left_out += "The pair chosen above is not among these classes. "
    figure = confusion_matrix.plain(*content, None if single else decided, **options)
    narrow = narrow_layout(confusion_matrix.plain(*content, None if single else decided, narrow=True, **options), KEY)

    def picked(value: dict) -> None:
        found = cell_picked(value, len(shown), len(columns))
        if found is not None:
            st.session_state[CELL] = int(shown[found[0]]), int(columns[found[1]])

    plot(figure, KEY, narrow=narrow, on_pick=picked)
    rows_are = "of its class" if single else "of those with the class or assigned to it"
    st.caption(
        f"Colour: share {rows_are}, on a square-root scale. Choose a cell to {does}. {left_out}",
        help=plain(figure.alt),
    )


def _of_reader(task: Any) -> int:
    """The place of the sidebar's class; -1 where it is not among them."""
    names, name = list(task.class_names), selection.class_name()
    return names.index(name) if name in names else -1


def cell_picked(value: dict, rows: int, columns: int) -> tuple[int, int] | None:
    """Row and column of the cell that a browser says was clicked; None where a figure of this size has no such cell."""
    row, _, column = str(value.get("id") or "").partition("|")
    if not all(place.isdecimal() and len(place) < 9 for place in (row, column)):
        return None
    return (int(row), int(column)) if int(row) < rows and int(column) < columns else None


def _unread(task: Any, decisions: Any) -> np.ndarray:
    """Of each cell the documents that hold no known term."""
    empty = cell_view.hold_no_term(task)
    labels, predicted = (of[empty].astype(int) for of in (decisions.labels, decisions.predicted))
    return labels.T @ predicted


def _cell(
    counts: np.ndarray, told: np.ndarray, titles: list[str], decided: list[str], single: bool, of_reader: int, line: Any
) -> tuple[int, int]:
    """The cell that is open: what was clicked or chosen, else the most frequent error, or decision if none is wrong, of
    the sidebar's class, or of all where it is not among them; errors as in ``told``."""
    state = st.session_state
    if state.setdefault("_all_cell_of", of_reader) != of_reader:
        state["_all_cell_of"] = of_reader
        state.pop(CELL, None)
    row, column = state.get(CELL, (-1, -1))
    if not (0 <= row < len(titles) and 0 <= column < len(decided)):
        errors = told.copy()
        if single:
            np.fill_diagonal(errors, -1)
        else:
            errors[:, 0] = -1
        rows = slice(of_reader, of_reader + 1) if of_reader >= 0 else slice(None)
        of = errors[rows] if errors[rows].max() > 0 else counts[rows]
        row, column = divmod(int(of.argmax()), len(decided))
        row += rows.start or 0
        if told is not counts or not single:  # else what was decided of each document is still to come
            state[CELL] = state[OPENED_CELL] = row, column
    state["all_true"], state["all_predicted"] = row, column
    for key, names in (("all_true", titles), ("all_predicted", decided)):
        control(line.selectbox, key, dict(enumerate(names)), on_change=_changed, width=170)
    return row, column


def _changed() -> None:
    state = st.session_state
    state[CELL] = int(state["all_true"]), int(state["all_predicted"])


def each_class(task: Any, name: str, result: MulticlassResult) -> None:
    """F1 of each class, folded, and what there is to say of them; ``name``: what the result is called."""
    frame, last = _each_class(task, result), ["training documents", "test documents"]
    with st.expander(f"Each class: {plain(name)}", key="each_class"):
        shown = frame[[column for column in frame if column not in last] + last]
        here = _of_reader(task)
        about = "F1, precision and recall of each class"
        table(shown, "each_class", about, most=380, marked=Marked(here if here >= 0 else None))
    for warning in result.warnings:
        if warning not in task.notes:
            st.caption(f":material/info: {plain(warning)}")


def files(task: Any, result: MulticlassResult) -> None:
    """The same and the heat map's numbers as files."""
    name = counting.stem(task.corpus_name)
    offer(
        "Classes (CSV)", f"{name}-classes.csv", lambda: csv(_each_class(task, result)), "F1 and counts of each class."
    )
    titles, decided, counts = _decided(task, result)
    matrix = pd.DataFrame(counts, index=pd.Index(titles, name="true class"), columns=decided)
    offer("Confusion (CSV)", f"{name}-confusion.csv", lambda: csv(matrix, index=True), "The heat map’s numbers.")


def _each_class(task: Any, result: MulticlassResult) -> pd.DataFrame:
    return result.table().assign(**{"class": [str(title) for title in task.class_titles]})


def _decided(task: Any, result: MulticlassResult) -> tuple[list[str], list[str], np.ndarray]:
    """Titles of the heat map's rows and of its columns, and its numbers."""
    titles = [str(title) for title in task.class_titles]
    if result.single_label:
        return titles, titles, result.confusion
    return titles, list(DECIDED.values()), np.stack([result.tp, result.fn, result.fp], axis=1)


def _heading(cell: tuple[int, int], titles: list[str], decided: list[str], single: bool) -> str:
    """What a cell is of."""
    row, column = cell
    title = plain(titles[row])
    return f"{title}, predicted {plain(titles[column])}" if single else f"{title}: {decided[column]}"


def _documents(
    task: Any,
    wanted: Wanted,
    result: MulticlassResult,
    decisions: Any,
    cell: tuple[int, int],
    titles: list[str],
    decided: list[str],
) -> None:
    row, column = cell
    if result.single_label:
        mask = decisions.labels[:, row] & decisions.predicted[:, column]
        towards, against = column, row if column != row else None
    else:
        true, predicted = {"tp": (1, 1), "fn": (1, 0), "fp": (0, 1)}[list(DECIDED)[column]]
        mask = (decisions.labels[:, row] == bool(true)) & (decisions.predicted[:, row] == bool(predicted))
        towards, against = row, None
    st.subheader(_heading(cell, titles, decided, result.single_label), anchor=False)
    with np.errstate(invalid="ignore"):  # of two classes about which nothing was learned
        scores = decisions.scores[:, towards] - (0.0 if against is None else decisions.scores[:, against])
    scores = np.nan_to_num(scores, posinf=np.finfo(np.float32).max, neginf=np.finfo(np.float32).min)
    rows = np.flatnonzero(mask)
    rows = rows[np.argsort(-np.abs(scores[rows]), kind="stable")]
    unit = decisions.unit + ("" if against is None else f", {titles[towards]} minus {titles[against]}")
    as_one = Decisions(scores, 0.0, decisions.predicted[:, towards], decisions.labels[:, towards], unit, decisions.test)
    of = f"{task.fingerprint}-{'-'.join(wanted)}-{cell}"
    chosen = cell_view.list_documents(task, as_one, rows, of, "most confident decision first")
    if chosen is not None:
        _read(task, as_one, decisions, chosen, titles, towards, against)


def _read(
    task: Any, d: Decisions, decisions: Any, chosen: int, titles: list[str], towards: int, against: int | None
) -> None:
    """A test document, its words shaded by what they add to the score of one class, less that of another; ``d``: the
    decisions as those of one class."""
    given = [titles[j] for j in np.flatnonzero(decisions.predicted[chosen])]
    st.markdown(
        f"**Test document {chosen + 1:,}** · score {cell_view.score_text(d, chosen)} ({plain(d.unit)}): predicted "
        f"{plain(', '.join(given) or 'none')} · true labels: {plain(cell_view.labels(task, chosen))}"
    )
    columns, parts = decisions.contributions(chosen, towards, against)
    shaded_text.scale(parts, 0.0, "adds to the score")
    shaded_text.document(
        task,
        "test",
        chosen,
        columns,
        parts,
        [f"{task.terms[c]}: adds {signed(v)}" for c, v in zip(columns, parts, strict=True)],
        "all-classes-document",
        alt=f"Test document {chosen + 1} with its words shaded by what they add to the decision",
        top=0.0,
    )
    if columns.size:
        constant = d.scores[chosen] - parts.sum()
        most = shaded_text.strongest(task, columns, parts, 8, signed)
        st.caption(f"Largest contributions: {most}; intercept {signed(constant)}.")
    elif decisions.linear:
        st.caption("It holds no selected term: the score is the intercept.")
    else:
        st.caption("This classifier’s score is not a sum over words, so none is shaded.")

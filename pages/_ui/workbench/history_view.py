"""This browser's training runs: listed, named, pinned, deleted, and loaded from a file."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.corpora import catalogue
from ltw_core.service.training_record import TrainingRecord
from pages._ui import words
from pages._ui.controls import choose_one, control
from pages._ui.guard import capital, not_done, plain, sentences
from pages._ui.reader import selection, uploads
from pages._ui.result_cache import kept
from pages._ui.tables import ready, table
from pages._ui.training import actions, histories, lookup, run_words
from pages._ui.training.run import Run
from pages._ui.workbench import training_controls
from pages._ui.workbench.history_comparison import compare, exports, name_of
from pages._ui.workbench.texts import text

UNDO_OFFERED, ONE_CLICK = 3600, 2  # seconds: how long a deletion can be undone here; what goes at one click
HERE, EVERYWHERE = "This class", "Everything"


def history(dataset: str, task: Any) -> None:
    """The panel under a training run."""
    st.header("Your training runs", anchor=False)
    error = st.session_state.pop("_history_error", "")
    if error:
        st.error(error, icon=":material/error:")
    if not histories.lasts():
        st.warning(text("history_unusable"), icon=":material/warning:")
    elif problem := lookup.not_written():
        st.warning(f"{text('history_unwritten')} {capital(problem)}", icon=":material/warning:")
    own = dataset.startswith(uploads.PREFIX)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        scope = choose_one("history_scope", [HERE, EVERYWHERE], HERE)
        _file_control(dataset, task)
    _undo()
    where = (dataset, task.class_name) if scope == HERE else (None, None)
    listed = lookup.own_records(*where)
    if not listed:
        stays = "stays in this list, also after the server is restarted"
        if own:
            stays = (
                "on a table of your own is listed here until this tab is closed or reloaded; save it with **Weights**"
            )
        elif not histories.lasts():
            stays = "is listed here"
        st.caption(f"None yet in this browser. What is trained here {stays}.")
        return
    chosen = _table(listed, scope)
    if chosen:
        _actions(chosen)
        with sentences():
            compare(chosen)
    else:
        st.caption("Select rows to open, compare or delete them.")


def _table(listed: list[TrainingRecord], scope: str) -> list[TrainingRecord]:
    columns = {title: column for title, column in COLUMNS.items() if scope != HERE or title != "Class"}
    rows = tuple(tuple(value(record) for value in columns.values()) for record in listed)
    version = st.session_state.get("_history_version", 0)
    event = table(
        _written(rows, tuple(columns)),
        "training_runs",
        "The training runs of this browser",
        most=320,
        on_select="rerun",
        selection_mode="multi-row",
        width="stretch",
        key=f"history-{scope}-{selection.dataset()}-{selection.class_name()}-{version}",
    )
    return [listed[row] for row in event.selection.rows if row < len(listed)]


@kept(32)
def _written(rows: tuple, columns: tuple[str, ...]) -> Any:
    return ready(pd.DataFrame(rows, columns=list(columns)), "training_runs")


def _settings(record: TrainingRecord) -> str:
    return "from a file" if record.origin == "imported" else words.settings(record.changed) or "the paper’s"


def _paused(record: TrainingRecord) -> bool:
    """Whether it is paused, or will be in a moment, which only the process that trains it knows."""
    run = lookup.find(record.token) if record.status == "running" else None
    return run is not None and run.pausing


COLUMNS: dict[str, Callable[[TrainingRecord], Any]] = {  # how they are shown is in tables.toml
    "Training run": lambda record: f"{'📌 ' if record.pinned else ''}{name_of(record)}",
    "Class": lambda record: record.problem.title,
    "Best validation F1": lambda record: record.best_f1,
    "at step": lambda record: record.best_step,
    "Steps": lambda record: record.steps,
    "Seconds": lambda record: record.seconds,
    "State": lambda record: run_words.state(record.status, record.stop_code, paused=_paused(record)),
    "Settings": _settings,
    # a text: where some cells are written in a way of their own, a time is written with its fractions
    "Requested": lambda record: f"{words.moment(record.asked):%Y-%m-%d %H:%M}",
}


def _actions(chosen: list[TrainingRecord]) -> None:
    one = chosen[0] if len(chosen) == 1 else None
    pinned = all(record.pinned for record in chosen)
    with st.container(horizontal=True, gap="small"):
        closed = one is None or not (one.has_weighting or one.snapshots)
        opens = {"icon": ":material/open_in_full:", "disabled": closed}
        control(st.button, "history_open", on_click=put_on_stage, args=(one,), **opens)
        icon, like = ":material/keep:", "history_unpin" if pinned else "history_pin"
        control(st.button, "history_pin", like=like, icon=icon, on_click=_each, args=(actions.pin, chosen, not pinned))
        with st.popover(
            "Rename", icon=":material/edit:", disabled=one is None, help="Give it a name of your own. One at a time."
        ):
            if one is not None:
                key, content = f"history_name-{one.token}", {"placeholder": name_of(one), "max_chars": 120}
                control(st.text_input, key, one.name, like="history_name", on_change=_rename, args=(one,), **content)
        control(st.button, "history_delete", icon=":material/delete:", on_click=_delete, args=(chosen,))
        exports(chosen, one)


@contextmanager
def _told() -> Iterator[None]:
    """Say above the history what could not be written; in callbacks, where nothing can be shown."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        st.session_state["_history_error"] = not_done(error)


# what is done to them; callbacks ------------------------------------------------------------------------------------


def put_on_stage(run: Run | TrainingRecord) -> None:
    """Show a training run above. A callback."""
    try:
        _show(run.token, run.problem.corpus, run.problem.class_name)
    except ValueError as error:
        st.session_state["_history_error"] = capital(str(error))


def _show(token: str, corpus: str, class_name: str) -> None:
    """Show a training run above, with its corpus and class in the sidebar."""
    if corpus not in {entry.name for entry in catalogue()} | set(uploads.visible()):
        raise ValueError(f"it was learned on “{corpus}”, which is not here; bring that corpus on the Data page first")
    st.query_params["run"] = token
    training_controls.begun()
    if corpus != selection.dataset():
        selection.choose_dataset(corpus)
    st.session_state.setdefault("class_of", {})[corpus] = class_name
    st.session_state[f"class-{corpus}"] = class_name


def _each(action: Callable[..., None], chosen: list[TrainingRecord], *values: Any) -> None:
    """Do something to all of them. Rows move: what was selected is so no longer."""
    with _told():
        for record in chosen:
            action(record, *values)
    st.session_state["_history_version"] = st.session_state.get("_history_version", 0) + 1


def _rename(record: TrainingRecord) -> None:
    with _told():
        actions.rename(record, st.session_state[f"history_name-{record.token}"])


def _delete(chosen: list[TrainingRecord]) -> None:
    _each(actions.delete, chosen)
    if st.query_params.get("run") in [record.token for record in chosen]:
        del st.query_params["run"]


def _undo() -> None:
    gone = lookup.own_records(deleted=True)
    last = max((record.deleted for record in gone), default=0.0)
    if time.time() - last > UNDO_OFFERED:
        return
    gone = [record for record in gone if last - record.deleted < ONE_CLICK]
    with st.container(horizontal=True, vertical_alignment="center"):
        names = ", ".join(plain(name_of(record)) for record in gone[:3]) + (" …" if len(gone) > 3 else "")
        st.caption(f"Deleted: {names}.", width="content")
        control(st.button, "history_undo", icon=":material/undo:", on_click=_each, args=(actions.restore, gone))


def _file_control(dataset: str, task: Any) -> None:
    with st.popover(
        "Load a weighting", icon=":material/upload_file:", help="Look at a weighting that was saved as a file."
    ):
        key = f"history_file-{st.session_state.get('_history_file', 0)}"
        taken = {"on_change": _import_file, "args": (key, dataset, task)}
        control(st.file_uploader, key, ["safetensors", "ltw"], like="history_file", **taken)


def _import_file(key: str, dataset: str, task: Any) -> None:
    """A file was given. A callback, since the sidebar may have to change."""
    file = st.session_state.get(key)
    if file is None:
        return
    st.session_state["_history_file"] = st.session_state.get("_history_file", 0) + 1  # an empty uploader afterwards
    try:
        with _told():
            run = actions.import_file(file.getvalue(), dataset, task)
            _show(run.token, run.problem.corpus, run.problem.class_name)
    except ValueError as error:
        st.session_state["_history_error"] = capital(str(error))

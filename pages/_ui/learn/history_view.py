"""This browser's trainings: looked through, laid over each other, named, pinned, deleted, taken away and brought in."""

import time
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.corpora import catalogue
from ltw_core.figures import TrainingCurve, html, palette
from ltw_core.service.training_record import TrainingRecord
from ltw_core.weighting import display
from pages._ui import choices, words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import csv, offer
from pages._ui.guard import capital, plain, sentences
from pages._ui.learn import training_controls
from pages._ui.learn.differing import differing
from pages._ui.plots.cached_figures import figure_of, overlay
from pages._ui.plots.plot import plot
from pages._ui.reader import selection, uploads
from pages._ui.training import actions, histories, lookup, run_words

MOST = 8  # curves that can be told apart
UNDONE, TOGETHER = 3600, 2  # seconds: how long a deletion is offered back; what was deleted at one click
HERE, EVERYWHERE = "This class", "Everything"
SHORT = (
    "The server’s file of past trainings cannot be used (its log says why): what is trained now is kept only until the "
    "server ends. Save what you want to keep with **Weights**."
)
STATES = {"queued": "waiting", "running": "running", "failed": "failed", "died": "died with its server"}


def history(dataset: str, task: Any) -> None:
    """The panel under a training."""
    st.subheader("Your trainings", anchor=False)
    error = st.session_state.pop("_history_error", "")
    if error:
        st.error(error, icon=":material/error:")
    if not histories.lasts():
        st.warning(SHORT, icon=":material/warning:")
    own = dataset.startswith(uploads.PREFIX)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        scope = choose_one("history_scope", [HERE, EVERYWHERE], HERE)
        _bring(dataset, task)
    _undo()
    where = (dataset, task.class_name) if scope == HERE else (None, None)
    listed = lookup.own_records(*where)
    if not listed:
        stays = "stays in this list, also when the server is started anew"
        if own:
            stays = (
                "on a table of your own is listed here until this tab is closed or reloaded; save it with **Weights**"
            )
        elif not histories.lasts():
            stays = "is listed here"
        st.caption(f"None yet. What is trained here {stays}.")
        return
    chosen = _table(listed, scope)
    if chosen:
        _actions(chosen)
        with sentences():
            _compare(chosen)
    else:
        st.caption("Select rows to open, compare, name, pin, export or delete them.")


def name_of(past: TrainingRecord) -> str:
    """What a training is called: by its reader, else by method and seed."""
    return past.name or f"{display(past.variant)} · seed {past.seed}"


def _table(listed: list[TrainingRecord], scope: str) -> list[TrainingRecord]:
    frame = pd.DataFrame(
        {
            "pinned": ["📌" if past.pinned else "" for past in listed],
            "name": [name_of(past) for past in listed],
            "class": [f"{past.problem.class_title} in {past.problem.corpus_title}" for past in listed],
            "f1": [past.best_f1 for past in listed],
            "step": [past.best_step for past in listed],
            "steps": [past.steps for past in listed],
            "seconds": [past.seconds for past in listed],
            "ended": [_ended(past) for past in listed],
            "settings": [_settings(past) for past in listed],
            "asked": [words.moment(past.asked) for past in listed],
        }
    )
    if scope == HERE:
        frame = frame.drop(columns="class")
    version = st.session_state.get("_history_version", 0)
    event = st.dataframe(
        frame,
        hide_index=True,
        placeholder="–",
        height=min(38 + 35 * len(frame), 320),
        on_select="rerun",
        selection_mode="multi-row",
        key=f"history-{scope}-{selection.dataset()}-{selection.class_name()}-{version}",
        column_config={
            "pinned": st.column_config.TextColumn("", width=36),
            "name": st.column_config.TextColumn("Training", width="medium"),
            "class": st.column_config.TextColumn("Class", width="medium"),
            "f1": st.column_config.NumberColumn("Best F1", format="%.3f", help="On the validation documents."),
            "step": st.column_config.NumberColumn("at step", format="localized"),
            "steps": st.column_config.NumberColumn("Steps", format="localized"),
            "seconds": st.column_config.NumberColumn("Seconds", format="%.1f"),
            "ended": st.column_config.TextColumn("Ended by"),
            "settings": st.column_config.TextColumn("Settings", help="What is not as in the paper."),
            "asked": st.column_config.DatetimeColumn("Asked for", format="YYYY-MM-DD HH:mm"),
        },
        alt="The trainings of this browser",
    )
    return [listed[row] for row in event.selection.rows if row < len(listed)]


def _ended(past: TrainingRecord) -> str:
    return run_words.ENDS.get(past.stop_code or "", STATES.get(past.status, past.status))


def _settings(past: TrainingRecord) -> str:
    if past.origin == "imported":
        return "from a file"
    return ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in past.changed.items()) or "the paper's"


def _actions(chosen: list[TrainingRecord]) -> None:
    one = chosen[0] if len(chosen) == 1 else None
    pinned = all(past.pinned for past in chosen)
    with st.container(horizontal=True, gap="small"):
        closed = one is None or not (one.has_weighting or one.snapshots)
        opens = {"icon": ":material/open_in_full:", "disabled": closed}
        control(st.button, "history_open", on_click=_open, args=(one,), **opens)
        icon, like = ":material/keep:", "history_unpin" if pinned else "history_pin"
        control(st.button, "history_pin", like=like, icon=icon, on_click=_pin, args=(chosen, not pinned))
        with st.popover(
            "Rename", icon=":material/edit:", disabled=one is None, help="Give it a name of your own. One at a time."
        ):
            if one is not None:
                key, content = f"history_name-{one.token}", {"placeholder": name_of(one), "max_chars": 120}
                called = {"on_change": _rename, "args": (one,)}
                control(st.text_input, key, one.name, like="history_name", **content, **called)
        control(st.button, "history_delete", icon=":material/delete:", on_click=_delete, args=(chosen,))
        _exports(chosen, one)


def _exports(chosen: list[TrainingRecord], one: TrainingRecord | None) -> None:
    # what makes a file when it is asked for knows no session: ``_curve`` asks for none, and the run is found now
    about, base = "Step, loss and validation F1 of the selected trainings, one below the other.", words.base()
    offer("Curves (CSV)", "ltw-curves.csv", lambda: curves_csv(chosen), about, "history_csv")
    axes = {name: st.session_state.get(f"history_{name}", 0) for name in ("smoothing", "log_step", "log_loss")}
    page = lambda: html(figure_of(_figure(chosen, base, **axes)), "ltw-curves")  # noqa: E731
    offer("Curves (HTML)", "ltw-curves.html", page, "Their curves as a page of its own.", "history_html")
    if one is not None and one.has_weighting:
        run = lookup.find(one.token)
        name = f"{one.problem.corpus}-{one.problem.class_name}-{one.variant}-seed{one.seed}.safetensors"
        about = "The learned weighting as a file that LearnedWeighting.load reads."
        offer("Weights", name, run.weights_file, about, "history_weights")


def _compare(chosen: list[TrainingRecord]) -> None:
    curves, table = st.columns([3, 2], gap="large")
    with curves:
        place = st.container()
        options = choices.curve_axes("history_")
    with place:
        plot(_figure(chosen[:MOST], words.base(), **options), "history_curves", live=True)
        if len(chosen) > MOST:
            st.caption(f"The first {MOST} of {len(chosen)} are drawn.")
    with table:
        if len(chosen) == 1:
            st.caption("Select another one to see what differs.")
            return
        frame = differences(chosen)
        st.markdown("**What differs**" if len(frame) else "**Nothing differs** in corpus, class, settings and seed.")
        st.dataframe(frame, alt="What differs between the selected trainings")
        make = lambda: csv(frame, index=True)  # noqa: E731
        offer("Differences (CSV)", "ltw-differences.csv", make, "This table.", "history_differences")


def differences(chosen: list[TrainingRecord]) -> pd.DataFrame:
    """What differs between trainings, a column each, and what came of it below."""
    records = [
        {
            "corpus": past.problem.corpus_title,
            "class": past.problem.class_title,
            "terms kept": past.problem.ratio,
            "documents": past.problem.n_documents,
            **{("seed" if k == "random_state" else k): v for k, v in past.parameters.items()},
            "engine": past.engine,
            "device": past.device,
            "versions": ", ".join(f"{k} {v}" for k, v in past.versions.items()),
            "best F1": None if past.best_f1 is None else round(past.best_f1, 4),
            "at step": past.best_step,
            "steps": past.steps,
            "ended by": run_words.ENDS.get(past.stop_code or "", past.status),
        }
        for past in chosen
    ]
    frame = differing(records, labels(chosen)).T
    frame.index = [str(name).replace("_", " ") for name in frame.index]
    return frame.map(lambda value: "–" if value is None else str(value))


def labels(chosen: list[TrainingRecord]) -> list[str]:
    """Names that tell trainings apart."""
    names = [name_of(past) for past in chosen]
    seen: dict[str, int] = {}
    told = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        told.append(name if names.count(name) == 1 else f"{name} ({seen[name]})")
    return told


def _curve(past: TrainingRecord) -> list[tuple[int, float, float]]:
    return histories.store_of(past.problem.corpus).curve(past.token)


def _figure(chosen: list[TrainingRecord], base: str, **options: Any) -> Any:
    colours = palette.series(base)
    courses = []
    for k, (past, label) in enumerate(zip(chosen, labels(chosen), strict=True)):
        courses.append(TrainingCurve(label, _curve(past), past.variant, colours[k % len(colours)]))
    return overlay(courses, base=base, height=360, uirevision="history", **options)


def curves_csv(chosen: list[TrainingRecord]) -> str:
    """Curves of several trainings, one below the other."""
    frames = []
    for past, label in zip(chosen, labels(chosen), strict=True):
        rows = np.array(_curve(past), dtype=float).reshape(-1, 3)
        frame = pd.DataFrame(rows, columns=["step", "training_loss", "validation_f1"]).astype({"step": int})
        frame.insert(0, "training", label)
        frame.insert(1, "class", past.problem.class_name)
        frames.append(frame)
    return csv(pd.concat(frames))


# what is done to them; callbacks ------------------------------------------------------------------------------------
def _open(past: TrainingRecord) -> None:
    try:
        _show(past.token, past.problem.corpus, past.problem.class_name)
    except ValueError as error:
        st.session_state["_history_error"] = capital(str(error))


def _show(token: str, corpus: str, class_name: str) -> None:
    """Show a training above, with its corpus and class in the sidebar."""
    if corpus not in {entry.name for entry in catalogue()} | set(uploads.visible()):
        raise ValueError(f"it was learned on “{corpus}”, which is not here; bring that corpus on the corpus page first")
    st.query_params["run"] = token
    training_controls.begun()
    if corpus != selection.dataset():
        selection.choose_dataset(corpus)
    st.session_state.setdefault("class_of", {})[corpus] = class_name
    st.session_state[f"class-{corpus}"] = class_name


def _pin(chosen: list[TrainingRecord], pinned: bool) -> None:
    for past in chosen:
        actions.pin(past, pinned)
    _fresh()


def _rename(past: TrainingRecord) -> None:
    actions.rename(past, st.session_state[f"history_name-{past.token}"])


def _delete(chosen: list[TrainingRecord]) -> None:
    for past in chosen:
        actions.delete(past)
    if st.query_params.get("run") in [past.token for past in chosen]:
        del st.query_params["run"]
    _fresh()


def _undo() -> None:
    gone = lookup.own_records(deleted=True)
    last = max((past.deleted for past in gone), default=0.0)
    if time.time() - last > UNDONE:
        return
    gone = [past for past in gone if last - past.deleted < TOGETHER]
    with st.container(horizontal=True, vertical_alignment="center"):
        names = ", ".join(plain(name_of(past)) for past in gone[:3]) + (" …" if len(gone) > 3 else "")
        st.caption(f"Deleted: {names}.", width="content")
        control(st.button, "history_undo", icon=":material/undo:", on_click=_restore, args=(gone,))


def _restore(gone: list[TrainingRecord]) -> None:
    for past in gone:
        actions.restore(past)
    _fresh()


def _fresh() -> None:
    """Rows have moved: what was selected is so no longer."""
    st.session_state["_history_version"] = st.session_state.get("_history_version", 0) + 1


def _bring(dataset: str, task: Any) -> None:
    with st.popover(
        "Load a weighting", icon=":material/upload_file:", help="Look at a weighting that was saved as a file."
    ):
        key = f"history_file-{st.session_state.get('_history_file', 0)}"
        taken = {"on_change": _take, "args": (key, dataset, task)}
        control(st.file_uploader, key, ["safetensors", "ltw"], like="history_file", **taken)


def _take(key: str, dataset: str, task: Any) -> None:
    """A file was given. A callback, since the sidebar may have to change."""
    file = st.session_state.get(key)
    if file is None:
        return
    st.session_state["_history_file"] = st.session_state.get("_history_file", 0) + 1  # an empty uploader afterwards
    try:
        run = actions.import_file(file.getvalue(), dataset, task)
        _show(run.token, run.problem.corpus, run.problem.class_name)
    except ValueError as error:
        st.session_state["_history_error"] = capital(str(error))

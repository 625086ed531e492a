"""Edit your own: a typed formula or 5 × 5 heights, composed with a dd and a normalisation, named, tested, exported."""

import json
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.weighting import CD, DD, Composed, ExpressionError, TermWeighting, formula
from ltw_core.weighting.formulas.evaluation import CONSTANTS, FUNCTIONS, VARIABLES
from ltw_core.weighting.formulas.spline import KNOTS
from pages._ui import words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import offer
from pages._ui.explore import quick_f1
from pages._ui.guard import capital, plain
from pages._ui.reader import own_weightings, selection, uploads
from pages._ui.streamlit_fixes.rerun import run_again

VIEW = "Your own"
DRAFT = "Yours"
EXAMPLE = "log2(2 + tp / max(1, fp)) * abs(tpr - fpr)"
KINDS = {"known": "A known function", "formula": "A formula", "heights": "5 × 5 heights"}
NORMS = {"l2": "L2", "l1": "L1", "max": "Largest = 1", "none": "None"}


def draft() -> Any | None:
    """The cd that is being edited, as a function to draw; None while it cannot be read or is a known one."""
    state = st.session_state
    kind = state.get("own_kind", "formula")
    parts = {"power": state.get("own_power", 1.0), "logarithm": state.get("own_log", False)}
    try:
        if kind == "formula":
            return Composed(DRAFT, cd=state.get("own_formula", EXAMPLE), **parts).function
        if kind == "heights":
            rows = tuple(map(tuple, _heights().tolist()))
            return Composed(DRAFT, heights=rows, scale=state.get("own_scale", "log"), **parts).function
    except ValueError:
        return None
    return None


def editor(task: Any) -> None:
    """The editor, its F1, and what has been named before."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        composed = _compose(task)
    with right:
        if composed is not None:
            _test(composed, task)
    _named(task)


def _compose(task: Any) -> Composed | None:
    kind = choose_one("own_kind", KINDS, "formula")
    parts: dict[str, Any] = {}
    readable = True
    if kind == "known":
        parts["cd"] = _listed(st, "own_known", CD, "RF")
    elif kind == "formula":
        if "own_formula" not in st.session_state:
            st.session_state["own_formula"] = EXAMPLE
        text = control(st.text_input, "own_formula", max_chars=400)
        try:
            formula(text)
        except ExpressionError as error:
            st.error(capital(str(error)), icon=":material/error:")
            st.code(error.pointer, language=None)
            readable = False
        _legend()
        parts["cd"] = text
    else:
        parts["heights"], parts["scale"] = _grid(task)
    first, second, third, fourth = st.columns([1.1, 1, 1, 1], vertical_alignment="bottom")
    parts["dd"] = _listed(first, "own_dd", DD, "1+log")
    norm = control(second.selectbox, "own_norm", NORMS)
    parts["norm"] = None if norm == "none" else norm
    parts["power"] = control(third.number_input, "own_power", 0.1, 10.0, 1.0, 0.1)
    parts["logarithm"] = control(fourth.toggle, "own_log")
    name, button = st.columns([3, 1], vertical_alignment="bottom")
    typed = control(name.text_input, "own_name", max_chars=40, placeholder="my weighting")
    if not readable:
        return None
    try:
        composed = Composed(typed.strip() or "my weighting", **parts)
    except ValueError as error:
        st.error(capital(str(error)), icon=":material/error:")
        return None
    # no callback: its arguments would be those of the last run, before the latest edit
    if control(button.button, "own_keep", type="primary", icon=":material/bookmark_add:", width="stretch"):
        own_weightings.keep(composed)
        run_again()
    return composed


def _listed(where: Any, key: str, table: dict[str, Any], default: str) -> str:
    """A function of a table, by its symbol."""
    return control(where.selectbox, key, _symbols(table), index=list(table).index(default))


def _symbols(table: dict[str, Any]) -> dict[str, str]:
    return {name: function.symbol for name, function in table.items()}


def _legend() -> None:
    with st.popover("What may stand in a formula", icon=":material/help:"):
        st.markdown("\n".join(f"- `{name}`: {what}" for name, what in VARIABLES.items()))
        st.markdown(
            f"`+ - * / **` and parentheses; {', '.join(f'`{name}`' for name in FUNCTIONS)}; the constants "
            f"{', '.join(f'`{name}`' for name in CONSTANTS)}. A division by 0 is 0, log is natural."
        )


def _heights() -> np.ndarray:
    return np.array(st.session_state.get("_own_heights", np.subtract.outer(range(5), range(5)).clip(0) / 4.0))


def _grid(task: Any) -> tuple[tuple, str]:
    state = st.session_state
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    scale = choose_one("own_scale", {name: name.capitalize() for name in KNOTS}, "log", left)
    knots = np.array(KNOTS[scale])
    p, n = (task.prevalence, task.n_documents) if task is not None else (0.05, 10_000)

    def fill() -> None:
        name = state.get("own_fill")
        if name:
            values = CD[name].at_rates(knots[:, None], knots, p, n)
            state["_own_heights"] = (values / (np.abs(values).max() or 1.0)).round(3).tolist()
            state["_own_edits"] = state.get("_own_edits", 0) + 1

    known = {name: symbol for name, symbol in _symbols(CD).items() if name != "1"}
    control(right.selectbox, "own_fill", known, index=None, placeholder="a known function", on_change=fill)
    labels = [f"{100 * rate:g} %" for rate in knots]
    before = _heights()
    frame = pd.DataFrame(before[::-1], index=[f"tpr {x}" for x in labels[::-1]], columns=[f"fpr {x}" for x in labels])
    edited = st.data_editor(
        frame,
        key=f"own_grid_{state.get('_own_edits', 0)}_{scale}",
        column_config={c: st.column_config.NumberColumn(format="%.2f", required=True) for c in frame.columns},
        alt="Heights of the surface at five tpr and five fpr",
    )
    heights = np.nan_to_num(edited.to_numpy(dtype=float)[::-1])
    if not np.array_equal(heights, before):
        state["_own_heights"] = heights.tolist()
        state["_own_edits"] = state.get("_own_edits", 0) + 1
        run_again()
    return tuple(map(tuple, heights.tolist())), scale


def _test(composed: Composed, task: Any) -> None:
    st.markdown(f"**{plain(composed.describe())}**")
    if task is None:
        st.info("Open a dataset to see its F1.", icon=":material/hourglass_empty:")
    else:
        others = {"RF": TermWeighting(cd="RF"), "χ²": TermWeighting(cd="CHI2"), "constant": TermWeighting(cd="1")}
        quick_f1.show(task, {composed.name: composed.make(), **others}, "own_f1", {"constant": "LogTF"})
        st.caption("RF, χ² and the constant cd have dd 1 + ln f and L2.")
    with st.expander("The same in Python", icon=":material/code:"):
        text = _python(composed)  # now: what makes a file when it is asked for knows no session
        st.code(text, language="python")
        offer("Python", f"{_file(composed.name)}.py", lambda: text, "Ten lines that reproduce it outside of this app.")


def _python(composed: Composed) -> str:
    dataset, of = selection.dataset(), selection.class_name() or "scipy.stats"
    if dataset in uploads.visible():
        title = uploads.visible()[dataset].corpus.title
        dataset = title if "." in title else f"{title}.csv"
    return composed.python(dataset, of)


def _named(task: Any) -> None:
    kept = own_weightings.everything()
    if kept:
        st.markdown("**Named in this session**")
    for composed in reversed(list(kept.values())):
        name, what, act = st.columns([1.2, 3.6, 1], vertical_alignment="center")
        name.markdown(f"**{plain(composed.name)}**")
        what.markdown(plain(composed.describe()))
        key, forget = f"forget-{own_weightings.identifier(composed)}", own_weightings.forget
        control(act.button, key, like="own_forget", icon=":material/delete:", on_click=forget, args=(composed.name,))
    with st.container(horizontal=True, vertical_alignment="center"):
        if kept:
            make = lambda: json.dumps([c.as_dict() for c in kept.values()], indent=1, ensure_ascii=False)  # noqa: E731
            offer("All of them (JSON)", "weightings.json", make, "A file that can be opened here again.")
    with st.expander("Open a file of weightings", icon=":material/upload_file:"):
        file = control(st.file_uploader, "own_file_json", type=["json"])
        if file is not None and control(st.button, "own_take", icon=":material/input:"):
            _take(file.getvalue())


def _take(data: bytes) -> None:
    try:
        records = json.loads(data[:200_000])
        if not isinstance(records, list):
            raise ValueError("the file holds no list of weightings")
        for record in records[: own_weightings.LIMIT]:
            own_weightings.keep(Composed.from_dict(record))
    except (ValueError, RecursionError) as error:
        st.error(capital(f"This is no file of weightings: {error}"), icon=":material/error:")
        return
    st.toast(f"Took {words.count(len(records), 'weighting')}.", icon=":material/check:")
    run_again()


def _file(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name).strip("-") or "weighting"

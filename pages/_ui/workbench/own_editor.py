"""Edit your own: a typed formula or a sculpted surface, composed with a dd and a norm, named, tested, exported."""

import json
from typing import Any

import streamlit as st

from ltw_core.weighting import CD, DD, Composed, ExpressionError, TermWeighting, formula
from ltw_core.weighting.composed import weightings_in
from ltw_core.weighting.formulas.evaluation import CONSTANTS, FUNCTIONS, VARIABLES
from pages._ui import words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import offer
from pages._ui.guard import capital, plain
from pages._ui.reader import own_weightings, selection, uploads
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.weightings import quick_f1
from pages._ui.weightings.estimators import digest
from pages._ui.workbench import sculpting

VIEW = "Your own"
DRAFT = "Yours"
EXAMPLE = "log2(2 + tp / max(1, fp)) * abs(tpr - fpr)"
FORMULA, SCULPT, KNOWN = "formula", "sculpt", "known"
KINDS = {FORMULA: "Formula", SCULPT: "Sculpt", KNOWN: "Known formula"}
NORMS = {"l2": "L2", "l1": "L1", "max": "Largest = 1", "none": "None"}


def switch(where: Any) -> str:
    """Whether something of one's own is edited, and how: what is chosen of ``KINDS``, "" where nothing is."""
    if not control(where.toggle, "own_open"):
        return ""
    return choose_one("own_kind", KINDS, FORMULA, where)


def field() -> None:
    """Where a formula is typed, and what is wrong with it."""
    st.session_state.setdefault("own_formula", EXAMPLE)
    text = control(st.text_input, "own_formula", max_chars=400)
    if (wrong := _wrong(text)) is not None:
        st.error(capital(str(wrong)), icon=":material/error:")
        st.code(wrong.pointer, language=None)
    _legend()


def _wrong(text: str) -> ExpressionError | None:
    """Why a formula cannot be read; None where it can."""
    try:
        formula(text)
    except ExpressionError as error:
        return error
    return None


def sculpts() -> bool:
    """Whether a surface is sculpted, as the switch is going to say; from session and address alone."""
    state, asked = st.session_state, st.query_params
    is_open = state.get("own_open", asked.get("own_open") == "true")
    return bool(is_open) and state.get("own_kind", asked.get("own_kind")) in (SCULPT, KINDS[SCULPT])


def drafted(kind: str) -> Composed:
    """What is being edited, as far as the session knows it.

    Raises
    ------
    ValueError
        The formula cannot be read.
    """
    state = st.session_state
    norm = state.get("own_norm", "l2")
    parts = {"power": state.get("own_power", 1.0), "logarithm": state.get("own_log", False)}
    parts |= {"dd": state.get("own_dd", "1+log"), "norm": None if norm == "none" else norm}
    cd = {"cd": state.get("own_formula", EXAMPLE)} if kind == FORMULA else sculpting.parts()
    return Composed(DRAFT, **cd, **parts)


def draft(kind: str) -> Any | None:
    """The cd that is being edited, as a function to draw; None while it cannot be read or is a known one."""
    try:
        return None if kind == KNOWN else drafted(kind).function
    except ValueError:
        return None


def editor(task: Any, kind: str) -> None:
    """The editor, its F1, and what has been named before."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        composed = _compose(kind)
    with right:
        if composed is not None:
            _test(composed, task, kind)
    _named(task)


def _compose(kind: str) -> Composed | None:
    parts: dict[str, Any] = {}
    readable = True
    if kind == KNOWN:
        parts["cd"] = _listed(st, "own_known", CD, "RF")
    elif kind == FORMULA:
        parts["cd"] = st.session_state["own_formula"]
        readable = _wrong(parts["cd"]) is None
    else:
        parts |= sculpting.parts()
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
            f"{', '.join(f'`{name}`' for name in CONSTANTS)}. Division by 0 gives 0; log is the natural logarithm."
        )


def _test(composed: Composed, task: Any, kind: str) -> None:
    st.markdown(f"**{plain(composed.describe())}**")
    if task is None:
        st.info("Open a dataset to see its F1.", icon=":material/hourglass_empty:")
    else:
        others = {"RF": TermWeighting(cd="RF"), "χ²": TermWeighting(cd="CHI2"), "constant": TermWeighting(cd="1")}
        compared = {composed.name: composed.make(), **others}
        if kind != SCULPT:  # else it stands beside the board
            quick_f1.show(task, compared, "own_f1", {"constant": "LogTF"})
            st.caption("RF, χ² and the constant cd have dd 1 + ln f and L2.")
        revealed(composed, task, compared)
    with st.expander("The same in Python"):
        text = _python(composed, task)  # now: what makes a file when it is asked for knows no session
        st.code(text, language="python", wrap_lines=True)
        with st.container(horizontal=True):
            about = "Ten lines that reproduce it outside of this app."
            offer("Python", f"{_file(composed.name)}.py", lambda: text, about)
            if composed.heights is not None:
                data = json.dumps([composed.as_dict()], ensure_ascii=False)
                about = "The surface as data, which those lines read, and which can be opened here again."
                offer("Its data (JSON)", f"{_file(composed.name)}.json", lambda: data, about)


def revealed(composed: Composed, task: Any, compared: dict[str, Any], like: dict[str, str] | None = None) -> None:
    """F1 on the test documents, for who asks for it; how often that was is said."""
    looks = st.session_state.setdefault("_test_looks", {}).setdefault(task.fingerprint, [])
    content = digest({**composed.as_dict(), "name": ""})
    if content not in looks:
        control(st.button, "own_reveal", icon=":material/visibility:", on_click=looks.append, args=(content,))
    else:
        quick_f1.show(task, compared, "own_test_f1", {"constant": "LogTF"} | (like or {}), quick_f1.TEST)
    if looks:
        often = {1: "once", 2: "twice"}.get(len(looks), f"{len(looks)} times")
        st.caption(
            f":material/visibility: In this session the test documents of {plain(task.class_title)} were looked at "
            f"**{often}** for formulas of your own. A formula chosen this way is fitted to these documents, and its "
            "F1 on them is too high."
        )


def _python(composed: Composed, task: Any) -> str:
    dataset, of = selection.dataset(), selection.class_name() or "scipy.stats"
    if dataset in uploads.visible():
        title = uploads.visible()[dataset].corpus.title
        dataset = title if "." in title else f"{title}.csv"
    usual = task is None or task.ratio == task.vectorized.default_ratio
    return composed.python(dataset, of, None if usual else task.ratio, f"{_file(composed.name)}.json")


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
    with st.expander("Open a file of weightings"):
        file = control(st.file_uploader, "own_file_json", type=["json"])
        if file is not None:
            # a callback: what is computed above may end and have the page run again before this button is reached
            control(st.button, "own_take", icon=":material/input:", on_click=_take, args=(file,))
        if problem := st.session_state.pop("_own_take_error", None):
            st.error(problem, icon=":material/error:")


def _take(file: Any) -> None:
    try:
        found = weightings_in(file.getvalue())
    except ValueError as error:
        st.session_state["_own_take_error"] = capital(f"This is not a file of weightings: {error}")
        return
    kept = found[: own_weightings.LIMIT]
    for composed in kept:
        own_weightings.keep(composed)
    left = f" Only the first {own_weightings.LIMIT} of {len(found)} were kept." if len(kept) < len(found) else ""
    st.toast(f"Added {words.count(len(kept), 'weighting')}.{left}", icon=":material/check:")


def _file(name: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in name).strip("-") or "weighting"

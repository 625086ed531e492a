"""A choice that the script has changed stays changed, whatever the browser sends before it has heard of it.

With every click and every tick of a fragment the browser tells all its widgets' values. One that the script has set
meanwhile ("what is on the stage", after **Train**; the selected terms, after a click in a figure) arrives once more as
it was before, and Streamlit takes that for a choice of the reader's: its callback runs, and the new value is lost.
Here such a value is left out, and the browser told again, as long as it has said nothing else since and something else
was done: a button pressed, another widget changed, a fragment run, or the script asked for the run itself
(``run_again``), with which Streamlit merges a tick that waits. Where nothing else was, the reader has chosen. Seen in
1.67.0. To be deleted when a message says up to which run of the script the browser has seen the page.
"""

import functools
import logging
from dataclasses import dataclass, field

import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState

log = logging.getLogger(__name__)

OWN_RUN = "_own_run"
PARTS = ("on_script_will_rerun", "set_widgets_from_proto", "_get_widget_id", "_new_session_state", "_old_state")


@dataclass
class _Heard:
    """What the browser told last, by widget; and which values the script has set since, by widget, with their keys."""

    told: dict[str, bytes] = field(default_factory=dict)
    ours: dict[str, str] = field(default_factory=dict)


def _heard(state: SessionState) -> _Heard:
    return state._old_state.setdefault("_heard", _Heard())


def own_run() -> None:
    """Say that the script asks for the next run itself: what comes with that is no choice."""
    st.session_state[OWN_RUN] = True


def _is_trigger(kind: str | None) -> bool:
    return kind is not None and "trigger" in kind


def _former(state: SessionState, fresh: WidgetStates) -> set[str]:
    """The widgets of which a message tells what the script has changed since."""
    heard = _heard(state)
    ours, before = heard.ours, heard.told
    kinds = {each.id: each.WhichOneof("value") for each in fresh.widgets}
    heard.told = told = {each.id: each.SerializeToString(deterministic=True) for each in fresh.widgets}
    for name in [name for name in ours if told.get(name) != before.get(name)]:
        del ours[name]  # it says something else now: what was set, or a choice
    context = get_script_run_ctx()
    elsewhere = (
        OWN_RUN in state
        or bool(context is not None and context.fragment_ids_this_run)
        or any(
            bool(getattr(each, kinds[each.id])) if _is_trigger(kinds[each.id]) else told[each.id] != before.get(each.id)
            for each in fresh.widgets
            if each.id not in ours
        )
    )
    return set(ours) & set(told) if elsewhere else set()


def _wrap() -> None:
    rerun, take = SessionState.on_script_will_rerun, SessionState.set_widgets_from_proto

    @functools.wraps(rerun)
    def noted(state: SessionState, fresh: WidgetStates | None, **more) -> None:
        heard = _heard(state)
        for key in state._new_session_state:
            if (name := state._get_widget_id(key)) in heard.told:
                heard.ours[name] = key
        rerun(state, fresh, **more)
        if OWN_RUN in state:
            del state[OWN_RUN]

    @functools.wraps(take)
    def taken(state: SessionState, fresh: WidgetStates) -> None:
        former = {name: _heard(state).ours[name] for name in _former(state, fresh)}
        for key in former.values():
            if key in state:
                state._new_session_state[key] = state[key]  # as if it were set anew, so that the browser is told
        if former:
            fresh = WidgetStates(widgets=[each for each in fresh.widgets if each.id not in former])
        take(state, fresh)

    SessionState.on_script_will_rerun, SessionState.set_widgets_from_proto = noted, taken


if all(hasattr(SessionState(), name) for name in PARTS):
    _wrap()
else:
    log.warning("this version of Streamlit is not known; a click may now and then undo what another one changed")

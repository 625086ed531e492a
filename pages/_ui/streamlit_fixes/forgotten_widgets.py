"""What a session knows of widgets that are long gone is forgotten.

Streamlit removes the value of a widget that a run no longer shows, but never what it knows of the widget: how its value
is read, and its callback with all that this holds on to. A key that depends on what is shown (the scrubber's, on the
training run) leaves some kilobytes at each change, for as long as the session lasts: with 150 widgets a minute .4 MB.
Here those that have been gone longest are forgotten; some stay, as a click may come from before they went.
Seen in 1.67.0. To be deleted when ``WStates.remove_stale_widgets`` removes from ``widget_metadata`` as well.
"""

import functools
import logging

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state import SessionState, session_state

log = logging.getLogger(__name__)

KEPT = 100  # gone widgets that a session still knows


def _wrap() -> None:
    remove = SessionState._remove_stale_widgets

    @functools.wraps(remove)
    def removed(state: SessionState, active: frozenset[str]) -> None:
        remove(state, active)
        context, known = get_script_run_ctx(), state._new_widget_state.widget_metadata
        if context is None:
            return
        for name in active & known.keys():
            known[name] = known.pop(name)  # at the end: what is gone lies in the order in which it went
        if len(known) <= len(active) + KEPT:
            return
        parts = context.fragment_ids_this_run
        gone = [name for name, each in known.items() if session_state._is_stale_widget(each, active, parts)]
        for name in gone[:-KEPT]:
            del known[name]

    SessionState._remove_stale_widgets = removed


if hasattr(SessionState, "_remove_stale_widgets") and hasattr(session_state, "_is_stale_widget"):
    _wrap()
else:
    log.warning("this version of Streamlit is not known; a session’s memory may grow with the widgets it has had")

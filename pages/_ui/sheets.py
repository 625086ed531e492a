"""The app's style sheets, and what hides the old view while another one is made.

Streamlit takes away what a page wrote before the next one is there, and gives sheets their places in the order in
which they come: another sheet may take one's place. So the router sends these before all else, and they stay.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from pages._ui.streamlit_fixes.kept_messages import kept_message

SHEETS = ("style.css", "streamlit_fixes/fixes.css")
STYLE = "".join(f"<style>{Path(__file__).parent.joinpath(sheet).read_text('utf-8')}</style>" for sheet in SHEETS)
# after a moment, in which comes what is there at once; until a part of the next view has come, the page says which one
# that is; the empty element has it stand where it can be taken away
NEXT = "[data-stale='false'] :is(.ltw-plot, [data-testid='stAlert'], [data-testid='stDataFrame'], table, summary, li)"
HIDDEN = (
    "<style>[data-testid='stMain'] [data-stale='true'] { opacity: 0 !important; "
    "transition: opacity .1s .08s !important; } "
    f"[data-testid='stMainBlockContainer']:not(:has({NEXT}))::after {{ content: 'Loading VIEW'; position: absolute; "
    "top: 14rem; left: 1.5rem; right: 1.5rem; height: 24rem; display: grid; place-items: center; font-size: .85rem; "
    "border-radius: .5rem; color: color-mix(in srgb, currentColor 75%, transparent); pointer-events: none; "
    "background: light-dark(#f4f3ef, #1b2026); animation: ltw-waits .2s .12s both; }"
    "</style><i hidden></i>"
)
# of a page as wide as its tables: notes are no wider than one reads with ease
NOTES = "<style>[data-testid='stMain'] [data-testid='stCaptionContainer'] { max-width: 44em; }</style>"
_TURNED = "_view_turned"


def send(style: str, key: str) -> None:
    """Send style sheets, whole where the browser has them not yet: to go through them takes as long as many a part of a
    page. ``style`` is of ``<style>`` elements alone."""
    with kept_message(f"sheets-{key}", style.encode()) as there:
        st.html("<style></style>" if there else style)


def turning(key: str, label: Callable = str) -> dict[str, Any]:
    """What a control takes that chooses among a page's views; ``label`` says what one is called."""
    return {"label_visibility": "collapsed", "on_change": view_turned, "args": (key, label)}


def view_turned(key: str = "", label: Callable = str) -> None:
    """Another view of the page was chosen: what is left of the last one is hidden. A callback."""
    st.session_state[_TURNED] = (key and label(st.session_state.get(key, ""))) or ""


def hide_old_view() -> Any:
    """Hide the last view in this run, if another was chosen; its place, to be emptied at the end, or None."""
    place = st.empty()
    name = st.session_state.pop(_TURNED, None)
    if name is None:
        return None
    place.html(HIDDEN.replace("VIEW", f"{name} …".lstrip()))
    return place

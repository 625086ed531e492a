"""Simple or Full: whether a page shows the controls that matter, or all of them.

Simple comes first. The choice is in the address (``?mode=full``) and kept by the browser, in a cookie, for its next
visit; the address counts more. What a control does not show keeps its default, or what it was set to (``controls``).
"""

import streamlit as st

SIMPLE, FULL = "simple", "full"
TITLES = {SIMPLE: "Simple", FULL: "Full"}
KEY = "mode"
COOKIE = "ltw_mode"
JS = f"""
export default function (component) {{
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `{COOKIE}=${{component.data}}; path=/; max-age=31536000; samesite=strict${{secure}}`;
}}
"""
_keep = st.components.v2.component(COOKIE, js=JS, isolate_styles=False)


def chosen() -> str:
    """The mode of this reader: what was chosen, else what the address says, else what the browser has kept."""
    state = st.session_state
    if KEY in state:
        return state[KEY] or SIMPLE
    if "_mode" not in state:
        asked = state.get("_address", {}).get(KEY, "").lower() or str(st.context.cookies.get(COOKIE, ""))
        state["_mode"] = asked if asked in TITLES else SIMPLE
    return state["_mode"]


def full() -> bool:
    """Whether all controls are shown."""
    return chosen() == FULL


def choose(mode: str) -> None:
    """Choose it from anywhere but its own control. In callbacks, or before the sidebar is drawn."""
    st.session_state[KEY] = mode


def remember() -> None:
    """Have the browser keep it, from when it is another one than it came with. Once a run of the script."""
    state = st.session_state
    now = state["_mode"] = chosen()
    if state.get("_mode_told") or now != (st.context.cookies.get(COOKIE) or SIMPLE):
        state["_mode_told"] = True
        _keep(key="mode_kept", data=now)

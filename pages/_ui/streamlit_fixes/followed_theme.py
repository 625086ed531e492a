"""A change of theme reaches the server, so that what it draws for light or dark is drawn anew.

``st.context.theme`` tells which theme the page had when it last asked for a run, and it asks for none when the reader
or their system changes it. Here the browser asks for a run where the page is not seen in the theme it was drawn for.
And of a dark page the app alone says that it is dark: what opens over it, lists and popovers, has the ``light-dark()``
colours of a light one. Here the whole document says so. Seen in 1.67.0. To be deleted when a change of theme runs the
script, and popovers of a dark page have the color-scheme dark.
"""

from pathlib import Path

import streamlit as st

KEY = "followed_theme"
_follow = st.components.v2.component(
    "ltw_followed_theme", js=Path(__file__).with_suffix(".js").read_text("utf-8"), isolate_styles=False
)


def follow(base: str) -> None:
    """Have the browser tell when the page is not seen in ``base``, "light" or "dark". Once a run of the script."""
    _follow(key=KEY, data=base, on_seen_change=_told)


def _told() -> None:
    seen = st.session_state.get(KEY, {}).get("seen")
    if seen in ("light", "dark"):
        st.session_state["_theme"] = seen

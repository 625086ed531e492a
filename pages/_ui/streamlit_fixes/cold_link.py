"""A link to a page that is the very first request to a fresh server.

Before any session has run the router, Streamlit looks the page up in the files directly under ``pages/``, finds none,
says "Page not found", and then shows the page all the same. The message is closed.
Seen in 1.67.0. To be deleted when a cold link to a page of the router opens without that message.
"""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager

JS = """
export default function () {
  let left = 40;
  const timer = setInterval(() => {
    const dialog = document.querySelector('[role="dialog"]');
    if (dialog && dialog.textContent.startsWith("Page not found")) dialog.querySelector("button")?.click();
    if (--left === 0) clearInterval(timer);
  }, 50);
}
"""
_close = st.components.v2.component("ltw_cold_link", js=JS, isolate_styles=False)


def is_cold() -> bool:
    """Whether no session has run the router yet. Ask before ``st.navigation``."""
    return bool(PagesManager.uses_pages_directory)


def close_message() -> None:
    """Close the message that should not be there."""
    if is_cold():
        st.session_state["_cold"] = True
    if st.session_state.get("_cold"):
        _close(key="cold_link")

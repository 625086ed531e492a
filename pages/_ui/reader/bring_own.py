"""Asking to bring a table of one's own, from any page: the Data page answers, a choice of a file first."""

import streamlit as st

ENTRY = "bring_own"  # of the list of datasets, among their identifiers
TITLE = "Bring your own data…"
PAGE = "pages/data/data.py"


def ask() -> None:
    """The reader wants to. A callback."""
    st.session_state["_bring_own"] = "asked"


def is_open() -> bool:
    """Whether the choice of a file stands first."""
    return "_bring_own" in st.session_state


def close() -> None:
    """The file was read, or the reader has looked at another dataset."""
    st.session_state.pop("_bring_own", None)


def go() -> None:
    """To the page that answers, in the run after it was asked for."""
    if st.session_state.get("_bring_own") == "asked":
        st.session_state["_bring_own"] = "open"
        st.switch_page(PAGE)

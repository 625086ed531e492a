"""The lesson that the reader left for another page, and the way back to its step."""

import streamlit as st

from pages._ui.guard import plain

PAGE = "pages/learn_by_doing/learn_by_doing.py"
CLASS_PAGE = "pages/learn_by_doing/classroom.py"
LESSONS = "_lessons"  # the reader's progress in those that were begun, by name
_KEY = "_lesson_under_way"
_LEFT_FOR = "_lesson_left_for"  # the page that was opened from it


def note(title: str, page: str, asked: dict[str, str]) -> None:
    """This is being read: a lesson's title, its page, and what its address asks for."""
    st.session_state[_KEY] = title, page, asked
    st.session_state.pop(_LEFT_FOR, None)


def ended() -> None:
    """No lesson is being read."""
    st.session_state.pop(_KEY, None)


def latest() -> tuple[str, str, dict[str, str]] | None:
    """Title, page and address of the lesson last read."""
    return st.session_state.get(_KEY)


def jump(name: str, step: int) -> None:
    """Open a step of a lesson, also where it was left at another; one not begun yet opens as its address says."""
    if (begun := st.session_state.get(LESSONS, {}).get(name)) is not None:
        begun.go(step)


def way_back(here: str) -> None:
    """One click back to the lesson's step, on the page that was opened from it; ``here``: the title of this one."""
    found = latest()
    if found is not None and st.session_state.setdefault(_LEFT_FOR, here) == here:
        title, page, asked = found
        st.page_link(page, label=f"Back to “{plain(title)}”", icon=":material/arrow_back:", query_params=asked)

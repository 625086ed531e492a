"""All words of the glossary, by group, for those who cannot point at one: found as one types, each with a way to where
it is at work."""

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import streamlit as st

from pages._ui import sheets
from pages._ui.glossary import ENTRIES, listing
from pages._ui.reader import selection, under_way
from pages._ui.streamlit_fixes import folding_sidebar

PAGES = {  # by address: the title, and the file
    "lessons": ("Lessons", under_way.PAGE),
    "classifiers": ("Classifiers", "pages/evaluate/classifiers.py"),
    "study": ("Studies", "pages/evaluate/study.py"),
    "workbench": ("Workbench", "pages/workbench/workbench.py"),
}
PLACES = [entry.seen[1] for entry in ENTRIES if entry.seen]  # a browser may ask for anything
_list = st.components.v2.component(
    "ltw_glossary",
    html=listing(),
    js=Path(__file__).with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)


def show() -> None:
    """The list; what is clicked opens where it is seen."""
    asked = _list(key="glossary", on_asked_change=_choose).asked
    if asked in PLACES:
        path, wanted = _parts(asked)
        if not _of_controls_here(path):
            st.switch_page(PAGES[path][1], query_params=wanted)


def _choose() -> None:
    """Choose on the page at hand what was clicked: the address belongs to its controls. A callback."""
    folding_sidebar.choice_made()
    asked = st.session_state.get("glossary", {}).get("asked")
    if asked not in PLACES:
        return
    path, wanted = _parts(asked)
    if "lesson" in wanted:
        under_way.jump(wanted["lesson"], int(wanted["step"]))
    elif _of_controls_here(path):
        for key, value in wanted.items():
            if key not in st.session_state:  # a control that is not there yet writes no address as it comes
                st.query_params[key] = value
            st.session_state[key] = value
        sheets.view_turned()


def _of_controls_here(path: str) -> bool:
    """Whether it is the page at hand, whose controls keep their values in the address; those of lessons do not."""
    return path != "lessons" and PAGES[path][0] == selection.page()


def _parts(asked: str) -> tuple[str, dict[str, str]]:
    parts = urlsplit(asked)
    return parts.path, dict(parse_qsl(parts.query))

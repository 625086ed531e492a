"""All words of the glossary, by group, for those who cannot point at one: found as one types, each with a way to where
it is at work."""

from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import streamlit as st

from pages._ui.glossary import listing
from pages._ui.reader import under_way
from pages._ui.streamlit_fixes import folding_sidebar

PAGES = {
    "lessons": under_way.PAGE,
    "classifiers": "pages/evaluate/classifiers.py",
    "study": "pages/evaluate/study.py",
    "workbench": "pages/workbench/workbench.py",
}
LESSONS = "_lessons"  # ``learn_by_doing.progress`` keeps them there
_list = st.components.v2.component(
    "ltw_glossary",
    html=listing(),
    js=Path(__file__).with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)


def show() -> None:
    """The list; what is clicked opens where it is seen."""
    asked = _list(key="glossary", on_asked_change=folding_sidebar.choice_made).asked
    if asked:
        parts = urlsplit(asked)
        wanted = dict(parse_qsl(parts.query))
        if (begun := st.session_state.get(LESSONS, {}).get(wanted.get("lesson"))) is not None:
            begun.step = int(wanted["step"])  # not where it was left
        st.switch_page(PAGES[parts.path], query_params=wanted)

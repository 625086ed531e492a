"""The sidebar folds away where it takes a third of the page, and there after a choice in it.

Streamlit begins with an open sidebar from 769 px on, closes it after a choice on what calls itself a phone alone, and
keeps whether it is open for the next visit, so that a menu that was left open on a phone hides the next page. Here it
begins folded on pages up to 1000 px wide, and folds after a link of it was followed there or a choice made that
nothing in it follows; what Streamlit keeps of wide pages stays as it was. Seen in 1.67.0. To be deleted when
``st.set_page_config`` takes the width up to which the sidebar begins folded, and its navigation closes it by the
page's width.
"""

from pathlib import Path

import streamlit as st

_HELP = Path(__file__).with_name("help_after_click.js")  # which each page needs too, and one component less
_fold = st.components.v2.component(
    "ltw_folding_sidebar",
    js=_HELP.read_text("utf-8") + Path(__file__).with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)


def fold() -> None:
    """Have the browser fold it. Once a run of the script."""
    _fold(key="folding_sidebar", data=st.session_state.get("_choices_made", 0))


def choice_made() -> None:
    """Fold it on a narrow page, where it hides what was chosen for. A callback."""
    st.session_state["_choices_made"] = st.session_state.get("_choices_made", 0) + 1

"""The glossary under the pointer: a word of it, wherever it stands on a page, says what it means when it is pointed at.

In captions, labels, legends of ours and tables that are HTML; sentences that ``glossed`` has gone through underline
theirs. Leaves out figures and the grids of tables, which the browser paints: the latters' columns have help of their
own, as have the abbreviations that are no words of ``glossed``. The browser is asked which word lies under the pointer.
What Streamlit draws stays as it is, except that an underlined word loses its title when the pointer first comes to it:
the browser would show that on top of what is said here. It becomes the word's description, for screen readers.
"""

import json
from pathlib import Path

import streamlit as st

from pages._ui.glossary import BY_FORM, typeset

_MEANINGS = {
    form: [
        entry.term,
        entry.text,
        typeset(entry.formula),
        entry.example and f"Example: {typeset(entry.example)}",
        entry.whence,
    ]
    for form, entry in BY_FORM.items()
}
_explain = st.components.v2.component(
    "ltw_pointed_word",
    js=Path(__file__)
    .with_suffix(".js")
    .read_text("utf-8")
    .replace("__MEANINGS__", json.dumps(_MEANINGS, ensure_ascii=False)),
    isolate_styles=False,
)


def explain() -> None:
    """Tell the browser once a session what the words mean."""
    if not st.session_state.get("_words_told"):
        st.session_state["_words_told"] = True
        _explain(key="pointed_word")

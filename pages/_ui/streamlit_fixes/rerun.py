"""Running the script again from within: for what happened meanwhile, in a job or under a button.

``st.rerun`` wins over a click that came before it and has not been looked at (see ``run_again``). Seen in Streamlit
1.67.0. To be deleted when a waiting request with another page's name is kept: then ``st.rerun`` will do.
"""

from typing import NoReturn

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._ui.streamlit_fixes import former_choices


def run_again(done: str = "") -> NoReturn:
    """``st.rerun``, unless the reader has gone to another page meanwhile; ``done``, a key of the session, is forgotten.

    Streamlit merges requests to run, and of two the newer one says which page it is. ``st.rerun`` comes after a click
    that waits to be looked at, and the click would be lost. Whatever is drawn has the waiting one looked at first.
    """
    st.empty()
    if done:  # not before: with the waiting one, this comes once more
        st.session_state.pop(done, None)
    former_choices.own_run()
    if (context := get_script_run_ctx()) is not None:
        # what the browser kept when this run was asked for it may have forgotten since: "Cached ForwardMsg MISS"
        context.cached_message_hashes = frozenset()
    st.rerun()

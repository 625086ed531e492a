"""In the place that three or five surfaces leave empty: a button that opens the list of what else can be compared."""

from pathlib import Path

import streamlit as st

LEAVES_ONE = (3, 5)  # surfaces, in rows of two and of three
CSS = """
.ltw-place { position: relative; height: 0; }
.ltw-place button { position: absolute; z-index: 4; font: inherit; font-size: .9rem; cursor: pointer; background: none;
  color: color-mix(in srgb, var(--st-text-color) 80%, transparent); border-radius: .5rem;
  border: 1px dashed color-mix(in srgb, var(--st-text-color) 45%, transparent); }
.ltw-place button[hidden] { display: none; }
.ltw-place button:hover { color: var(--st-text-color); border-color: var(--st-text-color); }
.ltw-place button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; }
"""
_place = st.components.v2.component(
    "ltw_place",
    html='<div class="ltw-place"><button type="button" hidden>+ Compare with another</button></div>',
    css=CSS,
    js=Path(__file__).with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)


def empty_place(surfaces: int) -> None:
    """The button, where so many surfaces leave a place for it."""
    if surfaces in LEAVES_ONE:
        with st.container(key="empty_place"):
            _place(key="compare_with_another", data={"surfaces": surfaces})

"""What a cell of a study's table stands for, or the name of a row, in a line below it: a tip would reach neither touch
nor keyboard."""

from html import escape
from pathlib import Path

import streamlit as st

_tell = st.components.v2.component(
    "ltw_study_cells", js=Path(__file__).with_suffix(".js").read_text("utf-8"), isolate_styles=False
)


def said(text: str) -> str:
    """The attribute of a cell that holds what it stands for: what it is of, a colon, the rest."""
    return f' data-said="{escape(text)}"'


def line(of: str, more: str = "") -> str:
    """The line below a table; ``of``: what a cell tells, while none is chosen; ``more``: what follows."""
    said = f"Tap or point at a cell for {of}; at a name for its meaning.{more}"
    return f'<div class="ltw-cell-told" role="status">{said}</div>'


def tell() -> None:
    """Have the browser fill the lines. Once a run of the page's script."""
    _tell(key="study_cells")

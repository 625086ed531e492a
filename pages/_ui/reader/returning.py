"""A reader's tables after a reload or a connection that was lost: read again, from the disk, by the address's token.

What an address names and is not here, a table or a dataset, is said on the page until the reader has chosen.
"""

import difflib
from dataclasses import replace
from typing import Any

import streamlit as st

from ltw_core.corpora.tables.content import Content, content_of
from ltw_core.corpora.tables.limits import upload_limits
from ltw_core.corpora.tables.source import TableSource
from pages._ui import warm
from pages._ui.controls import control
from pages._ui.guard import plain, sentence
from pages._ui.reader import selection, tables_on_disk, uploads

_WHY = "_not_returned"  # sentences on the address's tables that are not here, once they were looked for
CLOSEST = 3
AGAIN = (
    "A table that a reader brings is kept for a day, or until it is deleted, for the browser that brought it; a link "
    "shows it to nobody else. To have it here, open *Bring your own data* on the Data page and choose its file."
)


def counted(table: TableSource, content: Content | None = None) -> Any:
    """A table's vectorised corpus, of which nothing is written to the disk; read within what an upload may take."""
    from ltw_core.tasks import vectorize
    from ltw_core.tasks.vectorizing import TERM_LIMIT

    if content is None:
        content = replace(content_of(table.path), name=table.called, limits=upload_limits())
    corpus = table.load(content)
    return vectorize(corpus, cache=False, max_terms=TERM_LIMIT)


def restore() -> None:
    """Read the tables that the address named when the session began; once a session."""
    state = st.session_state
    token = state["_address"].get("upload")
    if not token or _WHY in state:
        return
    found, why = tables_on_disk.open_address(token), []
    if not found:
        why.append(f"The key in the address opens no table here any more. {AGAIN}")
    else:
        warm.imported()
        with st.spinner("Reading your tables again…"):
            for table in found:
                try:
                    uploads.restore(table, lambda table: counted(table.source))
                except ValueError as error:
                    why.append(f"{plain(table.source.called)} is on this server’s disk and not here: {sentence(error)}")
    state[_WHY] = why  # not before: a click on another page begins the run anew


def say_missing(titles: dict[str, str]) -> None:
    """Say which dataset of the address is not here, what is shown in its place, and what comes closest."""
    asked, why, near = selection.missing(), list(st.session_state.get(_WHY, ())), []
    if asked is None and not why:
        return
    if asked is not None:
        shown = f"What you see is {plain(titles[selection.dataset()])}."
        if not asked.startswith(uploads.PREFIX):
            near = closest(asked, titles)
            why.insert(0, f"No dataset here is called “{plain(asked)}”. {shown}" + " Did you mean this?" * bool(near))
        else:
            why = [f"The table of this address is not here. {shown}", *(why or [AGAIN])]
    with st.container(border=True):
        st.warning(" ".join(why), icon=":material/explore_off:")
        with st.container(horizontal=True):
            for name in near:
                st.button(
                    plain(titles[name]),
                    key=f"instead-{name}",
                    icon=":material/database:",
                    on_click=selection.choose_dataset,
                    args=(name,),
                    help="Show this dataset.",
                )
            if not near:
                st.page_link("pages/data/data.py", label="To the Data page", icon=":material/database:")
            control(st.button, "stay_here", icon=":material/check:", on_click=_forget)


def closest(asked: str, titles: dict[str, str]) -> list[str]:
    """The identifiers that a name was probably meant to be, by themselves or by their titles, the closest first."""
    asked = asked.lower()

    def likeness(name: str) -> float:
        ways = [name.lower(), titles[name].lower()]
        begins = max(len(asked) > 2 and way.startswith(asked) for way in ways)
        return begins + max(difflib.SequenceMatcher(None, asked, way).ratio() for way in ways)

    near = sorted((name for name in titles if likeness(name) >= 0.5), key=likeness, reverse=True)
    return near[:CLOSEST]


def _forget() -> None:
    selection.forget_missing()
    st.session_state[_WHY] = []

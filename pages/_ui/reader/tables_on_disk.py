"""The reader's tables on this server's disk: the token that names them, in the session and in the address.

The address alone opens them in no other browser (``introduction`` says how one is known), and *Copy link to this view*
leaves the token out.
"""

import streamlit as st

from ltw_core.corpora.tables.source import TableSource
from ltw_core.service import kept_tables, study_process
from ltw_core.service.kept_tables import KeptTable
from pages._ui.reader import introduction

_TOKEN, _TABLES = "_upload_token", "_kept_tables"


def tables() -> dict[str, KeptTable]:
    """This session's tables that are on disk, by identifier."""
    return st.session_state.setdefault(_TABLES, {})


def keep(key: str, content: bytes, source: TableSource) -> str:
    """Keep a table's file; returns why not, "" where it is kept."""
    state = st.session_state
    token = state.get(_TOKEN) or kept_tables.new_token()
    try:
        table = kept_tables.keep(token, introduction.browser(), key, content, source)
    except ValueError as error:
        return str(error)
    tables()[key] = table
    state[_TOKEN] = token
    return ""


def open_address(token: str) -> list[KeptTable]:
    """The tables that an address names, from now on this session's."""
    found = kept_tables.find(token, introduction.browser())
    if found:
        st.session_state[_TOKEN] = token
        tables().update({table.key: table for table in found})
    return found


def token() -> str | None:
    """What the address holds: nothing where no table is on disk."""
    return st.session_state.get(_TOKEN) if tables() else None


def delete(key: str) -> KeptTable | None:
    """Take one off the disk, and end a study of it; ``bring_back`` takes what it returns."""
    table = tables().pop(key, None)
    if table is not None:
        study_process.end_of_table(table)
        kept_tables.hide(table)
    return table


def bring_back(table: KeptTable | None) -> None:
    """Undo the last ``delete``."""
    if table is not None and kept_tables.bring_back(table):
        tables()[table.key] = table

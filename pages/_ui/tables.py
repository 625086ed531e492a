"""Tables by name: ``tables.toml`` has the label, help, format and width of each one's columns, the page the rest."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st

from pages._ui.glossary import with_meanings

COLUMNS: dict[str, dict[str, dict]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def ready(frame: pd.DataFrame) -> pa.Table:
    """A frame as it is sent, to be kept for everybody; for ``table``."""
    return pa.Table.from_pandas(frame)


def table(
    frame: pd.DataFrame | pa.Table,
    name: str,
    alt: str,
    on_row: Callable[[int], None] | None = None,
    more: dict[str, Any] | None = None,
    **options: Any,
) -> Any:
    """A table without its index.

    Parameters
    ----------
    name : whose columns it has; also its key where a row can be chosen, unless ``options`` give another.
    on_row : called with the position of the row that was chosen, in a callback.
    more : columns that depend on what is shown.
    **options : what else ``st.dataframe`` takes.
    """

    def chosen() -> None:
        rows = st.session_state[options["key"]]["selection"]["rows"]
        if rows:
            on_row(rows[0])

    if on_row is not None:
        options = {"key": name, "on_select": chosen, "selection_mode": "single-row", **options}
    columns = {column: _column(column, **about) for column, about in COLUMNS[name].items()} | (more or {})
    return st.dataframe(frame, hide_index=True, column_config=columns, alt=alt, **options)


def _column(name: str, **about: Any) -> Any:
    """A column with a format holds numbers; of others the content says what they hold. Its help says what words of the
    glossary in its name mean."""
    about["help"] = with_meanings(about.get("help", ""), about.get("label", name)) or None
    return (st.column_config.NumberColumn if "format" in about else st.column_config.Column)(**about)

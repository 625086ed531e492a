"""Tables by name: ``tables.toml`` has the label, help, format and width of each one's columns, the page the rest.

Widths are such that a phone, which has 356 px, shows the first columns whole: a figure that is cut reads as another. On
a phone a ``pinned`` one stays while the others are scrolled. Formats are Streamlit's, and for figures of at most 1 in
magnitude, as F1, our own: ".3" is .911, "+.3" is +.044.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import streamlit as st
from pandas.io.formats.style import Styler

from ltw_core.metrics import decimals, signed
from pages._ui import words
from pages._ui.glossary import with_meanings
from pages._ui.streamlit_fixes.written_cells import Looks, written, written_once

BARE = re.compile(r"(\+?)\.(\d)")
MOST = 60_000  # cells that are written one by one, in 40 ms
ROW, FRAME = 33, 3  # pixels of a row, as high as the font of .streamlit/config.toml has it, and of the table's edges
READ_ONE = "single-row-required"  # of a table of whose rows one is always open: radio buttons
FIRST_ROW = {"selection": {"rows": [0]}}  # ``selection_default`` of a table whose first row is what opens
SYMBOLS = {"tp", "fp", "fn", "tn", "tpr", "fpr", "dd", "sd", "k"}  # first words of a column that have no capital
# a label behind it stands at the right, as numbers do: the grid draws there what begins like Arabic. The mark itself is
# not seen, and Streamlit 1.67.0 has no other way
AT_RIGHT = "\u061c"
BOLD = "font-weight: 650"
LOOKED_AT = {"light": "#eceae6", "dark": "#2b2c2e"}  # behind the row of what the reader looks at
COLUMNS: dict[str, dict[str, dict]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


class Marked(NamedTuple):
    """What looks otherwise in a table.

    Attributes
    ----------
    row : position of the row of what the reader has chosen elsewhere, as the class of the sidebar.
    bold : positions of the rows that are bold, by column.
    """

    row: int | None = None
    bold: Mapping[str, Collection[int]] = MappingProxyType({})


def ready(frame: pd.DataFrame, name: str, more: Mapping[str, str] = MappingProxyType({})) -> pa.Table | Styler:
    """A frame as it is sent, to be kept for everybody; for ``table`` under the same name. ``more``: further formats."""
    made = without_zeros(frame, {**_formats(name), **more})
    if isinstance(made, pd.DataFrame):
        return pa.Table.from_pandas(made)
    written_once(made)
    return made


def table(
    frame: pd.DataFrame | pa.Table | Styler,
    name: str,
    alt: str,
    on_row: Callable[[Any], None] | None = None,
    more: dict[str, Any] | None = None,
    most: int | None = None,
    at: int | list[int] | None = None,
    marked: Marked | None = None,
    **options: Any,
) -> Any:
    """A table without its index.

    Parameters
    ----------
    name : whose columns it has; also its key where a row can be chosen, unless ``options`` give another.
    on_row : called with the position of the row that was chosen, in a callback; where ``at`` is a list, with
        that of the rows that are ticked.
    more : columns that depend on what is shown; one of which only our own format is to be said is that.
    most : pixels that it may be high; with fewer rows it is lower.
    at : position of the row that is looked at, which is ticked, or a list of several; with ``on_row``.
    marked : what looks otherwise.
    **options : what else ``st.dataframe`` takes.
    """

    def chosen() -> None:
        rows = st.session_state[options["key"]]["selection"]["rows"]
        if several:
            on_row(rows)
        elif rows:
            on_row(rows[0])

    several = isinstance(at, list)
    if on_row is not None:
        mode = "multi-row" if several else "single-row" if at is None else READ_ONE
        options = {"key": name, "on_select": chosen, "selection_mode": mode, **options}
        if at is not None:
            ticked = at if several else [at]
            _tick(options["key"], ticked)
            # for one that is put up later: the browser is told of what was ticked but once
            options["selection_default"] = {"selection": {"rows": ticked}}
    if most is not None:
        rows = len(frame.data if isinstance(frame, Styler) else frame)
        options["height"] = ROW * min(rows + 1, (most - FRAME) // ROW) + FRAME  # no row is cut
    bare = {column: form for column, form in (more or {}).items() if isinstance(form, str)}
    further = {column: about for column, about in (more or {}).items() if column not in bare}
    columns = {column: _column(column, **about) for column, about in COLUMNS[name].items()} | further
    for column in [*_numbers(frame), *(c for c, of in COLUMNS[name].items() if of.get("alignment") == "right")]:
        about = columns.get(column) or st.column_config.Column()
        columns[column] = {**about, "label": AT_RIGHT + (about.get("label") or column)}
    options = {"placeholder": "–", "width": "content", **options}
    shown = without_zeros(frame, _formats(name) | bare, _looks(frame, marked or Marked()))
    return st.dataframe(shown, hide_index=True, column_config=columns, alt=alt, **options)


def _tick(key: str, rows: list[int]) -> None:
    """Make rows the chosen ones: what is looked at may have been chosen elsewhere."""
    if key not in st.session_state or st.session_state[key]["selection"]["rows"] != rows:
        st.session_state[key] = {"selection": {"rows": rows, "columns": [], "cells": []}}


def _numbers(frame: pd.DataFrame | pa.Table | Styler) -> list[str]:
    """The columns that hold numbers."""
    if isinstance(frame, pa.Table):
        number = (pa.types.is_integer, pa.types.is_floating)
        return [field.name for field in frame.schema if any(kind(field.type) for kind in number)]
    data = frame.data if isinstance(frame, Styler) else frame
    number, truth = pd.api.types.is_numeric_dtype, pd.api.types.is_bool_dtype
    return [str(name) for name, kind in data.dtypes.items() if number(kind) and not truth(kind)]


def _looks(frame: Any, marked: Marked) -> Looks:
    """How cells look that are bold or in the row that is chosen elsewhere."""
    places = {str(name): k for k, name in enumerate(frame)} if isinstance(frame, pd.DataFrame) else {}
    strong = [(row, places[column]) for column, rows in marked.bold.items() for row in rows]
    whole = [] if marked.row is None else [(marked.row, column) for column in places.values()]
    looks = {BOLD: [*dict.fromkeys(strong + whole)], f"background-color: {LOOKED_AT[words.base()]}": whole}
    return {css: cells for css, cells in looks.items() if cells}


def on_phone() -> bool:
    """Whether the reader has a phone: columns stay there while others are scrolled, and some have no room."""
    return "Mobi" in (st.context.headers.get("User-Agent") or "")


def _formats(name: str) -> dict[str, str]:
    return {column: about.get("format", "") for column, about in COLUMNS[name].items()}


def called(name: str, about: Mapping[str, Any]) -> str:
    """A column's label: the one it is given, or its name, with a capital where that is a word."""
    first = name.split()[0]
    word = first.rstrip(".").isalpha() and first not in SYMBOLS
    return about.get("label") or (name[0].upper() + name[1:] if word else name)


def _column(name: str, **about: Any) -> Any:
    """A column with a format holds numbers; of others the content says what they hold. Its help says what words of the
    glossary in its name mean. One without a label is called by its name, with a capital."""
    if not on_phone():
        about.pop("pinned", None)
    label = called(name, about)
    about |= {"label": label} if label != name else {}
    about["help"] = with_meanings(about.get("help", ""), label) or None
    kind = st.column_config.NumberColumn if "format" in about else st.column_config.Column
    if BARE.fullmatch(about.get("format", "")):
        del about["format"]  # what is written into the cells counts
    return kind(**about)


def without_zeros(frame: pd.DataFrame | pa.Table | Styler, formats: dict[str, str], looks: Looks | None = None) -> Any:
    """A frame whose figures have no leading zero, in the columns whose format says so; numbers still, to be sorted.
    ``looks``: of its cells, with the columns' places in the frame."""
    if isinstance(frame, Styler):
        return frame
    bare = {column: found for column, each in formats.items() if (found := BARE.fullmatch(each))}
    if isinstance(frame, pa.Table):
        if frame.num_rows * frame.num_columns > MOST or not set(bare) & set(frame.column_names):
            return frame
        frame = frame.to_pandas()
    here = {column: found for column, found in bare.items() if column in frame.columns}
    if not (here or looks) or frame.size > MOST:
        return frame
    how = {column: partial(signed if match[1] else decimals, digits=int(match[2])) for column, match in here.items()}
    return written(frame.reset_index(drop=True), how, looks)

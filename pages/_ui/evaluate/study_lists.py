"""A study's short tables: a line a weighting or a corpus, all of them in sight, drawn as the tables of F1 are.

Columns are those of ``tables.toml``, as in Streamlit's grids, which remain for what is long or chosen from. There
three more things may be said of a column: ``once``, that what several lines share is written in the first of them;
``below``, that it stands on a phone below the line's name; and ``wide``, that a phone has no room for it.
"""

import re
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.metrics import decimals, signed
from pages._ui.evaluate.study_tables import MISSING, class_attribute, style
from pages._ui.tables import BARE, COLUMNS, called

INTERVAL = "interval"  # how a column's name ends whose figures stand below each other as numbers do
MARK = "mark"  # and of one whose signs stand behind the figures they are about
HYPHENED = re.compile(r"[^\s-]+(?:-[^\s-]+)+")  # a name that a line should not end in


def whole_table(frame: pd.DataFrame, name: str, alt: str, more: dict[str, str] | None = None) -> None:
    """Draw a table of few lines.

    Parameters
    ----------
    name : whose columns of ``tables.toml`` it has.
    alt : what the table holds, in words.
    more : formats of columns that depend on what is shown.
    """
    st.html(f"{style()}{as_html(frame, name, alt, more)}")


def as_html(frame: pd.DataFrame, name: str, alt: str, more: dict[str, str] | None = None) -> str:
    """The table without its style sheet."""
    about = COLUMNS[name] | {column: {"format": form} for column, form in (more or {}).items()}
    marks = {_marked(column): frame[column] for column in frame if column.endswith(MARK)}
    columns = {column: about.get(column, {}) for column in map(str, frame) if not column.endswith(MARK)}
    kinds = {column: _kind(frame[column], column, of) for column, of in columns.items()}
    room = {
        column: '<span class="sign"></span>' * (column in marks) for column in columns
    }  # the head stands above numbers
    heads = (f'<th scope="col"{kinds[column]}>{_head(column, of)}{room[column]}</th>' for column, of in columns.items())
    said = {
        column: [_said(value, of.get("format", "")) for value in frame[column]]
        if column not in marks
        else [
            f'{_said(value, of.get("format", ""))}<span class="sign">{sign}</span>'
            for value, sign in zip(frame[column], marks[column], strict=True)
        ]
        for column, of in columns.items()
    }
    first, *rest = columns
    below = [column for column in rest if columns[column].get("below")]
    lines = []
    for k, head in enumerate(said[first]):
        again = k > 0 and columns[first].get("once") and head == said[first][k - 1]
        small = "".join(
            f"<small>{_head(column, columns[column])}: {text}</small>" for column in below if (text := said[column][k])
        )
        cells = "".join(f"<td{kinds[column]}>{said[column][k]}</td>" for column in rest)
        shown = f'<span class="again">{head}</span>' if again else head
        new = " class=family" * (k > 0 and bool(columns[first].get("once")) and not again)
        lines.append(f'<tr{new}><th scope="row"{kinds[first]}>{shown}{small}</th>{cells}</tr>')
    return (
        f'<div class="ltw-study list" tabindex="0" role="region" aria-label="{escape(alt)}"><table>'
        f"<thead><tr>{''.join(heads)}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def _marked(column: str) -> str:
    """Which column's figures a column of signs is about."""
    return column.removesuffix(MARK).strip() or "difference"


def _kind(values: pd.Series, column: str, about: dict[str, Any]) -> str:
    """The attribute of a column's cells: numbers stand at the right, and some columns not on a phone."""
    at_right = pd.api.types.is_numeric_dtype(values) or column.endswith(INTERVAL)
    wide = about.get("below") or about.get("wide")
    return class_attribute(" ".join(["number"] * at_right + ["wide"] * bool(wide) + ["once"] * ("once" in about)))


def _head(name: str, about: dict[str, Any]) -> str:
    label = _whole(called(name, about))
    told = about.get("help")
    return f'<abbr title="{escape(told.replace("*", ""))}">{label}</abbr>' if told else label


def _whole(text: str) -> str:
    """A text, escaped, whose names are not broken at their hyphens."""
    return HYPHENED.sub(r'<span class="whole">\g<0></span>', escape(text))


def _said(value: Any, form: str) -> str:
    """What a cell says, escaped."""
    if pd.isna(value):
        return MISSING
    if found := BARE.fullmatch(form):
        return (signed if found[1] else decimals)(value, int(found[2]))
    if isinstance(value, str):
        return _whole(value)
    return f"{value:,.0f}" if form in ("", "localized") else form % value

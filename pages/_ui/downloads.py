"""Download buttons whose file is made on click."""

import mimetypes
from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

COMPUTED = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a spreadsheet takes for a formula


def offer(label: str, name: str, make: Callable[[], str | bytes], help_text: str, key: str | None = None) -> None:
    """A button that gives the file `name`, whose ending says what it is.

    `make` is called in a thread of its own, without a session.
    """
    st.download_button(
        label,
        data=lambda: encoded(name, make()),
        file_name=name.replace("/", "-"),
        mime=mimetypes.guess_type(name)[0] or "application/octet-stream",
        on_click="ignore",
        icon=":material/download:",
        help=help_text,
        key=key,
    )


def offer_table(label: str, name: str, frame: pd.DataFrame, help_text: str) -> None:
    """A button that gives a table without its index as CSV."""
    offer(label, name, lambda: csv(frame), help_text)


def encoded(name: str, content: str | bytes) -> str | bytes:
    """A file's content; CSV is marked as UTF-8, or Excel shows χ² as something else."""
    return content.encode("utf-8-sig") if name.endswith(".csv") and isinstance(content, str) else content


def csv(frame: pd.DataFrame, *, index: bool = False) -> str:
    """A table as CSV; an apostrophe begins text that a spreadsheet would compute, such as a class named "=1+1"."""
    return frame.map(_as_text).rename(columns=_as_text, index=_as_text).to_csv(index=index)


def from_corpus(frame: pd.DataFrame, vectorized: Any, class_name: str | None = None) -> pd.DataFrame:
    """A table that also says in each line of which dataset and content it is, and of which class where it is of one."""
    corpus = vectorized.corpus
    of = {"dataset": corpus.name, "content": corpus.fingerprint[:16]} | ({"class": class_name} if class_name else {})
    return pd.concat([pd.DataFrame(of, index=frame.index), frame], axis=1)


def _as_text(cell: Any) -> Any:
    if not isinstance(cell, str) or len(cell) < 2 or not cell.startswith(COMPUTED):
        return cell
    try:
        float(cell)
    except ValueError:
        return "'" + cell
    return cell

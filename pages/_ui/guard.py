"""Errors as sentences: what the core refuses is shown as one line, and a traceback never reaches a page."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

log = logging.getLogger(__name__)


@contextmanager
def sentences() -> Iterator[None]:
    """Show a ``ValueError`` of the core (``CorpusError`` is one) as a sentence; log anything else and say so."""
    try:
        yield
    except ValueError as error:
        st.error(capital(str(error)), icon=":material/error:")
    except (MemoryError, OSError) as error:
        log.exception("a page failed")
        st.error(f"This did not work on the server ({type(error).__name__}).", icon=":material/error:")


def capital(text: str) -> str:
    """A message of the core as a sentence, with markup shown as text."""
    text = plain(text.strip())
    if not text:
        return "Something went wrong."
    text = text[0].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else text + "."


def plain(text: str) -> str:
    """Text from a corpus with Markdown's characters escaped, for labels and sentences."""
    for mark in "\\`*_{}[]<>#$~|:":
        text = text.replace(mark, "\\" + mark)
    return text

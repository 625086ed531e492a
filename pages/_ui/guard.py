"""Errors as sentences: what the core refuses is shown as one line, and a traceback never reaches a page."""

import logging
import re
import sqlite3
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
        st.error(sentence(error), icon=":material/error:")
    except MemoryError:
        log.exception("a page failed")
        st.error("The server does not have enough memory for this.", icon=":material/error:")
    except (sqlite3.Error, OSError) as error:
        log.exception("a page failed")
        st.error(not_done(error), icon=":material/error:")


def not_done(error: sqlite3.Error | OSError) -> str:
    """A sentence on a disk or a database of the server that failed."""
    from ltw_core.storage.database import why

    return f"This could not be done on the server: {plain(why(error))}. Nothing was lost."


def sentence(error: ValueError) -> str:
    """What the core says, as a sentence. One about a corpus may begin with a file's name, which stays as it is."""
    from ltw_core.corpora import CorpusError  # whoever raised it has imported it

    return _finished(plain(str(error).strip())) if isinstance(error, CorpusError) else capital(str(error))


def set_up_wrong(error: ValueError) -> str:
    """Settings that cannot be used, for whoever opens the app; for its owner also in the server's log."""
    log.error("%s", error)
    return f"This server is set up wrong: {_finished(plain(str(error)))} Its owner can correct it and start it again."


def capital(text: str) -> str:
    """A message of the core as a sentence, with markup shown as text; what begins with a name ("cuda:0") keeps it."""
    text = text.strip()
    first = text[:1] if re.match(r"\w+:\w", text) else text[:1].upper()
    return _finished(plain(first + text[1:]))


def _finished(text: str) -> str:
    if not text:
        return "Something went wrong."
    return text if text.endswith((".", "!", "?", "…")) else text + "."


def plain(text: str) -> str:
    """Text from a corpus with Markdown's characters escaped, for labels and sentences."""
    for mark in "\\`*_{}[]<>#$~|:":
        text = text.replace(mark, "\\" + mark)
    return text

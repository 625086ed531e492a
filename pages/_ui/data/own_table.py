"""Reading a table of the reader's own: which columns hold texts and labels, how it is encoded, and who may see it."""

import contextlib
import itertools
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from ltw_core.corpora import CorpusError
from ltw_core.corpora.tables.collector import LABEL_LIMIT
from ltw_core.corpora.tables.columns import choose_columns
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.formats import ENDINGS, NAMES, PACKED
from ltw_core.corpora.tables.limits import UPLOAD_ROWS, upload_limits
from ltw_core.corpora.tables.open_table import open_table
from ltw_core.corpora.tables.read_table import SAMPLE
from ltw_core.corpora.tables.rows import CELL_LIMIT
from ltw_core.corpora.tables.source import TableSource
from ltw_core.settings import share_uploads, uploads_each
from ltw_core.tasks import languages
from ltw_core.tasks.vectorizing import TERM_LIMIT
from pages._ui import words
from pages._ui.controls import control
from pages._ui.guard import plain, sentences
from pages._ui.reader import bring_own, selection, uploads
from pages._ui.reader.returning import counted
from pages._ui.streamlit_fixes.rerun import run_again

TYPES = [*ENDINGS, PACKED]
PREVIEW = 5
READ = "_own_read"  # a sentence on the table that was just read, until the next run says it
SAMPLE_KEPT = 2 * 2**20  # characters of the rows by which columns are guessed
PARTS = ("text", "label", "split")
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
SURVIVES = (
    "It stays on this server’s disk for a day, or until you delete it. After a reload it is still here: a key in the "
    "page’s address, valid in this browser only, brings it back."
)
SEEN = "*Copy link to this view* leaves that key out."
SEPARATORS = [",", ";", "|", "/", "space"]


def own_table(expanded: bool) -> None:
    """A file to choose; visible to this session only, unless its reader may share it and does."""
    seen = "Nobody else sees it" + " unless you share it, which this server allows" * share_uploads()
    with st.expander("Bring your own data", expanded=expanded):
        about = f"{NAMES}, also packed by gzip. {seen}."
        _kept()
        file = control(st.file_uploader, "own_file", type=TYPES, help=about)
        if file is None:
            st.caption(
                "- The first line names the columns: one of texts, one of labels; the file may be gzipped.\n"
                f"- At most {UPLOAD_ROWS:,} rows, {CELL_LIMIT:,} characters per cell, {LABEL_LIMIT} per label and "
                f"{TERM_LIMIT:,} distinct words.\n"
                f"- {seen}.\n"
                f"- {SURVIVES} {SEEN}"
            )
            return
        with sentences():
            _options(file)


def _kept() -> None:
    """The reader's tables with their memory, and a way to delete each."""
    own, gone = uploads.own(), uploads.deleted()
    if own:
        most = words.megabytes(uploads_each())
        st.caption(f"Your tables use {words.megabytes(uploads.taken())} of at most {most} of memory.")
    for key, source in own.items():
        st.button(
            f"Delete {plain(source.corpus.title)} ({words.megabytes(source.n_bytes)})",
            key=f"delete-{key}",
            icon=":material/delete:",
            on_click=uploads.delete,
            args=(key,),
            help="Take it out of your list, and everyone’s, and free its memory.",
        )
    if gone is not None:
        st.button(
            f"Bring {plain(gone.source.corpus.title)} back",
            key="bring-back",
            icon=":material/undo:",
            on_click=uploads.bring_back,
            help="Undo the deletion. It is possible until you read another table.",
        )


class Preview(NamedTuple):
    """The beginning of a file, as it is read with some encoding and delimiter.

    Attributes
    ----------
    columns : list of str
    rows : list of dict
        The first few, their cells shortened.
    report : list of str
    guessed : dict
        By the choices that were made, what will be taken for each column that is left open.
    sample : list of Row
        Where it is small enough to be kept.
    """

    columns: list[str]
    rows: list[dict[str, str]]
    report: list[str]
    guessed: dict[tuple, dict[str, str]]
    sample: list | None


def _preview(file: Any, how: dict[str, str | None]) -> Preview:
    """The file's preview; read once for its options, as that goes through all of it: kept in the session."""
    key = (file.file_id, *how.values())
    kept, preview = st.session_state.get("_own_preview", (None, None))
    if kept != key:
        try:
            preview = _made(*_beginning(file, how))
        except CorpusError as error:
            preview = str(error)
        st.session_state["_own_preview"] = key, preview
    if isinstance(preview, str):
        raise CorpusError(preview)
    return preview


def _made(columns: list[str], sample: list, report: list[str]) -> Preview:
    rows = [{name: _short(cell) for name, cell in row.cells.items()} for row in sample[:PREVIEW]]
    size = sum(len(cell) if isinstance(cell, str) else 8 for row in sample for cell in row.cells.values())
    return Preview(columns, rows, report, {}, sample if size <= SAMPLE_KEPT else None)


def _beginning(file: Any, how: dict[str, str | None]) -> tuple[list[str], list, list[str]]:
    with uploads.one_at_a_time(), contextlib.closing(open_table(_content(file), **how)) as table:
        return list(table.columns), list(itertools.islice(table.rows, SAMPLE)), table.report


def _content(file: Any) -> Content:
    return Content(file.getvalue(), file.name, upload_limits())


def _options(file: Any) -> None:
    name = file.name
    fields = st.container(key="own_fields")
    about_columns = fields.columns(4)
    about_file = fields.columns(4, vertical_alignment="bottom")
    how = {
        "encoding": control(about_file[0].text_input, "own_encoding", placeholder="detected") or None,
        "delimiter": DELIMITERS.get(
            control(about_file[1].selectbox, "own_delimiter", list(DELIMITERS), index=None, placeholder="detected")
        ),
    }
    preview = _preview(file, how)
    columns, rows = preview.columns, preview.rows
    guessed = _guessed(file, how, preview)
    st.caption(f"The first {len(rows)} rows. " + " ".join(plain(sentence) for sentence in preview.report))
    st.dataframe(
        pd.DataFrame(rows, columns=columns),
        hide_index=True,
        alt="The first rows of the table",
    )
    offered = (("text", columns), ("label", columns), ("split", ["none", *columns]))
    text, label, split = (
        control(place.selectbox, f"own_{part}", options, index=None, placeholder=guessed[part])
        for place, (part, options) in zip(about_columns[:3], offered, strict=True)
    )
    separator = control(
        about_columns[3].selectbox,
        "own_separator",
        SEPARATORS,
        index=None,
        placeholder="one label per cell",
        accept_new_options=True,
    )
    spoken = list(languages())
    language = control(
        about_file[2].selectbox,
        "own_language",
        {"none": "None"} | {name: name.capitalize() for name in spoken},
        index=1 + spoken.index("english"),
    )
    share = share_uploads() and control(st.checkbox, "own_share")
    if not control(about_file[3].button, "own_read", type="primary", icon=":material/play_arrow:", width="stretch"):
        return
    called = TableSource(
        name,  # where it comes to lie, ``kept`` knows
        called=name,
        text=text,
        label=label,
        split=False if split == "none" else split,
        separator=" " if separator == "space" else separator,
        language=None if language == "none" else language,
        **how,
    )
    content = _content(file)
    with st.spinner("Reading and counting…"), uploads.reading(file.size):
        source = counted(called, content)
        if len(source.class_names) < 2 and not source.corpus.n_test:
            raise CorpusError(f"{name} has one class only; there is nothing to tell apart")
        key, why_not = uploads.keep(source, share, content.data, called)
    if why_not:
        st.session_state["lost"] = f"{name} will not survive a reload of the page: {why_not}."
    documents = words.count(len(source.corpus.documents), "document")
    st.session_state[READ] = f"{plain(name)} has been read: {documents} of {len(source.class_names)} classes."
    selection.choose_dataset(key)
    bring_own.close()
    run_again()


def _guessed(file: Any, how: dict[str, str | None], preview: Preview) -> dict[str, str]:
    """What will be taken for each column that the reader leaves open, in words."""
    state, columns = st.session_state, preview.columns
    given = {part: value for part in PARTS if (value := state.get(f"own_{part}")) in columns or value == "none"}
    key = tuple(given.items())
    if key not in preview.guessed:
        sample = _beginning(file, how)[1] if preview.sample is None else preview.sample
        split = False if given.get("split") == "none" else given.get("split")
        try:
            found = choose_columns(columns, sample, file.name, given.get("text"), given.get("label"), split)
            preview.guessed[key] = {part: f"guessed: {getattr(found, part) or 'none'}" for part in PARTS}
        except CorpusError:  # reading says what is wrong
            preview.guessed[key] = dict.fromkeys(PARTS, "guessed")
    return preview.guessed[key]


def _short(value: object) -> str:
    shown = str(value)
    return shown if len(shown) <= 160 else shown[:160] + "…"

"""Reading a table of the reader's own: which columns hold texts and labels, how it is encoded, and who may see it."""

import io
import itertools

import pandas as pd
import streamlit as st

from ltw_core.corpora import CorpusError, read_table
from ltw_core.corpora.tables.columns import choose_columns
from ltw_core.corpora.tables.read_table import LABEL_LIMIT, ROW_LIMIT, SAMPLE
from ltw_core.corpora.tables.rows import CELL_LIMIT, open_table
from ltw_core.settings import share_uploads
from ltw_core.tasks import languages, vectorize
from ltw_core.tasks.vectorized import TERM_LIMIT
from pages._ui.controls import control
from pages._ui.guard import plain, sentences
from pages._ui.reader import selection, uploads
from pages._ui.streamlit_fixes.rerun import run_again

TYPES = ["csv", "tsv", "txt", "jsonl", "json"]
PREVIEW = 5
PARTS = ("text", "label", "split")
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
SEPARATORS = [",", ";", "|", "/", "space"]


def own_table(expanded: bool) -> None:
    """A file to choose; visible to this session only, unless its reader may share it and does."""
    seen = (
        "Nobody else sees it unless you share it, which this server allows"
        if share_uploads()
        else "Nobody else sees it, and it is gone when you close the page"
    )
    with st.expander("Bring your own", icon=":material/upload_file:", expanded=expanded):
        limit = st.get_option("server.maxUploadSize")
        about = f"CSV, TSV or JSONL, up to {limit} MB. {seen}; it is not written to disk."
        file = control(st.file_uploader, "own_file", type=TYPES, help=about)
        if file is None:
            st.caption(
                f"CSV, TSV or JSONL with a header, up to {limit} MB and {ROW_LIMIT:,} rows; a cell up to "
                f"{CELL_LIMIT:,} characters, a label up to {LABEL_LIMIT}, {TERM_LIMIT:,} different words in all. "
                f"{seen}."
            )
            return
        with sentences():
            _options(file.getvalue(), file.name)


def _options(data: bytes, name: str) -> None:
    first, second, third = st.columns(3)
    how = {
        "encoding": control(third.text_input, "own_encoding", placeholder="detected") or None,
        "delimiter": DELIMITERS.get(
            control(third.selectbox, "own_delimiter", list(DELIMITERS), index=None, placeholder="detected")
        ),
    }
    table = open_table(data, name, **how)
    columns = list(table.columns)
    sample = list(itertools.islice(table.rows, SAMPLE))
    rows = [row.cells for row in sample[:PREVIEW]]
    guessed = _guessed(columns, sample, name)
    st.caption(f"The first {len(rows)} rows. " + " ".join(plain(sentence) for sentence in table.report))
    st.dataframe(
        pd.DataFrame([{k: _short(v) for k, v in row.items()} for row in rows], columns=columns),
        hide_index=True,
        alt="The first rows of the table",
    )
    offered = ((first, "text", columns), (second, "label", columns), (first, "split", ["none", *columns]))
    text, label, split = (
        control(place.selectbox, f"own_{part}", options, index=None, placeholder=guessed[part])
        for place, part, options in offered
    )
    separator = control(
        second.selectbox,
        "own_separator",
        SEPARATORS,
        index=None,
        placeholder="one label per cell",
        accept_new_options=True,
    )
    spoken = list(languages())
    language = control(third.selectbox, "own_language", ["none", *spoken], index=1 + spoken.index("english"))
    share = share_uploads() and control(st.checkbox, "own_share")
    if not control(st.button, "own_read", type="primary", icon=":material/play_arrow:"):
        return
    with st.spinner("Reading and counting…"):
        stop_words = None if language == "none" else language
        stream = io.BytesIO(data)
        stream.name = name  # the corpus is called after it
        corpus = read_table(
            stream,
            text=text,
            label=label,
            split=False if split == "none" else split,
            separator=" " if separator == "space" else separator,
            language=stop_words,
            **how,
        )
        if len(corpus.class_names) < 2 and not corpus.n_test:
            raise CorpusError(f"{name} has one class only; there is nothing to tell apart")
        key = uploads.keep(vectorize(corpus, stop_words=stop_words, cache=False, max_terms=TERM_LIMIT), share)
    selection.choose_dataset(key)
    run_again()


def _guessed(columns: list[str], sample: list, name: str) -> dict[str, str]:
    """What will be taken for each column that the reader leaves open, in words."""
    state = st.session_state
    given = {part: value for part in PARTS if (value := state.get(f"own_{part}")) in columns or value == "none"}
    try:
        split = given.get("split")
        found = choose_columns(
            columns, sample, name, given.get("text"), given.get("label"), False if split == "none" else split
        )
    except CorpusError:  # reading says what is wrong
        return dict.fromkeys(PARTS, "guessed")
    return {part: f"guessed: {getattr(found, part) or 'none'}" for part in PARTS}


def _short(value: object) -> str:
    shown = str(value)
    return shown if len(shown) <= 160 else shown[:160] + "…"

"""Getting a corpus: fetching a published archive, or reading a file of the reader's own."""

import io
import itertools
from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.corpora import CorpusError, read_table
from ltw_core.corpora.tables.columns import choose_columns
from ltw_core.corpora.tables.read_table import LABEL_LIMIT, ROW_LIMIT, SAMPLE
from ltw_core.corpora.tables.rows import CELL_LIMIT, open_table
from ltw_core.service.job import Cancelled
from ltw_core.service.jobs import manager
from ltw_core.settings import share_uploads
from ltw_core.tasks import languages, vectorize
from ltw_core.tasks.vectorized import TERM_LIMIT
from pages._ui import loading
from pages._ui.guard import capital, plain, sentences
from pages._ui.reader import selection, uploads
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.training import runs

TYPES = ["csv", "tsv", "txt", "jsonl", "json"]
PREVIEW = 5
PARTS = ("text", "label", "split")
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}


def get(entry: Any, inside: bool = False) -> None:
    """Why a corpus is not here, and a button that fetches it."""
    if not inside:
        st.warning(f"**{plain(entry.title)}** is not on this server yet.", icon=":material/cloud_off:")
    else:
        st.markdown(f"**{plain(entry.title)}** — {plain(entry.summary)}")
    fetching = next((j for j in manager().of(runs.owner(), "fetch") if j.key == entry.name and j.active), None)
    last = next((j for j in reversed(manager().of(runs.owner(), "fetch")) if j.key == entry.name), None)
    if fetching is not None:
        _progress(entry.name)
        return
    if last is not None and last.status == "failed":
        st.error(capital(last.error), icon=":material/error:")
    if entry.downloadable:
        st.button(
            f"Fetch {entry.title}",
            type="primary" if not inside else "secondary",
            icon=":material/cloud_download:",
            on_click=_fetch,
            args=(entry.name,),
            key=f"fetch-{entry.name}",
            help="Download the archive from its publisher into the server's data folder.",
        )
    st.caption(plain(entry.needs))


def _fetch(name: str) -> None:
    def work(job: Any) -> None:
        from ltw_core.corpora import fetch

        def progress(done: int, total: int | None) -> None:
            job.emit((done, total))
            if job.cancelled:
                raise Cancelled

        fetch(name, progress)

    manager().submit(runs.owner(), "fetch", name, work)


def _progress(name: str) -> None:
    @st.fragment(run_every=0.5)
    def bar() -> None:
        job = next((j for j in reversed(manager().of(runs.owner(), "fetch")) if j.key == name), None)
        if job is None or not job.active:
            loading.forget(name)
            run_again()
        done, total = job.last or (0, None)
        text = f"{done / 2**20:.1f} MB" + (f" of {total / 2**20:.1f} MB" if total else "")
        st.progress(min(1.0, done / total) if total else 0.0, text=f"Fetching… {text}")
        st.button("Stop", icon=":material/stop:", on_click=manager().cancel, args=(job,), key=f"stop-{name}")

    bar()


def bring(expanded: bool) -> None:
    """A table of one's own, visible to this session only unless its reader may share it and does."""
    seen = (
        "Nobody else sees it unless you share it, which this server allows"
        if share_uploads()
        else "Nobody else sees it, and it is gone when you close the page"
    )
    with st.expander("Bring your own", icon=":material/upload_file:", expanded=expanded):
        limit = st.get_option("server.maxUploadSize")
        file = st.file_uploader(
            "A table with a column of texts and a column of labels",
            type=TYPES,
            key="own_file",
            help=f"CSV, TSV or JSONL, up to {limit} MB. {seen}; it is not written to disk.",
        )
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
    encoding = third.text_input(
        "Encoding", placeholder="detected", key="own_encoding", help="utf-8, latin-1, …; leave empty to detect it."
    )
    delimiter = third.selectbox(
        "Between columns",
        list(DELIMITERS),
        index=None,
        placeholder="detected",
        key="own_delimiter",
        help="The character between two columns of a CSV file.",
    )
    delimiter = DELIMITERS.get(delimiter)
    table = open_table(data, name, encoding=encoding or None, delimiter=delimiter)
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
    text = first.selectbox(
        "Texts",
        columns,
        index=None,
        placeholder=guessed["text"],
        key="own_text",
        help="The column that holds the documents.",
    )
    label = second.selectbox(
        "Labels",
        columns,
        index=None,
        placeholder=guessed["label"],
        key="own_label",
        help="The column that holds the classes.",
    )
    split = first.selectbox(
        "Split",
        ["none", *columns],
        index=None,
        placeholder=guessed["split"],
        key="own_split",
        help="A column that says train or test. With none, 70 % of the documents train.",
    )
    separator = second.selectbox(
        "Several labels in a cell",
        [",", ";", "|", "/", "space"],
        index=None,
        placeholder="one label a cell",
        key="own_separator",
        accept_new_options=True,
        help="The character between the labels of one document.",
    )
    language = third.selectbox(
        "Stop words",
        ["none", *languages()],
        index=1 + list(languages()).index("english"),
        key="own_language",
        help="Frequent words of this language are left out.",
    )
    share = share_uploads() and st.checkbox(
        "Show it to everyone on this server",
        key="own_share",
        help="Its texts can then be read by all who open this app, until you take it back or the server restarts.",
    )
    if not st.button(
        "Read it", type="primary", icon=":material/play_arrow:", key="own_read", help="Read and count words."
    ):
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
            encoding=encoding or None,
            delimiter=delimiter,
            language=stop_words,
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

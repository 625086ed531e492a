"""Corpora in the background: read and vectorised once for all sessions, while pages say what they wait for.

One copy of each corpus is shared by everyone and must be treated as immutable. Corpora that readers bring
are in ``reader.uploads``. Left out: freeing memory, since the catalogue's corpora together fit.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import streamlit as st

from ltw_core import process
from ltw_core.corpora.corpus import with_note
from pages._ui import warm, words
from pages._ui.guard import capital
from pages._ui.reader import counting, selection, uploads
from pages._ui.reader.table_results import kept_of_corpus
from pages._ui.result_cache import kept
from pages._ui.streamlit_fixes import turns
from pages._ui.streamlit_fixes.rerun import run_again

VARIANTS, VARIANT_BYTES = 3, 300 * 2**20  # corpora that are counted otherwise: how many are at hand, and how large

_pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="corpus")
_others = ThreadPoolExecutor(max_workers=1, thread_name_prefix="counting")  # so that what is usual need not wait
_lock = threading.Lock()
_futures: dict[str, Future] = {}
_asked: dict[str, float] = {}


def _read(name: str) -> Any:
    warm.imported()
    from ltw_core.corpora.catalogue import load_named
    from ltw_core.tasks import vectorize

    corpus = load_named(name)
    try:
        return vectorize(corpus)
    finally:
        process.give_back_freed()  # reading takes twice as much as what is read


def counted_as(name: str) -> str:
    """A corpus as it is counted for this reader: its identifier, and behind a "?" what is not as usual."""
    return f"{name}?{counting.text()}" if counting.text() else name


def _count(key: str, usual: Future | Any) -> Any:
    """A corpus counted otherwise than usual; its title says so wherever it stands."""
    from ltw_core.tasks import vectorize
    from ltw_core.tasks.vectorizing import TERM_LIMIT

    name, _, wanted = key.partition("?")
    source = usual.result() if isinstance(usual, Future) else usual
    options = counting.options_of(wanted, source.options.stop_words)
    told = options.told(source.options.stop_words)
    title = with_note(source.corpus.title, told) if told else source.corpus.title
    report = tuple(sentence for sentence in source.corpus.report if sentence not in source.told())
    corpus = replace(source.corpus, title=title, report=report)
    try:
        made = vectorize(corpus, options, cache=not name.startswith(uploads.PREFIX), max_terms=TERM_LIMIT)
    finally:
        process.give_back_freed()  # as in reading
    if made.n_bytes > VARIANT_BYTES + source.n_bytes:
        raise ValueError(
            f"counted so, {source.corpus.title} takes {words.megabytes(made.n_bytes)} of memory, too much here; choose "
            "fewer n-grams, or terms that more documents hold"
        )
    return made


def ask(key: str) -> Future:
    """Start reading a corpus of the catalogue, or counting one otherwise (``counted_as``), unless that has begun.
    A failure is forgotten by ``forget``."""
    name, _, wanted = key.partition("?")
    usual = ask(name) if wanted else None
    with _lock:
        if key in _futures:
            _futures[key] = _futures.pop(key)  # those asked for last are kept
        else:
            _futures[key] = _others.submit(_count, key, usual) if wanted else _pool.submit(_read, name)
            _asked[key] = time.monotonic()
            ended = [other for other, future in _futures.items() if "?" in other and other != key and future.done()]
            for other in ended[: max(0, len(ended) - VARIANTS + 1)]:
                del _futures[other]
        return _futures[key]


def forget(name: str) -> None:
    """Read a corpus again next time (it failed, or it was fetched since)."""
    with _lock:
        for key in [key for key in _futures if key.partition("?")[0] == name]:
            del _futures[key]


def _ended(name: str) -> Future | None:
    """The reading of a corpus of the catalogue when it is over, None before."""
    future = _futures.get(name)
    return future if future is not None and future.done() else None


def ready(name: str) -> bool:
    """Whether a corpus is there at once."""
    if name.startswith(uploads.PREFIX):
        return name in uploads.visible()
    future = _ended(counted_as(name))
    return future is not None and future.exception() is None


def begin(name: str, timeout: float = 0.0) -> None:
    """Start reading, and give it a moment: most corpora come from the cache at once, without a waiting line."""
    if name.startswith(uploads.PREFIX):
        return
    wait_until(ask(counted_as(name)).done, timeout)


def wait_until(done: Callable[[], bool], timeout: float) -> None:
    """Wait for something, for ``timeout`` seconds at most, while other pages are made."""
    if timeout <= 0 or done():
        return
    turns.of_scripts.leave()
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline and not done():
        time.sleep(0.01)


def vectorized(name: str) -> Any:
    """The corpus, or stop the page: with a sentence if it cannot be read, with a progress line while it is read."""
    if name.startswith(uploads.PREFIX):
        return _own(name)
    future = ask(counted_as(name))
    if not future.done():
        _wait(name)
        st.stop()
    error = future.exception()
    if error is not None:
        _say(name, error)
        st.stop()
    return future.result()


def _own(name: str) -> Any:
    """A table of the reader's, counted as chosen, or stop the page with a sentence. Counted otherwise, one is kept a
    session, as long as it has room beside the tables."""
    source, wanted = uploads.visible()[name], counting.text()
    if not wanted:
        return source
    key = (source.training_fingerprint, wanted)
    if st.session_state.get("_own_counted", (None,))[0] != key:
        st.session_state.pop("_own_counted", None)
        try:
            with st.spinner("Counting…"), uploads.reading(source.n_bytes):
                made = _count(counted_as(name), source)
                uploads.take_room(made)
        except ValueError as error:
            st.warning(_sentence(error), icon=":material/tune:")
            st.button("Count as usual", on_click=counting.choose, args=("",))
            st.stop()
        st.session_state["_own_counted"] = key, made
    return st.session_state["_own_counted"][1]


def failure(name: str) -> str:
    """Why a corpus cannot be read, in a sentence; empty if it can, or if it is not known yet."""
    future = _ended(counted_as(name))
    return "" if future is None or future.exception() is None else _sentence(future.exception())


@st.fragment(run_every=0.5)
def _wait(name: str, small: bool = False) -> None:
    key = counted_as(name)
    waited = time.monotonic() - _asked.get(key, time.monotonic())
    if key not in _futures or _ended(key):
        run_again()
    if small:
        st.caption(f"Reading its classes… {waited:.0f} s")
    else:
        hint = "The first time its words are counted; then it opens at once."
        st.info(f"Reading the corpus… {waited:.0f} s. {hint}", icon="spinner")


def line(name: str) -> None:
    """A small line while a corpus is read, for the sidebar of pages that do not wait for it."""
    if not ready(name) and not failure(name):
        _wait(name, small=True)
    elif failure(name):
        st.caption("It cannot be opened yet; the Data page says why.")


def _sentence(error: BaseException) -> str:
    if isinstance(error, ValueError):
        return capital(str(error))
    return f"This corpus could not be read ({type(error).__name__}); the server’s log has details."


def _say(name: str, error: BaseException) -> None:
    st.warning(_sentence(error), icon=":material/cloud_off:")
    with st.container(horizontal=True):
        if counting.text():
            st.button("Count as usual", icon=":material/undo:", on_click=counting.choose, args=("",))
        st.page_link("pages/data/data.py", label="Get it on the Data page", icon=":material/database:")
        if st.button("Try again", icon=":material/refresh:", help="Look for the corpus again."):
            forget(name)
            run_again()


@kept(64)
def _task(fingerprint: str, class_name: str, ratio: float, _vectorized: Any) -> Any:
    return _vectorized.task(class_name, ratio=ratio)


def task(dataset: str, class_name: str | None, ratio: float | None = None, documents: str = "all") -> Any:
    """The binary task of a class over a share of its terms (what ``selection.ratio`` says without one), where all test
    documents count or those with a known term; see ``vectorized`` for waiting and errors."""
    source = vectorized(dataset)
    if documents != source.documents:
        source = source.counting(documents)
    if class_name is None:  # the corpus came after the sidebar had been drawn without its classes
        run_again()
    ratio = selection.ratio(source) if ratio is None else ratio
    if dataset.startswith(uploads.PREFIX):
        return uploads.task(source, class_name, ratio)
    return _task(source.fingerprint, class_name, ratio, source)


@kept_of_corpus(12)
def _counts(fingerprint: str, _source: Any) -> dict[str, int]:
    positives = _source.labels_train.sum(axis=0)
    return {name: int(n) for name, n in zip(_source.class_names, positives, strict=True)}


def positives(dataset: str) -> dict[str, int]:
    """Training documents of every class of a corpus that is ready."""
    source = vectorized(dataset)
    return _counts(source.fingerprint, source)

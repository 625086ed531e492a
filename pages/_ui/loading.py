"""Corpora in the background: read and vectorised once for all sessions, while pages say what they wait for.

One copy of each corpus is shared by everyone and must be treated as immutable. Corpora that readers bring
are in ``reader.uploads``. Left out: freeing memory, since the catalogue's corpora together fit.
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import streamlit as st

from pages._ui import warm
from pages._ui.guard import capital
from pages._ui.reader import uploads
from pages._ui.streamlit_fixes.rerun import run_again

_pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="corpus")
_lock = threading.Lock()
_futures: dict[str, Future] = {}
_asked: dict[str, float] = {}


def _read(name: str) -> Any:
    warm.imported()
    from ltw_core.corpora import load
    from ltw_core.tasks import vectorize

    corpus = load(name)
    return vectorize(corpus, stop_words=corpus.language)


def ask(name: str) -> Future:
    """Start reading a corpus of the catalogue unless that has begun. A failure is forgotten by ``forget``."""
    with _lock:
        if name not in _futures:
            _futures[name] = _pool.submit(_read, name)
            _asked[name] = time.monotonic()
        return _futures[name]


def forget(name: str) -> None:
    """Read a corpus again next time (it failed, or it was fetched since)."""
    with _lock:
        _futures.pop(name, None)


def _ended(name: str) -> Future | None:
    """The reading of a corpus of the catalogue when it is over, None before."""
    future = _futures.get(name)
    return future if future is not None and future.done() else None


def ready(name: str) -> bool:
    """Whether a corpus is there at once."""
    if name.startswith(uploads.PREFIX):
        return name in uploads.visible()
    future = _ended(name)
    return future is not None and future.exception() is None


def begin(name: str, patience: float = 0.0) -> None:
    """Start reading, and give it a moment: most corpora come from the cache at once, without a waiting line."""
    if name.startswith(uploads.PREFIX):
        return
    wait_until(ask(name).done, patience)


def wait_until(done: Callable[[], bool], patience: float) -> None:
    """Wait for something, for so many seconds at most."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline and not done():
        time.sleep(0.01)


def vectorized(name: str) -> Any:
    """The corpus, or stop the page: with a sentence if it cannot be read, with a progress line while it is read."""
    if name.startswith(uploads.PREFIX):
        return uploads.visible()[name]
    future = ask(name)
    if not future.done():
        _wait(name)
        st.stop()
    error = future.exception()
    if error is not None:
        _say(name, error)
        st.stop()
    return future.result()


def failure(name: str) -> str:
    """Why a corpus cannot be read, in a sentence; empty if it can, or if it is not known yet."""
    future = _ended(name)
    return "" if future is None or future.exception() is None else _sentence(future.exception())


@st.fragment(run_every=0.5)
def _wait(name: str, small: bool = False) -> None:
    waited = time.monotonic() - _asked.get(name, time.monotonic())
    if name not in _futures or _ended(name):
        run_again()
    if small:
        st.caption(f"Reading its classes… {waited:.0f} s")
    else:
        told = "The first time its words are counted; then it opens at once."
        st.info(f"Reading the corpus… {waited:.0f} s. {told}", icon="spinner")


def line(name: str) -> None:
    """A small line while a corpus is read, for the sidebar of pages that do not wait for it."""
    if not ready(name) and not failure(name):
        _wait(name, small=True)
    elif failure(name):
        st.caption("It cannot be opened yet; the corpus page says why.")


def _sentence(error: BaseException) -> str:
    if isinstance(error, ValueError):
        return capital(str(error))
    return f"This corpus could not be read ({type(error).__name__}); the server's log has details."


def _say(name: str, error: BaseException) -> None:
    st.warning(_sentence(error), icon=":material/cloud_off:")
    with st.container(horizontal=True):
        st.page_link("pages/explore/corpus.py", label="Get it on the corpus page", icon=":material/database:")
        if st.button("Try again", icon=":material/refresh:", help="Look for the corpus again."):
            forget(name)
            run_again()


@st.cache_resource(max_entries=64, show_spinner=False)
def _task(fingerprint: str, class_name: str, ratio: float, _vectorized: Any) -> Any:
    return _vectorized.task(class_name, ratio=ratio)


def task(dataset: str, class_name: str | None, ratio: float = 0.1) -> Any:
    """The binary task of a class; see ``vectorized`` for waiting and errors."""
    source = vectorized(dataset)
    if class_name is None:  # the corpus came after the sidebar had been drawn without its classes
        run_again()
    return _task(source.fingerprint, class_name, ratio, source)


@st.cache_resource(max_entries=12, show_spinner=False)
def _counts(fingerprint: str, _vectorized: Any) -> dict[str, int]:
    positives = _vectorized.labels_train.sum(axis=0)
    return {name: int(n) for name, n in zip(_vectorized.class_names, positives, strict=True)}


def positives(dataset: str) -> dict[str, int]:
    """Training documents of every class of a corpus that is ready."""
    source = vectorized(dataset)
    return _counts(source.fingerprint, source)

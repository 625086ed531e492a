"""Fetching a corpus of the catalogue: why it is not here, a button, and the progress of the download."""

from typing import Any

import streamlit as st

from ltw_core.service.job import Job
from ltw_core.service.job_manager import manager
from pages._ui import jobs, loading
from pages._ui.guard import capital, plain
from pages._ui.reader import owners
from pages._ui.streamlit_fixes.rerun import run_again

KIND = "fetch"


def fetch_corpus(entry: Any, listed: bool = False) -> None:
    """Why a corpus is not here, and a button that fetches it; ``listed``: it is one of several."""
    if listed:
        st.markdown(f"**{plain(entry.title)}** — {plain(entry.summary)}")
    else:
        st.warning(f"**{plain(entry.title)}** is not on this server yet.", icon=":material/cloud_off:")
    job = _job(entry.name)
    if job is not None and job.active:
        _progress(entry.name)
        return
    if job is not None and job.status == "failed":
        st.error(capital(job.error), icon=":material/error:")
    if entry.downloadable:
        st.button(
            f"Fetch {entry.title}",
            type="secondary" if listed else "primary",
            icon=":material/cloud_download:",
            on_click=_fetch,
            args=(entry.name,),
            key=f"fetch-{entry.name}",
            help="Download the archive from its publisher into the server’s data folder.",
        )
    st.caption(plain(entry.needs))


def _job(name: str) -> Job | None:
    """This reader's latest download of a corpus."""
    return jobs.latest(KIND, lambda job: job.key == name)


def _fetch(name: str) -> None:
    def work(job: Job) -> None:
        from ltw_core.corpora import fetch

        def progress(done: int, total: int | None) -> None:
            job.emit((done, total))
            job.raise_if_stopped()

        fetch(name, progress)

    manager().submit(owners.current_owner(), KIND, name, work)


@st.fragment(run_every=0.5)
def _progress(name: str) -> None:
    job = _job(name)
    if job is None or not job.active:
        loading.forget(name)
        run_again()
    done, total = job.last or (0, None)
    text = f"{done / 2**20:.1f} MB" + (f" of {total / 2**20:.1f} MB" if total else "")
    st.progress(min(1.0, done / total) if total else 0.0, text=f"Fetching… {text}")
    st.button("Stop", icon=":material/stop:", on_click=manager().cancel, args=(job,), key=f"stop-{name}")

"""A reader's background jobs as pages show them: the latest of a kind, how far it is, and how it ended.

Leaves out training runs (``training``) and studies, which are processes of their own.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ltw_core.service.cells_on_demand import CellsProgress
from ltw_core.service.curve_on_demand import TELLING
from ltw_core.service.job import Job
from ltw_core.service.job_manager import JobManager, manager, manager_of_idle_work, managers
from ltw_core.studies.estimate import duration
from pages._ui import words
from pages._ui.controls import control
from pages._ui.guard import capital, plain, sentences
from pages._ui.reader import owners
from pages._ui.streamlit_fixes.rerun import run_again

TICK = 0.7  # seconds between two looks at a job
SHORT = 20.0  # seconds: what takes no longer, all of it, may be begun before anybody asks
BEGAN = "_run_began"  # when the last run of the whole page did
GIVEN_UP = "_given_up"  # keys of what was begun unasked and stopped
GOES_ON = "Stopped; what is done stays. The button above goes on."


class JobState(NamedTuple):
    """How far a job is: a share of it, and what stands on its bar, in Markdown."""

    share: float
    text: str


def latest(kind: str, wanted: Callable[[Job], bool]) -> Job | None:
    """This reader's latest job of a kind that is the wanted one."""
    return next((job for job in reversed(manager().of(owners.current_owner(), kind)) if wanted(job)), None)


def unasked(kind: str, key: str, wanted: Callable[[], bool], start: Callable[[JobManager], Job]) -> Job | None:
    """The job under ``key`` that no reader has asked for, as long as it is active.

    It is begun where it never was (what failed is not tried again), it is ``wanted`` and there is room for it:
    ``start`` submits it to the manager that it is given. Another one of its kind is given up.
    """
    idle, owner = manager_of_idle_work(), owners.current_owner()
    own = idle.of(owner, kind)
    for job in own:
        if job.active and job.key != key:
            idle.withdraw(job, owner)
    before = next((job for job in reversed(own) if job.key == key), None)
    if before is None and key not in st.session_state.get(GIVEN_UP, ()) and wanted():
        with suppress(ValueError):
            before = start(idle)
    return before if before is not None and before.active else None


def is_short(seconds: float | None) -> bool:
    """Whether what takes so long, None where that cannot be estimated, may be begun unasked: the rule of every page."""
    return seconds is not None and seconds <= SHORT


def takes(seconds: float | None) -> str:
    """In words about how long a computation takes, where that is known, and what comes before it."""
    said = "" if seconds is None else f"about {duration(max(seconds, 1))}"
    before, wait = manager().before(owners.current_owner())
    if before:
        said += ", " * bool(said) + f"after {words.count(before, 'other computation')}"
        said += "" if wait is None else f" (about {duration(max(wait, 1))})"
    return said


def give_up(job: Job) -> None:
    """What ``unasked`` has begun is stopped, but for others who wait for it, and not begun again. A callback."""
    st.session_state.setdefault(GIVEN_UP, set()).add(job.key)
    manager_of_idle_work().cancel(job, owners.current_owner())


def stop_button(where: Any, job: Job, stop: str, cancel: Callable | None = None, **options: Any) -> None:
    """The button that stops a job, by ``cancel`` where it is not the manager's; ``stop``: its control."""
    control(where.button, stop, on_click=cancel or manager().cancel, args=(job,), icon=":material/stop:", **options)


def going(job: Job, state: Callable[[], JobState]) -> None:
    """How far a job is, beside the button that stops it and no higher than that: nothing moves when it ends, which
    ``follow`` finds."""

    @st.fragment(run_every=owners.paced(TICK))
    def line() -> None:
        if job.status == "queued":
            st.progress(0.0, f"Waiting for its turn: {words.count(_ahead(job), 'job')} ahead of it")
        else:
            found = state()
            st.progress(min(1.0, found.share), found.text)

    line()


def _ahead(job: Job) -> int:
    """Jobs that start before it, whichever manager it is with."""
    return max(each.position(job) for each in managers())


def show(job: Job, stop: str, state: Callable[[], JobState], stopped: str = GOES_ON) -> None:
    """A line that says how a job is doing, with a button that stops it; or why it ended without a result.

    Parameters
    ----------
    job : Job
    stop : the control that stops it.
    state : asked while it runs.
    stopped : what to say when it was stopped; "" for nothing.
    """
    status, line = job.status, st
    if job.active:
        row = st.container(horizontal=True, vertical_alignment="center" if status == "queued" else "bottom")
        line = row.container()
        stop_button(row, job, stop)
    if status == "queued":
        ahead = words.count(_ahead(job), "job")
        line.info(f"Waiting for its turn: {ahead} ahead of it. You can leave this page and return.", icon="spinner")
    elif status == "running":
        found = state()
        line.progress(min(1.0, found.share), text=found.text)
    ended(job, stopped)


def ended(job: Job, stopped: str = GOES_ON) -> None:
    """Why a job ended without a result."""
    if job.status == "failed":
        st.error(capital(job.error), icon=":material/error:")
    elif job.status == "stopped" and stopped:
        st.info(stopped, icon=":material/stop_circle:")


def follow(job: Job | None, key: str, draw: Callable[[], None], every: float = TICK) -> None:
    """Draw what a job makes, again and again while it is active, and the whole page when it has ended.

    Parameters
    ----------
    job : Job or None
        None where there is nothing to wait for.
    key : names what is drawn, on this page.
    draw : errors of the core are shown as sentences.
    every : seconds.
    """

    active = expect_end_of(job, key)

    @st.fragment(run_every=owners.paced(every) if active else None)
    def view() -> None:
        if not (job is not None and job.active) and f"_{key}" in st.session_state:
            if _is_news(job, key):
                run_again(done=f"_{key}")
            st.session_state.pop(f"_{key}")
        with sentences():
            draw()

    view()


def expect_end(key: str) -> None:
    """Have ``follow`` draw the whole page once more when it finds the job ended, even where it never saw it active.

    To be called where a job was begun: it may end before ``follow`` is reached.
    """
    st.session_state[f"_{key}"] = time.time()


def _is_news(job: Job | None, key: str) -> bool:
    """Whether what stands above may be of before a job's end. Not in a run of the whole page that began later: there is
    nothing to draw anew, and a click that is looked at further down would be lost."""
    context, began = get_script_run_ctx(), st.session_state.get(BEGAN, 0.0)
    if context is None or context.fragment_ids_this_run:
        return True
    return max(st.session_state[f"_{key}"], (job.finished or 0.0) if job is not None else 0.0) >= began


def expect_end_of(job: Job | None, key: str) -> bool:
    """``expect_end`` of a job that is active; returns whether it is. For what stands above, before it asks for results:
    the job may end in between."""
    active = job is not None and job.active
    if active:
        expect_end(key)
    return active


def state_of_cells(progress: CellsProgress, name: Callable[[Any], str], known: int, total: int) -> JobState:
    """How far a computation of cells is; ``name`` says which one an item is; ``known``, ``total``: as of ``so_far``."""
    with progress.lock:
        now = list(progress.now.values())[:1]
    tells = progress.done >= TELLING * progress.total
    done = so_far(known, total, progress.left if tells else None)
    return JobState(known / max(total, 1), done + "".join(at(f"{name(item)}: {message}") for item, message in now))


def so_far(known: int, total: int, left: float | None) -> str:
    """How many of all that the page shows are known, and about how many seconds are ``left`` where that can be said."""
    return f"{known:,} of {total:,} known" + (f", about {duration(max(left, 1))} left" if left else "")


def at(now: str) -> str:
    """What is computed just now, behind how many are done; not where the line has no room: see style.css."""
    return f" *· {plain(now)}*" if now else ""


def failure(error: str) -> str:
    """Why a part of a job failed, in a sentence."""
    return "It failed unexpectedly; the server’s log has details." if "Traceback" in error else capital(error)

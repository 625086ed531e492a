"""Whose work it is, and when they are gone.

A browser owns what it started (``introduction`` says how it is known); one that is not known owns it for as long as its
session lasts. When the last session of a browser has been gone for a while, its work ends.
"""

import logging
import threading
import time
from collections.abc import Callable

from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ltw_core.service.job_manager import manager, managers
from ltw_core.settings import grace_seconds
from pages._ui.reader import introduction

log = logging.getLogger(__name__)

FEW = 10  # sessions at a time; more are a class

_lock = threading.Lock()
_sessions: dict[str, set[str]] = {}  # owner -> sessions in which it was seen


def session() -> str:
    """This browser session: a tab, until it is reloaded or closed."""
    context = get_script_run_ctx()
    return context.session_id if context else "nobody"


def current_owner() -> str:
    """The owner of whatever is started now: the browser, or the session until the browser is known."""
    return _seen(introduction.browser() or session())


def names() -> tuple[str, ...]:
    """All under which this reader may own something: browser and session."""
    return tuple(dict.fromkeys((current_owner(), _seen(session()))))


def _seen(owner: str) -> str:
    with _lock:
        _sessions.setdefault(owner, set()).add(session())
    return owner


def gone(owner: str) -> bool:
    """Whether no session of an owner is there any more."""
    with _lock:
        seen = set(_sessions.get(owner, ()))
    if not Runtime.exists():
        return not seen
    for absent in {s for s in seen if not is_here(s)}:
        with _lock:
            _sessions.get(owner, set()).discard(absent)  # the server may have forgotten them meanwhile
            seen.discard(absent)
    return not seen


def is_here(session: str) -> bool:
    """Whether a session is open."""
    return not Runtime.exists() or Runtime.instance().is_active_session(session)


def all_owners() -> set[str]:
    """All owners that were seen and not forgotten."""
    with _lock:
        return set(_sessions).union(*(manager.owners() for manager in managers()))


def sessions_present() -> int:
    """How many sessions were seen and are not known to be gone."""
    with _lock:
        return len(set().union(*_sessions.values()))


def paced(seconds: float, times: float = 3) -> float:
    """Seconds between two looks at what goes on: as many, or ``times`` as many where a class looks."""
    return seconds if sessions_present() <= FEW else times * seconds


def rest_after(seconds: float) -> float:
    """Seconds that work which nobody waits for rests after a step of so many: three times as long where a class is, or
    it would have one of two processors without a pause, and as often again for each further job that is waited for; a
    second at most (``ltw_core.service.job``).

    With three clicks a second from thirty clients and two training (tests.benchmarks.load, 2026-11-30) an answer took
    45 and 112 ms (median and 95th percentile) without such work, 54 to 65 and 168 to 183 when it had a page's priority
    and rested three times as long; with a lower priority 46 and 146, and 43 and 117 when it rested six times as long.
    """
    return 0.0 if sessions_present() <= FEW else 3 * max(1, manager().counts()[0]) * seconds


def forget(owner: str) -> None:
    """Drop what is known of an owner, unless one of its sessions has come back."""
    with _lock:
        if not _sessions.get(owner):
            _sessions.pop(owner, None)


def reap(release: Callable[[str], None], meanwhile: Callable[[], None]) -> None:
    """Release owners who have been gone for ``LTW_GRACE`` seconds, calling ``meanwhile`` each time; never returns."""
    absent: dict[str, float] = {}
    grace = grace_seconds()
    while True:
        time.sleep(min(5.0, grace / 2))
        if not Runtime.exists():
            continue
        try:
            meanwhile()
            now = time.monotonic()
            absent = {owner: absent.get(owner, now) for owner in all_owners() if gone(owner)}
            for owner in [o for o, since in absent.items() if now - since >= grace]:
                release(owner)
                forget(owner)
                del absent[owner]
        except Exception:  # the thread must live as long as the server, whatever one look meets
            log.exception("looking for readers who are gone failed")

"""A run's last messages reach the browser, even where the next run begins in the same moment.

Streamlit hands what a script has to say to the server's loop, message by message, and its ``AppSession`` drops what
comes from a script that is not the current one any more. A script that has just ended may have messages under way, and
on a busy server a click or a fragment's timer arrives before them now and then: the page lacks its end until it is run
again, and where the message that starts a timer was among them, a training's figures stand still. Here they are all
taken in before the next script begins.
Seen in 1.67.0, where a comment of ``AppSession.request_rerun`` describes the loss. To be deleted when
``tests/pages/test_last_messages.py`` finds the last words without it.
"""

import functools
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from streamlit.runtime.app_session import AppSession

log = logging.getLogger(__name__)

PARTS = ("_call_soon_on_event_loop", "_create_scriptrunner")


def _under_way(session: AppSession) -> deque[Callable[[], None]]:
    return session.__dict__.setdefault("_ltw_under_way", deque())


def _take_in(under_way: deque[Callable[[], None]]) -> None:
    """Take in the oldest message, unless all have been."""
    if under_way:
        under_way.popleft()()


def _wrap() -> None:
    soon, begin = (getattr(AppSession, name) for name in PARTS)

    @functools.wraps(soon)
    def later(session: AppSession, callback: Callable[[], None]) -> None:
        under_way = _under_way(session)
        under_way.append(callback)
        soon(session, functools.partial(_take_in, under_way))

    @functools.wraps(begin)
    def begin_after(session: AppSession, *args: Any) -> None:
        under_way = _under_way(session)
        while under_way:
            _take_in(under_way)
        begin(session, *args)

    AppSession._call_soon_on_event_loop, AppSession._create_scriptrunner = later, begin_after


if all(hasattr(AppSession, name) for name in PARTS):
    _wrap()
else:
    log.warning("this version of Streamlit is not known; pages may now and then lack their last part until reloaded")

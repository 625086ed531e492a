"""A run's messages reach the browser in few steps, and all of them, even where the next run begins in the same moment.

Streamlit hands what a script has to say to the server's loop, message by message, and wakes it for each: for pages of
fifty messages a tenth of the time. Here they wait for each other for a hundredth of a second, or until the run ends.

And its ``AppSession`` drops what comes from a script that is not the current one any more. A script that has just ended
may have messages under way, and on a busy server a click or a fragment's timer arrives before them now and then: the
page lacks its end until it is run again, and where the message that starts a timer was among them, a training run's
figures stand still. Here they are all taken in before the next script begins.
Seen in 1.67.0, where a comment of ``AppSession.request_rerun`` describes the loss. To be deleted when
``tests/pages/test_last_messages.py`` finds the last words without it.
"""

import asyncio
import functools
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from streamlit.runtime.app_session import AppSession
from streamlit.runtime.scriptrunner import ScriptRunnerEvent

log = logging.getLogger(__name__)

PARTS = ("_call_soon_on_event_loop", "_create_scriptrunner", "_on_scriptrunner_event")
TAKEN_IN = "_handle_scriptrunner_event_on_event_loop"
WAIT = 0.01  # seconds
PATIENT = (ScriptRunnerEvent.SCRIPT_STARTED, ScriptRunnerEvent.ENQUEUE_FORWARD_MSG)


class _UnderWay(deque):
    """Messages of a session that its loop has not taken in; ``expected``: it will, in a moment."""

    expected = False

    def take_in(self) -> None:
        self.expected = False  # first, so that what comes now is seen either here or by another call
        while self:
            try:
                self.popleft()()
            except Exception:  # the others are to arrive all the same
                log.exception("a message was lost")


def _under_way(session: AppSession) -> _UnderWay:
    return session.__dict__.setdefault("_ltw_under_way", _UnderWay())


def _wrap() -> None:
    soon, begin, happened, handle = (getattr(AppSession, name) for name in (*PARTS, TAKEN_IN))

    @functools.wraps(soon)
    def now(session: AppSession, callback: Callable[[], None]) -> None:
        under_way = _under_way(session)
        under_way.append(callback)
        soon(session, under_way.take_in)

    @functools.wraps(happened)
    def in_a_moment(session: AppSession, sender: Any, event: ScriptRunnerEvent, *told: Any, **more: Any) -> None:
        if event not in PATIENT:
            return happened(session, sender, event, *told, **more)
        under_way = _under_way(session)
        under_way.append(lambda: handle(session, sender, event, *told, **more))
        if not under_way.expected:
            under_way.expected = True
            soon(session, lambda: asyncio.get_running_loop().call_later(WAIT, under_way.take_in))

    @functools.wraps(begin)
    def begin_after(session: AppSession, *args: Any) -> None:
        _under_way(session).take_in()
        begin(session, *args)

    for name, instead in zip(PARTS, (now, begin_after, in_a_moment), strict=True):
        setattr(AppSession, name, instead)


if all(hasattr(AppSession, name) for name in (*PARTS, TAKEN_IN)):
    _wrap()
else:
    log.warning("this version of Streamlit is not known; pages may now and then lack their last part until reloaded")

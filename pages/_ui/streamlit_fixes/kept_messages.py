"""A large element that the browser has already is not put together again.

Streamlit sends a reference in place of a message that the browser keeps, but finds out only when it has the message:
after copying, serialising and hashing it. Of a figure of a megabyte that is half of a page's processor time. Here the
hash of what an element was sent as is remembered with what it was made of, and an empty one goes through Streamlit's
code in its place, up to the point where the reference is made. Whether the browser has it, it says itself, with each
click. Seen in 1.67.0. To be deleted when an element's content can be given by a name that the browser is asked for.
"""

import contextlib
import functools
import hashlib
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass

import streamlit as st
from cachetools import LRUCache
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext, ThreadState

_STATE = "_sent"
REMEMBERED = 100  # elements of a session
_element: ContextVar["_Element | None"] = ContextVar("element", default=None)


@dataclass
class _Element:
    """What an element's message was, or comes to be: "" where it is not known."""

    hash: str = ""


@contextlib.contextmanager
def kept_message(key: str, *content: bytes) -> Iterator[bool]:
    """In the block one element is drawn; gives whether the browser has it, so that it may be drawn without content.

    Parameters
    ----------
    key : the element's own.
    *content : all that it is made of, or digests of it.
    """
    context = get_script_run_ctx()
    if context is None:
        yield False
        return
    sent: LRUCache[tuple, str] = st.session_state.setdefault(_STATE, LRUCache(REMEMBERED))
    thread, digest = ThreadState.get(), hashlib.blake2b(b"\0".join(content), digest_size=20).digest()
    made_of = (key, digest, thread.active_script_hash, thread.fragment_id)
    known = sent.get(made_of, "")
    element = _Element(known if known in context.cached_message_hashes else "")
    token = _element.set(element)
    try:
        yield bool(element.hash)
    finally:
        _element.reset(token)
    sent[made_of] = element.hash


_enqueue = ScriptRunContext.enqueue


@functools.wraps(_enqueue)
def _enqueue_known(context: ScriptRunContext, message: ForwardMsg) -> None:
    element = _element.get()
    if element is not None and message.delta.WhichOneof("type") == "new_element":
        if element.hash:  # that of the message with its content: Streamlit makes a reference of it
            message.hash, message.metadata.cacheable = element.hash, True
        _enqueue(context, message)
        element.hash = message.hash
    else:
        _enqueue(context, message)


ScriptRunContext.enqueue = _enqueue_known

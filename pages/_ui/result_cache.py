"""Results that are made once for everybody, by what they were made of: ``st.cache_resource`` without its hashing.

Streamlit looks a function's signature up and digests its arguments on every call, which takes as long as many a part of
a page. Here arguments are compared as they are, and so must be hashable. Left out: replaying elements that were drawn.
"""

import functools
import inspect
import threading
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import streamlit as st
from cachetools import LRUCache, cached


def kept(most: int, spinner: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Keep the results of a function that were asked for last; of several who ask at once one makes it.

    Parameters
    ----------
    most : how many are kept.
    spinner : shown while one is made.

    Arguments are given by position; those whose name begins with an underscore do not tell results apart. Its
    ``clear()`` forgets all.
    """

    def decorate(make: Callable[..., Any]) -> Callable[..., Any]:
        names = inspect.signature(make).parameters
        telling = [place for place, name in enumerate(names) if not name.startswith("_")]

        cleared = [0]  # what is being made as all is forgotten is made of what was before: nobody finds it

        @cached(
            LRUCache(most),
            key=lambda *given: (cleared[0], *(given[place] for place in telling)),
            condition=threading.Condition(),
        )
        @functools.wraps(make)
        def once(*given: Any) -> Any:
            with st.spinner(spinner) if spinner else nullcontext():
                return make(*given)

        def clear() -> None:
            cleared[0] += 1
            once.cache_clear()

        once.clear = clear
        return once

    return decorate

"""What was made of tables that readers brought: in the session of whoever looks at one, and gone when the table is.

So no result that holds anything of such a table is kept for others, as ``kept`` keeps what is made of the catalogue's.
"""

import functools
import inspect
from collections import OrderedDict
from collections.abc import Callable, Container
from typing import Any

import streamlit as st

from pages._ui.result_cache import kept

PREFIX = "own-"  # of identifiers
MOST = 8  # of a kind that are at hand, of each table

MadeOfTable = dict[str, OrderedDict]


def key_of(source: Any) -> str:
    """The identifier of a vectorised table."""
    return PREFIX + source.corpus.fingerprint[:8]


def is_table(source: Any) -> bool:
    """Whether a vectorised corpus is a reader's table, and not of the catalogue."""
    return source.corpus.name.startswith("table-")  # as ``TableSource.name`` promises


def of(source: Any, kind: str, key: Any, make: Callable[[], Any], most: int = MOST) -> Any:
    """What was made of a table before, or is made now; of each kind those that were asked for last are kept.

    Parameters
    ----------
    source : the vectorised table; what was made of another copy of it, and refers to that, is made again.
    kind, key : name the result.
    most : how many of the kind are kept.
    """
    results = _of_tables().setdefault(key_of(source), {}).setdefault(kind, OrderedDict())
    found = results.pop(key, None)
    if found is None or getattr(found, "vectorized", source) is not source:
        found = make()
    results[key] = found
    while len(results) > most:
        results.popitem(last=False)
    return found


def take(key: str) -> MadeOfTable:
    """Forget what was made of a table, and return it, so that ``give_back`` can undo it."""
    return _of_tables().pop(key, {})


def give_back(key: str, found: MadeOfTable) -> None:
    """Undo ``take``."""
    _of_tables()[key] = found


def keep_only(keys: Container[str]) -> None:
    """Forget what was made of other tables than these."""
    for key in [key for key in _of_tables() if key not in keys]:
        take(key)


def _of_tables() -> dict[str, MadeOfTable]:
    return st.session_state.setdefault("_made_of_tables", {})


def kept_of_corpus(most: int, spinner: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """As ``kept``, for what is made of a corpus: what is made of a reader's table stays in the session.

    The function has a parameter ``_source``, a vectorised corpus, or ``_task``, one of its tasks.
    """

    def decorate(make: Callable[..., Any]) -> Callable[..., Any]:
        names = list(inspect.signature(make).parameters)
        telling = [place for place, name in enumerate(names) if not name.startswith("_")]
        corpus = names.index("_source" if "_source" in names else "_task")
        for_all, kind = kept(most, spinner)(make), f"{make.__module__}.{make.__qualname__}"

        @functools.wraps(make)
        def once(*given: Any) -> Any:
            source = getattr(given[corpus], "vectorized", given[corpus])
            if not is_table(source):
                return for_all(*given)
            return of(source, kind, tuple(given[place] for place in telling), lambda: make(*given), min(most, MOST))

        once.clear = for_all.clear
        return once

    return decorate

"""A fragment's place on the page is copied once, and not once for every container around it.

``st.fragment`` copies the containers that it lies in on every run, and each of them copies all those around it anew: a
tenth of the time of a page with a fragment in a fragment. Here the copies of one place have parts in common where the
containers have.
Seen in 1.67.0. To be deleted when ``DeltaGenerator.__deepcopy__`` passes its memory on.
"""

import functools
import logging
from contextvars import ContextVar
from copy import deepcopy
from typing import Any

from streamlit import delta_generator
from streamlit.delta_generator import DeltaGenerator

log = logging.getLogger(__name__)

_memory: ContextVar[dict[int, Any] | None] = ContextVar("memory", default=None)


def _copy(value: Any) -> Any:
    return deepcopy(value, _memory.get())


def _wrap() -> None:
    plain = DeltaGenerator.__deepcopy__

    @functools.wraps(plain)
    def copied(container: DeltaGenerator, memory: dict[int, Any]) -> DeltaGenerator:
        token = _memory.set(memory)
        try:
            return plain(container, memory)
        finally:
            _memory.reset(token)

    DeltaGenerator.__deepcopy__, delta_generator.deepcopy = copied, _copy


if getattr(delta_generator, "deepcopy", None) is deepcopy:
    _wrap()
else:
    log.warning("this version of Streamlit is not known; pages with fragments take somewhat longer")

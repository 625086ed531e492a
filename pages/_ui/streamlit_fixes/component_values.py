"""What a component tells, without a class made for it.

Streamlit makes a new class whenever what a component tells is looked up, so that it can be written to: at 0.05 ms a
look-up a thirtieth of a page's processor time, and as many classes for the garbage collection to find. Here it is a
dictionary of one class, which leaves writing, and what was triggered, to Streamlit's.
Seen in 1.67.0. To be deleted when ``presentation.py`` makes no class in ``_present``.
"""

import functools
import logging
from collections.abc import Callable
from typing import Any, Self

from streamlit.components.v2.bidi_component import main
from streamlit.runtime.state import SessionState

log = logging.getLogger(__name__)

VALUES = "_new_widget_state"


class Told(dict):
    """What a component tells, by name, also as attributes; ``whole`` makes Streamlit's, which is written to."""

    def __init__(self, told: dict, whole: Callable[[], Any]):
        super().__init__(told)
        self.__dict__["_whole"] = functools.cache(whole)  # one: what is written to a second one would undo the first

    def __getattr__(self, name: str) -> Any:
        return self.get(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __setitem__(self, name: str, value: Any) -> None:
        self._whole()[name] = value
        self._as_written()

    def __delitem__(self, name: str) -> None:
        del self._whole()[name]
        self._as_written()

    def _as_written(self) -> None:
        self.clear()
        self.update(self._whole())  # which leaves out what no callback is for

    def __deepcopy__(self, _: dict) -> Self:
        return self


def _wrap() -> None:
    make = main.make_bidi_component_presenter

    @functools.wraps(make)
    def without_class(triggers: str, *more: Any) -> Callable[[Any, Any], Any]:
        whole = make(triggers, *more)

        def present(told: Any, state: Any) -> Any:
            values = getattr(state, VALUES)
            triggered = values.states.get(triggers)
            plain = isinstance(told, dict) and triggers in values.widget_metadata
            if not plain or (triggered is not None and triggered.value):
                return whole(told, state)
            return Told(told, lambda: whole(told, state))

        return present

    main.make_bidi_component_presenter = without_class


if hasattr(main, "make_bidi_component_presenter") and VALUES in SessionState.__dataclass_fields__:
    _wrap()
else:
    log.warning("this version of Streamlit is not known; pages with figures may take longer than they need to")

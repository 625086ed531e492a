"""One value of the session's state without all of them.

``st.selectbox``, ``st.number_input``, ``st.slider`` and text inputs ask for all values of the session to look at one,
and Streamlit looks up each of them in turn: a fifth of a page's processor time. Here they get what looks up the one
that is asked for.
Seen in 1.67.0. To be deleted when ``selectbox.py`` no longer reads ``filtered_state``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from streamlit.runtime.state import SafeSessionState

_everything = SafeSessionState.filtered_state


class _State(Mapping):
    """The state by its user's keys, each value looked up when it is asked for."""

    def __init__(self, state: SafeSessionState):
        self._state = state

    def __getitem__(self, key: str) -> Any:
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(_everything.fget(self._state))

    def __len__(self) -> int:
        return len(_everything.fget(self._state))

    def __repr__(self) -> str:
        return repr(_everything.fget(self._state))


SafeSessionState.filtered_state = property(_State)

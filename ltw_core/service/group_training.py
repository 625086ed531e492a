"""Several training runs of one class, learned side by side while each is a background job of its own.

The first job that waits starts them all, in a thread that belongs to none of them; each job ends when its own training
does. Leaves out which engine that takes (``weighting.learned.engines.engine_choice``).
"""

import threading
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from ltw_core.weighting.learned import fit_many


class Member(NamedTuple):
    """One training run of a group: see ``GroupTraining.add``."""

    weighting: Any
    listener: Callable[[Any], bool]
    should_stop: Callable[[], bool]
    is_paused: Callable[[], bool]
    ended: threading.Event


class GroupTraining:
    """Several training runs of one class learned in one lockstep.

    First `add` each, then `close`; the jobs may `wait` from the beginning.

    Parameters
    ----------
    data : (X, y, validation)
        As for ``LearnedWeighting.fit``.
    engine, device : str
        As for ``choose``.
    """

    def __init__(self, data: tuple, engine: str, device: str):
        self._data, self._where = data, (engine, device)
        self._members: dict[Hashable, Member] = {}
        self._closed, self._lock = threading.Event(), threading.Lock()
        self._thread, self._error = None, None

    def add(
        self,
        name: Hashable,
        weighting: Any,
        listener: Callable,
        should_stop: Callable[[], bool],
        is_paused: Callable[[], bool] = lambda: False,
    ) -> None:
        """One more training.

        Parameters
        ----------
        weighting : LearnedWeighting
            Not fitted; its parameters are those of the others but for the seed.
        listener : callable
            Called with each ``Event``, in the thread that learns: it does not wait. Returning True ends this training.
        should_stop : callable
            Asked between validations; returning True ends this training there.
        is_paused : callable
            Asked at its validations; as long as it returns True this training waits there, and the others go on.
        """
        self._members[name] = Member(weighting, listener, should_stop, is_paused, threading.Event())

    def __contains__(self, name: Hashable) -> bool:
        return name in self._members

    def close(self) -> None:
        """Say that there are no more to add."""
        self._closed.set()

    def wait(self, name: Hashable) -> Any:
        """The weighting of that name, once it is fitted; the first call starts all of them.

        Raises
        ------
        What the run raised.
        """
        self._closed.wait()
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._learn, name="group-training", daemon=True)
                self._thread.start()
        member = self._members[name]
        member.ended.wait()
        if not hasattr(member.weighting, "cd_"):
            raise self._error
        return member.weighting

    def _learn(self) -> None:
        members = list(self._members.values())
        try:
            fit_many(
                [member.weighting for member in members],
                [self._data],
                *self._where,
                on_event=lambda index, event: members[index].listener(event),
                on_end=lambda index, _: members[index].ended.set(),
                should_stop=lambda index: members[index].should_stop(),
                is_paused=lambda index: members[index].is_paused(),
            )
        except BaseException as error:  # every job that waits raises it
            self._error = error
        finally:
            for member in members:
                member.ended.set()

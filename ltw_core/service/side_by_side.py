"""Several trainings of one class that are learned side by side while each is a background job of its own.

The first job that waits has them all learned, in a thread that belongs to none of them; each job ends when its own
training does. Leaves out which engine that takes (``weighting.learned.choice``).
"""

import threading
from collections.abc import Callable, Hashable
from typing import Any


class Together:
    """See the module. First `add` each, then `seal`; the jobs may `wait` from the beginning.

    Parameters
    ----------
    data : (X, y, validation)
        As for ``LearnedWeighting.fit``.
    engine, device : str
        As for ``choose``.
    """

    def __init__(self, data: tuple, engine: str, device: str):
        self._data, self._where = data, (engine, device)
        self._names: list[Hashable] = []
        self._weightings: list[Any] = []
        self._listeners: list[Callable] = []
        self._told: list[Callable[[], bool]] = []
        self._ended: list[threading.Event] = []
        self._sealed, self._lock = threading.Event(), threading.Lock()
        self._thread, self._error = None, None

    def add(self, name: Hashable, weighting: Any, listener: Callable, should_stop: Callable[[], bool]) -> None:
        """One more training.

        Parameters
        ----------
        weighting : LearnedWeighting
            Not fitted; its parameters are those of the others but for the seed.
        listener : callable
            Called with each ``Event``, in the thread that learns; returning True ends this training.
        should_stop : callable
            Asked between validations; returning True ends this training there.
        """
        self._names.append(name)
        self._weightings.append(weighting)
        self._listeners.append(listener)
        self._told.append(should_stop)
        self._ended.append(threading.Event())

    def holds(self, name: Hashable) -> bool:
        return name in self._names

    def seal(self) -> None:
        """There are no more to add."""
        self._sealed.set()

    def wait(self, name: Hashable) -> Any:
        """The weighting of that name, once it is fitted; the first call has all of them learned.

        Raises
        ------
        What the training raised.
        """
        self._sealed.wait()
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._learn, name="together", daemon=True)
                self._thread.start()
        index = self._names.index(name)
        self._ended[index].wait()
        if not hasattr(self._weightings[index], "cd_"):
            raise self._error
        return self._weightings[index]

    def _learn(self) -> None:
        try:
            from ltw_core.weighting.learned.engines.lockstep.lockstep import fit_together  # imports torch

            fit_together(
                self._weightings,
                [self._data],
                *self._where,
                on_event=lambda index, event: self._listeners[index](event),
                on_end=lambda index, _: self._ended[index].set(),
                should_stop=lambda index: self._told[index](),
            )
        except BaseException as error:  # it is told to every job that waits
            self._error = error
        finally:
            for ended in self._ended:
                ended.set()

"""A surface that several classes share, at the places of each one's terms: for one formula that does for all of them.

The scale of a weighting means nothing within a class, so each class has its own; every measure is the mean over classes
of what ``Target`` says of each.
"""

from collections.abc import Callable, Iterable
from functools import cached_property

import numpy as np

from ltw_core.insight.symbolic.target import Target

DOCUMENTS = 200  # of a class's sample


class SharedTarget:
    """A surface to be put into one formula; used as a ``Target`` is.

    Parameters
    ----------
    parts : iterable of Target
        One a class, at least one.
    """

    def __init__(self, parts: Iterable[Target]):
        self.parts = tuple(parts)

    @classmethod
    def of(cls, surface: Callable, tasks: Iterable, *, size: int = DOCUMENTS, seed: int = 0) -> "SharedTarget":
        """The target of a cd function, ``f(tpr, fpr, p, N)``, on the terms of each task, with samples of its training
        documents."""
        at = lambda task: surface(task.tpr, task.fpr, task.prevalence, task.n_documents)  # noqa: E731
        return cls(Target.of(at(task), task, size=size, seed=seed) for task in tasks)

    @cached_property
    def cd(self) -> np.ndarray:
        """The surface at all terms of all classes."""
        return np.concatenate([part.cd for part in self.parts])

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """The variables of a formula at the distinct places of all classes, each of shape (places,)."""
        each = [part.columns for part in self.parts]
        return {name: np.concatenate([columns[name] for columns in each]) for name in each[0]}

    @cached_property
    def _ends(self) -> np.ndarray:
        return np.cumsum([len(part.columns["N"]) for part in self.parts])[:-1]

    def _each(self, values) -> Iterable[tuple[Target, np.ndarray]]:
        values = np.broadcast_to(values, self.columns["N"].shape)
        return zip(self.parts, np.split(values, self._ends), strict=True)

    def values(self, function) -> np.ndarray:
        """A cd function, ``f(tpr, fpr, p, N)``, at the places of each class with its own p and N."""
        each = [np.broadcast_to(part.values(function), part.columns["N"].shape) for part in self.parts]
        return np.concatenate(each)

    def fit(self, values: np.ndarray) -> float:
        """Mean squared cosine over classes, in [0, 1]."""
        return float(np.mean([part.fit(of) for part, of in self._each(values)]))

    def residual(self, values: np.ndarray) -> np.ndarray:
        """What the best proportional fit of each class leaves: its square sums to 1 - fit."""
        return np.concatenate([part.residual(of) for part, of in self._each(values)]) / np.sqrt(len(self.parts))

    def sign(self, values: np.ndarray) -> float:
        """-1 for what is upside down in most classes."""
        return -1.0 if sum(part.sign(of) for part, of in self._each(values)) < 0 else 1.0

    def likeness(self, function) -> float:
        """Mean alignment over classes."""
        return float(np.mean([part.likeness(function) for part in self.parts]))

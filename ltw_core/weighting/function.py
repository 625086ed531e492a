"""A cd or dd function with what is to be said about it: formula, source, a worked example, and what to keep in mind."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, repr=False)
class Function:
    """A cd or dd function and how to show it. Calling it calls ``compute``.

    Attributes
    ----------
    name : str
        Key in ``CD`` or ``DD``.
    compute : callable
        cd: ``f(tpr, fpr, p, n)``; dd: ``f(frequency, length, mean_length)``. Arrays in, array out.
    symbol : str
        Short, for axes and legends; the name if not given.
    formula, latex : str
        The same formula as text and as LaTeX (without dollar signs).
    source : str
        Where the formula is from.
    note : str
        One sentence on what to keep in mind.
    worked : str or callable
        cd: the formula with numbers in it, see ``worked_examples``; empty to show the formula as it is.
    caveat_of : callable, optional
        cd: ``f(task)`` gives a sentence on the function with the numbers of a class, see ``caveats``.
    signed : bool
        Whether values can be negative.
    supervised : bool
        Whether it tells the class apart, and so needs labels.
    floor : float
        What ``TermWeighting`` gives to terms whose cd is 0, so that no document becomes empty.
    """

    name: str
    compute: Callable
    formula: str
    latex: str
    source: str
    note: str
    symbol: str = ""
    worked: str | Callable = ""
    caveat_of: Callable | None = None
    signed: bool = False
    supervised: bool = False
    floor: float = 0.0

    def __post_init__(self):
        object.__setattr__(self, "symbol", self.symbol or self.name)

    def __call__(self, *arguments, **options):
        return self.compute(*arguments, **options)

    def at_rates(self, tpr, fpr, p, n) -> np.ndarray:
        """A cd at each pair of rates, also where it looks at neither: ndarray of float64 of their common shape."""
        shape = np.broadcast_shapes(np.shape(tpr), np.shape(fpr))
        return np.broadcast_to(np.asarray(self(tpr, fpr, p, n), dtype=float), shape)

    def __repr__(self):
        return f"<{self.symbol}: {self.formula}>" if self.symbol != self.formula else f"<{self.symbol}>"

    def caveat(self, task) -> str:
        """What to keep in mind for a class, in a sentence with its numbers; empty where there is nothing to say.

        Parameters
        ----------
        task : BinaryTask or TermStatistics
            Anything with terms, rates, counts, prevalence and number of documents.
        """
        return self.caveat_of(task) if self.caveat_of is not None and len(task.terms) else ""

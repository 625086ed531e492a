"""A cd or dd function with what is to be said about it: formula, source, and one honest sentence."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Function:
    """A cd or dd function and how to show it. Calling it calls ``compute``.

    Attributes
    ----------
    name : str
        Key in ``CD`` or ``DD``.
    compute : callable
        cd: ``f(tpr, fpr, p, n)``; dd: ``f(frequency, length, mean_length)``. Arrays in, array out.
    symbol : str
        Short, for axes and legends.
    formula, latex : str
        The same formula as text and as LaTeX (without dollar signs).
    source : str
        Where the formula is from.
    note : str
        One sentence on what to keep in mind.
    signed : bool
        Whether values can be negative.
    supervised : bool
        Whether it tells the class apart, and so needs labels.
    floor : float
        What ``TermWeighting`` gives to terms whose cd is 0, so that no document becomes empty.
    """

    name: str
    compute: Callable
    symbol: str
    formula: str
    latex: str
    source: str
    note: str
    signed: bool = False
    supervised: bool = False
    floor: float = 0.0

    def __call__(self, *arguments, **options):
        return self.compute(*arguments, **options)

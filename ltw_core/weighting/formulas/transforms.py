"""Monotone transforms of a cd function: terms keep their ranking, and get other weights."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ltw_core.weighting.function import Function

POWER, LOGARITHM = "power(", "logarithm("  # how their names begin


@dataclass(frozen=True)
class Transformed:
    """sign(cd)·change(|cd|); call it like the function it is made of."""

    base: Function
    change: Callable[[np.ndarray], np.ndarray]

    def __call__(self, tpr, fpr, p, n):
        """Weights for broadcast arguments as in ``cd``."""
        values = np.asarray(self.base(tpr, fpr, p, n))
        return (np.sign(values) * self.change(np.abs(values)))[()]


def power_of(base: Function, k: float) -> Function:
    """sign(cd)·|cd|**k, for k > 0."""
    if not k > 0:
        raise ValueError(f"k is {k}; it must be positive, or the ranking of terms would change")
    if k == 1:
        return base
    name = f"{POWER}{float(k)!r}, {base.name})"
    return _transformed(base, partial(_raised, k=k), name, f"{{}}^{k:.3g}", rf"\left({{}}\right)^{{{{{k:.3g}}}}}")


def logarithm_of(base: Function) -> Function:
    """sign(cd)·ln(1 + |cd|)."""
    return _transformed(base, np.log1p, f"{LOGARITHM}{base.name})", "ln(1 + {})", r"\ln\left(1+{}\right)")


def _raised(values: np.ndarray, k: float) -> np.ndarray:
    return values**k


def _transformed(base: Function, change: Callable, name: str, shown: str, latex: str) -> Function:
    """The transform with what is to be said of it; ``shown`` and ``latex`` have a place for what is transformed."""
    inner = base.formula if shown.startswith("ln") else f"({base.formula})"
    return replace(
        base,
        name=name,
        compute=Transformed(base, change),
        symbol=shown.format(base.symbol).replace(" + ", "+"),
        formula=shown.format(inner),
        latex=latex.format(base.latex),
        source=f"{base.source} Transformed.",
        worked="",
        caveat_of=None,
        note=f"It ranks terms exactly as {base.symbol} does, and weighs them differently.",
    )

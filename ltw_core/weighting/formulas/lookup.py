"""What a name or text stands for: a function of the tables, a typed formula, heights, or a transform of one of these.

Every ``Function.name`` is such a text, so that what a reader made can be written into files and read back. Transforms
are monotone: terms keep their ranking, and get other weights.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ltw_core.storage.file_schema import shown
from ltw_core.weighting.formulas.evaluation import LARGEST
from ltw_core.weighting.formulas.parser import ExpressionError, formula, is_formula
from ltw_core.weighting.formulas.spline import heights_of
from ltw_core.weighting.function import Function
from ltw_core.weighting.functions import CD, DD
from ltw_core.weighting.other_forms import OTHER_FORMS

LENGTH_LIMIT = 2_000
POWER, LOGARITHM = "power(", "logarithm("  # how the names of transforms begin


def cd_function(cd: str | Function) -> Function:
    """The cd ``Function`` of a name, a typed formula or the name of a spline or transform; a ``Function`` is returned.

    Raises
    ------
    ValueError
        For an unknown name, or a formula that cannot be read.
    """
    if isinstance(cd, str) and cd in OTHER_FORMS and cd not in CD:
        return OTHER_FORMS[cd]
    if isinstance(cd, str) and cd not in CD and len(cd) <= LENGTH_LIMIT:
        if cd.startswith(LOGARITHM) and cd.endswith(")"):
            return logarithm(cd[len(LOGARITHM) : -1])
        if cd.startswith(POWER) and cd.endswith(")"):
            exponent, _, base = cd[len(POWER) : -1].partition(", ")
            return power(base, _number(exponent, cd))
        surface = heights_of(cd)
        if surface is not None:
            return surface
        if is_formula(cd):
            try:
                return formula(cd)
            except ExpressionError as error:
                raise ValueError(f"cd {shown(cd)} cannot be read as a formula: {error}") from error
    return _row(cd, CD, "cd")


def dd_function(dd: str | Function) -> Function:
    """The dd ``Function`` of a name; a ``Function`` is returned as it is.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    return _row(dd, DD, "dd")


@dataclass(frozen=True)
class Transformed:
    """sign(cd)·change(|cd|), cut at ``LARGEST``; call it like the function it is made of."""

    base: Function
    change: Callable[[np.ndarray], np.ndarray]

    def __call__(self, tpr, fpr, p, n):
        """Weights for broadcast arguments as in ``cd``."""
        values = np.asarray(self.base(tpr, fpr, p, n))
        with np.errstate(over="ignore"):
            changed = np.minimum(self.change(np.abs(values)), LARGEST)
        return (np.sign(values) * changed)[()]


def power(cd: str | Function, k: float) -> Function:
    """The monotone transform sign(cd)·|cd|**k of a name or ``Function``, for k > 0: equal rankings, unequal weights.

    References
    ----------
    The paper's section "Pitfalls in Supervised Term Weighting Functions", with k = 3 and k = ⅓ of IG.
    """
    base = cd_function(cd)
    if not 0 < k < np.inf:
        raise ValueError(f"k is {k}; it must be a positive number, or the ranking of terms would change")
    if k == 1:
        return base
    return _transformed(
        base,
        partial(_raised, k=k),
        name=f"{POWER}{float(k)!r}, {base.name})",
        symbol=f"{base.symbol}^{k:.3g}",
        formula=f"({base.formula})^{k:.3g}",
        latex=rf"\left({base.latex}\right)^{{{k:.3g}}}",
    )


def logarithm(cd: str | Function) -> Function:
    """The monotone transform sign(cd)·ln(1 + |cd|) of a name or ``Function``: equal rankings, unequal weights."""
    base = cd_function(cd)
    return _transformed(
        base,
        np.log1p,
        name=f"{LOGARITHM}{base.name})",
        symbol=f"ln(1+{base.symbol})",
        formula=f"ln(1 + {base.formula})",
        latex=rf"\ln\left(1+{base.latex}\right)",
    )


def _transformed(base: Function, change: Callable, *, symbol: str, **shown: str) -> Function:
    """The transform with what is to be said of it."""
    return replace(
        base,
        compute=Transformed(base, change),
        symbol=symbol.replace(" + ", "+"),
        source=f"{base.source} Transformed.",
        note=f"It ranks terms exactly as {base.symbol} does, and weighs them differently.",
        worked="",
        caveat_of=None,
        **shown,
    )


def _raised(values: np.ndarray, k: float) -> np.ndarray:
    return values**k


def _number(text: str, whole: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{shown(whole)} has no number where the power stands") from None


def _row(name, table, kind):
    if isinstance(name, Function):
        return name
    if not isinstance(name, str) or name not in table:
        also = "a formula such as 'tpr / (tpr + fpr)', or a Function" if kind == "cd" else "or a Function"
        raise ValueError(f"{kind} is {shown(name)}; it must be one of {', '.join(table)}, {also}")
    return table[name]

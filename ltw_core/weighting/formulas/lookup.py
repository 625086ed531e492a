"""What a name or text stands for: a known function, a typed formula, drawn heights, or a transform of one of these.

Every ``Function.name`` is such a text, so that what a reader made can be written into files and read back.
"""

from ltw_core.weighting.formulas.parser import ExpressionError, formula, is_formula
from ltw_core.weighting.formulas.spline import heights_of
from ltw_core.weighting.formulas.transforms import LOGARITHM, POWER, logarithm_of, power_of
from ltw_core.weighting.function import Function
from ltw_core.weighting.functions import CD, DD

LENGTH_LIMIT = 2_000


def cd_function(cd: str | Function) -> Function:
    """The cd ``Function`` of a name, a typed formula or the name of a spline or transform; a ``Function`` is returned.

    Raises
    ------
    ValueError
        For an unknown name, or a formula that cannot be read.
    """
    if isinstance(cd, str) and cd not in CD and len(cd) <= LENGTH_LIMIT:
        if cd.startswith(LOGARITHM) and cd.endswith(")"):
            return logarithm(cd[len(LOGARITHM) : -1])
        if cd.startswith(POWER) and cd.endswith(")"):
            exponent, _, base = cd[len(POWER) : -1].partition(", ")
            return power(base, _number(exponent, cd))
        drawn = heights_of(cd)
        if drawn is not None:
            return drawn
        if is_formula(cd):
            try:
                return formula(cd)
            except ExpressionError as error:
                raise ValueError(f"cd {cd!r} cannot be read as a formula: {error}") from error
    return _known(cd, CD, "cd")


def dd_function(dd: str | Function) -> Function:
    """The dd ``Function`` of a name; a ``Function`` is returned as it is.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    return _known(dd, DD, "dd")


def power(cd: str | Function, k: float) -> Function:
    """The monotone transform sign(cd)·|cd|**k of a name or ``Function``: equal rankings, unequal weights.

    References
    ----------
    The paper's section "Pitfalls in Supervised Term Weighting Functions", with k = 3 and k = ⅓ of IG.
    """
    return power_of(cd_function(cd), k)


def logarithm(cd: str | Function) -> Function:
    """The monotone transform sign(cd)·ln(1 + |cd|) of a name or ``Function``: equal rankings, unequal weights."""
    return logarithm_of(cd_function(cd))


def _number(text: str, whole: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{whole!r} has no number where the power stands") from None


def _known(name, table, kind):
    if isinstance(name, Function):
        return name
    if not isinstance(name, str) or name not in table:
        also = "a formula such as 'tpr / (tpr + fpr)', or a Function" if kind == "cd" else "or a Function"
        raise ValueError(f"{kind} is {name!r}; it must be one of {', '.join(table)}, {also}")
    return table[name]

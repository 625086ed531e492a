"""CCA's formulas as values: nested tuples in one canonical form, their depth, and how they are read and computed.

A formula is the name of a terminal, a number, or ``(operator, operand, …)``.
"""

from dataclasses import dataclass

import numpy as np

from ltw_core.weighting.genetic.operators import COMMUTATIVE, OPERATORS, Value
from ltw_core.weighting.genetic.terminals import TERMINALS


def canonical(formula):
    """The same formula with operands of + and × in one order, and what holds constants only as one constant."""
    if not isinstance(formula, tuple):
        return formula
    name, *operands = formula
    operands = [canonical(operand) for operand in operands]
    if all(isinstance(operand, float) for operand in operands):
        function, _ = OPERATORS[name]
        return float(function(*(Value(operand, False) for operand in operands)).numbers)
    if name in COMMUTATIVE:
        operands.sort(key=repr)
    return (name, *operands)


def depth(formula) -> int:
    """Levels of the tree; that of a terminal is 1."""
    return 1 + max(map(depth, formula[1:])) if isinstance(formula, tuple) else 1


def size(formula) -> int:
    """Nodes of the tree."""
    return 1 + sum(map(size, formula[1:])) if isinstance(formula, tuple) else 1


def used(formula) -> set[str]:
    """Names of its terminals."""
    if isinstance(formula, tuple):
        return set().union(*map(used, formula[1:]))
    return {formula} if isinstance(formula, str) else set()


def compute(formula, values: dict[str, Value]) -> Value:
    """Its value, given those of the terminals."""
    if isinstance(formula, tuple):
        function, _ = OPERATORS[formula[0]]
        return function(*(compute(operand, values) for operand in formula[1:]))
    return values[formula] if isinstance(formula, str) else Value(formula, False)


def weights(formula, values: dict[str, Value]) -> np.ndarray:
    """The weight of each entry; what is not finite is NaN."""
    with np.errstate(all="ignore"):
        numbers = np.asarray(compute(formula, values).numbers, dtype=np.float64)
    return np.where(np.isfinite(numbers), numbers, np.nan)


@dataclass(frozen=True)
class Formula:
    """A formula to be read.

    Attributes
    ----------
    tree : nested tuple
        In canonical form.
    slopes : dict
        Slope s of the pivoted normalisations that it uses.
    """

    tree: tuple | str
    slopes: dict[str, float]

    @property
    def depth(self) -> int:
        return depth(self.tree)

    @property
    def text(self) -> str:
        """In one line: ``f · ln(N/n) / bytes``."""
        return _text(self.tree)

    @property
    def latex(self) -> str:
        """LaTeX, without dollar signs."""
        return _latex(self.tree)

    @property
    def legend(self) -> list[tuple[str, str]]:
        """Symbol and meaning of each terminal in it, with its slope."""
        found = []
        for name, terminal in TERMINALS.items():
            if name in used(self.tree):
                slope = f", s = {self.slopes[name]:.1f}" if name in self.slopes else ""
                found.append((terminal.symbol, terminal.meaning + slope))
        return found

    def __str__(self):
        return self.text


_LEVEL = {"+": 1, "*": 2, "/": 2, "log": 3}


def _text(formula) -> str:
    if not isinstance(formula, tuple):
        return TERMINALS[formula].symbol if isinstance(formula, str) else f"{formula:.4g}"
    name, *operands = formula
    if name == "log":
        return f"ln|{_text(operands[0])}|"
    left, right = (_text(operand) for operand in operands)
    if _level(operands[0]) < _LEVEL[name]:
        left = f"({left})"
    if _level(operands[1]) < _LEVEL[name] or (name == "/" and _level(operands[1]) == 2):
        right = f"({right})"
    return f"{left} {'·' if name == '*' else name} {right}"


def _level(formula) -> int:
    if isinstance(formula, tuple):
        return _LEVEL[formula[0]]
    fraction = isinstance(formula, str) and "/" in TERMINALS[formula].symbol and formula != "augmented_tf"
    return 2 if fraction or (isinstance(formula, float) and formula < 0) else 3


def _latex(formula) -> str:
    if not isinstance(formula, tuple):
        return TERMINALS[formula].latex if isinstance(formula, str) else f"{formula:.4g}"
    name, *operands = formula
    if name == "log":
        return rf"\ln\left|{_latex(operands[0])}\right|"
    if name == "/":
        return rf"\frac{{{_latex(operands[0])}}}{{{_latex(operands[1])}}}"
    parts = [_latex(operand) for operand in operands]
    if name == "*":
        pairs = zip(operands, parts, strict=True)
        parts = [rf"\left({part}\right)" if _level(operand) == 1 else part for operand, part in pairs]
    return (r" \cdot " if name == "*" else " + ").join(parts)

"""CCA's formulas as values: nested tuples in one canonical form, their depth, and how they are read and computed.

A formula is the name of a terminal, a number, or ``(operator, operand, …)``.
"""

from dataclasses import dataclass
from typing import NamedTuple

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
        numbers = compute(formula, values).numbers
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
        return _write(self.tree, _TEXT)

    @property
    def latex(self) -> str:
        """LaTeX, without dollar signs."""
        return _write(self.tree, _LATEX)

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


class _Style(NamedTuple):
    """How formulas are written: a terminal's field, what has a form of its own, parentheses, and the other signs."""

    terminal: str
    forms: dict[str, str]
    parentheses: str
    signs: dict[str, str]


_TEXT = _Style("symbol", {"log": "ln|{}|"}, "({})", {"+": " + ", "*": " · ", "/": " / "})
_LATEX = _Style(
    "latex",
    {"log": r"\ln\left|{}\right|", "/": r"\frac{{{}}}{{{}}}"},
    r"\left({}\right)",
    {"+": " + ", "*": r" \cdot "},
)
_LEVEL = {"+": 1, "*": 2, "/": 2, "log": 3}
_LEAST = {"+": (1, 1), "*": (2, 2), "/": (2, 3)}  # how tightly operands must bind to stand without parentheses


def _write(formula, style: _Style) -> str:
    if not isinstance(formula, tuple):
        return getattr(TERMINALS[formula], style.terminal) if isinstance(formula, str) else f"{formula:.4g}"
    name, *operands = formula
    parts = [_write(operand, style) for operand in operands]
    if name in style.forms:
        return style.forms[name].format(*parts)
    bound = zip(operands, parts, _LEAST[name], strict=True)
    return style.signs[name].join(
        part if _level(operand) >= least else style.parentheses.format(part) for operand, part, least in bound
    )


def _level(formula) -> int:
    if isinstance(formula, tuple):
        return _LEVEL[formula[0]]
    fraction = isinstance(formula, str) and "/" in TERMINALS[formula].symbol and formula != "augmented_tf"
    return 2 if fraction or (isinstance(formula, float) and formula < 0) else 3

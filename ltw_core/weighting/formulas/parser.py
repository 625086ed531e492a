"""A formula that the reader types, as a cd function: Python's arithmetic on a few names, and never ``eval``.

The tokens are checked one by one, so that an error is a sentence with its column, and what is left is arithmetic over
``VARIABLES``, ``CONSTANTS`` and ``FUNCTIONS``, which Python's own ``ast`` reads. Beyond Python ``^`` is read as ``**``,
``×``, ``·``, ``÷`` and ``−`` as what they look like, and a variable in either case. Values are finite (``evaluation``).
Leaves out conditions, strings and any other name.
"""

import ast
import re
from dataclasses import dataclass, field

import numpy as np

from ltw_core.process import parse_python
from ltw_core.weighting.cd import arguments
from ltw_core.weighting.formulas.evaluation import CONSTANTS, FUNCTIONS, UNSUPERVISED, VARIABLES, evaluate
from ltw_core.weighting.formulas.text import latex, write
from ltw_core.weighting.formulas.tokens import ExpressionError, tokens
from ltw_core.weighting.function import Function

LENGTH_LIMIT = 400  # characters
DEPTH_LIMIT = 40  # parentheses, signs and powers within each other


@dataclass(frozen=True)
class Expression:
    """A formula that has been read; call it like a cd function.

    Attributes
    ----------
    text : str
        As it was typed, without space around it.
    tree : ast.expr
        Of ``Constant``, ``Name``, ``Call``, ``UnaryOp`` (a minus) and ``BinOp`` alone; it follows from the text.
    """

    text: str
    tree: ast.expr = field(compare=False, repr=False)

    @property
    def variables(self) -> frozenset[str]:
        """The variables that it uses."""
        return frozenset(node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)) & VARIABLES.keys()

    @property
    def supervised(self) -> bool:
        """Whether it looks at the class."""
        return bool(self.variables - UNSUPERVISED)

    @property
    def formula(self) -> str:
        """The formula with only the parentheses it needs."""
        return write(self.tree)

    @property
    def latex(self) -> str:
        """The same as LaTeX."""
        return latex(self.tree)

    def __call__(self, tpr, fpr, p, n):
        """Weights for broadcast arguments as in ``cd``; finite, without a warning."""
        tpr, fpr, p, n = arguments(tpr, fpr, p, n)
        with np.errstate(all="ignore"):
            tp, fp = n * p * tpr, n * (1 - p) * fpr
            counts = {"tp": tp, "fp": fp, "fn": n * p * (1 - tpr), "tn": n * (1 - p) * (1 - fpr)}
            frequency = n * (p * tpr + (1 - p) * fpr)
            values = {"tpr": tpr, "fpr": fpr, "p": p, "N": n, "df": frequency, **counts, **CONSTANTS}
            result = evaluate(self.tree, values)
        return np.array(np.broadcast_to(result, tpr.shape))[()]


def parse(text: str) -> Expression:
    """Read a formula.

    Raises
    ------
    ExpressionError
        With the column and a sentence, for anything that is not arithmetic over the known names.
    """
    if not isinstance(text, str):
        raise ExpressionError("", 0, f"a formula is a text, not {type(text).__name__}")
    if len(text) > LENGTH_LIMIT:
        raise ExpressionError(text, LENGTH_LIMIT, f"the formula is longer than {LENGTH_LIMIT} characters")
    return Expression(text.strip(), parse_python(_Check(text).python(), mode="eval").body)


def formula(text: str, symbol: str | None = None) -> Function:
    """A typed formula as a cd function, to be used like those of ``CD``.

    Parameters
    ----------
    text : str
        Over ``VARIABLES``, such as ``"log2(2 + tp / max(1, fp))"``.
    symbol : str, optional
        How it is called in figures; the formula itself without it.

    Raises
    ------
    ExpressionError
        As ``parse``.
    """
    expression = parse(text)
    return Function(
        name=expression.formula,
        compute=expression,
        symbol=symbol or expression.formula.replace(" - ", " − "),
        formula=expression.formula,
        latex=expression.latex,
        source="Typed by the reader.",
        note="A formula of one's own.",
        signed=True,
        supervised=expression.supervised,
    )


def is_formula(text: str) -> bool:
    """Whether a text can only be meant as a formula: more than one word, or variables with a minus between them."""
    differ = all(part.strip() in VARIABLES for part in text.split("-"))
    return differ or not re.fullmatch(r"\s*[A-Za-z_][\w-]*\s*|", text)


@dataclass
class _Opened:
    """A parenthesis that is not closed yet: where, the depth around it, and the function whose arguments it holds."""

    position: int
    depth: int
    function: str | None
    function_position: int
    arguments: int = 1


class _Check:
    """Goes through a formula's tokens: what passes is arithmetic on the names there are, spelled as in Python."""

    def __init__(self, text: str):
        self.text = text
        self.pieces: list[str] = []
        self.expects_operand = True
        self.opened: list[_Opened] = []
        self.depth = 1  # of the operand at hand: parentheses, signs and powers around it
        self.last = 0  # where the token before stands

    def python(self) -> str:
        """The formula in Python's spelling."""
        for kind, value, position in list(tokens(self.text)):
            (self.operand if self.expects_operand else self.operator)(kind, value, position)
            self.last = position
        return " ".join(self.pieces).strip()

    def operand(self, kind: str, value, position: int) -> None:
        """A number, a name, a sign or an opening parenthesis is expected; after a function's name only the last."""
        function = self.pieces[-1] if self.pieces and self.pieces[-1] in FUNCTIONS else None
        if self.depth > DEPTH_LIMIT:
            raise self.error(position, f"more than {DEPTH_LIMIT} parentheses, signs or powers lie within each other")
        if value == "(":
            self.opened.append(_Opened(position, self.depth, function, self.last))
            self.depth += 1
        elif function:
            what = f"{function} is a function: its argument goes into parentheses, as in {function}(tpr)"
            raise self.error(position, what)
        elif kind == "name":
            name, value = value, _spelling(value)
            if value is None:
                raise self.error(position, f"there is no {_short(name)!r}; {_vocabulary()}")
            self.expects_operand = value in FUNCTIONS
        elif kind == "number":
            value, self.expects_operand = repr(value), False
        elif value in ("+", "-"):
            value = value.replace("+", "")  # a plus changes nothing
            self.depth += 1
        else:
            raise self.no_operand(kind, value, position)
        self.pieces.append(value)

    def operator(self, kind: str, value, position: int) -> None:
        """An operator, a comma, a closing parenthesis or the end is expected."""
        within = self.opened[-1] if self.opened else None
        if value == "**":
            self.depth += 1
        elif value == ")" and within:
            self.close(self.opened.pop())
        elif value in ("+", "-", "*", "/") or (value == "," and within and within.function):
            self.depth = within.depth + 1 if within else 1
        elif kind != "end" or within:
            raise self.no_operator(kind, value, position)
        if value == ",":
            within.arguments += 1
        self.expects_operand = value != ")"
        self.pieces.append(value or "")

    def close(self, parenthesis: _Opened) -> None:
        self.depth = parenthesis.depth
        if parenthesis.function:
            least, most, _ = FUNCTIONS[parenthesis.function]
            if not least <= parenthesis.arguments <= most:
                allowed = "1 argument" if most == 1 else f"{least} to {most} arguments"
                what = f"{parenthesis.function} takes {allowed}, not {parenthesis.arguments}"
                raise self.error(parenthesis.function_position, what)

    def no_operand(self, kind: str, value, position: int) -> ExpressionError:
        if kind != "end":
            return self.error(position, f"a number, a variable or a function is expected, not {value!r}")
        if self.pieces:
            return self.error(position, "the formula ends where a number, a variable or a function is expected")
        return self.error(position, "the formula is empty; an example is log2(2 + tp / max(1, fp))")

    def no_operator(self, kind: str, value, position: int) -> ExpressionError:
        if kind == "end":
            return self.error(self.opened[-1].position, "this parenthesis is never closed")
        if value == ")":
            return self.error(position, "this parenthesis closes nothing")
        if value == "(" and self.pieces[-1] in (*VARIABLES, *CONSTANTS):
            return self.error(position, f"{self.pieces[-1]} is not a function; multiplication is written *")
        hint = "; multiplication is written *" if kind in ("number", "name") or value == "(" else ""
        what = f"a closing parenthesis is expected, not {value!r}" if self.opened else f"{value!r} is not expected here"
        return self.error(position, what + hint)

    def error(self, position: int, what: str) -> ExpressionError:
        return ExpressionError(self.text, position, what)


def _spelling(name: str) -> str | None:
    """The name that is meant; in variables case does not count, for it tells no two apart."""
    if name in FUNCTIONS or name in CONSTANTS:
        return name
    return next((known for known in VARIABLES if name.lower() == known.lower()), None)


def _short(name: str) -> str:
    return name if len(name) <= 30 else name[:29] + "…"


def _vocabulary() -> str:
    return f"variables are {', '.join(VARIABLES)}, constants {', '.join(CONSTANTS)}, functions {', '.join(FUNCTIONS)}"

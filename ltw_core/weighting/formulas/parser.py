"""A formula that the reader types, as a cd function: its own small grammar, and never Python's ``eval``.

    sum     = product (("+" | "-") product)*
    product = sign (("*" | "/") sign)*
    sign    = ("+" | "-") sign | power
    power   = atom ("**" sign)?                        binds tighter than the sign before it, as in Python
    atom    = number | variable | function "(" sum ("," sum)* ")" | "(" sum ")"

``^`` is read as ``**``, and ``×``, ``·``, ``÷`` and ``−`` as what they look like. Values are finite
(``expression_parts``). Leaves out conditions, strings, and names other than those of ``VARIABLES``, ``CONSTANTS`` and
``FUNCTIONS``.
"""

import re
from dataclasses import dataclass

import numpy as np

from ltw_core.weighting.cd import arguments
from ltw_core.weighting.formulas.evaluation import CONSTANTS, FUNCTIONS, UNSUPERVISED, VARIABLES, evaluate, variables
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
    tree : tuple
        ``("number", value)``, ``("name", name)``, ``("call", name, *arguments)``, ``("sign", tree)`` for a minus, or
        ``(operator, left, right)``.
    """

    text: str
    tree: tuple

    @property
    def variables(self) -> frozenset[str]:
        """The variables that it uses."""
        return frozenset(variables(self.tree))

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
        values = {"tpr": tpr, "fpr": fpr, "p": p, "N": n, **CONSTANTS}
        wanted = self.variables
        for name, count in (
            ("tp", lambda: n * p * tpr),
            ("fp", lambda: n * (1 - p) * fpr),
            ("fn", lambda: n * p * (1 - tpr)),
            ("tn", lambda: n * (1 - p) * (1 - fpr)),
            ("df", lambda: n * (p * tpr + (1 - p) * fpr)),
        ):
            if name in wanted:
                values[name] = count()
        with np.errstate(all="ignore"):
            result = evaluate(self.tree, values)
        return np.array(np.broadcast_to(result, tpr.shape))[()]


def parse(text: str) -> Expression:
    """Read a formula.

    Raises
    ------
    ExpressionError
        With the column and a sentence, for anything that is not in the grammar.
    """
    if not isinstance(text, str):
        raise ExpressionError("", 0, f"a formula is a text, not {type(text).__name__}")
    if len(text) > LENGTH_LIMIT:
        raise ExpressionError(text, LENGTH_LIMIT, f"the formula is longer than {LENGTH_LIMIT} characters")
    return Expression(text.strip(), _Parser(text).whole())


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
        symbol=symbol or expression.formula,
        formula=expression.formula,
        latex=expression.latex,
        source="Typed by the reader.",
        note="A formula of one's own.",
        signed=True,
        supervised=expression.supervised,
    )


def is_formula(text: str) -> bool:
    """Whether a text can only be meant as a formula: it is more than one word, or a variable."""
    return text.strip() in VARIABLES or not re.fullmatch(r"\s*[A-Za-z_][\w-]*\s*|", text)


class _Parser:
    """Recursive descent over the tokens, each with its position."""

    def __init__(self, text: str):
        self.text = text
        self.tokens = list(tokens(text))
        self.index = 0
        self.depth = 0

    def whole(self) -> tuple:
        if self.kind == "end":
            raise self.error("the formula is empty; an example is log2(2 + tp / max(1, fp))")
        tree = self.sum()
        if self.kind != "end":
            hint = "; multiplication is written *" if self.kind in ("number", "name") or self.value == "(" else ""
            what = "this parenthesis closes nothing" if self.value == ")" else f"{self.value!r} is not expected here"
            raise self.error(what + hint)
        return tree

    @property
    def kind(self) -> str:
        return self.tokens[self.index][0]

    @property
    def value(self):
        return self.tokens[self.index][1]

    @property
    def position(self) -> int:
        return self.tokens[self.index][2]

    def error(self, what: str, position: int | None = None) -> ExpressionError:
        return ExpressionError(self.text, self.position if position is None else position, what)

    def take(self, *operators: str) -> str | None:
        if self.kind == "operator" and self.value in operators:
            self.index += 1
            return self.tokens[self.index - 1][1]
        return None

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEPTH_LIMIT:
            raise self.error(f"more than {DEPTH_LIMIT} parentheses, signs or powers lie within each other")

    def sum(self) -> tuple:
        tree = self.product()
        while operator := self.take("+", "-"):
            tree = (operator, tree, self.product())
        return tree

    def product(self) -> tuple:
        tree = self.sign()
        while operator := self.take("*", "/"):
            tree = (operator, tree, self.sign())
        return tree

    def sign(self) -> tuple:
        self.deeper()
        operator = self.take("+", "-")
        tree = self.power() if operator is None else self.sign()
        self.depth -= 1
        return ("sign", tree) if operator == "-" else tree

    def power(self) -> tuple:
        base = self.atom()
        return ("**", base, self.sign()) if self.take("**") else base

    def atom(self) -> tuple:
        kind, value, position = self.tokens[self.index]
        if kind == "number":
            self.index += 1
            return ("number", value)
        if kind == "name":
            self.index += 1
            return self.named(value, position)
        if self.take("("):
            tree = self.sum()
            self.close(position)
            return tree
        if kind == "end":
            raise self.error("the formula ends where a number, a variable or a function is expected")
        raise self.error(f"a number, a variable or a function is expected, not {value!r}")

    def named(self, name: str, position: int) -> tuple:
        if name in FUNCTIONS:
            least, most, _ = FUNCTIONS[name]
            opened = self.position
            if not self.take("("):
                raise self.error(f"{name} is a function: its argument goes into parentheses, as in {name}(tpr)")
            arguments = [self.sum()]
            while self.take(","):
                arguments.append(self.sum())
            self.close(opened)
            if not least <= len(arguments) <= most:
                allowed = "1 argument" if most == 1 else f"{least} to {most} arguments"
                raise self.error(f"{name} takes {allowed}, not {len(arguments)}", position)
            return ("call", name, *arguments)
        known = _spelling(name)
        if known is None:
            raise self.error(f"there is no {_short(name)!r}; {_known()}", position)
        if self.kind == "operator" and self.value == "(":
            raise self.error(f"{known} is not a function; multiplication is written *")
        return ("name", known)

    def close(self, opened: int) -> None:
        if self.take(")"):
            return
        if self.kind == "end":
            raise self.error("this parenthesis is never closed", opened)
        hint = "; multiplication is written *" if self.kind in ("number", "name") or self.value == "(" else ""
        raise self.error(f"a closing parenthesis is expected, not {self.value!r}{hint}")


def _spelling(name: str) -> str | None:
    """The variable or constant of a name; case counts only where it tells two apart (``p`` and ``N`` do not)."""
    for known in (*VARIABLES, *CONSTANTS):
        if name == known:
            return known
    return next((known for known in VARIABLES if name.lower() == known.lower()), None)


def _short(name: str) -> str:
    return name if len(name) <= 30 else name[:29] + "…"


def _known() -> str:
    return f"variables are {', '.join(VARIABLES)}, constants {', '.join(CONSTANTS)}, functions {', '.join(FUNCTIONS)}"

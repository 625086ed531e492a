"""A typed formula written out again: as text with only the parentheses it needs, and as LaTeX."""

import ast

from ltw_core.weighting.formulas.evaluation import VARIABLES

_LATEX_NAMES = {
    **{name: rf"\mathit{{{name}}}" for name in VARIABLES if len(name) > 1},
    "df": "n_t",
    "p": r"\Pr(c)",
    "pi": r"\pi",
    "log": r"\ln",
    "ln": r"\ln",
    "log2": r"\log_2",
    "log10": r"\log_{10}",
    **{name: rf"\{name}" for name in ("exp", "min", "max")},
    "sign": r"\operatorname{sign}",
}
_LATEX_CALLS = {"sqrt": r"\sqrt{%s}", "abs": r"\left|%s\right|"}
# how tightly an operator binds; a minus before an operand as tightly as 3, and what is no operator as 5
_LEVEL = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.Pow: 4}
_SIGN = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def _number(value: float) -> str:
    return f"{value:.12g}"


def _level(node: ast.expr) -> int:
    return 3 if isinstance(node, ast.UnaryOp) else _LEVEL[type(node.op)] if isinstance(node, ast.BinOp) else 5


def write(node: ast.expr) -> str:
    """A formula as text."""
    inside = lambda part, least: write(part) if _level(part) >= least else f"({write(part)})"  # noqa: E731
    match node:
        case ast.Constant(number):
            return _number(number)
        case ast.Call(ast.Name(name), inputs):
            return f"{name}({', '.join(map(write, inputs))})"
        case ast.UnaryOp(_, operand):
            return f"-{inside(operand, 3)}"
        case ast.BinOp(left, ast.Pow(), right):
            return f"{inside(left, 5)}**{inside(right, 3)}"
        case ast.BinOp(left, operator, right):
            return f"{inside(left, _level(node))} {_SIGN[type(operator)]} {inside(right, _level(node) + 1)}"
    return node.id


def latex(node: ast.expr) -> str:
    """A formula as LaTeX, without dollar signs."""
    inside = lambda part, least: latex(part) if _level(part) >= least else rf"\left({latex(part)}\right)"  # noqa: E731
    match node:
        case ast.Constant(number):
            mantissa, _, exponent = _number(number).partition("e")
            return rf"{mantissa}\cdot 10^{{{int(exponent)}}}" if exponent else mantissa
        case ast.Call(ast.Name(name), inputs):
            return _LATEX_CALLS.get(name, rf"{_LATEX_NAMES.get(name)}\left(%s\right)") % ",\\ ".join(map(latex, inputs))
        case ast.UnaryOp(_, operand):
            return f"-{inside(operand, 3)}"
        case ast.BinOp(left, ast.Div(), right):
            return rf"\frac{{{latex(left)}}}{{{latex(right)}}}"
        case ast.BinOp(left, ast.Pow(), right):
            return rf"{{{inside(left, 5)}}}^{{{latex(right)}}}"
        case ast.BinOp(left, ast.Mult(), right):
            return rf"{inside(left, 2)}\cdot {inside(right, 3)}"
        case ast.BinOp(left, operator, right):
            return f"{inside(left, 1)} {_SIGN[type(operator)]} {inside(right, 2)}"
    return _LATEX_NAMES.get(node.id, node.id)

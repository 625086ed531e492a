"""A bred formula made readable: constants folded, factors of the whole left out, numbers rounded as far as that costs
nothing; and how long it is."""

import ast
from collections.abc import Callable

from ltw_core.weighting.formulas.evaluation import evaluate
from ltw_core.weighting.formulas.parser import Expression, parse
from ltw_core.weighting.formulas.text import write

LEFT = {ast.Add: 0.0, ast.Mult: 1.0}  # what changes nothing on the left, and on the right
RIGHT = {ast.Add: 0.0, ast.Sub: 0.0, ast.Mult: 1.0, ast.Div: 1.0}
DIGITS = (1, 2, 3, 4)


def length(expression: Expression) -> int:
    """Numbers, variables, operators and functions in it."""
    return _nodes(expression.tree)


def _nodes(tree: ast.expr) -> int:
    match tree:
        case ast.Call(_, inputs):
            return 1 + sum(map(_nodes, inputs))
        case ast.UnaryOp(_, operand):
            return 1 + _nodes(operand)
        case ast.BinOp(left, _, right):
            return 1 + _nodes(left) + _nodes(right)
    return 1


def simplified(text: str) -> Expression:
    """A formula without what changes it by a positive factor at most.

    Raises
    ------
    ExpressionError
        It is too long to be read.
    """
    tree = _without_factor(_folded(parse(text).tree))
    same = _number(tree) is not None or (isinstance(tree, ast.Name) and tree.id == "N")  # for all terms
    return parse("1" if same else write(tree))


def _number(tree: ast.expr) -> float | None:
    if isinstance(tree, ast.Constant):
        return float(tree.value)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.operand, ast.Constant):
        return -float(tree.operand.value)
    return None


def _constant(value: float) -> ast.expr:
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def _folded(tree: ast.expr) -> ast.expr:
    match tree:
        case ast.Call(function, inputs):
            tree = ast.Call(function, [_folded(part) for part in inputs], [])
            parts = tree.args
        case ast.UnaryOp(_, operand):
            operand = _folded(operand)
            if isinstance(operand, ast.UnaryOp):
                return operand.operand
            if isinstance(operand, ast.BinOp) and isinstance(operand.op, ast.Sub):
                return ast.BinOp(operand.right, ast.Sub(), operand.left)
            tree, parts = ast.UnaryOp(ast.USub(), operand), [operand]
        case ast.BinOp(left, operator, right):
            left, right = _folded(left), _folded(right)
            if type(operator) in LEFT and _number(left) == LEFT[type(operator)]:
                return right
            if type(operator) in RIGHT and _number(right) == RIGHT[type(operator)]:
                return left
            if isinstance(operator, ast.Add) and isinstance(right, ast.UnaryOp):
                operator, right = ast.Sub(), right.operand
            elif isinstance(operator, ast.Sub) and isinstance(right, ast.UnaryOp):
                operator, right = ast.Add(), right.operand
            tree, parts = ast.BinOp(left, operator, right), [left, right]
        case _:
            return tree
    return _constant(float(evaluate(tree, {}))) if all(_number(part) is not None for part in parts) else tree


def _without_factor(tree: ast.expr) -> ast.expr:
    """Without positive numbers that multiply or divide the whole."""
    match tree:
        case ast.BinOp(left, ast.Div(), ast.BinOp(ast.Constant(), ast.Div(), right)):  # a / (2 / b) is a · b but for 2
            return _without_factor(ast.BinOp(left, ast.Mult(), right))
        case ast.BinOp(left, ast.Mult() | ast.Div(), right) if (_number(right) or 0) > 0:
            return _without_factor(left)
        case ast.BinOp(left, ast.Mult(), right) if (_number(left) or 0) > 0:
            return _without_factor(right)
        case ast.BinOp(left, (ast.Mult() | ast.Div()) as operator, right):  # N is the same for all terms of a class
            if isinstance(right, ast.Name) and right.id == "N":
                return _without_factor(left)
            if isinstance(left, ast.Name) and left.id == "N" and isinstance(operator, ast.Mult):
                return _without_factor(right)
            return ast.BinOp(_without_factor(left), operator, _without_factor(right)) if _splits(tree) else tree
        case ast.Call(ast.Name("sqrt" | "abs") as function, [inner]):
            return ast.Call(function, [_without_factor(inner)], [])
        case ast.BinOp(base, ast.Pow(), exponent):
            base = _without_factor(base)
            match base, exponent:  # (fpr - tpr)² is read as (tpr - fpr)²
                case ast.BinOp(ast.Name("fpr") as left, ast.Sub(), ast.Name("tpr") as right), ast.Constant(2):
                    base = ast.BinOp(right, ast.Sub(), left)
            return ast.BinOp(base, ast.Pow(), exponent)
    return tree


def _splits(tree: ast.BinOp) -> bool:
    """Whether a factor of one side is a factor of the whole: it is, of a product and of a quotient."""
    return isinstance(tree.op, ast.Mult | ast.Div)


def numbers(tree: ast.expr, exponent: bool = False) -> list[ast.Constant]:
    """The numbers of a formula that may be moved, in their order: all but exponents."""
    match tree:
        case ast.Constant():
            return [] if exponent else [tree]
        case ast.Call(_, inputs):
            return [number for part in inputs for number in numbers(part)]
        case ast.UnaryOp(_, operand):
            return numbers(operand, exponent)
        case ast.BinOp(left, operator, right):
            return numbers(left) + numbers(right, isinstance(operator, ast.Pow))
    return []


def with_numbers(expression: Expression, given) -> Expression:
    """The same formula with other numbers, in the order of ``numbers``."""
    made = parse(expression.text)
    for constant, value in zip(numbers(made.tree), given, strict=True):
        constant.value = float(value)
    return parse(write(_folded(made.tree)))


def rounded(expression: Expression, good: Callable[[Expression], bool]) -> Expression:
    """The formula with each number rounded to as few digits as it stays good with.

    Parameters
    ----------
    good : callable
        Says of a formula whether it is still good.
    """
    for place in range(len(numbers(expression.tree))):
        now = [float(constant.value) for constant in numbers(expression.tree)]
        if place >= len(now):
            break
        for digits in DIGITS:
            tried = with_numbers(expression, [*now[:place], float(f"{now[place]:.{digits}g}"), *now[place + 1 :]])
            if good(tried):
                expression = tried
                break
    return expression

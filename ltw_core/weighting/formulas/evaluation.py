"""What a typed formula is made of, and its value: variables, functions, and arithmetic that stays finite.

A quotient is 0 where its denominator is 0, a logarithm of 0 or less is that of the smallest positive number, a root of
a negative number is 0, and what grows beyond ``LARGEST`` is cut. Reading a formula is the matter of ``parser``.
"""

import ast
import math

import numpy as np

from ltw_core.weighting.cd import quotient

LARGEST = 1e100

VARIABLES = {
    "tpr": "share of the class's documents that hold the term",
    "fpr": "share of the other documents that hold it",
    "p": "prevalence of the class, Pr(c)",
    "N": "number of training documents",
    "tp": "documents of the class that hold the term",
    "fp": "other documents that hold it",
    "fn": "documents of the class without it",
    "tn": "other documents without it",
    "df": "documents that hold it, tp + fp",
}
CONSTANTS = {"e": math.e, "pi": math.pi}
UNSUPERVISED = frozenset({"N", "df"})  # variables that know nothing of the class

_TINY = np.finfo(np.float64).tiny


def _logarithm(base_of):
    return lambda x: base_of(np.maximum(x, _TINY))


FUNCTIONS = {  # name: (least and most arguments, what computes it)
    "log": (1, 1, _logarithm(np.log)),
    "ln": (1, 1, _logarithm(np.log)),
    "log2": (1, 1, _logarithm(np.log2)),
    "log10": (1, 1, _logarithm(np.log10)),
    "sqrt": (1, 1, lambda x: np.sqrt(np.maximum(x, 0.0))),
    "exp": (1, 1, lambda x: np.exp(np.minimum(x, 230.0))),
    "abs": (1, 1, np.abs),
    "sign": (1, 1, np.sign),
    "min": (1, 8, lambda *x: np.minimum.reduce(np.broadcast_arrays(*x))),
    "max": (1, 8, lambda *x: np.maximum.reduce(np.broadcast_arrays(*x))),
}


def evaluate(node: ast.expr, values: dict):
    """A formula's value, given those of its variables and constants."""
    match node:
        case ast.Constant(number):
            return number
        case ast.Name(name):
            return values[name]
        case ast.Call(ast.Name(name), inputs):
            compute = FUNCTIONS[name][2]
        case ast.UnaryOp(ast.USub(), operand):
            compute, inputs = np.negative, [operand]
        case ast.BinOp(left, operator, right):
            compute, inputs = OPERATORS[type(operator)], [left, right]
        case _:
            raise ValueError(f"{type(node).__name__} has no place in a formula")
    result = compute(*(np.asarray(evaluate(part, values), dtype=np.float64) for part in inputs))
    return np.clip(np.nan_to_num(result, nan=0.0, posinf=LARGEST, neginf=-LARGEST), -LARGEST, LARGEST)


def _raise(base, exponent):
    """base**exponent; of a negative base to a broken exponent, sign(base)·|base|**exponent, as in ``power``."""
    whole = exponent == np.rint(exponent)
    result = np.where(whole, np.power(base, np.where(whole, exponent, 1.0)), np.sign(base) * np.abs(base) ** exponent)
    return np.where((base == 0) & (exponent < 0), 0.0, result)


OPERATORS = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: quotient, ast.Pow: _raise}

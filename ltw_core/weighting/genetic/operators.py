"""The operators of CCA's formulas: + × ÷ log on numbers, factors of terms or documents, and weights of entries.

A value is ``sparse`` if it is made of a factor of the term's frequency: it is a weight only where it is not 0, and a 0
stays 0 whatever is added to it. Dense values (statistics of a term or of a document, constants) know no such places.
What would not be finite at 0 is 0: x / 0 and log 0.
"""

from typing import NamedTuple

import numpy as np


class Value(NamedTuple):
    """A number, or one number an entry of the document × term matrix."""

    numbers: np.ndarray | float
    sparse: bool


def add(x: Value, y: Value) -> Value:
    """x + y; where one is sparse, only at the places that it has."""
    total = x.numbers + y.numbers
    if x.sparse != y.sparse:
        total = np.where((x if x.sparse else y).numbers != 0, total, 0.0)
    return Value(total, x.sparse or y.sparse)


def multiply(x: Value, y: Value) -> Value:
    """x · y."""
    return Value(x.numbers * y.numbers, x.sparse or y.sparse)


def divide(x: Value, y: Value) -> Value:
    """x / y, and 0 where y is 0."""
    there = np.not_equal(y.numbers, 0)
    quotient = np.where(there, x.numbers / np.where(there, y.numbers, 1.0), 0.0)
    return Value(quotient, x.sparse or y.sparse)


def log(x: Value) -> Value:
    """ln|x|, and 0 where x is 0."""
    there = np.not_equal(x.numbers, 0)
    return Value(np.where(there, np.log(np.where(there, np.abs(x.numbers), 1.0)), 0.0), x.sparse)


OPERATORS = {"+": (add, 2), "*": (multiply, 2), "/": (divide, 2), "log": (log, 1)}
COMMUTATIVE = {"+", "*"}

"""CCA's operators against values by hand: where zeros stay zeros, and where nothing is infinite."""

import inspect
import math
import warnings

import numpy as np
import pytest

from ltw_core.weighting.genetic.operators import OPERATORS, Value, add, divide, log, multiply

SPARSE = Value(np.array([2.0, 0.0, -4.0]), True)  # the second entry has become 0
OTHER = Value(np.array([1.0, 3.0, 0.0]), True)
DENSE = Value(np.array([0.5, 7.0, 0.0]), False)
FIVE = Value(5.0, False)


@pytest.mark.parametrize(
    ("found", "numbers", "sparse"),
    [
        (add(SPARSE, FIVE), [7, 0, 1], True),  # a zero of a sparse operand stays zero
        (add(FIVE, SPARSE), [7, 0, 1], True),
        (add(DENSE, SPARSE), [2.5, 0, -4], True),
        (add(SPARSE, OTHER), [3, 3, -4], True),  # both sparse: where either has something
        (add(DENSE, FIVE), [5.5, 12, 5], False),
        (multiply(SPARSE, DENSE), [1, 0, 0], True),
        (multiply(DENSE, FIVE), [2.5, 35, 0], False),
        (divide(SPARSE, DENSE), [4, 0, 0], True),  # x / 0 = 0
        (divide(DENSE, SPARSE), [0.25, 0, 0], True),
        (divide(FIVE, SPARSE), [2.5, 0, -1.25], True),
        (divide(SPARSE, OTHER), [2, 0, 0], True),
        (divide(FIVE, Value(0.0, False)), 0, False),
        (log(SPARSE), [math.log(2), 0, math.log(4)], True),  # of the absolute value
        (log(Value(np.array([1.0]), True)), [0], True),
        (log(Value(0.0, False)), 0, False),
    ],
)
def test_values_by_hand(found, numbers, sparse):
    np.testing.assert_allclose(found.numbers, numbers)
    assert found.sparse is sparse


def test_a_weight_that_becomes_zero_stays_zero():
    # ln f is 0 at f = 1, and adding 5 does not bring it back
    found = add(log(Value(np.array([1.0, math.e]), True)), FIVE)
    np.testing.assert_allclose(found.numbers, [0, 6])


def test_ones_are_no_zeros_and_nothing_is_warned_of():
    ones = Value(np.array([1.0, -1.0, 0.0]), True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert add(FIVE, ones).numbers.tolist() == [6, 4, 0]
        assert divide(FIVE, ones).numbers.tolist() == [5, -5, 0]
        assert log(ones).numbers.tolist() == [0, 0, 0]
        assert log(Value(np.array([-math.e]), False)).numbers == pytest.approx(1)


def test_how_many_operands_each_has():
    for name, (function, count) in OPERATORS.items():
        assert count == len(inspect.signature(function).parameters), name
    assert list(OPERATORS) == ["+", "*", "/", "log"]

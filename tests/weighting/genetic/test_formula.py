"""Formulas in one canonical form, their depth, and how they read."""

import numpy as np
import pytest

from ltw_core.weighting.genetic.formula import Formula, canonical, compute, depth, size, used, weights
from ltw_core.weighting.genetic.operators import Value

TFIDF = ("*", "tf", "idf")


def test_equal_formulas_have_one_form():
    assert canonical(("*", "tf", "idf")) == canonical(("*", "idf", "tf"))
    assert canonical(("+", ("*", "tf", "idf"), "bytes")) == canonical(("+", "bytes", ("*", "idf", "tf")))
    assert canonical(("/", "tf", "idf")) != canonical(("/", "idf", "tf"))
    # constants alone become one constant
    assert canonical(("*", "tf", ("+", 2.0, ("log", 1.0)))) == canonical(("*", 2.0, "tf"))
    assert canonical(("/", 3.0, 0.0)) == 0.0


def test_depth_size_and_terminals():
    tree = ("+", ("log", TFIDF), 4.0)
    assert (depth("tf"), depth(TFIDF), depth(tree), size(tree)) == (1, 2, 4, 6)
    assert used(tree) == {"tf", "idf"}


def test_computing_by_hand():
    values = {"tf": Value(np.array([1.0, 4.0]), True), "idf": Value(np.array([3.0, 0.5]), False)}
    np.testing.assert_allclose(compute(("/", ("+", TFIDF, 2.0), "tf"), values).numbers, [5, 1])
    np.testing.assert_array_equal(weights(("*", ("*", 1e200, 1e200), "tf"), values), [np.nan, np.nan])


@pytest.mark.parametrize(
    ("tree", "text", "latex"),
    [
        ("tf", "f", "f"),
        (TFIDF, "f · ln(N/n)", r"f \cdot \ln\frac Nn"),
        (("+", "tf", 3.14159), "f + 3.142", "f + 3.142"),
        (("*", ("+", "tf", 2.0), "bytes"), "(f + 2) · bytes", r"\left(f + 2\right) \cdot \mathrm{bytes}"),
        (("/", "tf", ("/", "bytes", 2.0)), "f / (bytes / 2)", r"\frac{f}{\frac{\mathrm{bytes}}{2}}"),
        (("log", ("*", "tf", 2.0)), "ln|f · 2|", r"\ln\left|f \cdot 2\right|"),
        (("/", 1.0, "cosine_tfidf"), "1 / (1/‖f·idf‖)", r"\frac{1}{\frac{1}{\|f\cdot idf\|}}"),
    ],
)
def test_reading(tree, text, latex):
    formula = Formula(tree, {})
    assert (formula.text, formula.latex) == (text, latex)


def test_the_legend_names_what_is_used():
    formula = Formula(("*", "tf", "pivot_length"), {"pivot_length": 0.3})
    assert formula.depth == 2
    assert formula.legend == [
        ("f", "occurrences of the term in the document"),
        ("P₂", "pivoted length, 1/((1−s)·avdl + s·dl), s = 0.3"),
    ]

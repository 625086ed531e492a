"""Formulas in one canonical form, their depth, and how they read."""

import warnings

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
    assert canonical(("/", 3.0, 0.0)) == 0.0 and type(canonical(("/", 3.0, 2.0))) is float
    assert canonical(("*", ("+", "tf", "idf"), "bytes")) == ("*", "bytes", ("+", "idf", "tf"))


def test_depth_size_and_terminals():
    tree = ("+", ("log", TFIDF), 4.0)
    assert (depth("tf"), depth(TFIDF), depth(tree), size(tree)) == (1, 2, 4, 6)
    assert (depth(("+", 4.0, ("log", TFIDF))), used(tree), used(4.0)) == (4, {"tf", "idf"}, set())


def test_computing_by_hand():
    values = {"tf": Value(np.array([1.0, 4.0]), True), "idf": Value(np.array([3.0, 0.5]), False)}
    np.testing.assert_allclose(compute(("/", ("+", TFIDF, 2.0), "tf"), values).numbers, [5, 1])
    assert [compute(("+", name, 2.0), values).sparse for name in ("tf", "idf")] == [True, False]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(weights(("*", ("*", "tf", 1e200), 1e200), values), [np.nan, np.nan])
    assert weights(5.0, values) == 5.0


@pytest.mark.parametrize(
    ("tree", "text", "latex"),
    [
        ("tf", "f", "f"),
        (TFIDF, "f · ln(N/n)", r"f \cdot \ln\frac Nn"),
        (("+", "tf", 3.14159), "f + 3.142", "f + 3.142"),
        (("*", ("+", "tf", 2.0), "bytes"), "(f + 2) · bytes", r"\left(f + 2\right) \cdot \mathrm{bytes}"),
        (("/", "tf", ("/", "bytes", 2.0)), "f / (bytes / 2)", r"\frac{f}{\frac{\mathrm{bytes}}{2}}"),
        (("log", ("*", "tf", 2.0)), "ln|f · 2|", r"\ln\left|f \cdot 2\right|"),
        (("+", ("+", "tf", 1.0), ("+", 2.0, 3.0)), "f + 1 + 2 + 3", "f + 1 + 2 + 3"),
        (("+", ("*", "tf", 2.0), ("log", 3.0)), "f · 2 + ln|3|", r"f \cdot 2 + \ln\left|3\right|"),
        (("*", "tf", ("+", "tf", 2.0)), "f · (f + 2)", r"f \cdot \left(f + 2\right)"),
        (("*", ("*", "tf", 2.0), ("*", 3.0, ("log", 4.0))), "f · 2 · 3 · ln|4|", None),
        (("*", ("/", "tf", 2.0), ("/", 3.0, "tf")), "f / 2 · 3 / f", r"\frac{f}{2} \cdot \frac{3}{f}"),
        (("/", ("*", "tf", 2.0), ("*", "tf", 3.0)), "f · 2 / (f · 3)", r"\frac{f \cdot 2}{f \cdot 3}"),
        (("/", ("/", "tf", 2.0), ("log", "tf")), "f / 2 / ln|f|", None),
        (("/", ("+", "tf", 2.0), ("+", "tf", 3.0)), "(f + 2) / (f + 3)", r"\frac{f + 2}{f + 3}"),
        (("/", "tf", "augmented_tf"), "f / (½ + ½·f/max f)", None),
        (("*", "tf", -2.0), "f · -2", r"f \cdot -2"),
        *((("/", "tf", number), f"f / {shown}", None) for number, shown in ((0.0, 0), (0.5, 0.5), (-0.5, "(-0.5)"))),
        (("/", 1.0, "cosine_tfidf"), "1 / (1/‖f·idf‖)", r"\frac{1}{\frac{1}{\|f\cdot idf\|}}"),
    ],
)
def test_reading(tree, text, latex):
    formula = Formula(tree, {})
    assert formula.text == text and latex in (formula.latex, None)


def test_the_legend_names_what_is_used():
    formula = Formula(("*", "tf", "pivot_length"), {"pivot_length": 0.3})
    assert formula.depth == 2
    assert formula.legend == [
        ("f", "occurrences of the term in the document"),
        ("P₂", "pivoted length, 1/((1−s)·avdl + s·dl), s = 0.3"),
    ]

"""Formulas with numbers in them: read back as arithmetic, they have the function's value."""

import math
import re

import pytest

from ltw_core.weighting import CD, formula, power, spline
from ltw_core.weighting.worked_examples import rates_of, worked


def arithmetic(latex):
    """A worked formula without its value, as Python; knows what ``worked`` writes and nothing else."""
    text = (
        latex.split(" = ")[0].replace("{,}", "").replace(r"\left", "").replace(r"\right", "").replace(r"\frac12", ".5")
    )
    for old, new in ((r"\,", ""), (r"\ ", ""), (r"\cdot", "*"), (r"\max", "max"), ("^2", "**2"), (r"\log_2", "log2 ")):
        text = text.replace(old, new)
    text = re.sub(r"10\^\{(-?\d+)\}", r"10**(\1)", text.replace(r"\ln", "log "))
    while r"\frac" in text:
        text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)
    text = re.sub(r"(log2?) (\([^()]*(?:\([^()]*\)[^()]*)*\)|[\d.]+(?:\*\s*10\*\*\(-?\d+\))?)", r"\1(\2)", text)
    text = re.sub(r"(log2?) (\(\(.*?\)/\(.*?\)\))", r"\1\2", text)
    return re.sub(r"([\d)])\s*(?=log2?\()", r"\1*", text).replace(")(", ")*(")


@pytest.mark.parametrize("name", ["1", "IDF", "BM25", "CHI2", "RF", "GSS", "OR", "PMI"])
@pytest.mark.parametrize("table", [(30, 20, 70, 880), (5, 0, 5, 90), (0, 400, 100, 500), (1200, 3000, 40, 9000)])
def test_the_numbers_have_the_functions_value(name, table):
    shown = worked(CD[name], *table)
    value = CD[name](*rates_of(*table))
    found = eval(arithmetic(shown), {"__builtins__": {}}, {"log": math.log, "log2": math.log2, "max": max})
    assert found == pytest.approx(value, rel=0.03, abs=2e-3), shown
    assert shown.rstrip("}").split("{")[-1].replace(",", "")[:2] == f"{value:.4g}".replace(",", "")[:2] or value == 0


def test_information_gain_leaves_empty_cells_out():
    shown = worked(CD["IG"], 5, 0, 5, 90)
    assert [line.count(r"\log_2") for line in shown.split(r"\\[4pt]")] == [1, 1, 1, 0]  # one a line, and the value
    assert r"\frac" in worked(CD["GR"], 5, 1, 5, 90)


@pytest.mark.parametrize("table", [(30, 20, 70, 880), (5, 3, 5, 90), (133, 30, 48, 9392)])
def test_conf_weight_shows_the_ends_of_both_intervals(table):
    shown = worked(CD["ConfWeight"], *table)
    low, high = (
        float(shown.split(name)[1].split("=")[2].split("\\")[0].split(",")[0]) for name in ("MinPos}", "MaxNeg}")
    )
    assert math.log2(2 * low / (low + high)) == pytest.approx(CD["ConfWeight"](*rates_of(*table)), abs=0.01)
    assert r"\leq" in worked(CD["ConfWeight"], 1, 50, 9, 40)


def test_bi_normal_separation_shows_both_quantiles():
    shown = worked(CD["BNS"], 30, 20, 70, 880)  # rates of .3 and 20/900
    assert r"\left|-0.524-(-2.01)\right| = \mathbf{1.485}" in shown and r"\Phi^{-1}(0.0222)" in shown
    assert r"\left|3.29-0\right|" in worked(CD["BNS"], 5, 50, 0, 50)  # a rate of 1 is cut at .9995


def test_functions_of_ones_own():
    assert worked(formula("tpr/2 + df"), 5, 1, 5, 90) == (
        r"\frac{\mathit{tpr}}{2} + n_t = \mathbf{6.25}\quad(\mathit{tpr}=0.5,\ \mathit{df}=6)"
    )
    for other in (power("IG", 3), spline([[1] * 5] * 5), CD["ConfWeight"], formula("2")):
        assert r"= \mathbf{" in worked(other, 5, 1, 5, 90)


def test_an_empty_class_and_no_documents():
    assert rates_of(0, 5, 0, 5) == (0, 0.5, 0, 10) and rates_of(3, 0, 1, 0) == (0.75, 0, 1, 4)
    for function in CD.values():
        assert worked(function, 0, 5, 0, 5) and worked(function, 0, 0, 0, 1)
    with pytest.raises(ValueError, match="no document"):
        rates_of(0, 0, 0, 0)
    with pytest.raises(ValueError, match="may be negative"):
        rates_of(-1, 0, 0, 2)

"""Every cd formula written out with the numbers of one contingency table in it, as LaTeX.

A function's ``worked`` is LaTeX in which ``<tp / N>`` stands for the value of that formula (of ``formulas``), or, where
that does not do, a function of the table and of the end of the line. What stands right of the last equals sign is the
function's own value, not computed again here. Formulas of the reader's own are shown with their variables' values
instead. Leaves out where ConfWeight's z comes from.
"""

import re

from ltw_core.weighting import cd
from ltw_core.weighting.formulas.evaluation import evaluate
from ltw_core.weighting.formulas.parser import Expression, parse
from ltw_core.weighting.function import Function


def rates_of(tp: float, fp: float, fn: float, tn: float) -> tuple[float, float, float, float]:
    """tpr, fpr, p and N of a table; a rate whose class is empty is 0.

    Raises
    ------
    ValueError
        For a negative count, or no document at all.
    """
    if min(tp, fp, fn, tn) < 0:
        raise ValueError(f"tp, fp, fn and tn are {tp}, {fp}, {fn} and {tn}; none may be negative")
    n = tp + fp + fn + tn
    if n <= 0:
        raise ValueError("tp, fp, fn and tn are all 0: there is no document")
    positives, negatives = tp + fn, fp + tn
    return (
        tp / positives if positives else 0.0,
        fp / negatives if negatives else 0.0,
        positives / n,
        n,
    )


def worked(function: Function, tp: float, fp: float, fn: float, tn: float) -> str:
    """A function's formula with numbers, and its value.

    Parameters
    ----------
    function : Function
        A member of ``CD``, or one of the reader's own.
    tp, fp, fn, tn : float ≥ 0

    Returns
    -------
    str
        LaTeX without dollar signs.
    """
    tpr, fpr, p, n = rates_of(tp, fp, fn, tn)
    values = {"tpr": tpr, "fpr": fpr, "p": p, "N": n, "tp": tp, "fp": fp, "fn": fn, "tn": tn, "df": tp + fp}
    equals = rf"= \mathbf{{{_n(float(function(tpr, fpr, p, n)), 4)}}}"
    if callable(function.worked):
        return function.worked(tp, fp, fn, tn, equals)
    if function.worked:
        number = lambda found: _n(float(evaluate(parse(found[1]).tree, values)))  # noqa: E731
        return f"{re.sub('<(.+?)>', number, function.worked)} {equals}"
    if isinstance(function.compute, Expression):
        used = [name for name in values if name in function.compute.variables]
        where = ",\\ ".join(rf"\mathit{{{name}}}={_n(values[name])}" for name in used)
        return f"{function.latex} {equals}" + (rf"\quad({where})" if where else "")
    return f"{function.latex} {equals}"


def information_gain(tp: float, fp: float, fn: float, tn: float, equals: str) -> str:
    """Pr(t',c') log₂(Pr(t',c') / (Pr(t')Pr(c'))) for each cell that has documents, a line each."""
    n = tp + fp + fn + tn
    held, without, positives, negatives = tp + fp, fn + tn, tp + fn, fp + tn
    cells = [(tp, held, positives), (fp, held, negatives), (fn, without, positives), (tn, without, negatives)]
    parts = [
        rf"{_n(cell / n)}\log_2\frac{{{_n(cell / n)}}}{{{_n(row / n)}\cdot{_n(column / n)}}}"
        for cell, row, column in cells
        if cell > 0
    ]
    return _lines(parts[0], *(f"+{part}" for part in parts[1:]), equals)


def gain_ratio(tp: float, fp: float, fn: float, tn: float, equals: str) -> str:
    """Information gain over the entropy of the class."""
    tpr, fpr, p, n = rates_of(tp, fp, fn, tn)
    gain = _n(float(cd.information_gain(tpr, fpr, p, n)), 4)
    return rf"\frac{{{gain}}}{{-{_entropy(p)}-{_entropy(1 - p)}}} {equals}"


def _lines(*lines: str) -> str:
    """Lines one below the other, with room for fractions."""
    return r"\begin{aligned}&" + r"\\[4pt]&".join(lines) + r"\end{aligned}"


def conf_weight(tp: float, fp: float, fn: float, tn: float, equals: str) -> str:
    """Both ends of the intervals, then what is made of them."""
    lines, ends = [], []
    for name, sign, count, of in (("MinPos", -1, tp, tp + fn), ("MaxNeg", 1, fp, fp + tn)):
        z = float(cd.quantile(of))
        end = float(cd.interval(count / max(of, 1), of, z, False)[sign > 0])
        middle = (count + z**2 / 2) / (of + z**2)
        ends.append(end)
        lines.append(
            rf"\tilde p=\tfrac{{{_n(count)}+{_n(z**2 / 2)}}}{{{_n(of)}+{_n(z**2)}}}={_n(middle)}"
            rf",\ \mathit{{{name}}}=\tilde p{'-' if sign < 0 else '+'}"
            rf"{_n(z)}\sqrt{{\tfrac{{\tilde p(1-\tilde p)}}{{{_n(of + z**2)}}}}}={_n(end)}"
        )
    low, high = ends
    if low > high:
        return _lines(*lines, rf"\log_2\frac{{2\cdot{_n(low)}}}{{{_n(low)}+{_n(high)}}}\ {equals}")
    return _lines(*lines, rf"\mathit{{MinPos}}\leq\mathit{{MaxNeg}}:\ \mathbf{{0}}\ {equals}")


def bi_normal_separation(tp: float, fp: float, fn: float, tn: float, equals: str) -> str:
    """Both rates after the cut, their quantiles, and the distance of these."""
    rates = [min(max(rate, cd.BNS_CUT), 1 - cd.BNS_CUT) for rate in rates_of(tp, fp, fn, tn)[:2]]
    one, other = (rf"\Phi^{{-1}}({_n(rate)})" for rate in rates)
    distances = [float(cd.bi_normal_separation(rate, 0.5, 0.5, 1)) * (1 if rate >= 0.5 else -1) for rate in rates]
    first, second = map(_n, distances)
    minus = f"-({second})" if second.startswith("-") else f"-{second}"
    return rf"\left|{one}-{other}\right|=\left|{first}{minus}\right| {equals}"


def _entropy(p: float) -> str:
    return rf"{_n(p)}\log_2{_n(p)}" if p > 0 else "0"


def _n(value: float, digits: int = 3) -> str:
    """A number in LaTeX: counts as they are, others with three figures, small ones as a power of ten."""
    if value == int(value) and abs(value) < 1e7:
        return f"{int(value):,}".replace(",", "{,}")
    text = f"{value:.{digits}g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        return rf"{mantissa}\cdot 10^{{{int(exponent)}}}"
    return text

"""Every cd formula written out with the numbers of one contingency table in it, as LaTeX.

What stands right of the last equals sign is the function's own value, not computed again here. Formulas of the reader's
own are shown with their variables' values instead. Leaves out where ConfWeight's z comes from.
"""

from ltw_core.weighting.cd import interval, quantile
from ltw_core.weighting.formulas.parser import Expression
from ltw_core.weighting.function import Function
from ltw_core.weighting.functions import CD


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
    value = float(function(tpr, fpr, p, n))
    held, without = tp + fp, fn + tn
    texts = {
        "1": lambda: "1",
        "IDF": lambda: rf"\ln\frac{{{_n(n)}}}{{{_n(max(held, 1))}}}",
        "BM25": lambda: rf"\max\left(0,\ \ln\frac{{{_n(without)}+\frac12}}{{{_n(held)}+\frac12}}\right)",
        "CHI2": lambda: (
            rf"\frac{{{_n(n)}\cdot{_n(p)}\cdot{_n(1 - p)}\cdot({_n(tpr)}-{_n(fpr)})^2}}"
            rf"{{{_n(held / n)}\cdot{_n(without / n)}}}"
        ),
        "GR": lambda: rf"\frac{{{_n(float(CD['IG'](tpr, fpr, p, n)), 4)}}}{{-{_entropy(p)}-{_entropy(1 - p)}}}",
        "RF": lambda: rf"\log_2\left(2+\frac{{{_n(tp)}}}{{\max(1,\,{_n(fp)})}}\right)",
        "GSS": lambda: rf"{_n(tp / n)}\cdot{_n(tn / n)}-{_n(fp / n)}\cdot{_n(fn / n)}",
        "OR": lambda: (
            rf"\ln\frac{{({_n(n * tpr)}+1)\,({_n(n * (1 - fpr))}+1)}}{{({_n(n * fpr)}+1)\,({_n(n * (1 - tpr))}+1)}}"
        ),
        "PMI": lambda: rf"\log_2\frac{{{_n(n * tpr)}+1}}{{{_n(held)}+1}}",
    }
    equals = rf"= \mathbf{{{_n(value, 4)}}}"
    if function.name == "IG":  # four products do not fit on a line
        parts = _gain(tp, fp, fn, tn)
        below = "".join(f"+{part}" for part in parts[2:])
        return _lines("+".join(parts[:2]), *([below] if below else []), equals)
    if function.name == "ConfWeight":
        return _confidence(tp, fp, fn, tn, equals)
    if function.name in texts:
        return f"{texts[function.name]()} {equals}"
    if isinstance(function.compute, Expression):
        known = {"tpr": tpr, "fpr": fpr, "p": p, "N": n, "tp": tp, "fp": fp, "fn": fn, "tn": tn, "df": held}
        used = [name for name in known if name in function.compute.variables]
        where = ",\\ ".join(rf"\mathit{{{name}}}={_n(known[name])}" for name in used)
        return f"{function.latex} {equals}" + (rf"\quad({where})" if where else "")
    return f"{function.latex} {equals}"


def _lines(*lines: str) -> str:
    """Lines one below the other, with room for fractions."""
    return r"\begin{aligned}&" + r"\\[4pt]&".join(lines) + r"\end{aligned}"


def _confidence(tp: float, fp: float, fn: float, tn: float, equals: str) -> str:
    """Both ends of the intervals, then what is made of them."""
    lines, ends = [], []
    for name, sign, count, of in (("MinPos", -1, tp, tp + fn), ("MaxNeg", 1, fp, fp + tn)):
        z = float(quantile(of))
        end = float(interval(count / max(of, 1), of, z, False)[sign > 0])
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


def _gain(tp: float, fp: float, fn: float, tn: float) -> list[str]:
    """Pr(t',c') log₂(Pr(t',c') / (Pr(t')Pr(c'))) in numbers for each cell that has documents."""
    n = tp + fp + fn + tn
    held, without, positives, negatives = tp + fp, fn + tn, tp + fn, fp + tn
    cells = [(tp, held, positives), (fp, held, negatives), (fn, without, positives), (tn, without, negatives)]
    return [
        rf"{_n(cell / n)}\log_2\frac{{{_n(cell / n)}}}{{{_n(row / n)}\cdot{_n(column / n)}}}"
        for cell, row, column in cells
        if cell > 0
    ]


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

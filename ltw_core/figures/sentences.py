"""What a figure says, in words: the parts of its alternative text.

A reader who does not see a figure gets its finding: which class, term or method, how high, and where.
"""

import re
from collections.abc import Callable, Sequence
from html import unescape

import numpy as np

from ltw_core.metrics import listed

WHOLE = 100  # a largest magnitude from which on no number of its kind has decimals
UNSEEN = 1e-3  # of a curve's largest magnitude


def number(value: float) -> str:
    """Three significant digits, no exponent: 0.0123, 5,830, −2."""
    value = float(f"{value:.3g}")
    text = f"{abs(value):,.10f}".rstrip("0").rstrip(".")
    return f"−{text}" if value < 0 else text


def are_whole(values) -> bool:
    """Whether weights of one kind are written without decimals, in tables as in figures: the largest has three digits
    before the point."""
    return bool(np.abs(np.nan_to_num(np.asarray(values, dtype=float), posinf=0, neginf=0)).max(initial=0) >= WHOLE)


def without_marks(text: str) -> str:
    """A title as plotly has it, without its marks of style and with single spaces."""
    return " ".join(unescape(re.sub("<[^>]*>", " ", text)).split())


def course(name: str, x: Sequence[float], y: Sequence[float], place: Callable[[float], str]) -> str:
    """How a curve goes: where it begins and ends, and its highest and lowest point if these lie between.

    ``place`` puts an x into words. Values too small to be seen beside the largest count as 0.
    """
    y = np.asarray(y, dtype=float)
    if not y.size:
        return f"{name} has no point"
    ends = int(np.argmax(y)), int(np.argmin(y))
    y = np.where(np.abs(y) < UNSEEN * np.abs(y).max(), 0, y)
    if np.ptp(y) == 0:
        return f"{name} is {number(y[0])} throughout"
    said = f"{name} goes from {number(y[0])} at {place(x[0])} to {number(y[-1])} at {place(x[-1])}"
    inner = [
        f"{word} is {number(y[at])} at {place(x[at])}"
        for word, at in zip(("highest", "lowest"), ends, strict=True)
        if y[at] not in (y[0], y[-1])
    ]
    return said + (f" ({listed(inner)})" if inner else "")


def strongest(names: Sequence[str], weights: np.ndarray, count: int = 3) -> str:
    """The terms with the highest weights, the highest first; empty where no weight is above 0."""
    order = [k for k in np.argsort(-weights, kind="stable")[:count] if weights[k] > 0]
    return listed(str(names[k]) for k in order)

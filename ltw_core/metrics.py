"""F1, the counts it is made of, and how numbers and lists of names are written.

Leaves out averaging over classes (``ltw_core.evaluation``).
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Counts(NamedTuple):
    """The four cells of a contingency table of decisions, in documents."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def f1(self) -> float:
        return f1(self.tp, self.fp, self.fn)

    @property
    def precision(self) -> float:
        return precision(self.tp, self.fp, self.fn)

    @property
    def recall(self) -> float:
        return recall(self.tp, self.fp, self.fn)


def contingency(y_true, y_pred) -> Counts:
    """Count decisions.

    Parameters
    ----------
    y_true, y_pred : array-like of bool, shape (documents,)
    """
    y_true, y_pred = np.asarray(y_true, dtype=bool), np.asarray(y_pred, dtype=bool)
    if y_true.shape != y_pred.shape:
        raise ValueError(f"y_true has shape {y_true.shape} and y_pred {y_pred.shape}; they must be equal")
    tp = int(np.count_nonzero(y_true & y_pred))
    fp = int(np.count_nonzero(~y_true & y_pred))
    fn = int(np.count_nonzero(y_true & ~y_pred))
    return Counts(tp, fp, fn, y_true.size - tp - fp - fn)


def f1(tp, fp, fn) -> float:
    """F1 = 2·TP / (2·TP + FP + FN), and 1 where there is nothing to find and nothing was found (0/0).

    Source: the paper, section "Evaluation Measures".
    """
    return 1.0 if tp + fp + fn == 0 else 2 * tp / (2 * tp + fp + fn)


def precision(tp, fp, fn) -> float:
    """TP / (TP + FP); where nothing was found, 1 if there was nothing to find, else 0."""
    return tp / (tp + fp) if tp + fp else float(fn == 0)


def recall(tp, fp, fn) -> float:
    """TP / (TP + FN); where there was nothing to find, 1 if nothing was found, else 0."""
    return tp / (tp + fn) if tp + fn else float(fp == 0)


def decimals(value: float, digits: int = 3) -> str:
    """A share such as F1, or a difference, without the leading 0: ".926", "−.04", "1.000"."""
    text = f"{abs(value):.{digits}f}".removeprefix("0")
    return f"−{text}" if value < 0 and float(text) else text


def signed(value: float, digits: int = 3) -> str:
    """A difference with its sign: "+.044", "−.040"."""
    return ("+" if value >= 0 else "") + decimals(value, digits)


def power_of_ten(value: float) -> str:
    """Two significant digits, with a power of ten where the value is small: ".031", "3.1·10⁻¹⁷"."""
    digits, _, power = f"{value:.2g}".partition("e")
    digits = digits.removeprefix("0") if "." in digits else digits  # as all shares are written
    return digits + (f"·10{str(int(power)).translate(RAISED)}" if power else "")


def listed(items: Iterable[str], most: int | None = None, word: str = "and") -> str:
    """ "a", "a and b", "a, b and c"; of more than ``most`` the first ones, and how many there are besides."""
    items = list(items)
    if most is not None and len(items) > most:
        items = [*items[:most], f"{len(items) - most:,} more"]
    return f" {word} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)

"""Averages over classes. Leaves out significance (``significance``)."""

from collections.abc import Iterable

from ltw_core.metrics import f1
from ltw_core.protocol import LEFT_OUT, ONE, PREDICTED, UNTESTED


def macro_f1(results: Iterable, untested: str = PREDICTED) -> float:
    """Mean of the classes' F1: each class counts the same.

    Parameters
    ----------
    results : iterable of Result, or of anything with ``tp``, ``fp`` and ``fn``
        One a class.
    untested : {"predicted", "one", "left_out"}
        How the classes without test documents count, see ``ltw_core.protocol.UNTESTED``.

    References
    ----------
    The paper's section "Evaluation Measures".
    """
    scores = [counted for counts in _counts(results) if (counted := f1_of_class(*counts, untested)) is not None]
    if not scores:
        raise ValueError("There are no classes with test documents to average over")
    return sum(scores) / len(scores)


def f1_of_class(tp: float, fp: float, fn: float, untested: str = PREDICTED) -> float | None:
    """F1 of a class as macro F1 counts it; None where it is left out. Parameters as for ``macro_f1``."""
    if untested not in UNTESTED.values:
        raise ValueError(f"untested is {str(untested)[:40]!r}; it must be one of {', '.join(UNTESTED.values)}")
    if tp + fn or untested == PREDICTED:
        return f1(tp, fp, fn)
    return {ONE: 1.0, LEFT_OUT: None}[untested]


def micro_f1(results: Iterable) -> float:
    """F1 of the pooled counts: each decision counts the same, so frequent classes decide.

    Parameters and references as for ``macro_f1``.
    """
    return f1(*map(sum, zip(*_counts(results), strict=True)))


def with_test_positives(results: Iterable) -> list:
    """Only the classes that some test document has.

    In a class without any, one false positive turns F1 from 1 to 0; macro F1 over the others is worth showing too.
    """
    return [result for result in results if result.tp + result.fn]


def _counts(results: Iterable) -> list[tuple[int, int, int]]:
    """tp, fp and fn of each class."""
    counts = [(result.tp, result.fp, result.fn) for result in results]
    if not counts:
        raise ValueError("There are no classes to average over")
    return counts

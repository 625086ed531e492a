"""Averages over classes. Leaves out significance (``significance``)."""

from collections.abc import Iterable

from ltw_core.metrics import f1


def macro_f1(results: Iterable) -> float:
    """Mean of the classes' F1: each class counts the same.

    Parameters
    ----------
    results : iterable of Result, or of anything with ``tp``, ``fp`` and ``fn``
        One a class.

    References
    ----------
    The paper's section "Evaluation Measures".
    """
    scores = [f1(*counts) for counts in _counts(results)]
    return sum(scores) / len(scores)


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

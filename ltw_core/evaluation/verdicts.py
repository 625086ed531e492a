"""What follows from a comparison, in a sentence that its interval hedges.

Leaves out the numbers themselves (``uncertainty``, ``paired``).
"""

from collections.abc import Mapping

from ltw_core.evaluation.paired import APART, CLASSES, Difference
from ltw_core.evaluation.uncertainty import Interval
from ltw_core.metrics import decimals, listed, power_of_ten, signed

ROUNDING = 1e-9  # as much may be left of a difference of 0


def verdict(one: str, other: str, found: Difference, where: str = "") -> str:
    """Whether one is better than the other, and by how much: "A is not distinguishable from B on corn (difference −.010
    to +.020; 56 test documents of the class)".

    Parameters
    ----------
    one, other : str
        What the two are called.
    found : Difference
    where : str
        The class or corpus, as "corn".
    """
    at = f" on {where}" if where else ""
    by = f"difference {interval_text(found.both, plus=True)}; " * (found.sign == 0)
    return f"{one} {_predicate(other, found)}{at} ({by}{_basis(found)})"


def verdicts(
    one: str, others: Mapping[str, Difference], where: str = "", counts_told: bool = True, *, brief: bool = False
) -> str:
    """The same against several, those of one kind together, as one sentence.

    Parameters
    ----------
    one : str
    others : mapping of str to Difference
        By name what the first has more than each.
    where : str
    counts_told : bool
        Whether to say that only the counts of their decisions are known, where that is so.
    brief : bool
        Neither by how much nor on how many documents.
    """
    if not others:
        return ""
    first = next(iter(others.values()))
    at = f" on {where}" if where else ""
    basis = "" if brief else f" ({_basis(first, counts_told)})"
    return f"{one}{at}{basis} {verdict_on(others, brief=brief)}"


def verdict_on(others: Mapping[str, Difference], *, brief: bool = False) -> str:
    """``verdicts`` without its subject: "is not distinguishable from B; better than C"; arguments as there."""
    parts = []
    alike = [name for name, found in others.items() if found.sign == 0]
    if alike:
        by = {name: "" if brief else f" ({interval_text(others[name].both, plus=True)})" for name in alike}
        parts.append(f"is not distinguishable from {listed([name + by[name] for name in alike])}")
    for sign, word in ((1, "better"), (-1, "worse")):
        some = {name: found for name, found in others.items() if found.sign == sign}
        said = [name if brief else f"{name} by {_range(found)}" for name, found in some.items()]
        if said:
            parts.append(f"{'is ' if not parts else ''}{word} than {listed(said)}")
    return "; ".join(parts)


def in_documents(found: Difference, one: str = "the first", other: str = "the second") -> str:
    """How many documents a difference rests on: "They differ on 5 test documents; the first is right on 1 more of
    them; McNemar's exact test: p = 1"; ``one`` and ``other`` are what is compared."""
    n = found.differing
    if n is None:
        return "What was decided of each document is not known here, so that only counts are compared."
    if found.rests_on == CLASSES:
        return (
            f"It has the higher F1 in {found.first_right:g} and the lower in {found.second_right:g} of "
            f"{_count(found.n, 'class', 'classes')}."
        )
    if n == 0:
        return "They decide every test document alike."
    mean = " on average over pairs of seeds" if found.n_seeds > 1 else ""
    lead = found.first_right - found.second_right
    more = "each is right on half of them"
    if lead:
        more = f"{one if lead > 0 else other} is right on {_number(abs(lead))} more of them"
        if n == 1:
            more = f"{one if lead > 0 else other} is right there"
    p = f"; McNemar’s exact test: p = {power_of_ten(found.p_value)}" if found.p_value is not None else ""
    return f"They differ on {_count(n, 'test document')}{mean}; {more}{p}."


def interval_text(interval: Interval, digits: int = 3, *, plus: bool = False) -> str:
    """ ".86 to .97" without the leading 0; with ``plus`` "−.010 to +.004" or "−.008 to just above 0"."""
    return " to ".join(_end(value, digits, plus) for value in (interval.low, interval.high))


def _end(value: float, digits: int, plus: bool) -> str:
    """An end of an interval. Where it would round to 0 it is told in words: on which side of 0 it lies matters."""
    if ROUNDING < abs(value) < 0.5 * 10 ** -max(digits, 3):
        return "just above 0" if value > 0 else "just below 0"
    if ROUNDING < abs(value) < 0.5 * 10**-digits:
        digits = 3
    return signed(value, digits) if plus and abs(value) > ROUNDING else decimals(value, digits)


def _predicate(other: str, found: Difference) -> str:
    if found.sign == 0:
        return f"is not distinguishable from {other}"
    return f"is {'better' if found.sign > 0 else 'worse'} than {other} by {_range(found)}"


def _range(found: Difference) -> str:
    low, high = sorted((abs(found.both.low), abs(found.both.high)))
    digits = 2 if low >= 0.005 and decimals(low, 2) != decimals(high, 2) else 3
    digits += low < 0.0005 <= high  # a bound that rounds to 0 tells nothing
    low, high = decimals(low, digits), decimals(high, digits)
    return low if low == high else f"{low} to {high}"


def _basis(found: Difference, counts_told: bool = True) -> str:
    if found.rests_on == CLASSES:
        return f"over {_count(found.n, 'class', 'classes')}"
    of = f"{_count(found.n_positives, 'test document')} of the class"
    seeds = f", {found.n_seeds} seeds" if found.n_seeds > 1 else ""
    apart = "; only the counts of their decisions are known" * (counts_told and found.rests_on == APART)
    return of + seeds + apart


def _count(n: float, one: str, more: str = "") -> str:
    return f"{_number(n)} {one if n == 1 else more or one + 's'}"


def _number(n: float) -> str:
    return f"{n:,.3g}" if n < 1000 else f"{n:,.0f}"

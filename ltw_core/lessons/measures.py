"""What a lesson's texts and questions can name: measures of a class, by name, with what they take and what they give.

An ``Expression`` is a measure with its arguments as they stand in a file, ``tpr numpy`` or ``ratio CHI2 @word @other``;
``@name`` is a value that the lesson defines. ``read_expression`` checks all that can be checked without a corpus.
Nothing here is evaluated as code. Computing is in ``term_measures``, ``function_measures`` and ``learned_measures``.
"""

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ltw_core.weighting import CD, cd_function, method, methods

NAME = re.compile(r"[a-z][a-z0-9_]*")


class Curve(NamedTuple):
    """A function of one rate between 0 and 1; ``y`` is a share of the largest magnitude."""

    x: Any
    y: Any


@dataclass(frozen=True, eq=False)
class Surface:
    """A function of arrays tpr and fpr, and the class's terms, at which a guess can be judged.

    Attributes
    ----------
    height : callable
        ``height(tpr, fpr)``
    terms : TermStatistics
    """

    height: Callable
    terms: Any

    def __call__(self, tpr, fpr):
        return self.height(tpr, fpr)


@dataclass(frozen=True)
class Measure:
    """A row of ``MEASURES``.

    Attributes
    ----------
    takes : tuple of str
        Kinds of its arguments, see ``ARGUMENTS``; a last one that ends in "…" stands for two or more.
    gives : {"term", "terms", "text", "count", "share", "number", "score", "point", "curve", "surface"}; a "score" is a
        number with three decimals: an F1, a difference of two, or what a classifier adds up; a "surface" is a
        ``Surface``
    about : str
        What it is, in a few words: the documentation that the command line prints.
    compute : callable
        ``compute(subject, *arguments)``; the subject is the class, see ``Values``.
    of_class : bool
        Whether it depends on the class at all, and not on its arguments alone.
    """

    takes: tuple[str, ...]
    gives: str
    about: str
    compute: Callable[..., Any]
    of_class: bool = True


@dataclass(frozen=True)
class Expression:
    """A measure with its arguments as they stand in the file."""

    measure: str
    arguments: tuple[str, ...]
    gives: str
    line: int = 0

    def names(self) -> list[str]:
        """Values of the lesson that it uses."""
        return [word[1:] for word in self.arguments if word.startswith("@")]


MEASURES: dict[str, Measure] = {}


def measure(name: str, takes: str, gives: str, about: str, of_class: bool = True) -> Callable:
    """Enter a function into the table."""

    def enter(compute: Callable) -> Callable:
        MEASURES[name] = Measure(tuple(takes.split()), gives, about, compute, of_class)
        return compute

    return enter


def _rate(word: str) -> float:
    value = float(word)
    if not 0 <= value <= 1:
        raise ValueError
    return value


def _place(word: str) -> int:
    value = int(word)
    if not 1 <= value <= 10_000:
        raise ValueError
    return value


def _seed(word: str) -> int:
    value = int(word)
    if not 0 <= value <= 99:
        raise ValueError
    return value


def _along(word: str) -> str:
    if word not in ("tpr", "fpr"):
        raise ValueError
    return word


def _method(word: str) -> str:
    if word not in methods() or method(word).family == "LTW":
        raise ValueError
    return word


ARGUMENTS: dict[str, tuple[Callable[[str], Any], str]] = {
    "term": (str, "a term, or a value such as @word"),
    "cd": (cd_function, f"one of {', '.join(CD)}, or a formula without spaces such as tpr-fpr"),
    "rank": (_place, "a whole number from 1 to 10000"),
    "rate": (_rate, "a number from 0 to 1"),
    "along": (_along, "tpr or fpr"),
    "seed": (_seed, "a whole number from 0 to 99"),
    "method": (_method, "a weighting that is not learned, such as TFRF"),
}


def read_expression(text: str, values: Mapping[str, Expression], line: int = 0) -> Expression:
    """A measure with its arguments.

    Raises
    ------
    ValueError
        A sentence: no such measure, too many or too few arguments, or one that cannot be meant.
    """
    try:
        name, *words = shlex.split(text)
    except ValueError:
        raise ValueError(f"“{text[:60]}” names no measure; write one such as tpr @word") from None
    if name not in MEASURES:
        raise ValueError(f"there is no measure “{name[:40]}”; there are {', '.join(sorted(MEASURES))}")
    found = MEASURES[name]
    fixed, many = list(found.takes), bool(found.takes) and found.takes[-1].endswith("…")
    if many:
        last = fixed.pop().removesuffix("…")
        if not 2 <= len(words) - len(fixed) <= 12:
            raise ValueError(f"“{name}” takes {_said(found)}, which “{text[:60]}” does not give")
        fixed += [last] * (len(words) - len(fixed))
    if len(words) != len(fixed):
        raise ValueError(f"“{name}” takes {_said(found)}, which “{text[:60]}” does not give")
    for word, kind in zip(words, fixed, strict=True):
        _check_argument(name, word, kind, values)
    return Expression(name, tuple(words), found.gives, line)


def _said(found: Measure) -> str:
    return " and ".join(f"two or more {k[:-1]}s" if k.endswith("…") else f"a {k}" for k in found.takes) or "nothing"


def _check_argument(name: str, word: str, kind: str, values: Mapping[str, Expression]) -> None:
    if word.startswith("@"):
        if word[1:] not in values:
            known = ", ".join(f"@{known}" for known in values) or "none"
            raise ValueError(f"{word} is not defined; the values defined above are {known}")
        if kind != "term" or values[word[1:]].gives != "term":
            raise ValueError(f"{word} cannot be the {kind} that “{name}” takes; only terms stand behind an @")
        return
    convert, allowed = ARGUMENTS[kind]
    try:
        convert(word)
    except ValueError:
        raise ValueError(f"“{word[:40]}” cannot be the {kind} of “{name}”; it must be {allowed}") from None


def arguments_of(expression: Expression, value_of: Callable[[str], Any]) -> list[Any]:
    """Its arguments, converted; ``value_of`` gives a value of the lesson."""
    takes = MEASURES[expression.measure].takes
    last = takes[-1].removesuffix("…") if takes else ""
    found = []
    for place, word in enumerate(expression.arguments):
        kind = takes[place] if place < len(takes) and not takes[place].endswith("…") else last
        found.append(value_of(word[1:]) if word.startswith("@") else ARGUMENTS[kind][0](word))
    return found

"""What a file that somebody hands in may hold: a table of rules, checked once, before anything else looks at it.

A rule (``Number(0, 1)``, ``Text(200)``, ``Many(…)``, ``Fields({…})``) knows in words what it expects. Whatever does not
fit is a ``FileError`` that names the part and what is expected there. JSON is read by ``read_json``, which bounds what
it may take of memory and refuses what says one thing twice. Leaves out which fields a file has: that stands beside the
code that reads it.
"""

import json
import math
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

INTEGER = 2**63 - 1  # the largest whole number that SQLite holds
SHOWN = 40  # characters of a wrong value that are repeated
NESTED = 100_000  # lists and objects of a JSON text: each takes some 60 bytes of memory for 2 of the text


class FileError(ValueError):
    """What was handed in is refused. The message says what is wrong and what is expected, and nothing of this disk."""


class Rule:
    """What a value must be; ``expected`` says it in words."""

    expected: str

    def fits(self, value: Any) -> bool:
        """Whether a value is as expected, apart from its parts."""
        raise NotImplementedError

    def seen(self, value: Any) -> str:
        """A value that does not fit, in a few words."""
        return shown(value)

    composed = False  # whether what fits has parts

    def parts(self, value: Any) -> Iterator[tuple[str, "Rule", Any]]:
        """What a value that fits is made of: how each part is called, its rule, and its value."""
        return iter(())

    def check(self, value: Any, where: str) -> None:
        """Raise a ``FileError`` unless a value and all its parts are as expected.

        Parameters
        ----------
        where : str
            How the value is called; "" where its fields are called by their names alone.
        """
        if not self.fits(value):
            raise FileError(f"{where} is {self.seen(value)}; it must be {self.expected}")
        try:
            for name, rule, part in self.parts(value):
                if rule.composed or not rule.fits(part):  # no name is made for what is right
                    rule.check(part, f"{where}, {name}" if where else name)
        except _Field as error:
            raise FileError(f"{where or 'it'} {error}") from None


class _Field(Exception):
    """A field that is not there, or has no place there."""


@dataclass(frozen=True)
class Number(Rule):
    """A finite number between two, both allowed."""

    least: float
    most: float

    @property
    def expected(self) -> str:
        return f"a number from {self.least:,} to {self.most:,}"

    def fits(self, value: Any) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and self.least <= value <= self.most


@dataclass(frozen=True)
class Whole(Number):
    """A whole number between two, both allowed."""

    @property
    def expected(self) -> str:
        return f"a whole number from {self.least:,} to {self.most:,}"

    def fits(self, value: Any) -> bool:
        return isinstance(value, int) and super().fits(value)


@dataclass(frozen=True)
class Text(Rule):
    """A text of bounded length that can be written as UTF-8; ``without``: characters that it may not hold."""

    most: int
    least: int = 0
    without: str = ""

    @property
    def expected(self) -> str:
        without = f" without {' or '.join(map(repr, self.without))}" if self.without else ""
        size = f"{self.least:,} to {self.most:,}" if self.least else f"at most {self.most:,}"
        return f"a text of {size} characters{without}"

    def fits(self, value: Any) -> bool:
        if not isinstance(value, str) or not self.least <= len(value) <= self.most:
            return False
        whole = value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)
        return whole and not any(character in value for character in self.without)


@dataclass(frozen=True)
class OneOf(Rule):
    """One of some texts, null among them where ``None`` is."""

    allowed: Container[str | None]

    @property
    def expected(self) -> str:
        return f"one of {', '.join('null' if value is None else str(value) for value in self.allowed)}"

    def fits(self, value: Any) -> bool:
        return (value is None or isinstance(value, str)) and value in self.allowed


@dataclass(frozen=True)
class Truth(Rule):
    """True or false."""

    expected = "true or false"

    def fits(self, value: Any) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True)
class AnyOf(Rule):
    """What fits one of some rules that have no parts."""

    rules: tuple[Rule, ...]

    @property
    def expected(self) -> str:
        return ", or ".join(rule.expected for rule in self.rules)

    def fits(self, value: Any) -> bool:
        return any(rule.fits(value) for rule in self.rules)


@dataclass(frozen=True)
class Optional(Rule):
    """Null, or what fits a rule."""

    rule: Rule

    @property
    def expected(self) -> str:
        return f"{self.rule.expected}, or null"

    def fits(self, value: Any) -> bool:
        return value is None or self.rule.fits(value)

    @property
    def composed(self) -> bool:
        return self.rule.composed

    def parts(self, value: Any) -> Iterator[tuple[str, Rule, Any]]:
        return iter(()) if value is None else self.rule.parts(value)


@dataclass(frozen=True)
class Many(Rule):
    """A list of a bounded number of values."""

    each: Rule
    most: int
    least: int = 0

    @property
    def expected(self) -> str:
        size = f"{self.most:,}" if self.least == self.most else f"{self.least:,} to {self.most:,}"
        return f"a list of {size} values"

    def fits(self, value: Any) -> bool:
        return isinstance(value, list) and self.least <= len(value) <= self.most

    composed = True

    def parts(self, value: list) -> Iterator[tuple[str, Rule, Any]]:
        return ((f"value {place}", self.each, part) for place, part in enumerate(value, 1))


@dataclass(frozen=True)
class Fields(Rule):
    """An object with some fields by name.

    Attributes
    ----------
    rules : mapping of name to Rule
    optional : names of those that need not be there
    others : Rule or None
        Of any field that has none of the names; None where there may be no other.
    """

    rules: Mapping[str, Rule]
    optional: Container[str] = ()
    others: Rule | None = None

    expected = "an object with named fields"
    composed = True

    def fits(self, value: Any) -> bool:
        return isinstance(value, dict)

    def parts(self, value: dict) -> Iterator[tuple[str, Rule, Any]]:
        for name in self.rules:
            if name not in value and name not in self.optional:
                raise _Field(f"has no {name}; it must have {', '.join(self._needed())}")
        for name, part in value.items():
            rule = self.rules.get(name, self.others)
            if rule is None:
                raise _Field(f"has a field {shown(name)}; it may have {', '.join(self.rules)}")
            yield name, rule, part

    def _needed(self) -> list[str]:
        return [name for name in self.rules if name not in self.optional]


@dataclass(frozen=True)
class Anything(Rule):
    """Whatever JSON can say, in the bounds of the text that it was read from."""

    expected = "a value"

    def fits(self, value: Any) -> bool:
        return True


def said(value: Any) -> str:
    """A wrong value as Python writes it; of numpy's ``np.False_`` the plain ``False``."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def shown(value: Any) -> str:
    """A wrong value in a few words, as JSON has it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case list() | tuple():
            return f"a list of {len(value):,}"
        case dict():
            return f"an object of {len(value):,} fields"
    try:
        text = repr(value)
    except ValueError:  # a whole number of more digits than Python writes
        text = "a very large number"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def read_json(text: str | bytes, what: str, most: int) -> Any:
    """The value of a JSON text.

    Parameters
    ----------
    text : str or bytes
        Bytes are UTF-8.
    what : str
        How the text is called in errors.
    most : int
        Its largest size in bytes, or characters of a str. What is read takes about 15 times that at worst.

    Raises
    ------
    FileError
        It is too large, is no JSON, has more than ``NESTED`` lists and objects, or an object with a name twice.
    """
    if not isinstance(text, str | bytes):
        raise FileError(f"{what} is {shown(text)}; it must be a text of JSON")
    if len(text) > most:
        raise FileError(f"{what} has {len(text):,} bytes; at most {most:,} are read")
    try:
        text = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        if text.count("[") + text.count("{") > NESTED:
            raise FileError(f"{what} has more than {NESTED:,} lists and objects")
        return json.loads(text, object_pairs_hook=lambda pairs: _once(pairs, what), parse_int=_whole)
    except UnicodeDecodeError as error:
        raise FileError(f"{what} is no text in UTF-8 (byte {error.start:,})") from error
    except json.JSONDecodeError as error:
        raise FileError(f"{what} is not JSON: {error.msg[:1].lower()}{error.msg[1:]}, line {error.lineno}") from error
    except RecursionError as error:
        raise FileError(f"{what} has lists and objects too deep within each other") from error


def _whole(digits: str) -> int | float:
    """A whole number; infinity where there are more digits than any number here has, which no rule lets pass."""
    return int(digits) if len(digits) <= 300 else math.inf


def _once(pairs: list[tuple[str, Any]], what: str) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counts.items() if count > 1)
        raise FileError(f"{what} has the field {shown(twice)} twice")
    return found

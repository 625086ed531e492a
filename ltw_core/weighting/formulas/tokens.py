"""A typed formula taken apart into numbers, names and operators, each with its position."""

import re

from ltw_core.weighting.formulas.evaluation import LARGEST

_TOKEN = re.compile(
    r"\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/(),]))", re.ASCII
)
_LOOKALIKES = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "\0"})


class ExpressionError(ValueError):
    """A formula that cannot be read; the message is a sentence with the column, counted from 1."""

    def __init__(self, text: str, position: int, what: str):
        self.text, self.column = text, position + 1
        super().__init__(f"column {self.column}: {what}")

    @property
    def pointer(self) -> str:
        """The formula with an arrow below the column, in two lines of a fixed-width font."""
        start = max(0, self.column - 60)
        return f"{self.text[start : start + 90]}\n{' ' * (self.column - 1 - start)}↑"


def tokens(text: str):
    """(kind, value, position) of each token, and an end."""
    plain = text.translate(_LOOKALIKES)  # a ^ becomes ** below, so that columns stay what they are
    position = 0
    while position < len(plain):
        if plain[position].isspace():
            position += 1
            continue
        if plain[position] == "\0" and text[position] == "^":
            yield "operator", "**", position
            position += 1
            continue
        match = _TOKEN.match(plain, position)
        if match is None:
            raise ExpressionError(text, position, _stranger(text[position]))
        number, name, operator = match.groups()
        start = match.start(match.lastindex)
        if number is not None:
            value = float(number)
            if not value <= LARGEST:
                raise ExpressionError(text, start, f"the number is larger than {LARGEST:g}")
            yield "number", value, start
        elif name is not None:
            yield "name", name, start
        else:
            yield "operator", operator, start
        position = match.end()
    yield "end", None, len(text)


def _stranger(character: str) -> str:
    if character in "[]{}":
        return f"{character!r} does not belong in a formula; parentheses are round"
    if character in "'\"":
        return "a formula holds no quotation marks"
    if character in "<>=!&|?:":
        return f"{character!r} does not belong in a formula; for a condition use min, max or sign"
    if character in "₀₁₂₃₄₅₆₇₈₉²³":
        return f"{character!r} does not belong in a formula; a power is written **"
    shown = repr(character) if character.isprintable() else f"the character U+{ord(character):04X}"
    return f"{shown} does not belong in a formula"

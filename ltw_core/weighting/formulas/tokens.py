"""A typed formula taken apart into numbers, names and operators, each with its position."""

import re

from ltw_core.weighting.formulas.evaluation import LARGEST

_TOKEN = re.compile(
    r"(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator>[*×·]{2}|[-−–+*×·/÷(),^])",
    re.ASCII,
)
_LOOKALIKES = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "^": "**"})


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
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        match = _TOKEN.match(text, position)
        if match is None:
            raise ExpressionError(text, position, _stranger(text[position]))
        kind, value = match.lastgroup, match[0].translate(_LOOKALIKES)
        if kind == "number":
            value = float(value)
            if not value <= LARGEST:
                raise ExpressionError(text, position, f"the number is larger than {LARGEST:g}")
        yield kind, value, position
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

"""Bars of the terms behind a difference of two classifiers."""

from collections.abc import Sequence
from typing import NamedTuple, Self

from ltw_core.figures import top_terms
from pages._ui import words
from pages._ui.plots.plot import plot

LETTER, BESIDE, ROOM = 7, 12, 150  # pixels of a letter of a name, between it and the bars, and for names at most


class Scale(NamedTuple):
    """What charts that are compared have in common: the ends of their axis, and the pixels before it."""

    limits: tuple[float, float] | None
    left: int

    @classmethod
    def of(cls, terms: Sequence[tuple[str, float]]) -> Self:
        """That of the terms of all of them."""
        values = [0.0, *(value for _, value in terms)]
        least, most = min(values), max(values)
        top = max(most, -least)
        limits = (-1.15 * top, 1.1 * top) if least < 0 < most else (1.15 * least, 1.05 * most) if terms else None
        return cls(limits, min(ROOM, BESIDE + LETTER * max((len(name) for name, _ in terms), default=0)))


def term_bars(
    terms: Sequence[tuple[str, float]], title: str, key: str, of: str = "", scale: Scale | None = None
) -> None:
    """Terms with what each adds to the difference, the largest first, on one scale to both sides; ``of`` names what
    they are of. What follows a colon in ``title`` stands in a second line. ``scale``: where charts share it."""
    said, _, more = title.partition(": ")
    limits, left = scale or (Scale.of(terms).limits, 8)
    look = {"limits": limits, "left": left, "base": words.base(), "uirevision": f"{of}-{title}"}
    names, values = [term for term, _ in terms], [value for _, value in terms]
    plot(top_terms.plain(names, values, title=said, subtitle=more, **look), key, live=True)

"""A guess beside the answer: how near it came, in one of a few words for which a lesson can have a sentence."""

import math
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ltw_core.lessons.lesson import Question
from ltw_core.metrics import decimals
from ltw_core.weighting.formulas.spline import FINE, Heights, sampled

VERDICTS = {  # for which a lesson can have a sentence, by kind of question
    "choice": ("right", "wrong"),
    "number": ("close", "high", "low"),
    "point": ("close", "far"),
    "sketch": ("close", "far"),
    "surface": ("close", "far"),
    "order": ("right", "close", "far"),
}
NEAR_POINT, NEAR_ORDER, NEAR_NUMBER = 0.12, 0.8, 0.1
# in heights of the figure: how far a sketch may be from the curve on average, and how far it may pass by any one place
# of it, such as the top of a thin wall
NEAR_SKETCH, AWAY = 0.1, 0.3
NEAR_SURFACE = 0.7  # correlation: what is high and what is low, whatever the scale
FLAT = 0.005  # heights that differ by less are the same: a spline ripples beside what was painted
LONGEST = 201  # heights of a sketch
DECADES = 4  # of a log axis: rates from 0.01% to 100%


class Verdict(NamedTuple):
    """``name`` is one of ``VERDICTS``; ``distance`` from 0 (the answer itself) up, in parts of what is possible."""

    name: str
    distance: float

    @property
    def reached(self) -> bool:
        """Whether there is nothing left to try."""
        return self.name in ("right", "close")


def position(rate, scale: str = "linear") -> np.ndarray:
    """Where a rate lies on an axis from 0 to 1: "linear", or "log" over four decades, which has no 0."""
    rate = np.asarray(rate, dtype=float)
    return rate if scale == "linear" else 1 + np.log10(np.maximum(rate, 10.0**-DECADES)) / DECADES


def checked(question: Question, guess: Any) -> Any:
    """A guess as it can have been made, in the form in which ``judge`` takes it.

    Raises
    ------
    ValueError
        It cannot: another kind, too long, or a number that is none.
    """
    kind, settings, n = question.kind, question.settings, len(question.options)
    listed = guess if isinstance(guess, list | tuple) else None
    longest = FINE * FINE if kind == "surface" else LONGEST
    numbers = [guess] if listed is None else list(listed)[: longest + 1]
    if all(isinstance(v, int | float) and not isinstance(v, bool) and np.isfinite(v) for v in numbers):
        whole = all(v == int(v) for v in numbers)
        if kind == "choice" and listed is None and whole and 0 <= guess < n:
            return int(guess)
        if kind == "number" and listed is None and settings["low"] <= guess <= settings["high"]:
            return float(guess)
        if kind == "point" and listed is not None and len(numbers) == 2 and all(0 <= v <= 1 for v in numbers):
            return [float(v) for v in numbers]
        if kind == "sketch" and listed is not None and 2 <= len(numbers) <= LONGEST:
            low = float(settings.get("low", 0.0))
            if all(low <= v <= 1 for v in numbers):
                return [float(v) for v in numbers]
        if kind == "surface" and listed is not None and len(numbers) == FINE * FINE:
            low = float(settings.get("low", 0.0))
            if all(low - 1e-9 <= v <= 1 for v in numbers):
                return [float(v) for v in numbers]
        if kind == "order" and listed is not None and whole and sorted(numbers) == list(range(n)):
            return [int(v) for v in numbers]
    raise ValueError(f"this is no guess for a question of kind {kind}: {str(guess)[:60]}")


def judge(question: Question, guess: Any, answer: Any, options: list[str] = ()) -> Verdict | None:
    """How near a guess came; None where no answer is right.

    Parameters
    ----------
    question : Question
    guess : of a choice the option's place; of a number the number; of a point (fpr, tpr); of a sketch heights at
        equally spaced rates from 0 to 1, the figure's top being 1; of a surface the heights of ``relief``, row
        after row; of an order places of options.
    answer : from ``Values.answer``.
    options : the options in words, from ``Values.options``.
    """
    if question.survey:
        return None
    if question.kind == "choice":
        marked = question.options[guess].right
        right = marked if answer is None else options[guess] == answer
        return Verdict("right" if right else "wrong", 0.0 if right else 1.0)
    if question.kind == "number":
        low, high = question.settings["low"], question.settings["high"]
        off = (guess - answer) / (high - low)
        near = question.settings.get("close", NEAR_NUMBER * (high - low)) / (high - low)
        return Verdict("close" if abs(off) <= near + 1e-12 else "high" if off > 0 else "low", abs(off))
    if question.kind == "point":
        scale = question.settings.get("scale", "log")
        off = float(np.hypot(*(position(guess, scale) - position(answer, scale))))
        return Verdict("close" if off <= NEAR_POINT else "far", off)
    if question.kind == "sketch":
        off = _off(question, guess, answer)
        return Verdict("close" if off.mean <= NEAR_SKETCH and off.most <= AWAY else "far", off.mean)
    if question.kind == "surface":
        r = _correlation(question, guess, answer)
        return Verdict("close" if r >= NEAR_SURFACE else "far", (1 - r) / 2)
    share = _pairs_in_order([options[place] for place in guess], answer)
    return Verdict("right" if share == 1 else "close" if share >= NEAR_ORDER else "far", 1 - share)


def relief(answer: Any, question: Question) -> np.ndarray:
    """A surface that answers a question as heights on the knots of a sculpted one, the largest magnitude as 1.

    Heights below the lowest that can be painted are cut.
    """
    heights = sampled(answer, question.settings.get("scale", "linear"))
    return np.maximum(heights, question.settings.get("low", 0.0))


def judged(question: Question, heights: Any, answer: Any) -> tuple[np.ndarray, np.ndarray | None]:
    """The heights of a surface that count, and how often each: those at all knots once, or those at the class's terms
    as often as documents hold the term."""
    if question.settings.get("over") != "terms":
        return np.ravel(heights), None
    s, grid = answer.terms, np.reshape(heights, (FINE, FINE))
    surface = Heights(tuple(map(tuple, grid)), question.settings.get("scale", "linear"))
    return surface(s.tpr, s.fpr, s.prevalence, s.n_documents), s.document_frequency


def reason(question: Question, guess: Any, answer: Any) -> str:
    """Why a guess that is drawn, painted or placed is "far", in a sentence that does not give the answer away; else "".

    What is just too far is not rounded to what would be near.
    """
    if question.kind == "sketch":
        off, to = _off(question, guess, answer), question.settings.get("to", 1.0)
        counts = f" Only the part up to {to:.0%} counts." if to < 1 else ""
        if off.mean > NEAR_SKETCH:
            return (
                f"On average your line is {math.ceil(100 * off.mean)}% of the figure’s height above or below the "
                f"answer, most of all at about {off.worst:.0%} on the horizontal axis; near is up to {NEAR_SKETCH:.0%}."
                f"{counts}"
            )
        return (
            f"On average your line is near, but it misses the answer at about {off.where:.0%} on the horizontal axis, "
            f"by {math.ceil(100 * off.most)}% of the figure’s height; near is up to {AWAY:.0%}.{counts}"
        )
    if question.kind == "point":
        scale = question.settings.get("scale", "log")
        right, up = np.subtract(position(answer, scale), position(guess, scale))
        side = "right" if right > 0 else "left"
        ways = [("higher" if up > 0 else "lower", abs(up)), (f"more to the {side}", abs(right))]
        return f"The answer lies {' and '.join(way for way, off in ways if off > NEAR_POINT / 2)}."
    if question.kind == "surface":
        r = math.floor(100 * _correlation(question, guess, answer)) / 100
        where, more = "Over the square", ""
        if question.settings.get("over") == "terms":
            where, more = "At the class’s terms", " Words in more documents count more."
        return (
            f"{where}, your heights and the answer’s have a correlation of {decimals(r, 2)}; near is from "
            f"{decimals(NEAR_SURFACE, 2)} up.{more}"
        )
    return ""


class _Off(NamedTuple):
    """How far a sketch is from the curve, in heights of the figure.

    Attributes
    ----------
    mean, worst : how far above or below it on average, and the rate at which most.
    most, where : how far the place of the curve is that is furthest from the sketch, and the rate at which it lies.
    """

    mean: float
    worst: float
    most: float
    where: float


def _off(question: Question, guess: Any, answer: Any) -> _Off:
    high = 1 - float(question.settings.get("low", 0.0))
    x = np.linspace(0, 1, 2 * LONGEST)
    x = x[x <= question.settings.get("to", 1.0)]
    sketch = np.interp(x, np.linspace(0, 1, len(guess)), guess) / high
    curve = np.interp(x, answer.x, answer.y) / high
    passes = np.hypot(x[:, None] - x, curve[:, None] - sketch).min(axis=1)
    apart = np.abs(sketch - curve)
    return _Off(float(apart.mean()), float(x[apart.argmax()]), float(passes.max()), float(x[passes.argmax()]))


def _correlation(question: Question, guess: Any, answer: Any) -> float:
    """Of the heights of two surfaces that count; 0 where one of them is flat."""
    one, documents = judged(question, guess, answer)
    other, _ = judged(question, relief(answer, question), answer)
    if min(np.ptp(one), np.ptp(other)) < FLAT:
        return 0.0
    spread = np.cov(one, other, aweights=documents)
    return float(spread[0, 1] / np.sqrt(spread[0, 0] * spread[1, 1]))


def _pairs_in_order(found: list[str], answer: list[str]) -> float:
    place = {word: i for i, word in enumerate(answer)}
    pairs = list(combinations(found, 2))
    return sum(place[one] < place[other] for one, other in pairs) / max(len(pairs), 1)

"""The guesses of many beside each other: how often each option was chosen, and what they come to in the mean."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ltw_core.lessons.guesses import DECADES, checked, position
from ltw_core.lessons.lesson import Question


class Tally(NamedTuple):
    """What many guessed.

    guesses : those that can have been made, in the order in which they came.
    counts : of a choice how many took each option; of an order how many put each first; else empty.
    mean : of a number; of a point (fpr, tpr), the middle of the axes on which it was clicked; of a sketch or
        surface its height at each place; of an order the mean place of each option, from 1; None where there are no
        guesses, and of a choice.
    n_left_out : guesses that cannot be meant by this question.
    """

    guesses: tuple[Any, ...]
    counts: tuple[int, ...]
    mean: Any
    n_left_out: int


def tally(question: Question, guesses: Sequence[Any]) -> Tally:
    """Count guesses and take their mean."""
    found = []
    for guess in guesses:
        try:
            found.append(checked(question, guess))
        except ValueError:  # of an earlier form of the lesson
            continue
    left_out, n = len(guesses) - len(found), len(question.options)
    if question.kind == "sketch":
        size = max(map(len, found), default=0)
        left_out += sum(len(guess) != size for guess in found)
        found = [guess for guess in found if len(guess) == size]
    firsts = {"choice": found, "order": [guess[0] for guess in found if question.kind == "order"]}
    counts = tuple(int(c) for c in np.bincount(firsts[question.kind], minlength=n)) if question.kind in firsts else ()
    return Tally(tuple(found), counts, _mean(question, found) if found else None, left_out)


def _mean(question: Question, guesses: list) -> Any:
    if question.kind == "choice":
        return None
    if question.kind == "order":  # argsort of an order is each option's place in it
        return [float(place) + 1 for place in np.argsort(guesses, axis=1).mean(axis=0)]
    if question.kind == "point":
        scale = question.settings.get("scale", "log")
        middle = position(guesses, scale).mean(axis=0)
        return [float(v if scale == "linear" else 10 ** (DECADES * (v - 1))) for v in middle]
    mean = np.mean(guesses, axis=0)
    return float(mean) if question.kind == "number" else [float(v) for v in mean]

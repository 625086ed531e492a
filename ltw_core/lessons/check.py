"""Whether a lesson that could be read also works on a corpus: measures have a value, and questions an answer."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ltw_core.lessons.guesses import FLAT, judged, relief
from ltw_core.lessons.lesson import Lesson, Option, Question, Reveal, Task, Text
from ltw_core.lessons.mistakes import Mistake
from ltw_core.lessons.values import Values


def check_on(lesson: Lesson, task: Any) -> list[Mistake]:
    """What cannot be computed for a class: a line and a sentence each, none where all can.

    Parameters
    ----------
    task : BinaryTask
    """
    values = Values(lesson, task)
    found = []

    def tried(line: int, compute) -> Any:
        try:
            return compute()
        except ValueError as error:
            said = Mistake(line, f"On {task.corpus_name}, {task.class_name}: {error}.")
            if said not in found:
                found.append(said)
            return None

    for expression in lesson.values.values():
        tried(expression.line, lambda expression=expression: values.value(expression))
    for text in texts(lesson):
        tried(text.line, lambda text=text: values.text(text.source))
    for question in lesson.questions():
        tried(question.line, lambda question=question: _answered(values, question))
    return sorted(found)


def _answered(values: Values, question: Question) -> None:
    answer, options = values.answer(question), values.options(question)
    if len(set(options)) < len(options):
        raise ValueError(f"two options of {question.label} are the same: {', '.join(options)}")
    if answer is None:
        return
    if question.kind == "choice" and answer not in options:
        raise ValueError(f"the answer of {question.label}, {answer}, is not one of its options, {', '.join(options)}")
    if question.kind == "order" and set(answer) != set(options):
        raise ValueError(f"{question.label} asks for an order of {', '.join(options)} and is answered by one of others")
    if question.kind == "number":
        low, high = question.settings["low"], question.settings["high"]
        if not low <= answer <= high:
            raise ValueError(f"the answer of {question.label}, {answer:.4g}, is not between {low:g} and {high:g}")
    if question.kind == "surface" and np.ptp(judged(question, relief(answer, question), answer)[0]) < FLAT:
        raise ValueError(f"the surface of {question.label} is flat where it counts, so that no guess comes near it")
    if question.kind == "sketch" and not np.isfinite(answer.y).all():
        raise ValueError(f"the curve of {question.label} is not finite")


def texts(lesson: Lesson) -> Iterator[Text]:
    """All that a lesson says, in order."""
    yield from lesson.lead
    for step in lesson.steps:
        yield step.title
        for part in step.parts:
            yield from _texts_of(part)


def _texts_of(part: Any) -> Iterator[Text]:
    if isinstance(part, Text):
        yield part
    elif isinstance(part, Task | Reveal):
        yield part.text
    elif isinstance(part, Option):
        yield from (text for text in (part.text, part.feedback) if text is not None)
    elif isinstance(part, Question):
        yield part.text
        for inner in (*part.options, *part.hints, *part.feedback.values(), part.reveal):
            yield from _texts_of(inner)

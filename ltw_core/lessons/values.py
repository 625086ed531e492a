"""What a lesson says about a class: its measures computed, once each, and its texts filled in."""

import re
from typing import Any

import numpy as np

from ltw_core.insight import (
    EQUAL,
    canonical_form,
    canonical_function,
    centred_gram,
    sample_documents,
    weighted_documents,
)
from ltw_core.insight.likeness import DD_OF_FORMULAS, DD_OF_LEARNED
from ltw_core.lessons import document_measures, function_measures, learned_measures, term_measures  # noqa: F401  they fill the table
from ltw_core.lessons.hard_document import HardDocument
from ltw_core.lessons.lesson import Lesson, Question
from ltw_core.lessons.measures import MEASURES, Expression, arguments_of, read_expression
from ltw_core.metrics import RAISED, decimals
from ltw_core.weighting import CD, Function, display

PLACE = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
SMALL = 1e-6  # below it a number has a power of ten
PERCENT_DIGITS = 3
LEARNED = "LTW-L-I"  # the variant of lessons that name none


class Values:
    """A lesson at a class.

    Parameters
    ----------
    lesson : Lesson
    task : BinaryTask
    escape : callable, optional
        What is done to words of the corpus before they stand in a text.

    Raises
    ------
    ValueError
        From its methods: a measure cannot be computed here, in a sentence.
    """

    def __init__(self, lesson: Lesson, task: Any, escape=str):
        self.lesson, self.task, self.statistics, self._escape = lesson, task, task.statistics, escape
        self._found: dict[tuple, Any] = {}

    def _once(self, key: tuple, make) -> Any:
        if key not in self._found:
            self._found[key] = make()
        return self._found[key]

    def value(self, expression: Expression) -> Any:
        """A measure's value: a term, a list of terms, a number, (fpr, tpr), or a ``Curve``."""
        key = (expression.measure, expression.arguments)
        named = self.lesson.values
        return self._once(
            key,
            lambda: MEASURES[expression.measure].compute(
                self, *arguments_of(expression, lambda name: self.value(named[name]))
            ),
        )

    def named(self, name: str) -> Any:
        """A value that the lesson defines."""
        return self.value(self.lesson.values[name])

    def answer(self, question: Question) -> Any:
        """The answer that is computed for a question; None where the author marked it or there is none."""
        return None if question.answer is None else self.value(question.answer)

    def text(self, source: str) -> str:
        """A text with its measures filled in, words of the corpus escaped; no line breaks at an equals sign."""
        return PLACE.sub(lambda found: self._word(found[1], self._escape), source.replace(" = ", "\u00a0=\u00a0"))

    def _word(self, words: str, escape) -> str:
        if words.startswith("@"):
            expression = self.lesson.values[words[1:]]
        else:
            expression = read_expression(words, self.lesson.values)
        return said(self.value(expression), expression.gives, escape)

    def options(self, question: Question) -> list[str]:
        """What the options of a question stand for: the measure with which one begins, or its text."""
        begins = [PLACE.match(option.text.source) for option in question.options]
        return [
            self._word(found[1], str) if found else option.text.source
            for found, option in zip(begins, question.options, strict=True)
        ]

    def weighting(self, seed: int, variant: str = LEARNED) -> Any:
        """A variant, learned with a seed and the paper's settings."""
        return self._training(seed, variant)[0]

    def snapshots(self, seed: int, variant: str = LEARNED) -> tuple[Any, ...]:
        """What that training had learned at some of its steps, the best one and the ends among them, by step."""
        return self._training(seed, variant)[1].kept

    def _training(self, seed: int, variant: str) -> tuple[Any, Any]:
        def learn():
            from ltw_core.weighting import LearnedWeighting
            from ltw_core.weighting.learned.kept_snapshots import KeptSnapshots

            task, taken = self.task, KeptSnapshots()
            keep = lambda event: taken.add(event.compact(task.tpr, task.fpr))  # noqa: E731
            learned = LearnedWeighting(variant=variant, random_state=seed)
            return learned.fit(task.counts_train, task.y_train, validation=task.validation, on_event=keep), taken

        return self._once(("training", seed, variant), learn)

    def learned(self, seed: int, variant: str = LEARNED) -> Any:
        """The same in canonical form, with its surface."""
        fitted = self.weighting(seed, variant)
        form = lambda: canonical_form(fitted.cd_, self.statistics, fitted.surface)  # noqa: E731
        return self._once(("learned", seed, variant), form)

    def learned_name(self, seed: int, variant: str = LEARNED) -> str:
        """What a learned weighting is called."""
        return f"{display(variant)}, seed {seed}"

    def learned_function(self, seed: int, variant: str = LEARNED) -> Function:
        """The learned surface as a cd function, which looks at tpr and fpr alone."""
        fitted, name = self.weighting(seed, variant), self.learned_name(seed, variant)
        compute = lambda tpr, fpr, p, n: fitted.surface(tpr, fpr)  # noqa: E731
        about = ("learned", r"\text{learned}", "Learned here.", "From one class.")
        return Function(name, compute, *about, signed=True, supervised=True)

    def alignments(self, seed: int) -> dict[str, float]:
        """Alignment of a learned weighting with each formula of the lessons, by name, and with no cd.

        See ``insight.alignment``; the app calls the formula nearest that has the highest.
        """

        def compute():
            counts = self.task.counts_train[sample_documents(self.task.y_train).rows]
            own = centred_gram(self.weighting(seed).transform(counts))
            weights = {
                name: canonical_function(CD[name], self.statistics).weights for name in learned_measures.FORMULAS
            }
            weights[EQUAL] = np.ones(len(self.statistics))
            return {name: float(own @ centred_gram(weighted_documents(counts, w))) for name, w in weights.items()}

        return self._once(("alignments", seed), compute)

    def document(self) -> HardDocument:
        """A held-out document of the class that a linear classifier misses."""
        return self._once(("document",), lambda: HardDocument(self.task))

    def held_out(self, function: Any, dd: str = DD_OF_FORMULAS) -> Any:
        """How a linear SVM does on held-out training documents with a dd and a cd function (quick grid, seed 0)."""

        def compute():
            from ltw_core.evaluation import explore
            from ltw_core.weighting import TermWeighting

            return explore(self.task, TermWeighting(dd=dd, cd=function), "SVM", "quick", 0)

        return self._once(("held out", function.name, dd), compute)

    def held_out_learned(self, seed: int) -> Any:
        """The same with a learned surface and the dd that it was learned with."""
        return self.held_out(self.learned_function(seed), DD_OF_LEARNED)

    def result_learned(self, seed: int) -> Any:
        """How a linear SVM does on the test documents with what was learned (quick grid, seed 0)."""

        def compute():
            from ltw_core.evaluation import evaluate

            return evaluate(self.task, self.weighting(seed), "SVM", "quick", 0)

        return self._once(("result", "learned", seed), compute)

    def result(self, method: str) -> Any:
        """How a linear SVM does with a weighting (quick grid, seed 0)."""

        def compute():
            from ltw_core.evaluation import evaluate

            return evaluate(self.task, method, "SVM", "quick", 0)

        return self._once(("result", method), compute)


def said(value: Any, gives: str, escape=str) -> str:
    """A value in words: 12, 1,234, 28.6%, .123, a term; scores with three decimals, as in figures."""
    if gives == "count":
        return f"{value:,}"
    if gives == "share":
        return percent(value)
    if gives == "number":
        return number(value)
    if gives == "score":
        return decimals(value)
    if gives == "terms":
        return ", ".join(escape(word) for word in value)
    if gives == "point":
        return f"tpr {percent(value[1])}, fpr {percent(value[0])}"
    return escape(str(value))


def percent(share: float) -> str:
    """Three digits at most: 0.124%, 12.4%, 100%."""
    return f"{float(f'{100 * share:.{PERCENT_DIGITS}g}'):,.6g}%"


def number(value: float) -> str:
    """Three digits, thousands apart, the minus of print, no 0 before the point: 1,234, 3.14, −.0249; 2.40·10⁻¹²."""
    if 0 < abs(value) < SMALL:
        digits, power = f"{value:.2e}".split("e")
        text = f"{digits}·10{str(int(power)).translate(RAISED)}"
    elif abs(value) >= 1000:
        text = f"{value:,.0f}"
    elif float(value) == int(value):
        text = str(int(value))
    else:
        text = np.format_float_positional(value, 3, unique=False, fractional=False, trim="k").rstrip(".")
        text = text.replace("0.", ".", 1) if abs(float(text)) < 1 else text
    return text.replace("-", "−")

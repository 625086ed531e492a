"""What a lesson is once it has been read: steps of texts, a figure, something to do, and questions."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ltw_core.lessons.measures import Expression


@dataclass(frozen=True)
class Text:
    """Markdown as it stands in the file; ``{{…}}`` in it are measures, to be filled in by ``Values.text``."""

    source: str
    line: int


@dataclass(frozen=True)
class Option:
    """One answer of a choice; ``right`` as its author marked it, ``feedback`` for whoever takes it."""

    text: Text
    right: bool
    feedback: Text | None = None


@dataclass(frozen=True)
class Figure:
    """A figure of the app by name, with its settings as they stand in the file."""

    name: str
    settings: Mapping[str, str]
    line: int


@dataclass(frozen=True)
class Task:
    """The one thing to do in a step."""

    text: Text
    scene: str = ""


@dataclass(frozen=True)
class Reveal:
    """What is said once a guess was made; ``scene`` is an address of the app that shows it."""

    text: Text
    scene: str = ""


@dataclass(frozen=True)
class Question:
    """A question to answer before seeing.

    Attributes
    ----------
    label : str
        Unique in its lesson.
    kind : {"choice", "number", "point", "sketch", "surface", "order"}
    text : Text
    options : tuple of Option
        Of a choice, and the things to put in order.
    answer : Expression or None
        What computes the answer; None where the author marked an option, or where there is no right answer.
    settings : mapping
        ``low``, ``high``, ``step``, ``close`` and ``unit`` of a number; ``scale`` of a point or surface; ``across``
        and ``up`` of a sketch, and ``to``, the rate up to which it is judged; ``low`` of a sketch or surface;
        ``over`` of a surface, "terms" where it is judged at the class's terms alone.
    hints : tuple of Text
    feedback : mapping of verdict to Text
        Sentences that depend on the guess, see ``guesses.VERDICTS``.
    reveal : Reveal or None
        None in a survey without one.
    """

    label: str
    kind: str
    text: Text
    line: int
    options: tuple[Option, ...] = ()
    answer: Expression | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    hints: tuple[Text, ...] = ()
    feedback: Mapping[str, Text] = field(default_factory=dict)
    reveal: Reveal | None = None

    @property
    def survey(self) -> bool:
        """Whether no answer is right."""
        return self.answer is None and not any(option.right for option in self.options)


@dataclass(frozen=True)
class Step:
    """A few sentences, a figure, one thing to do, questions; ``parts`` in the order of the file."""

    title: Text
    parts: tuple[Text | Figure | Task | Question, ...]

    def of(self, kind: type) -> list:
        """Its parts of a kind."""
        return [part for part in self.parts if isinstance(part, kind)]

    def figure(self, done: Collection[str]) -> Figure | None:
        """What is shown once the questions ``done`` are answered: the figure that waited for one of them, else the
        other, if there is one."""
        seen = [figure for figure in self.of(Figure) if figure.settings.get("after", "") in ("", *done)]
        return min(seen, key=lambda figure: "after" not in figure.settings, default=None)


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    name : str
        Name of its file without the ending: what an address holds.
    title, summary, takeaway, section, language : str
        ``takeaway`` is what was learned, in a sentence that its end says.
        ``section`` is the heading under which the list shows it; neighbours with the same one share it; empty for none.
        ``language`` is empty for English.
    corpus, class_name : str
        What it begins with; empty for what the reader has chosen.
    progressive : bool
        Whether a step opens when the one before was done.
    allow_skip : bool
        Whether one may go on without having answered.
    values : mapping of name to Expression
        Measures with a name, which texts and other measures use as ``@name``.
    lead : tuple of Text
        What stands before the first step.
    steps : tuple of Step
    """

    name: str
    title: str
    summary: str
    takeaway: str
    section: str
    language: str
    corpus: str
    class_name: str
    progressive: bool
    allow_skip: bool
    values: Mapping[str, Expression]
    lead: tuple[Text, ...]
    steps: tuple[Step, ...]

    def questions(self) -> list[Question]:
        """All its questions, in order."""
        return [question for step in self.steps for question in step.of(Question)]

"""A lesson's file, read strictly: everything that is wrong is found at once, with its line, and nothing is guessed."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ltw_core.lessons.blocks import Block, blocks_of
from ltw_core.lessons.front_matter import read_front_matter
from ltw_core.lessons.lesson import Figure, Lesson, Step, Task, Text
from ltw_core.lessons.measures import Expression, read_expression
from ltw_core.lessons.mistakes import LessonError, Mistake
from ltw_core.lessons.questions import QuestionReader
from ltw_core.lessons.values import PLACE

LARGEST = 200_000  # bytes
VALUE = re.compile(r"`?(?P<name>[a-z][a-z0-9_]*)`?\s*=\s*(?P<measure>.+)", re.S)
NAMED = re.compile(r"@([a-z][a-z0-9_]*)")  # a value of the lesson, in a setting or an address
KINDS = ("values", "figure", "do", "predict", "hint", "feedback", "reveal")
ALLOWED = {  # attributes of the kinds that are read here; those of questions stand in ``questions``
    "values": set(),
    "do": {"scene"},
}


@dataclass(frozen=True)
class Vocabulary:
    """What the app has: its figures with their settings, and its addresses. Without it neither is checked.

    figures : settings that each figure takes, by its name; a setting's check returns what is wrong with a value, or "".
    scene : returns what is wrong with an address, or "".
    """

    figures: Mapping[str, Mapping[str, Callable[[str], str]]] | None = None
    scene: Callable[[str], str] = field(default=lambda address: "")


def read_lesson(path: Path, vocabulary: Vocabulary | None = None) -> Lesson:
    """A lesson from its file.

    Raises
    ------
    LessonError
        With all that is wrong in it.
    """
    path = Path(path)
    try:
        content = path.read_bytes() if path.stat().st_size <= LARGEST else None
    except OSError as error:
        raise LessonError(path.name, [Mistake(1, f"This file cannot be read: {error.strerror}.")]) from None
    if content is None:
        raise LessonError(path.name, [Mistake(1, f"A lesson has at most {LARGEST // 1000} kB; this file is larger.")])
    try:
        return parse(content.decode("utf-8-sig"), path.name, vocabulary)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise LessonError(path.name, [Mistake(line, "This is not UTF-8; save the file in that encoding.")]) from None


def parse(source: str, file: str, vocabulary: Vocabulary | None = None) -> Lesson:
    """A lesson from its text; ``file`` is what mistakes call it, and without its ending the lesson's name."""
    front, blocks, mistakes = blocks_of(source)
    reader = _Reader(vocabulary or Vocabulary(), mistakes)
    head = read_front_matter(front, mistakes)
    lesson = Lesson(name=Path(file).stem, **head, **reader.read(blocks))
    if mistakes:
        raise LessonError(file, mistakes)
    return lesson


class _Reader:
    """Goes through the blocks once and notes what is wrong."""

    def __init__(self, vocabulary: Vocabulary, mistakes: list[Mistake]):
        self.vocabulary, self.mistakes = vocabulary, mistakes
        self.values: dict[str, Expression] = {}
        self.questions = QuestionReader(self)

    def wrong(self, line: int, sentence: str) -> None:
        self.mistakes.append(Mistake(line, sentence))

    def read(self, blocks: list[Block]) -> dict:
        lead, steps = [], []
        for block in blocks:
            if block.kind == "heading":
                if block.level != 2:
                    self.wrong(block.line, f"A step begins with ##; take this heading of level {block.level} out.")
                else:
                    steps.append((self.text(block.text, block.line), []))
                continue
            part = self._part(block, bool(steps))
            if part is not None and (steps or isinstance(part, Text)):
                (steps[-1][1] if steps else lead).append(part)
        for title, parts in steps:
            self._check_step(title, parts)
        if not steps:
            self.wrong(1, "There is no step; begin one with a line such as ## A word as a classifier.")
        for figure in (part for _, parts in steps for part in parts if isinstance(part, Figure)):
            if figure.settings.get("after", "") not in ("", *self.questions.found):
                self.wrong(figure.line, f"after={figure.settings['after'][:40]} names no question of this lesson.")
        finished = self.questions.finish()
        made = tuple(Step(title, tuple(finished.get(id(part), part) for part in parts)) for title, parts in steps)
        return {"values": self.values, "lead": tuple(lead), "steps": made}

    def _check_step(self, title: Text, parts: list) -> None:
        figures = [part for part in parts if isinstance(part, Figure)]
        if not any(isinstance(part, Text) for part in parts):
            self.wrong(title.line, "This step says nothing; give it a few sentences below its heading.")
        for waits in (False, True):
            if more := [figure for figure in figures if ("after" in figure.settings) is waits][1:]:
                said = "A step has one figure, and one that waits for an answer; move this one to a step of its own."
                self.wrong(more[0].line, said)
        if len([part for part in parts if isinstance(part, Task)]) > 1:
            self.wrong(title.line, "A step has one thing to do; make two steps of this one.")

    def _part(self, block: Block, within: bool):
        """What a block becomes; None where nothing stands in its place."""
        if block.kind == "text":
            return self.text(block.text, block.line)
        if not block.kind:
            return None
        if block.kind not in KINDS:
            self.wrong(block.line, f"There is no block .{block.kind}; there are {', '.join('.' + k for k in KINDS)}.")
            return None
        if block.kind == "values":
            self.attributes(block, ALLOWED["values"])
            self._values(block)
            return None
        if not within:
            self.wrong(block.line, f"A block .{block.kind} belongs in a step; put it below a heading ##.")
        if block.kind == "figure":
            return self._figure(block)
        if block.kind == "do":
            self.attributes(block, ALLOWED["do"])
            return Task(self.body(block), self.scene(block))
        return self.questions.take(block)

    def _values(self, block: Block) -> None:
        for item in block.items:
            found = VALUE.fullmatch(item.text.strip())
            if found is None:
                self.wrong(item.line, f"A value is written as in - word = strongest CHI2 1, not as “{item.text[:60]}”.")
            elif found["name"] in self.values:
                self.wrong(item.line, f"The value {found['name']} is defined twice; give one of them another name.")
            else:
                expression = self.expression(found["measure"], item.line)
                if expression is not None:
                    self.values[found["name"]] = expression
        if not block.items:
            self.wrong(block.line, "A block .values holds a list, such as - word = strongest CHI2 1.")

    def _figure(self, block: Block) -> Figure:
        settings = dict(block.attributes)
        name = settings.pop("name", "")
        known = self.vocabulary.figures
        if not name:
            self.wrong(block.line, "A figure is called by name, as in ::: {.figure name=map}; this one has none.")
        elif known is not None and name not in known:
            self.wrong(block.line, f"The app has no figure “{name}”; it has {', '.join(sorted(known))}.")
        elif known is not None:
            for setting, value in settings.items():
                if setting not in known[name]:
                    takes = ", ".join(sorted(known[name])) or "no settings"
                    self.wrong(block.line, f"The figure {name} has no setting “{setting}”; it takes {takes}.")
                else:
                    self._setting(block, setting, value, known[name][setting])
        if block.text:
            self.wrong(block.line, "A figure says nothing itself; put its sentences before it.")
        return Figure(name, settings, block.line)

    def _setting(self, block: Block, setting: str, value: str, check: Callable[[str], str]) -> None:
        self._named(block, setting, value)
        said = check(" ".join(NAMED.sub("", value).split()))
        if said:
            self.wrong(block.line, f"{setting}={value[:60]}: {said}")

    def _named(self, block: Block, where: str, text: str) -> None:
        for name in NAMED.findall(text):
            if name not in self.values or self.values[name].gives != "term":
                self.wrong(
                    block.line, f"{where} names @{name}, which is not defined above as a term in a block .values."
                )

    # what questions need as well
    def text(self, source: str, line: int) -> Text:
        """A text, its measures checked."""
        for found in PLACE.finditer(source):
            at = line + source[: found.start()].count("\n")
            if found[1].startswith("@"):
                if found[1][1:] not in self.values:
                    self.wrong(at, f"{found[1]} is not defined above in a block .values.")
            else:
                self.expression(found[1], at)
        rest = PLACE.sub("", source)
        if "{{" in rest or "}}" in rest:
            self.wrong(line, "Two braces are not closed; write a measure as in {{tpr @word}}.")
        return Text(source, line)

    def expression(self, text: str, line: int) -> Expression | None:
        try:
            return read_expression(text, self.values, line)
        except ValueError as error:
            said = str(error)
            self.wrong(line, f"{said[:1].upper()}{said[1:]}.")
            return None

    def body(self, block: Block) -> Text:
        """What a block says, which must be something."""
        if not block.text:
            self.wrong(
                block.line, f"This block .{block.kind} says nothing; write its sentences between its lines of colons."
            )
        return self.text(block.text, block.line + 1)

    def attributes(self, block: Block, allowed: set[str]) -> None:
        for name in block.attributes:
            if name not in allowed:
                takes = ", ".join(sorted(allowed)) or "none"
                self.wrong(block.line, f"A block .{block.kind} has no attribute “{name}”; it takes {takes}.")

    def scene(self, block: Block) -> str:
        address = block.attributes.get("scene", "")
        self._named(block, "scene", address)
        said = self.vocabulary.scene(address) if address else ""
        if said:
            self.wrong(block.line, said)
        return address

"""The blocks that make a question: ``.predict``, and what belongs to it by label: hints, feedback, the reveal."""

from dataclasses import replace

from ltw_core.lessons.blocks import Block
from ltw_core.lessons.guesses import VERDICTS
from ltw_core.lessons.lesson import Option, Question, Reveal
from ltw_core.lessons.measures import Expression

GIVES = {  # what may answer each kind of question
    "choice": ("term", "text"),
    "number": ("count", "share", "number", "score"),
    "point": ("point",),
    "sketch": ("curve",),
    "surface": ("surface",),
    "order": ("terms",),
}
NUMBERS = ("low", "high", "step", "close")
ALLOWED = {
    "choice": {"kind", "answer"},
    "number": {"kind", "answer", "unit", *NUMBERS},
    "point": {"kind", "answer", "scale"},
    "sketch": {"kind", "answer", "across", "up", "low", "to"},
    "surface": {"kind", "answer", "scale", "low", "over"},
    "order": {"kind", "answer"},
}
MARKS = {"[x] ": True, "[X] ": True, "[ ] ": False}


class QuestionReader:
    """Collects questions; ``reader`` is who reads the file and notes mistakes."""

    def __init__(self, reader):
        self.reader = reader
        self.found: dict[str, Question] = {}  # by label, in the order of the file
        self.begun: dict[str, Question] = {}  # as they were put into their steps

    def take(self, block: Block) -> Question | None:
        """The question that a block begins; None where it belongs to one."""
        return self._predict(block) if block.kind == "predict" else self._belonging(block)

    def finish(self) -> dict[int, Question]:
        """The whole questions, by the identity of what was put into their steps."""
        for question in self.found.values():
            if question.reveal is None and not question.survey:
                self.reader.wrong(
                    question.line,
                    f"Nothing is revealed for {question.label}; add ::: {{.reveal for={question.label}}}.",
                )
        return {id(begun): self.found[label] for label, begun in self.begun.items()}

    def _predict(self, block: Block) -> Question | None:
        wrong, line = self.reader.wrong, block.line
        kind = block.attributes.get("kind", "")
        if not block.label:
            wrong(line, "A question needs a label, as in ::: {.predict #p1 kind=choice}.")
        elif block.label in self.found:
            wrong(line, f"The label {block.label} is taken by the question of line {self.found[block.label].line}.")
        if kind not in GIVES:
            wrong(line, f"kind must be one of {', '.join(GIVES)}, not “{kind[:40]}”.")
            return None
        self.reader.attributes(block, ALLOWED[kind])
        options = tuple(self._option(item, kind) for item in block.items)
        question = Question(
            label=block.label,
            kind=kind,
            text=self.reader.body(block),
            line=line,
            options=options,
            answer=self._answer(block, kind),
            settings=self._settings(block, kind),
        )
        self._check_options(question)
        if block.label and block.label not in self.found:
            self.found[block.label] = self.begun[block.label] = question
        return question

    def _option(self, item, kind: str) -> Option:
        mark = next((mark for mark in MARKS if item.text.startswith(mark)), "")
        if kind == "choice" and not mark:
            self.reader.wrong(item.line, "An option of a choice begins with [ ] or [x].")
        feedback = self.reader.text(item.quoted, item.line + 1) if item.quoted else None
        return Option(
            self.reader.text(item.text.removeprefix(mark).strip(), item.line), MARKS.get(mark, False), feedback
        )

    def _answer(self, block: Block, kind: str) -> Expression | None:
        said = block.attributes.get("answer", "")
        if not said:
            if kind != "choice":
                self.reader.wrong(
                    block.line, f"A question of kind {kind} needs an answer=, the measure that computes it."
                )
            return None
        found = self.reader.expression(said, block.line)
        if found is not None and found.gives not in GIVES[kind]:
            wanted = " or ".join(GIVES[kind])
            self.reader.wrong(
                block.line, f"“{found.measure}” gives a {found.gives}; the answer of kind {kind} must be a {wanted}."
            )
        return found

    def _settings(self, block: Block, kind: str) -> dict:
        settings = {name: value for name, value in block.attributes.items() if name not in ("kind", "answer")}
        for name in settings.keys() & {*NUMBERS, "to"}:
            try:
                settings[name] = float(settings[name])
            except ValueError:
                self.reader.wrong(block.line, f"{name} must be a number, not “{settings.pop(name)[:40]}”.")
        if not 0 < settings.get("to", 1) <= 1:
            self.reader.wrong(block.line, f"to is a rate above 0 and up to 1, not {settings['to']:g}.")
        if kind == "number":
            if not {"low", "high"} <= settings.keys():
                self.reader.wrong(
                    block.line, "A question of kind number needs low= and high=, between which one guesses."
                )
            elif settings["low"] >= settings["high"]:
                self.reader.wrong(block.line, "low= must lie below high=.")
        if kind in ("point", "surface") and settings.get("scale", "log") not in ("log", "linear"):
            self.reader.wrong(block.line, f"scale is log or linear, not “{settings['scale'][:40]}”.")
        if settings.get("over", "square") not in ("square", "terms"):
            self.reader.wrong(block.line, f"over is square or terms, not “{settings['over'][:40]}”.")
        return settings

    def _check_options(self, question: Question) -> None:
        wrong, marked = self.reader.wrong, sum(option.right for option in question.options)
        if question.kind in ("choice", "order"):
            if len(question.options) < 2:
                wrong(question.line, f"A question of kind {question.kind} needs a list of two options or more.")
            if question.answer is not None and marked:
                wrong(question.line, "The answer is computed here; take the x out of the options.")
            if marked > 1:
                wrong(question.line, "Only one option can be marked with an x.")
        elif question.options:
            wrong(question.line, f"A question of kind {question.kind} has no list of options; take it out.")

    def _belonging(self, block: Block) -> None:
        wrong, line, of = self.reader.wrong, block.line, block.attributes.get("for", "")
        allowed = {"hint": {"for"}, "feedback": {"for", "when"}, "reveal": {"for", "scene"}}[block.kind]
        self.reader.attributes(block, allowed)
        text = self.reader.body(block)
        question = self.found.get(of)
        if not of:
            wrong(
                line, f"A block .{block.kind} says whose it is, as in ::: {{.{block.kind} for=p1}}; this one does not."
            )
        elif question is None:
            wrong(line, f"There is no question “{of[:40]}” above; labels so far: {', '.join(self.found) or 'none'}.")
        elif block.kind == "hint":
            self.found[of] = replace(question, hints=(*question.hints, text))
        elif block.kind == "reveal":
            if question.reveal is not None:
                wrong(line, f"{of} is revealed twice; keep only one of them.")
            self.found[of] = replace(question, reveal=Reveal(text, self.reader.scene(block)))
        else:
            when = block.attributes.get("when", "")
            if when not in VERDICTS[question.kind]:
                known = ", ".join(VERDICTS[question.kind])
                wrong(line, f"when must be one of {known} for a question of kind {question.kind}, not “{when[:40]}”.")
            elif when in question.feedback:
                wrong(line, f"There are two sentences for {of} when {when}; keep only one of them.")
            self.found[of] = replace(question, feedback={**question.feedback, when: text})

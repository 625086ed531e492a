"""How far the reader has come in each lesson: in the session, in the address, and in the browser for another day."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import streamlit as st

from ltw_core.lessons import Lesson, Question
from pages._ui.reader import under_way

STORED = "ltw_lessons"
OPEN = "open"  # in the address: guessed, and not answered yet
KEY = "Filled: done. Strong outline: seen, its question not answered. Faint: to come. The longer one is open."
LONGEST = 20_000  # characters that a browser may send back
_browser = st.components.v2.component(
    STORED, js=Path(__file__).with_suffix(".js").read_text("utf-8"), isolate_styles=False
)


@dataclass
class LessonProgress:
    """Of one lesson. ``guesses``, ``trials`` and ``hints`` by label; ``done`` are the labels that were revealed;
    ``seat`` is the reader's place in a class that goes through it together."""

    step: int = 1
    guesses: dict[str, Any] = field(default_factory=dict)
    trials: dict[str, int] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    furthest: int = 1
    seat: "Seat | None" = None

    def go(self, step: int) -> None:
        """Open a step, as far as the reader's class is."""
        self.step = step if self.seat is None else self.seat.go(step)
        self.furthest = max(self.furthest, self.step)


class Seat(Protocol):
    """What a lesson asks of a class: ``class_seat``."""

    together: bool
    last_step: int

    def go(self, step: int) -> int: ...

    def take(self, question: Any, guess: Any) -> bool: ...

    def reveal(self, label: str) -> None: ...

    def show_guesses(self, question: Any, values: Any, key: str) -> None: ...


def of(lesson: Lesson) -> LessonProgress:
    """The reader's progress in a lesson; the first time as the address has it."""
    kept = st.session_state.setdefault(under_way.LESSONS, {})
    if lesson.name not in kept:
        found = kept[lesson.name] = LessonProgress()
        labels = {question.label for question in lesson.questions()}
        for part in st.query_params.get("done", "").split("~"):
            label, trials, *more = [*part.split("."), ""][:3]
            if label in labels and trials.isdecimal() and len(trials) < 4 and more in ([""], [OPEN]):
                found.trials[label] = int(trials)
                if more != [OPEN]:
                    found.done.append(label)
        found.furthest = found.step = _step(lesson, st.query_params.get("step"))
    found = kept[lesson.name]
    found.step, found.furthest = (min(place, len(lesson.steps)) for place in (found.step, found.furthest))
    return found


def all_of_them() -> dict[str, LessonProgress]:
    """By name of the lesson, those that were begun."""
    return st.session_state.setdefault(under_way.LESSONS, {})


def finished(lesson: Lesson, progress: LessonProgress) -> bool:
    """Whether the last step was reached, and nothing that it asks is open."""
    asked = lesson.steps[-1].of(Question)
    return progress.furthest >= len(lesson.steps) and all(question.label in progress.done for question in asked)


def marks(lesson: Lesson, progress: LessonProgress, here: bool = False) -> str:
    """A line a step, as HTML: filled where it was seen and all that it asks is answered, an outline where a question of
    it is open, a pale one where it is to come; with ``here`` the one that is open is longer."""
    kinds, skipped = [], []
    for place, step in enumerate(lesson.steps, 1):
        answered = all(question.label in progress.done for question in step.of(Question))
        kind = "" if place > progress.furthest else "done" if answered else "seen"
        if kind == "seen":
            skipped.append(str(place))
        kinds.append(f"{kind} here".strip() if here and place == progress.step else kind)
    told = f"{sum('done' in kind for kind in kinds)} of {len(kinds)} steps done"
    told += f"; seen, not answered: {', '.join(skipped)}" if skipped else ""
    lines = "".join(f'<i class="{kind}"></i>' for kind in kinds)
    return f'<span class="ltw-steps" role="img" aria-label="{told}" title="{KEY}">{lines}</span>'


def go(lesson: Lesson, step: int) -> None:
    """Open a step. A callback."""
    of(lesson).go(min(max(step, 1), len(lesson.steps)))


def begin_again(lesson: Lesson) -> None:
    """Forget guesses and start with the first step. A callback."""
    all_of_them()[lesson.name] = LessonProgress()


def write_address(lesson: Lesson, progress: LessonProgress) -> None:
    """Lesson, step, what was answered and how often was guessed, so that a link or a reload opens it there."""
    parts = [f"{label}.{progress.trials.get(label, 0)}" for label in progress.done]
    parts += [f"{label}.{trials}.{OPEN}" for label, trials in progress.trials.items() if label not in progress.done]
    done = "~".join(parts)
    wanted = {"lesson": lesson.name, "step": str(progress.step), "done": done}
    for key, value in wanted.items():
        if value and st.query_params.get(key) != value:
            st.query_params[key] = value
        elif not value and key in st.query_params:
            del st.query_params[key]
    under_way.note(lesson.title, under_way.PAGE, {"lesson": lesson.name, "step": str(progress.step)})


def _step(lesson: Lesson, text: str | None) -> int:
    """A step of an address: the first where it has none."""
    number = int(text) if text and text.isdecimal() and len(text) <= 4 else 0
    return number if 1 <= number <= len(lesson.steps) else 1


# The browser's own memory ---------------------------------------------------------------------------------------------
def remember(lesson: Lesson | None = None) -> None:
    """Have the browser keep how far the lessons are, and take up what it kept another day.

    A page that shows another step of a ``lesson`` than before, or showed the list before, begins at its top; what is
    said of a guess is scrolled into view.
    """
    told = {name: [one.step, one.furthest, one.done, one.trials] for name, one in _alone().items()}
    at, said = "", {}
    if lesson is not None:
        found = of(lesson)
        at = f"{lesson.name}-{found.step}"
        said = {
            label: f"{found.trials.get(label, 0)} {found.hints.get(label, 0)}"
            # a teacher's answer moves the page of a student who guessed, none of one who reads on
            + f" {label in found.done}" * (found.seat is None or label in found.guesses)
            for label in {*found.trials, *found.hints, *found.done}
        }
    data = {"told": json.dumps(told), "at": at, "said": json.dumps(said)}
    _browser(key="lessons_kept", data=data, on_kept_change=_take_up)


def _alone() -> dict[str, LessonProgress]:
    """What is not a class's: that is kept on the server."""
    return {name: one for name, one in all_of_them().items() if one.seat is None}


def _take_up() -> None:
    """What the browser kept, for lessons that this session has not begun; whatever else it sends is left alone."""
    text = st.session_state.get("lessons_kept", {}).get("kept")
    if not isinstance(text, str) or len(text) > LONGEST:
        return
    try:
        kept = json.loads(text)
        for name, (step, furthest, done, trials) in kept.items():
            if name not in all_of_them() and isinstance(name, str) and len(name) < 100:
                all_of_them()[name] = LessonProgress(
                    step=max(1, int(step)),
                    furthest=max(1, int(furthest)),
                    done=[str(label)[:100] for label in done][:100],
                    trials={str(label)[:100]: int(count) for label, count in trials.items()},
                )
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        return

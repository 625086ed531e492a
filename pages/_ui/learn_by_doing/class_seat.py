"""A student's place in a class: where they are, what they guessed, and what their teacher has shown everybody."""

import sqlite3
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from ltw_core.lessons import Lesson, Question, Values, checked
from ltw_core.service.classroom_queries import Participant, Room
from pages._ui.guard import not_done, sentence
from pages._ui.learn_by_doing import class_tally, progress
from pages._ui.learn_by_doing.lesson_files import LessonFile
from pages._ui.reader.rooms import rooms

SAID = "_class_said"  # a sentence on what could not be done, until the next run shows it
TOO_LATE = "The answer was shown before your guess arrived."


@dataclass
class ClassSeat:
    """``progress.Seat``: what a lesson asks of the class."""

    room: Room
    me: Participant

    @property
    def together(self) -> bool:
        return self.room.together

    @property
    def last_step(self) -> int:
        return self.room.step if self.room.together else self.room.n_steps

    def go(self, step: int) -> int:
        return done(lambda: rooms().go(self.me.id, step)) or self.me.step

    def take(self, question: Question, guess: Any) -> bool:
        if question.kind in ("sketch", "surface"):
            guess = [round(v, 4) for v in guess]
        taken = done(lambda: rooms().answer(self.me, question.label, checked(question, guess)))
        if taken is False:
            st.session_state[SAID] = TOO_LATE
        return bool(taken)

    def reveal(self, label: str) -> None:
        done(lambda: rooms().shown_alone(self.me, label))

    def show_guesses(self, question: Question, values: Values, key: str) -> None:
        """How everyone guessed, once its teacher has shown the answer; sketched surfaces are on the big screen."""
        if question.label not in self.room.revealed or question.kind == "surface":
            return
        answers = rooms().answers(self.room.id, question.label)
        how = "answered" if question.survey else "guessed"
        st.caption(f"How everyone {how} ({class_tally.counted(question, len(answers))})")
        seen = {"answered": not question.survey, "shown": True, "starred": self.room.starred}
        class_tally.show(question, values, answers, key, **seen)


def done(act) -> Any:
    """What an act gives; None, and a sentence for the next run, where it is refused or fails."""
    try:
        return act()
    except ValueError as error:
        st.session_state[SAID] = sentence(error)
    except (sqlite3.Error, OSError) as error:
        st.session_state[SAID] = not_done(error)
    return None


def say() -> None:
    """What could not be done since the last run."""
    if said := st.session_state.pop(SAID, None):
        st.warning(said, icon=":material/info:")


def lesson_of(entry: LessonFile, room: Room) -> Lesson:
    """A class's lesson: apart from the reader's own progress in the same one."""
    return replace(entry.lesson, name=f"{entry.name}@{room.code}")


def sit_down(lesson: Lesson, room: Room, me: Participant) -> progress.LessonProgress:
    """The progress of a participant, as the class's file has it: it outlives server, session and connection."""
    found = progress.of(lesson)
    found.seat, found.step = ClassSeat(room, me), min(me.step, len(lesson.steps))
    answers = rooms().answers_of(me)
    labels = {question.label for question in lesson.questions()}
    found.guesses = {one.question: one.guess for one in answers if one.question in labels}
    found.trials = {one.question: one.trials for one in answers}
    found.done = sorted((room.revealed | {one.question for one in answers if one.seen}) & labels)
    return found

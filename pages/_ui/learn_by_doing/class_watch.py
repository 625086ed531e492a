"""Looking on: fragments that ask the class's file for news, since no session can tell another; what all views need."""

import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from ltw_core.lessons import Lesson, Question, Step, Values
from ltw_core.service.classroom_queries import Room
from pages._ui import loading
from pages._ui.learn_by_doing.lesson_files import LessonFile
from pages._ui.learn_by_doing.step_view import values_of
from pages._ui.reader import selection
from pages._ui.reader.rooms import rooms
from pages._ui.streamlit_fixes.rerun import run_again

PACE, STUDENT_PACE = 0.5, 1.5  # seconds between two looks: of who sees guesses come in, of who waits for the teacher
HERE = 8.0  # seconds after which a participant says again that they are there
_HERE = "_class_here"


def on_its_corpus(room: Room) -> None:
    """Have the page show what the class works on; other pages keep what the reader has chosen."""
    selection.borrow(room.dataset, room.class_name)
    if selection.dataset() != room.dataset:
        selection.choose_dataset(room.dataset)
        st.session_state["class_asked"] = room.class_name
        run_again()
    if selection.class_name() not in (None, room.class_name):
        st.session_state["class_asked"] = room.class_name
        st.session_state.pop(selection.class_key(), None)
        run_again()


def task_of(room: Room) -> Any:
    """What all of a class compute with: the usual share of terms, whatever the reader keeps elsewhere."""
    return loading.task(room.dataset, room.class_name, loading.vectorized(room.dataset).default_ratio)


def values_in(entry: LessonFile, lesson: Lesson, task: Any) -> Values:
    """The lesson's values for the class's documents."""
    return values_of(entry.name, entry.version, task.fingerprint, lesson, task)


def follow(room: Room, pace: float, show: Callable[[], None] = lambda: None, participant: int | None = None) -> None:
    """Show something again and again, and run the page when the teacher does something or the class is gone."""

    @st.fragment(run_every=pace)
    def look() -> None:
        news = rooms().news(room.id)
        if news is None or news[0] != room.changed:
            run_again()
        said = st.session_state.get(_HERE, 0)
        if participant is not None and time.monotonic() - said > HERE and rooms().here(participant):
            st.session_state[_HERE] = time.monotonic()
        show()

    look()


def questions_of(step: Step) -> list[Question]:
    return step.of(Question)


def shown(lesson: Lesson, label: str) -> tuple[int, Step, Question | None] | None:
    """What a label of the projected view means: a question and its step, or a step by its number."""
    for number, step in enumerate(lesson.steps, 1):
        if label == f"step {number}":
            return number, step, None
        for question in questions_of(step):
            if question.label == label:
                return number, step, question
    return None

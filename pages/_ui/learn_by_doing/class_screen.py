"""What is projected of a class: how to join, or a question and its guesses; an answer once everybody may see it."""

import html
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from ltw_core.lessons import Lesson, Question, Step, Text, Values
from ltw_core.lessons.values import said
from ltw_core.service.classroom_queries import Room
from ltw_core.service.classroom_words import spaced
from pages._ui import words
from pages._ui.guard import plain, sentences
from pages._ui.learn_by_doing import class_door, class_tally, class_watch, lesson_figures
from pages._ui.learn_by_doing.class_teacher import qr
from pages._ui.learn_by_doing.class_watch import PACE
from pages._ui.learn_by_doing.step_view import filled
from pages._ui.reader.rooms import rooms

STYLE = f"<style>{Path(__file__).with_suffix('.css').read_text('utf-8')}</style>"


def page(entry: Any, lesson: Lesson, room: Room, values: Values) -> None:
    """The whole screen."""
    st.html(STYLE)
    found = class_watch.shown(lesson, room.shown)
    with sentences():
        if found is None:
            _join(lesson, room)
        else:
            _step(lesson, room, values, *found)


def closed() -> None:
    """What is projected of a class that is no more."""
    st.html(STYLE)
    with st.container(key="screen_whole"):
        st.title("Your teacher has closed the class", anchor=False)


def _join(lesson: Lesson, room: Room) -> None:
    with st.container(key="screen_whole"):
        st.title(plain(lesson.title), anchor=False)
        _how_to_join(room)


def _how_to_join(room: Room) -> None:
    link = class_door.link(code=room.code, by=room.ticket)
    left, right = st.columns([4, 3], gap="large", vertical_alignment="center")
    with left:
        here = urlsplit(link)
        address = html.escape(here.netloc + here.path)
        st.html(f"<div class='ltw-join-at'>Join at <b>{address}</b></div>")
        st.html(f"<div class='ltw-code'>{spaced(room.code)}</div>")
        class_watch.follow(room, PACE, lambda: _count(room))
    right.html(qr(link, "100%"))


def _count(room: Room) -> None:
    steps = rooms().steps(room.id)
    st.header(f"{words.count(sum(n for n, _ in steps.values()), 'student')} joined", anchor=False)


def _step(lesson: Lesson, room: Room, values: Values, number: int, step: Step, question: Question | None) -> None:
    st.caption(f"Step {number} of {len(lesson.steps)} · {spaced(room.code)}")
    st.header(values.text(step.title.source), anchor=False)
    figure = step.figure(room.revealed)
    if figure is None:
        said, drawn = st.container(key="screen_alone"), st
    else:
        with st.container(key="screen_step"):
            said, drawn = st.columns(2, gap="large")
    with said:
        if question is None:
            for text in step.of(Text):
                st.markdown(values.text(text.source))
            class_watch.follow(room, PACE)
        else:
            with st.container(key="screen_asked"):
                st.markdown(values.text(question.text.source))
            _guesses(room, values, question)
    if figure is not None:
        with drawn, st.container(key=None if figure.name == "surfaces" else "screen_figure"):  # these need the room
            settings = filled(figure.settings, values)
            frame = lesson_figures.Frame(values, settings, f"class-{room.code}-{figure.line}", projected=True)
            lesson_figures.draw(figure.name, frame)


def _guesses(room: Room, values: Values, question: Question) -> None:
    label, shown = question.label, question.label in room.revealed

    def guesses() -> None:
        answers = rooms().answers(room.id, label)
        joined = sum(n for n, _ in rooms().steps(room.id).values())
        st.markdown(f"**{len(answers)} of {joined}** have {'answered' if question.survey else 'guessed'}.")
        key = f"class-screen-{room.code}-{label}"
        seen = {"answered": shown and not question.survey, "shown": shown}
        class_tally.show(question, values, answers, key, starred=room.starred, **seen)

    with st.container(key="live"):
        class_watch.follow(room, PACE, guesses)
    if shown and question.answer is not None and question.kind not in ("sketch", "surface"):
        st.markdown(f"The answer: **{said(values.answer(question), question.answer.gives, plain)}**")
    if shown and question.reveal is not None:
        st.markdown(values.text(question.reveal.text.source))

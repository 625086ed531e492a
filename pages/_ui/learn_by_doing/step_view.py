"""A step of a lesson: its sentences, its questions and the one thing to do, and at their right its figure."""

import html
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import streamlit as st

from ltw_core.lessons import NAMED, Figure, Lesson, Question, Step, Task, Text, Values
from pages._ui import words
from pages._ui.controls import control
from pages._ui.downloads import offer
from pages._ui.glossary import glossed
from pages._ui.guard import plain, sentences
from pages._ui.learn_by_doing import (
    lesson_figures,
    lesson_files,
    list_view,
    progress,
    question_view,
    take_home,
    vocabulary,
)
from pages._ui.learn_by_doing.lesson_files import LessonFile
from pages._ui.learn_by_doing.progress import LessonProgress
from pages._ui.reader.table_results import kept_of_corpus

KEPT = {"map": "map", "curves": "curves", "document": "read"}  # figures whose steps style.css knows
TALL = ("map", "surfaces", "above", "learned", "seeds", "training", "sculpt")  # figures that leave no room below them


@kept_of_corpus(24)
def values_of(lesson: str, version: str, fingerprint: str, _lesson: Lesson, _task: Any) -> Values:
    """A lesson at a class, kept for everybody: what is computed for one reader is there for the next."""
    return Values(_lesson, _task, plain)


def show(entry: LessonFile, lesson: Lesson, task: Any) -> None:
    """The step at which the reader is."""
    found = progress.of(lesson)
    values = values_of(entry.name, entry.version, task.fingerprint, lesson, task)
    step = lesson.steps[found.step - 1]
    key = f"lesson-{lesson.name}-{found.step}"
    with sentences():
        _head(lesson, found)
        figure = step.figure(found.done)
        canvas = any(question.kind in question_view.CANVAS for question in step.of(Question))
        shown, first = step.figure([]), _first_below(step)
        if step.of(Figure) or canvas:
            about = "" if shown is None else "curves" if "example" in shown.settings else shown.name
            kind = "square" if canvas else KEPT.get(about, "figure")
            with st.container(key=f"lesson-{kind}"), st.container(key="lesson-step"):
                text, side = st.columns([2, 3], gap="large")
        else:
            text = side = st.container(key="lesson-text")
        with text:
            st.header(values.text(step.title.source), anchor=False)
            _parts(step.parts[:first], entry, values, found, key, side)
            with st.container(key="lesson-below"):  # on a narrow page, below the figure
                _parts(step.parts[first:], entry, values, found, key, side)
        asked_of = (one for one in step.of(Figure) if one.name == "document" and "terms" in one.settings)
        document = next(asked_of, None)
        asked = figure is not None and figure.name != "document" and document is not None
        if asked and figure.name not in TALL:  # it stays where it was
            _document(document, side, values, key, "long")
        if figure is not None:
            with side, sentences():
                waits = any(question.label not in found.guesses for question in step.of(Question))
                # scores that were reasoned from stay above what the answer adds
                stays = shown is not None and shown.name == "f1" != figure.name and not shown.settings.get("empty")
                drawn = [shown, figure] if stays else [figure]
                for place, each in zip(("figure", "more"), drawn, strict=False):
                    frame = lesson_figures.Frame(values, filled(each.settings, values), f"{key}-{place}", waits=waits)
                    lesson_figures.draw(each.name, frame)
        with text if figure is not None and figure.name in TALL else side, sentences():
            _class_guesses(step, found, values, key)
        if asked and figure.name in TALL:
            _document(document, side, values, key, "short")
        _onwards(lesson, found, step, key, values)


def _document(document: Figure, side: Any, values: Values, key: str, room: str) -> None:
    """What was asked about stays in sight beside what answers it; ``room``: see style.css."""
    with side, st.container(key="lesson-document"), st.container(key=f"lesson-document-{room}"):
        frame = lesson_figures.Frame(values, filled(document.settings, values), f"{key}-document")
        lesson_figures.draw("document", frame)


def _class_guesses(step: Step, found: LessonProgress, values: Values, key: str) -> None:
    """How everyone in a class guessed, where there is room beside the answer; on a narrow page below it."""
    answered = [question for question in step.of(Question) if question.label in found.done]
    if found.seat is not None and answered:
        with st.container(key="lesson-class", border=True):
            for question in answered:
                found.seat.show_guesses(question, values, f"{key}-{question.label}-class")


def _first_below(step: Step) -> int:
    """The place of the first question that the file has after its first figure: a narrow page has the figure, a square
    to answer on and what comes in its place with the answer above it, before the answer and with it."""
    shown = step.figure([])
    at = 0 if shown is None else step.parts.index(shown)
    return next((i for i in range(at, len(step.parts)) if isinstance(step.parts[i], Question)), len(step.parts))


def _head(lesson: Lesson, found: LessonProgress) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="lesson_head"):
        names, step = [entry.lesson.name for entry in _shipped()], f"tep {found.step} of {len(lesson.steps)}"
        name = lesson.name.partition("@")[0]  # a class's has more
        at = f"<span>{f'Lesson {names.index(name) + 1} · s' if name in names else 'S'}{step}</span>"
        st.html(f'<div class="ltw-at">{at}{progress.marks(lesson, found, here=True)}</div>', width="stretch")
        if found.seat is None:  # who sits in a class stays there
            _all_lessons()


def say(text: Text, entry: LessonFile, values: Values) -> None:
    """Sentences; words of the field are explained under the pointer in the app's own lessons, which hold no HTML."""
    if entry.own:
        st.markdown(values.text(text.source))
    else:
        st.markdown(
            glossed(values.text(html.escape(text.source, quote=False).replace("&gt;", ">"))), unsafe_allow_html=True
        )


def _parts(parts: Sequence[Any], entry: LessonFile, values: Values, found: LessonProgress, key: str, side: Any) -> None:
    for part in parts:
        if isinstance(part, Text):
            say(part, entry, values)
        elif isinstance(part, Task):
            st.markdown(f":material/touch_app: **Do this.** {values.text(part.text.source)}")
            _scene(part.scene, values)
        elif isinstance(part, Question):
            question_view.ask(part, values, found, f"{key}-{part.label}", side)
            if part.label in found.done and part.reveal is not None:
                _scene(part.reveal.scene, values)


def _scene(address: str, values: Values) -> None:
    """The way to another page with a step's settings."""
    if address:
        page, asked = vocabulary.scene(address)
        query = [(name, _filled(value, values)) for name, value in asked]
        st.page_link(page, label=vocabulary.way_to(page), icon=":material/open_in_new:", query_params=query)


def _filled(setting: str, values: Values) -> str:
    """A setting with the lesson's values in it."""
    return NAMED.sub(lambda found: str(values.named(found[1])), setting)


def filled(settings: Mapping[str, str], values: Values) -> dict[str, str]:
    """A figure's settings with the lesson's values in them."""
    return {name: _filled(value, values) for name, value in settings.items() if name != "after"}


def _onwards(lesson: Lesson, found: LessonProgress, step: Step, key: str, values: Values) -> None:
    """The way back and on, below a step or at the foot of the window; after the last step it leads out of it."""
    open_questions = [question for question in step.of(Question) if question.label not in found.done]
    waits = found.seat is not None and found.step >= found.seat.last_step
    held = waits or (bool(open_questions) and not lesson.allow_skip and found.seat is None)
    last = found.step == len(lesson.steps)
    look = {"icon": ":material/arrow_forward:", "icon_position": "right"}
    look["type"] = "secondary" if open_questions else "primary"
    # a class's guesses are in before its answers are out
    skips = not held and any(found.seat is None or question.label not in found.guesses for question in open_questions)
    row = {"horizontal": True, "vertical_alignment": "center"}
    with st.container(key="lesson-foot", **row):
        with st.container(key="lesson-onwards", width="content", **row):
            back = {"icon": ":material/arrow_back:", "on_click": progress.go, "args": (lesson, found.step - 1)}
            if found.step > 1 or not waits:  # what would do nothing all the while a teacher leads is not there
                control(st.button, f"{key}-back", like="lesson_back", disabled=found.step == 1, **back)
            if not last and not waits:
                go = {"on_click": progress.go, "args": (lesson, found.step + 1), "disabled": held}
                control(st.button, f"{key}-next", like="lesson_skip" if skips else "lesson_next", **look, **go)
            elif last and found.seat is None:
                for entry in _following(lesson):
                    go = {"on_click": list_view.begin, "args": (entry,)}
                    control(st.button, f"{key}-following", like="lesson_following", **look, **go)
            if not last and (told := _told(found, open_questions, waits, held)):
                st.caption(told)
        if last:
            with st.container(key="lesson-ended", **row):
                if found.seat is None:
                    anew = {"on_click": progress.begin_again, "args": (lesson,)}
                    control(st.button, f"{key}-again", like="lesson_again", **anew)
                _take_home(lesson, found, values)
                if found.seat is None and not open_questions:
                    _ended(lesson, found)


def _told(found: LessonProgress, open_questions: list[Question], waits: bool, held: bool) -> str:
    """What there is to do before one goes on."""
    if waits:
        return "The teacher leads: the next step opens by itself."
    if open_questions and held:
        return "Answer the question first."
    if open_questions and not any(question.label in found.guesses for question in open_questions):
        word = "Answer" if all(question.survey for question in open_questions) else "Guess"
        return f"[{word} first](#{question_view.HERE}): it costs nothing."
    return ""


def _take_home(lesson: Lesson, found: LessonProgress, values: Values) -> None:
    kept = deepcopy(replace(found, seat=None))  # as it is now: what makes a file when it is asked for knows no session
    about = "One page with your guesses, the answers and surfaces that turn; it opens offline."
    name = f"{lesson.name.partition('@')[0]}.html"
    offer("Take it home", name, lambda: take_home.page(lesson, values, kept), about, key="lesson-home")


def _shipped() -> list[LessonFile]:
    """The app's lessons, in their order."""
    return [entry for entry in lesson_files.entries() if entry.lesson is not None and not entry.own]


def _following(lesson: Lesson) -> list[LessonFile]:
    """The lesson after this one, where the app has it."""
    shipped = _shipped()
    names = [entry.lesson.name for entry in shipped]
    return shipped[names.index(lesson.name) + 1 :][:1] if lesson.name in names else []


def _ended(lesson: Lesson, found: LessonProgress) -> None:
    """What was learned, and answered: at the foot, where it is seen."""
    asked = lesson.questions()
    answered = [question for question in asked if question.label in found.done]
    guesses = words.count(sum(found.trials.get(question.label, 0) for question in answered), "guess", "guesses")
    told = f"{len(answered)} of {len(asked)} questions answered, with {guesses}."
    st.markdown(f":material/flag: **Lesson done.** {lesson.takeaway} :small[{told}]", width="stretch")


def _all_lessons() -> None:
    st.page_link("pages/learn_by_doing/learn_by_doing.py", label="All lessons", icon=":material/school:")

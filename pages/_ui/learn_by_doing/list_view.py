"""The list of lessons, each with how far the reader has come; what cannot be read says why."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import streamlit as st

from pages._ui import loading, words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.learn_by_doing import lesson_files, progress
from pages._ui.learn_by_doing.still import still
from pages._ui.reader import mode, selection, under_way, uploads

LEAST = 50  # training documents of a class on which every lesson can be computed


def show(entries: list[lesson_files.LessonFile]) -> None:
    """All lessons."""
    ours = [entry for entry in entries if entry.lesson is not None and not entry.own]
    own = [entry for entry in entries if entry.lesson is not None and entry.own]
    begun = progress.all_of_them()
    unfinished = [e for e in ours if e.lesson.name in begun and not progress.finished(e.lesson, begun[e.lesson.name])]
    fresh = [e for e in ours if e.lesson.name not in begun]
    proposed = next(iter([*unfinished, *fresh]), None)
    for place, entry in enumerate(_under_headings(ours, st.header), 1):
        _card(entry, f"{place} · ", entry is proposed)
    if own:
        st.header("Lessons of this server", anchor=False)
        for entry in _under_headings(own, st.subheader):
            _card(entry, "", False)
    wrong = [entry for entry in entries if entry.lesson is None]
    if wrong:
        with st.expander(f"Files that cannot be read ({len(wrong)})"):
            for entry in wrong:
                st.markdown("\n".join(f"- {plain(line)}" for line in entry.mistakes))
    if mode.full():
        st.caption(
            "A lesson is one Markdown file; a teacher puts their own into the folder lessons of LTW_DATA. "
            "The README shows how to write one."
        )


def _under_headings(entries: list[lesson_files.LessonFile], heading: Callable[..., Any]) -> Iterator:
    """The lessons in their order; neighbours of one section come after its heading."""
    for section, of in itertools.groupby(entries, key=lambda entry: entry.lesson.section):
        if section:
            heading(plain(section), anchor=False)
        yield from of


def _card(entry: lesson_files.LessonFile, number: str, proposed: bool) -> None:
    """A lesson; the one that is ``proposed`` has the page's one primary button."""
    lesson = entry.lesson
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"card-{lesson.name}"):
        begun = progress.all_of_them().get(lesson.name)
        done = begun is not None and progress.finished(lesson, begun)
        came = (
            f"{len(lesson.steps)}\u00a0steps"
            if begun is None
            else f"step\u00a0{begun.step}\u00a0of\u00a0{len(lesson.steps)}"
        )
        if done:
            asked = lesson.questions()
            answered = sum(question.label in begun.done for question in asked)
            came = f":material/check_circle: done, {answered} of {len(asked)} questions answered"
        if entry.picture:
            st.html(f'<img class="ltw-still" alt="" src="{still(entry.picture, words.base())}">', width="content")
        with st.container(gap="small"):
            st.markdown(f"**{number}{plain(lesson.title)}** :small[:gray[{came}]]  \n{plain(lesson.summary)}")
            if begun is not None:
                st.html(progress.marks(lesson, begun))
        if done:
            look = {"type": "tertiary", "on_click": begin, "args": (entry,)}
            control(st.button, f"look-{lesson.name}", like="lesson_look", **look)
        like = "lesson_once_more" if done else "lesson_open" if begun is None else "lesson_continue"
        options = {"type": "primary" if proposed else "secondary", "on_click": once_more if done else begin}
        control(st.button, f"open-{lesson.name}", like=like, args=(entry,), **options)


def begin(entry: lesson_files.LessonFile) -> None:
    """Open a lesson where it was left, or at its first step; then one's own on the corpus that it names, and the app's
    on what is chosen in the sidebar, if that will do. A callback."""
    begun = progress.all_of_them().get(entry.lesson.name)
    _open(entry, begun.step if begun is not None else 1, begun is None)


def once_more(entry: lesson_files.LessonFile) -> None:
    """Open a lesson that was finished as if it were new. A callback."""
    progress.begin_again(entry.lesson)
    _open(entry, 1, True)


def _fits() -> bool:
    """Whether the app's lessons can be computed on what is chosen in the sidebar: no table of one's own, which may be
    of any kind, and no rare class."""
    dataset, name = selection.dataset(), selection.class_name()
    if dataset.startswith(uploads.PREFIX):
        return False
    return not loading.ready(dataset) or loading.positives(dataset).get(name, 0) >= LEAST


def _open(entry: lesson_files.LessonFile, step: int, new: bool) -> None:
    lesson = entry.lesson
    st.query_params["lesson"] = lesson.name
    st.query_params["step"] = str(step)
    st.query_params.pop("done", None)  # what another lesson's questions of the same names were answered with
    if new:
        selection.select_none()  # what was picked elsewhere would stand out in figures that are not about it
    if new and lesson.corpus and (entry.own or not _fits()):
        selection.choose_dataset(lesson.corpus)
        if lesson.class_name:
            st.session_state["class_asked"] = lesson.class_name
    under_way.ended()

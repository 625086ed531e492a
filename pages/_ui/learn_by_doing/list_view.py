"""The list of lessons, each with how far the reader has come; what cannot be read says why."""

import streamlit as st

from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.learn_by_doing import lesson_files, progress
from pages._ui.reader import selection, under_way


def show(entries: list[lesson_files.LessonFile]) -> None:
    """All lessons."""
    ours = [entry for entry in entries if entry.lesson is not None and not entry.own]
    own = [entry for entry in entries if entry.lesson is not None and entry.own]
    begun = progress.all_of_them()
    unfinished = [e for e in ours if e.lesson.name in begun and begun[e.lesson.name].step < len(e.lesson.steps)]
    fresh = [e for e in ours if e.lesson.name not in begun]
    proposed = next(iter([*unfinished, *fresh]), None)
    for place, entry in enumerate(ours, 1):
        _card(entry, f"{place} · ", entry is proposed)
    if own:
        st.header("Lessons of this server", anchor=False)
        for entry in own:
            _card(entry, "", False)
    wrong = [entry for entry in entries if entry.lesson is None]
    if wrong:
        with st.expander(f"Files that cannot be read ({len(wrong)})", icon=":material/error:"):
            for entry in wrong:
                st.markdown("\n".join(f"- {plain(line)}" for line in entry.mistakes))
    st.caption(
        "A lesson is one Markdown file; a teacher puts their own into the folder lessons of LTW_DATA. "
        "The README shows how to write one."
    )


def _card(entry: lesson_files.LessonFile, number: str, proposed: bool) -> None:
    """A lesson; the one that is ``proposed`` has the page's one primary button."""
    lesson = entry.lesson
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"card-{lesson.name}"):
        begun = progress.all_of_them().get(lesson.name)
        came = f"  \n:material/history: step {begun.step} of {len(lesson.steps)}" if begun is not None else ""
        st.markdown(f"**{number}{plain(lesson.title)}**  \n{plain(lesson.summary)}{came}", width="stretch")
        like = "lesson_open" if begun is None else "lesson_continue"
        options = {"type": "primary" if proposed else "secondary", "on_click": begin, "args": (entry,)}
        control(st.button, f"open-{lesson.name}", like=like, **options)


def begin(entry: lesson_files.LessonFile) -> None:
    """Open a lesson, on its own corpus where it names one and was not begun on another. A callback."""
    lesson = entry.lesson
    begun = progress.all_of_them().get(lesson.name)
    st.query_params["lesson"] = lesson.name
    st.query_params["step"] = str(begun.step if begun is not None else 1)
    if begun is None and lesson.corpus:
        selection.choose_dataset(lesson.corpus)
        if lesson.class_name:
            st.session_state["class_asked"] = lesson.class_name
    under_way.ended()

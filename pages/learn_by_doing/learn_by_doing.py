"""Lessons: a list of them, or the one in the address, a step at a time."""

import streamlit as st

from pages._ui import loading, words
from pages._ui.guard import plain
from pages._ui.learn_by_doing import lesson_files, list_view, progress, step_view
from pages._ui.reader import selection

missing = lesson_files.library_missing()
entry = None if missing else lesson_files.find(st.query_params.get("lesson"))
if entry is None or entry.lesson is None:
    words.header(
        "learn by doing",
        "Ten-minute lessons on term weighting: a question, your guess, then the answer, computed from the dataset in "
        "the menu. The first needs no prior knowledge.",
    )
    if missing:
        st.warning(missing, icon=":material/school:")
        st.stop()
    if entry is not None:
        st.warning("\n".join(f"- {plain(line)}" for line in entry.mistakes), icon=":material/error:")
    elif "lesson" in st.query_params:
        st.info(
            "There is no lesson of that name here; these are the lessons that there are.", icon=":material/search_off:"
        )
    list_view.show(lesson_files.entries())
else:
    lesson = entry.lesson
    words.title(plain(lesson.title))
    progress.write_address(lesson, progress.of(lesson))
    step_view.show(entry, lesson, loading.task(selection.dataset(), selection.class_name()))
    progress.write_address(lesson, progress.of(lesson))
progress.remember(None if entry is None else entry.lesson)

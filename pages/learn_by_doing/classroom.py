"""A class: its door, or the view of it that the address means: a student's, the teacher's own, or the projected one."""

import streamlit as st

from ltw_core.service.classroom_words import spaced
from pages._ui import words
from pages._ui.guard import plain, sentences
from pages._ui.learn_by_doing import (
    class_door,
    class_screen,
    class_seat,
    class_teacher,
    class_watch,
    lesson_files,
    progress,
    step_view,
)
from pages._ui.reader import under_way

with sentences():
    missing = lesson_files.library_missing()
    place = None if missing else class_door.place()
    entry = None if place is None else lesson_files.find(place[1].lesson)
    if missing:
        st.warning(missing, icon=":material/school:")
    elif place is None and (whose := class_door.closed()) is not None:
        class_screen.closed() if whose == "screen" else class_door.say_closed()
    elif place is None:
        class_door.show()
    elif entry is None or entry.lesson is None:
        st.warning(f"The lesson of this class, {plain(place[1].lesson)}, is not on this server any more.")
    else:
        role, room, me = place
        class_watch.on_its_corpus(room)
        class_door.keep_to_its_data()
        lesson, task = class_seat.lesson_of(entry, room), class_watch.task_of(room)
        if role == "student":
            words.title(plain(lesson.title))
            st.caption(f"You are **{me.nickname}** in class {spaced(room.code)}.")
            class_seat.say()
            class_seat.sit_down(lesson, room, me)
            under_way.note(lesson.title, under_way.CLASS_PAGE, {"code": room.code})
            step_view.show(entry, lesson, task)
            class_watch.follow(room, class_watch.STUDENT_PACE, participant=me.id)
            progress.remember(lesson)
        else:
            values = class_watch.values_in(entry, lesson, task)
            view = class_teacher if role == "teacher" else class_screen
            view.page(entry, lesson, room, values)

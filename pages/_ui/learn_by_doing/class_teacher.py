"""The teacher's own view of a class: where everybody is, the guesses with the answer, and what everybody is shown."""

import html
import json
from typing import Any

import pandas as pd
import segno
import streamlit as st

from ltw_core.lessons import Lesson, Question, Step, Values
from ltw_core.service.classroom_queries import Answer, Room
from ltw_core.service.classroom_words import spaced
from pages._ui import words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import csv, offer
from pages._ui.guard import plain, sentences
from pages._ui.learn_by_doing import class_door, class_tally, class_watch, take_home
from pages._ui.learn_by_doing.class_seat import done, say
from pages._ui.learn_by_doing.class_watch import PACE, questions_of
from pages._ui.learn_by_doing.step_view import say as say_text
from pages._ui.reader.rooms import rooms, teacher
from pages._ui.streamlit_fixes.rerun import run_again


def show(entry: Any, lesson: Lesson, room: Room, values: Values) -> None:
    """The whole view."""
    _phrase(room)
    say()
    empty = not _joined(room)
    if empty:  # how to join is what a class begins with
        _invite(room, wide=True)
    left, right = st.columns([5, 2], gap="large")
    with left:
        number = _steps(lesson, room, values)
        step = lesson.steps[number - 1]
        question = _which(step, room)
        if question is None:
            _step_alone(step, values, lesson, room)
        else:
            _question(entry, question, room, values, room.together and room.step == number)

    def students() -> None:
        _students(room)
        if empty and _joined(room):  # the first: from now on answers stand above how to join
            run_again()

    with right:
        class_watch.follow(room, PACE, students)
        if not empty:
            _invite(room)
        _rest(lesson, room, values)


def act(name: str, room: Room, *more: Any) -> None:
    """Do something as the teacher. A callback."""
    done(lambda: getattr(rooms(), name)(room, teacher(), *more))


def _phrase(room: Room) -> None:
    """The recovery phrase, as long as it has not been put away; it is kept nowhere."""
    code, phrase = st.session_state.get(class_door.PHRASE, ("", ""))
    if code == room.code:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="class_phrase"):
            st.markdown(
                f"**Write this down: {phrase}.** With the code, it lets you lead this class from another "
                "browser. It is shown only now.",
                width="stretch",
            )
            control(st.button, "class_noted", on_click=st.session_state.pop, args=(class_door.PHRASE, None))


def _steps(lesson: Lesson, room: Room, values: Values) -> int:
    """Choose a step to look at, and bring everybody to it or let them go."""
    key = f"class_step-{room.code}"
    st.session_state.setdefault(key, room.step)
    number = choose_one(key, list(range(1, len(lesson.steps) + 1)), None, like="class_step")
    step = lesson.steps[number - 1]
    st.header(f"{number}. {values.text(step.title.source)}", anchor=False)
    here = room.together and room.step == number
    with st.container(horizontal=True, vertical_alignment="center"):
        look = {"type": "secondary" if here else "primary", "icon": ":material/front_hand:", "disabled": here}
        control(st.button, "class_hold", on_click=_bring, args=(room, step, number), **look)
        go = {"icon": ":material/directions_walk:", "disabled": not room.together}
        control(st.button, "class_let_go", on_click=act, args=("let_go", room), **go)
        if here:
            st.caption("Everyone is held here.")
        elif room.together:
            st.caption(f"Everyone is held at step {room.step}; you are looking ahead alone.")
        else:
            st.caption("Everyone goes on alone, and sees an answer once they have guessed.")
    return number


def _bring(room: Room, step: Step, number: int) -> None:
    """Everybody to a step, the big screen too. A callback."""
    act("hold", room, number)
    questions = questions_of(step)
    act("show", room, questions[0].label if questions else f"step {number}")


def _which(step: Step, room: Room) -> Question | None:
    questions = questions_of(step)
    if len(questions) < 2:
        return questions[0] if questions else None
    names = {question.label: f"Question {place}" for place, question in enumerate(questions, 1)}
    key = f"class_question-{room.code}-{questions[0].label}"
    first = room.shown if room.shown in names else questions[0].label
    label = choose_one(key, list(names), first, like="class_question", format_func=names.get)
    return next(question for question in questions if question.label == label)


def _step_alone(step: Step, values: Values, lesson: Lesson, room: Room) -> None:
    number = lesson.steps.index(step) + 1
    st.caption("This step asks nothing.")
    _onto_screen(room, f"step {number}")


def _onto_screen(room: Room, label: str) -> None:
    there = room.shown == label
    look = {"icon": ":material/cast:", "disabled": there, "mark": ": done" if there else ""}
    control(st.button, "class_show", on_click=act, args=("show", room, label), **look)


def _question(entry: Any, question: Question, room: Room, values: Values, here: bool) -> None:
    """What is asked, the guesses, and what everybody is shown of them; ``here``: everybody is held at this step."""
    label = question.label
    with st.container(border=True):
        say_text(question.text, entry, values)
        board = f"class-board-{room.code}-{label}"

        def guesses() -> None:
            answers = rooms().answers(room.id, label)
            st.markdown(f"**{words.count(len(answers), 'guess', 'guesses')}**, of {_joined(room)} who have joined.")
            seen = {"answered": not question.survey, "shown": label in room.revealed}
            class_tally.show(question, values, answers, board, starred=room.starred, **seen)

        with st.container(key="live"):
            class_watch.follow(room, PACE, guesses)
        if not question.survey and label not in room.revealed:
            st.caption("Only you see the answer here, until you show it.")
        with st.container(horizontal=True, vertical_alignment="center"):
            shown = label in room.revealed
            comes = here and not shown  # where they are not here, to bring them comes first
            look = {"type": "primary" if comes else "secondary", "icon": ":material/visibility:", "disabled": shown}
            mark = ": done" if shown else ""
            control(st.button, "class_reveal", mark=mark, on_click=act, args=("reveal", room, label), **look)
            _onto_screen(room, label)
        _star(room, rooms().answers(room.id, label))


def _star(room: Room, answers: list[Answer]) -> None:
    """Whose guess is pointed out."""
    names = ["", *sorted(answer.nickname for answer in answers)]
    key = f"class_star-{room.code}"
    st.session_state[key] = room.starred if room.starred in names else ""

    def chosen() -> None:
        act("star", room, st.session_state[key])

    options = {"format_func": lambda name: name or "Nobody's", "on_change": chosen, "width": 320}
    control(st.selectbox, key, names, like="class_star", **options)


def _joined(room: Room) -> int:
    return sum(n for n, _ in rooms().steps(room.id).values())


def _students(room: Room) -> None:
    """How many are connected, and at which step: counts alone."""
    steps = rooms().steps(room.id)
    joined, connected = (sum(pair[i] for pair in steps.values()) for i in (0, 1))
    words.figures([("Connected", f"{connected} of {joined}", "Students whose page is open now, of all who joined.")])
    counts = [steps.get(step, (0, 0))[0] for step in range(1, room.n_steps + 1)]
    class_tally.bars([(f"Step {n}", count) for n, count in enumerate(counts, 1)], joined, f"class-steps-{room.code}")


def _invite(room: Room, wide: bool = False) -> None:
    """How to join; ``wide``: with the QR code beside the rest."""
    link = class_door.link(code=room.code, by=room.ticket)
    with st.container(border=True):
        picture, said = st.columns([1, 6], gap="medium") if wide else [st.container()] * 2
    with said:
        st.markdown(f"Students open this link or type **{spaced(room.code)}**:")
        st.code(link, language=None, wrap_lines=True)
    picture.html(qr(link, "8rem" if wide else "10rem"))
    with said, st.container(horizontal=wide, vertical_alignment="center"):
        screen = class_door.link(code=room.code, screen=room.screen)
        st.link_button("Open the big screen", screen, icon=":material/cast:", help=SCREEN)
        if room.shown:
            show = {"on_click": act, "args": ("show", room, "")}
            control(st.button, "class_show_join", icon=":material/qr_code_2:", **show)
        class_door.page_link("See it as a student", code=room.code, **{"as": "student"})
        if class_door.only_here():
            follow = "Open the app by the name that students reach it by, and link and QR code follow."
            st.caption("This address works on this machine alone.", help=follow, width="content")


SCREEN = "What you project: it has no answer before you show it. It opens in a tab of its own, on another machine too."


def qr(link: str, size: str) -> str:
    """A link as a QR code, made here: dark on white in either theme, with the room around it that readers want."""
    drawn = segno.make(link, error="m").svg_data_uri(scale=6, border=4, dark="#000", light="#fff")
    told = f"QR code of {html.escape(link)}"
    return f"<img src='{html.escape(drawn)}' alt='{told}' style='width:{size};max-width:100%;border-radius:.4rem'>"


def _rest(lesson: Lesson, room: Room, values: Values) -> None:
    name = f"class-{room.code}.csv"
    offer(
        "Guesses as CSV", name, lambda: csv(frame(lesson, room, values)), "All guesses, a line each.", key="class_csv"
    )
    answers, shown = rooms().answers(room.id), sorted(room.revealed)
    guesses: dict[str, list] = {}
    for answer in answers:
        guesses.setdefault(answer.question, []).append(answer.guess)
    about = "One page with all guesses, without names, and the answers that were shown; it opens without a network."
    make = lambda: take_home.class_page(lesson, values, guesses, shown)  # noqa: E731
    offer("Take the class home", f"class-{room.code}.html", make, about, key="class_home")
    with st.popover("Delete the class", icon=":material/delete:"):
        st.markdown("All guesses of this class are removed for good. Otherwise they go 30 days after it was opened.")
        control(st.button, "class_delete", type="primary", on_click=_delete, args=(room,))


def _delete(room: Room) -> None:
    act("delete", room)
    class_door.enter()


def frame(lesson: Lesson, room: Room, values: Values) -> pd.DataFrame:
    """All guesses of a class, a line each."""
    questions = {
        question.label: (n, question) for n, step in enumerate(lesson.steps, 1) for question in questions_of(step)
    }
    rows = []
    for answer in rooms().answers(room.id):
        number, question = questions.get(answer.question, (None, None))
        first, last = (_told(question, guess, values) for guess in (answer.first, answer.guess))
        about = {"class": room.code, "lesson": room.lesson, "dataset": room.dataset, "of": room.class_name}
        about |= {"step": number, "question": answer.question, "kind": question.kind if question else None}
        about |= {"nickname": answer.nickname, "guess": last, "first guess": first, "guesses": answer.trials}
        rows.append(about | {"at (UTC)": pd.Timestamp(answer.given, unit="s").isoformat(timespec="seconds")})
    return pd.DataFrame(rows)


def _told(question: Question | None, guess: Any, values: Values) -> str:
    """A guess for a spreadsheet: a choice in words, all else as JSON."""
    if question is not None and question.kind in ("choice", "order"):
        names = class_tally.labels(question, values)
        places = [guess] if question.kind == "choice" else guess
        return ", ".join(names[place] if place < len(names) else str(place) for place in places)
    return json.dumps(guess)


def page(entry: Any, lesson: Lesson, room: Room, values: Values) -> None:
    """Title and view."""
    words.title(spaced(room.code))
    st.markdown(f"*{plain(lesson.title)}*, since {words.day(room.created)}. This is your own view: do not project it.")
    with sentences():
        show(entry, lesson, room, values)

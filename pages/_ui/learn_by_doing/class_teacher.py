"""The teacher's own view of a class: where everybody is, the guesses with the answer, and what everybody is shown."""

import html
import json
from typing import Any

import pandas as pd
import segno
import streamlit as st

from ltw_core.lessons import Figure, Lesson, Question, Step, Values
from ltw_core.service.classroom_queries import Answer, Room
from ltw_core.service.classroom_words import spaced
from pages._ui import words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import csv, offer
from pages._ui.guard import plain, sentences
from pages._ui.learn_by_doing import class_door, class_tally, class_watch, lesson_figures, step_view, take_home
from pages._ui.learn_by_doing.class_seat import done, say
from pages._ui.learn_by_doing.class_watch import PACE, questions_of
from pages._ui.reader.rooms import rooms, teacher
from pages._ui.streamlit_fixes.rerun import run_again


def show(entry: Any, lesson: Lesson, room: Room, values: Values) -> None:
    """The whole view."""
    _phrase(room)
    say()
    empty = not _joined(room)
    with st.container(key="class_view"):
        left, right = st.columns([5, 2], gap="medium")
    with left:
        number = _steps(lesson, room, values)
        step = lesson.steps[number - 1]
        question = _which(step, room)
        document = next((one for one in step.of(Figure) if one.name == "document"), None)
        asked = read = st.container(key="class_read")
        if question is not None and document is not None:
            asked, read = asked.columns([3, 2], gap="small")
        with asked:
            if question is None:
                _step_alone(step, lesson, room)
            else:
                _question(entry, question, step, lesson, room, values)
        if document is not None:  # students read it beside the question, too
            with read:
                settings, key = step_view.filled(document.settings, values), f"class-{room.code}-{document.line}"
                lesson_figures.draw("document", lesson_figures.Frame(values, settings, key))

    def students() -> None:
        _students(room)
        if empty and _joined(room):  # the first: from now on how to join takes less room
            run_again()

    with right:
        noted = st.session_state.get(class_door.PHRASE, ("", ""))[0] != room.code
        _invite(room, folded=noted or not empty)
        with st.container(key="class_connected"):
            class_watch.follow(room, PACE, students)
        with st.container(key="class_rest", gap="small"):
            _rest(lesson, room, values, empty)


def act(name: str, room: Room, *more: Any) -> None:
    """Do something as the teacher. A callback."""
    done(lambda: getattr(rooms(), name)(room, teacher(), *more))


def _phrase(room: Room) -> None:
    """The recovery phrase, as long as it has not been put away; it is kept nowhere."""
    code, phrase = st.session_state.get(class_door.PHRASE, ("", ""))
    if code == room.code:
        with st.container(border=True, horizontal=True, vertical_alignment="center", key="class_phrase"):
            st.markdown(
                "**Write this down: it is shown only once.** With the code, these words let you lead this class from "
                "another browser.",
                width="stretch",
            )
            st.code(phrase, language=None, wrap_lines=True, width="content")
            control(st.button, "class_noted", on_click=st.session_state.pop, args=(class_door.PHRASE, None))


def _steps(lesson: Lesson, room: Room, values: Values) -> int:
    """Choose a step to look at, and bring everybody to it."""
    key = f"class_step-{room.code}"
    st.session_state.setdefault(key, room.step)
    titles = {n: f"{n}. {values.text(step.title.source)}" for n, step in enumerate(lesson.steps, 1)}
    # a number is seen, and a title heard
    heard = {n: f"{n} *{values.text(step.title.source).strip()}*" for n, step in enumerate(lesson.steps, 1)}
    more = "\n\n" + "\n".join(titles.values())
    number = choose_one(key, list(titles), None, like="class_step", more=more, format_func=heard.get)
    step = lesson.steps[number - 1]
    st.header(titles[number], anchor=False)
    here = room.together and room.step == number
    with st.container(horizontal=True, vertical_alignment="center"):
        if not here:
            look = {"type": "primary", "icon": ":material/front_hand:"}
            control(st.button, "class_hold", on_click=_bring, args=(room, step, number), **look)
        if here:
            st.caption("Students wait at this step until you move on.")
        elif room.together:
            st.caption(f"Students wait at step {room.step}; only you are looking at this one.")
        else:
            st.caption("Students work at their own pace and see an answer once they have guessed.")
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
    key = _question_key(room, questions)
    first = room.shown if room.shown in names else questions[0].label
    label = choose_one(key, list(names), first, like="class_question", format_func=names.get)
    return next(question for question in questions if question.label == label)


def _step_alone(step: Step, lesson: Lesson, room: Room) -> None:
    number = lesson.steps.index(step) + 1
    st.caption("This step has no question.")
    with st.container(horizontal=True, vertical_alignment="center"):
        if room.together and room.step == number:
            _go_on(step, lesson, room)
        _onto_screen(room, f"step {number}")


def _go_on(step: Step, lesson: Lesson, room: Room) -> None:
    """What comes next where everybody has seen what there is: the step's next question, or the next step."""
    asked = questions_of(step)
    left = [place for place, question in enumerate(asked) if question.label not in room.revealed]
    number = lesson.steps.index(step) + 2
    look = {"type": "primary", "icon": ":material/arrow_forward:", "icon_position": "right"}
    if left:
        go = {"on_click": _ask, "args": (room, asked, left[0])}
        control(st.button, "class_go_on", mark="question", **look, **go)
    elif number <= len(lesson.steps):
        go = {"on_click": _go_to, "args": (room, lesson.steps[number - 1], number)}
        control(st.button, "class_go_on", mark="step", **look, **go)


def _go_to(room: Room, step: Step, number: int) -> None:
    """Everybody to the next step, and the teacher with them. A callback."""
    st.session_state[f"class_step-{room.code}"] = number
    _bring(room, step, number)


def _ask(room: Room, asked: list[Question], place: int) -> None:
    """The next question of the step, on the big screen too. A callback."""
    st.session_state[_question_key(room, asked)] = asked[place].label
    act("show", room, asked[place].label)


def _question_key(room: Room, asked: list[Question]) -> str:
    return f"class_question-{room.code}-{asked[0].label}"


def _onto_screen(room: Room, label: str) -> None:
    if room.shown == label:
        st.markdown(":material/check: On the big screen", width="content")
    else:
        show = {"on_click": act, "args": ("show", room, label), "icon": ":material/cast:"}
        control(st.button, "class_show", like="class_show_step" if label.startswith("step ") else None, **show)


def _question(entry: Any, question: Question, step: Step, lesson: Lesson, room: Room, values: Values) -> None:
    """What is asked, the guesses, and what everybody is shown of them."""
    label, revealed = question.label, question.label in room.revealed
    here = room.together and lesson.steps[room.step - 1] is step  # everybody is held at this step
    with st.container(border=True):
        step_view.say(question.text, entry, values)
        board = f"class-board-{room.code}-{label}"

        def guesses() -> None:
            answers = rooms().answers(room.id, label)
            counted = class_tally.counted(question, len(answers))
            st.markdown(f"**{counted}**" if _joined(room) else "Nobody has joined yet.")
            seen = {"answered": not question.survey, "shown": revealed}
            class_tally.show(question, values, answers, board, starred=room.starred, **seen)

        with st.container(key="live"):
            class_watch.follow(room, PACE, guesses)
        with st.container(horizontal=True, vertical_alignment="center"):
            if not revealed:  # where they are not here, to bring them comes first
                look = {"type": "primary" if here else "secondary", "icon": ":material/visibility:"}
                like = "class_reveal_opinion" if question.survey else "class_reveal"
                control(st.button, "class_reveal", like=like, on_click=act, args=("reveal", room, label), **look)
            elif here:
                _go_on(step, lesson, room)
            _onto_screen(room, label)
        seen = "what everyone answered" if question.survey else "the answer"
        who = "Everyone sees" if room.shown == label else "Students see"
        before = (
            f"Students see {seen} once you show it." if question.survey else f"Only you see {seen} until you show it."
        )
        st.caption(f"{who} {seen}." if revealed else before)
        if question.reveal is not None:
            with st.container(gap=None, key="class_told"), sentences():
                st.caption("What students read with the answer")
                st.markdown(values.text(question.reveal.text.source))
        _star(room, rooms().answers(room.id, label))


def _star(room: Room, answers: list[Answer]) -> None:
    """Whose guess is pointed out."""
    names = ["", *sorted(answer.nickname for answer in answers)]
    key = f"class_star-{room.code}"
    st.session_state[key] = room.starred if room.starred in names else ""

    def chosen() -> None:
        act("star", room, st.session_state[key])

    options = {"format_func": lambda name: name or "None", "on_change": chosen, "width": 320}
    control(st.selectbox, key, names, like="class_star", **options)


def _joined(room: Room) -> int:
    return sum(n for n, _ in rooms().steps(room.id).values())


def _students(room: Room) -> None:
    """How many are connected, and at which step: counts alone."""
    steps = rooms().steps(room.id)
    joined, connected = (sum(pair[i] for pair in steps.values()) for i in (0, 1))
    if not joined:
        return
    st.markdown(f"**{connected} of {joined}** connected", help="Students whose page is open now, of all who joined.")
    st.caption("Where students are")
    counts = [steps.get(step, (0, 0))[0] for step in range(1, room.n_steps + 1)]
    class_tally.bars([(f"Step {n}", count) for n, count in enumerate(counts, 1)], joined, f"class-steps-{room.code}")


def _invite(room: Room, folded: bool) -> None:
    """How to join, and the big screen; ``folded``: code, its picture and the big screen, the rest behind a button."""
    link, screen = (class_door.link(code=room.code, **more) for more in ({"by": room.ticket}, {"screen": room.screen}))
    with st.container(border=True, key="class_folded" if folded else "class_invite"):
        with st.container(horizontal=True, vertical_alignment="center", key="class_code_line"):
            st.html(qr(link, "8rem"), width="content")
            st.html(f"<span class='ltw-join'>Code <b>{spaced(room.code)}</b></span>", width="content")
        show = {"icon": ":material/cast:", "help": SCREEN}
        if not folded:
            st.link_button("Open the big screen", screen, width="stretch", **show)
            _link(room, link)
            _others(room)
            return
        with st.container(horizontal=True, vertical_alignment="center", key="class_folded_line"):
            st.link_button("Open the big screen", screen, **show)
            with st.popover("Link", icon=":material/qr_code_2:"):
                st.html(qr(link, "10rem"))
                _link(room, link)
                _others(room)


def _link(room: Room, link: str) -> None:
    st.caption(f"Students open this link, or type {spaced(room.code)} on the page *Classroom*.")
    st.code(link, language=None, wrap_lines=True)  # one that scrolls would have to be reached by keys


def _others(room: Room) -> None:
    student = class_door.link(code=room.code, **{"as": "student"})
    with st.container(horizontal=True, vertical_alignment="center"):
        st.link_button("See it as a student", student, help="A student’s page, in a tab of its own.", width="stretch")
        if room.shown:
            control(st.button, "class_show_join", icon=":material/qr_code_2:", on_click=act, args=("show", room, ""))
        if class_door.only_here():
            follow = "Open the app at the address that students use; link and QR code then have it, too."
            st.caption("This link works on this machine only.", help=follow, width="content")


SCREEN = "The view to project: it shows no answer before you do. It opens in its own tab, also on another machine."


def qr(link: str, size: str) -> str:
    """A link as a QR code, made here: dark on white in either theme, with the room around it that readers want."""
    drawn = segno.make(link, error="m").svg_data_uri(scale=6, border=4, dark="#000", light="#fff")
    told = f"QR code of {html.escape(link)}"
    return f"<img src='{html.escape(drawn)}' alt='{told}' style='width:{size};max-width:100%;border-radius:.4rem'>"


def _rest(lesson: Lesson, room: Room, values: Values, empty: bool) -> None:
    """What is done with the whole class; of one that nobody has joined there is nothing to take."""
    if room.together:
        go = {"icon": ":material/directions_walk:", "on_click": act, "args": ("let_go", room)}
        control(st.button, "class_let_go", **go)
    if empty:
        _delete_button(room)
        return
    name, rows = f"class-{room.code}.csv", lambda: csv(frame(lesson, room, values))
    offer("Guesses as CSV", name, rows, "All guesses, one per line.", key="class_csv")
    answers, shown = rooms().answers(room.id), sorted(room.revealed)
    guesses: dict[str, list] = {}
    for answer in answers:
        guesses.setdefault(answer.question, []).append(answer.guess)
    about = "One page with all guesses, without names, and the answers that were shown; it opens offline."
    make = lambda: take_home.class_page(lesson, values, guesses, shown)  # noqa: E731
    offer("Take the class home", f"class-{room.code}.html", make, about, key="class_home")
    _delete_button(room)


def _delete_button(room: Room) -> None:
    with st.popover("Delete the class", icon=":material/delete:", type="tertiary"):
        st.markdown("All guesses of the class are deleted for good; otherwise, 30 days after it was opened.")
        control(st.button, "class_delete", on_click=_delete, args=(room,))


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

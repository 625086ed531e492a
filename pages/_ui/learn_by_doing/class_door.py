"""The door of a class: join one by its code, open one, or come back to one's own; and which one an address means."""

import itertools
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from ltw_core.lessons import Question
from ltw_core.service.classroom_queries import Participant, Room
from ltw_core.service.classroom_words import read_code, spaced
from ltw_core.service.classrooms import NO_CLASS
from pages._ui import words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.learn_by_doing import class_tally, lesson_files
from pages._ui.learn_by_doing.class_seat import done, say
from pages._ui.learn_by_doing.lesson_files import LessonFile
from pages._ui.reader import introduction, selection, under_way, uploads
from pages._ui.reader.rooms import rooms, teacher, visitor

KEYS = ("code", "by", "me", "screen", "as")  # the class, its link's ticket, a student's token, the screen's key, a role
LONGEST = 100
_ADDRESS, PHRASE, _INSIDE = "_class_address", "_class_phrase", "_class_inside"
NEXT = {
    "Open and join": "The teacher opens a class and shows its code. Everyone joins under a made-up nickname.",
    "Guess": "Everyone guesses at each question; the teacher sees the guesses come in.",
    "See the answer": "The teacher shows everyone the answer, computed from the documents, and moves on.",
}
NEXT_INSIDE = {
    "Read": "Your teacher brings everyone to a step; read it here at your own pace.",
    "Guess": "Guess at each question. You can change your guess until the answer is shown.",
    "See the answer": "Your teacher shows everyone the answer and how everyone guessed.",
}
EXAMPLE = (11, 6, 4, 3)  # guesses, for the picture of a big screen
OTHER_DATA = (  # not the class's
    "<style>[data-testid='stLayoutWrapper']:has(> :is(.st-key-the_dataset, .st-key-the_class)) "
    "{ display: none; }</style>"
)
Place = tuple[str, Room, Participant | None]


def place() -> Place | None:
    """What the address means: "teacher", "screen" or "student", the class, and the participant; None at the door."""
    found = _place(_asked())
    if found is not None and found[0] != "teacher":
        st.session_state[_INSIDE] = found[1].code
    return found


def closed() -> str | None:
    """Whose class has been closed: "screen" or "student", where ``place`` finds none any more; else None."""
    asked = _asked()
    role = "screen" if "screen" in asked else "student" if "me" in asked else None
    if role is None or not asked.get("code"):
        return None
    if st.session_state.get(_INSIDE) == asked["code"]:
        return role
    try:
        rooms().look_up(asked["code"], visitor())
    except ValueError as error:
        if str(error) == NO_CLASS and read_code(asked["code"]):
            st.session_state[_INSIDE] = asked["code"]  # not looked up again: codes that are wrong are counted
            return role
    return None


def say_closed() -> None:
    """What a student sees of a class that is no more."""
    under_way.ended()
    words.title("your teacher has closed the class").empty()
    st.markdown("Its guesses have been deleted. You can still take the lesson on your own.")
    with st.container(horizontal=True, vertical_alignment="center"):
        control(st.button, "class_door", on_click=enter)
        st.page_link(under_way.PAGE, label="All lessons", icon=":material/school:")


def _place(asked: dict[str, str]) -> Place | None:
    code = asked.get("code", "")
    if not code:
        return None
    if key := asked.get("screen"):
        room = rooms().on_screen(code, key)
        return None if room is None else ("screen", room, None)
    if asked.get("as") != "student" and (room := rooms().of_teacher(code, teacher())) is not None:
        return "teacher", room, None
    if (found := rooms().participant(code, asked.get("me"), introduction.browser())) is not None:
        return "student", *found
    return None


def _asked() -> dict[str, str]:
    """The class's part of the address; another page empties it, and it comes back with this one."""
    state, address = st.session_state, st.query_params
    if "code" in address:
        state[_ADDRESS] = {key: address[key][:LONGEST] for key in KEYS if key in address}
    for key, value in state.get(_ADDRESS, {}).items():
        if address.get(key) != value:
            address[key] = value
    return state.get(_ADDRESS, {})


def enter(**asked: str) -> None:
    """Have the address mean a class from the next run on; without arguments the door. In callbacks."""
    st.session_state[_ADDRESS] = asked
    for key in KEYS:
        if key in asked:
            st.query_params[key] = asked[key]
        elif key in st.query_params:
            del st.query_params[key]


def keep_to_its_data() -> None:
    """Hide the menu's dataset and class, which a class does not follow, and say so there."""
    st.html(OTHER_DATA)
    st.sidebar.caption("Everyone works on the dataset and the document class chosen when the classroom was opened.")


def link(**asked: str) -> str:
    """An address of this page as another browser opens it."""
    here = urlsplit(st.context.url or "http://localhost:8501/class")
    return f"{here.scheme}://{here.netloc}{here.path}?" + "&".join(f"{key}={value}" for key, value in asked.items())


def only_here() -> bool:
    """Whether the address in the bar leads nowhere from another machine."""
    return urlsplit(st.context.url or "").hostname in (None, "localhost", "127.0.0.1", "::1")


def show() -> None:
    """The door."""
    asked = _asked()
    code, ticket = asked.get("code", ""), asked.get("by", "")
    if code and (found := rooms().by_link(code, ticket) or done(lambda: rooms().look_up(code, visitor()))) is not None:
        words.title("you are joining a class", of_class=False)  # which has documents of its own
        say()
        _welcome(found)
        return
    if code:
        enter()
    words.header(
        "guess together",
        "Take a class through a lesson on term weighting: everyone guesses on their own phone or computer, the teacher "
        "sees the guesses come in and shows everyone the answer. No names, no accounts.",
    )
    say()
    with st.container(key="class_doors"):
        left, right = st.columns(2, gap="medium")
    with left.container(border=True, height="stretch"):
        _join_by_code()
    with right.container(border=True, height="stretch"):
        _new()
    _strip(NEXT)
    _example()
    _own()


def _join_by_code() -> None:
    st.header("Join", anchor=False)
    with st.form("class_join", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        typed = control(st.text_input, "class_code", max_chars=20, placeholder="ABC 234")
        pressed = st.form_submit_button("Join", type="primary", help="Look for the class of this code.")
    st.caption("Your teacher shows a code, or a link that leads straight to the class.")
    if pressed:
        found = done(lambda: rooms().look_up(typed, visitor()))
        if found is not None:
            enter(code=found.code, **{"as": "student"})
            st.rerun()
        say()


def _welcome(room: Room) -> None:
    """A student has come to the right class."""
    st.html(OTHER_DATA)
    entry = lesson_files.find(room.lesson)
    with st.container(border=True, key="class_box"):
        lesson = entry.lesson if entry is not None else None
        st.header(plain(lesson.title if lesson is not None else room.lesson), anchor=False)
        about = f" {plain(lesson.summary)}" if lesson is not None else ""
        st.markdown(f"**Class {spaced(room.code)}.**{about}")
        st.markdown(
            "You take part under a made-up nickname. Your guesses are kept with it for at most 30 days, and nothing "
            "else about you."
        )
        with st.container(horizontal=True):
            control(st.button, "class_enter", type="primary", icon=":material/login:", on_click=_join, args=(room,))
            control(st.button, "class_door", on_click=enter)
    _strip(NEXT_INSIDE)


def _strip(steps: dict[str, str]) -> None:
    """What happens next, in three steps beside each other."""
    told = "".join(f"<li><b>{title}</b><span>{sentence}</span></li>" for title, sentence in steps.items())
    st.html(f"<ol class='ltw-strip' aria-label='What happens next'>{told}</ol>")


def _example() -> None:
    """What guesses look like on the big screen, at the shortest question that is the same for every class."""
    shipped = [entry for entry in lesson_files.entries() if entry.lesson is not None and not entry.own]
    questions = itertools.chain.from_iterable(entry.lesson.questions() for entry in shipped)
    asked = min(filter(_alike, questions), key=_length, default=None)
    if asked is None:
        return
    counts = EXAMPLE[: len(asked.options)]
    names = [class_tally.unmarked(option.text.source) for option in asked.options]
    with st.container(border=True, key="class_example"):
        st.caption(f"For example: a question on the big screen, and {sum(counts)} guesses made up for this picture")
        st.markdown(f"**{asked.text.source}**")
        class_tally.bars(list(zip(names, counts, strict=True)), sum(counts), "class-example")


def _alike(question: Question) -> bool:
    """Whether a question reads the same whatever the class is."""
    told = [question.text.source, *(option.text.source for option in question.options)]
    fits = question.kind == "choice" and not question.survey and len(question.options) <= len(EXAMPLE)
    return fits and not any("{{" in text for text in told)


def _length(question: Question) -> int:
    return sum(len(option.text.source) for option in question.options)


def _join(room: Room) -> None:
    token = done(lambda: rooms().join(room, introduction.browser()))
    if token:
        enter(code=room.code, me=token, **{"as": "student"})


def _new() -> None:
    st.header("Lead a class", anchor=False)
    lessons = {entry.name: entry for entry in lesson_files.entries() if entry.lesson is not None}
    if not lessons:
        st.warning("There is no lesson here.", icon=":material/school:")
        return
    titles = {name: entry.lesson.title for name, entry in lessons.items()}
    row = st.container(horizontal=True, vertical_alignment="bottom")
    chosen = control(row.selectbox, "class_lesson", list(lessons), format_func=titles.get)
    dataset, name = selection.dataset(), selection.class_name()
    own = dataset.startswith(uploads.PREFIX)
    if own:
        st.warning(
            "Everyone needs the same dataset, and your own table is visible to you alone: choose another in the menu.",
            icon=":material/database:",
        )
    else:
        now = f", now {plain(selection.class_title())}" * bool(selection.class_title())
        st.caption(f"Everyone works on the dataset and the document class chosen in the menu{now}.")
    options = {"icon": ":material/add:", "disabled": own or name is None}
    control(row.button, "class_new", on_click=_open, args=(lessons[chosen], dataset, name), **options)


def _open(entry: LessonFile, dataset: str, class_name: str) -> None:
    """Open a class. A callback."""
    about = {"dataset": dataset, "class_name": class_name}
    made = done(lambda: rooms().open_class(teacher(), entry.name, len(entry.lesson.steps), **about))
    if made is not None:
        room, phrase = made
        st.session_state[PHRASE] = room.code, phrase
        enter(code=room.code)


def _own() -> None:
    led = rooms().led_by(teacher())
    if led:
        with st.container(border=True, key="class_box"):
            st.header("Classes you lead", anchor=False)
            for room in led:
                _row(room)
    with st.expander("Lead a class opened in another browser"), st.form("class_recover", border=False):
        code: Any = control(st.text_input, "class_recover_code", max_chars=20)
        phrase = control(st.text_input, "class_recover_phrase", max_chars=200)
        if st.form_submit_button("Lead it here", help="Lead this class from this browser from now on."):
            found = done(lambda: rooms().recover(code, phrase, teacher(), visitor()))
            if found is not None:
                enter(code=found.code)
                st.rerun()
            say()


def _row(room: Room) -> None:
    entry = lesson_files.find(room.lesson)
    title = entry.lesson.title if entry is not None and entry.lesson is not None else room.lesson
    with st.container(horizontal=True, vertical_alignment="center", key=f"class-row-{room.code}"):
        st.markdown(f"**{spaced(room.code)}** {plain(title)}, since {words.day(room.created)}", width="stretch")
        control(st.button, f"class-back-{room.code}", like="class_back", on_click=enter, kwargs={"code": room.code})

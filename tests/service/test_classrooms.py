"""Classes of students: no answer is lost, whoever writes at the same time and whatever is killed; a student is no
teacher; codes are not found by trying."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ltw_core.service import classroom_queries, classrooms
from ltw_core.service.classroom_words import FIRST, SECOND, new_nickname, read_code, spaced
from ltw_core.service.classrooms import Classrooms

TEACHER, STUDENT = "t" * 32, "s" * 32
ROOT = Path(__file__).resolve().parents[2]
WRITER = """
import sys
from ltw_core.service.classrooms import Classrooms
file, code, token, first = sys.argv[1:]
with Classrooms(file) as rooms:
    room, me = rooms.participant(code, token, None)
    for number in range(int(first), 150):
        assert rooms.answer(me, f"q{number}", number)
        print(number, flush=True)
"""


@pytest.fixture
def rooms(tmp_path):
    with Classrooms(tmp_path / "classes.sqlite") as made:
        yield made


@pytest.fixture
def room(rooms):
    return opened(rooms)[0]


def opened(rooms, browser=TEACHER):
    return rooms.open_class(browser, "luck", 6, dataset="pydocs", class_name="scipy.stats")


def enter(rooms, room, browser=None):
    """A new student."""
    return rooms.participant(room.code, rooms.join(room, browser), None)[1]


def test_a_class_is_found_by_its_code_however_it_is_typed(rooms, room):
    assert rooms.look_up(f" {spaced(room.code).lower()}", "me") == room
    assert (room.lesson, room.n_steps, room.step, room.together, room.shown) == ("luck", 6, 1, True, "")
    assert rooms.led_by(TEACHER) == [room] and rooms.led_by(STUDENT) == rooms.led_by(None) == []
    assert read_code("abc-234") == "ABC234" and read_code("ABC 23I") == read_code("") == read_code("x" * 9) == ""


def test_a_participant_is_a_token_and_comes_back_by_their_browser(rooms, room):
    token = rooms.join(room, STUDENT)
    found, me = rooms.participant(room.code, token, None)
    assert found == room and len(me.nickname.split()) == 2
    assert rooms.participant(room.code, None, STUDENT)[1] == me
    assert rooms.participant(room.code, "0" * 32, "another") is None
    again = rooms.join(room, STUDENT)  # the same student, from the link
    assert rooms.participant(room.code, again, None)[1].id == me.id and rooms.steps(room.id) == {1: (1, 1)}
    assert rooms.join(room, None) != rooms.join(room, None) and rooms.steps(room.id) == {1: (3, 3)}
    kept = b"".join(path.read_bytes() for path in rooms.path.parent.glob("classes.sqlite*"))
    assert again.encode() not in kept  # its digest alone


def test_a_guess_takes_the_place_of_the_one_before_until_the_answer_is_shown(rooms, room):
    me, other = enter(rooms, room), enter(rooms, room)
    assert rooms.answer(me, "p1", [0.25, 0.5]) and rooms.answer(other, "p1", 3) and rooms.answer(me, "p1", 7)
    one, two = sorted(rooms.answers(room.id, "p1"), key=lambda answer: answer.trials)
    assert (one.nickname, one.first, one.guess, one.trials) == (other.nickname, 3, 3, 1)
    assert (two.nickname, two.first, two.guess, two.trials) == (me.nickname, [0.25, 0.5], 7, 2)
    rooms.shown_alone(me, "p1")
    assert not rooms.answer(me, "p1", 8) and rooms.answer(other, "p1", 4)  # seen by one
    rooms.reveal(room, TEACHER, "p1")
    assert not rooms.answer(other, "p1", 5) and not rooms.answer(enter(rooms, room), "p1", 1)  # by all
    assert [answer.guess for answer in rooms.answers(room.id)] == [7, 4]
    assert rooms.answer(me, "p2", None) and len(rooms.answers_of(me)) == 2
    assert rooms.of_teacher(room.code, TEACHER).revealed == {"p1"}


def test_a_class_is_held_at_a_step_and_let_go(rooms, room):
    me = enter(rooms, room)
    assert rooms.go(me.id, 4) == 1
    rooms.hold(room, TEACHER, 3)
    assert rooms.participant(room.code, None, None) is None
    assert rooms.steps(room.id) == {3: (1, 1)} and rooms.go(me.id, 2) == 2 and rooms.go(me.id, 5) == 3
    rooms.let_go(room, TEACHER)
    assert rooms.go(me.id, 5) == 5 and rooms.go(me.id, 99) == 6 and rooms.go(me.id, -1) == 1
    assert rooms.go(12345, 2) == 1  # nobody
    rooms.hold(room, TEACHER, 77)
    assert rooms.of_teacher(room.code, TEACHER).step == 6
    assert rooms.participant(room.code, rooms.join(room, None), None)[1].step == 6  # who comes late is brought there


def test_who_is_connected_is_who_was_seen_lately(rooms, room, monkeypatch):
    me, _ = enter(rooms, room), enter(rooms, room)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + classroom_queries.CONNECTED + 1)
    rooms.here(me.id)
    assert rooms.steps(room.id) == {1: (2, 1)}


def test_whoever_looks_on_is_told_of_news(rooms, room):
    me, seen = enter(rooms, room), rooms.news(room.id)
    rooms.answer(me, "p1", 1)
    assert rooms.news(room.id) == (seen[0], seen[1] + 1)
    rooms.answer(me, "p1", 1)
    rooms.show(room, TEACHER, "p1")
    assert rooms.news(room.id) == (seen[0] + 1, seen[1] + 2)
    rooms.delete(room, TEACHER)
    assert rooms.news(room.id) is None


ACTS = {
    "hold": (2,),
    "let_go": (),
    "reveal": ("p1",),
    "show": ("p1",),
    "star": ("Calm Otter",),
    "delete": (),
}


@pytest.mark.parametrize("act", ACTS)
def test_a_student_cannot_act_as_the_teacher(rooms, room, act):
    enter(rooms, room, STUDENT)
    opened(rooms, STUDENT)  # who leads another class is not this one's teacher
    for browser in (STUDENT, None, ""):
        with pytest.raises(ValueError, match="only the teacher"):
            getattr(rooms, act)(room, browser, *ACTS[act])
    assert rooms.of_teacher(room.code, TEACHER) == room and rooms.of_teacher(room.code, STUDENT) is None


def test_the_phrase_lets_the_teacher_in_from_another_browser(rooms):
    room, phrase = opened(rooms)
    with pytest.raises(ValueError, match="do not belong together"):
        rooms.recover(room.code, "calm otter " * 3 + "calm", "new", "me")
    assert rooms.recover(room.code, f" {phrase.upper()}  ", "new", "me") == room
    rooms.hold(room, "new", 2)
    assert rooms.of_teacher(room.code, "new").step == 2
    kept = b"".join(path.read_bytes() for path in rooms.path.parent.glob("classes.sqlite*"))
    assert phrase.encode() not in kept and phrase.split()[3] in FIRST + SECOND


def test_codes_cannot_be_found_by_trying(rooms, room, monkeypatch):
    for number in range(classrooms.WRONG_EACH):
        with pytest.raises(ValueError, match="no class with this code"):
            rooms.look_up(f"QQQQQ{2 + number % 8}", "thief")
    with pytest.raises(ValueError, match="too many codes"):
        rooms.look_up(room.code, "thief")  # even the right one
    with pytest.raises(ValueError, match="too many codes"):
        rooms.recover(room.code, "x", "thief", "thief")
    assert rooms.look_up(room.code, "student") == room
    monkeypatch.setattr(classrooms, "WRONG_ALL", classrooms.WRONG_EACH)
    with pytest.raises(ValueError, match="too many codes"):
        rooms.look_up("QQQQQQ", "another")
    assert rooms.by_link(room.code, room.ticket) == room  # whoever has the link comes in all the same
    assert rooms.by_link(room.code, "é" * 16) is rooms.by_link(room.code, "") is None and room.screen not in room.ticket
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + classrooms.SECONDS + 1)
    assert rooms.look_up(room.code, "thief") == room


def test_a_class_goes_after_thirty_days_or_at_a_click_with_all_that_was_answered(rooms, monkeypatch):
    one, two = opened(rooms)[0], opened(rooms)[0]
    token = rooms.join(one, None)
    rooms.answer(rooms.participant(one.code, token, None)[1], "p1", 1)
    rooms.answer(enter(rooms, two), "p1", 1)
    rooms.delete(two, TEACHER)
    assert [room.code for room in rooms.led_by(TEACHER)] == [one.code] and rooms.answers(two.id) == []
    with pytest.raises(ValueError, match="class is over"):
        rooms.join(two, None)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + classroom_queries.KEPT + 1)
    assert rooms.led_by(TEACHER) == [] and rooms.participant(one.code, token, None) is None
    with pytest.raises(ValueError, match="only the teacher"):
        rooms.hold(one, TEACHER, 2)
    assert rooms.purge() == 1
    with contextlib.closing(rooms._connect(rooms.path, 5)) as db:
        for table in ("classroom", "teacher", "participant", "answer", "revealed"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0, table


def test_everything_is_bounded(rooms, room, monkeypatch):
    me = enter(rooms, room)
    with pytest.raises(ValueError, match="30,000 characters"):
        rooms.answer(me, "p1", "x" * 30_001)
    for question in ("", "x" * 101):
        with pytest.raises(ValueError):
            rooms.answer(me, question, 1)
    with pytest.raises(ValueError):
        rooms.answer(me, "p1", float("nan"))
    monkeypatch.setattr(classrooms, "ANSWERS_EACH", 0)
    rooms.answer(me, "p1", 1)
    with pytest.raises(ValueError, match="more than 0 answers"):
        rooms.answer(me, "p2", 1)
    monkeypatch.setattr(classrooms, "PARTICIPANTS", 1)
    with pytest.raises(ValueError, match="class is full"):
        rooms.join(room, None)
    monkeypatch.setattr(classrooms, "CLASSES_EACH", 1)
    with pytest.raises(ValueError, match="can lead 1 classes"):
        opened(rooms)
    monkeypatch.setattr(classrooms, "CLASSES_ALL", 1)
    with pytest.raises(ValueError, match="room for 1 classes"):
        opened(rooms, STUDENT)
    with pytest.raises(ValueError, match="a class needs"):
        rooms.open_class(TEACHER, "x" * 301, 6, dataset="d", class_name="c")


def test_three_hundred_have_names_of_their_own():
    names = set()
    for _ in range(300):
        names.add(new_nickname(names))
    assert len(names) == 300 and len(set(FIRST)) == len(FIRST) and len(set(SECOND)) == len(SECOND)
    everything = {f"{one} {other}".title() for one in FIRST for other in SECOND}
    assert new_nickname(everything - {"Calm Otter"}) == "Calm Otter"


def test_answers_of_thirty_who_write_at_once_through_two_servers_are_all_there(rooms, room):
    """Two connections stand for two processes; each student answers three questions and changes one of them."""
    with Classrooms(rooms.path) as second:
        students = [enter(rooms, room) for _ in range(30)]

        def writes(place, who):
            server = (rooms, second)[place % 2]
            for question in range(3):
                assert server.answer(who, f"p{question}", [place, question])
            assert server.answer(who, "p0", [place, "changed"])

        threads = [threading.Thread(target=writes, args=pair) for pair in enumerate(students)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for server in (rooms, second):
            found = {(a.nickname, a.question): (a.guess, a.trials) for a in server.answers(room.id)}
            wanted = {}
            for place, who in enumerate(students):
                wanted |= {(who.nickname, f"p{question}"): ([place, question], 1) for question in (1, 2)}
                wanted[who.nickname, "p0"] = ([place, "changed"], 2)
            assert found == wanted


def test_no_answer_that_was_taken_is_lost_when_the_server_is_killed(rooms, room):
    token = rooms.join(room, None)
    taken = []
    for _ in range(2):
        begin = str(len(taken))
        command = [sys.executable, "-c", WRITER, str(rooms.path), room.code, token, begin]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for line in process.stdout:
            taken.append(int(line))
            if len(taken) % 20 == 0:
                os.kill(process.pid, signal.SIGKILL)
                break
        taken += map(int, process.stdout.read().split())  # what it had said before it died
        process.wait()
    found = [answer.guess for answer in rooms.answers_of(rooms.participant(room.code, token, None)[1])]
    assert len(taken) >= 40 and set(taken) <= set(found)
    assert len(found) <= len(set(taken)) + 2 and json.dumps(found)  # one more at most where a kill came before the word

"""A class on its pages: students guess, the teacher sees it and shows the answer, which nobody is sent before."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import APP, labelled, open_page, settled, texts
from tests.pages.test_lessons import OWN
from tests.waiting import PATIENCE

pytest.importorskip("markdown_it", reason="lessons are read with markdown-it-py: pip install -r requirements.txt")

PAGE = "learn_by_doing/classroom"


def browser(digest, **address):
    """A session of a browser of its own, on the class page."""
    test = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    test.session_state["_browser"] = digest * 32
    test.query_params["dataset"] = "synthetic"
    test.query_params.update(address)
    return open_page(settled(test.run()), PAGE)


@pytest.fixture
def own(monkeypatch, tmp_path):
    """A lesson with a point and a number in its first step and a choice in its second; a file of classes of its own."""
    (tmp_path / "data" / "lessons").mkdir(parents=True)
    (tmp_path / "data" / "lessons" / "own.md").write_text(OWN, encoding="utf-8")
    monkeypatch.setenv("LTW_DATA", str(tmp_path / "data"))
    from pages._ui.reader import rooms

    monkeypatch.setattr(rooms, "state_dir", lambda: tmp_path)


@pytest.fixture
def teacher(own):
    page = browser("t")
    labelled(page, "selectbox", "Lesson").set_value("own")
    page = settled(page.run().button(key="class_new").click().run())
    assert not page.exception and not page.error
    return page


def code_of(teacher):
    return teacher.query_params["code"]


def joined(teacher, digest="s", **address):
    page = browser(digest, code=code_of(teacher), **address)
    return settled(page.button(key="class_enter").click().run())


def guess_number(student, value):
    student.slider[0].set_value(value)
    student = student.run()
    return next(b for b in student.button if b.key and b.key.endswith("count-guess")).click().run()


def board(page, kind="ltw_tally"):
    """The data sent to the figures of guesses, without their identifiers, whose digits may contain any number."""
    return [e.proto.json for e in page.get("bidi_component") if kind in e.proto.component_name]


def test_guesses_come_in_and_the_answer_goes_out_when_the_teacher_shows_it(teacher):
    student, late = joined(teacher), joined(teacher, "l")
    screen = browser("x", code=code_of(teacher), screen=screen_key(teacher))
    assert not student.exception and "class " in texts(student) and "students joined" in screen.header[-1].value
    student = guess_number(student, 3.0)
    assert "Your guess is in" in texts(student) and "More than that" not in texts(student)
    assert labelled(student, "button", "Guess").disabled  # until another is chosen
    with pytest.raises(StopIteration):
        labelled(student, "button", "Show the answer")

    teacher = labelled(teacher, "button_group", "Question").set_value("count").run()
    assert "**1 guess**" in texts(teacher)
    assert "answer 280" in " ".join(board(teacher))  # only here: the synthetic class has 280
    teacher = labelled(teacher, "button", "Project this question").click().run()
    assert "On the big screen" in texts(teacher)
    screen = screen.run()
    assert "1 of 2" in texts(screen)
    for seen in (student, screen):
        assert "280" not in " ".join(board(seen)) and "There are" not in texts(seen)

    teacher = labelled(teacher, "button", "Show the answer to everyone").click().run()
    assert "Everyone sees the answer." in texts(teacher)
    student, screen, late = student.run(), screen.run(), late.run()
    for seen in (student, screen, late):
        assert "There are 280 of them." in texts(seen)
    assert "answer 280" in " ".join(board(screen))
    assert student.slider[0].disabled and late.slider[0].disabled  # nobody guesses any more
    assert "Too low.** Your guess: 3" in texts(student) and "How everyone guessed (1 guess)" in texts(student)
    assert "answer 280" in " ".join(board(student)) and "There are 280 of them." in texts(teacher)
    assert not any(page.exception for page in (teacher, student, screen, late))


def screen_key(teacher):
    from pages._ui.reader.rooms import rooms

    return rooms().of_teacher(code_of(teacher), "t" * 32).screen


def test_a_student_is_held_at_a_step_and_brought_to_the_next(teacher):
    student = joined(teacher)
    assert not {"Back", "Next"} & {button.label for button in student.button} and "The teacher leads" in texts(student)
    teacher = labelled(teacher, "button_group", "Step").set_value(2).run()
    assert "only you are looking at this one" in texts(teacher) and "Look." not in texts(student.run())
    teacher = labelled(teacher, "button", "Bring everyone here").click().run()
    student = student.run()
    assert "Look." in texts(student) and not student.exception
    (home,) = student.get("download_button")  # this is the last step
    assert home.label == "Take it home"
    assert {"Guesses as CSV", "Take the class home"} == {b.label for b in teacher.get("download_button")}
    student.radio[0].set_value(1)
    student = student.run()
    student = next(b for b in student.button if b.key and b.key.endswith("best-guess")).click().run()
    shown = " ".join(board(teacher.run()))
    assert "Mean" not in shown and '"value":"1"' in shown.replace("\\", "").replace(" ", "")
    labelled(teacher, "button", "Let everyone work alone").click().run()
    student = labelled(student.run(), "button", "Back").click().run()
    student = guess_number(student, 3.0)
    assert "More than that." in texts(student)
    student = labelled(student, "button", "Show the answer").click().run()
    assert "There are 280" in texts(student)
    teacher = labelled(teacher.run(), "button_group", "Step").set_value(1).run()
    assert "**1 guess**" in texts(labelled(teacher, "button_group", "Question").set_value("count").run())


def test_after_a_reload_a_student_is_where_they_were_with_what_they_guessed(teacher):
    student = guess_number(joined(teacher), 3.0)
    me, nickname = student.query_params["me"], student.caption[0].value
    for back in (
        browser("another", code=code_of(teacher), me=me[0] if isinstance(me, list) else me),  # by the address
        browser("s", code=code_of(teacher)),  # by the browser
    ):
        assert back.caption[0].value == nickname and "Your guess is in" in texts(back)
        assert back.slider[0].value == 3.0
    page = open_page(back, "workbench/workbench")
    (link,) = [e.proto for e in page.get("page_link") if "A teacher" in e.proto.label]
    assert code_of(teacher) in str(link)
    assert "Your guess is in" in texts(open_page(page, PAGE))


def test_what_a_class_works_on_does_not_change_the_reader_s_own_choice(teacher):
    """Both have chosen another class than the one that theirs was opened with; elsewhere they have it again."""
    chosen = lambda page: page.selectbox(key="class-synthetic").value  # noqa: E731
    own = {"class": "other"}
    student, leads = joined(teacher, **own), browser("t", code=code_of(teacher), **own)
    assert "You are **" in texts(student) and "your own view" in texts(leads)
    for page in (student, leads):
        assert chosen(page) == "relevant"
        assert chosen(open_page(page, "data/data")) == "other"
        assert chosen(open_page(page, PAGE)) == "relevant"


def test_after_a_class_on_another_dataset_the_reader_has_theirs_again(monkeypatch):
    from pages._ui.reader import selection

    state = {"_dataset": "pydocs", "class_of": {"pydocs": "scipy.stats"}, "_page": "Classroom"}
    monkeypatch.setattr(selection.st, "session_state", state)
    selection.borrow("synthetic", "relevant")
    state |= {"_dataset": "synthetic", "class_of": state["class_of"] | {"synthetic": "relevant"}}
    selection.borrow("synthetic", "relevant")  # each run of the class's page says so
    selection.on_page("Classroom")
    assert "dataset_next" not in state
    selection.on_page("Workbench")
    assert state["dataset_next"] == "pydocs" and state["class_of"]["pydocs"] == "scipy.stats"


def test_a_student_has_no_teachers_view_and_a_wrong_code_none_at_all(teacher):
    student = joined(teacher)
    assert not [b for b in student.button if b.label in ("Show the answer to everyone", "Bring everyone here")]
    stranger = browser("x", code=code_of(teacher), screen="0" * 16)
    assert "You take part under a made-up nickname" in texts(stranger) and not stranger.exception
    wrong = browser("y", code="<b>ABC</b>")
    assert "There is no class with this code" in texts(wrong) and not wrong.exception
    assert "code" not in wrong.query_params


def test_the_teacher_points_out_a_guess_exports_all_and_deletes_the_class(teacher):
    from ltw_core.lessons import Values
    from pages._ui import loading
    from pages._ui.learn_by_doing import class_teacher, lesson_files
    from pages._ui.reader.rooms import rooms

    guess_number(joined(teacher), 3.0)
    room = rooms().of_teacher(code_of(teacher), "t" * 32)
    me = rooms().participant(room.code, None, "s" * 32)[1]
    rooms().answer(me, "where", [0.2, 0.9])
    teacher = teacher.run()
    assert '"others":[[0.2,0.9]]' in " ".join(board(teacher, "ltw_guess")).replace(" ", "")
    teacher = labelled(teacher, "selectbox", "Highlight a guess").set_value(me.nickname).run()
    assert rooms().of_teacher(room.code, "t" * 32).starred == me.nickname and not teacher.exception
    lesson = lesson_files.find("own").lesson
    task = loading.task("synthetic", room.class_name)
    frame = class_teacher.frame(lesson, room, Values(lesson, task))
    assert list(frame["question"]) == ["count", "where"] and list(frame["guess"]) == ["3.0", "[0.2, 0.9]"]
    assert set(frame["nickname"]) == {me.nickname} and list(frame["step"]) == [1, 1]
    teacher = labelled(teacher, "button", "Delete it now").click().run()
    assert not teacher.exception and "Classes you lead" not in texts(teacher)
    assert rooms().answers(room.id) == []


def test_a_closed_class_says_so_to_students_and_on_the_big_screen(teacher):
    code, key = code_of(teacher), screen_key(teacher)
    student, screen = joined(teacher), browser("x", code=code, screen=key)
    me = student.query_params["me"]
    labelled(teacher, "button", "Delete it now").click().run()
    asleep = browser("z", code=code, me=me[0] if isinstance(me, list) else me)  # whose session ended meanwhile
    for page in (student.run(), screen.run(), asleep):
        assert "closed the class" in page.title[0].value and "no class with this code" not in texts(page)
    assert "Lead a class" not in texts(screen)  # no door is projected
    student = labelled(student, "button", "Another class").click().run()
    assert "code" not in student.query_params and "Lead a class" in [header.value for header in student.header]


def test_one_action_at_a_time_is_the_main_one(teacher):
    def main(page):
        kinds = {button.label: button.proto.type for button in page.button if button.key != "class_delete"}
        return [label for label, kind in kinds.items() if kind == "primary"]

    assert main(browser("n")) == ["Join"]
    assert {link.proto.type for link in teacher.get("link_button")} == {"secondary"}  # nor is the big screen one
    assert main(teacher) == ["Show the answer to everyone"]
    # what is projected is how to join, until the next question is shown
    for following, who in (("Next question", "Students see"), ("Next step", "Everyone sees")):
        teacher = labelled(teacher, "button", "Show the answer to everyone").click().run()
        assert main(teacher) == [following]
        assert f"{who} the answer." in texts(teacher)
        teacher = labelled(teacher, "button", following).click().run()
    assert labelled(teacher, "button_group", "Step").value == 2 and main(teacher) == ["Show the answer to everyone"]
    teacher = labelled(teacher, "button_group", "Step").set_value(1).run()
    assert main(teacher) == ["Bring everyone here"]
    teacher = labelled(teacher, "button", "Bring everyone here").click().run()
    ahead = labelled(teacher, "button_group", "Step").set_value(2).run()
    assert main(ahead) == ["Bring everyone here"]


def test_the_recovery_phrase_is_shown_once_and_lets_another_browser_lead(teacher):
    phrase = teacher.code[0].value
    assert len(set(phrase.split())) == 7
    teacher = labelled(teacher, "button", "I have it").click().run()
    assert "Write this down" not in texts(teacher)
    other = browser("o")
    other.text_input(key="class_recover_code").set_value(code_of(teacher))
    other.text_input(key="class_recover_phrase").set_value(phrase)
    other = settled(labelled(other, "button", "Lead it here").click().run())
    assert "your own view" in texts(other) and not other.exception


def test_the_qr_code_holds_the_link():
    import segno

    from pages._ui.learn_by_doing.class_teacher import qr

    link = "https://lab.example.org/class?code=ABC234"
    drawn = qr(link, "10rem")
    assert f"alt='QR code of {link}'" in drawn and segno.make(link, error="m").svg_data_uri(
        scale=6, border=4, dark="#000", light="#fff"
    ).replace("'", "&#x27;") in drawn.replace("&amp;", "&")


def test_sketched_surfaces_and_their_mean_are_scored_beside_formulas(app):
    """A slope along tpr and a flat surface; each result has an F1 with its interval."""
    import numpy as np

    from ltw_core.lessons import tally
    from ltw_core.lessons.lesson import Question, Text
    from ltw_core.weighting.formulas.spline import FINE
    from pages._ui import loading
    from pages._ui.learn_by_doing import class_scores
    from tests.waiting import wait_for

    task = loading.task("synthetic", app.selectbox(key="class-synthetic").value)
    question = Question("q", "surface", Text("", 1), 1, settings={"scale": "linear"})
    rising = np.tile(np.linspace(0, 1, FINE)[:, None], FINE)  # with tpr
    found = tally(question, [rising.ravel().tolist(), np.ones(FINE * FINE).tolist()])
    assert found.mean[0] == 0.5 and found.mean[-1] == 1.0
    made = class_scores.weightings(question, found, ["One", "Two"])
    made.pop("LTW-L-I")  # learning takes seconds
    wait_for(lambda: not class_scores.scored(task, made)[1], every=0.1)
    held, busy = class_scores.scored(task, made)
    assert list(held) == ["Mean of everyone’s", "χ²", "RF", "One", "Two"] and not busy
    assert held["One"].f1 != held["Two"].f1
    low, high = held["Two"].estimate.documents
    assert low <= held["Two"].f1 <= high

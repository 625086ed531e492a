"""Lessons on their page: guess, then see; the answer is not sent before; the way to the workbench and back."""

import base64
import re
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from tests.pages.conftest import figures, labelled, open_page, settled, texts

pytest.importorskip("markdown_it", reason="lessons are read with markdown-it-py: pip install -r requirements.txt")

from ltw_core.lessons import Figure, Question, Task
from pages._ui.learn_by_doing import lesson_files

PAGE = "learn_by_doing/learn_by_doing"
OWN = """---
title: A teacher's own
summary: On whatever corpus there is.
takeaway: Count first.
section: For a *Monday*
allow_skip: false
---

::: {.values}
- word = best_word 1
- other = common 1
- third = common 2
:::

## First

The class has {{positives}} documents.

::: {.figure name=map terms=@word after=where}
:::

::: {.predict #where kind=point scale=linear answer="place @word"}
Where?
:::

::: {.predict #count kind=number answer="positives" low=0 high=100000 step=1 close=1}
How many?
:::

::: {.hint for=count}
First hint.
:::

::: {.hint for=count}
Second hint.
:::

::: {.feedback for=count when=low}
More than that.
:::

::: {.reveal for=count scene="/functions?functions=CHI2&terms=@word"}
There are {{positives}} of them.
:::

::: {.reveal for=where}
There it is.
:::

## Second

::: {.do}
Move it.
:::

Look.

::: {.figure name=slices functions=CHI2 prevalence=free start=.01}
:::

::: {.predict #best kind=choice answer="best_word 1"}
Which?

- [ ] {{@other}}
- [ ] {{@word}}
- [ ] {{@third}}
:::

::: {.feedback for=best when=wrong}
Think again.
:::

::: {.reveal for=best}
Revealed.
:::
"""


@pytest.fixture
def own(monkeypatch, tmp_path):
    """A teacher's folder with one good lesson and one that cannot be read."""
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "7-own.md").write_text(OWN, encoding="utf-8")
    (tmp_path / "lessons" / "wrong.md").write_text("## Nothing\n", encoding="utf-8")
    monkeypatch.setenv("LTW_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def lesson(app, own):
    app.query_params["lesson"] = "own"
    return open_page(app, PAGE)


def canvas(page):
    """What is sent for a square to answer on."""
    return next(e.proto for e in page.get("bidi_component") if "ltw_guess" in e.proto.component_name)


PAINT = (
    OWN.split("## Second")[0].split(":::\n\n## First")[0]
    + """:::

## First

Paint.

::: {.figure name=weights}
:::

::: {.predict #hill kind=surface answer="surface tpr-fpr" low=-1}
Where is it high?
:::

::: {.reveal for=hill}
There.
:::
"""
)


def test_a_surface_is_painted_judged_by_its_shape_and_shown_beside_the_answer(app, own):
    from ltw_core.weighting.formulas.spline import LEVELS, knots

    (own / "lessons" / "8-paint.md").write_text(PAINT.replace("A teacher's own", "Paint"), encoding="utf-8")
    app.query_params["lesson"] = "paint"
    page = open_page(app, PAGE)
    assert not page.exception and not page.error and "the classifier says" in page.info[0].value
    assert page.button(key="lesson-paint-1-hill-guess").disabled and '"answer": null' in _sculpted(page)
    heights = [round(LEVELS * (tpr - fpr) / 2) for tpr in knots("linear") for fpr in knots("linear")]
    page.session_state["lesson-paint-1-hill-board"] = {"drawn": {"id": "hill", "heights": heights}}
    page = page.run()
    page = page.button(key="lesson-paint-1-hill-guess").click().run()
    assert not page.exception and "Close." in texts(page) and "There." in texts(page)
    assert '"answer": null' not in _sculpted(page)  # half as high, and the same shape


def _sculpted(page):
    return next(e.proto.json for e in page.get("bidi_component") if "ltw_sculpt" in e.proto.component_name)


def click(page, label):
    return labelled(page, "button", label).click().run()


def test_the_list_has_the_apps_lessons_and_a_teachers_and_says_what_is_wrong_with_a_file(app, own):
    page = open_page(app, PAGE)
    assert not page.exception and not page.error
    assert "A teacher's own" in texts(page) and "Two numbers of a term" in texts(page)
    headings = [each.value for each in page.header]
    assert headings[:2] == ["A term and its counts", "Formulas"] and "Lessons of this server" in headings
    assert [each.value for each in page.subheader] == [r"For a \*Monday\*"]
    assert "wrong.md" in texts(page) and "A lesson begins with a line" in texts(page)
    page = settled(page.button(key="open-own").click().run())
    assert page.title[0].value == "Lessons: A teacher's own"
    assert page.query_params["lesson"] == "own" and page.query_params["step"] == "1"


def test_a_lesson_of_the_app_begins_on_what_is_chosen_and_on_its_own_corpus_where_that_will_not_do(monkeypatch, app):
    from pages._ui.learn_by_doing import lesson_files

    shipped = next(entry.lesson for entry in lesson_files.entries() if not entry.own)
    assert shipped.corpus == "pydocs"
    page = open_page(app, "learn_by_doing/learn_by_doing")
    page = settled(page.button(key=f"open-{shipped.name}").click().run())
    assert not page.exception and page.session_state["_dataset"] == "synthetic"
    monkeypatch.setattr("pages._ui.learn_by_doing.list_view.LEAST", 10**6)
    del page.query_params["lesson"]
    page = page.run()
    second = [entry.lesson for entry in lesson_files.entries() if not entry.own][1]
    page = settled(page.button(key=f"open-{second.name}").click().run())
    assert not page.exception and page.session_state["_dataset"] == "pydocs"


def test_a_term_of_the_map_is_chosen_by_its_name_too(lesson):
    """What is done by a click on a point can be done by keys."""
    page = lesson
    page.session_state["_lessons"]["own"].done.append("where")
    page = page.run()
    (box,) = [b for b in page.selectbox if b.key.endswith("-term")]
    (named,) = texts(page).split("| **")[1:]  # the step's own
    term = next(t for t in box.options if not named.startswith(t))
    assert box.value is None
    page = box.select(term).run()
    assert not page.exception and f"| **{term}** | of the class" in texts(page)


def test_a_lesson_that_was_finished_says_so_and_is_offered_again(app, own):
    app.query_params.update({"lesson": "own", "step": "2", "done": "count.3~best.1"})
    page = open_page(app, PAGE)
    del page.query_params["lesson"]
    page = page.run()
    assert "done, 2 of 3 questions answered" in texts(page) and page.button(key="open-own").label == "Again"
    page = page.button(key="look-own").click().run()
    assert page.query_params["step"] == "2" and page.session_state["_lessons"]["own"].done == ["count", "best"]
    del page.query_params["lesson"]
    page = page.run().button(key="open-own").click().run()
    assert page.query_params["step"] == "1" and page.session_state["_lessons"]["own"].done == []


def test_the_next_lesson_begins_with_nothing_answered_though_its_questions_are_named_alike(monkeypatch, app, own):
    from pages._ui.learn_by_doing import lesson_files

    (own / "lessons" / "8-next.md").write_text(OWN, encoding="utf-8")
    monkeypatch.setattr(lesson_files, "SHIPPED", own / "lessons")
    app.query_params.update({"lesson": "own", "step": "2", "done": "best.1"})
    page = open_page(app, PAGE)
    page.session_state["terms"] = ["cat"]
    page = click(page, "Next lesson")
    assert page.session_state["terms"] == []  # nor are terms marked that were clicked in another lesson
    assert page.query_params["lesson"] == "next" and page.query_params["step"] == "1"
    assert "done" not in page.query_params and page.session_state["_lessons"]["next"].done == []
    assert page.session_state["_lessons"]["own"].done == ["best"]


def test_a_guess_is_counted_and_said_to_be_low_hints_come_one_by_one_and_then_the_answer(lesson):
    page, shown = lesson, texts(lesson)
    assert not page.exception and not page.error
    assert "There are" not in shown and "hint" not in shown.lower()
    assert labelled(page, "button", "Next").disabled  # this lesson lets nobody skip
    page = click(page, "Hint")
    assert "First hint" in texts(page) and "Second hint" not in texts(page)
    page = click(page, "Hint")
    assert "Second hint" in texts(page)
    (number,) = page.slider
    guess = lambda: next(b for b in page.button if b.key and b.key.endswith("count-guess"))  # noqa: E731
    assert guess().disabled  # nothing has been guessed
    number.set_value(3.0)
    page = page.run()
    page = guess().click().run()
    assert "More than that." in texts(page) and "There are" not in texts(page)
    page = click(page, "Show the answer")
    assert "There are" in texts(page) and "computed now from the documents of " in texts(page)
    assert "count.1" in page.query_params["done"]


def test_what_is_asked_of_a_figure_stands_below_it_on_a_phone():
    from pages._ui.learn_by_doing import lesson_files, step_view

    lesson = next(e.lesson for e in lesson_files.entries() if e.lesson and e.lesson.name == "five-formulas")
    step = lesson.steps[0]
    first = step_view._first_below(step)
    assert isinstance(step.parts[first], Question) and any(isinstance(part, Task) for part in step.parts[:first])
    for step in lesson.steps:  # a figure that comes with the answer, and a square to answer on, stand above it, too
        assert isinstance(step.parts[step_view._first_below(step)], Question)


def test_guesses_at_a_question_that_is_still_open_outlive_a_reload(app, own):
    """Else who reloads after a wrong guess is told at the end of fewer guesses than there were."""
    app.query_params.update({"lesson": "own", "step": "2", "done": "count.1~best.2.open~where.1.shut"})
    page = open_page(app, PAGE)
    kept = page.session_state["_lessons"]["own"]
    assert kept.done == ["count"] and kept.trials == {"count": 1, "best": 2}
    page.radio[0].set_value(0)
    page = click(page.run(), "Guess")
    assert page.query_params["done"] == "count.1~best.3.open"
    page = click(page, "Show the answer")
    assert "**Lesson done.** Count first. :small[2 of 3 questions answered, with 4 guesses.]" in texts(page)


def test_the_answer_of_a_square_is_sent_when_it_is_revealed_and_not_before(lesson):
    page = lesson
    before = str(canvas(page))
    assert '"answer":null' in before.replace(" ", "").replace("\\", "")
    assert not figures(page)  # neither does a figure show it
    page.session_state["_lessons"]["own"].done.append("where")
    page = page.run()
    assert '"answer":null' not in str(canvas(page)).replace(" ", "").replace("\\", "")
    assert figures(page) and "There it is." in texts(page)


def test_an_address_opens_a_step_with_what_was_answered(app, own):
    app.query_params.update({"lesson": "own", "step": "2", "done": "count.3~nothing.1~where.x"})
    page = open_page(app, PAGE)
    assert not page.exception and "Look." in texts(page)
    assert page.session_state["_lessons"]["own"].done == ["count"]
    assert page.query_params["done"] == "count.3"
    page = click(page, "Back")
    assert page.query_params["step"] == "1" and "There are" in texts(page)


@pytest.mark.parametrize("step", ["0", "99", "-1", "x", "²", "9" * 5000, "0002" + "9" * 5000])
def test_an_address_with_no_such_step_opens_the_first(app, own, step):
    app.query_params.update({"lesson": "own", "step": step})
    page = open_page(app, PAGE)
    assert not page.exception and page.query_params["step"] == "1"


@pytest.mark.parametrize(
    "kept", ["", "[1]", "{", '{"a": [1e999, 1, [], {}]}', '{"a": [1, 1, [], {"b": "²"}]}', '{"a": 1}', "[" * 19_000]
)
def test_what_a_browser_kept_and_cannot_be_is_left_alone(monkeypatch, kept):
    from pages._ui.learn_by_doing import progress

    state = {"lessons_kept": {"kept": kept}}
    monkeypatch.setattr(progress.st, "session_state", state)
    progress._take_up()
    assert progress.all_of_them() == {}
    state["lessons_kept"]["kept"] = '{"a": [2, 3, ["where"], {"where": 1}]}'
    progress._take_up()
    assert progress.all_of_them()["a"] == progress.LessonProgress(
        step=2, furthest=3, done=["where"], trials={"where": 1}
    )


def test_a_figure_follows_its_control_and_a_choice_its_computed_answer(app, own):
    app.query_params.update({"lesson": "own", "step": "2"})
    page = open_page(app, PAGE)
    before = figures(page)[0]["figure"]
    assert page.select_slider[0].value == 0.01 and "Pr(c) = 1%" in texts(page)
    page.select_slider[0].set_value(0.3)
    page = page.run()
    assert not page.exception and before
    page.radio[0].set_value(0)
    page = click(page.run(), "Guess")
    assert page.warning[0].value == "Not this one. Think again. Choose another."  # numbered from the second on
    assert next(b for b in page.button if b.label == "Guess").disabled  # until another one is chosen
    assert [option for option in page.radio[0].options if "✕" in option] == page.radio[0].options[:1]
    page.radio[0].set_value(1)
    page = click(page.run(), "Guess")
    assert "**Guess 2.** Right." in texts(page) and "Revealed." in texts(page)
    assert "1 of 3 questions answered, with 2 guesses." in texts(page)


@pytest.mark.parametrize(("options", "done"), [(2, ["a"]), (3, [])])
def test_of_two_options_a_wrong_one_leaves_nothing_to_guess(monkeypatch, options, done):
    from ltw_core.lessons.guesses import Verdict
    from pages._ui.learn_by_doing import question_view
    from pages._ui.learn_by_doing.progress import LessonProgress

    monkeypatch.setattr(question_view, "judge", lambda *_: Verdict("wrong", 1.0))
    values = SimpleNamespace(answer=lambda _: "", options=lambda _: [])
    question, found = SimpleNamespace(label="a", kind="choice", options=[None] * options), LessonProgress()
    question_view._take(question, values, found, 0)
    assert found.done == done and found.guesses == {"a": 0}


def test_words_that_a_question_names_are_marked_in_its_document_and_not_weighed(monkeypatch):
    from ltw_core.tasks import VectorizerOptions
    from pages._ui.documents import shaded_text

    sent = []
    monkeypatch.setattr(shaded_text, "_mount", lambda key, data, *_: sent.append(data["pieces"]))
    shaded_text.plain_document("PPF of a cdf, ppfs.", "key", "alt", ["ppf", "cdf"], VectorizerOptions())
    assert sent == [[["PPF", None], " of a ", ["cdf", None], ", ppfs."]]


def test_a_term_picked_in_another_step_says_nothing_here(monkeypatch):
    from pages._ui.learn_by_doing import lesson_figures

    frame = SimpleNamespace(key="step-2", task=SimpleNamespace(term_index={"corn": 0}))
    monkeypatch.setattr(lesson_figures.selection, "terms", lambda: ["corn", "of another class"])
    state = {lesson_figures.PICKED_IN: "step-1"}
    monkeypatch.setattr(lesson_figures.st, "session_state", state)
    assert lesson_figures._picked(frame) == []
    state[lesson_figures.PICKED_IN] = "step-2"
    assert lesson_figures._picked(frame) == ["corn"]


def test_other_pages_lead_back_to_the_step(lesson):
    page = open_page(lesson, "workbench/workbench")
    (link,) = [e.proto for e in page.get("page_link") if "A teacher" in e.proto.label]
    assert "lesson=own" in str(link) and "step=1" in str(link)


def test_a_lesson_that_is_not_there_is_said_to_be_missing(app):
    app.query_params["lesson"] = "<b>none</b>"
    page = open_page(app, PAGE)
    assert not page.exception and "There is no lesson of that name" in texts(page)


def test_what_a_browser_sends_as_a_guess_is_checked():
    from pages._ui.learn_by_doing.guess_canvas import POINTS, checked

    assert checked("point", [0.2, 3]) == [0.2, 1.0]
    for wrong in (None, "x", [1], [0.1, None], [0.1, "x"], [float("nan"), 0], [True, 0.5], {"a": 1}):
        assert checked("point", wrong) is None
    assert checked("sketch", [0.5] * POINTS) == [0.5] * POINTS and checked("sketch", [0.5] * 3) is None


def test_the_command_checks_the_shipped_lessons_and_says_what_is_wrong(own, capsys):
    from pages._ui.learn_by_doing.__main__ import main

    assert main(["check", str(own / "lessons" / "7-own.md")]) == 0
    assert main(["check"]) == 1
    said = capsys.readouterr().out
    assert "wrong.md:1: A lesson begins with a line ---" in said and "2 mistakes" in said


def test_the_readmes_lesson_is_one():
    from ltw_core.lessons import parse
    from pages._ui.learn_by_doing.vocabulary import vocabulary
    from tests.pages.conftest import APP

    readme = APP.with_name("README.md").read_text("utf-8")
    example = readme.split("```markdown\n")[1].split("```")[0]
    assert len(example.splitlines()) <= 22
    assert [question.label for question in parse(example, "x.md", vocabulary()).questions()] == ["p1"]


def test_each_lesson_of_the_app_has_a_picture_in_the_colours_of_either_theme_and_no_teachers_has(own):
    from pages._ui.learn_by_doing.still import still

    (own / "lessons" / "7-own.svg").write_text("<svg/>", encoding="utf-8")
    assert all(bool(entry.picture) != entry.own for entry in lesson_files.entries() if entry.lesson)
    for entry in (entry for entry in lesson_files.entries() if entry.picture):
        seen = [base64.b64decode(still(entry.picture, base).partition(",")[2]).decode() for base in ("light", "dark")]
        assert all(ElementTree.fromstring(one) is not None for one in seen) and seen[0] != seen[1]
        assert not re.search(r"(?:fill|stroke)=", entry.picture)  # a colour of its own would be lost in one of them


def test_each_shipped_lesson_has_five_to_eight_steps_with_a_figure_and_something_to_answer_or_do():
    from pages._ui.learn_by_doing import lesson_files

    lessons = [entry.lesson for entry in lesson_files.entries() if not entry.own]
    assert len(lessons) == 9 and all(lesson is not None and lesson.summary for lesson in lessons)
    for lesson in lessons:
        assert 5 <= len(lesson.steps) <= 8
        for step in lesson.steps:
            assert step.of(Question) or step.of(Task), (lesson.name, step.title)
        assert sum(bool(step.of(Figure)) for step in lesson.steps) >= len(lesson.steps) - 1


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/functions?functions=CHI2&view=Slices", ""),
        ("/data?section=Terms&terms=corn", ""),
        ("/train", ""),
        ("https://example.org/functions", "is an address of the app"),
        ("/nowhere", "no page /nowhere"),
        ("/functions?colour=red", "“colour”"),
    ],
)
def test_scenes_are_addresses_of_the_app(address, words):
    from pages._ui.learn_by_doing.vocabulary import wrong_scene

    said = wrong_scene(address)
    assert (words in said) if words else said == ""


def test_a_scene_asks_for_functions_as_addresses_name_them():
    from pages._ui.learn_by_doing.vocabulary import scene

    asked = [("functions", "χ²"), ("functions", "RF"), ("view", "Slices")]
    assert scene("/functions?functions=CHI2&functions=RF&view=Slices") == ("pages/workbench/workbench.py", asked)


def test_a_rate_in_a_table_of_counts_is_a_bar_of_its_length(app):
    from pages._ui import loading
    from pages._ui.learn_by_doing import counts_tables

    task = loading.task("synthetic", app.selectbox(key="class-synthetic").value)
    terms = [str(term) for term in task.terms[:3]]
    rates = [100 * float(rate) for pair in zip(task.tpr[:3], task.fpr[:3], strict=True) for rate in pair]
    for table, shown in (
        (counts_tables.of_one(task, terms[0]), rates[:2]),
        (counts_tables.of_several(task, terms), rates),
    ):
        bars = [float(width) for width in re.findall(r"width:([\d.]+)%", table)]
        assert bars == pytest.approx(shown, abs=0.05) and max(bars) > 0


def test_surfaces_stand_in_two_columns_and_the_first_of_five_above_the_others():
    from ltw_core.figures import PlaneView
    from pages._ui.learn_by_doing.lesson_figures import _beside, _narrow

    shapes = [_beside(PlaneView(0.1), panels) for panels in (1, 2, 3, 5)]
    assert [view.columns for view in shapes] == [1, 2, 2, 2]
    assert [view.hero for view in shapes] == [False, False, False, True]
    assert shapes[2].height >= 590 and all(view.height <= 670 for view in shapes)  # from beside the title to the foot
    shown = [_narrow(PlaneView(0.1, labels=labels), 4, 390).labels for labels in (0, 1, 2)]
    assert shown == [0, 1, 1]  # on a phone no more names, and none where the step's own are enough
    small = [_narrow(PlaneView(0.1, labels=2), panels, 390) for panels in (3, 4)]
    assert [(view.columns, view.labels) for view in small] == [(1, 2), (2, 1)]  # a small one has no room for more


def test_who_has_not_guessed_can_skip_and_who_has_goes_on(app):
    app.query_params["lesson"] = "what-should-a-word-weigh"
    page = open_page(app, PAGE)
    assert "Next" not in {button.label for button in page.button}
    page = click(page, "Skip")
    assert page.query_params["step"] == "2"
    page = click(page, "Back")
    page.radio[0].set_value(0)
    page = click(page.run(), "Guess")
    if "Show the answer" in {button.label for button in page.button}:  # it was not right
        page = click(page, "Show the answer")
    page = click(page, "Next")
    assert page.query_params["step"] == "2"


@pytest.mark.parametrize(("lesson", "stays"), [("what-should-a-word-weigh", True), ("tpr-and-fpr", False)])
def test_a_document_stays_beside_an_answer_about_words_in_it(app, lesson, stays):
    app.query_params.update({"lesson": lesson, "dataset": "synthetic", "class": "relevant"})
    page = open_page(app, PAGE)
    shown = lambda: any(one.value.startswith("A held-out document") for one in page.caption)  # noqa: E731
    assert shown()
    for option in page.radio[0].options:
        page.radio[0].set_value(page.radio[0].options.index(option))
        page = click(page.run(), "Guess")
        if "Next" in {button.label for button in page.button}:
            break
    assert "The answer:" in texts(page) and shown() == stays


def test_every_figure_that_a_lesson_can_name_is_drawn(app, own):
    from pages._ui.learn_by_doing import lesson_figures, vocabulary

    assert lesson_figures.FIGURES.keys() == vocabulary.FIGURES.keys()
    names = [
        *vocabulary.FIGURES,
        "sculpt test=true",
        "training example=true",
        "f1 interval=false",
        "f1 methods=TFRF more=asked",
        "weights fixed=true",
    ]
    steps = "\n\n".join(
        f"## Step\n\nLook.\n\n::: {{.figure name={name}}}\n:::\n\n::: {{.do}}\nTurn it.\n:::" for name in names
    )
    text = f"---\ntitle: All of them\nsummary: One a step.\n---\n\n{steps}\n"
    (own / "lessons" / "8-all.md").write_text(text, encoding="utf-8")
    app.query_params["lesson"] = "all"
    page = open_page(app, PAGE)
    for name in names:
        assert not page.exception and not page.error, name
        page = click(page, "Next") if name != names[-1] else page


def test_where_nothing_was_trained_the_shipped_run_shows_what_the_question_is_about(app):
    app.query_params.update({"lesson": "let-it-learn", "step": "4", "dataset": "synthetic", "class": "relevant"})
    page = open_page(app, PAGE)
    assert any("ships with the app" in one.value for one in page.caption)
    page.segmented_control(key="lesson-let-it-learn-4-figure-seed").set_value(1)
    page = page.run()
    assert not page.exception and not any("ships with the app" in one.value for one in page.caption)


def test_a_lesson_to_take_home_has_the_guesses_and_answers_and_what_was_not_revealed_stays_away(own):
    """No text is read as HTML, nothing is fetched, and plotly.js is there once, where a surface is to be turned."""
    from ltw_core.corpora import load
    from ltw_core.lessons import Values, parse
    from ltw_core.tasks import vectorize
    from pages._ui.guard import plain
    from pages._ui.learn_by_doing.progress import LessonProgress
    from pages._ui.learn_by_doing.take_home import POLICY, page

    task = vectorize(load("synthetic")).task("relevant")
    lesson = parse(OWN.replace("Revealed.", "So `<b>&</b>`."), "own.md")
    made = page(lesson, Values(lesson, task, plain), LessonProgress(guesses={"count": 3, "best": 1}, done=["best"]))
    assert POLICY in made and "src=" not in made and "Plotly" not in made  # nothing to be turned, nothing to fetch
    assert "Your guess: 3" in made and "<b>&</b>" not in made and "&lt;b&gt;&amp;&lt;/b&gt;" in made
    assert "There are" not in made and "1 of 3 questions answered" in made  # how many it is was not revealed
    painted = parse(PAINT, "paint.md")
    made = page(
        painted, Values(painted, task, plain), LessonProgress(guesses={"hill": [0.0] * 840 + [1.0]}, done=["hill"])
    )
    assert made.count("Plotly.newPlot(") >= 1 and "From the top: Your guess, The answer." in made and "There." in made
    assert made.count("plotly.js v") == 1 and "\nsvg {" not in made  # no rule of the page shrinks the figures' own


FILM = """---
title: A film
---

## First

Look.

::: {.figure name=training}
:::

::: {.predict #kept kind=number answer="learned_step 0" low=0 high=9000 step=100}
Which?
:::

::: {.reveal for=kept}
So.
:::

## Second

Look again.

::: {.figure name=training}
:::
"""


def test_the_training_is_taken_home_as_a_film_once_nothing_that_was_asked_is_given_away_by_it(monkeypatch):
    """One surface and the heights of every step that was kept, which are those that were learned there."""
    import base64
    import json
    from functools import partial

    import numpy as np

    from ltw_core import weighting
    from ltw_core.corpora import load
    from ltw_core.figures import term_grid
    from ltw_core.insight import canonical_form
    from ltw_core.lessons import Values, parse
    from ltw_core.tasks import vectorize
    from pages._ui.learn_by_doing import training_film
    from pages._ui.learn_by_doing.progress import LessonProgress
    from pages._ui.learn_by_doing.take_home import POLICY, page

    monkeypatch.setattr(weighting, "LearnedWeighting", partial(weighting.LearnedWeighting, max_steps=300))
    task = vectorize(load("synthetic")).task("relevant")
    lesson = parse(FILM, "film.md")
    values = Values(lesson, task)
    assert page(lesson, values, LessonProgress()).count("ltw-film") == 0  # it would show which step it is
    made = page(lesson, values, LessonProgress(done=["kept"]))
    assert made.count('id="ltw-film"') == 1 and made.count(POLICY) == 1
    shown = made[made.index('<div id="ltw-film"') :].split("</script><div")[0]
    assert len(shown) < 400_000 and "src=" not in shown
    data = json.loads("{" + shown.split("})({")[1].removesuffix(");"))
    taken = values.snapshots(0)
    assert [moment["step"] for moment in data["course"]] == [each.step for each in taken]
    assert data["course"][data["start"]]["step"] == values.weighting(0).best_step_
    heights = np.frombuffer(base64.b64decode(data["z"]), "<u2").reshape(len(taken), -1)
    grid = term_grid(task.statistics, region="terms", scale="log", size=training_film.SIZE)
    unit = (data["high"] - data["low"]) / 65535
    for seen, snapshot in zip(heights, taken, strict=True):
        learned = canonical_form(snapshot.cd, task.statistics, snapshot.surface).surface(grid.tpr, grid.fpr)
        expected = np.clip(learned.ravel(), data["low"], data["high"])
        np.testing.assert_allclose(data["low"] + unit * seen, expected, atol=unit)


def test_a_class_takes_home_all_guesses_without_names_and_the_answers_that_were_shown(own):
    from ltw_core.corpora import load
    from ltw_core.lessons import Values, parse
    from ltw_core.tasks import vectorize
    from pages._ui.guard import plain
    from pages._ui.learn_by_doing.take_home import POLICY, class_page

    task = vectorize(load("synthetic")).task("relevant")
    lesson = parse(OWN, "own.md")
    guesses = {"count": [100.0, 300.0], "where": [[0.1, 0.5], [0.2, 0.6]], "best": [1, 1, 0]}
    made = class_page(lesson, Values(lesson, task, plain), guesses, ["best"])
    assert POLICY in made and "src=" not in made and "7 guesses of a class" in made
    assert "2 guesses, from 100 to 300; their mean is 200." in made and "There are" not in made  # was not shown
    assert made.count("<circle") == 3 and "2 guesses are blue, their mean is dark." in made
    assert "Revealed." in made and "The answer: <strong>" in made and "<td" in made
    nobody = class_page(lesson, Values(lesson, task, plain), {}, [])
    assert "0 guesses of a class" in nobody and "Revealed." not in nobody


def test_the_marks_of_the_steps_tell_what_was_answered_from_what_was_only_seen():
    from pages._ui.learn_by_doing import lesson_files, progress

    lesson = lesson_files.find("let-it-learn").lesson
    shown = progress.marks(lesson, progress.LessonProgress(step=3, furthest=3, done=["what"]), here=True)
    assert re.findall(r'<i class="([^"]*)"', shown) == ["done", "seen", "seen here", "", "", ""]
    assert "1 of 6 steps done; seen, not answered: 2, 3" in shown


SHIPPED = [entry for entry in lesson_files.entries() if entry.lesson is not None and not entry.own]


@pytest.mark.parametrize("entry", SHIPPED, ids=lambda entry: entry.name)
def test_a_wrong_option_is_told_why_and_what_is_asked_about_comes_first(entry):
    for step in entry.lesson.steps:
        kinds = [type(part) for part in step.parts if not (isinstance(part, Figure) and "after" in part.settings)]
        figures = [part for part in step.parts if isinstance(part, Figure)]
        # how the reader's own training run ends is guessed before it is started, on a phone too
        own_run = any(figure.name == "training" and "example" not in figure.settings for figure in figures)
        if Figure in kinds and Question in kinds:
            asked, drawn = kinds.index(Question), kinds.index(Figure)
            guessed = own_run and Task not in kinds[drawn:asked]  # what was done is asked about after it
            assert (asked < drawn) == guessed, step.title.source
    for question in entry.lesson.questions():
        if question.kind == "choice" and not question.survey and "wrong" not in question.feedback:
            told = [option.feedback is not None for option in question.options if not option.right]
            assert told and all(told), question.label

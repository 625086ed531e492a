"""A lesson's file: what is read of it, and a sentence with its line for everything that can be wrong in one."""

import pytest

from ltw_core.lessons import Figure, LessonError, Question, Step, Task, Text, Vocabulary, parse, read_lesson

WHOLE = """---
title: Two numbers
summary: "What they say"
section: Counts
corpus: pydocs
progressive: false
---

Before the first step.

::: {.values}
- `word` = best_word 1
- other = common 1
:::

## A word, {{@word}}

It lies at {{tpr @word}}.

::: {.figure name=map terms=@word}
:::

::: {.do scene="/corpus?section=Terms"}
Click on it.

- a list in a text stays in it
:::

::: {.predict #p1 kind=choice}
Why?

- [x] Because
  > Yes.
- [ ] For no reason
:::

::: {.hint for=p1}
Think.
:::

::: {.hint for=p1}
Think again.
:::

::: {.reveal for=p1}
Because.
:::

::: {.predict #p2 kind=number answer="tpr @word" low=0 high=1 close=.05}
How often?
:::

::: {.feedback for=p2 when=high}
Too high.
:::

::: {.reveal for=p2 scene="/corpus"}
So often.
:::
"""
VOCABULARY = Vocabulary(
    figures={
        "map": {
            "terms": lambda v: "",
            "after": lambda v: "",
            "scale": lambda v: "" if v in ("log", "linear") else "no such scale.",
        }
    },
    scene=lambda address: "" if address.startswith("/corpus") else f"The app has no page {address}.",
)


def test_a_whole_lesson_is_read():
    lesson = parse(WHOLE, "two-numbers.md", VOCABULARY)
    assert (lesson.name, lesson.title, lesson.summary) == ("two-numbers", "Two numbers", "What they say")
    assert lesson.section == "Counts"
    assert not lesson.progressive and lesson.allow_skip
    assert [text.source for text in lesson.lead] == ["Before the first step."]
    assert list(lesson.values) == ["word", "other"] and lesson.values["word"].gives == "term"
    (step,) = lesson.steps
    assert step.title.source == "A word, {{@word}}"
    assert [type(part).__name__ for part in step.parts] == ["Text", "Figure", "Task", "Question", "Question"]
    choice, number = step.of(Question)
    assert [option.right for option in choice.options] == [True, False]
    assert choice.options[0].feedback.source == "Yes." and choice.options[1].feedback is None
    assert [hint.source for hint in choice.hints] == ["Think.", "Think again."]
    assert number.settings == {"low": 0, "high": 1, "close": 0.05} and number.answer.arguments == ("@word",)
    assert number.feedback["high"].source == "Too high." and number.reveal.scene == "/corpus"
    assert not choice.survey and not number.survey
    assert step.of(Task)[0].text.source == "Click on it.\n\n- a list in a text stays in it"


def test_a_figure_that_waits_for_an_answer_takes_the_place_of_the_other_once_it_is_there():
    at_once, waits = Figure("map", {}, 1), Figure("map", {"after": "p1"}, 2)
    for parts in ((at_once, waits), (waits, at_once)):
        step = Step(Text("One", 1), parts)
        assert step.figure([]) is at_once and step.figure(["p1"]) is waits
    assert Step(Text("One", 1), (waits,)).figure(["p2"]) is None


def test_a_survey_has_no_right_answer_and_needs_no_reveal():
    lesson = parse(step("::: {.predict #s kind=choice}\nWhich?\n\n- [ ] one\n- [ ] two\n:::"), "x.md")
    assert lesson.questions()[0].survey


def step(text: str) -> str:
    return f"---\ntitle: T\n---\n\n## Step\n\nWords.\n\n{text}\n"


CHOICE = "::: {.predict #p1 kind=choice}\nWhich?\n\n- [x] one\n- [ ] two\n:::\n\n::: {.reveal for=p1}\nOne.\n:::\n\n"
NUMBER = (
    '::: {.predict #p1 kind=number answer="documents" low=0 high=9}\nHow many?\n:::\n\n::: {.reveal for=p1}\nSo.\n:::\n'
)
MISTAKES = {  # what stands in a file, the line that is named, and words of the sentence
    "no front matter": ("## Step\n\nWords.\n", 1, "begins with a line ---"),
    "no title": ("---\nsummary: x\n---\n\n## S\n\nWords.\n", 1, "needs a title"),
    "no colon": ("---\ntitle: T\nhello\n---\n\n## S\n\nWords.\n", 3, "Write key: value"),
    "unknown key": ("---\ntitle: T\ncolour: red\n---\n\n## S\n\nWords.\n", 3, "There is no “colour”"),
    "key twice": ("---\ntitle: T\ntitle: U\n---\n\n## S\n\nWords.\n", 3, "given twice"),
    "no flag": ("---\ntitle: T\nprogressive: maybe\n---\n\n## S\n\nWords.\n", 3, "true or false"),
    "unknown corpus": ("---\ntitle: T\ncorpus: brown\n---\n\n## S\n\nWords.\n", 3, "no corpus “brown”"),
    "no step": ("---\ntitle: T\n---\n\nWords.\n", 1, "There is no step"),
    "another heading": (step("# Big"), 9, "begins with ##"),
    "empty step": ("---\ntitle: T\n---\n\n## S\n", 5, "says nothing"),
    "block before a step": ("---\ntitle: T\n---\n\n::: {.do}\nAct.\n:::\n\n## S\n\nWords.\n", 5, "belongs in a step"),
    "unreadable head": (step("::: predict\nWhich?\n:::"), 9, "A block begins as in"),
    "attribute without value": (step("::: {.do scene}\nAct.\n:::"), 9, "A block begins as in"),
    "attribute twice": (step('::: {.do scene="/corpus" scene="/corpus"}\nAct.\n:::'), 9, "given twice"),
    "unknown block": (step("::: {.note}\nWords.\n:::"), 9, "There is no block .note"),
    "unknown attribute": (step("::: {.do colour=red}\nAct.\n:::"), 9, "no attribute “colour”"),
    "not closed": (step("::: {.do}\nAct."), 9, "not closed"),
    "closes nothing": (step("Words.\n\n:::"), 11, "closes a block that was not opened"),
    "block in a block": (step(":::: {.do}\nAct.\n\n::: {.hint for=p1}\nx\n:::\n\n::::"), 12, "cannot stand in another"),
    "says nothing": (step("::: {.do}\n:::"), 9, "says nothing"),
    "html block": (step("<script>alert(1)</script>"), 9, "HTML"),
    "html in a line": (step("a <b>word</b>"), 9, "HTML such as <b>"),
    "picture": (step("![x](https://example.org/x.png)"), 9, "A picture cannot stand"),
    "a link to elsewhere": (step("[x](http://example.org)"), 9, "A link must begin"),
    "two figures that wait": (
        step(
            "::: {.figure name=map after=p1}\n:::\n\n::: {.figure name=map after=p1}\n:::\n\n"
            "::: {.predict #p1 kind=choice}\nWhich?\n\n- [x] A\n- [ ] B\n:::\n\n::: {.reveal for=p1}\nA.\n:::"
        ),
        12,
        "one that waits",
    ),
    "two figures": (step("::: {.figure name=map}\n:::\n\n::: {.figure name=map}\n:::"), 12, "one figure"),
    "two things to do": (step("::: {.do}\nAct.\n:::\n\n::: {.do}\nAct.\n:::"), 5, "one thing to do"),
    "figure without a name": (step("::: {.figure}\n:::"), 9, "called by name"),
    "unknown figure": (step("::: {.figure name=pie}\n:::"), 9, "no figure “pie”; it has map"),
    "unknown setting": (
        step("::: {.figure name=map size=3}\n:::"),
        9,
        "no setting “size”; it takes after, scale, terms",
    ),
    "wrong setting": (step("::: {.figure name=map scale=cubic}\n:::"), 9, "no such scale"),
    "figure of nothing": (step("::: {.figure name=map terms=@x}\n:::"), 9, "names @x, which is not defined"),
    "after nothing": (step("::: {.figure name=map after=p9}\n:::"), 9, "names no question"),
    "unknown scene": (step('::: {.do scene="/nowhere"}\nAct.\n:::'), 9, "no page /nowhere"),
    "no label": (step("::: {.predict kind=choice}\nWhich?\n\n- [ ] one\n- [ ] two\n:::"), 9, "needs a label"),
    "label twice": (step(CHOICE + CHOICE.split("\n\n::: {.rev")[0]), 20, "taken by the question of line 9"),
    "unknown kind": (step("::: {.predict #p1 kind=guess}\nWhich?\n:::"), 9, "kind must be one of"),
    "one option": (step("::: {.predict #p1 kind=choice}\nWhich?\n\n- [ ] one\n:::"), 9, "two options or more"),
    "option without a box": (
        step("::: {.predict #p1 kind=choice}\nWhich?\n\n- one\n- [ ] two\n:::"),
        12,
        "begins with",
    ),
    "two right options": (step(CHOICE.replace("[ ]", "[x]")), 9, "Only one option"),
    "marked and computed": (step(CHOICE.replace("=choice", '=choice answer="common 1"')), 9, "take the x out"),
    "options of a number": (step(NUMBER.replace("many?", "many?\n\n- [ ] one")), 9, "has no list of options"),
    "no answer": (step(NUMBER.replace('answer="documents" ', "")), 9, "needs an answer="),
    "unknown measure": (step(NUMBER.replace('"documents"', '"books"')), 9, "There is no measure “books”"),
    "too many arguments": (step(NUMBER.replace('"documents"', '"documents 3"')), 9, "takes nothing"),
    "too few arguments": (step(NUMBER.replace('"documents"', "tpr")), 9, "takes a term"),
    "an argument that cannot be": (step(NUMBER.replace('"documents"', '"crowd 2 .1"')), 9, "“2” cannot be the rate"),
    "an unknown function": (step("{{weight CHI3 word}}"), 9, "“CHI3” cannot be the cd"),
    "a value that is not defined": (step("In {{@word}}."), 9, "@word is not defined"),
    "an answer of the wrong kind": (step(NUMBER.replace('"documents"', '"common 1"')), 9, "“common” gives a term"),
    "no limits": (step(NUMBER.replace(" low=0 high=9", "")), 9, "needs low= and high="),
    "limits the wrong way": (step(NUMBER.replace("low=0", "low=10")), 9, "low= must lie below high="),
    "a limit in words": (step(NUMBER.replace("low=0", "low=few")), 9, "low must be a number"),
    "a sketch that is judged nowhere": (
        step('::: {.predict #p kind=sketch answer="slice CHI2 tpr .2" to=0}\nDraw.\n:::'),
        9,
        "to is a rate above 0 and up to 1, not 0",
    ),
    "a surface that is judged elsewhere": (
        step('::: {.predict #p kind=surface answer="surface RF" over=dots}\nPaint.\n:::'),
        9,
        "over is square or terms, not “dots”",
    ),
    "an unknown scale": (
        step('::: {.predict #p kind=point scale=cubic answer="place x"}\nWhere?\n:::'),
        9,
        "log or linear",
    ),
    "nothing revealed": (step(CHOICE.split("::: {.rev")[0]), 9, "Nothing is revealed for p1"),
    "revealed twice": (step(CHOICE + "::: {.reveal for=p1}\nOne.\n:::"), 20, "revealed twice"),
    "for nothing": (step("::: {.hint}\nThink.\n:::"), 9, "says whose it is"),
    "for an unknown question": (step("::: {.hint for=p9}\nThink.\n:::"), 9, "no question “p9”"),
    "an unknown verdict": (step(NUMBER + "\n::: {.feedback for=p1 when=far}\nFar.\n:::"), 17, "close, high, low"),
    "braces that stay open": (step("In {{tpr x."), 9, "not closed"),
    "a value that is none": (step("::: {.values}\n- word\n:::"), 10, "A value is written as"),
    "a value twice": (step("::: {.values}\n- a = common 1\n- a = common 2\n:::"), 11, "defined twice"),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_each_kind_of_mistake_gets_a_sentence_with_its_line(kind):
    source, line, words = MISTAKES[kind]
    with pytest.raises(LessonError) as caught:
        parse(source, "own.md", VOCABULARY)
    said = [mistake for mistake in caught.value.mistakes if words in mistake.sentence]
    assert [mistake.line for mistake in said] == [line], caught.value
    assert said[0].sentence.endswith(".") and "\n" not in said[0].sentence
    assert f"own.md:{line}: {said[0].sentence}" in str(caught.value)


TWENTY = (
    "another heading", "unreadable head", "attribute twice", "unknown block", "unknown attribute", "says nothing",
    "html block", "html in a line", "picture", "a link to elsewhere", "figure without a name", "unknown figure",
    "unknown setting", "wrong setting", "unknown scene", "no label", "unknown kind", "one option", "no answer",
    "unknown measure", "limits the wrong way", "for nothing", "an unknown function", "a value that is none",
)  # fmt: skip


def test_a_file_with_twenty_kinds_of_mistakes_gets_a_sentence_for_each_at_once():
    begun = step("").rstrip() + "\n\n"
    parts = [MISTAKES[kind][0].removeprefix(begun).replace("p1", f"q{i}") for i, kind in enumerate(TWENTY)]
    with pytest.raises(LessonError) as caught:
        parse(begun + "\n\n".join(parts), "own.md", VOCABULARY)
    sentences = {mistake.sentence for mistake in caught.value.mistakes}
    assert [kind for kind in TWENTY if not any(MISTAKES[kind][2] in said for said in sentences)] == []
    assert len(sentences) >= len(TWENTY) > 20
    lines = [mistake.line for mistake in caught.value.mistakes]
    assert lines == sorted(lines) and len(set(lines)) >= 20


def test_files_that_are_no_texts_are_refused_in_a_sentence(tmp_path):
    (tmp_path / "own.md").write_bytes(b"---\ntitle: \xff\n---\n")
    with pytest.raises(LessonError, match=r"own\.md:2: This is not UTF-8"):
        read_lesson(tmp_path / "own.md")
    (tmp_path / "large.md").write_bytes(b"x" * 200_001)
    with pytest.raises(LessonError, match=r"large\.md:1: A lesson has at most 200 kB"):
        read_lesson(tmp_path / "large.md")
    with pytest.raises(LessonError, match=r"none\.md:1: This file cannot be read"):
        read_lesson(tmp_path / "none.md")


def test_texts_keep_their_markdown():
    lesson = parse(step("*One* [page](/corpus), `code` and $x^2$.\n\n> A quotation\n\n1. one\n2. two"), "x.md")
    assert [text.source for text in lesson.steps[0].of(Text)] == [
        "Words.",
        "*One* [page](/corpus), `code` and $x^2$.",
        "> A quotation",
        "1. one\n2. two",
    ]

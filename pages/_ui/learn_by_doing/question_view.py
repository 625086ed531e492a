"""A question: how one answers, hints one by one, and the answer, which is computed when it is revealed, not before."""

import hashlib
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.lessons import MEASURES, Question, Values, judge
from ltw_core.lessons.guesses import reason, relief
from ltw_core.lessons.values import said
from ltw_core.weighting.formulas.spline import FINE
from pages._ui import words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.learn_by_doing import guess_canvas
from pages._ui.learn_by_doing.progress import LessonProgress
from pages._ui.plots import board

CANVAS = ("point", "sketch", "surface")
HERE = "lesson-asked"  # to which the foot of the window leads
WORDS = {  # where a lesson has no sentence of its own
    "right": "Right.",
    "wrong": "Not this one.",
    "close": "Close.",
    "high": "Too high.",
    "low": "Too low.",
    "far": "Not near yet.",
}


def ask(question: Question, values: Values, progress: LessonProgress, key: str, side: Any) -> None:
    """Draw a question; ``side`` is where a square to answer on stands."""
    label, done = question.label, question.label in progress.done
    with st.container(border=True, key=f"{key}-box"):
        st.markdown(values.text(question.text.source))
        if not done:
            st.html(f'<i id="{HERE}"></i>')
        guess = _guess(question, values, progress, key, side)
        if not done:
            _buttons(question, values, progress, key, guess)
        _trial(question, values, progress)
        for place, hint in enumerate(question.hints[: progress.hints.get(label, 0)], 1):
            st.info(f"Hint {place}: {values.text(hint.source)}", icon=":material/lightbulb:")
        if done and question.reveal is not None:
            _answer(question, values, progress)


def _guess(question: Question, values: Values, progress: LessonProgress, key: str, side: Any) -> Any:
    """The guess as it stands on its control; None as long as there is none."""
    made, done = progress.guesses.get(question.label), question.label in progress.done
    if question.kind == "surface":
        with side:
            return _surface(question, values, key, made, done)
    if question.kind in CANVAS:
        with side:
            answer = values.answer(question) if done else None
            name = " ".join(question.answer.arguments[:1]) if done and question.kind == "point" else ""
            name = values.text(f"{{{{{name}}}}}") if name.startswith("@") else name
            return guess_canvas.canvas(question, f"{key}-canvas", made, answer, name.replace("\\", ""))
    if question.kind == "number":
        return _number(question, key, made, done)
    options, shown = values.options(question), [values.text(option.text.source) for option in question.options]
    if question.kind == "choice":
        if not question.survey and (done or (made is not None and not _together(progress))):
            shown = [_marked(s, _wrong(question, values, k), done, k == made) for k, s in enumerate(shown)]
        return control(
            st.radio,
            f"{key}-radio",
            range(len(shown)),
            like="lesson_opinion" if question.survey else "lesson_choice",
            index=made,
            format_func=shown.__getitem__,
            disabled=done,
        )
    found = control(
        st.multiselect,
        f"{key}-order",
        range(len(shown)),
        like="lesson_order",
        default=made or [],
        format_func=options.__getitem__,
        disabled=done,
        placeholder="The first, then the second, …",
    )
    return found if len(found) == len(shown) else None


def _surface(question: Question, values: Values, key: str, made: Any, done: bool) -> Any:
    """A board to paint on; revealed: the guess and the answer beside each other."""
    if done:
        surface(question, values, key, made, values.answer(question), "Your guess")
        return made
    empty = np.zeros((FINE, FINE))
    heights = _board(question, values, empty).show(f"{key}-board")
    return heights.ravel().tolist() if np.ptp(heights) else None


def surface(question: Question, values: Values, key: str, guess: Any, answer: Any, title: str) -> None:
    """A surface that was painted, and the answer beside it where it may be seen; neither can be changed."""
    none = guess is None
    heights = np.zeros((FINE, FINE)) if none else np.array(guess).reshape(FINE, FINE)
    beside = None if answer is None else relief(answer, question)
    shown = _board(question, values, heights)
    titles = ("No guess yet" if none else title, "The answer")
    number = hashlib.blake2b(heights.tobytes(), digest_size=8).hexdigest()
    replace(shown, answer=beside, titles=titles, start_id=number, fixed=True, most=360).show(f"{key}-shown")


def _board(question: Question, values: Values, start: np.ndarray) -> board.Board:
    settings = question.settings
    low = -1 if settings.get("low", 0.0) < 0 else 0
    terms = values.task.statistics
    return board.Board(start, question.label, settings.get("scale", "linear"), low, terms=terms, most=460)


def _number(question: Question, key: str, made: Any, done: bool) -> float | None:
    """A number on a slider; none before it was moved."""
    settings = question.settings
    low, high = settings["low"], settings["high"]
    step = settings.get("step", (high - low) / 100)
    share = question.answer.gives == "share"
    factor = 100 if share else 1
    whole = (step * factor) % 1 == 0 and (low * factor) % 1 == 0
    form = ("%d" if whole else "%.3g") + (settings.get("unit", "%%" if share else ""))
    if share:
        form = form.replace("%%", "") + "%%" if not form.endswith("%%") else form
    form = "localized" if form == "%d" else form  # thousands with a comma
    start = made if made is not None else low
    ends = (low * factor, high * factor, start * factor, step * factor)
    moved = f"{key}-moved"
    if f"{key}-number" not in st.session_state:  # it is shown anew
        st.session_state.pop(moved, None)
    options = {"format": form, "disabled": done, "on_change": st.session_state.__setitem__, "args": (moved, True)}
    found = control(st.slider, f"{key}-number", *map(float, ends), like="lesson_number", **options)
    return found / factor if made is not None or st.session_state.get(moved) else None


def _buttons(question: Question, values: Values, progress: LessonProgress, key: str, guess: Any) -> None:
    label, trials = question.label, progress.trials.get(question.label, 0)
    left = len(question.hints) - progress.hints.get(label, 0)
    with st.container(horizontal=True, gap="small"):
        # what its tooltip says would lie over the last option
        look = {"help": "", "type": "primary", "on_click": _take, "args": (question, values, progress, guess)}
        like = "lesson_answer" if question.survey else "lesson_guess"
        # of a wrong one there is no more to say, and one that is in is in
        said = _together(progress) or (question.kind == "choice" and _wrong(question, values, guess))
        same = said and guess == progress.guesses.get(label)
        control(st.button, f"{key}-guess", like=like, disabled=guess is None or same, **look)
        if left:
            about = {"on_click": _hint, "args": (progress, label), "icon": ":material/lightbulb:"}
            control(st.button, f"{key}-hint", like="lesson_hint", **about)
        if trials and not question.survey and not _together(progress):
            control(st.button, f"{key}-reveal", like="lesson_reveal", on_click=_reveal, args=(progress, label))
    if question.kind == "number" and guess is None:
        st.caption("Move the slider to your guess.")
    elif question.kind in CANVAS and guess is None:
        hand, keys = guess_canvas.HOW.get(question.kind, (board.HAND, board.KEYS))
        with st.container(key=f"{key}-how-{question.kind}"):  # a phone's empty square says it: see style.css
            st.caption(hand, help=f"{keys} Enter leads to *Guess*.", width="content")


def _wrong(question: Question, values: Values, guess: Any) -> bool:
    """Whether there is a right answer, and it is another one."""
    if question.survey or guess is None:
        return False
    verdict = judge(question, guess, values.answer(question), values.options(question))
    return verdict is not None and not verdict.reached


def _marked(option: str, wrong: bool, done: bool, made: bool) -> str:
    """An option: the right ones are seen once the answer is, a wrong one, until then struck, where it was chosen."""
    if wrong and made:
        return f"{option if done else f'~~{option}~~'}\u2002:gray[✕]"
    return f"{option}\u2002:green[✓]" if done and not wrong else option


def _together(progress: LessonProgress) -> bool:
    """Whether a class sees the answers together, when its teacher shows them."""
    return progress.seat is not None and progress.seat.together


def _take(question: Question, values: Values, progress: LessonProgress, guess: Any) -> None:
    """A guess was made: it is counted; one that is near, has no right answer or leaves nothing to guess reveals.
    A callback."""
    label = question.label
    if progress.seat is not None and not progress.seat.take(question, guess):
        return
    progress.guesses[label] = guess
    progress.trials[label] = progress.trials.get(label, 0) + 1
    if _together(progress):
        return
    try:
        verdict = judge(question, guess, values.answer(question), values.options(question))
    except ValueError:  # what cannot be computed here is said when it is revealed
        verdict = None
    left = len(question.options) != 2 or question.kind != "choice"  # of two, the other one is the answer
    if verdict is None or verdict.reached or not left:
        _reveal(progress, label)


def _hint(progress: LessonProgress, label: str) -> None:
    progress.hints[label] = progress.hints.get(label, 0) + 1


def _reveal(progress: LessonProgress, label: str) -> None:
    if label not in progress.done:
        progress.done.append(label)
        if progress.seat is not None:
            progress.seat.reveal(label)


def _trial(question: Question, values: Values, progress: LessonProgress) -> None:
    """What there is to say of the guess that was made last."""
    guess, trials = progress.guesses.get(question.label), progress.trials.get(question.label, 0)
    if guess is not None and _together(progress) and question.label not in progress.done:
        st.success(
            "Your guess is in. You can change it until your teacher shows the answer.", icon=":material/how_to_reg:"
        )
        return
    if guess is None and progress.seat is not None and question.label in progress.done:
        st.caption("The answer was shown before you guessed.")
    if guess is None:
        return
    if question.survey:
        if question.kind == "choice" and (own := question.options[guess].feedback) is not None:
            st.markdown(values.text(own.source))
        return
    answer = values.answer(question)
    verdict = judge(question, guess, answer, values.options(question))
    if question.label in progress.done and not verdict.reached:
        if (own := _told(question, values, guess)) and (question.kind == "choice" or _together(progress)):
            st.warning(f"**{WORDS[verdict.name]}** Your guess: {own.removesuffix('.')}.", icon=":material/close:")
        else:  # how to come nearer is no help any more
            st.caption(f"Shown after {words.count(trials, 'guess', 'guesses')}.")
        return
    own = question.options[guess].feedback if question.kind == "choice" else question.feedback.get(verdict.name)
    own = own or question.feedback.get(verdict.name)
    text = values.text(own.source) if own is not None else WORDS[verdict.name]
    if verdict.name == "wrong":  # a sentence on what was chosen need not say so
        text = f"{WORDS['wrong']} {text} Choose another." if own is not None else f"{text} Choose another."
    elif not verdict.reached:
        text = f"{text} {reason(question, guess, answer)}"
    text = f"**Guess {trials}.** {text}" if trials > 1 else text
    (st.success if verdict.reached else st.warning)(
        text, icon=":material/check:" if verdict.reached else ":material/refresh:"
    )


def _told(question: Question, values: Values, guess: Any) -> str:
    """A guess in words; "" of one that is drawn."""
    if question.kind == "choice":
        return values.text(question.options[guess].text.source)
    if question.kind == "order":
        return ", ".join(values.text(question.options[place].text.source) for place in guess)
    if question.kind == "number":
        return said(round(guess) if question.answer.gives == "count" else guess, question.answer.gives, plain)
    return ""


def _answer(question: Question, values: Values, progress: LessonProgress) -> None:
    """The answer, and what is said of it."""
    if question.answer is not None and question.kind not in ("sketch", "surface"):
        found = said(values.answer(question), question.answer.gives, plain)
        here = f"the documents of {plain(values.task.class_title)}"
        source = here if MEASURES[question.answer.measure].of_class else "the numbers in the question"
        st.markdown(f"The answer: **{found}**, computed now from {source}.")
    elif question.kind == "choice" and not question.survey:
        right = next(option for option in question.options if option.right)
        st.markdown(f"The answer: **{values.text(right.text.source)}**")
    st.markdown(values.text(question.reveal.text.source))

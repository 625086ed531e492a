"""A lesson to take home: one page that opens from a disk, with one's own guesses, the answers, surfaces that turn, and
the training as a film; or a class's, with the guesses of all.

plotly.js is in it once, and a policy in its head forbids every request. Answers stand there for what was revealed
alone. Left out: figures other than surfaces and the training.
"""

import html
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from ltw_core import figures
from ltw_core.figures import PlaneView, surface_grid
from ltw_core.lessons import MEASURES, Figure, Lesson, Question, Task, Text, Values, tally
from ltw_core.lessons.guesses import position, relief
from ltw_core.lessons.values import LEARNED, said
from ltw_core.tasks import TermStatistics
from ltw_core.weighting import cd_function, display
from ltw_core.weighting.formulas.spline import FINE, spline
from pages._ui.guard import plain
from pages._ui.learn_by_doing import training_film
from pages._ui.workbench.function_surfaces import Setting, panels

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:"
CSS = """body { font: 17px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: #1f2328; }
h1, h2 { line-height: 1.2; } section { margin-top: 2.5rem; } table { border-collapse: collapse; }
td, th { padding: .2rem .7rem; border: 1px solid #d0ccc4; }
.question { border: 1px solid #d0ccc4; border-radius: .5rem; padding: .4rem 1.1rem; margin: 1rem 0; }
.own { border-left: 4px solid #51575f; padding-left: .7rem; }
.answer { border-left: 4px solid #c2410c; padding-left: .7rem; }
.question > svg { width: 100%; max-width: 26rem; } .turning { max-width: 36rem; }
.film { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; } .film input { flex: 1 1 10rem; }
.film button { font: inherit; min-width: 7rem; } .film output { flex: 1 1 100%; font-variant-numeric: tabular-nums; }
footer { margin-top: 3rem; font-size: .85rem; color: #57606a; }"""
OF_TRAINING = {name for name in MEASURES if name.startswith("learned_")}  # measures that a film gives away
WIDTH, HEIGHT = 420, 300  # of a drawing, in its own units


def page(lesson: Lesson, values: Values, found: Any) -> str:
    """The whole file; ``found`` is the reader's ``LessonProgress``."""
    asked = lesson.questions()
    done = sum(question.label in found.done for question in asked)
    own = lambda question: _question(question, values, found)  # noqa: E731
    return _whole(lesson, values, found.done, own, f"{done} of {len(asked)} questions answered.")


def class_page(lesson: Lesson, values: Values, guesses: Mapping[str, list], shown: Collection[str]) -> str:
    """The same of a class: all guesses by question, without names; answers of what was ``shown``."""
    of_all = lambda question: _question_of_all(question, values, guesses.get(question.label, []), shown)  # noqa: E731
    count = sum(map(len, guesses.values()))
    return _whole(lesson, values, shown, of_all, f"{count:,} guesses of a class, without names.")


def _whole(lesson: Lesson, values: Values, done: Collection[str], asked: Callable[[Question], str], told: str) -> str:
    from plotly.offline import get_plotlyjs

    filmed = _filmed(lesson, done)
    steps = "\n".join(_step(step, values, done, asked, filmed) for step in lesson.steps)
    title, task = html.escape(lesson.title), values.task
    drawn = "plotly-graph-div" in steps
    return (
        f'<!DOCTYPE html><html lang="{html.escape(lesson.language or "en")}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title>'
        f"<style>{CSS}</style>{f'<script>{get_plotlyjs()}</script>' if drawn else ''}</head><body>"
        f"<h1>{title}</h1>{_text(lesson.lead, values)}{steps}"
        f"<footer>From LTW Lab: computed on {html.escape(task.vectorized.corpus.title)}, class "
        f"{html.escape(task.class_title)}, {task.n_documents:,} training documents, Pr(c) = "
        f"{100 * task.prevalence:.3g}%, {len(task.terms):,} terms, content {html.escape(task.fingerprint[:16])}. "
        f"{told} This page asks nothing of any network.</footer></body></html>"
    )


def _markdown(source: str) -> str:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table").render(source)


def _text(texts: Any, values: Values) -> str:
    return "".join(_markdown(values.text(text.source)) for text in texts)


def _filmed(lesson: Lesson, done: Collection[str]) -> Figure | None:
    """Where the one film stands: for the first training to be seen, once all is revealed that it would give away."""
    told = [question for question in lesson.questions() if question.answer and question.answer.measure in OF_TRAINING]
    if any(question.label not in done for question in told):
        return None
    seen = (step.figure(done) for step in lesson.steps)
    return next((figure for figure in seen if figure is not None and figure.name == "training"), None)


def _step(
    step: Any, values: Values, done: Collection[str], asked: Callable[[Question], str], filmed: Figure | None
) -> str:
    parts = []
    for part in step.parts:
        if isinstance(part, Text):
            parts.append(_text([part], values))
        elif isinstance(part, Task):
            parts.append(_markdown(f"**Do this.** {values.text(part.text.source)}"))
        elif isinstance(part, Question):
            parts.append(asked(part))
        elif part is filmed:
            parts.append(training_film.film(values))
        elif part is step.figure(done):
            parts.append(_figure(part, values))
    return f"<section><h2>{html.escape(step.title.source)}</h2>{''.join(parts)}</section>"


def _question(question: Question, values: Values, found: Any) -> str:
    label, guess = question.label, found.guesses.get(question.label)
    done = label in found.done
    answer = values.answer(question) if done else None
    rows = [_text([question.text], values)]
    if question.kind == "choice" or question.kind == "order":
        rows.append(_markdown("\n".join(f"- {values.text(option.text.source)}" for option in question.options)))
    if question.kind in ("sketch", "point"):
        rows.append(_drawing(question, guess, answer))
    elif question.kind == "surface":
        rows.append(_surfaces(question, guess, answer, values))
    else:
        rows.append(f'<div class="own">{_markdown("Your guess: " + _guessed(question, guess, values))}</div>')
    if done:
        rows.append(_answer(question, answer, values))
    return f'<div class="question">{"".join(rows)}</div>'


def _answer(question: Question, answer: Any, values: Values) -> str:
    told = ""
    if answer is not None and question.kind not in ("sketch", "surface"):
        told = f"The answer: **{said(answer, question.answer.gives, plain)}**\n\n"
    elif question.kind == "choice" and not question.survey:
        right = next(option for option in question.options if option.right)
        told = f"The answer: **{values.text(right.text.source)}**\n\n"
    told += values.text(question.reveal.text.source) if question.reveal is not None else ""
    return f'<div class="answer">{_markdown(told)}</div>'


def _question_of_all(question: Question, values: Values, guesses: list, shown: Collection[str]) -> str:
    found, done = tally(question, guesses), question.label in shown
    answer = values.answer(question) if done else None
    rows = [_text([question.text], values)]
    if question.kind in ("choice", "order"):
        counted = found.counts if question.kind == "choice" else [f"{place:.1f}" for place in found.mean or ()]
        head = "| | guesses |" if question.kind == "choice" else "| | mean place |"
        counted = counted or ["–"] * len(question.options)
        lines = [f"| {values.text(o.text.source)} | {n} |" for o, n in zip(question.options, counted, strict=True)]
        rows.append(_markdown("\n".join([head, "|:--|--:|", *lines])))
    elif question.kind == "number" and found.guesses:
        kind = "number" if question.answer.gives == "count" else question.answer.gives
        low, mean, high = (said(v, kind) for v in (min(found.guesses), found.mean, max(found.guesses)))
        rows.append(_markdown(f"{len(found.guesses)} guesses, from {low} to {high}; their mean is {mean}."))
    elif question.kind in ("sketch", "point"):
        rows.append(_drawing(question, found.mean, answer, found.guesses))
    elif question.kind == "surface":
        rows.append(_surfaces(question, found.mean, answer, values, f"Mean of {len(found.guesses)} guesses"))
    if done:
        rows.append(_answer(question, answer, values))
    return f'<div class="question">{"".join(rows)}</div>'


def _guessed(question: Question, guess: Any, values: Values) -> str:
    if guess is None:
        return "none that is still known"
    if question.kind == "number":
        return said(guess, question.answer.gives)
    options = [values.text(option.text.source) for option in question.options]
    return options[guess] if question.kind == "choice" else ", ".join(options[place] for place in guess)


def _drawing(question: Question, guess: Any, answer: Any, of_all: Sequence[Any] = ()) -> str:
    """A point or a curve: what was drawn dashed, the answer in orange; of a class its mean, over all guesses."""
    low = float(question.settings.get("low", 0.0))
    scale = question.settings.get("scale", "log")
    across = lambda u: f"{WIDTH * float(u):.1f}"  # noqa: E731
    up = lambda v: f"{HEIGHT * (1 - float(v)):.1f}"  # noqa: E731
    rows = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#f5f4f0" stroke="#d0ccc4"/>']
    several = [(one, "#9fb6d6", "none") for one in of_all]
    for found, colour, dashes in (*several, (guess, "#1f2328", "7 4"), (answer, "#c2410c", "none")):
        if found is None:
            continue
        if question.kind == "point":
            x, y = position(found, scale)
            rows.append(f'<circle cx="{across(x)}" cy="{up(y)}" r="7" fill="{colour}"/>')
        else:
            x, y = (found.x, found.y) if found is answer else (np.linspace(0, 1, len(found)), np.array(found))
            points = " ".join(f"{across(u)},{up((v - low) / (1 - low))}" for u, v in zip(x, y, strict=True))
            look = f'fill="none" stroke="{colour}" stroke-width="3" stroke-dasharray="{dashes}"'
            rows.append(f'<polyline points="{points}" {look}/>')
    about = f"Your guess is {'dark' if guess is not None else 'not known any more'}, the answer orange."
    if of_all:
        about = f"{len(of_all)} guesses are blue, their mean is dark{'' if answer is None else ', the answer orange'}."
    svg = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{about}">{"".join(rows)}</svg>'
    return f"{svg}<p><small>{about}</small></p>"


def _surfaces(question: Question, guess: Any, answer: Any, values: Values, name: str = "Your guess") -> str:
    scale = question.settings.get("scale", "linear")
    shown = []
    if guess is not None:
        shown.append(spline(np.array(guess).reshape(FINE, FINE), scale, name))
    if answer is not None:
        shown.append(spline(relief(answer, question), scale, "The answer"))
    counts = question.settings.get("over") == "terms"  # only what lies at the terms does
    return _turning(shown, scale, values, values.task.statistics if counts else None) if shown else ""


def _figure(figure: Figure, values: Values) -> str:
    if figure.name not in ("surfaces", "above", "learned"):
        return ""
    usual = {"learned": "CHI2 RF"}.get(figure.name, "CHI2 IG RF")
    functions: list[Any] = [cd_function(name) for name in figure.settings.get("functions", usual).split()]
    if figure.name == "learned":
        seed, variant = int(figure.settings.get("seed", 0)), figure.settings.get("variant", LEARNED)
        functions.insert(0, _Learned(values, seed, variant))
    return _turning(functions, figure.settings.get("scale", "log" if figure.name == "learned" else "linear"), values)


class _Learned:
    """What was learned, as a function to draw."""

    def __init__(self, values: Values, seed: int, variant: str):
        self.symbol = f"{display(variant)}, seed {seed}"
        self._surface = values.learned(seed, variant).surface

    def at_rates(self, tpr: np.ndarray, fpr: np.ndarray, p: float, n: int) -> np.ndarray:
        return np.asarray(self._surface(tpr.ravel(), fpr.ravel())).reshape(tpr.shape)


def _turning(functions: list[Any], scale: str, values: Values, terms: TermStatistics | None = None) -> str:
    """Functions over the whole square, to be turned; with the class's terms on them where these are given."""
    task = values.task
    grid = surface_grid(p=task.prevalence, n=task.n_documents, region="square", scale=scale)
    drawn = panels(functions, grid, Setting(task.prevalence, task.n_documents, None))
    above = any(function.symbol == "IDF" for function in functions)
    view = PlaneView(task.prevalence, heights="peak", columns=1, width=420, diagonal=True, from_above=above)
    figure = figures.surfaces(drawn, grid, terms, view)
    names = ", ".join(html.escape(function.symbol) for function in functions)
    turned = figures.html(figure, "ltw-lesson", include_plotlyjs=False, full_html=False)
    told = f"<p><small>From the top: {names}.</small></p>" if len(functions) > 1 else ""
    return f'{told}<div class="turning">{turned}</div>'  # one below the other, as a phone has room for

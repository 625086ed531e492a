"""A question's guesses beside each other, as they come in; the answer among them only where it may be seen."""

import re
from pathlib import Path
from typing import Any

import streamlit as st

from ltw_core.lessons import Question, Tally, Values, tally
from ltw_core.lessons.values import said
from ltw_core.service.classroom_queries import Answer
from pages._ui import words
from pages._ui.learn_by_doing import class_surface, guess_canvas, question_view
from pages._ui.learn_by_doing.question_view import CANVAS

CSS = """
.ltw-tally { max-width: 46rem; color: var(--st-text-color); display: grid; row-gap: .7rem;
  grid-template-columns: fit-content(42%) 1fr auto; }
.ltw-tally > :is(svg, .tiles) { grid-column: 1 / -1; }
.ltw-tally .tiles { display: flex; flex-wrap: wrap; gap: .6rem .9rem; }
.ltw-tally figure { margin: 0; width: 5rem; }
.ltw-tally canvas { display: block; width: 100%; border: 1px solid var(--st-border-color); border-radius: .2rem; }
.ltw-tally figcaption { font-size: .75rem; line-height: 1.2; margin-top: .15rem; }
.ltw-tally .row { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; column-gap: .8rem;
  align-items: center; }
.ltw-tally .label { overflow-wrap: anywhere; line-height: 1.25; }
.ltw-tally .track { background: var(--st-secondary-background-color); border-radius: .25rem; height: 1.5rem; }
.ltw-tally .bar { background: var(--st-blue-color, #1f5fa8); border-radius: .25rem; height: 100%; width: 0;
  transition: width .3s, background-color .3s; }
.ltw-tally .value { font-variant-numeric: tabular-nums; font-weight: 600; }
.ltw-tally .row { transition: background-color .3s, box-shadow .3s; }
.ltw-tally .right { background: var(--ltw-right); border-radius: .1rem;
  box-shadow: 0 .3rem var(--ltw-right), 0 -.3rem var(--ltw-right);
  --ltw-right: color-mix(in srgb, var(--st-green-color, #08786f) 16%, transparent); }
.ltw-tally .right .label { font-weight: 600; }
.ltw-tally .right .label::after { content: " ✓"; color: var(--st-green-color, #08786f); }
.ltw-tally .right .bar { background: var(--st-green-color, #08786f); }
.ltw-tally .starred .label::after { content: " ★"; color: var(--st-violet-color, #5a45b0); }
.ltw-tally svg { display: block; width: 100%; height: auto; }
.ltw-tally .axis { stroke: currentColor; opacity: .6; }
.ltw-tally text { fill: currentColor; font: 13px var(--st-font); }
.ltw-tally text.name { font-weight: 600; stroke: none; }
.ltw-tally .dot { fill: var(--st-blue-color, #1f5fa8); opacity: .8; }
.ltw-tally line.mean { stroke: var(--st-blue-color, #1f5fa8); stroke-width: 2.5; }
.ltw-tally line.answer { stroke: var(--st-green-color, #08786f); stroke-width: 3; }
.ltw-tally line.starred { stroke: var(--st-violet-color, #5a45b0); stroke-width: 2.5; }
@media (prefers-reduced-motion: reduce) { .ltw-tally :is(.bar, .row) { transition: none; } }
"""
_board = st.components.v2.component(
    "ltw_tally",
    html='<div class="ltw-tally"></div>',
    css=CSS,
    js=Path(__file__).with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)
MEANING = {
    "point": "Dots are guesses, the ring is their mean.",
    "sketch": "Thin curves are guesses, the thick one is their mean.",
}
MARKUP = re.compile(r"\\(.)|[*`]")


def show(
    question: Question,
    values: Values,
    answers: list[Answer],
    key: str,
    *,
    answered: bool,
    starred: str,
    shown: bool = False,
) -> None:
    """Draw a question's guesses.

    Parameters
    ----------
    answered : whether the answer may be seen here; else it is not even computed.
    shown : whether everybody has been shown the answer: a surface's test F1 is looked at no sooner.
    starred : nickname of the participant whose guess is pointed out.
    """
    found = tally(question, [answer.guess for answer in answers])
    fitting = [answer for answer in answers if answer.guess in found.guesses] if found.n_left_out else answers
    one = next((answer.guess for answer in answers if answer.nickname == starred), None)
    answer = values.answer(question) if answered else None
    if question.kind == "surface":
        question_view.surface(question, values, key, one or found.mean, answer, (starred if one else "Their mean"))
        _board(key=key, data=class_surface.pictures(question, found, fitting))
        class_surface.scores(question, values, found, fitting, key, test=shown)
    elif question.kind in CANVAS:
        label = _name(question, values) if answered else ""
        about = None if one is None else {"guess": one, "name": starred}
        guess_canvas.overlay(question, key, found, answer, label, about)
        if found.guesses:
            st.caption(MEANING[question.kind])
    elif question.kind == "number":
        _board(key=key, data=_numbers(question, found, answer, one, starred))
    else:
        _board(key=key, data=_bars(question, values, found, answered, one))
    if found.n_left_out:
        st.caption(f"{found.n_left_out} guesses do not fit the question as the lesson’s file now has it.")


def counted(question: Question, n: int) -> str:
    """How many guesses there are; of a question without a right answer, how many answers."""
    return words.count(n, "answer") if question.survey else words.count(n, "guess", "guesses")


def bars(rows: list[tuple[str, int]], of: int, key: str) -> None:
    """Counts by label."""
    data = [{"label": k, "share": n / max(of, 1), "value": str(n), "right": False, "starred": False} for k, n in rows]
    alt = ", ".join(f"{label}: {count}" for label, count in rows)
    _board(key=key, data={"kind": "bars", "rows": data, "alt": alt})


def labels(question: Question, values: Values) -> list[str]:
    """Options of a question as plain text."""
    return [unmarked(values.text(option.text.source)) for option in question.options]


def unmarked(text: str) -> str:
    """Markdown as plain text: no emphasis, and no escapes."""
    return MARKUP.sub(lambda found: found[1] or "", text)


def _name(question: Question, values: Values) -> str:
    """What is written beside the answer's point."""
    name = " ".join(question.answer.arguments[:1]) if question.kind == "point" else ""
    return unmarked(values.text(f"{{{{{name}}}}}")) if name.startswith("@") else name


def _bars(question: Question, values: Values, found: Tally, answered: bool, one: Any) -> dict[str, Any]:
    names, n = labels(question, values), len(found.guesses)
    rows = []
    for place, label in enumerate(names):
        count = found.counts[place] if found.counts else 0
        if question.kind == "order":
            mean = found.mean[place] if found.mean else None
            share = 0 if mean is None else (len(names) - mean + 1) / len(names)
            row = {"share": share, "value": "" if mean is None else f"{mean:.1f}", "starred": False}
        else:
            row = {"share": count / max(n, 1), "value": str(count), "starred": one == place}
        rows.append(row | {"label": label, "right": False})
    if answered:
        _mark(question, values, rows)
    told = ", ".join(f"{row['label']} {row['value'] or '–'}" for row in rows)
    what = "Mean place (1 is first)" if question.kind == "order" else "How many chose each"
    return {"kind": "bars", "rows": rows, "alt": f"{what} of {n}: {told}"}


def _mark(question: Question, values: Values, rows: list[dict]) -> None:
    """Mark what is right; an order's options get their place."""
    answer, options = values.answer(question), values.options(question)
    for place, row in enumerate(rows):
        if question.kind == "order":
            row["label"] = f"{answer.index(options[place]) + 1}. {row['label']}"
        else:
            row["right"] = question.options[place].right if answer is None else options[place] == answer


def _numbers(question: Question, found: Tally, answer: Any, one: Any, starred: str) -> dict[str, Any]:
    low, high = question.settings["low"], question.settings["high"]

    def told(value: float) -> str:
        return said(round(value) if question.answer.gives == "count" else value, question.answer.gives)

    marks = {"mean": found.mean, "answer": answer, "starred": one}
    names = {"mean": "mean {}", "answer": "answer {}", "starred": f"{starred} {{}}"}
    drawn = {k: [float(v), names[k].format(told(v))] for k, v in marks.items() if v is not None}
    ticks = [[low + share * (high - low), told(low + share * (high - low))] for share in (0, 0.25, 0.5, 0.75, 1)]
    alt = f"{len(found.guesses)} numbers from {told(low)} to {told(high)}. " + ", ".join(v[1] for v in drawn.values())
    return {
        "kind": "numbers",
        "low": low,
        "high": high,
        "values": list(found.guesses),
        "ticks": ticks,
        "alt": alt,
    } | drawn

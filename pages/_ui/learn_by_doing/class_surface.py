"""Surfaces that a class has sketched: each of them small, their F1 and that of their mean, and who leads."""

from typing import Any

import numpy as np
import streamlit as st

from ltw_core.evaluation.uncertainty import estimate
from ltw_core.figures import f1_comparison, palette
from ltw_core.lessons import Question, Tally, Values
from ltw_core.service.classroom_queries import Answer
from ltw_core.weighting.formulas.spline import FINE
from pages._ui import words
from pages._ui.learn_by_doing import class_scores
from pages._ui.learn_by_doing.class_scores import BESIDE, MEAN, TEST
from pages._ui.plots.plot import plot

LEVELS = 99  # heights are sent as whole numbers up to it: a colour has no more
LEADERS = 10


def pictures(question: Question, found: Tally, answers: list[Answer]) -> dict[str, Any]:
    """What the drawing of all sketches is sent, each small and under its nickname."""
    colours, least, most = palette.scale_for(min(float(question.settings.get("low", 0.0)), 0.0), 1.0, words.base())
    tiles = [[one.nickname, _levels(guess)] for one, guess in zip(answers, found.guesses, strict=True)]
    alt = f"{len(tiles)} sketched surfaces seen from above, fpr to the right and tpr upwards"
    ramp = {"ramp": colours, "limits": [least * LEVELS, most * LEVELS], "size": FINE}
    return {"kind": "surfaces", "tiles": tiles, "alt": alt} | ramp


def scores(question: Question, values: Values, found: Tally, answers: list[Answer], key: str, *, test: bool) -> None:
    """F1 of the mean beside formulas and a learned weighting, and the students with the highest; ``test``: also that of
    the test documents."""
    task = values.task
    made = class_scores.weightings(question, found, [one.nickname for one in answers])
    held, busy = class_scores.scored(task, made)
    if not held:
        st.caption("Computing F1…")
        return
    shown = {name: held[name] for name in (MEAN, *BESIDE) if name in held}
    if shown:
        figure = f1_comparison.plain(
            {name: one.f1 for name, one in shown.items()},
            learner="linear SVM",
            order="given",
            colours={MEAN: "LogTF", "χ²": "TFCHI", "RF": "TFRF"},
            intervals={name: estimate([one]).both for name, one in shown.items()},
            part="held-out",
            base=words.base(),
            height=96 + 34 * len(shown),
        )
        plot(figure, f"{key}-f1", live=True)
    tested = class_scores.scored(task, {name: made[name] for name in _leaders(held, made)}, TEST)[0] if test else {}
    _board(held, made, tested)
    how = next(iter(held.values())).how
    st.caption(
        ("More to come… " if busy else "")
        + (
            "Who leads on held-out documents does so partly by chance; the test documents are looked at once."
            if test
            else "No test document is looked at before the answer is shown."
        ),
        help=f"Computed now: linear SVM, quick grid, seed 0, on {how}; 95% intervals over other such documents.",
    )


def _leaders(held: dict[str, Any], made: dict[str, Any]) -> list[str]:
    students = [name for name in held if name not in (MEAN, *BESIDE)]
    best = sorted(students, key=lambda name: -held[name].f1)[:LEADERS]
    return [*best, *(name for name in (MEAN, *BESIDE) if name in made)]


def _board(held: dict[str, Any], made: dict[str, Any], tested: dict[str, Any]) -> None:
    """Who leads, by F1 on held-out documents; the first ten, and what they are compared with."""
    rows = ["| | F1 held-out | 95% interval |" + " F1 test |" * bool(tested), "|:--|--:|:--|" + "--:|" * bool(tested)]
    names = sorted(_leaders(held, made), key=lambda name: -held[name].f1 if name in held else 0)
    for name in (name for name in names if name in held):
        low, high = estimate([held[name]]).both
        told = f"| {name if name in (MEAN, *BESIDE) else f'**{name}**'} | {words.f1(held[name].f1)} "
        told += f"| {words.f1(low)} to {words.f1(high)} |"
        if tested:
            told += f" {words.f1(tested[name].f1) if name in tested else '…'} |"
        rows.append(told)
    st.markdown("\n".join(rows))
    rest = len(held) - sum(name in held for name in names)
    if rest > 0:
        st.caption(f"{words.count(rest, 'student')} further down.")


def _levels(heights: Any) -> list[int]:
    return np.clip(np.rint(np.asarray(heights) * LEVELS), -LEVELS, LEVELS).astype(int).tolist()

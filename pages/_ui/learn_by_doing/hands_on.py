"""Figures of lessons in which the reader's hand decides: words whose weights are moved, a network that is trained, a
surface that is sculpted."""

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from ltw_core import figures
from ltw_core.insight.likeness import DD_OF_LEARNED
from ltw_core.metrics import Counts, decimals, signed
from ltw_core.weighting import TermWeighting, display
from ltw_core.weighting.learned.learned_weighting import PARAMETERS
from pages._ui import choices, sheets, words
from pages._ui.controls import choose_one, control
from pages._ui.documents import shaded_text
from pages._ui.guard import plain, sentences
from pages._ui.learn_by_doing import counts_tables, weights_followed
from pages._ui.plots.plot import plot, ready
from pages._ui.reader import selection
from pages._ui.training import lookup
from pages._ui.training.start import start
from pages._ui.weightings import quick_f1
from pages._ui.weightings.reference import SHIPPED, Reference
from pages._ui.workbench import on_stage, own_editor, sculpting, training_view, transplanting
from pages._ui.workbench.stage import Picture

SEEDS = (0, 1, 2)
ROW, NARROW_ROW = 72, 26  # pixels of one score of few: beside the question they are the whole picture
LIVE = 340  # of a surface that is learned: its curves are watched below it
EMPTY, LOW, HIGH = 150, 260, 420  # of F1 drawn again: nothing yet and then, on a narrow page; on a wide one
PAGE = 1000  # pixels of a window in which figures stand below the text, as in style.css
OTHERS, CONSTANT = "all other words", "constant"
TIMES = "%.3g×"  # of a factor: 0.25×, 5×
ADD_UP = (
    "Bars to the right speak for the class, to the left against it. They add up to the score; all documents share the "
    "constant."
)
OFTEN = {1: "once", 2: "twice"}


def document(frame: Any) -> None:
    """The document that a classifier misses, its paragraphs reflowed, and terms that the step names marked in it."""
    found, marked = frame.values.document(), (frame.terms(), frame.task.vectorized.options)
    shaded_text.plain_document(found.text, f"{frame.key}-text", "The document", *marked)
    st.caption(f"A held-out document of {plain(frame.task.class_title)}.")


def weights(frame: Any) -> None:
    """A document's words with a slider each; its score follows, and the classifier is trained again when asked.

    ``fixed``: what each word adds, and nothing to move.
    """
    found = frame.values.document()
    if frame.projected or frame.settings.get("fixed"):
        parts = _parts(found, {}, 1.0)
        plot(figures.score_parts.plain(parts, base=words.base()), f"{frame.key}-parts", live=True)
        st.caption(ADD_UP)
        return
    place, bars = st.container(key=f"{frame.key}-score"), st.container()  # in sight while the sliders are moved
    factors, others, beside = _sliders(frame, found)
    again = _again(frame, found, factors, others, beside)
    score = found.rescored(factors, others)
    # blue, where a guess that was wrong is amber
    say = place.success if score > 0 else place.info
    say(f"Score **{signed(score)}**: the classifier says *{'yes' if score > 0 else 'no'}*.{again}")
    with bars:
        parts, before = _parts(found, factors, others), _parts(found, {}, 1.0)
        plot(figures.score_parts.plain(parts, before=before, base=words.base()), f"{frame.key}-parts", live=True)
    weights_followed.follow(frame.key, found, factors, others)
    st.caption(
        f"{ADD_UP} Thin lines: with all weights 1.",
        help=f"A held-out document with {words.count(len(found.terms), 'known word')}, scored {signed(found.score)} "
        "before anything is moved: below 0 the classifier says *no*. The classifier stays as it was trained; the "
        "document’s length is 1 again after each move.",
    )


def _sliders(frame: Any, found: Any) -> tuple[dict[str, float], float, Any]:
    """What each word's weight is multiplied by, and that of all the others; and the place beside that."""
    hand = st.container(gap=None)  # all of them are seen with the bars
    columns = zip(hand.columns(2), ("for", "against"), strict=True)
    left, right = (column.container(gap=None, key=f"{frame.key}-words-{side}") for column, side in columns)
    left.caption("Words that speak most **for** the class")
    right.caption("Words that speak most **against** it")
    factors = {}
    shown = dict(zip(found.terms.tolist(), zip(found.frequency, found.adds, strict=True), strict=True))
    for place, term in enumerate(found.movable):
        times, adds = shown[term]
        where = left if adds > 0 else right
        look = {
            "value": 1.0,
            "like": "lesson_weight",
            "format": TIMES,
            "mark": f"{plain(term)} ({OFTEN.get(times, f'{times:.0f} times')})",
        }
        factors[term] = control(where.slider, f"{frame.key}-{place}", 0.0, 5.0, step=0.25, **look)
    look = {"like": "lesson_weight", "format": TIMES, "mark": OTHERS.capitalize()}
    slider, button = hand.columns(2, vertical_alignment="bottom")
    return factors, control(slider.slider, f"{frame.key}-others", 0.0, 5.0, 1.0, 0.25, **look), button


def _again(frame: Any, found: Any, factors: dict[str, float], others: float, place: Any) -> str:
    """The classifier trained again with these weights, when asked; what it then says of the document, until a slider is
    moved."""
    kept, at = f"_{frame.key}-trained", (frame.task.fingerprint, factors, others)
    if control(place.button, f"{frame.key}-again", like="lesson_retrain", icon=":material/model_training:"):
        with sentences():
            (plainly, before), (after, f1) = found.retrained({}), found.retrained(factors, others)
            lost = after <= 0 < found.rescored(factors, others)
            says = f"*{'yes' if after > 0 else 'no'}*" + ", and that is the point of this step" * lost
            told = (
                f"Trained again with these weights in **all** documents: this one’s score is **{signed(after)}** "
                f"({signed(plainly)} with all weights 1), F1 of the held-out documents **{words.f1(f1)}** "
                f"({words.f1(before)})." + " The classifier has learned other numbers for the words." * lost
            )
            st.session_state[kept] = (at, f" Trained again, it says {says}.", told)
    asked, again, told = st.session_state.get(kept, (None, "", ""))
    if asked != at:
        return ""
    st.markdown(told)
    return again


def _parts(found: Any, factors: dict[str, float], others: float) -> dict[str, float]:
    """What makes the score, by what stands beside a bar."""
    added = found.added(factors, others)
    rest = added.pop("")
    return added | {OTHERS: rest, CONSTANT: found.constant}


def decisions(frame: Any, name: str) -> None:
    """What a classifier says of the test documents; ``more``: and had it found one more of the class, whose F1 is not
    told where it is asked."""
    with st.spinner("Training the classifier…"):
        r = frame.values.result(name)
    more = frame.settings.get("more", "")
    for one in range(1 + bool(more and r.fn)):
        tp, fn, title = r.tp + one, r.fn - one, display(name) + ", had it found one more" * one
        value = decimals(Counts(tp, r.fp, fn, r.tn).f1, 4)  # one document is seen in it
        f1 = "?" if one and more == "asked" else value
        with st.container(key="lesson-decided" if one else f"lesson-counts-{frame.key}"):
            st.markdown(counts_tables.of_decisions(title, tp, r.fp, fn, r.tn), unsafe_allow_html=True)
            st.markdown(f"F1 = 2 · {tp:,} / (2 · {tp:,} + {r.fp:,} + {fn:,}) = **{f1}**")
    st.caption("Test documents; linear SVM.", help="Computed now, with seed 0; its C is chosen on held-out documents.")


def redrawn(frame: Any) -> None:
    """F1 on test documents that are drawn again, as often as the reader asks."""
    from ltw_core.evaluation.uncertainty import DRAWS, f1_draws

    name = frame.settings.get("methods", "TFRF").split()[0]
    result = frame.values.result(name)
    if frame.settings.get("empty"):  # on all of the axis, or its ends would say how wide they lie
        _drawn(frame, np.empty(0), result.f1, (0.0, 1.0), EMPTY, LOW)
        return
    place = st.container()  # the figure stays where it was before the answer
    drawn = f1_draws(Counts(result.tp, result.fp, result.fn, result.tn))
    often = choose_one(f"{frame.key}-often", {n: f"{n:,}" for n in (1, 10, 100, DRAWS)}, 1, like="lesson_often")
    away = 1.15 * float(np.abs(drawn - result.f1).max(initial=0)) or 0.05
    limits = (max(0.0, result.f1 - away), min(1.0, result.f1 + away))
    with place:
        _drawn(frame, drawn[:often], result.f1, limits, LOW, live=True)
    st.caption(
        f"Solid line: F1 of the test documents{'; dashed: the middle 95% of the draws' if often >= 100 else ''}.",
        help=f"Computed now: linear SVM with {plain(display(name))}. Each time {result.tp + result.fn:,} documents of "
        f"the class and {result.fp + result.tn:,} others are drawn, with replacement, from the test documents.",
    )


def _drawn(frame: Any, drawn: np.ndarray, f1: float, limits: tuple, low: int, high: int = HIGH, **live: bool) -> None:
    """F1 drawn again, beside the text as high as there is room for, below it ``low``."""
    draw = partial(figures.f1_drawn.plain, drawn, f1, limits, base=words.base())
    figure, key = draw(height=high), f"{frame.key}-drawn"
    figure.layout["meta"] = {"page": PAGE}
    plot(ready(figure, key, draw(height=low)), key, **live)


def training(frame: Any) -> None:
    """The Workbench's live view, with the paper's settings and a seed to choose.

    ``example``: curves come first, and where nothing was trained here what ships for the class stands there, or the
    curves of the lesson's own training.
    """
    task = frame.task
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        seed = choose_one(f"{frame.key}-seed", [*SEEDS], 0, like="lesson_seed")
        later = frame.settings.get("example") or frame.waits
        look = {"type": "secondary" if later else "primary", "icon": ":material/play_arrow:"}
        pressed = control(st.button, f"{frame.key}-train", like="lesson_train", **look)
    own = {"variant": "LTW-L-I", "random_state": seed, "device": "cpu"}
    left_out = ("validation_fraction", "split_seed")
    parameters = {name: value for name, value in (PARAMETERS | own).items() if name not in left_out}
    runs = st.session_state.setdefault("_lesson_runs", {})
    if pressed:
        run = start(selection.dataset(), task, parameters, {}, again=True)
        runs[task.fingerprint, seed] = run.token
        lookup.look_at(run)
    run = lookup.find(runs.get((task.fingerprint, seed)))
    sheets.send(f"<style>{training_view.STYLE}</style>", "live")
    order = "curves-first" if frame.settings.get("example") else "surface-first"
    with st.container(key=f"lesson-{order}"), st.container(key="live"):
        example = _example(frame, seed) if run is None else ""
        if run is None and not example and frame.settings.get("example"):
            _curves(frame, seed)
            return
        if example:
            st.caption("This run ships with the app, for this class and seed. *Train* computes it anew.")
        option = example or (on_stage.NEW if run is None else run.reference)
        training_view.live(option, Picture(height=LIVE), task, parameters, pressed)
    if run is not None and not run.active:
        training_view.until_answered(option, task)


def _curves(frame: Any, seed: int) -> None:
    """How the training went whose answers the lesson tells."""
    with st.spinner("Learning…"):
        fitted = frame.values.weighting(seed)
    figure = figures.training.plain(fitted.history_, best_step=fitted.best_step_, base=words.base())
    plot(figure, f"{frame.key}-curves")
    st.caption(
        f"LTW-L-I, seed {seed}, for {plain(words.class_label(frame.task))}.",
        help="Computed now, with the paper’s settings. *Train* shows it step by step.",
    )


def _example(frame: Any, seed: int) -> str:
    """The shipped training run of the class with a seed, as ``on_stage`` names it; "" where there is none."""
    name = selection.class_name()
    info = on_stage.example(selection.dataset(), name) if frame.settings.get("example") else None
    if info is None or (info.corpus, info.class_name, info.seed) != (selection.dataset(), name, seed):
        return ""
    return str(Reference(SHIPPED, info.name))


def sculpt(frame: Any) -> None:
    """The board of the Workbench, with the F1 of what is painted beside formulas."""
    task = frame.task
    names = [name for name in frame.listed("functions", "CHI2 RF") if name in choices.cd_names()]
    line = sculpting.show(task, "log", 410, line=True)
    composed = own_editor.drafted(own_editor.SCULPT)
    with sentences():
        compared, like = sculpting.compared(composed, names), {"constant": "LogTF"}
        if frame.settings.get("learned"):
            with st.spinner("Learning…"):
                learned = frame.values.learned_function(int(frame.settings["learned"]))
            compared[learned.symbol] = TermWeighting(dd=DD_OF_LEARNED, cd=learned)
            like[learned.symbol] = "LTW-L-I"
        quick_f1.show(task, compared, f"{frame.key}-f1", like, line=line)
        if frame.settings.get("test") == "true":
            own_editor.revealed(composed, task, compared, like)
        else:
            transplanting.strongest(composed.function, composed.dd, task, f"{frame.key}-terms")


def under(frame: Any) -> None:
    """What weightings make of the document: its score with a classifier trained on each, and below them its text."""
    found, methods = frame.values.document(), frame.listed("methods", "LogTF LogTFIDF TFRF")
    about, key = "score of the document: above 0 the classifier says yes", f"{frame.key}-scores"
    if frame.settings.get("empty"):
        draw = partial(figures.asked.plain, methods, about, (-1, 1), base=words.base())
        plot(ready(draw(row=ROW // 2), key, partial(draw, row=NARROW_ROW)), key)
        _document(frame, found)
        return
    with st.spinner("Training classifiers…"):
        scores = {name: found.under(name) for name in methods}
    draw = partial(figures.score_parts.plain, scores, about=about, base=words.base())
    plot(ready(draw(row=ROW), key, partial(draw, row=NARROW_ROW)), key)
    st.caption(
        "A linear SVM each, trained on the documents that are not held out.",
        help="Computed now, with C = 1: what an error in training costs.",
    )
    _document(frame, found)


def _document(frame: Any, found: Any) -> None:
    """What the scores are of."""
    if not frame.projected:
        shaded_text.plain_document(found.text, f"{frame.key}-text", "The document")

"""Beside the stage: how well a weighting does, which terms are strongest, and which formula is nearest to it."""

from typing import Any

import numpy as np
import streamlit as st

from ltw_core import figures
from ltw_core.evaluation import decimals
from ltw_core.figures import palette, theme
from ltw_core.figures.curves import begin_with_column, mark_step, told_instead
from ltw_core.figures.lines import apart
from ltw_core.metrics import listed
from ltw_core.weighting import display
from ltw_core.weighting.learned.snapshots import Snapshot
from pages._ui import choices, words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.plots import cached_figures
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.training import run_words
from pages._ui.training.run import Run
from pages._ui.weightings.learned import Learned
from pages._ui.workbench import baselines, nearest, on_stage
from pages._ui.workbench.shares import STRONGEST, signed, strongest
from pages._ui.workbench.sparkline import sparkline
from pages._ui.workbench.texts import text

CONTRIBUTE = "Terms that contribute most under {}"
OF, BY_CHANCE = ": weight × occurrence", " · by chance, before training"
SINCE = " · ▲▼ places since step {:,}"  # no wider than its column
CURVES, BARS = 260, 232  # pixels
LEFT = 96  # pixels before bars: room for their names
TICKS = 46  # pixels before curves: room for the numbers of their axes
RIGHT = 100  # pixels after curves, where the lines of formulas have their names and numbers
MARGIN = {"l": TICKS, "r": RIGHT, "t": 20, "b": 40}  # of curves; heading and lines' names stand close
HEAVIEST = 3  # terms
RARE = 0.01  # of the class's documents: terms in no more are told as such, and not counted one by one
OWN = "LTW"  # the line of what was learned
LINES = ("χ²", "RF", OWN)
DASH = "4px,3px"
LEADER = 12  # pixels from a line's end to its name
ALIGNED = ":small[:gray[1 = the same; equal weights {zero}{seed}]]"
NAME = 0.13  # of the axis of F1: the height of a line's name
OF_CURVES, OF_TERMS = (f'class="ltw-told" data-of="{name}"' for name in ("live_curves", "live_terms"))
TOLD = f"<strong {OF_CURVES}></strong><span {OF_CURVES}></span>"  # gets its words with the curves


def course(
    run: Run | None,
    learned: Learned | None,
    parameters: dict[str, Any],
    task: Any,
    moment: Snapshot | None = None,
) -> None:
    """How the training went or goes; before the first step there are axes and no more.

    ``moment``: the one of the training that is looked at.
    """
    if not _of_class(run, learned, task):
        task = None  # what is on the stage is of another class than the one that is chosen: its lines are not drawn
    with st.container(key="numbers"):
        about = f"\n\n{text('baselines')}" if levels_of(task) else ""  # how the numbers at the curve's lines were found
        told = numbers(run, learned, moment, about, task)
    with st.container(key="spark"):  # seen on a phone, in the curves' place
        if drawn := sparkline(_history(run, learned), levels_of(task), moment):
            st.html(drawn)
    with st.container(key="curves"):
        _curves(run, learned, parameters["variant"], task, moment, told)


def found(
    run: Run | None,
    learned: Learned | None,
    variant: str,
    task: Any,
    shown: Learned | None = None,
    moment: Snapshot | None = None,
) -> None:
    """The nearest formula and the strongest terms of what was ``learned``, or of what is ``shown`` at a ``moment``;
    before anything is, an example to look at and the terms of the random weights, so that training moves nothing."""
    often = run is not None and run.active
    now = shown or learned
    if run is None and learned is None and task is not None:
        on_stage.offer(on_stage.example(selection.dataset(), selection.class_name(), variant))
    elif now is not None:
        begins = often and len(run.history) < 2  # its first picture waits for nothing
        nearest_formula(now, task, not begins)
    if now is not None:
        with st.container(key="strongest"):
            _strongest(run if moment is None else None, now, task)


def numbers(
    run: Run | None, learned: Learned | None, moment: Snapshot | None = None, lines: str = "", task: Any = None
) -> tuple[str, ...]:
    """One line, and the other numbers and what ``lines`` are behind its question mark; returns what curves that move
    write there. At the end F1 of the network is told at its curve.
    """
    if moment is not None:
        f1, fitted = words.f1(moment.validation_f1), learned.weighting  # a phone has no curve that tells it
        said = f"**Step {moment.step:,}: validation F1 {f1}** (kept: {fitted.best_step_:,})"
        st.markdown(said, help=_kept(fitted, task) + lines)
        return ()
    event = run.latest if run is not None else None
    if event is None and learned is not None and learned.weighting is not None:  # a shipped one
        st.markdown(f"**Kept: step {learned.weighting.best_step_:,}**", help=_kept(learned.weighting, task) + lines)
        return ()
    if run is None:
        st.markdown("**Not trained yet**", help=lines.strip() or None)
        return ()
    fits = event is not None and event.phase == "pretraining"  # its error is another quantity, shown in the status
    took = f" · {words.seconds(event.seconds)}" if event else ""
    step, last = f"step {event.best_step if event and not fits else 0:,}", event.step if event else 0
    if run.active:
        rate, patience = run.steps_per_second, run.parameters["patience"]
        about = text(
            "course",
            by=run_words.best_by(run.parameters),
            loss=f"{event.loss:.3f}" if event and not fits else "–",
            now=words.f1(event.validation_f1 if event else None),
            left=max(0, patience - event.waited) if event else patience,
            patience=patience,
            each=run.parameters["check_every"],
            rate=f"{rate:,.0f}" if rate else "–",
            time=run_words.left(run),
        )
        st.markdown(TOLD, unsafe_allow_html=True, help=f"{about}{lines}\n\n{run_words.where(run)}.")
        if (f1 := words.f1(event.best_f1 if event and not fits else None)) == "–":
            return f"Validation F1 {f1}", f" · step {last:,}{took}"
        # the best one's step is not the last one, and that is no end to be reached while it goes on
        return f"Best F1 {f1}", f" at {step} · now step {last:,}{took}"
    if not run.finished:  # stopped before the first validation, or failed
        st.markdown(f"**Nothing was kept**{took}", help=lines.strip() or None)
        return ()
    st.markdown(f"**Kept: {step}**{f' of {last:,}' if last else ''}{took}", help=_kept(run.weighting, task) + lines)
    return ()


def _kept(fitted: Any, task: Any = None) -> str:
    """Which step of a training run is kept, what the network's F1 is, and on how few documents it rests."""
    few = "Few documents of either set are of the class,"
    if task is not None:
        held, tests = int(task.y_train[task.validation].sum()), int(task.y_test.sum())
        of, others = words.count(held, "validation document"), words.count(tests, "test document")
        few = f"That F1 rests on {of} of the class, the test F1 on {others} of it,"
    return text("kept", by=run_words.best_by(fitted.get_params(deep=False)), few=few)


def _curves(
    run: Run | None,
    learned: Learned | None,
    variant: str,
    task: Any,
    moment: Snapshot | None = None,
    beside: tuple[str, ...] = (),
) -> None:
    often = run is not None and run.active
    place, levels, options = st.container(), levels_of(task, learned), choose_axes()
    fitted = learned.weighting if learned is not None else None
    history, of = _history(run, learned), learned.variant if learned is not None else variant
    figure = figures.training.plain(
        history,
        best_step=fitted.best_step_ if fitted is not None else None,
        levels=[*levels.values(), *([moment.validation_f1] if moment is not None else [])],
        method=of,
        base=words.base(),
        height=CURVES,
        uirevision=run.token if run is not None else learned.key if learned is not None else "none",
        **options,
    )
    figure.layout["margin"] |= MARGIN
    f1 = moment.validation_f1 if moment is not None else fitted.best_f1_ if fitted is not None and not often else None
    told_instead(figure, of_lines(f1, bool(levels)), words.base())
    if not history:
        empty = {"xref": "x domain", "yref": "y2 domain"}
        figure.write("drawn while it trains", 0.5, 0.4, theme.ink(words.base()).muted, **empty)
    begin_with_column(figure)
    if moment is not None:
        mark_step(figure, moment.step, {"y2": moment.validation_f1}, words.base())
    draw_levels(figure, levels, of)
    for axis in ("xaxis", "yaxis", "yaxis2"):  # no zoom where there is no toolbar: the film has larger ones
        figure.layout[axis] = {**figure.layout[axis], "fixedrange": True}
    with place:
        plot(figure, "live_curves", live=True, often=often, told=beside)


def choose_axes() -> dict[str, Any]:
    """The menu below the curves; with what it holds."""
    under = st.container(key="under_curves", horizontal=True, horizontal_alignment="right")
    with under, st.popover("Axes", type="tertiary", help="Smoothing and axes of the curves."):
        return choices.curve_axes()


def of_lines(f1: float | None, dashed: bool) -> str:
    """Whose F1 the lines are, whole in the column of a lesson; in a replay each step's comes there (`following.js`)."""
    value = "" if f1 is None else f" {words.f1(f1)}"
    return f"line: the network{value}; dashed: an SVM" if dashed else f"of the network{':' * bool(value)}{value}"


def draw_levels(figure: Any, levels: dict[str, float], of: str) -> None:
    """The lines of formulas and of what the variant ``of`` has learned, beside a training curve."""
    low, high = figure.layout["yaxis2"]["range"]
    named = apart(levels, NAME * (high - low), low, high)
    for name, level in levels.items():  # its name and number stand at its end
        colour = palette.colour(baselines.BY.get(name, of), words.base())
        line, ends = {"color": colour, "width": 1.25}, {"type": "line", "xref": "x domain", "yref": "y2", "y0": level}
        figure.add_shape(**ends, x0=0, x1=1, y1=level, line=line | {"dash": DASH})
        leads = {"xsizemode": "pixel", "xanchor": 1, "x0": 0, "x1": LEADER, "y1": named[name]}
        figure.add_shape(**ends, **leads, line=line | {"width": 1})
        where = {"xref": "x domain", "yref": "y2", "xanchor": "left", "xshift": LEADER + 1}
        said = f"on {display(of) if name == OWN else name} {words.f1(level)}"  # an SVM on it
        figure.write(said, 1, named[name], theme.legible(colour, words.base()), **where)


def _history(run: Run | None, learned: Learned | None) -> list[tuple[int, float, float]]:
    fitted = learned.weighting if learned is not None else None
    return run.history if run is not None else getattr(fitted, "history_", None) or []


def _of_class(run: Run | None, learned: Learned | None, task: Any) -> bool:
    """Whether what is on the stage, a run that waits for its first step included, is of the documents that are here."""
    if learned is not None:
        return nearest.of_class(learned, task)
    return run is None or (task is not None and run.problem.title == words.class_label(task))


def levels_of(task: Any, learned: Learned | None = None) -> dict[str, float]:
    """Validation F1 of a linear SVM on formulas and on what was learned, as far as they have been found, by name."""
    known = baselines.known(task) if task is not None else {}
    if task is not None and learned is not None and learned.weighting is not None:
        own = baselines.known_of(task, learned.weighting)
        known |= {OWN: own} if own is not None else {}
    return {name: known[name].validation_f1 for name in LINES if name in known}


def _strongest(run: Run | None, learned: Learned, task: Any) -> None:
    before, often = _earlier(run) if run is not None else None, run is not None and run.active
    here = task if not often and nearest.of_class(learned, task) else None
    share = signed(learned, task=here)
    index = strongest(share, learned.terms, len(share))  # all but rare terms
    make = figures.top_terms.plain if often else cached_figures.top_terms
    told = SINCE.format(before[0]) if before else BY_CHANCE if learned.untrained else OF
    figure = make(
        learned.terms.terms[index],
        share[index],
        count=STRONGEST,
        title=CONTRIBUTE.format(learned.label),
        subtitle=f"% of the class’s vectors{'' if here else ', est.'}" + told,
        base=words.base(),
        selected=selection.terms(),
        before=signed(learned, before[1], here)[index] if before else None,
        height=BARS,
        left=LEFT,
        uirevision=learned.source,
    )
    said = "" if learned.is_formula else heaviest(learned)
    plot(figure, "live_terms", live=True, often=often, told=(said,) * often)
    if said:
        st.caption(f"<span {OF_TERMS}></span>" if often else plain(said), unsafe_allow_html=often)


def heaviest(learned: Learned) -> str:
    """The terms of largest weight, and how many documents hold them: often few, so that others contribute most."""
    terms, top = learned.terms, np.argsort(-np.abs(learned.cd), kind="stable")[:HEAVIEST]
    names, below, held = [f"“{terms.terms[k]}”" for k in top], learned.cd[top] < 0, terms.tp[top]
    sign = ", all negative" if below.all() else ", some negative" if below.any() else ""
    what = ("strongest" if sign else "largest") + (" random weights" if learned.untrained else " weights") + sign
    documents = f"of the class’s {terms.n_positives:,} documents"
    if 0 < (most := held.max()) <= max(1, RARE * terms.n_positives):
        rare = f"only {most:,}" if held.min() == most else f"at most {most:,}"
        return f"The {what}{',' * bool(sign)} belong to terms in {rare} {documents}, such as {names[0]}."
    return f"{what.capitalize()}: {listed(names)}, in {listed(f'{n:,}' for n in held) if most else 'none'} {documents}."


def _earlier(run: Run) -> tuple[int, np.ndarray] | None:
    """An earlier step of a training run and its weights, to say how terms have moved since: about halfway.

    They stay raw: ranks are by magnitude, which the factor to canonical form does not change.
    """
    if run.latest is None and run.weighting is None:
        return None
    now = run.weighting.best_step_ if run.weighting is not None else run.latest.step
    past = [snapshot for snapshot in run.snapshots if 0 < snapshot.step <= now / 2]
    return (past[-1].step, past[-1].cd) if past else None


def nearest_formula(learned: Learned, task: Any, ask: bool) -> None:
    """The formula that it is most like by what both do to documents, as far as that is known by now."""
    job = nearest.ask(learned, task) if learned.source and ask else None
    found = nearest.known(learned, task)
    if learned.weighting is not None and nearest.failed(learned, task):
        found = None  # what is known is of an earlier step
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="nearest"):
        if found is None or found.formula is None:
            waits = nearest.same_terms(learned, task) and learned.source
            said = "Nearest formula: looking…" if waits else "Nearest formula: known once its corpus is open"
            said = "Nearest formula: could not be computed" if nearest.failed(learned, task) else said
            st.markdown(said if learned.source else "Nearest formula: –", width="content")
            return
        alignment = "…" if job is not None and learned.weighting is not None else decimals(found.alignment, 2)
        seed = "" if found.ceiling is None else f", another seed {decimals(found.ceiling, 2)}"
        beside = ALIGNED.format(zero=decimals(found.zero, 2), seed=seed)
        said = f"Nearest: **{plain(found.formula)}** · alignment {alignment}  \n{beside}"
        name = next(name for name in choices.cd_names() if choices.symbol(name) == found.formula)
        of = choices.function(name)
        means = f"{plain(found.formula)} = {plain(of.formula)}. {plain(of.note)}"
        st.markdown(said, help=f"{means}\n\n{text('nearest')}", width="content")
        there = name in st.session_state.get(on_stage.BESIDE, [])
        add = {"type": "tertiary", "icon": ":material/add:", "disabled": there}
        control(st.button, "put_beside", on_click=on_stage.put_beside, args=(name,), **add)
    if on_stage.was_put_beside():
        run_again()  # the list above the stage shows it, and the stage

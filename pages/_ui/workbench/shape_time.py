"""The time machine: surface, loss, F1 and strongest terms at any snapshot of the training run, or played as a film."""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from ltw_core.figures import surfaces, top_terms, training
from ltw_core.figures.curves import begin_with_column, mark_step, told_instead
from ltw_core.figures.frames import Frames, surface_frames
from ltw_core.figures.heights import common_heights
from ltw_core.figures.label_places import LETTER
from ltw_core.figures.plain_figure import PlainFigure
from pages._ui import words
from pages._ui.plots.plot import Ready, plot, ready
from pages._ui.plots.timeline import timeline
from pages._ui.result_cache import kept
from pages._ui.weightings.snapshots import NONE, Snapshot, learned_at, snapshots_of
from pages._ui.workbench import on_stage
from pages._ui.workbench.inspector import (
    BARS,
    CONTRIBUTE,
    CURVES,
    LEFT,
    MARGIN,
    OF,
    choose_axes,
    draw_levels,
    heaviest,
    levels_of,
    nearest_formula,
    numbers,
    of_lines,
)
from pages._ui.workbench.shape_surfaces import HEIGHTS, phone_size, terms_row
from pages._ui.workbench.shape_view import View
from pages._ui.workbench.shares import STRONGEST, signed_share, strongest
from pages._ui.workbench.texts import text

WIDTH = 720  # pixels of the surface on a wide page
SIZE = 36  # points along an axis of the surface: what moves is sent for each snapshot
NAMED = 4  # terms that have their name beside them
LONGER = 1.1  # the axis of the bars: as many times the longest at the kept step, for other steps may have longer ones
NAMES = {"surface": "time_surface", "curves": "time_curves", "bars": "time_terms"}


def show(view: View, told: str = "", note: str = "", own: bool = False) -> None:
    """``told``: whose film it is, where that of what stands on the stage is not there; ``note``: in a word or two;
    ``own``: whether the way to one's own formula stands beside it, as in other views."""
    learned = view.learned
    taken = snapshots_of(learned)
    if len(taken) < 2:
        st.info(f"{told} {NONE}".strip(), icon=":material/history:")
        terms_row(learned.terms, view)
        return
    lines = tuple(levels_of(view.task(), learned).items())
    chosen = (learned.key, len(taken), view.scale, view.region, view.faded, view.chosen, view.task() is None, lines)
    film = _film((*chosen, words.base()), view, taken, note)
    shape, course = st.columns([2, 1], gap="medium")
    with shape:
        plot(film.surface, NAMES["surface"])
        bar = st.container()  # below the picture, which has the place of every other view's
        if told:
            st.markdown(told)
        with st.container(key="film_told"):  # beside the curves, which are higher than the picture on a small page
            alone = f"**{text('film_alone')}** " if view.names else ""
            more = text("time_machine_more", provenance=learned.provenance)
            st.caption(alone + text("time_machine", taken=len(taken)), help=more)
    with course, st.container(key="film_beside"):
        with st.container(key="numbers"):  # as beside other views
            run = on_stage.learned_now(learned.source)[1]
            if run is None or not run.active:
                numbers(run, learned, task=view.task())
        with st.container(key="film_curves"):
            place, options = st.container(), choose_axes()
            curves, now = _curves(view, taken[film.start], options)
            with place:
                plot(curves, NAMES["curves"])
        nearest_formula(learned, view.task(), True)
        with st.container(key="strongest"):
            plot(film.bars[film.start], NAMES["bars"])
            told_here = f'<span class="ltw-told" data-of="{NAMES["bars"]}"></span>'  # gets its words with the bars
            st.caption(told_here, unsafe_allow_html=True)
        terms_row(learned.terms, view)
        if own:
            on_stage.offer_own()
    with bar:
        timeline(
            f"{learned.key}-{view.scale}-{view.region}",
            names=NAMES,
            course=[(s.step, s.loss, s.validation_f1) for s in taken],
            best=learned.best_step,
            start=film.start,
            surface=film.frames.data,
            bars=[figure.data[0] for figure in film.bars],
            alts={"surface": film.frames.alts, "bars": [figure.alt for figure in film.bars], "told": film.told},
            now=now,
        )


class Film(NamedTuple):
    """The surface at the snapshot ``start``, what it is at the others, and the bars and what is told below at each."""

    start: int
    surface: Ready
    frames: Frames
    bars: list[PlainFigure]
    told: list[str]


@kept(12, "Drawing every snapshot…")
def _film(key: tuple, _view: View, _taken: tuple[Snapshot, ...], note: str) -> Film:
    learned, base = _view.learned, words.base()
    start = next((k for k, s in enumerate(_taken) if s.step == learned.best_step), len(_taken) - 1)
    moments = [learned_at(snapshot, learned) for snapshot in _taken]
    grid = _view.grid_of(SIZE)
    shown = replace(_view.shown(), title="", hover={learned.label: learned.cd}, labels=NAMED)
    same = f"stage-{learned.dataset}-{_view.scale}-{_view.region}"
    shown = replace(shown, height=HEIGHTS[1], width=WIDTH, uirevision=same)
    panels = [moment.panel(grid, note) for moment in moments]
    kept_heights = common_heights(panels[start : start + 1], grid, learned.terms, shown)  # as the stage draws it alone
    shown = replace(shown, limits=(kept_heights.low, kept_heights.high))
    frames = surface_frames(panels, grid, learned.terms, shown, start=start)
    narrow = surfaces.plain(panels[start : start + 1], grid, learned.terms, phone_size(shown, 1))
    task = _view.task()
    shares = [signed_share(moment.cd, learned.terms, task) for moment in moments]
    ends = _ends(shares[start])
    bars = [_bars(_view, share, ends, base, task is None) for share in shares]
    longest = max((len(term) for figure in bars for (term,) in figure.data[0]["customdata"]), default=0)
    bars[start].layout["margin"]["l"] = max(LEFT, 20 + LETTER * longest)  # the longest name at any snapshot
    surface = ready(frames.figure, NAMES["surface"], narrow)
    return Film(start, surface, frames, bars, [heaviest(moment) for moment in moments])


def _ends(kept: np.ndarray) -> tuple[float, float]:
    """Of the axis of the bars, by the shares at the kept step: names stand where it begins."""
    return LONGER * float(kept.min(initial=0)), LONGER * max(0.0, float(kept.max(initial=0))) or 1.0


def _bars(view: View, share: np.ndarray, limits: tuple[float, float], base: str, estimated: bool) -> PlainFigure:
    """The strongest terms, those that the stage names beside its surface."""
    learned = view.learned
    index = strongest(share, learned.terms)
    return top_terms.plain(
        learned.terms.terms[index],
        share[index],
        count=STRONGEST,
        limits=limits,
        title=CONTRIBUTE.format(learned.label),
        subtitle=f"% of the class’s vectors{', est.' if estimated else ''}{OF}",
        base=base,
        selected=view.chosen,
        height=BARS,
        uirevision=learned.key,
    )


def _curves(view: View, snapshot: Snapshot, options: dict[str, Any]) -> tuple[PlainFigure, tuple[int, int]]:
    """The whole course with a mark at the snapshot; and which traces the marks are."""
    learned, base = view.learned, words.base()
    history = getattr(learned.weighting, "history_", None)
    history = history or [(s.step, s.loss, s.validation_f1) for s in snapshots_of(learned)]
    levels = levels_of(view.task(), learned)
    figure = training.plain(
        history,
        best_step=learned.best_step,
        levels=[*levels.values()],
        method=learned.variant,
        base=base,
        height=CURVES,
        uirevision=learned.key,
        **options,
    )
    figure.layout["margin"] |= MARGIN  # as in other views
    if learned.weighting is not None:
        told_instead(figure, of_lines(learned.weighting.best_f1_, bool(levels)), base)
    begin_with_column(figure)
    draw_levels(figure, levels, learned.variant)
    first = len(figure.data)
    mark_step(figure, snapshot.step, {"y": snapshot.loss, "y2": snapshot.validation_f1}, base)
    return figure, (first, first + 1)

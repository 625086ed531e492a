"""The stage: whatever weighs terms, in one of seven views, with what was put beside it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import streamlit as st

from ltw_core.figures import PlaneView, term_grid
from ltw_core.weighting.learned import VARIANTS, UntrainedNetwork
from pages._ui import choices, words
from pages._ui.controls import choose_one, control
from pages._ui.guard import plain
from pages._ui.plots import cached_figures
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.reader.table_results import kept_of_corpus
from pages._ui.weightings.learned import Learned, learned_form, shipped
from pages._ui.weightings.snapshots import snapshots_of
from pages._ui.workbench import (
    functions_view,
    likeness_classes,
    on_stage,
    shape_discovery,
    shape_formula,
    shape_inputs,
    shape_paper,
    shape_properties,
    shape_ranks,
    shape_slices,
    shape_surfaces,
    shape_time,
    shape_transplant,
    shape_variants,
)
from pages._ui.workbench.shape_view import View
from pages._ui.workbench.training_controls import settings_of

STYLE = Path(__file__).with_name("workbench.css").read_text("utf-8")
VIEWS = ("Surface", "Map", "Slice", "Ranks", "Film", "Likeness", "Properties")
LIVE = ("Surface", "Map")  # they follow a training run, twice a second; others show how far it was when they opened
WIDE = ("Film",)  # with curves and terms of its own
PAPER = "The paper’s figures"  # which are no weighting of the reader's: nothing of that stands beside them
DIFFERENCE = "Difference"  # of formulas alone, at any prevalence: all else of Likeness is on a class's documents
# labels that addresses may hold
FORMERLY = {"In a document": "document", "One table": "table", "One weight a term": "weights"}
FILM = "_film_of"  # the session's key of what a film was shown of last
TRAINING = "This training has no film yet."
NOTHING = "Nothing has been learned yet. Press **Train**, or choose another weighting above."


@dataclass(frozen=True, eq=False)
class Picture:
    """What the reader chose around the picture; ``names`` are what stands beside the first weighting."""

    view: str = VIEWS[0]
    names: tuple[str, ...] = ()
    scale: str = "log"
    region: str = "terms"
    faded: bool = True
    heights: str = "auto"
    height: int | None = None  # pixels, of one surface; the stage's own
    exports: Any = None  # the place of all that can be kept of what is shown; None: what a view offers stands in it

    @property
    def paper(self) -> bool:
        """Whether it is of the paper's weightings and no reader's; from session and address alone."""
        part = st.session_state.get("properties", st.query_params.get("properties", ""))
        return self.view == "Properties" and part in ("paper", PAPER)

    @property
    def wide(self) -> bool:
        """Whether it has the whole width."""
        return self.view in WIDE or self.paper

    def of(self, learned: Learned, ghost: Learned | None = None) -> View:
        """What is drawn of a learned weighting."""
        chosen = tuple(term for term in selection.terms() if term in learned.terms.term_index)
        look = (self.scale, self.region, self.faded, self.heights)
        return View(learned, self.names, chosen, *look, ghost, height=self.height, exports=self.exports)


def choose_view() -> str:
    """The line of views."""
    return choose_one("view", list(VIEWS), VIEWS[0], label_visibility="collapsed")


def choose_picture(view: str, names: list[str]) -> Picture:
    """Axes, region and scale."""
    st.subheader("Picture", anchor=False)
    with st.container(horizontal=True, gap="large"):
        scale, region = choices.scale(), choices.region()
    with st.container(horizontal=True, gap="medium"):
        faded = control(st.toggle, "fade", value=True)
        one_scale = control(st.toggle, "one_scale")
    return Picture(view, tuple(names), scale, region, faded, "rms" if one_scale else "auto")


def show(picture: Picture, learned: Learned | None, task: Any, *, ghost: Learned | None = None, often: bool) -> None:
    """The picture of a learned weighting; ``often``: it is being learned. Without any, the terms and no weights."""
    if picture.view == "Film":
        if _film(picture, learned, often):
            return
        picture = replace(picture, view="Surface")
    if learned is None:
        if picture.view in LIVE and task is not None:
            _map(task)
        else:
            st.info(NOTHING, icon=":material/model_training:")
        return
    view = picture.of(learned, ghost)
    if picture.view == "Surface":
        shape_surfaces.surface(view, often)
    elif picture.view == "Map":
        shape_surfaces.from_above(view, often)
    else:
        PARTS[picture.view](view)


def _film(picture: Picture, learned: Learned | None, often: bool) -> bool:
    """The film of what stands on the stage; while that is too young for one, the last one seen of the class, or an
    example's. Returns whether there is one."""
    if learned is not None and learned.source and not (often and len(snapshots_of(learned)) < 2):
        if not often:
            st.session_state[FILM] = learned.source
        shape_time.show(picture.of(learned), own=not often)
        return True
    last = on_stage.learned_now(st.session_state.get(FILM, on_stage.NEW))[0] if often else None
    if last is not None and (last.dataset, last.class_name) == (selection.dataset(), selection.class_name()):
        told = f"{TRAINING} This is the film of the one before: **{plain(last.label)}**."
        shape_time.show(picture.of(last), told, "the previous training")
        return True
    how = "" if often else "A film shows a training: **Train** makes one."
    return film_of_example(picture, TRAINING if often else "", how, own=not often)


def film_of_example(picture: Picture, why: str, how: str = "", own: bool = False) -> bool:
    """The film of the class's example, where there is nothing of the reader's own to show, and ``why``; ``how`` to make
    one; without one, where another class's is. Returns whether there is a film."""
    dataset, class_name = selection.dataset(), selection.class_name()
    info = on_stage.example(dataset, class_name)
    if info is None or (info.corpus, info.class_name) != (dataset, class_name):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="no_film"):
            st.markdown(f"{why} {how}".strip(), width="content")
            on_stage.offer(info)
        return False
    learned = shipped(info.name)
    told = f"{why} This is the film of an example: **{learned.label}** for {plain(learned.title)}. {how}".strip()
    shape_time.show(picture.of(learned), told, "an example, trained earlier", own)
    return True


def _likeness(view: View) -> None:
    """Which formula it is like, and which other class's surface; and short formulas that are looked for."""
    row = part_row()
    parts = {
        "known": ("Known formulas", lambda view: shape_formula.show(view, row)),
        "classes": ("Other classes", lambda view: likeness_classes.show(view, row)),
    }
    if view.learned.is_formula:
        parts["difference"] = (DIFFERENCE, functions_view.difference_of)
    else:
        parts["found"] = ("As a formula", lambda view: shape_discovery.show(view, row))
    _chosen_part("likeness", parts, view, row)


def _properties(view: View) -> None:
    """What the weighting does, and what only some variants have."""
    row = part_row()
    parts = {"checks": ("Checks", shape_properties.show)}
    if shape_variants.has_one_weight_a_term(view):
        parts["weights"] = ("One weight per term", shape_variants.one_weight_a_term)
    parts["elsewhere"] = ("On another class", shape_transplant.show)
    if shape_inputs.has_other_inputs(view):
        parts["inputs"] = ("Its inputs", shape_inputs.show)
    if shape_variants.has_learned_dd(view):
        parts["occurrences"] = ("Occurrences", shape_variants.occurrences)
    parts["document"] = ("Term frequency", lambda view: functions_view.within_a_document(view.task()))
    parts["paper"] = (PAPER, lambda _: shape_paper.show(row))
    _chosen_part("properties", parts, view, row)


def part_row() -> Any:
    """A line above the picture: which part of a view, and what that part asks."""
    return st.container(horizontal=True, vertical_alignment="center", gap="small", key="part_row")


def _chosen_part(key: str, parts: dict[str, tuple[str, Callable[[View], None]]], view: View, row: Any) -> None:
    """Show one of several parts, which have a title each; the first one to begin with."""
    titles = {part: title for part, (title, _) in parts.items()}
    if st.session_state.get(key, next(iter(titles))) not in titles:  # of another variant
        st.session_state[key] = next(iter(titles))
    with row:
        chosen = choose_one(key, titles, next(iter(titles)), label_visibility="collapsed", formerly=FORMERLY)
    parts[chosen][1](view)


PARTS = {
    "Slice": shape_slices.show,
    "Ranks": shape_ranks.show,
    "Likeness": _likeness,
    "Properties": _properties,
}


def untrained(task: Any, parameters: dict[str, Any]) -> Learned | None:
    """The network before its first step; None for a global variant, which has one random number a term."""
    if not VARIANTS[parameters["variant"]].local:
        return None
    settings = settings_of(parameters)
    key = (settings.variant, settings.hidden, settings.hidden_dd, settings.coordinates, settings.inputs, settings.seed)
    return _untrained(task.fingerprint, key, task, settings)


@kept_of_corpus(64)
def _untrained(fingerprint: str, key: tuple, _task: Any, _settings: Any) -> Learned:
    task, variant, seed = _task, _settings.variant, _settings.seed
    first = UntrainedNetwork(_settings, len(task.terms), task.prevalence, task.n_documents)
    terms = task.statistics
    return Learned(
        key="untrained-" + "-".join(map(str, (fingerprint, *key))),
        variant=variant,
        title=words.class_label(task),
        terms=terms,
        form=learned_form(variant, first.surface(terms.tpr, terms.fpr), terms, first.surface),
        provenance=f"Nothing learned yet: the random initial weights of seed {seed}.",
        dataset=selection.dataset(),
        class_name=task.class_name,
        ratio=task.ratio,
        untrained=True,
    )


def _map(task: Any) -> None:
    """What there is of a global variant before anything is learned: the terms, at their places, without weights."""
    grid = term_grid(task.statistics, region="terms", scale="log")
    view = PlaneView(task.prevalence, "Terms without a weight", words.base(), selected=selection.terms(), height=540)
    figure = cached_figures.term_map(task.statistics, grid, replace(view, uirevision=task.fingerprint))
    plot(figure, "live_surface", live=True)
    st.caption("A global variant begins with a random number for each term, and will have no surface.")

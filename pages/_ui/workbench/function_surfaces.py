"""Formulas as surfaces at a prevalence and a number of documents that the reader chooses."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from ltw_core.figures import Grid, PlaneView, SurfacePanel
from ltw_core.figures.sweep import sweep
from ltw_core.tasks import TermStatistics
from pages._ui import choices, words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.plots.cached_figures import content_key, contours, surfaces
from pages._ui.plots.following import follow
from pages._ui.plots.plot import plot
from pages._ui.reader import selection
from pages._ui.workbench.empty_place import empty_place
from pages._ui.workbench.shape_surfaces import map_size, phone_map_size, phone_size, stage_size

STEPS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 0.9]
SIZES = [100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 1_000_000]


@dataclass(frozen=True, eq=False)
class Setting:
    """What the surfaces are computed at; ``terms`` lie on them if there are any."""

    p: float
    n: int
    terms: TermStatistics | None
    marked: tuple[str, ...] | None = None  # terms to name; the shared selection without them


def terms_in(task: Any, region: str) -> TermStatistics | None:
    """The class's terms, where the region is theirs."""
    return task.statistics if task is not None and region == "terms" else None


def prevalence_and_size(task: Any, left: Any, right: Any, disabled: bool = False) -> tuple[float, int]:
    """Two sliders in two places, at the chosen class's values to begin with and whenever another class is chosen."""
    state = st.session_state
    at_class = (float(f"{task.prevalence:.3g}"), task.n_documents) if task is not None else (0.05, 10_000)
    steps, sizes = sorted({*STEPS, at_class[0]}), sorted({*SIZES, at_class[1]})
    of = task.fingerprint if task is not None else ""
    if state.get("_formulas_of") != of:
        first = "_formulas_of" not in state
        state["_formulas_of"] = of
        for key, value in zip(("p", "n"), at_class, strict=True):
            if not (first and key in st.query_params):
                state[key] = value
    sliders = (("p", steps, at_class[0]), ("n", sizes, at_class[1]))
    for key, values, value in sliders:
        if key in state and state[key] not in values:
            state[key] = value
    state["_places"] = {"p": steps, "n": sizes}
    shown = {"p": words.prevalence, "n": lambda v: f"{v:,}"}
    p, n = (
        control(place.select_slider, key, values, value=value, format_func=shown[key], disabled=disabled)
        for place, (key, values, value) in zip((left, right), sliders, strict=True)
    )
    return float(p), int(n)


def defaults(task: Any, p: float, n: int) -> str:
    """Whether the sliders stand where the chosen class is."""
    if task is None:
        return ""
    name = plain(words.class_label(task))
    if n == task.n_documents and abs(p - task.prevalence) < 0.01 * task.prevalence:
        return f"Pr(c) and N are those of {name}."
    return f"{name} has Pr(c) = {words.prevalence(task.prevalence)}, N = {task.n_documents:,}."


def panels(functions: list[Any], grid: Grid, setting: Setting) -> list[SurfacePanel]:
    """Raw values of the functions on the grid."""
    at = (grid.tpr, grid.fpr, setting.p, setting.n)
    return [SurfacePanel(function.symbol, function.at_rates(*at), None, "") for function in functions]


def show(kind: str, drawn: list, grid: Grid, setting: Setting) -> Any:
    """The panels as surfaces ("3d") or from above ("2d"); returns the figure."""
    figure, narrow = (_draw(kind, drawn, grid, setting, narrow) for narrow in (False, True))
    plot(figure, f"functions_{kind}", live=True, narrow=narrow, on_pick=selection.pick)
    if kind == "3d":
        empty_place(len(drawn))
    return figure


def follow_thumbs(drawn: list, functions: list[Any], grid: Grid, setting: Setting, powers: dict[Any, list]) -> None:
    """The surfaces follow the sliders while their thumbs move.

    Parameters
    ----------
    drawn : the panels that are shown, of ``functions``.
    powers : by place of its slider, the functions under each power.
    """
    view, places = _view(setting, drawn, grid), st.session_state["_places"]
    at = lambda several, **changed: panels(several, grid, replace(setting, **changed))  # noqa: E731
    moments = {
        "p": lambda: [at(functions, p=p) for p in places["p"]],
        "n": lambda: [at(functions, n=n) for n in places["n"]],
        "power": lambda: [at(several) for several in powers.values()],
    }
    sweeps = {key: partial(_sweep, make, drawn, grid, setting.terms, view) for key, make in moments.items()}
    of = content_key([f.symbol for f in functions], setting.p, setting.n, [p.z for p in drawn], grid.scale, view.base)
    follow("functions_3d", sweeps, of.hex())


def _sweep(make: Any, *content: Any) -> dict[str, Any]:
    return sweep(make(), *content)


def _view(setting: Setting, drawn: list, grid: Grid) -> PlaneView:
    count = len(drawn)
    return PlaneView(
        p=setting.p,
        base=words.base(),
        selected=selection.terms() if setting.marked is None else setting.marked,
        faded=setting.marked is None,
        diagonal=setting.marked is not None,
        heights="peak",
        from_above=any(choices.seen_from_above(panel.name) for panel in drawn),
        uirevision=f"stage-{selection.dataset()}-{grid.scale}-{grid.region}",
        **stage_size(count),
    )


def _draw(kind: str, drawn: list, grid: Grid, setting: Setting, narrow: bool) -> Any:
    """The figure, or the layout that it has on a narrow page."""
    make = surfaces if kind == "3d" else contours
    view = _view(setting, drawn, grid) if kind == "3d" else map_size(_view(setting, drawn, grid), len(drawn))
    if narrow:
        view = (phone_size if kind == "3d" else phone_map_size)(view, len(drawn))
        return make.layout(drawn, grid, setting.terms, view)
    return make(drawn, grid, setting.terms, view)

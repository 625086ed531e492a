"""The app's figures by name, as a step of a lesson shows them; what each takes stands in ``vocabulary``."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from ltw_core import figures
from ltw_core.figures import PlaneView, SurfacePanel, f1_comparison, surface_grid, term_grid
from ltw_core.insight import canonical_function, slice_points
from ltw_core.lessons import Values
from ltw_core.lessons.function_measures import difference_on_test, interval
from ltw_core.lessons.values import LEARNED
from ltw_core.tasks import TermStatistics
from ltw_core.weighting import cd_function, display
from pages._ui import choices, words
from pages._ui.controls import choose_one, control
from pages._ui.guard import plain
from pages._ui.learn_by_doing import counts_tables, hands_on
from pages._ui.learn_by_doing.vocabulary import PLACE
from pages._ui.plots.cached_figures import contours, slices, surfaces, term_map
from pages._ui.plots.plot import plot, ready
from pages._ui.reader import selection
from pages._ui.workbench.function_surfaces import STEPS, Setting, panels, terms_in

MANY = 1_000_000  # documents of a table that has given rates at any prevalence
PICKED_IN = "_lesson_picked_in"  # the figure in which the reader picked a term last
PAGE = hands_on.PAGE
HIGH, ROW_HIGH = 90, 72  # pixels of a figure of few rows, and of one of them: it is the whole picture of its step
BESIDE = 600  # pixels of a figure beside the text
COLUMN = 390  # of scenes on a phone, as narrow as has few ticks
MAP = 320  # pixels that a map is high there: what is asked of it ends above the foot
HEIGHTS = {1: 580, 2: 460, 3: 595, 4: 660, 5: 670}  # of surfaces, by their number: seen whole above the foot
RATES = "Computed now from the formulas. Pr(c): the class’s share of all documents; N: how many there are."
REGIONS = {"terms": "Where terms are", "square": "Whole square"}


@dataclass(frozen=True)
class Frame:
    """Where a figure stands: the lesson's values at the class, its settings with values filled in, and its key.

    ``projected``: on the big screen, where nobody's hand reaches it; ``waits``: a question of the step has no guess
    yet, which comes before what the figure offers to do."""

    values: Values
    settings: dict[str, str]
    key: str
    projected: bool = False
    waits: bool = False

    @property
    def task(self) -> Any:
        return self.values.task

    def listed(self, name: str, default: str = "") -> list[str]:
        """A setting of several words."""
        return self.settings.get(name, default).split()

    def terms(self) -> list[str]:
        """The terms that the step names, as far as this class has them."""
        return [term for term in self.listed("terms") if term in self.task.term_index]


def draw(name: str, frame: Frame) -> None:
    """Show a figure."""
    FIGURES[name](frame)


def _map(frame: Frame) -> None:
    task, scale = frame.task, frame.settings.get("scale", "log")
    rates = (task.prevalence, task.n_documents)
    options = {"region": frame.settings.get("region", "terms"), "lines": bool(frame.listed("lines"))}
    grid = term_grid(task.statistics, scale=scale, **options)
    lines, hovered = [], {}
    for function in map(cd_function, frame.listed("lines")):
        hovered[function.symbol] = function.at_rates(task.tpr, task.fpr, *rates)
        z = function.at_rates(grid.tpr, grid.fpr, *rates)
        lines.append(SurfacePanel(function.symbol, z, hovered[function.symbol]))
    picked, by_name = _picked(frame), f"{frame.key}-term"
    selected = list(dict.fromkeys([*frame.terms(), *picked]))
    high = 400 if len(frame.terms()) > 1 else 440  # with the counts below it, seen above the foot
    view = PlaneView(task.prevalence, base=words.base(), selected=selected, hover=hovered, height=high, page=PAGE)
    view = replace(view, uirevision=f"{task.fingerprint}-{scale}-{grid.region}")

    def pick(point: dict[str, Any]) -> None:
        selection.pick(point)
        st.session_state[PICKED_IN] = frame.key

    def choose() -> None:
        if term := st.session_state[by_name]:
            selection.select_term(term)
            st.session_state[PICKED_IN] = frame.key
        else:
            st.session_state.pop(PICKED_IN, None)

    narrow = term_map.layout(task.statistics, grid, replace(view, width=COLUMN, height=MAP), iso=lines)
    plot(term_map(task.statistics, grid, view, iso=lines), frame.key, narrow=narrow, on_pick=pick)
    with st.container(key=f"lesson-terms-{frame.key}", horizontal=not frame.projected, vertical_alignment="center"):
        more = "" if frame.projected else " Choose one to see its counts."
        st.caption(f"A point is a term, or several with the same counts.{more}")
        if not frame.projected:
            selection.one_term(task, by_name, picked[-1] if picked else None, choose)
    _counts(frame)


def _picked(frame: Frame) -> list[str]:
    """Terms that the reader picked in this very figure: what was picked in another step says nothing here."""
    if st.session_state.get(PICKED_IN) != frame.key:
        return []
    return [term for term in selection.terms() if term in frame.task.term_index]


def _counts(frame: Frame) -> None:
    """Tables of counts: of the term last picked; of the step's terms too, if none is picked or lines are drawn."""
    task = frame.task
    picked = _picked(frame)[-1:]
    named = frame.terms()
    place = st.container(key=f"lesson-counts-{frame.key}")
    asked_about = named if frame.settings.get("lines") is not None or not picked else []
    if len(asked_about) > 2:
        place.markdown(counts_tables.of_several(task, asked_about), unsafe_allow_html=True)
        asked_about = []
    for term in dict.fromkeys([*picked, *asked_about]):
        place.markdown(counts_tables.of_one(task, term), unsafe_allow_html=True)


def _prevalence(frame: Frame) -> float:
    """The class's, that of the settings, or the reader's by a slider."""
    asked, p = frame.settings.get("prevalence", ""), float(f"{frame.task.prevalence:.3g}")
    if asked != "free":
        return float(asked) if asked else p
    start = float(frame.settings.get("start", p))
    steps = sorted({*STEPS, p, start})
    key = f"{frame.key}-p"
    shown = lambda v: words.prevalence(v) + (" (this class)" if v == p else "")  # noqa: E731
    return float(control(st.select_slider, key, steps, value=start, like="lesson_p", format_func=shown))


def _places(frame: Frame, p: float) -> tuple[TermStatistics, tuple[str, ...]]:
    """Points that no term makes: tables of counts with their rates, and their names."""
    names, tpr, fpr = zip(*(PLACE.fullmatch(word).groups() for word in frame.listed("places")), strict=True)
    inside = [np.rint(np.array(rates, dtype=float) * size) for rates, size in ((tpr, MANY * p), (fpr, MANY * (1 - p)))]
    outside = [np.rint(MANY * p) - inside[0], np.rint(MANY * (1 - p)) - inside[1]]
    counts = [found.astype(int) for found in (*inside, *outside)]
    return TermStatistics.of_tables(np.array(names), *counts), names


def _beside(view: PlaneView, panels: int, scenes: bool = True) -> PlaneView:
    """As it is beside the text: in two columns; of five ``scenes`` the first, which the others are compared with, large
    above."""
    height = HEIGHTS.get(panels, max(HEIGHTS.values()))
    hero = scenes and panels == 5
    return replace(view, columns=min(panels, 2), hero=hero, sparse=True, height=height, width=BESIDE)


def _narrow(view: PlaneView, panels: int, width: int) -> PlaneView:
    """As it is on a phone: one below the other, or two a row where more than three are compared, which have no
    room for ticks but those of a large first one."""
    many = panels > 3
    return replace(
        view,
        height=None,
        labels=1 if many and not view.hero and view.labels != 0 else view.labels,
        columns=1 + many,
        hero=view.hero and many,
        width=width,
    )


def _edge_on(names: list[str]) -> bool:
    """Whether one of some functions would be seen from its edge by the camera that all others have."""
    return any(map(choices.seen_from_above, names))


def _over_the_square(kind: str) -> Callable[[Frame], None]:
    def draw_it(frame: Frame) -> None:
        task, p = frame.task, _prevalence(frame)
        region, scale = frame.settings.get("region", "square"), frame.settings.get("scale", "linear")
        names = frame.listed("functions", "CHI2 IG RF")
        terms, marked = terms_in(task, region), [*frame.terms(), *selection.terms()]
        if frame.settings.get("places"):
            terms, marked = _places(frame, p)
        rates = (task.tpr, task.fpr) if terms is not None else (None, None)
        grid = surface_grid(*rates, p, task.n_documents, region=region, scale=scale)
        drawn = panels([cd_function(name) for name in names], grid, Setting(p, task.n_documents, terms))
        view = PlaneView(p, base=words.base(), selected=marked, heights="peak", from_above=_edge_on(names))
        view = replace(view, faded=not frame.settings.get("places"), uirevision=f"{frame.key}-{grid.region}")
        view = _beside(view, len(drawn), kind == "3d")
        draw, column = contours, _narrow(view, len(drawn), 380)
        if kind == "3d":
            draw = surfaces
            view, column = (
                replace(v, diagonal=True)
                for v in (replace(view, labels=2 - (len(drawn) > 3)), replace(column, width=COLUMN))
            )
        else:
            view = replace(view, height=view.height + 40)  # its scale is above it
        figure, narrow = draw(drawn, grid, terms, view), draw.layout(drawn, grid, terms, column)
        plot(figure, f"functions_{kind}", live=True, narrow=narrow, on_pick=selection.pick)
        line = " Thick line: tpr = fpr." if kind == "3d" else ""
        st.caption(f"Formulas at Pr(c) = {words.prevalence(p)}, N = {task.n_documents:,}.{line}", help=RATES)

    return draw_it


def _slices(frame: Frame) -> None:
    p, along, at = _prevalence(frame), frame.settings.get("along", "tpr"), float(frame.settings.get("at", 0.05))
    running, tpr, fpr = slice_points(along, at, scale="linear")
    n = frame.task.n_documents
    functions = [cd_function(name) for name in frame.listed("functions", "CHI2")]
    curves = {f.symbol: f.at_rates(tpr, fpr, p, n) for f in functions}
    plot(slices(running, curves, along=along, at=at, p=p, base=words.base(), height=500), frame.key, live=True)
    st.caption(f"Each curve is scaled to a peak of 1. Pr(c) = {words.prevalence(p)}, N = {n:,}.", help=RATES)


def _canonical_panel(frame: Frame, name: str, grid: Any) -> SurfacePanel:
    function = cd_function(name)
    return SurfacePanel.of(function.symbol, canonical_function(function, frame.task.statistics), grid)


def _learned(frame: Frame) -> None:
    seed, variant = int(frame.settings.get("seed", 0)), frame.settings.get("variant", LEARNED)
    grid = term_grid(frame.task.statistics, region="terms", scale="log")
    drawn = [_seed_panel(frame, seed, grid, variant)]
    drawn += [_canonical_panel(frame, name, grid) for name in frame.listed("functions", "CHI2 RF")]
    _surfaces(frame, drawn, grid, more=60 if len(drawn) == 3 else 0)
    _said_of(frame, (seed,), variant)


def _seeds(frame: Frame) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        region = choose_one(
            f"{frame.key}-region", REGIONS, frame.settings.get("region", "square"), like="lesson_region"
        )
        faded = control(st.toggle, f"{frame.key}-faded", like="lesson_faded")
    scale = "log" if region == "terms" else "linear"
    grid = term_grid(frame.task.statistics, region=region, scale=scale)
    _surfaces(frame, [_seed_panel(frame, seed, grid) for seed in hands_on.SEEDS], grid, faded, heights="rms")
    _said_of(frame, hands_on.SEEDS)


def _seed_panel(frame: Frame, seed: int, grid: Any, variant: str = LEARNED) -> SurfacePanel:
    with st.spinner("Learning…"):
        return SurfacePanel.of(display(variant), frame.values.learned(seed, variant), grid, f"seed {seed}")


def _surfaces(frame: Frame, drawn: list, grid: Any, faded: bool = True, more: int = 0, heights: str = "auto") -> None:
    """Surfaces, with names of terms: of those alone that the step names, if it names any. ``more``: pixels of height
    that a step without controls has to spare."""
    task = frame.task
    look = {"base": words.base(), "selected": frame.terms(), "faded": faded, "diagonal": True, "heights": heights}
    view = PlaneView(task.prevalence, **look)
    above, labels = _edge_on(frame.listed("functions")), 0 if view.selected else 2 - (len(drawn) > 2)
    view = _beside(replace(view, labels=labels, from_above=above, uirevision=f"{frame.key}-{grid.region}"), len(drawn))
    view = replace(view, height=view.height + more)
    column = _narrow(view, len(drawn), COLUMN)  # one below the other, terms have room for their names
    narrow = surfaces.layout(drawn, grid, task.statistics, replace(column, columns=1) if view.selected else column)
    plot(surfaces(drawn, grid, task.statistics, view), frame.key, narrow=narrow)


def _said_of(frame: Frame, seeds: tuple, variant: str = LEARNED) -> None:
    """What was learned, in a line; how, and what its heights mean, on demand."""
    kept = ", ".join(f"{seed} at {frame.values.weighting(seed, variant).best_step_:,}" for seed in seeds)
    unit = "each surface is divided by its largest weight in view."
    if len(seeds) > 1:
        unit = "1 is the typical weight of a term. A pale surface stays nearer to 0 than the others."
    st.caption(
        f"{display(variant)}, {'seed' if len(seeds) == 1 else 'seeds'} {', '.join(map(str, seeds))}, for "
        f"{plain(words.class_label(frame.task))}. Thick line: tpr = fpr.",
        help="Computed now: Learning to Weight from tpr and fpr alone, with the paper’s settings. Step that was kept, "
        f"by seed: {kept}. In canonical form: on balance positive for terms typical of the class; {unit}",
    )


def _f1(frame: Frame) -> None:
    task, names = frame.task, frame.listed("methods", "LogTFIDF TFCHI TFRF")
    if len(names) == 1 and not frame.settings.get("empty"):
        hands_on.decisions(frame, names[0])
        return
    if frame.settings.get("empty"):  # on a wide page as high as what comes in its place
        about = [*map(display, names)], "F1 on the test set", (0, 1)
        look, rows = {"above": True, "base": words.base()}, ROW_HIGH * len(names)
        draw = lambda n: figures.asked.plain(*about, **look, narrow=n, height=HIGH + rows // (1 + n))  # noqa: E731
        figure, narrow = draw(False), draw(True)
        figure.layout["meta"] = {"page": PAGE}
        plot(ready(figure, frame.key, narrow), frame.key)
        return
    with st.spinner("Training classifiers…"):
        results = {name: frame.values.result(name) for name in names}
    found = {name: result.f1 for name, result in results.items()}
    labels = {name: display(name) for name in names}
    drawn = frame.settings.get("interval") != "false"
    ends = {name: interval(frame.values, name) for name in names if drawn}
    half = {name: (high - low) / 2 for name, (low, high) in ends.items()}
    options = {"error": half, "learner": "linear SVM", "order": "given", "labels": labels, "base": words.base()}
    options["height"] = HIGH + ROW_HIGH * len(names)
    figure, narrow = (f1_comparison.plain(found, **options, narrow=narrow) for narrow in (False, True))
    plot(ready(figure, frame.key, narrow), frame.key)
    with st.container(key="lesson-decided"):
        st.markdown(counts_tables.of_classifiers({labels[name]: results[name] for name in names}))
    st.caption(
        "±: half of the 95% interval; " * drawn
        + f"{int(np.sum(task.y_test)):,} of {len(task.y_test):,} test documents are of the class.",
        help="Computed now: linear SVM, seed 0; its C, what an error in training costs, is chosen among a few values "
        "on held-out documents (quick grid)."
        + " The interval: test documents are drawn again and again out of these (bootstrap, the class and the others "
        "apart)." * drawn,
    )


def _differences(frame: Frame) -> None:
    one, *others = frame.listed("methods", "TFRF LogTFIDF")
    with st.spinner("Training classifiers…"):
        found = {name: difference_on_test(frame.values, *map(frame.values.result, (one, name))) for name in others}
    ends = {
        f"{display(one)} − {display(name)}": (each.value, each.documents.low, each.documents.high)
        for name, each in found.items()
    }
    plot(figures.f1_differences.plain(ends, base=words.base(), height=HIGH + ROW_HIGH * len(ends)), frame.key)
    st.caption(
        "Lines: 95% intervals of the differences (paired bootstrap).",
        help="Computed now: linear SVM, seed 0. Test documents are drawn again and again out of these, the same for "
        "both weightings.",
    )


FIGURES: dict[str, Callable[[Frame], None]] = {
    "map": _map,
    "counts": _counts,
    "document": hands_on.document,
    "surfaces": _over_the_square("3d"),
    "above": _over_the_square("2d"),
    "slices": _slices,
    "training": hands_on.training,
    "learned": _learned,
    "seeds": _seeds,
    "f1": _f1,
    "differences": _differences,
    "redrawn": hands_on.redrawn,
    "weights": hands_on.weights,
    "under": hands_on.under,
    "sculpt": hands_on.sculpt,
}

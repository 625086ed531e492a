"""The stage's surfaces side by side, the same from above, and the documents of a term that is clicked."""

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.figures import Grid, PlaneView, SurfacePanel, contours, html, surfaces, theme
from ltw_core.figures.contours import BAR
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.figures.plane import WIRES
from ltw_core.figures.sweep import sweep
from ltw_core.insight import estimated_share
from ltw_core.metrics import decimals
from pages._ui import choices, words
from pages._ui.controls import control
from pages._ui.documents import documents_view
from pages._ui.downloads import offer
from pages._ui.guard import plain
from pages._ui.out_of_view import terms_out_of_view
from pages._ui.plots.cached_figures import figure_of, once
from pages._ui.plots.plot import Ready, plot, ready
from pages._ui.reader import selection
from pages._ui.result_cache import kept
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.training import run_words
from pages._ui.weightings import document_weights
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.snapshots import learned_at
from pages._ui.workbench import playback
from pages._ui.workbench.empty_place import empty_place
from pages._ui.workbench.shape_view import View, keep_axis, with_axis_kept
from pages._ui.workbench.texts import text

OPEN, OPENED = "_drawer_open", "open"  # of the drawer: the session's key, and what an address says
READS = "_drawer_read"  # on a phone, where the drawer lies over the picture, whether it was asked for
WIDTH = 720  # pixels of the stage, which is 660 to 770 wide
PHONE = 420  # and its height on a phone, of one alone
PHONE_MAP = 420  # pixels of one map there, which is about as high as it is wide
PHONE_MAPS, OVER_MAPS = 225, 70  # of a row of two, and of what stands over all of them
# by how many panels, so that scenes are seen large and none in a void
HEIGHTS = {1: 558, 2: 476, 3: 610, 4: 670, 5: 540, 6: 600}
FINE = 96  # points along an axis of a map: on log axes formulas are steep at the right, and lines would have steps
MAP = 560  # pixels that maps are high at least
INSIDE = 0.004  # of the way to its middle that a wire stands inside the box
NAMED = {1: 6, 2: 4, 3: 2, 4: 1, 5: 1, 6: 1}  # terms that a panel names, by how many panels there are


def surface(view: View, often: bool = False) -> None:
    """The surfaces, which turn together; ``often``: the first one is being learned, and changes twice a second."""
    view = with_axis_kept(view) if often else view
    waits = not view.learned.source  # before its first validation it stays as it is, for a class at once
    drawn = _surfaces(view, often=True) if often and not waits else _kept("surfaces", view)
    plot(drawn, "live_surface", live=True, often=often, on_pick=selection.pick)
    empty_place(1 + len(view.formulas))
    # how it rose, up to the step that was kept, in its place
    if not often and (told := playback.told(view.learned)):
        playback.play(view.learned, told, _swept(_shown(view), view))
    if view.learned.surface is None:
        free = view.learned.variant == "LTW-G-I"
        shown = "the magnitude of a weight, since its sign is free" if free else "its weight"
        st.caption(f"{view.learned.label} has no surface: each term has a weight of its own. Colour: {shown}.")


@kept(4)
def _swept(key: str, _view: View) -> dict[str, Any]:
    """The surface at each snapshot that is played back."""
    learned = _view.learned
    (panels, grid, terms), shown = _content(_view)
    moments = [[learned_at(each, learned).panel(grid), *panels[1:]] for each in playback.shots(learned)]
    return sweep(moments, panels, grid, terms, shown)


def from_above(view: View, often: bool = False) -> None:
    """The same from above; a click on a point selects its term."""
    if often:
        content, shown = _content(view, wire=False)
        shown = map_size(shown, len(content[0]))
        narrow = lambda: contours.plain(*content, phone_map_size(shown, len(content[0])))  # noqa: E731
        drawn = ready(contours.plain(*content, shown), "map", narrow)
    else:
        drawn = _kept("map", view)
    plot(drawn, "stage_map", live=True, often=often, on_pick=selection.pick)


def _out_of_view(view: View) -> None:
    """Which terms that matter the region leaves out."""
    terms = view.learned.terms
    share = estimated_share(view.learned.cd, terms)
    which = "with their share of the class’s vectors estimated from counts"
    said = {"which": which, "each": lambda k: f"{share[k]:.0%}", "held_by": "Log axes or the whole square"}
    terms_out_of_view(terms, share, view.grid, **said)


def about(view: View) -> None:
    """Where the numbers come from, and how surfaces are made comparable."""
    learned = view.learned
    said = (learned.provenance, run_words.saturated(learned.weighting), _canonical(len(view.weights), view.heights))
    st.caption(" ".join(filter(None, said)))
    _out_of_view(view)
    if not view.learned.key.startswith("untrained"):
        page = lambda: html(figure_of(_kept("surfaces", view)), "ltw-shapes")  # noqa: E731
        offer("Surfaces (HTML)", "ltw-shapes.html", page, "A page of its own that turns without this app.")


def _kept(figure: str, view: View) -> Ready:
    """A figure that is made once for a choice, for everybody: a rerun for anything else on the page finds it done."""
    return once(f"stage {figure} {_shown(view)}", lambda: FIGURES[figure](view))


def _shown(view: View) -> str:
    """Names what a view shows."""
    shown = (view.learned.key, view.names, tuple(view.chosen), view.scale, view.region, view.faded, view.heights)
    return repr((*shown, view.at_least, view.height, tuple(view.weights), view.ghost is not None, words.base()))


def _surfaces(view: View, *, often: bool = False) -> Ready:
    """``often``: of what is being learned, whose axis only grows; not worth keeping."""
    content, shown = _content(view)
    figure = surfaces.plain(*content, shown)
    if often:
        keep_axis(view, tuple(figure.layout["meta"]["z_range"]))
    narrow = lambda: surfaces.plain(*content, phone_size(shown, len(content[0])))  # noqa: E731
    return ready(_with_ghost(figure, view, content[0][0].z), "surface", narrow if often else narrow())


def _map(view: View) -> Ready:
    content, shown = _content(view, view.grid_of(FINE), wire=False)
    shown = map_size(shown, len(content[0]))
    narrow = contours.plain(*content, phone_map_size(shown, len(content[0])))
    return ready(contours.plain(*content, shown), "map", narrow)


FIGURES = {"surfaces": _surfaces, "map": _map}


def _content(view: View, grid: Grid | None = None, *, wire: bool = True) -> tuple[tuple, PlaneView]:
    """What the panels show, and how they stand: up to six."""
    grid = grid or view.grid
    panels = _panels(view, grid, wire)
    high = any(choices.seen_from_above(panel.name) for panel in panels)
    size = stage_size(len(panels)) | ({"height": view.height, "sparse": True} if view.height else {})
    shown = view.shown(heights=view.heights, from_above=high, **size)
    # what comes beside it, or another training run in its place, keeps the camera, to be compared with
    same = f"stage-{view.learned.dataset}-{view.scale}-{view.region}"
    return (panels, grid, view.learned.terms), replace(shown, title="", uirevision=same)


def stage_size(n: int) -> dict[str, int]:
    """How panels stand on the stage, of a ``PlaneView``."""
    columns = min(n, 2) if n <= 4 else 3
    return {"columns": columns, "width": WIDTH, "height": HEIGHTS[n], "labels": NAMED[n]}


def map_size(shown: PlaneView, n: int) -> PlaneView:
    """The same of maps, which need no room at their sides to turn: three stand in a row."""
    columns = 3 if n == 3 else shown.columns
    size = {"columns": columns, "height": max(shown.height, MAP), "labels": max(shown.labels, NAMED[2])}
    return replace(shown, **size, uirevision=f"{shown.uirevision}-{n}")


def phone_size(shown: PlaneView, n: int) -> PlaneView:
    """The same on a phone: several stand in two columns, of which up to four take one screen."""
    size = {"columns": min(n, 2), "width": 380, "height": PHONE if n == 1 else None}
    return replace(shown, **size, labels=2 if n == 1 else 1, points=False)  # of what is drawn so only layouts are sent


def phone_map_size(shown: PlaneView, n: int) -> PlaneView:
    """The same of maps, which have their scale of colours below them."""
    sized = phone_size(shown, n)
    return replace(sized, height=BAR + (PHONE_MAP if n == 1 else OVER_MAPS + PHONE_MAPS * -(-n // 2)))


@kept(32)
def _heights_before(key: str, scale: str, region: str, _ghost: Learned, _grid: Grid) -> np.ndarray:
    return np.asarray(_ghost.surface(_grid.tpr, _grid.fpr), dtype=float)


def _with_ghost(figure: PlainFigure, view: View, own: np.ndarray | None) -> PlainFigure:
    """The surface that it began with, as a wire over the first panel, which shows ``own``."""
    if view.ghost is None or own is None:
        return figure
    grid = view.grid
    drawn = np.asarray(figure.data[0]["z"], dtype=float)
    z = _heights_before(view.ghost.key, view.scale, view.region, view.ghost, grid)
    low, high = figure.layout["meta"]["z_range"]
    uncut = (drawn > low) & (drawn < high) & (np.abs(own.ravel()) > 1e-6)
    unit = float(np.median(drawn[uncut] / own.ravel()[uncut])) if uncut.any() else 1.0  # one of its own, as drawn
    z = np.where((unit * z >= low) & (unit * z <= high), unit * z, np.nan)
    # within the box: what lies on its side is drawn in dashes
    x, y = np.meshgrid(*(at + INSIDE * (at.mean() - at) for at in (grid.grid_x, grid.grid_y)))
    rows, columns = (np.linspace(0, n - 1, WIRES).round().astype(int) for n in z.shape)
    wires = [(x[k], y[k], z[k]) for k in rows] + [(x[:, k], y[:, k], z[:, k]) for k in columns]
    at = [
        np.concatenate([np.r_[part, np.nan] for part in axis]).astype(np.float32) for axis in zip(*wires, strict=True)
    ]
    figure.add(
        "scatter3d",
        **dict(zip("xyz", at, strict=True)),
        mode="lines",
        line={"color": theme.ink(words.base()).muted, "width": 1},
        hoverinfo="skip",
        showlegend=False,
        name="before the first step",
        scene="scene",
    )
    return figure


def terms_row(terms: Any, view: View | None = None) -> None:
    """The list of selected terms, and the button that opens the documents of the last one; none while they are open,
    beside which the list stands. On a phone they wait below what the ``view`` says of that term until asked for."""
    chosen = [term for term in selection.terms() if term in terms.term_index]
    if _is_open() and chosen:
        if view is not None and not st.session_state.get(READS):
            _peek(view, chosen[-1])
        return
    with st.container(key="terms_row"):
        selection.term_picker(terms, "shape_terms", "Choose a term to read its documents")
        if chosen:
            mark = {"mark": f" “{plain(chosen[-1])}”", "icon": ":material/article:"}
            if control(st.button, "drawer_open", **mark):
                st.session_state[OPEN] = st.session_state[READS] = True
                run_again()  # the whole page, of which a fragment has this list


def _peek(view: View, term: str) -> None:
    """What is known of a term in one line, and the ways to its documents and back; seen on a phone alone."""
    k = view.learned.terms.term_index[term]
    weights = " · ".join(f"{plain(name)} **{decimals(each[k], 2)}**" for name, each in view.weights.items())
    rates = f"tpr {words.percent(view.learned.terms.tpr[k])} · fpr {words.percent(view.learned.terms.fpr[k])}"
    with st.container(key="peek"):
        st.markdown(f"**{plain(term)}**: {weights} · {rates}")
        read = control(st.button, "drawer_read", icon=":material/article:")
        if control(st.button, "peek_close", type="tertiary", icon=":material/close:"):
            close_documents()
            run_again()  # as above
        if read:
            st.session_state[READS] = True
            run_again()


def documents(view: View) -> None:
    """Beside the picture the documents of the term selected last: a drawer that opens when a term is selected."""
    if not (_is_open() and view.chosen):
        st.query_params.pop("drawer", None)
        return
    st.query_params["drawer"] = OPENED
    with st.container(key="drawer"):
        control(st.button, "drawer_close", type="tertiary", icon=":material/close:", on_click=close_documents)
        _documents(view)


def _is_open() -> bool:
    """Whether the drawer is: on arrival where the address asks for it, then from a selected term until it is closed."""
    state, terms = st.session_state, selection.terms()
    if selection.SEEN not in state:
        state[OPEN] = st.query_params.get("drawer") == OPENED
    elif set(terms) - set(state[selection.SEEN]):
        state[OPEN] = True
    state[selection.SEEN] = terms
    return state[OPEN]


def close_documents() -> bool:
    """Close the drawer; returns whether it was open."""
    was, st.session_state[OPEN] = st.session_state.get(OPEN, False), False
    st.session_state[READS] = False
    return was and bool(selection.terms())


def _documents(view: View) -> None:
    """The documents that hold the selected term, their words shaded by weight."""
    task, term = view.task(), view.chosen[-1]
    about = _counts(task, term) if task is not None and term in task.term_index else None
    st.header(f"Documents that hold “{plain(term)}”", anchor=False, help=about)
    selection.term_picker(view.learned.terms, "shape_terms")
    if task is None:
        st.info(
            f"The documents of {plain(view.learned.title)} are not open here: choose its corpus and class in the menu "
            "to read those that hold the term.",
            icon=":material/article:",
        )
        return
    if st.session_state.get("_documents_of") != (view.learned.key, term):
        st.session_state["_documents_of"] = (view.learned.key, term)
        documents_view.look_for(term)
    _shade_by((view.learned.source, *(document_weights.shading(name) for name in view.names)))
    documents_view.reader(task, view.learned.dataset)


def _shade_by(stage: tuple[str, ...]) -> None:
    """What comes on the stage, or beside it, shades documents, too, in the place of what stood there before."""
    state = st.session_state
    before = state.get("_documents_by", ())
    if "doc_weightings" in state and before == stage:
        return
    others = [each for each in state.get("doc_weightings", []) if each not in (*stage, *before)]
    either = dict.fromkeys([*filter(None, stage), *(others or choices.WEIGHTINGS["documents"])])
    state["doc_weightings"] = list(either)[:2]
    state["_documents_by"] = stage


def _counts(task: Any, term: str) -> str:
    """How many training documents hold a term."""
    k, of_class = task.term_index[term], int(task.y_train.sum())
    others = task.y_train.size - of_class
    return (
        f"{int(task.tp[k]):,} of {words.count(of_class, 'training document')} of the class (tpr "
        f"{words.percent(task.tpr[k])}), {int(task.fp[k]):,} of {others:,} others (fpr {words.percent(task.fpr[k])})."
    )


def _panels(view: View, grid: Grid, wire: bool) -> list:
    said = "learned" if view.learned.source else "before training"
    if view.ghost:  # while it is trained: its numbers, which take less time, may be of a later step
        said = f"step {view.learned.step:,}" + " · wire: step 0" * wire
    first = view.learned.panel(grid, said)
    return [first, *(SurfacePanel.of(name, form, grid) for name, form in view.formulas.items())]


def _canonical(count: int, heights: str) -> str:
    each = count > 1 and heights == "auto"
    scaled = "; side by side each is scaled to its strongest term in view" if each else ""
    return text("canonical", scaled=scaled)
